"""Help › About, and Help › How to read the scores."""

from PySide6.QtCore import Qt, qVersion
from PySide6.QtWidgets import QDialog, QWidget

from gpf_desktop import __version__
from gpf_desktop.domain.findings import READING_SHORT
from gpf_desktop.domain.text import tr
from gpf_desktop.ui.theme.tokens import SPACE_2, SPACE_5
from gpf_desktop.ui.widgets.boxes import hbox, vbox
from gpf_desktop.ui.widgets.buttons import button
from gpf_desktop.ui.widgets.labels import label


def _sheet(parent: QWidget, title: str, paragraphs: tuple[str, ...]) -> QDialog:
    dialog = QDialog(parent)
    dialog.setWindowTitle(title)
    dialog.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    column = vbox(label(title, "title"), parent=dialog, spacing=SPACE_2, margins=SPACE_5)
    for words in paragraphs:
        text = label(words, wrap=True)
        text.setMinimumWidth(420)
        column.addWidget(text)
    column.addLayout(hbox(1, button(tr("Close"), dialog.close, primary=True)))
    dialog.open()
    return dialog


def show_about(parent: QWidget) -> QDialog:
    return _sheet(
        parent,
        tr("About GPF Desktop"),
        (
            tr("Version {version}, with Qt {qt}.", version=__version__, qt=qVersion()),
            tr("Find out whether a language model tells the same thing differently to, or about, different people."),
            tr("Free software under the Apache License 2.0. The typeface is Inter, under the SIL Open Font License."),
        ),
    )


def show_reading(parent: QWidget) -> QDialog:
    return _sheet(
        parent,
        tr("How to read the scores"),
        (
            tr(READING_SHORT),
            tr(
                "A valid claim: this model's answers varied more, or less, across what the method varies, in this"
                " window, under these prompts and these items."
            ),
            tr(
                "A high score needs a human reading: stereotyping, fitting context, or a real difference in material "
                "impact. Nothing here is a verdict on a model, and no ranking here is permanent."
            ),
        ),
    )

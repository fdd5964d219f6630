"""Asks for a round's new name, or for the word that deletes it."""

from collections.abc import Callable

from PySide6.QtWidgets import QDialog, QDialogButtonBox, QLineEdit, QWidget

from gpf_desktop.domain.runs import Run
from gpf_desktop.domain.text import tr, trn
from gpf_desktop.settings.preferences import HERE
from gpf_desktop.ui.theme.tokens import SPACE_3, SPACE_4
from gpf_desktop.ui.widgets.boxes import vbox
from gpf_desktop.ui.widgets.buttons import ending_buttons
from gpf_desktop.ui.widgets.dialogs import TitledDialog
from gpf_desktop.ui.widgets.fields import FormField
from gpf_desktop.ui.widgets.labels import label
from gpf_desktop.ui.wording import count, spending


class _WordDialog(TitledDialog):
    """One field and a button that waits for what is typed."""

    def __init__(
        self,
        parent: QWidget,
        *,
        title: str,
        words: str,
        field: str,
        text: str,
        do: str,
        fits: Callable[[str], bool],
        name: str,
    ) -> None:
        super().__init__(parent, title, name)
        self.setMinimumWidth(420)
        self._fits = fits
        self.field = QLineEdit(text)
        self.field.selectAll()
        self.field.textChanged.connect(lambda _: self._check())
        buttons = ending_buttons(self, QDialogButtonBox.StandardButton.Cancel)
        self.do = buttons.addButton(do, QDialogButtonBox.ButtonRole.AcceptRole)
        self.do.setObjectName(f"{name}.do")
        buttons.accepted.connect(self.accept)
        column = vbox(parent=self, spacing=SPACE_3, margins=SPACE_4)
        if words:
            column.addWidget(label(words, wrap=True))
        column.addWidget(FormField(field, self.field, name=f"{name}.field"))
        column.addWidget(buttons)
        self._check()

    def _check(self) -> None:
        self.do.setEnabled(self._fits(self.field.text().strip()))


def ask_for_name(parent: QWidget, run: Run, then: Callable[[str], object]) -> QDialog:
    """Open a dialog for a new name of *run*."""
    dialog = _WordDialog(
        parent,
        title=tr("Rename the round"),
        words="",
        field=tr("Name"),
        text=run.name,
        do=tr("Rename"),
        fits=bool,
        name="runs.rename",
    )
    dialog.accepted.connect(lambda: then(dialog.field.text()))
    dialog.open()
    return dialog


def ask_to_delete(parent: QWidget, run: Run, then: Callable[[], object]) -> QDialog:
    """Open a dialog that deletes *run* once the word is typed."""
    word = tr("delete")
    answers = trn("{count} answer", "{count} answers", run.answered, count=count(run.answered))
    words = tr(
        "The round, its {answers}, their scores and its calls are taken out of this audit. Articles that no other"
        " round used can be used again.",
        answers=answers,
    )
    kept = tr("A copy of the audit as it is now is put among the daily copies first.")
    words += " " + (kept if HERE.get("work.daily_copies") else tr("Nothing brings them back but a copy of the file."))
    if run.spent:
        cost = spending(run.spent, unpriced=run.unpriced)
        words += " " + tr("What it cost, {spent}, stays in the sum on Home.", spent=cost)
    dialog = _WordDialog(
        parent,
        title=tr("Delete “{name}”", name=run.name),
        words=words,
        field=tr("Type “{word}” to do so", word=word),
        text="",
        do=tr("Delete the round"),
        fits=lambda text: text.casefold() == word.casefold(),
        name="runs.delete",
    )
    dialog.accepted.connect(then)
    dialog.open()
    return dialog

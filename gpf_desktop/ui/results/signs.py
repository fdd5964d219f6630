"""What every sign on the page means, those of scores and the heads of tables, a key away."""

from collections.abc import Iterable, Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QGridLayout, QVBoxLayout, QWidget

from gpf_desktop.domain.findings import Finding
from gpf_desktop.domain.scores import Measure
from gpf_desktop.domain.text import tr
from gpf_desktop.ui.theme import Theme
from gpf_desktop.ui.theme.tokens import SPACE_2, SPACE_3, SPACE_4
from gpf_desktop.ui.widgets.buttons import button
from gpf_desktop.ui.widgets.labels import heading, label
from gpf_desktop.ui.widgets.layouts import scrolling


def signs(measures: Sequence[Measure], findings: Iterable[Finding]) -> list[tuple[str, str]]:
    """(sign, what it means): scores first, then the columns of *findings* that say what they are, each once."""
    found = [(each.short, f"{each.title}. {each.higher}".strip()) for each in measures if each.short]
    heads = [(column.title, column.help) for finding in findings for column in finding.columns if column.help]
    return list(dict.fromkeys((*found, *heads)))


class SignsDialog(QDialog):
    """Stays open beside the page."""

    def __init__(self, theme: Theme, known: Sequence[tuple[str, str]], parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("signs")
        self.setWindowTitle(tr("What the signs mean"))
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setModal(False)
        holder = QWidget()
        grid = QGridLayout(holder)
        grid.setContentsMargins(0, 0, SPACE_3, 0)
        grid.setHorizontalSpacing(SPACE_4)
        grid.setVerticalSpacing(SPACE_2)
        grid.setColumnStretch(1, 1)
        for at, (sign, meaning) in enumerate(known):
            grid.addWidget(heading(sign), at, 0, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(label(meaning, wrap=True), at, 1)
        grid.setRowStretch(len(known), 1)
        column = QVBoxLayout(self)
        column.setContentsMargins(SPACE_4, SPACE_4, SPACE_4, SPACE_4)
        column.setSpacing(SPACE_3)
        column.addWidget(scrolling(holder, "signs.scroll"), 1)
        close = button(tr("Close"), self.close, primary=True)
        column.addWidget(close, alignment=Qt.AlignmentFlag.AlignRight)
        self.resize(theme.px(620), theme.px(520))

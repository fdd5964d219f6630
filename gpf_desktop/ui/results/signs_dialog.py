"""The meaning of every sign on the page, of scores and of tables' heads, a key away."""

from collections.abc import Sequence

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget

from gpf_desktop.domain.text import tr
from gpf_desktop.ui.theme import Theme
from gpf_desktop.ui.theme.tokens import SPACE_2, SPACE_3, SPACE_4
from gpf_desktop.ui.widgets.boxes import spaced_grid, vbox
from gpf_desktop.ui.widgets.buttons import button
from gpf_desktop.ui.widgets.dialogs import TitledDialog
from gpf_desktop.ui.widgets.labels import label
from gpf_desktop.ui.widgets.layouts import scrolling


class SignsDialog(TitledDialog):
    """Stays open beside the page."""

    def __init__(self, theme: Theme, known: Sequence[tuple[str, str]], parent: QWidget) -> None:
        super().__init__(parent, tr("What the signs mean"), "signs")
        holder = QWidget()
        grid = spaced_grid(parent=holder, across=SPACE_4, down=SPACE_2, wide=1, margins=(0, 0, SPACE_3, 0))
        for at, (sign, meaning) in enumerate(known):
            # Several measures that mean the same stand before it in one line of names, which may be long.
            grid.addWidget(label(sign, "heading", wrap=True), at, 0, Qt.AlignmentFlag.AlignTop)
            grid.addWidget(label(meaning, wrap=True), at, 1, Qt.AlignmentFlag.AlignTop)
        grid.setColumnStretch(0, 1)
        grid.setColumnStretch(1, 2)
        grid.setRowStretch(len(known), 1)
        close = button(tr("Close"), self.close, primary=True)
        vbox(
            (scrolling(holder, "signs.scroll"), 1),
            (close, 0, Qt.AlignmentFlag.AlignRight),
            parent=self,
            spacing=SPACE_3,
            margins=SPACE_4,
        )
        self.resize(theme.px(620), theme.px(520))

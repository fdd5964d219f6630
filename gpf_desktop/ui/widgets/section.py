"""A part of a page that folds away."""

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QSizePolicy

from gpf_desktop.ui.theme import Theme
from gpf_desktop.ui.theme.tokens import SPACE_1, SPACE_2
from gpf_desktop.ui.widgets.boxes import PlainWidget, vbox
from gpf_desktop.ui.widgets.buttons import ToolButton
from gpf_desktop.ui.widgets.layouts import bring_into_view


class CollapsibleSection(PlainWidget):
    """A heading that shows or hides its `body`."""

    toggled = Signal(bool)

    def __init__(self, theme: Theme, title: str, *, open: bool = False, name: str = "") -> None:  # noqa: A002
        super().__init__(name=name)
        self._theme = theme
        self.head = ToolButton()
        self.head.setText(title)
        self.head.setProperty("section", True)
        self.head.setCheckable(True)
        self.head.setChecked(open)
        self.head.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.head.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        self.head.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self.head.toggled.connect(self._toggled)
        # By hand; once it has its room.
        self.head.clicked.connect(lambda: QTimer.singleShot(0, self, self._bring_into_view))
        self.content = PlainWidget()
        self.body = vbox(parent=self.content, spacing=SPACE_2, margins=(SPACE_2, 0, 0, SPACE_2))
        vbox(self.head, self.content, parent=self, spacing=SPACE_1)
        theme.follow(self, self._paint)

    @property
    def is_open(self) -> bool:
        return self.head.isChecked()

    def set_open(self, shown: bool) -> None:
        self.head.setChecked(shown)

    def _toggled(self, shown: bool) -> None:
        self._paint()
        self.toggled.emit(shown)

    def _bring_into_view(self) -> None:
        bring_into_view(self)
        # Last: of a section that is higher than the window the beginning is to be seen.
        bring_into_view(self.head)

    def _paint(self) -> None:
        shown = self.head.isChecked()
        self.content.setVisible(shown)
        self.head.setIcon(self._theme.icon("chevron-down" if shown else "chevron-right", "text_secondary"))

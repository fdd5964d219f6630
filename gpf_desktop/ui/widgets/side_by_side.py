"""Two parts of a page next to each other, and one below the other where there is no room for both."""

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QLayout, QWidget

from gpf_desktop.ui.theme import Theme
from gpf_desktop.ui.theme.tokens import SPACE_3
from gpf_desktop.ui.widgets.boxes import PlainWidget


class SideBySide(PlainWidget):
    """*left* and *right* share the width as *shares* says; below *narrow* pixels (at 100 %) they are stacked."""

    turned = Signal(bool)
    """The parts are stacked now, or next to each other again."""

    def __init__(
        self, theme: Theme, left: QWidget, right: QWidget, *, shares: tuple[int, int] = (3, 2), narrow: int = 800
    ) -> None:
        super().__init__()
        self._theme, self._parts, self._shares, self._narrow = theme, (left, right), shares, narrow
        self._layout = QBoxLayout(QBoxLayout.Direction.LeftToRight, self)
        self._layout.setContentsMargins(0, 0, 0, 0)
        self._layout.setSpacing(SPACE_3)
        # Or the layout would keep the widget as wide as both parts need next to each other.
        self._layout.setSizeConstraint(QLayout.SizeConstraint.SetNoConstraint)
        for part in self._parts:
            # Parts of unlike fixed heights begin at one line, where a layout would centre the lower.
            top = part.minimumHeight() == part.maximumHeight()
            self._layout.addWidget(part, alignment=Qt.AlignmentFlag.AlignTop if top else Qt.AlignmentFlag(0))
        theme.follow(self, self._arrange)

    def stack_below(self, narrow: int) -> None:
        """From now on below *narrow* pixels."""
        self._narrow = narrow
        self._arrange()

    @property
    def stacked(self) -> bool:
        return self._layout.direction() is QBoxLayout.Direction.TopToBottom

    def minimumSizeHint(self) -> QSize:
        needs = [part.minimumSizeHint().expandedTo(part.minimumSize()) for part in self._parts]
        return QSize(max(need.width() for need in needs), max(need.height() for need in needs))

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._arrange()

    def _arrange(self) -> None:
        stacked = self.width() < self._theme.px(self._narrow)
        directions = QBoxLayout.Direction
        turned = stacked is not self.stacked
        self._layout.setDirection(directions.TopToBottom if stacked else directions.LeftToRight)
        for at, share in enumerate((1, 1) if stacked else self._shares):
            self._layout.setStretch(at, share)
        if turned:
            # At once: the first frame of a page would show the parts as they stood before it had its width.
            self._layout.activate()
            self.turned.emit(stacked)

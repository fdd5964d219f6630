"""The gaps between columns, by which the reader drags their width; they lie under the columns."""

from itertools import pairwise

from PySide6.QtCore import QEvent, QPointF, Qt, Signal
from PySide6.QtGui import QMouseEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QWidget

from gpf_desktop.domain.text import tr
from gpf_desktop.ui.review.answer_card import AnswerCard
from gpf_desktop.ui.theme import Theme
from gpf_desktop.ui.widgets.plain import plain_tip

_GRIP = 28
"""Pixels at 100 % of the stroke that shows where a gap can be dragged."""


class ColumnGaps(QWidget):
    """Cards lie on it in a row; where none lies it can be dragged."""

    dragged = Signal(int, int)
    """Number of the column whose right edge it is, and where that edge is wanted."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._held: int | None = None
        self._under: int | None = None
        self.setMouseTracking(True)
        self.setToolTip(plain_tip(tr("Drag to make the columns wider or narrower (+ and −)")))

    def mousePressEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton:
            self._held = self._gap_at(event.position().x())

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        self._under = self._gap_at(event.position().x()) if self._held is None else self._held
        self.setCursor(Qt.CursorShape.ArrowCursor if self._under is None else Qt.CursorShape.SplitHCursor)
        if self._held is not None:
            self.dragged.emit(self._held, round(event.position().x()))
        self.update()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        if event.button() is Qt.MouseButton.LeftButton:
            self._held = None

    def leaveEvent(self, _event: QEvent) -> None:
        self._under = self._held
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        middle, half = self.height() / 2, self._theme.px(_GRIP) / 2
        for number, (right, left) in enumerate(self._gaps()):
            token = "accent" if number == self._under else "border"
            painter.setPen(QPen(self._theme.color(token), 2))
            at = (right + left) / 2
            painter.drawLine(QPointF(at, middle - half), QPointF(at, middle + half))
        painter.end()

    def _gaps(self) -> list[tuple[int, int]]:
        cards = self.findChildren(AnswerCard, options=Qt.FindChildOption.FindDirectChildrenOnly)
        places = sorted((card.geometry() for card in cards if card.isVisibleTo(self)), key=lambda each: each.left())
        return [(one.right() + 1, other.left()) for one, other in pairwise(places)]

    def _gap_at(self, x: float) -> int | None:
        return next((number for number, (right, left) in enumerate(self._gaps()) if right <= x <= left), None)

"""A shade at the lower edge, which tells that a page goes on below it."""

from PySide6.QtCore import QEvent, QMargins, QObject, QPoint, QRect, Qt
from PySide6.QtGui import QLinearGradient, QPainter, QPaintEvent
from PySide6.QtWidgets import QScrollArea, QWidget

from gpf_desktop.ui.theme import Theme

_HIGH = 10
"""Pixels at 100 % of a shadow above the edge; words under it stay legible."""


class EndShade(QWidget):
    """Lies over the lower edge of *area* for as long as there is more below it; lets the mouse through."""

    def __init__(self, theme: Theme, area: QScrollArea) -> None:
        super().__init__(area)
        self._theme, self._area = theme, area
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        bar = area.verticalScrollBar()
        bar.valueChanged.connect(self._place)
        bar.rangeChanged.connect(self._place)
        area.viewport().installEventFilter(self)
        theme.follow(self, self._place)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() is QEvent.Type.Resize:
            self._place()
        return super().eventFilter(watched, event)

    def paintEvent(self, _event: QPaintEvent) -> None:
        clear, full = self._theme.color("border"), self._theme.color("border")
        clear.setAlpha(0)
        full.setAlphaF(0.8)
        shade = QLinearGradient(0, 0, 0, self.height())
        shade.setColorAt(0, clear)
        shade.setColorAt(1, full)
        painter = QPainter(self)
        painter.fillRect(self.rect(), shade)
        painter.end()

    def _place(self) -> None:
        bar, port = self._area.verticalScrollBar(), self._area.viewport()
        high = min(self._theme.px(_HIGH), port.height())
        place = port.mapTo(self._area, QPoint(0, port.height() - high))
        # As wide as the cards that go on below it, and not as the margin beside the scroll bar.
        inside = self._area.widget()
        layout = None if inside is None else inside.layout()
        margins = QMargins() if layout is None else layout.contentsMargins()
        left, right = margins.left(), margins.right()
        self.setGeometry(QRect(place.x() + left, place.y(), port.width() - left - right, high))
        self.setVisible(bar.value() < bar.maximum())
        self.raise_()
        self.update()

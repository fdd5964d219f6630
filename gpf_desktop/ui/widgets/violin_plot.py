"""Distributions below each other on one scale: a dot for each value, or from a hundred on an outline."""

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QPointF, QSize
from PySide6.QtGui import QFont, QFontMetrics, QPolygonF
from PySide6.QtWidgets import QGraphicsPolygonItem

from gpf_desktop.domain.findings import BundleFilter
from gpf_desktop.domain.violins import Violin
from gpf_desktop.numerics.interval_layout import interval_layout
from gpf_desktop.numerics.violin_shape import violin_shape
from gpf_desktop.ui.theme import Theme
from gpf_desktop.ui.widgets.plots import CHOSEN, DOT, Plot, array, short_label

_ROW = 40
_AXIS = 60
_LEAST = 320
_POINT = 5
_FOOT = 0.42
"""Of a row's height, below its middle: the line on which dots stand."""
_TICKS = 10
_FILL = 0.22
"""How much of its colour the inside of an outline has."""
_NOTES = 0.3
"""Of the scale, right of it: room for how many values there are."""


class ViolinPlot(Plot):
    """The median is the large mark, or a tick under the dots; Enter or a click opens what the distribution is of."""

    def __init__(self, theme: Theme, *, says: str, x_title: str, name: str = "") -> None:
        super().__init__(theme, says=says, name=name)
        self._x_title = x_title
        self._violins: tuple[Violin, ...] = ()
        self._layout = interval_layout((), zero=False)
        self._plot.getViewBox().invertY(True)
        theme.on_change(self, self.draw)

    def show_violins(self, violins: Sequence[Violin]) -> None:
        self._violins = tuple(violins)
        self._layout = interval_layout(self._violins, zero=False)
        self.updateGeometry()
        self.start_over()

    def count(self) -> int:
        return len(self._violins)

    def words(self, at: int) -> str:
        return self._violins[at].words

    def bundles(self, at: int) -> BundleFilter:
        return self._violins[at].bundles

    def minimumSizeHint(self) -> QSize:
        line = max(self._theme.px(_ROW), QFontMetrics(self._theme.font(0.95)).height() + 2)
        return QSize(self._theme.px(_LEAST), line * max(1, len(self._layout.lines)) + self._theme.px(_AXIS))

    def sizeHint(self) -> QSize:
        return self.minimumSizeHint()

    def draw(self) -> None:
        item = self._emptied(self._x_title, "")
        across, down = self._layout.across, self._layout.down
        item.getAxis("left").setTicks([[(y, short_label(words)) for y, (words, at) in self._lines() if at is not None]])
        self._show_ticks(across.low, across.high, _TICKS)
        spots = self._spots()
        for y, (words, at) in self._lines():
            if at is None:
                head = self._text(words, across.low, y, (0, 0.5), "text")
                head.setFont(self._theme.font(0.95, weight=QFont.Weight.DemiBold))
                item.addItem(head)
                continue
            violin = self._violins[at]
            if violin.has_shape:
                item.addItem(self._outline(violin, y, chosen=at == self._at))
                spots.addPoints(self._marks(violin, y, at))
            else:
                self._stand(item, violin, y)
                spots.addPoints(self._dots(violin, y, at))
            item.addItem(self._text(violin.note, across.high, y, (0, 0.5), "text_secondary"))
        item.addItem(spots)
        box = item.getViewBox()
        box.setYRange(down.low, down.high, padding=0)
        box.setXRange(across.low, across.high + _NOTES * (across.high - across.low), padding=0)

    def _lines(self) -> list[tuple[int, tuple[str, int | None]]]:
        return list(enumerate(self._layout.lines))

    def _outline(self, violin: Violin, y: float, *, chosen: bool) -> QGraphicsPolygonItem:
        where, half = violin_shape(violin.points, violin.low, violin.high)
        upper = [QPointF(x, y - h) for x, h in zip(where.tolist(), half.tolist(), strict=True)]
        lower = [QPointF(x, y + h) for x, h in zip(where.tolist(), half.tolist(), strict=True)]
        ink = self._theme.color("synthetic" if violin.synthetic else "accent")
        fill = self._theme.color("synthetic" if violin.synthetic else "accent")
        fill.setAlphaF(_FILL)
        shape = QGraphicsPolygonItem(QPolygonF(upper + lower[::-1]))
        shape.setPen(self._pg.mkPen(self._theme.color("text") if chosen else ink, width=2 if chosen else 1))
        shape.setBrush(self._pg.mkBrush(fill))
        return shape

    def _stand(self, item: Any, violin: Violin, y: float) -> None:
        """The line on which dots stand, and the median as a tick under them."""
        across = self._layout.across
        foot = array([y + _FOOT, y + _FOOT])
        pen = self._pg.mkPen(self._theme.color("border"), width=1)
        item.addItem(self._pg.PlotCurveItem(x=array([across.low, across.high]), y=foot, pen=pen))
        if violin.value is not None:
            pen = self._pg.mkPen(self._theme.color("text"), width=2)
            x, ends = array([violin.value, violin.value]), array([y + _FOOT - 0.05, y + _FOOT + 0.08])
            item.addItem(self._pg.PlotCurveItem(x=x, y=ends, pen=pen))

    def _dots(self, violin: Violin, y: float, at: int) -> list[dict[str, object]]:
        """A dot for each value, stacked on its like."""
        pg, theme = self._pg, self._theme
        brush = pg.mkBrush(theme.color("synthetic" if violin.synthetic else "accent"))
        pen = pg.mkPen(theme.color("text"), width=1) if at == self._at else pg.mkPen(None)
        size = theme.px(_POINT + (2 if at == self._at else 0))
        return [
            {"pos": (value, y + down), "data": at, "symbol": "o", "size": size, "brush": brush, "pen": pen}
            for value, down in violin.dots
        ]

    def _marks(self, violin: Violin, y: float, at: int) -> list[dict[str, object]]:
        """A point for each value that occurs, the median's the largest."""
        pg, theme = self._pg, self._theme
        brush = pg.mkBrush(theme.color("synthetic" if violin.synthetic else "accent"))
        pen = pg.mkPen(theme.color("text" if at == self._at else "surface"), width=1)
        grown = CHOSEN if at == self._at else 0
        return [
            {
                "pos": (value, y),
                "data": at,
                "symbol": "t1" if violin.synthetic else "o",
                "size": theme.px(DOT + grown if value == violin.value else _POINT),
                "brush": brush,
                "pen": pen,
            }
            for value, _ in violin.points
        ]

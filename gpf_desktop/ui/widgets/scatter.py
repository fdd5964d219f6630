"""Points with intervals, such as mean against spread, one for each model."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtGui import QFontMetrics, QResizeEvent

from gpf_desktop.domain.findings import BundleFilter
from gpf_desktop.domain.text import tr
from gpf_desktop.numerics.label_places import Box
from gpf_desktop.numerics.scatter_layout import Room, ScatterLayout, scatter_layout
from gpf_desktop.ui.theme import Theme
from gpf_desktop.ui.widgets.plots import CHOSEN, DOT, Plot, array
from gpf_desktop.ui.wording import decimal

_ROOM = 0.03
"""Of each axis, beyond its ends: a mark that stands there is seen whole."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScatterPoint:
    """One mark. Bounds are those of its interval along x; None: no interval."""

    label: str
    x: float
    y: float
    bundles: BundleFilter
    low: float | None = None
    high: float | None = None
    synthetic: bool = False
    """A triangle in another colour: a calibration model."""


class ScatterPlot(Plot):
    """Marks with names beside them, from left to right."""

    def __init__(
        self, theme: Theme, *, says: str, x_title: str, y_title: str, name: str = "", never_below_zero: bool = False
    ) -> None:
        """*never_below_zero*: y is a spread or a share, so its axis begins at 0."""
        super().__init__(theme, says=says, name=name)
        self._titles = (x_title, y_title)
        self._points: tuple[ScatterPoint, ...] = ()
        self._placed: list[tuple[bool, bool]] = []
        """Where the names stand that are drawn."""
        self._from_zero = never_below_zero
        theme.on_change(self, self.draw)

    @property
    def points(self) -> tuple[ScatterPoint, ...]:
        """From left to right."""
        return self._points

    def show_points(self, points: Sequence[ScatterPoint]) -> None:
        self._points = tuple(sorted(points, key=lambda point: (point.x, point.y)))
        self.start_over()

    def count(self) -> int:
        return len(self._points)

    def words(self, at: int) -> str:
        point = self._points[at]
        words = f"{point.label}: {self._titles[0]} {decimal(point.x)}, {self._titles[1]} {decimal(point.y)}"
        if point.low is not None and point.high is not None:
            words += tr(", interval {low} to {high}", low=decimal(point.low), high=decimal(point.high))
        return words + (tr(", synthetic") if point.synthetic else "")

    def bundles(self, at: int) -> BundleFilter:
        return self._points[at].bundles

    def draw(self) -> None:
        item = self._emptied(*self._titles)
        if not self._points:
            return
        self._draw_intervals(item)
        item.addItem(self._marks())
        layout, box = self._layout(), item.getViewBox()
        box.setXRange(layout.across.low, layout.across.high, padding=_ROOM)
        box.setYRange(layout.up.low, layout.up.high, padding=_ROOM)
        self._placed = self._sides()
        for at, (point, (left, below)) in enumerate(zip(self._points, self._placed, strict=True)):
            text = self._text(point.label, point.x, point.y, (int(left), int(not below)), "text")
            text.setZValue(10 + at)
            item.addItem(text)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self._points and not self._undrawn and self._sides() != self._placed:
            self.draw()

    def _sides(self) -> list[tuple[bool, bool]]:
        """Where each name stands, by the size that the plot has now; axes and titles take about so much of it."""
        metrics = QFontMetrics(self._theme.font(0.95))
        width = max(100, self.width() - self._theme.px(80))
        height = max(80, self.height() - self._theme.px(60))
        names = [(metrics.horizontalAdvance(point.label) + 8, metrics.height()) for point in self._points]
        # The view is 1 + 2 × _ROOM as wide as the range of the values; this is what it has beyond one end, in pixels.
        inset_x, inset_y = _ROOM / (1 + 2 * _ROOM) * width, _ROOM / (1 + 2 * _ROOM) * height
        plot = Box(left=inset_x, top=inset_y, right=width - inset_x, bottom=height - inset_y)
        room = Room(names=names, mark=self._theme.px(DOT) / 2, apart=2)
        return self._layout().sides(plot, Box(left=0, top=0, right=width, bottom=height), room)

    def _layout(self) -> ScatterLayout:
        return scatter_layout(self._points, from_zero=self._from_zero)

    def _draw_intervals(self, item: Any) -> None:
        with_bounds = [p for p in self._points if p.low is not None and p.high is not None]
        if not with_bounds:
            return
        item.addItem(
            self._pg.ErrorBarItem(
                x=array([p.x for p in with_bounds]),
                y=array([p.y for p in with_bounds]),
                left=array([p.x - p.low for p in with_bounds if p.low is not None]),
                right=array([p.high - p.x for p in with_bounds if p.high is not None]),
                pen=self._pg.mkPen(self._theme.color("text"), width=1.25),
            )
        )

    def _marks(self) -> Any:
        pg, theme = self._pg, self._theme
        marks = self._spots()
        marks.addPoints(
            [
                {
                    "pos": (point.x, point.y),
                    "data": at,
                    "symbol": "t1" if point.synthetic else "o",
                    "size": theme.px(DOT + (CHOSEN if at == self._at else 0)),
                    "brush": pg.mkBrush(theme.color("synthetic" if point.synthetic else "accent")),
                    "pen": pg.mkPen(theme.color("text" if at == self._at else "surface"), width=2),
                }
                for at, point in enumerate(self._points)
            ]
        )
        return marks

"""Points with intervals, such as mean against spread, one for each model."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from gpf_desktop.domain.findings import BundleFilter
from gpf_desktop.domain.text import tr
from gpf_desktop.ui.theme import Theme
from gpf_desktop.ui.widgets.plots import CHOSEN, DOT, Plot, array
from gpf_desktop.ui.wording import decimal


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
        if never_below_zero:
            self._plot.getViewBox().setLimits(yMin=0.0)
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
        middle = (self._points[0].x + self._points[-1].x) / 2
        for at, point in enumerate(self._points):
            # Names stand towards the middle, so that none runs out of the frame.
            text = self._text(point.label, point.x, point.y, (1, 1) if point.x > middle else (0, 1), "text")
            text.setZValue(10 + at)
            item.addItem(text)
        item.getViewBox().setDefaultPadding(0.12)
        item.autoRange()

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
                    "symbol": "t" if point.synthetic else "o",
                    "size": theme.px(DOT + (CHOSEN if at == self._at else 0)),
                    "brush": pg.mkBrush(theme.color("synthetic" if point.synthetic else "accent")),
                    "pen": pg.mkPen(theme.color("text" if at == self._at else "surface"), width=2),
                }
                for at, point in enumerate(self._points)
            ]
        )
        return marks

"""Dots with intervals below each other on one scale: means by level, differences to the controls."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics

from gpf_desktop.domain.findings import BundleFilter
from gpf_desktop.domain.text import tr
from gpf_desktop.numerics.interval_layout import interval_layout
from gpf_desktop.ui.theme import Theme
from gpf_desktop.ui.widgets.plots import CHOSEN, DOT, Plot, array, short_label
from gpf_desktop.ui.wording import NO_VALUE, count, decimal

_ROW = 26
_AXIS = 60
_TICKS = 7
_LEAST = 320
_INSET = 0.045
"""Share of the plot left of words that stand in it."""
_BAND = 0.13
"""How much of the accent a band has, as on a page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class IntervalRow:
    """One dot. *value* None: unavailable, *why* says so; bounds None: no interval."""

    label: str
    value: float | None
    n: int
    bundles: BundleFilter
    low: float | None = None
    high: float | None = None
    why: str = ""
    group: str = ""
    """Rows of one group follow each other, under its name."""
    synthetic: bool = False


class IntervalPlot(Plot):
    """The rows in the finding's order; a row without a value keeps its line, with a dash."""

    def __init__(
        self,
        theme: Theme,
        *,
        says: str,
        x_title: str,
        name: str = "",
        zero: bool = False,
        band: tuple[float, float] | None = None,
    ) -> None:
        """*zero*: values are differences, so 0 is marked; *band*: what they are held against."""
        super().__init__(theme, says=says, name=name)
        self._x_title = x_title
        self._zero, self._band = zero, band
        self._rows: tuple[IntervalRow, ...] = ()
        self._layout = interval_layout((), zero=zero, band=band)
        self._plot.getViewBox().invertY(True)
        theme.on_change(self, self.draw)

    @property
    def rows(self) -> tuple[IntervalRow, ...]:
        """From top to bottom."""
        return self._rows

    def show_rows(self, rows: Sequence[IntervalRow]) -> None:
        self._rows = tuple(rows)
        self._layout = interval_layout(self._rows, zero=self._zero, band=self._band)
        self.updateGeometry()
        self.start_over()

    def count(self) -> int:
        return len(self._rows)

    def words(self, at: int) -> str:
        row = self._rows[at]
        named = f"{row.group}, {row.label}" if row.group else row.label
        if row.value is None:
            return tr("{label}: {measure} unavailable, {why}", label=named, measure=self._x_title, why=row.why)
        words = f"{named}: {self._x_title} {decimal(row.value)}"
        if row.low is not None and row.high is not None:
            words += tr(", interval {low} to {high}", low=decimal(row.low), high=decimal(row.high))
        words += tr(", n {n}", n=count(row.n))
        return words + (tr(", synthetic") if row.synthetic else "")

    def bundles(self, at: int) -> BundleFilter:
        return self._rows[at].bundles

    def minimumSizeHint(self) -> QSize:
        line = max(self._theme.px(_ROW), QFontMetrics(self._theme.font(0.95)).height() + 2)
        return QSize(self._theme.px(_LEAST), line * max(1, len(self._layout.lines)) + self._theme.px(_AXIS))

    def sizeHint(self) -> QSize:
        return self.minimumSizeHint()

    def draw(self) -> None:
        pg, theme = self._pg, self._theme
        item = self._emptied(self._x_title, "")
        named = [(y, short_label(words)) for y, (words, at) in enumerate(self._layout.lines) if at is not None]
        item.getAxis("left").setTicks([named])
        across, down = self._layout.across, self._layout.down
        self._show_ticks(across.low, across.high, _TICKS)
        heights = {at: y for y, (_, at) in enumerate(self._layout.lines) if at is not None}
        known = [(at, row, row.value) for at, row in enumerate(self._rows) if row.value is not None]
        if self._band is not None:
            shade = theme.color("accent")
            shade.setAlphaF(_BAND)
            region = pg.LinearRegionItem(self._band, movable=False, pen=pg.mkPen(None), brush=pg.mkBrush(shade))
            item.addItem(region, ignoreBounds=True)
        if self._zero:
            pen = pg.mkPen(theme.color("text_secondary"), width=1, style=Qt.PenStyle.DashLine)
            item.addItem(pg.InfiniteLine(0.0, angle=90, pen=pen), ignoreBounds=True)
        for token, synthetic in (("accent", False), ("synthetic", True)):
            bars = [
                (low, high, heights[at])
                for at, row, _ in known
                if row.synthetic == synthetic and (low := row.low) is not None and (high := row.high) is not None
            ]
            if bars:
                x = array([end for low, high, _ in bars for end in (low, high)])
                y = array([float(height) for *_, height in bars for _ in range(2)])
                pen = pg.mkPen(theme.color(token), width=1.75)
                item.addItem(pg.PlotCurveItem(x=x, y=y, connect="pairs", pen=pen, antialias=True))
        spots = self._spots()
        spots.addPoints(
            [
                {
                    "pos": (value, heights[at]),
                    "data": at,
                    "symbol": "t1" if row.synthetic else "o",
                    "size": theme.px(DOT + (CHOSEN if at == self._at else 0)),
                    "brush": pg.mkBrush(theme.color("synthetic" if row.synthetic else "accent")),
                    "pen": pg.mkPen(theme.color("text" if at == self._at else "surface"), width=2),
                }
                for at, row, value in known
            ]
        )
        item.addItem(spots)
        begin = across.low + _INSET * (across.high - across.low)
        for at, row in enumerate(self._rows):
            if row.value is None:
                item.addItem(self._plate(f"{NO_VALUE} {row.why}", begin, heights[at], "text_secondary"))
        for y, (words, number) in enumerate(self._layout.lines):
            if number is None:
                head = self._plate(words, begin, y, "text")
                head.setFont(theme.font(0.95, weight=QFont.Weight.DemiBold))
                item.addItem(head)
        box = item.getViewBox()
        box.setYRange(down.low, down.high, padding=0)
        box.setXRange(across.low, across.high, padding=0)

    def _plate(self, words: str, x: float, y: float, ink: str) -> Any:
        """*words* right of a point, readable where the line at 0 passes behind."""
        plate = self._text(words, x, y, (0, 0.5), ink)
        plate.fill = self._pg.mkBrush(self._theme.color("surface"))
        return plate

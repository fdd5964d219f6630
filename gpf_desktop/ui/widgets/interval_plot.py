"""Dots with intervals below each other on one scale: means by dimension, differences to the controls."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics

from gpf_desktop.domain.findings import BundleFilter
from gpf_desktop.domain.text import tr
from gpf_desktop.ui.theme import Theme
from gpf_desktop.ui.widgets.plots import CHOSEN, DOT, Plot, array
from gpf_desktop.ui.wording import NO_VALUE, count, decimal

_ROW = 26
_AXIS = 60
_LEAST = 320
_LABEL = 34
"""Characters of a row's name that are shown beside the axis; the rest is in its words."""


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

    def __init__(self, theme: Theme, *, says: str, x_title: str, name: str = "", zero: bool = False) -> None:
        """*zero*: values are differences, so 0 is marked."""
        super().__init__(theme, says=says, name=name)
        self._x_title = x_title
        self._zero = zero
        self._rows: tuple[IntervalRow, ...] = ()
        self._lines: tuple[tuple[str, int | None], ...] = ()
        """What stands at each height: a row's label and its number, or a group's name and None."""
        self._plot.getViewBox().invertY(True)
        theme.on_change(self, self.draw)

    @property
    def rows(self) -> tuple[IntervalRow, ...]:
        """From top to bottom."""
        return self._rows

    def show_rows(self, rows: Sequence[IntervalRow]) -> None:
        self._rows = tuple(rows)
        self._lines = tuple(_lines(self._rows))
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
        return QSize(self._theme.px(_LEAST), line * max(1, len(self._lines)) + self._theme.px(_AXIS))

    def sizeHint(self) -> QSize:
        return self.minimumSizeHint()

    def draw(self) -> None:
        pg, theme = self._pg, self._theme
        item = self._emptied(self._x_title, "")
        named = [(y, _short(words)) for y, (words, at) in enumerate(self._lines) if at is not None]
        item.getAxis("left").setTicks([named])
        heights = {at: y for y, (_, at) in enumerate(self._lines) if at is not None}
        known = [(at, row, row.value) for at, row in enumerate(self._rows) if row.value is not None]
        if self._zero:
            pen = pg.mkPen(theme.color("text_secondary"), width=1, style=Qt.PenStyle.DashLine)
            item.addItem(pg.InfiniteLine(0.0, angle=90, pen=pen), ignoreBounds=True)
        ends = [0.0] if self._zero or not known else []
        for token, synthetic in (("accent", False), ("synthetic", True)):
            bars = [
                (low, high, heights[at])
                for at, row, _ in known
                if row.synthetic == synthetic and (low := row.low) is not None and (high := row.high) is not None
            ]
            if bars:
                ends += [end for low, high, _ in bars for end in (low, high)]
                x = array([end for low, high, _ in bars for end in (low, high)])
                y = array([float(height) for *_, height in bars for _ in range(2)])
                pen = pg.mkPen(theme.color(token), width=1.75)
                item.addItem(pg.PlotCurveItem(x=x, y=y, connect="pairs", pen=pen, antialias=True))
        ends += [value for *_, value in known]
        spots = self._spots()
        spots.addPoints(
            [
                {
                    "pos": (value, heights[at]),
                    "data": at,
                    "symbol": "t" if row.synthetic else "o",
                    "size": theme.px(DOT + (CHOSEN if at == self._at else 0)),
                    "brush": pg.mkBrush(theme.color("synthetic" if row.synthetic else "accent")),
                    "pen": pg.mkPen(theme.color("text" if at == self._at else "surface"), width=2),
                }
                for at, row, value in known
            ]
        )
        item.addItem(spots)
        low, high = min(ends), max(ends)
        for at, row in enumerate(self._rows):
            if row.value is None:
                item.addItem(self._plate(f"{NO_VALUE} {row.why}", low, heights[at], "text_secondary"))
        for y, (words, number) in enumerate(self._lines):
            if number is None:
                head = self._plate(words, low, y, "text")
                head.setFont(theme.font(0.95, weight=QFont.Weight.DemiBold))
                item.addItem(head)
        box = item.getViewBox()
        box.setYRange(-0.6, max(1, len(self._lines)) - 0.4, padding=0)
        box.setXRange(low, high if high > low else low + 0.01, padding=0.06)

    def _plate(self, words: str, x: float, y: float, ink: str) -> Any:
        """*words* right of a point, readable where the line at 0 passes behind."""
        plate = self._text(words, x, y, (0, 0.5), ink)
        plate.fill = self._pg.mkBrush(self._theme.color("surface"))
        return plate


def _lines(rows: Sequence[IntervalRow]) -> Iterator[tuple[str, int | None]]:
    grouped = len({row.group for row in rows}) > 1
    before = ""
    for at, row in enumerate(rows):
        if grouped and row.group != before:
            yield row.group, None
            before = row.group
        yield row.label, at


def _short(label: str) -> str:
    return label if len(label) <= _LABEL else f"{label[: _LABEL - 1].rstrip()}…"

"""Values in the order of time, one line in front of the others, with the limits of a control chart where it has any."""

from collections.abc import Sequence
from itertools import chain
from typing import Any

from PySide6.QtCore import Qt
from PySide6.QtGui import QFontMetrics, QResizeEvent

from gpf_desktop.domain.findings import BundleFilter
from gpf_desktop.domain.series import SeriesLine, SeriesPoint
from gpf_desktop.domain.text import tr
from gpf_desktop.ui.theme import Theme
from gpf_desktop.ui.widgets.labels import label
from gpf_desktop.ui.widgets.plots import CHOSEN, Plot, array
from gpf_desktop.ui.widgets.series_picture import SeriesPicture, key_words, place_ticks, places_title, reach
from gpf_desktop.ui.wording import decimal

_DOT = 8
_TRIANGLE = 11
_DIAMOND = 13
_BAND_ALPHA = 28
_ROUND_STEPS = (1, 2, 5, 10, 20, 50, 100, 200, 500)
_TICK_ROOM = 44
_BETWEEN_NAMES = 16


class SeriesPlot(Plot):
    """A dot with its interval per place. Where there are limits: the smoothed line, the band it is held against, and
    diamonds with a word where it left it. Nothing is drawn over a gap."""

    def __init__(self, theme: Theme, *, says: str, name: str = "") -> None:
        super().__init__(theme, says=says, name=name)
        self._picture: SeriesPicture | None = None
        self._step = 0
        self.title = label("", wrap=True, name="seriesTitle")
        self.says = label("", wrap=True, name="seriesSays")
        self.key = label("", "caption", wrap=True, name="seriesKey")
        self._column.insertWidget(0, self.title)
        self._column.addWidget(self.says)
        self._column.addWidget(self.key)
        theme.on_change(self, self.draw)

    @property
    def picture(self) -> SeriesPicture | None:
        return self._picture

    def show_picture(self, picture: SeriesPicture) -> None:
        self._picture = picture
        self.title.setText(picture.title)
        self.says.setText(picture.line.says)
        self.key.setText(key_words(picture))
        self.start_over()

    def count(self) -> int:
        return len(self._points())

    def words(self, at: int) -> str:
        assert self._picture is not None
        point = self._points()[at]
        words = f"{self._picture.places[point.place]}: {self._picture.y_title} {decimal(point.value)}"
        if point.mean.interval is not None:
            low, high = (decimal(bound) for bound in (point.mean.interval.low, point.mean.interval.high))
            words += tr(", interval {low} to {high}", low=low, high=high)
        words += tr(", n {n}", n=point.mean.n)
        if point.smoothed is not None:
            words += tr(", smoothed {value}", value=decimal(point.smoothed))
        if point.low is not None and point.high is not None:
            words += tr(", limits {low} to {high}", low=decimal(point.low), high=decimal(point.high))
        if point.sets:
            words += f", {self._picture.sets}"
        return words + (f", {self._picture.outside}" if point.outside else "")

    def bundles(self, at: int) -> BundleFilter:
        return self._points()[at].row.bundles

    def summary(self) -> str:
        return "" if self._picture is None else f"{self._picture.title}. {self._picture.line.says}"

    def draw(self) -> None:
        picture = self._picture
        if picture is None:
            return
        count = len(picture.places)
        self._step = self._tick_step()
        item = self._emptied(places_title(picture, named=self._step == 0), picture.y_title)
        item.getAxis("bottom").setTicks([place_ticks(picture.places, self._step)])
        for other in picture.others:
            self._curves(item, other, "text_secondary", 0.75, smoothed=False)
        self._draw_limits(item, picture)
        self._draw_values(item, picture.line)
        low, high = reach(picture)
        box = item.getViewBox()
        box.setXRange(-0.6, max(count, 2) - 0.4 + self._name_others(item, picture, low, high), padding=0)
        box.setYRange(low, high, padding=0.09)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        # What is not drawn yet will be with the size that it has then; and while the ticks stay, the plot scales by
        # itself.
        if self._picture is not None and not self._undrawn and self._tick_step() != self._step:
            self.draw()

    def _points(self) -> tuple[SeriesPoint, ...]:
        return () if self._picture is None else self._picture.line.points

    def _name_others(self, item: Any, picture: SeriesPicture, low: float, high: float) -> float:
        """Names beside the ends of the lines behind, none over another; returns the room that they take, in places."""
        ends = sorted((other.points[-1].value, other.name) for other in picture.others if other.points)
        if not ends:
            return 0.0
        metrics = QFontMetrics(self._theme.font(0.95))
        # The axis and the words around the plot take about 130 pixels of its height.
        line = (high - low) * metrics.height() / max(80, self.height() - self._theme.px(130))
        at = low - line
        for value, name in ends:
            at = max(value, at + line)
            words = self._text(f"  {name}", len(picture.places) - 1, at, (0, 0.5), "text_secondary")
            item.addItem(words, ignoreBounds=True)
        widest = max(metrics.horizontalAdvance(name) for _, name in ends) + self._theme.px(12)
        share = min(0.4, widest / max(1, self.width()))
        # The room is part of the axis that it widens, so its share is of what there is then.
        return max(len(picture.places), 2) * share / (1 - share)

    def _draw_limits(self, item: Any, picture: SeriesPicture) -> None:
        pg, theme, line = self._pg, self._theme, picture.line
        if line.last_setting is not None:
            region = pg.LinearRegionItem((-0.6, line.last_setting + 0.5), movable=False, pen=pg.mkPen(None))
            region.setBrush(theme.color("sunken"))
            region.setZValue(-20)
            item.addItem(region, ignoreBounds=True)
            top = reach(picture)[1]
            words = self._text(picture.sets, -0.5, top, (0, 0.7), "text_secondary")
            item.addItem(words, ignoreBounds=True)
        if line.centre is not None:
            pen = pg.mkPen(theme.color("text_secondary"), width=1, style=Qt.PenStyle.DotLine)
            item.addItem(pg.InfiniteLine(line.centre, angle=0, pen=pen), ignoreBounds=True)
        for stretch in line.stretches():
            judged = [point for point in stretch if point.low is not None and point.high is not None]
            if judged:
                self._band(item, judged)

    def _band(self, item: Any, judged: Sequence[SeriesPoint]) -> None:
        pg, fill = self._pg, self._theme.color("accent")
        fill.setAlpha(_BAND_ALPHA)
        pen = pg.mkPen(self._theme.color("text_secondary"), width=1.25, style=Qt.PenStyle.DashLine)
        x = array(list(chain.from_iterable((point.place - 0.5, point.place + 0.5) for point in judged)))
        edges = []
        for bound in ("low", "high"):
            y = array(list(chain.from_iterable((getattr(point, bound),) * 2 for point in judged)))
            edges.append(pg.PlotCurveItem(x=x, y=y, pen=pen))
            item.addItem(edges[-1])
        between = pg.FillBetweenItem(*edges, brush=pg.mkBrush(fill))
        between.setZValue(-10)
        item.addItem(between)

    def _draw_values(self, item: Any, line: SeriesLine) -> None:
        ink = "synthetic" if line.synthetic else "accent"
        self._curves(item, line, ink, 2.5 if line.is_smoothed else 1.75, smoothed=line.is_smoothed)
        bounded = [(point, bar) for point in line.points if (bar := point.mean.interval) is not None]
        if bounded:
            item.addItem(
                self._pg.ErrorBarItem(
                    x=array([point.place for point, _ in bounded]),
                    y=array([point.value for point, _ in bounded]),
                    top=array([bar.high - point.value for point, bar in bounded]),
                    bottom=array([point.value - bar.low for point, bar in bounded]),
                    pen=self._pg.mkPen(self._theme.color("text_secondary"), width=1),
                )
            )
        item.addItem(self._dots(line))
        if line.signals:
            self._mark_signals(item, line)

    def _curves(self, item: Any, line: SeriesLine, ink: str, width: float, *, smoothed: bool) -> None:
        pen = self._pg.mkPen(self._theme.color(ink), width=width)
        for curve in line.curves(smoothed=smoothed):
            x, y = (array(list(each)) for each in zip(*curve, strict=True))
            item.addItem(self._pg.PlotCurveItem(x=x, y=y, pen=pen, antialias=True))

    def _dots(self, line: SeriesLine) -> Any:
        pg, theme = self._pg, self._theme
        dots = self._spots()
        ink = theme.color("synthetic" if line.synthetic else "accent")
        size = _TRIANGLE if line.synthetic else _DOT
        dots.addPoints(
            [
                {
                    "pos": (point.place, point.value),
                    "data": at,
                    "symbol": "t1" if line.synthetic else "o",
                    "size": theme.px(size + (CHOSEN if at == self._at else 0)),
                    "brush": pg.mkBrush(ink),
                    "pen": pg.mkPen(theme.color("text" if at == self._at else "surface"), width=1.5),
                }
                for at, point in enumerate(line.points)
            ]
        )
        return dots

    def _mark_signals(self, item: Any, line: SeriesLine) -> None:
        pg, theme, picture = self._pg, self._theme, self._picture
        assert picture is not None
        marks = self._spots()
        marks.setZValue(6)
        marks.addPoints(
            [
                {
                    "pos": (point.place, point.smoothed),
                    "data": at,
                    "symbol": "d",
                    "size": theme.px(_DIAMOND),
                    "brush": pg.mkBrush(theme.color("surface")),
                    "pen": pg.mkPen(theme.color("danger"), width=2.5),
                }
                for at, point in enumerate(line.points)
                if point.outside
            ]
        )
        item.addItem(marks)
        for point, *_ in line.signal_runs():
            assert point.smoothed is not None
            above = line.centre is None or point.smoothed > line.centre
            # Before the run's first mark, away from the centre: nothing else is drawn there.
            text = self._text(picture.outside, point.place, point.smoothed, (1.08, 1.1 if above else -0.1), "danger")
            text.fill = pg.mkBrush(theme.color("surface"))
            text.setZValue(10)
            item.addItem(text, ignoreBounds=True)

    def _tick_step(self) -> int:
        """Numbers stand as close as they can be read; 0: there is room for the places' names."""
        assert self._picture is not None
        places, metrics = self._picture.places, QFontMetrics(self._theme.font(0.95))
        room = self.width() / (len(places) + 1)
        if max(map(metrics.horizontalAdvance, places)) + self._theme.px(_BETWEEN_NAMES) < room:
            return 0
        fitting = max(1, self.width() // max(self._theme.px(_TICK_ROOM), metrics.height()))
        return next((step for step in _ROUND_STEPS if len(places) / step <= fitting), len(places))

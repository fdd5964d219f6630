"""Small multiples: a panel of dots with intervals for each model, all on one scale."""

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QSize, Qt
from PySide6.QtGui import QFont, QFontMetrics, QResizeEvent

from gpf_desktop.domain.findings import BundleFilter
from gpf_desktop.domain.profile_marks import ProfileMark
from gpf_desktop.domain.text import tr
from gpf_desktop.numerics.axis_ticks import digits_of, inner_ticks
from gpf_desktop.numerics.profile_layout import HEAD, TICKS, profile_layout
from gpf_desktop.ui.theme import Theme
from gpf_desktop.ui.widgets.plots import CHOSEN, DOT, Plot, array, short_label
from gpf_desktop.ui.wording import NO_VALUE, count, decimal

_ROW = 26
_AXIS = 40
_LEAST = 320
_BESIDE = 14
"""Pixels between a line's name and its panel."""
_NAMED = 0.92
"""Of a panel's width, what its name has."""
_EDGE = 0.005
"""Of a panel's width, that its frame needs."""


class ProfilePlot(Plot):
    """The marks in the finding's order; a row without a value keeps its line, with a dash."""

    def __init__(self, theme: Theme, *, says: str, x_title: str, legend: str, columns: int, name: str = "") -> None:
        """*columns*: panels beside each other at most; *legend*: what dots and rings are."""
        super().__init__(theme, says=says, name=name)
        self._x_title = " · ".join(filter(None, (x_title, legend)))
        self._columns = columns
        self._marks: tuple[ProfileMark, ...] = ()
        self._heads: list[Any] = []
        self._layout = profile_layout((), columns)
        self._plot.getViewBox().invertY(True)
        theme.on_change(self, self.draw)
        theme.on_change(self, self._keep_height)

    def show_marks(self, marks: Sequence[ProfileMark]) -> None:
        self._marks = tuple(marks)
        self._layout = profile_layout(self._marks, self._columns)
        self._keep_height()
        self.start_over()

    def _keep_height(self) -> None:
        """A layout that is short of room for a turn would draw it flat: below this Qt never goes."""
        self.setMinimumHeight(self.minimumSizeHint().height())

    @property
    def panels(self) -> tuple[str, ...]:
        return self._layout.panels

    def count(self) -> int:
        return len(self._marks)

    def words(self, at: int) -> str:
        mark = self._marks[at]
        named = f"{mark.panel}, {mark.line}"
        if mark.value is None:
            return tr("{label}: {measure} unavailable, {why}", label=named, measure=mark.title, why=mark.estimate.why)
        words = f"{named}: {mark.title} {decimal(mark.value)}"
        if mark.low is not None and mark.high is not None:
            words += tr(", interval {low} to {high}", low=decimal(mark.low), high=decimal(mark.high))
        words += tr(", n {n}", n=count(mark.estimate.n))
        return words + (tr(", synthetic") if mark.row.synthetic else "")

    def bundles(self, at: int) -> BundleFilter:
        return self._marks[at].row.bundles

    def minimumSizeHint(self) -> QSize:
        line = max(self._theme.px(_ROW), QFontMetrics(self._theme.font(0.95)).height() + 2)
        return QSize(self._theme.px(_LEAST), round(line * self._layout.height) + self._theme.px(_AXIS))

    def sizeHint(self) -> QSize:
        return self.minimumSizeHint()

    def draw(self) -> None:
        pg, theme, layout = self._pg, self._theme, self._layout
        item = self._emptied(self._x_title, "")
        for side in ("bottom", "left"):
            item.getAxis(side).setPen(pg.mkPen(None))
        # The pen takes the title's colour with it.
        size = {"font-size": f"{theme.font(0.95).pointSizeF()}pt"}
        item.getAxis("bottom").setLabel(self._x_title, color=theme.tokens.text_secondary, **size)
        item.getAxis("bottom").setTicks([[]])
        wide = QFontMetrics(theme.font(0.95))
        names = list(map(short_label, layout.lines))
        item.getAxis("left").setWidth(max(map(wide.horizontalAdvance, names), default=0) + theme.px(_BESIDE))
        firsts = [panel for panel in range(len(layout.panels)) if panel % layout.columns == 0]
        named = [(layout.y(panel, line), words) for panel in firsts for line, words in enumerate(names)]
        item.getAxis("left").setTicks([named])
        self._heads = []
        for panel in range(len(layout.panels)):
            self._draw_panel(item, panel)
        for token, synthetic in (("accent", False), ("synthetic", True)):
            bars = [
                (layout.x(panel, low), layout.x(panel, high), y)
                for mark in self._marks
                if mark.row.synthetic == synthetic and (low := mark.low) is not None and (high := mark.high) is not None
                for panel, y in [layout.of(mark)]
            ]
            if bars:
                x = array([end for low, high, _ in bars for end in (low, high)])
                y = array([height for *_, height in bars for _ in range(2)])
                pen = pg.mkPen(theme.color(token), width=1.75)
                item.addItem(pg.PlotCurveItem(x=x, y=y, connect="pairs", pen=pen, antialias=True))
        spots = self._spots()
        spots.addPoints(
            [self._spot(at, mark, mark.value) for at, mark in enumerate(self._marks) if mark.value is not None]
        )
        item.addItem(spots)
        self._name_panels()
        box = item.getViewBox()
        box.setYRange(0, layout.height, padding=0)
        box.setXRange(-_EDGE, layout.width + _EDGE, padding=0)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._name_panels()

    def _name_panels(self) -> None:
        """No name runs into its neighbour's."""
        room = (self.width() - self._plot.getPlotItem().getAxis("left").width()) / self._layout.columns
        words = QFontMetrics(self._theme.font(0.95, weight=QFont.Weight.DemiBold))
        for head, name in zip(self._heads, self._layout.panels, strict=False):
            head.setText(words.elidedText(name, Qt.TextElideMode.ElideMiddle, round(room * _NAMED)))

    def _draw_panel(self, item: Any, panel: int) -> None:
        """Its name, its frame, the line at 0, the numbers of the scale, and a dash where there is no value."""
        pg, theme, layout, add = self._pg, self._theme, self._layout, item.addItem
        left, top, bottom = layout.left(panel), layout.top(panel), layout.bottom(panel)
        frame = pg.mkPen(theme.color("border"))
        add(pg.PlotCurveItem(x=array([left, left, left + 1]), y=array([top, bottom, bottom]), pen=frame))
        zero = pg.mkPen(theme.color("text_secondary"), width=1, style=Qt.PenStyle.DashLine)
        add(pg.PlotCurveItem(x=array([layout.x(panel, 0.0)] * 2), y=array([top, bottom]), pen=zero))
        head = self._text("", left, top - HEAD / 2, (0, 0.5), "text")
        head.setFont(theme.font(0.95, weight=QFont.Weight.DemiBold))
        self._heads.append(head)
        add(head)
        ticks = layout.with_room(inner_ticks(layout.across.low, layout.across.high, TICKS))
        digits = digits_of(ticks[1] - ticks[0]) if len(ticks) > 1 else 2
        for tick in ticks:
            add(self._text(decimal(tick, digits), layout.x(panel, tick), bottom, (0.5, 0), "text_secondary"))
        for mark in self._marks:
            if mark.value is None and mark.panel == layout.panels[panel]:
                add(self._text(NO_VALUE, left + 0.02, layout.of(mark)[1], (0, 0.5), "text_secondary"))

    def _spot(self, at: int, mark: ProfileMark, value: float) -> dict[str, object]:
        pg, theme, layout = self._pg, self._theme, self._layout
        panel, y = layout.of(mark)
        ink = theme.color("synthetic" if mark.row.synthetic else "accent")
        surface = theme.color("surface")
        edge = theme.color("text") if at == self._at else ink if mark.place else surface
        return {
            "pos": (layout.x(panel, value), y),
            "data": at,
            "symbol": "t1" if mark.row.synthetic else "o",
            "size": theme.px(DOT - 2 * bool(mark.place) + (CHOSEN if at == self._at else 0)),
            "brush": pg.mkBrush(surface if mark.place else ink),
            "pen": pg.mkPen(edge, width=2),
        }

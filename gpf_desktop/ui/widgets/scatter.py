"""Points with intervals, such as mean against spread, one for each model."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QVBoxLayout, QWidget

from gpf_desktop.domain.findings import BundleFilter
from gpf_desktop.domain.text import tr
from gpf_desktop.ui.theme import Theme
from gpf_desktop.ui.wording import decimal

_DOT = 11
_STEPS = {Qt.Key.Key_Right: 1, Qt.Key.Key_Down: 1, Qt.Key.Key_Left: -1, Qt.Key.Key_Up: -1}


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


class ScatterPlot(QWidget):
    """Marks with names beside them. Arrow keys walk through them, Enter or a click asks for the bundles behind one."""

    chosen = Signal(object)
    """The `BundleFilter` of a point."""

    def __init__(
        self, theme: Theme, *, says: str, x_title: str, y_title: str, name: str = "", never_below_zero: bool = False
    ) -> None:
        """*never_below_zero*: y is a spread or a share, so its axis begins at 0."""
        import pyqtgraph as pg

        super().__init__()
        self._pg = pg
        self._theme = theme
        self._titles = (x_title, y_title)
        self._points: tuple[ScatterPoint, ...] = ()
        self._at: int | None = None
        self.setObjectName(name)
        self.setAccessibleName(says)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._plot = pg.PlotWidget()
        self._plot.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._plot.setMenuEnabled(False)
        self._plot.setMouseEnabled(x=False, y=False)
        self._plot.hideButtons()
        if never_below_zero:
            self._plot.getViewBox().setLimits(yMin=0.0)
        for side in ("bottom", "left"):
            # Only before the axis has a label: later the call itself scales by thousands.
            self._plot.getAxis(side).enableAutoSIPrefix(False)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.addWidget(self._plot)
        theme.follow(self, self._draw)

    @property
    def points(self) -> tuple[ScatterPoint, ...]:
        """From left to right."""
        return self._points

    def show_points(self, points: Sequence[ScatterPoint]) -> None:
        self._points = tuple(sorted(points, key=lambda point: (point.x, point.y)))
        self._at = None
        self.setAccessibleDescription("")
        self._draw()

    def describe(self, point: ScatterPoint) -> str:
        """A point in words."""
        words = f"{point.label}: {self._titles[0]} {decimal(point.x)}, {self._titles[1]} {decimal(point.y)}"
        if point.low is not None and point.high is not None:
            words += tr(", interval {low} to {high}", low=decimal(point.low), high=decimal(point.high))
        return words + (tr(", synthetic") if point.synthetic else "")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = _STEPS.get(Qt.Key(event.key()))
        if step is not None and self._points:
            self._at = 0 if self._at is None else (self._at + step) % len(self._points)
            self.setAccessibleDescription(self.describe(self._points[self._at]))
            self._draw()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space) and self._at is not None:
            self.chosen.emit(self._points[self._at].bundles)
        else:
            super().keyPressEvent(event)

    def _draw(self) -> None:
        pg, theme, item = self._pg, self._theme, self._plot.getPlotItem()
        self._plot.setBackground(theme.color("surface"))
        item.clear()
        size = {"font-size": f"{theme.font(0.95).pointSizeF()}pt"}
        for side, title in (("bottom", self._titles[0]), ("left", self._titles[1])):
            axis = item.getAxis(side)
            axis.setPen(pg.mkPen(theme.color("border")))
            axis.setTextPen(pg.mkPen(theme.color("text_secondary")))
            axis.setTickFont(theme.font(0.95))
            axis.setStyle(tickLength=4)
            axis.setLabel(title, color=theme.tokens.text_secondary, **size)
        if not self._points:
            return
        self._draw_intervals(item)
        item.addItem(self._marks())
        middle = (self._points[0].x + self._points[-1].x) / 2
        for at, point in enumerate(self._points):
            # Names stand towards the middle, so that none runs out of the frame.
            anchor = (1, 1) if point.x > middle else (0, 1)
            text = pg.TextItem(point.label, color=theme.color("text"), anchor=anchor)
            text.setFont(theme.font(0.95))
            text.setPos(point.x, point.y)
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
                x=_array([p.x for p in with_bounds]),
                y=_array([p.y for p in with_bounds]),
                left=_array([p.x - p.low for p in with_bounds if p.low is not None]),
                right=_array([p.high - p.x for p in with_bounds if p.high is not None]),
                pen=self._pg.mkPen(self._theme.color("text"), width=1.25),
            )
        )

    def _marks(self) -> Any:
        pg, theme = self._pg, self._theme
        marks = pg.ScatterPlotItem(pxMode=True, hoverable=True, tip=lambda data, **_: self.describe(data))
        marks.addPoints(
            [
                {
                    "pos": (point.x, point.y),
                    "data": point,
                    "symbol": "t" if point.synthetic else "o",
                    "size": theme.px(_DOT + (5 if at == self._at else 0)),
                    "brush": pg.mkBrush(theme.color("synthetic" if point.synthetic else "accent")),
                    "pen": pg.mkPen(theme.color("text" if at == self._at else "surface"), width=2),
                }
                for at, point in enumerate(self._points)
            ]
        )
        marks.setZValue(5)
        marks.sigClicked.connect(lambda _item, spots, *_: self.chosen.emit(spots[0].data().bundles))
        return marks


def _array(values: list[float]) -> Any:
    import numpy as np

    return np.array(values)

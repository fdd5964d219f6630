"""What the charts with axes share: the theme's colours, a walk with the keyboard, words for a screen reader."""

from importlib import import_module
from typing import Any

from PySide6.QtCore import QEvent, QObject, QRect, Qt, Signal
from PySide6.QtGui import QFocusEvent, QFontMetrics, QKeyEvent, QPainter, QPaintEvent, QPen, QShowEvent
from PySide6.QtWidgets import QGraphicsView, QWidget

from gpf_desktop.domain.findings import BundleFilter
from gpf_desktop.domain.text import middle_shortened, tr
from gpf_desktop.numerics.axis_ticks import digits_of, inner_ticks, step_of
from gpf_desktop.ui.theme import Theme
from gpf_desktop.ui.widgets.boxes import vbox
from gpf_desktop.ui.widgets.plain import plain_tip
from gpf_desktop.ui.wording import decimal

DOT = 11
"""Pixels at 100 %, as for every length here."""
CHOSEN = 5
"""By how much a mark grows that the keyboard is on."""
_STEPS = {Qt.Key.Key_Right: 1, Qt.Key.Key_Down: 1, Qt.Key.Key_Left: -1, Qt.Key.Key_Up: -1}
_LABEL = 34
"""Characters of a name beside an axis."""
_FRAME = 3
_ABOVE = 8


def prepare_plots() -> None:
    """Read the plotting library, on a worker thread: a quarter of a second that the window would not answer for."""
    import_module("pyqtgraph")


def short_label(words: str) -> str:
    """*words* for beside an axis."""
    return middle_shortened(words, _LABEL)


class Plot(QWidget):
    """Marks in a frame of axes. Arrow keys, Home and End walk through them; Enter or a click asks for the bundles
    behind one."""

    chosen = Signal(object)
    """The `BundleFilter` of a mark."""

    def __init__(self, theme: Theme, *, says: str, name: str = "") -> None:
        # Here rather than above: see `prepare_plots`.
        import pyqtgraph as pg

        super().__init__()
        self._pg = pg
        self._theme = theme
        self._at: int | None = None
        self._undrawn = False
        self.setObjectName(name)
        self.setAccessibleName(says)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self._plot = pg.PlotWidget(enableMenu=False)
        self._plot.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._plot.setMouseEnabled(x=False, y=False)
        self._plot.hideButtons()
        self._plot.viewport().installEventFilter(self)
        # A plain colour needs no picture of itself, which a saved drawing would carry along.
        self._plot.setCacheMode(QGraphicsView.CacheModeFlag.CacheNone)
        for side in ("bottom", "left", "top", "right"):
            # Hidden axes follow every change too. Once it has a label, the call itself scales by thousands.
            self._plot.getAxis(side).enableAutoSIPrefix(False)
        # Or the highest number on the axis would be cut in half.
        self._plot.getPlotItem().setContentsMargins(0, theme.px(_ABOVE), 0, 0)
        self._column = vbox((self._plot, 1), parent=self, margins=_FRAME)

    def count(self) -> int:
        """How many marks there are to walk through."""
        raise NotImplementedError

    def words(self, at: int) -> str:
        """The mark in words."""
        raise NotImplementedError

    def bundles(self, at: int) -> BundleFilter:
        raise NotImplementedError

    def summary(self) -> str:
        """What is said before a mark is chosen."""
        return ""

    def draw(self) -> None:
        """Draw everything anew, in the theme's colours."""
        raise NotImplementedError

    def start_over(self) -> None:
        """Other marks have come: none of them is chosen."""
        self._at = None
        self.setAccessibleDescription(self.summary())
        self._undrawn = True
        if self.isVisible():
            self.ready()

    def ready(self) -> None:
        """Draw what has come since; for a plot that is not shown, before it is rendered."""
        if self._undrawn:
            self._undrawn = False
            self.draw()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() == QEvent.Type.Wheel:
            # Not accepted, as the plotting library would: the page under the plot scrolls.
            event.ignore()
            return True
        return super().eventFilter(watched, event)

    def showEvent(self, event: QShowEvent) -> None:
        # Not before: until then its size is a guess, and what depends on it would be drawn twice.
        self.ready()
        super().showEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, last = Qt.Key(event.key()), self.count() - 1
        if last >= 0 and key in _STEPS:
            self._choose(0 if self._at is None else (self._at + _STEPS[key]) % (last + 1))
        elif last >= 0 and key in (Qt.Key.Key_Home, Qt.Key.Key_End):
            self._choose(0 if key == Qt.Key.Key_Home else last)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space) and self._at is not None:
            self.chosen.emit(self.bundles(self._at))
        else:
            super().keyPressEvent(event)

    def focusInEvent(self, event: QFocusEvent) -> None:
        super().focusInEvent(event)
        self.update()

    def focusOutEvent(self, event: QFocusEvent) -> None:
        super().focusOutEvent(event)
        self.update()

    def paintEvent(self, _event: QPaintEvent) -> None:
        if self.hasFocus():
            painter = QPainter(self)
            painter.setPen(QPen(self._theme.color("focus"), 2))
            painter.drawRect(QRect(1, 1, self.width() - 2, self.height() - 2))

    def _choose(self, at: int) -> None:
        self._at = at
        self.setAccessibleDescription(tr("{mark}, {n} of {count}", mark=self.words(at), n=at + 1, count=self.count()))
        self.draw()

    def _emptied(self, bottom: str, left: str) -> Any:
        """The plot without marks, its axes titled and dressed."""
        pg, theme, item = self._pg, self._theme, self._plot.getPlotItem()
        self._plot.setBackground(theme.color("surface"))
        item.clear()
        size = {"font-size": f"{theme.font(0.95).pointSizeF()}pt"}
        for side, title in (("bottom", bottom), ("left", left)):
            axis = item.getAxis(side)
            axis.setPen(pg.mkPen(theme.color("border")))
            axis.setTextPen(pg.mkPen(theme.color("text_secondary")))
            axis.setTickFont(theme.font(0.95))
            # By default as high as small text: a larger one would run into the title.
            axis.setStyle(tickLength=4, tickTextHeight=QFontMetrics(theme.font(0.95)).height())
            axis.setLabel(title or None, color=theme.tokens.text_secondary, **size)
            axis.showLabel(bool(title))
        return item

    def _show_ticks(self, low: float, high: float, most: int) -> None:
        """Round numbers on the lower axis, all with the same decimals: the library's own have fewer every other one."""
        digits = digits_of(step_of(high - low, most))
        ticks = [(tick, decimal(tick, digits)) for tick in inner_ticks(low, high, most)]
        self._plot.getAxis("bottom").setTicks([ticks])

    def _spots(self) -> Any:
        """An empty set of marks that says in a tool tip what is under the mouse, and is clicked; data: the mark's
        number."""
        # Without a cache of pictures, so that a saved drawing has shapes and not their pixels.
        spots = self._pg.ScatterPlotItem(
            pxMode=True, useCache=False, hoverable=True, tip=lambda data, **_: plain_tip(self.words(data))
        )
        spots.setZValue(5)
        spots.sigClicked.connect(lambda _item, found, *_: self.chosen.emit(self.bundles(found[0].data())))
        return spots

    def _text(self, words: str, x: float, y: float, anchor: tuple[float, float], ink: str) -> Any:
        text = self._pg.TextItem(words, color=self._theme.color(ink), anchor=anchor)
        text.setFont(self._theme.font(0.95))
        text.setPos(x, y)
        return text


def array(values: list[float]) -> Any:
    """For the plotting library, which wants arrays."""
    import numpy as np

    return np.array(values, float)

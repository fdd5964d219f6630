"""A figure of `gpf_desktop.figures` in the window: laid out for its width, walked through, followed to its answers."""

from collections.abc import Callable
from importlib import import_module

from PySide6.QtCore import QEvent, QObject, QPointF, QRect, QRectF, QSize, Qt, Signal
from PySide6.QtGui import (
    QFocusEvent,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
    QShowEvent,
)
from PySide6.QtWidgets import (
    QFrame,
    QGraphicsItem,
    QGraphicsView,
    QSizePolicy,
    QStyleOptionGraphicsItem,
    QToolTip,
    QWidget,
)

from gpf_desktop.domain.text import tr
from gpf_desktop.figures.shapes import Figure, Spot
from gpf_desktop.ui.theme import Theme
from gpf_desktop.ui.widgets.boxes import vbox
from gpf_desktop.ui.widgets.figure_view import paint_shapes
from gpf_desktop.ui.widgets.plain import plain_tip

_STEPS = {Qt.Key.Key_Right: (1, 0), Qt.Key.Key_Down: (0, 1), Qt.Key.Key_Left: (-1, 0), Qt.Key.Key_Up: (0, -1)}
"""To the side, and down."""
_FRAME = 3
_LEAST = 320.0
"""Pixels of a figure that are laid out at least."""
_USUAL = 720.0
"""What it is laid out for before it has a width."""

Draw = Callable[[float], Figure | None]
"""Lays a figure out for a width in its own pixels; None: there is nothing to draw."""


def prepare_plots() -> None:
    """Read the plotting library, on a worker thread: a quarter of a second that the window would not answer for."""
    import_module("pyqtgraph")


class FigurePlot(QWidget):
    """The figure that *draw* gives, on the plotting library's canvas. Arrow keys, Home and End walk through its spots;
    Enter or a click asks for the answers behind one.
    """

    chosen = Signal(object)
    """The `BundleFilter` of a spot."""

    def __init__(self, theme: Theme, draw: Draw, *, says: str, name: str = "") -> None:
        # Here rather than above: see `prepare_plots`.
        import pyqtgraph as pg

        super().__init__()
        self._theme, self._draw = theme, draw
        self._at: int | None = None
        self._laid_out = 0.0
        self.figure: Figure | None = None
        self.setObjectName(name)
        self.setAccessibleName(says)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        self._sheet = _Sheet(theme)
        self._view = pg.GraphicsView()
        self._view.setFrameShape(QFrame.Shape.NoFrame)
        self._view.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        # A plain colour needs no picture of itself, which a saved drawing would carry along.
        self._view.setCacheMode(QGraphicsView.CacheModeFlag.CacheNone)
        self._view.scene().addItem(self._sheet)
        self._view.viewport().installEventFilter(self)
        self._view.viewport().setMouseTracking(True)
        vbox((self._view, 1), parent=self, margins=_FRAME)
        theme.on_change(self, self._dress)
        self._dress()

    @property
    def scale(self) -> float:
        """Pixels of the screen for one of a figure."""
        return self._theme.text_scale / 100

    @property
    def spots(self) -> tuple[Spot, ...]:
        """From the first that an arrow key reaches to the last."""
        return () if self.figure is None else self.figure.spots

    def show_figure(self, draw: Draw) -> None:
        """Show what *draw* gives from now on: no spot of it is chosen."""
        self._draw, self._at, self._laid_out = draw, None, 0.0
        self.ready()

    def ready(self) -> None:
        """Lay it out for the width that it has, or is likely to get."""
        inner = self.width() - 2 * _FRAME if self.isVisible() else round((self._laid_out or _USUAL) * self.scale)
        width = max(_LEAST, inner / self.scale)
        if width == self._laid_out:
            return
        self._laid_out = width
        self.figure = self._draw(width)
        self._sheet.show_figure(self.figure, self.scale)
        self.setFixedHeight(self.sizeHint().height())
        self._tell()

    def _dress(self) -> None:
        self._view.setBackground(self._theme.color("surface"))
        self._laid_out = 0.0
        self.ready()

    def sizeHint(self) -> QSize:
        figure = self.figure
        height = 0.0 if figure is None else figure.height * self.scale
        return QSize(round(_LEAST * self.scale), round(height) + 2 * _FRAME)

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self.isVisible():
            self.ready()

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.ready()

    def _tell(self) -> None:
        spots = self.spots
        if self._at is not None and self._at >= len(spots):
            self._at = None
        self._sheet.choose(None if self._at is None else spots[self._at])
        if self._at is None:
            self.setAccessibleDescription("" if self.figure is None else self.figure.description)
        else:
            says = tr("{mark}, {n} of {count}", mark=spots[self._at].says, n=self._at + 1, count=len(spots))
            self.setAccessibleDescription(says)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        match event.type():
            case QEvent.Type.Wheel:
                # Not accepted, as the plotting library would: the page under the plot scrolls.
                event.ignore()
                return True
            case QEvent.Type.ToolTip if isinstance(event, QHelpEvent):
                spot = self._spot_at(QPointF(event.pos()))
                QToolTip.showText(event.globalPos(), "" if spot is None else plain_tip(spot.says), self)
                return True
            case QEvent.Type.MouseMove if isinstance(event, QMouseEvent):
                over = self._spot_at(event.position()) is not None
                self._view.viewport().setCursor(
                    Qt.CursorShape.PointingHandCursor if over else Qt.CursorShape.ArrowCursor
                )
            case QEvent.Type.MouseButtonRelease if isinstance(event, QMouseEvent):
                spot = self._spot_at(event.position())
                if event.button() is Qt.MouseButton.LeftButton and spot is not None:
                    self.chosen.emit(spot.bundles)
        return super().eventFilter(watched, event)

    def _spot_at(self, place: QPointF) -> Spot | None:
        """The one whose middle is nearest, of those that *place* is in."""
        x, y = place.x() / self.scale, place.y() / self.scale
        there = [s for s in self.spots if s.x <= x <= s.x + s.width and s.y <= y <= s.y + s.height]
        return min(there, key=lambda s: abs(s.x + s.width / 2 - x) + abs(s.y + s.height / 2 - y), default=None)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        key, last = Qt.Key(event.key()), len(self.spots) - 1
        if last >= 0 and key in _STEPS:
            self._step(*_STEPS[key])
        elif last >= 0 and key in (Qt.Key.Key_Home, Qt.Key.Key_End):
            self._choose(0 if key == Qt.Key.Key_Home else last)
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space) and self._at is not None:
            self.chosen.emit(self.spots[self._at].bundles)
        else:
            super().keyPressEvent(event)

    def _step(self, aside: int, down: int) -> None:
        across = 1 if self.figure is None else self.figure.across
        to = 0 if self._at is None else self._at + aside + down * across
        if across == 1:
            self._choose(to % len(self.spots))
        # In a grid, its edges stop.
        elif 0 <= to < len(self.spots) and (down or self._at is None or to // across == self._at // across):
            self._choose(to)

    def _choose(self, at: int) -> None:
        self._at = at
        self._tell()

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


class _Sheet(QGraphicsItem):
    """The shapes of a figure, with a ring around the spot that the keyboard is on."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._figure: Figure | None = None
        self._spot: Spot | None = None
        self._scale = 1.0

    def show_figure(self, figure: Figure | None, scale: float) -> None:
        self.prepareGeometryChange()
        self._figure, self._scale, self._spot = figure, scale, None
        self.update()

    def choose(self, spot: Spot | None) -> None:
        self._spot = spot
        self.update()

    def boundingRect(self) -> QRectF:
        figure = self._figure
        return QRectF() if figure is None else QRectF(0, 0, figure.width * self._scale, figure.height * self._scale)

    def paint(self, painter: QPainter, _option: QStyleOptionGraphicsItem, _widget: QWidget | None = None) -> None:
        if self._figure is None:
            return
        paint_shapes(painter, self._figure.shapes, self._theme, self._scale)
        if self._spot is not None:
            spot, scale = self._spot, self._scale
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.setPen(QPen(self._theme.color("focus"), 2))
            ring = QRectF(spot.x * scale, spot.y * scale, spot.width * scale, spot.height * scale)
            painter.drawRoundedRect(ring, 4, 4)

"""Paints the shapes of `gpf_desktop.figures` in the theme's colours, as large as the text is."""

from collections.abc import Sequence
from typing import assert_never

from PySide6.QtCore import QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetricsF, QPainter, QPaintEvent, QPen, QPolygonF
from PySide6.QtWidgets import QSizePolicy, QWidget

from gpf_desktop.figures.shapes import Disc, Line, Polygon, Rectangle, Shape, Trace, Words
from gpf_desktop.ui.theme import Theme
from gpf_desktop.ui.theme.fonts import interface_font


class FigureView(QWidget):
    """*shapes* from its top left; as high as it is told, and named for who does not see it."""

    def __init__(self, theme: Theme, *, name: str = "") -> None:
        super().__init__()
        self._theme = theme
        self._shapes: Sequence[Shape] = ()
        self._size = QSize(0, 0)
        self.setObjectName(name)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Fixed)
        theme.on_change(self, self.update)

    @property
    def scale(self) -> float:
        """Pixels of the screen for one of a figure."""
        return self._theme.text_scale / 100

    def show_shapes(self, shapes: Sequence[Shape], height: float, says: str = "", *, width: float = 0) -> None:
        """*height* and least *width* in pixels of a figure."""
        self._shapes = shapes
        self._size = QSize(round(width * self.scale), round(height * self.scale))
        self.setFixedHeight(self._size.height())
        self.setMinimumWidth(self._size.width())
        self.setAccessibleName(says)
        self.update()

    def sizeHint(self) -> QSize:
        return self._size

    def paintEvent(self, _event: QPaintEvent) -> None:
        painter = QPainter(self)
        paint_shapes(painter, self._shapes, self._theme, self.scale)
        painter.end()


def paint_shapes(painter: QPainter, shapes: Sequence[Shape], theme: Theme, scale: float) -> None:
    """Paint *shapes*, each pixel of theirs *scale* of the painter's."""
    painter.setRenderHint(QPainter.RenderHint.Antialiasing)
    for each in shapes:
        match each:
            case Line():
                painter.setOpacity(each.opacity)
                painter.setPen(_pen(_color(theme, each.ink), each, scale))
                # A hairline lies on one row of pixels, or it would be two pale ones.
                half = 0.5 if each.width <= 1 and scale == 1 else 0.0
                painter.drawLine(
                    QPointF(_on(each.x1, scale, half), _on(each.y1, scale, half)),
                    QPointF(_on(each.x2, scale, half), _on(each.y2, scale, half)),
                )
                painter.setOpacity(1.0)
            case Rectangle():
                painter.setOpacity(each.opacity)
                _fill(painter, theme, each.fill, each.edge, each.edge_width * scale)
                box = QRectF(
                    each.x * scale, each.y * scale, max(0.0, each.width) * scale, max(0.0, each.height) * scale
                )
                painter.drawRoundedRect(box, each.radius * scale, each.radius * scale)
                painter.setOpacity(1.0)
            case Disc():
                _fill(painter, theme, each.fill, each.edge, each.edge_width * scale)
                painter.drawEllipse(QPointF(each.x * scale, each.y * scale), each.radius * scale, each.radius * scale)
            case Polygon():
                painter.setOpacity(each.opacity)
                _fill(painter, theme, each.fill, each.edge, each.edge_width * scale)
                painter.drawPolygon(QPolygonF([QPointF(x * scale, y * scale) for x, y in each.points]))
                painter.setOpacity(1.0)
            case Trace():
                pen = QPen(_color(theme, each.ink), each.width * scale)
                pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
                painter.setPen(pen)
                painter.drawPolyline(QPolygonF([QPointF(x * scale, y * scale) for x, y in each.points]))
            case Words():
                _write(painter, each, theme, scale)
            case _:
                assert_never(each)


def _color(theme: Theme, ink: str) -> QColor:
    return QColor(ink) if ink.startswith("#") else theme.color(ink)


def _on(value: float, scale: float, half: float) -> float:
    return round(value * scale) + half if half else value * scale


def _pen(color: QColor, line: Line, scale: float) -> QPen:
    pen = QPen(color, line.width * scale)
    pen.setCapStyle(Qt.PenCapStyle.RoundCap if line.round else Qt.PenCapStyle.FlatCap)
    if line.dash is not None:
        # Qt counts in widths of the pen.
        pen.setDashPattern([each / line.width for each in line.dash])
    return pen


def _fill(painter: QPainter, theme: Theme, fill: str, edge: str, width: float) -> None:
    painter.setBrush(_color(theme, fill) if fill else Qt.BrushStyle.NoBrush)
    pen = QPen(_color(theme, edge), width) if edge else QPen(Qt.PenStyle.NoPen)
    pen.setJoinStyle(Qt.PenJoinStyle.RoundJoin)
    painter.setPen(pen)


def _write(painter: QPainter, words: Words, theme: Theme, scale: float) -> None:
    font = interface_font()
    font.setPixelSize(max(1, round(words.size * scale)))
    if words.bold:
        font.setWeight(QFont.Weight.DemiBold)
    painter.setFont(font)
    painter.setPen(_color(theme, words.ink))
    x = words.x * scale
    if words.anchor != "start":
        wide = QFontMetricsF(font).horizontalAdvance(words.text)
        x -= wide / 2 if words.anchor == "middle" else wide
    painter.drawText(QPointF(x, words.y * scale), words.text)

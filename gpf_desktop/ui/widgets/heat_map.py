"""Values on a grid of two factors, such as group × question."""

from dataclasses import dataclass
from math import cos, radians, sin

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt, Signal
from PySide6.QtGui import (
    QBrush,
    QColor,
    QFont,
    QFontMetrics,
    QHelpEvent,
    QKeyEvent,
    QMouseEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QResizeEvent,
)
from PySide6.QtWidgets import QSizePolicy, QToolTip, QWidget

from gpf_desktop.domain.grid_picture import GridCell, GridPicture
from gpf_desktop.domain.text import tr
from gpf_desktop.figures.heat import cell_fill, cell_words, end_words, stops
from gpf_desktop.numerics.color_scale import color_at, text_on
from gpf_desktop.ui.theme import Theme
from gpf_desktop.ui.theme.tokens import SPACE_1, SPACE_2
from gpf_desktop.ui.widgets.plain import plain_tip
from gpf_desktop.ui.wording import NO_VALUE, count, decimal, percent

_KEYS = {
    Qt.Key.Key_Left: (0, -1),
    Qt.Key.Key_Right: (0, 1),
    Qt.Key.Key_Up: (-1, 0),
    Qt.Key.Key_Down: (1, 0),
}
_LEGEND = 10
_ROW = 44
_SMALL = 0.8
_SMALLEST = 0.6
"""Of the usual font."""
_SLANT = 35
"""Degrees."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Room:
    """Where the cells are, and whether the columns' names stand slanted below them."""

    area: QRect
    slanted: bool


class HeatMapPlot(QWidget):
    """Coloured cells with their values; a click, or Enter on the chosen cell, asks for the bundles behind it."""

    chosen = Signal(object)
    """The `BundleFilter` of a cell."""

    def __init__(self, theme: Theme, *, says: str, name: str = "") -> None:
        super().__init__()
        self._theme = theme
        self._data: GridPicture | None = None
        self._at = (0, 0)
        self._room: _Room | None = None
        self.setObjectName(name)
        self.setAccessibleName(says)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setMouseTracking(True)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Expanding)
        theme.follow(self, self._restyle)

    @property
    def data(self) -> GridPicture | None:
        return self._data

    def show_data(self, data: GridPicture) -> None:
        self._data = data
        self._room = None
        self._at = (0, 0)
        self._say_current()
        self.updateGeometry()
        self.update()

    def describe(self, row: int, column: int) -> str:
        """A cell in words, for tool tip and screen reader."""
        if self._data is None or not self._data.cells:
            return ""
        cell = self._data.cells[row][column]
        named = {"row": self._data.rows[row], "column": self._data.columns[column], "measure": self._data.measure}
        if cell.value is None:
            return tr("{row}, {column}: {measure} unavailable, {why}", **named, why=cell.why or tr("no value"))
        words = tr("{row}, {column}: {measure} {value}", **named, value=_words(cell.value, self._data, 3))
        if cell.low is not None and cell.high is not None:
            low, high = (_words(end, self._data, 3) for end in (cell.low, cell.high))
            words += tr(", interval {low} to {high}", low=low, high=high)
        if self._data.centre is not None:
            words += tr(", {apart} from the mean of all", apart=end_words(self._data, cell.value, 3))
        return words + tr(", n {n}", n=count(cell.n))

    def sizeHint(self) -> QSize:
        rows = len(self._data.rows) if self._data else 6
        return QSize(self._theme.px(520), self._theme.px(_ROW * rows + 40))

    def minimumSizeHint(self) -> QSize:
        rows = len(self._data.rows) if self._data else 6
        return QSize(self._theme.px(320), self._theme.px(24 * rows + 36))

    def cell_rect(self, row: int, column: int) -> QRect:
        """Where a cell is drawn."""
        data = self._data
        if data is None:
            return QRect()
        area = self._area()
        # Each edge from one division, so that neighbours meet and the last cell ends where the area does.
        left = area.left() + area.width() * column // len(data.columns)
        right = area.left() + area.width() * (column + 1) // len(data.columns)
        top = area.top() + area.height() * row // len(data.rows)
        bottom = area.top() + area.height() * (row + 1) // len(data.rows)
        return QRect(left, top, right - left, bottom - top)

    def paintEvent(self, _event: QPaintEvent) -> None:
        data = self._data
        if data is None or not data.rows or not data.columns:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.TextAntialiasing)
        for row, cells in enumerate(data.cells):
            for column, cell in enumerate(cells):
                self._paint_cell(painter, self.cell_rect(row, column), cell, data)
        self._paint_labels(painter, data)
        self._paint_legend(painter, data)
        if self.hasFocus():
            self._paint_focus(painter)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = _KEYS.get(Qt.Key(event.key()))
        if self._data is None:
            super().keyPressEvent(event)
        elif step is not None:
            row = max(0, min(len(self._data.rows) - 1, self._at[0] + step[0]))
            column = max(0, min(len(self._data.columns) - 1, self._at[1] + step[1]))
            self._move(row, column)
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Space):
            self.chosen.emit(self._data.cells[self._at[0]][self._at[1]].bundles)
        else:
            super().keyPressEvent(event)

    def mousePressEvent(self, event: QMouseEvent) -> None:
        found = self._cell_at(event.position().toPoint())
        if found is not None and event.button() is Qt.MouseButton.LeftButton and self._data is not None:
            self._move(*found)
            self.chosen.emit(self._data.cells[found[0]][found[1]].bundles)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        over = self._cell_at(event.position().toPoint()) is not None
        self.setCursor(Qt.CursorShape.PointingHandCursor if over else Qt.CursorShape.ArrowCursor)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ToolTip and isinstance(event, QHelpEvent):
            found = self._cell_at(event.pos())
            QToolTip.showText(event.globalPos(), plain_tip(self.describe(*found) if found else ""), self)
            return True
        return super().event(event)

    def _paint_cell(self, painter: QPainter, rect: QRect, cell: GridCell, data: GridPicture) -> None:
        painter.setPen(Qt.PenStyle.NoPen)
        if cell.value is None:
            self._paint_missing(painter, rect)
            return
        ground = self._theme.color("surface").name()
        fill = cell_fill(data, cell, ground)
        painter.setBrush(QColor(fill))
        painter.drawRect(rect)
        painter.setPen(QColor(text_on(fill)))
        words = cell_words(data, cell)
        if not words:
            return
        font, small = self._fitting(words, rect.width()), self._theme.font(_SMALL)
        if font is None:
            return
        high, low = QFontMetrics(font).height(), QFontMetrics(small).height()
        painter.setFont(font)
        if rect.height() < high + low:
            painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, words)
            return
        top = rect.center().y() - (high + low) // 2 + 1
        centre = Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop
        painter.drawText(QRect(rect.left(), top, rect.width(), high), centre, words)
        painter.setFont(small)
        painter.drawText(QRect(rect.left(), top + high, rect.width(), low), centre, f"n {count(cell.n)}")

    def _fitting(self, words: str, width: int) -> QFont | None:
        """The usual font, or one as small as *words* need between the cell's edges; None where that cannot be read."""
        usual = self._theme.font()
        share = width / max(1, QFontMetrics(usual).horizontalAdvance(words) + 2)
        if share < _SMALLEST:
            return None
        return usual if share >= 1 else self._theme.font(share)

    def _paint_missing(self, painter: QPainter, rect: QRect) -> None:
        painter.setBrush(self._theme.color("sunken"))
        painter.drawRect(rect)
        painter.setBrush(QBrush(self._theme.color("border"), Qt.BrushStyle.BDiagPattern))
        painter.drawRect(rect)
        plate = QRect(0, 0, self._theme.px(24), self._theme.px(18))
        plate.moveCenter(rect.center())
        painter.setBrush(self._theme.color("sunken"))
        painter.drawRect(plate)
        painter.setFont(self._theme.font())
        painter.setPen(self._theme.color("text"))
        painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, NO_VALUE)

    def _paint_labels(self, painter: QPainter, data: GridPicture) -> None:
        painter.setFont(self._theme.font())
        painter.setPen(self._theme.color("text_secondary"))
        metrics = QFontMetrics(painter.font())
        area = self._area()
        for row, words in enumerate(data.rows):
            cell = self.cell_rect(row, 0)
            room = QRect(0, cell.top(), area.left() - SPACE_2, cell.height())
            shown = metrics.elidedText(words, Qt.TextElideMode.ElideMiddle, room.width())
            painter.drawText(room, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignVCenter, shown)
        slanted = self._laid_out().slanted
        for column, words in enumerate(data.columns):
            cell = self.cell_rect(0, column)
            if slanted:
                painter.save()
                painter.translate(cell.center().x() + metrics.ascent() // 3, area.bottom() + SPACE_2)
                painter.rotate(-_SLANT)
                room = QRect(-self.width(), 0, self.width(), metrics.height())
                painter.drawText(room, Qt.AlignmentFlag.AlignRight | Qt.AlignmentFlag.AlignTop, words)
                painter.restore()
            else:
                room = QRect(cell.left() + 2, area.bottom() + SPACE_1, cell.width() - 4, self.height() - area.bottom())
                flags = Qt.AlignmentFlag.AlignHCenter | Qt.AlignmentFlag.AlignTop
                painter.drawText(room, flags, "\n".join(two_lines(words, metrics)))

    def _paint_legend(self, painter: QPainter, data: GridPicture) -> None:
        area = self._area()
        bar = QRect(area.right() + SPACE_2 + 1, area.top(), self._theme.px(_LEGEND), area.height())
        for y in range(bar.height()):
            painter.setPen(QColor(color_at(1 - y / max(1, bar.height() - 1), stops(data))))
            painter.drawLine(bar.left(), bar.top() + y, bar.right(), bar.top() + y)
        painter.setFont(self._theme.font(0.9))
        painter.setPen(self._theme.color("text_secondary"))
        words = QRect(bar.right() + SPACE_1, bar.top(), self.width() - bar.right(), bar.height())
        low, high = (end_words(data, end, 1) for end in (data.low, data.high))
        painter.drawText(words, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop, high)
        painter.drawText(words, Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignBottom, low)

    def _paint_focus(self, painter: QPainter) -> None:
        rect = self.cell_rect(*self._at)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        # Two rings, one of which is seen on whatever colour the cell has.
        painter.setPen(QPen(self._theme.color("surface"), 5))
        painter.drawRect(rect.adjusted(2, 2, -3, -3))
        painter.setPen(QPen(self._theme.color("text"), 2))
        painter.drawRect(rect.adjusted(2, 2, -3, -3))

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._room = None
        super().resizeEvent(event)

    def _area(self) -> QRect:
        return self._laid_out().area

    def _laid_out(self) -> _Room:
        """Measured once for a size, its words and their font, not for each of the cells."""
        if self._room is None:
            self._room = self._measure()
        return self._room

    def _measure(self) -> _Room:
        metrics = QFontMetrics(self._theme.font())
        rows = self._data.rows if self._data else ()
        left = min(
            max((metrics.horizontalAdvance(row) for row in rows), default=0) + 2 * SPACE_2, self.width() * 2 // 5
        )
        small = QFontMetrics(self._theme.font(0.9))
        right = SPACE_2 + self._theme.px(_LEGEND) + SPACE_1 + small.horizontalAdvance("100.0%")
        columns = self._data.columns if self._data else ()
        slanted = self._slanted(self.width() - left - right)
        if slanted:
            longest = max((metrics.horizontalAdvance(words) for words in columns), default=0)
            bottom = round(longest * sin(radians(_SLANT))) + metrics.height() + SPACE_2
            # A slanted name ends below the middle of its column: the first one reaches out to the left of it.
            left = max(left, round(longest * cos(radians(_SLANT))) - self.width() // (2 * max(1, len(columns))))
        else:
            bottom = metrics.height() * 2 + SPACE_2
        area = QRect(left, 0, max(1, self.width() - left - right), max(1, self.height() - bottom))
        return _Room(area=area, slanted=slanted)

    def _slanted(self, width: int) -> bool:
        """Whether the columns are too narrow for their names on two lines."""
        columns = self._data.columns if self._data else ()
        metrics = QFontMetrics(self._theme.font())
        room = width // max(1, len(columns)) - 4
        return any(metrics.horizontalAdvance(line) > room for words in columns for line in two_lines(words, metrics))

    def _cell_at(self, point: QPoint) -> tuple[int, int] | None:
        data, area = self._data, self._area()
        if data is None or not data.rows or not area.contains(point):
            return None
        row = (point.y() - area.top()) * len(data.rows) // area.height()
        column = (point.x() - area.left()) * len(data.columns) // area.width()
        return min(row, len(data.rows) - 1), min(column, len(data.columns) - 1)

    def _move(self, row: int, column: int) -> None:
        self._at = (row, column)
        self._say_current()
        self.update()

    def _say_current(self) -> None:
        self.setAccessibleDescription(self.describe(*self._at))

    def _restyle(self) -> None:
        self._room = None
        self.updateGeometry()
        self.update()


def two_lines(words: str, metrics: QFontMetrics) -> tuple[str, ...]:
    """*words* broken at the blank that makes the longer of two lines shortest; one word stays as it is."""
    parts = words.split(" ")
    breaks = [(" ".join(parts[:at]), " ".join(parts[at:])) for at in range(1, len(parts))]
    if not breaks:
        return (words,)
    return min(breaks, key=lambda pair: max(map(metrics.horizontalAdvance, pair)))


def _words(value: float, data: GridPicture, digits: int) -> str:
    return percent(value, 1, 1) if data.percent else decimal(value, digits)

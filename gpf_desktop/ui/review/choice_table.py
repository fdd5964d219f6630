"""A grid of choices: one square for each context, with its letter and its colour."""

from typing import Any, Final

from PySide6.QtCore import QAbstractTableModel, QEvent, QModelIndex, QPersistentModelIndex, QPointF, QRect, QSize, Qt
from PySide6.QtGui import (
    QColor,
    QFont,
    QFontMetrics,
    QKeyEvent,
    QPainter,
    QPaintEvent,
    QPen,
    QPolygonF,
    QResizeEvent,
)
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
    QWidget,
)

from gpf_desktop.domain.text import tr
from gpf_desktop.engine.review.choice_grid import ChoiceGrid, Square
from gpf_desktop.ui.theme import Theme
from gpf_desktop.ui.widgets.plain import plain_tip

Index = QModelIndex | QPersistentModelIndex
Role = Qt.ItemDataRole
_ROOT = QModelIndex()
SQUARE_ROLE: Final = Role.UserRole + 1
_OPTION_COLORS: Final = ("only_here", "selection", "missing_here")
_ARROWS: Final = frozenset(
    {Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Up, Qt.Key.Key_Down, Qt.Key.Key_Home, Qt.Key.Key_End}
)
_SIDE: Final = 26
_LINE: Final = 19
_LETTER: Final = 0.9
_LEVEL: Final = 0.85
_MARGIN: Final = 4
_READABLE: Final = 4
"""Signs of a level, its dots counted, under which it is cut without them."""


def mark_of(grid: ChoiceGrid, square: Square) -> str:
    """The letter in a square: its option's, a dash for a refusal, a question mark where nothing was read."""
    if square.answer.missing:
        return "×"
    own = [option.category for option in grid.options if option.text]
    return square.category if square.category in own else {"refused": "–"}.get(square.category, "?")


def color_of(theme: Theme, grid: ChoiceGrid, category: str) -> QColor:
    own = [option.category for option in grid.options if option.text]
    return theme.color(_OPTION_COLORS[own.index(category)] if category in own[: len(_OPTION_COLORS)] else "sunken")


def describe(grid: ChoiceGrid, square: Square) -> str:
    """A square in words, for tool tip and screen reader."""
    where = ", ".join(f"{title} {level}" for title, level in square.place) or tr("no context")
    if square.answer.missing:
        return tr("{where}: no answer ({why})", where=where, why=square.answer.missing)
    said = tr("{where}: {choice}", where=where, choice=grid.title_of(square.category))
    return tr("{said}, corrected by {name}", said=said, name=square.corrected.reviewer) if square.corrected else said


class ChoiceTableModel(QAbstractTableModel):
    """A `ChoiceGrid` for Qt."""

    def __init__(self, parent: QTableView) -> None:
        super().__init__(parent)
        self.grid: ChoiceGrid | None = None

    def show(self, grid: ChoiceGrid) -> None:
        self.beginResetModel()
        self.grid = grid
        self.endResetModel()

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() or self.grid is None else len(self.grid.down.levels)

    def columnCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() or self.grid is None else len(self.grid.columns)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Role.DisplayRole) -> Any:
        if self.grid is None or role not in (Role.DisplayRole, Role.ToolTipRole, Role.AccessibleTextRole):
            return None
        if orientation is Qt.Orientation.Vertical:
            return self.grid.down.levels[section]
        return ", ".join(self.grid.columns[section])

    def data(self, index: Index, role: int = Role.DisplayRole) -> Any:
        grid = self.grid
        square = None if grid is None else grid.squares.get((index.row(), index.column()))
        if grid is None or square is None:
            return tr("not asked") if role == Role.AccessibleTextRole else None
        if role == SQUARE_ROLE:
            return square
        match role:
            case Role.DisplayRole:
                return mark_of(grid, square)
            case Role.AccessibleTextRole:
                return describe(grid, square)
            case Role.ToolTipRole:
                return plain_tip(describe(grid, square))
        return None


class SquareDelegate(QStyledItemDelegate):
    """Colour and letter; a corner where a person corrected it."""

    def __init__(self, theme: Theme, parent: QTableView, model: ChoiceTableModel) -> None:
        super().__init__(parent)
        self._theme, self._model = theme, model
        model.modelReset.connect(self._forget)
        theme.follow(parent, self._forget)

    def _forget(self) -> None:
        """Looks are kept: hundreds of squares are painted in one turn, and have a handful of them."""
        self._looks: dict[tuple[str, bool], tuple[QColor, str]] = {}
        self._font = self._theme.font(_LETTER, weight=QFont.Weight.DemiBold)
        self._ink = self._theme.color("text")

    def _look(self, grid: ChoiceGrid, square: Square) -> tuple[QColor, str]:
        key = (square.category, bool(square.answer.missing))
        if key not in self._looks:
            self._looks[key] = color_of(self._theme, grid, square.category), mark_of(grid, square)
        return self._looks[key]

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        theme, grid = self._theme, self._model.grid
        square = None if grid is None else grid.squares.get((index.row(), index.column()))
        selected = option.state & QStyle.StateFlag.State_Selected
        if square is None and not selected:
            return
        rect = option.rect.adjusted(1, 1, -1, -1)
        painter.save()
        if grid is not None and square is not None:
            color, mark = self._look(grid, square)
            painter.fillRect(rect, color)
            painter.setPen(self._ink)
            painter.setFont(self._font)
            painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, mark)
            if square.corrected is not None:
                corner, side = rect.topRight().toPointF() + QPointF(1, 0), rect.height() * 0.34
                painter.setRenderHint(QPainter.RenderHint.Antialiasing)
                painter.setBrush(theme.color("accent"))
                painter.setPen(Qt.PenStyle.NoPen)
                painter.drawPolygon(QPolygonF([corner, corner - QPointF(side, 0), corner + QPointF(0, side)]))
        if selected:
            painter.setPen(QPen(theme.color("focus"), 2))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(rect)
        painter.restore()


class LevelsHeader(QHeaderView):
    """A line of levels for each factor across, the outermost on top, each level over all its columns."""

    def __init__(self, theme: Theme, parent: QWidget, model: ChoiceTableModel) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent)
        self._theme, self._model = theme, model
        self._fitted: dict[tuple[str, int], str] = {}
        """Levels as far as there is room for them: the same from bundle to bundle."""
        theme.follow(self, self._fitted.clear)
        self.setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.setSectionsClickable(False)

    def sizeHint(self) -> QSize:
        grid = self._model.grid
        lines = 1 if grid is None else max(1, len(grid.across))
        # Qt's own asks the model for hundreds of headings, of which only the height would count.
        return QSize(self.length(), lines * self._theme.px(_LINE) + 2)

    def paintEvent(self, _event: QPaintEvent) -> None:
        grid, theme = self._model.grid, self._theme
        painter = QPainter(self.viewport())
        painter.fillRect(self.viewport().rect(), theme.color("surface"))
        if grid is None:
            return
        painter.setFont(theme.font(_LEVEL))
        line, edge, ink = theme.px(_LINE), QPen(theme.color("border"), 1), theme.color("text_secondary")
        for depth in range(len(grid.across)):
            for first, last in self._runs(grid, depth):
                left = self.sectionViewportPosition(first)
                right = self.sectionViewportPosition(last) + self.sectionSize(last)
                rect = QRect(left, depth * line, right - left, line)
                painter.setPen(edge)
                painter.drawLine(rect.topLeft(), rect.bottomLeft())
                painter.setPen(ink)
                words = self._fitting(grid.columns[first][depth], rect.width() - 4, painter)
                painter.drawText(rect, Qt.AlignmentFlag.AlignCenter, words)

    def _runs(self, grid: ChoiceGrid, depth: int) -> list[tuple[int, int]]:
        """(first, last) of columns that share their levels down to *depth*."""
        found: list[tuple[int, int]] = []
        for at, levels in enumerate(grid.columns):
            if found and grid.columns[found[-1][0]][: depth + 1] == levels[: depth + 1]:
                found[-1] = (found[-1][0], at)
            else:
                found.append((at, at))
        return found

    def _fitting(self, words: str, width: int, painter: QPainter) -> str:
        """As many letters as there is room for: a narrow square has its whole level in the tool tip."""
        key = words, width
        if key not in self._fitted:
            measure = painter.fontMetrics()
            cut = measure.elidedText(words, Qt.TextElideMode.ElideRight, width)
            # Where the dots would leave next to nothing of the word, its first letters say more.
            if cut != words and len(cut) < _READABLE:
                cut = words
                while len(cut) > 1 and measure.horizontalAdvance(cut) > width:
                    cut = cut[:-1]
            self._fitted[key] = cut
        return self._fitted[key]


class ChoiceTable(QTableView):
    """Arrows go from square to square, Home and End to the ends of a row."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.setObjectName("review.choices.table")
        self.setAccessibleName(tr("Choices by context"))
        self.choices = ChoiceTableModel(self)
        self.setModel(self.choices)
        self.setHorizontalHeader(LevelsHeader(theme, self, self.choices))
        self.setItemDelegate(SquareDelegate(theme, self, self.choices))
        self.setShowGrid(False)
        self.setTabKeyNavigation(False)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.verticalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.verticalHeader().setSectionsClickable(False)
        theme.follow(self, self._fit)

    def event(self, event: QEvent) -> bool:
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and event.key() in _ARROWS:
            # Elsewhere on the page arrows go from bundle to bundle.
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        step = {
            Qt.Key.Key_Left: (0, -1),
            Qt.Key.Key_Right: (0, 1),
            Qt.Key.Key_Up: (-1, 0),
            Qt.Key.Key_Down: (1, 0),
        }.get(Qt.Key(event.key()))
        if step is None:
            super().keyPressEvent(event)
        else:
            self._step(*step)

    def show_grid(self, grid: ChoiceGrid) -> None:
        """The square that is open stays so, where there is one at its place."""
        at = self.currentIndex()
        before = (at.row(), at.column()) if at.isValid() else (-1, -1)
        self.choices.show(grid)
        self._fit()
        target = before if before in grid.squares else min(grid.squares, default=(-1, -1))
        self.setCurrentIndex(self.choices.index(*target))

    def square(self) -> Square | None:
        """The one that is open."""
        found = self.currentIndex().data(SQUARE_ROLE)
        return found if isinstance(found, Square) else None

    def whole_height(self) -> int:
        """Pixels in which every row is seen, with a scroll bar under them."""
        rows = self.choices.rowCount() * self.verticalHeader().defaultSectionSize()
        bar = self.horizontalScrollBar().sizeHint().height()
        return self.horizontalHeader().sizeHint().height() + rows + bar + 2 * self.frameWidth()

    def _step(self, down: int, across: int) -> None:
        """To the next square in that direction; places that were not asked are passed over."""
        grid, at = self.choices.grid, self.currentIndex()
        if grid is None:
            return
        row, column = at.row() + down, at.column() + across
        while 0 <= row < self.choices.rowCount() and 0 <= column < self.choices.columnCount():
            if (row, column) in grid.squares:
                self.setCurrentIndex(self.choices.index(row, column))
                return
            row, column = row + down, column + across

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_columns()

    def _fit(self) -> None:
        side = self._theme.px(_SIDE)
        self.horizontalHeader().setMinimumSectionSize(side)
        self.verticalHeader().setMinimumSectionSize(side)
        self.verticalHeader().setDefaultSectionSize(side)
        self._fit_columns()
        self.updateGeometries()

    def _fit_columns(self) -> None:
        """As wide as the longest level above them where all have room so; else as there is room, squares at least."""
        side, grid = self._theme.px(_SIDE), self.choices.grid
        measure = QFontMetrics(self._theme.font(_LEVEL))
        levels = {levels[-1] for levels in grid.columns if levels} if grid is not None else set()
        words = max((measure.horizontalAdvance(level) for level in levels), default=0) + 2 * _MARGIN
        most = self.viewport().width() // max(1, self.choices.columnCount())
        self.horizontalHeader().setDefaultSectionSize(max(side, min(words, most)))

"""Sentences of all answers beside those that say the like; an empty cell is a sentence that an answer lacks."""

import math
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QPainter, QPen, QResizeEvent, QTextCharFormat, QTextLayout, QTextOption
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
)

from gpf_desktop.domain.text import tr
from gpf_desktop.ui.review.reading_content import GridContent
from gpf_desktop.ui.theme import Theme
from gpf_desktop.ui.theme.tokens import SPACE_2

Index = QModelIndex | QPersistentModelIndex
Role = Qt.ItemDataRole
_ROOT = QModelIndex()
_NARROWEST = 240
_LINE = 1.2
ALONE_ROLE = Role.UserRole + 1


class GridTableModel(QAbstractTableModel):
    """A `GridContent` for Qt."""

    def __init__(self, theme: Theme, parent: QTableView) -> None:
        super().__init__(parent)
        self._theme = theme
        self.content: GridContent | None = None

    def show(self, content: GridContent | None) -> None:
        self.beginResetModel()
        self.content = content
        self.endResetModel()

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() or self.content is None else len(self.content.rows)

    def columnCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() or self.content is None else len(self.content.headings)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Role.DisplayRole) -> Any:
        if self.content is None or orientation is not Qt.Orientation.Horizontal:
            return None
        if role == Role.TextAlignmentRole:
            return Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        return self.content.headings[section] if role == Role.DisplayRole else None

    def data(self, index: Index, role: int = Role.DisplayRole) -> Any:
        if self.content is None or not index.isValid():
            return None
        row = self.content.rows[index.row()]
        text = row[index.column()]
        match role:
            case Role.DisplayRole:
                return text
            case Role.AccessibleTextRole:
                return text or tr("nothing like it in this answer")
            case Role.ToolTipRole if text and _alone(row):
                return tr("Only in this answer")
            case _ if role == ALONE_ROLE:
                return bool(text) and _alone(row)
        return None


def _alone(row: tuple[str, ...]) -> bool:
    return len(row) > 1 and sum(bool(cell) for cell in row) == 1


class SentenceDelegate(QStyledItemDelegate):
    """A sentence in the reading font; one that stands alone is marked as in the other layouts."""

    def __init__(self, theme: Theme, parent: QTableView) -> None:
        super().__init__(parent)
        self._theme = theme

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        text = index.data(Role.DisplayRole) or ""
        width = option.rect.width()
        return QSize(width, math.ceil(self._layout(text, width).height()) + 2 * self._theme.px(SPACE_2))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        theme = self._theme
        text = index.data(Role.DisplayRole) or ""
        rect = QRectF(option.rect)
        painter.save()
        painter.fillRect(rect, theme.color("surface" if text else "window"))
        line = theme.color("border")
        line.setAlphaF(0.5)
        painter.setPen(QPen(line, 1))
        painter.drawLine(rect.bottomLeft(), rect.bottomRight())
        painter.drawLine(rect.topRight(), rect.bottomRight())
        if text:
            self._paint_text(painter, rect, text, alone=bool(index.data(ALONE_ROLE)))
        if option.state & QStyle.StateFlag.State_Selected:
            painter.setPen(QPen(theme.color("focus"), 2))
            painter.drawRect(rect.adjusted(1, 1, -1, -1))
        painter.restore()

    def _paint_text(self, painter: QPainter, rect: QRectF, text: str, *, alone: bool) -> None:
        theme = self._theme
        layout = self._layout(text, round(rect.width()))
        at = rect.topLeft() + QPointF(theme.px(SPACE_2), theme.px(SPACE_2))
        marks: list[QTextLayout.FormatRange] = []
        if alone:
            mark = QTextLayout.FormatRange()
            mark.start, mark.length = 0, len(layout.text())
            look = QTextCharFormat()
            look.setBackground(theme.color("only_here"))
            look.setUnderlineStyle(QTextCharFormat.UnderlineStyle.SingleUnderline)
            mark.format = look
            marks.append(mark)
        painter.setPen(theme.color("text"))
        layout.draw(painter, at, marks)

    def _layout(self, text: str, width: int) -> "_Sentence":
        return _Sentence(text, self._theme.reading_font(), width - 2 * self._theme.px(SPACE_2))


class _Sentence(QTextLayout):
    """A text wrapped to a width."""

    def __init__(self, text: str, font: QFont, width: int) -> None:
        super().__init__(text, font)
        option = QTextOption()
        option.setWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        option.setTextDirection(Qt.LayoutDirection.LayoutDirectionAuto)
        self.setTextOption(option)
        self._height = 0.0
        self.beginLayout()
        while (line := self.createLine()).isValid():
            line.setLineWidth(max(1, width))
            line.setPosition(QPointF(0, self._height))
            self._height += line.height() * _LINE
        self.endLayout()

    def height(self) -> float:
        return self._height


class SentenceGridView(QTableView):
    """Rows are as high as their longest sentence; columns share the room, each wide enough to read."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.setObjectName("review.grid")
        self.setAccessibleName(tr("Sentences of all answers"))
        self.grid_model = GridTableModel(theme, self)
        self.setModel(self.grid_model)
        self.setItemDelegate(SentenceDelegate(theme, self))
        self.setShowGrid(False)
        self.setTabKeyNavigation(False)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.verticalHeader().hide()
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.horizontalHeader().setHighlightSections(False)
        theme.follow(self, self._fit)

    def show_grid(self, content: GridContent | None) -> None:
        """The sentence that is chosen stays so while *content* says the same."""
        if content == self.grid_model.content:
            return
        self.grid_model.show(content)
        self._fit()

    def show_column(self, key: str) -> None:
        """Bring the sentences of the answer called *key* into sight, and give them the keyboard."""
        content = self.grid_model.content
        if content is None or key not in content.keys:
            return
        row = max(0, self.currentIndex().row())
        self.setCurrentIndex(self.grid_model.index(row, content.keys.index(key)))
        self.setFocus()

    def next_alone(self, step: int) -> bool:
        """Go to the next sentence that stands in one answer only, row by row; False where there is none."""
        model = self.grid_model
        columns = model.columnCount()
        alone = [
            (row, column)
            for row in range(model.rowCount())
            for column in range(columns)
            if model.index(row, column).data(ALONE_ROLE)
        ]
        if not alone:
            return False
        at = self.currentIndex()
        here = (at.row(), at.column()) if at.isValid() else (-1, -1)
        ahead = [place for place in alone if (place > here if step > 0 else place < here)] or alone
        target = ahead[0] if step > 0 else ahead[-1]
        self.setFocus()
        self.setCurrentIndex(model.index(*target))
        return True

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        columns = self.grid_model.columnCount()
        if columns:
            width = max(self._theme.px(_NARROWEST), self.viewport().width() // columns)
            for column in range(columns):
                self.setColumnWidth(column, width)
            self.resizeRowsToContents()

"""Sentences of all answers beside those that say the like; an empty cell is a sentence that an answer lacks."""

import math
from itertools import groupby
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, QPointF, QRectF, QSize, Qt
from PySide6.QtGui import QFont, QKeyEvent, QPainter, QPen, QResizeEvent, QTextCharFormat, QTextLayout, QTextOption
from PySide6.QtWidgets import (
    QAbstractItemView,
    QHeaderView,
    QStyle,
    QStyledItemDelegate,
    QStyleOptionViewItem,
    QTableView,
)

from gpf_desktop.domain.text import tr, trn
from gpf_desktop.ui.review.reading_content import GridContent
from gpf_desktop.ui.theme import Theme
from gpf_desktop.ui.theme.tokens import SPACE_2
from gpf_desktop.ui.widgets.plain import plain_tip

Index = QModelIndex | QPersistentModelIndex
Role = Qt.ItemDataRole
_ROOT = QModelIndex()
_NARROWEST = 216
_LINE = 1.2
ALONE_ROLE = Role.UserRole + 1
QUIET_ROLE = Role.UserRole + 2
"""Whether a cell only says that others say the same."""


class GridTableModel(QAbstractTableModel):
    """A `GridContent` for Qt; sentences that all answers share are one row until they are opened."""

    def __init__(self, theme: Theme, parent: QTableView) -> None:
        super().__init__(parent)
        self._theme = theme
        self.content: GridContent | None = None
        self._lines: tuple[tuple[int, ...], ...] = ()
        """Rows of the content; several where a line stands for sentences alike in all."""
        self._opened: frozenset[int] = frozenset()

    def show(self, content: GridContent | None) -> None:
        self._opened = frozenset()
        self._lay(content)

    def open(self, at: int) -> None:
        """Show the sentences that the line at *at* stands for."""
        if self.stands_for(at):
            self._opened |= frozenset(self._lines[at])
            self._lay(self.content)

    def stands_for(self, at: int) -> int:
        """How many sentences, alike in all answers, a line stands for; 0: it is a sentence itself."""
        rows = self._lines[at]
        return len(rows) if self._closed(rows[0]) else 0

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._lines)

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
        row = self._lines[index.row()][0]
        text, same = self.content.rows[row][index.column()], self.content.same[row]
        quiet = bool(self.stands_for(index.row())) or same[index.column()] not in (-1, index.column())
        alone = self.content.alone[row] and bool(text)
        said = {
            Role.DisplayRole: self._said(index),
            Role.AccessibleTextRole: self._said(index) or tr("nothing like it in this answer"),
            Role.ToolTipRole: plain_tip(tr("Only in this answer") if alone else text if quiet else ""),
            ALONE_ROLE: alone,
            QUIET_ROLE: quiet,
        }
        return said.get(role)

    def _said(self, index: Index) -> str:
        content = self.content
        assert content is not None
        number, row = self.stands_for(index.row()), self._lines[index.row()][0]
        if number:
            return trn("{n} sentence alike in all", "{n} sentences alike in all", number)
        first = content.same[row][index.column()]
        if first in (-1, index.column()):
            return content.rows[row][index.column()]
        return f"= {content.headings[first].split(' · ')[0]}"

    def _closed(self, row: int) -> bool:
        assert self.content is not None
        same = self.content.same[row]
        return len(same) > 1 and row not in self._opened and all(first == 0 for first in same)

    def _lay(self, content: GridContent | None) -> None:
        self.beginResetModel()
        self.content = content
        rows = range(0 if content is None else len(content.rows))
        self._lines = tuple(
            line
            for closed, group in groupby(rows, self._closed)
            for line in ((tuple(group),) if closed else tuple((row,) for row in group))
        )
        self.endResetModel()


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
            quiet = bool(index.data(QUIET_ROLE))
            self._paint_text(painter, rect, text, alone=bool(index.data(ALONE_ROLE)), quiet=quiet)
        if option.state & QStyle.StateFlag.State_Selected:
            painter.setPen(QPen(theme.color("focus"), 2))
            painter.drawRect(rect.adjusted(1, 1, -1, -1))
        painter.restore()

    def _paint_text(self, painter: QPainter, rect: QRectF, text: str, *, alone: bool, quiet: bool) -> None:
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
        painter.setPen(theme.color("text_secondary" if quiet else "text"))
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
        self.clicked.connect(lambda index: self._open(index.row()))
        theme.follow(self, self._fit)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.currentIndex().isValid():
            self._open(self.currentIndex().row())
        else:
            super().keyPressEvent(event)

    def _open(self, at: int) -> None:
        """Show the sentences that are alike in all answers, if the line *at* stands for some."""
        if self.grid_model.stands_for(at):
            self.grid_model.open(at)
            self._fit()
            self.setCurrentIndex(self.grid_model.index(at, 0))

    def show_grid(self, content: GridContent | None) -> None:
        """The sentence that is chosen stays so while *content* says the same."""
        if content == self.grid_model.content:
            return
        self.grid_model.show(content)
        self._fit()

    @property
    def read(self) -> str:
        """The key of the answer whose sentence has the keyboard; empty: none has."""
        content, column = self.grid_model.content, self.currentIndex().column()
        return content.keys[column] if content is not None and column >= 0 and self.hasFocus() else ""

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
            # Whole ones in sight: cut in its middle, a sentence is not read at all.
            narrowest, room = self._theme.px(_NARROWEST), self.viewport().width()
            width = max(narrowest, room // min(columns, max(1, room // narrowest)))
            for column in range(columns):
                self.setColumnWidth(column, width)
            self.clearSpans()
            for row in range(self.grid_model.rowCount()):
                if columns > 1 and self.grid_model.stands_for(row):
                    self.setSpan(row, 0, 1, columns)
            self.resizeRowsToContents()

"""Sentences of all answers beside those that say the like; an empty cell is a sentence that an answer lacks."""

from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView

from gpf_desktop.domain.text import tr
from gpf_desktop.ui.review.reading import GridContent
from gpf_desktop.ui.theme import Theme

Index = QModelIndex | QPersistentModelIndex
Role = Qt.ItemDataRole
_ROOT = QModelIndex()
_NARROWEST = 240


class GridTableModel(QAbstractTableModel):
    """A `GridContent` for Qt."""

    def __init__(self, theme: Theme, parent: QTableView) -> None:
        super().__init__(parent)
        self._theme = theme
        self._content: GridContent | None = None

    def show(self, content: GridContent | None) -> None:
        self.beginResetModel()
        self._content = content
        self.endResetModel()

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() or self._content is None else len(self._content.rows)

    def columnCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() or self._content is None else len(self._content.headings)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Role.DisplayRole) -> Any:
        if self._content is None or orientation is not Qt.Orientation.Horizontal:
            return None
        if role == Role.TextAlignmentRole:
            return Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter
        return self._content.headings[section] if role == Role.DisplayRole else None

    def data(self, index: Index, role: int = Role.DisplayRole) -> Any:  # noqa: PLR0911 - one answer per role
        if self._content is None or not index.isValid():
            return None
        row = self._content.rows[index.row()]
        text = row[index.column()]
        match role:
            case Role.DisplayRole:
                return text
            case Role.AccessibleTextRole:
                return text or tr("nothing like it in this answer")
            case Role.FontRole:
                return self._theme.reading_font()
            case Role.TextAlignmentRole:
                return Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop
            case Role.BackgroundRole if not text:
                return self._theme.color("sunken")
            case Role.BackgroundRole if sum(bool(cell) for cell in row) == 1 and len(row) > 1:
                return self._theme.color("only_here")
            case Role.ToolTipRole if text and sum(bool(cell) for cell in row) == 1:
                return tr("Only in this answer")
        return None


class SentenceGridView(QTableView):
    """Rows are as high as their longest sentence; columns share the room, each wide enough to read."""

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self.setObjectName("review.grid")
        self.setAccessibleName(tr("Sentences of all answers"))
        self.grid_model = GridTableModel(theme, self)
        self.setModel(self.grid_model)
        self.setWordWrap(True)
        self.setShowGrid(True)
        self.setTabKeyNavigation(False)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.verticalHeader().hide()
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Fixed)
        self.horizontalHeader().setHighlightSections(False)
        theme.follow(self, self._fit)

    def show_grid(self, content: GridContent | None) -> None:
        self.grid_model.show(content)
        self._fit()

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

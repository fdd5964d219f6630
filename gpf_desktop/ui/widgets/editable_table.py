"""Rows of text that are edited in place, each change one step back."""

from collections.abc import Collection, Sequence
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QUndoCommand, QUndoStack
from PySide6.QtWidgets import QAbstractItemView, QTableView

from gpf_desktop.domain.text import tr
from gpf_desktop.ui.theme import Theme
from gpf_desktop.ui.widgets.plain import plain_tip

TextRow = tuple[str, ...]
Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()
_ROW = 34
_NARROW, _WIDE = 110, 320


class _Change(QUndoCommand):
    """From some rows to others."""

    def __init__(self, model: "EditableRows", after: Sequence[TextRow], words: str) -> None:
        super().__init__(words)
        self._model, self._before, self._after = model, model.rows, tuple(after)

    def undo(self) -> None:
        self._model.show_rows(self._before)

    def redo(self) -> None:
        self._model.show_rows(self._after)


class EditableRows(QAbstractTableModel):
    """Rows as long as *columns*; those *fixed* are only read."""

    def __init__(self, columns: Sequence[str], fixed: Collection[str] = ()) -> None:
        super().__init__()
        self.columns = tuple(columns)
        self._fixed = frozenset(fixed)
        self.rows: tuple[TextRow, ...] = ()
        self.steps = QUndoStack(self)

    def replace(self, rows: Sequence[Sequence[str]], words: str) -> None:
        """Hold *rows* from now on; *words* say what was done, for Undo."""
        after = tuple(tuple(row) for row in rows)
        if after != self.rows:
            self.steps.push(_Change(self, after, words))

    def remove(self, places: Collection[int]) -> None:
        left = [row for at, row in enumerate(self.rows) if at not in places]
        self.replace(left, tr("Remove rows"))

    def set_columns(self, columns: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
        """Hold other columns; nothing leads back behind this."""
        self.steps.clear()
        self.beginResetModel()
        self.columns, self.rows = tuple(columns), tuple(tuple(row) for row in rows)
        self.endResetModel()

    def show_rows(self, rows: tuple[TextRow, ...]) -> None:
        """Without a step back: what steps back are made of."""
        if len(rows) == len(self.rows):
            self.rows = rows
            if rows:
                self.dataChanged.emit(self.index(0, 0), self.index(len(rows) - 1, len(self.columns) - 1))
        else:
            self.beginResetModel()
            self.rows = rows
            self.endResetModel()

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self.columns)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role == Qt.ItemDataRole.DisplayRole and orientation is Qt.Orientation.Horizontal:
            return self.columns[section].replace("_", " ").capitalize()
        return None

    def flags(self, index: Index) -> Qt.ItemFlag:
        flags = super().flags(index)
        changeable = index.isValid() and self.columns[index.column()] not in self._fixed
        return flags | Qt.ItemFlag.ItemIsEditable if changeable else flags

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        text = self.rows[index.row()][index.column()]
        match role:
            case Qt.ItemDataRole.DisplayRole | Qt.ItemDataRole.EditRole:
                return text
            case Qt.ItemDataRole.AccessibleTextRole:
                return f"{self.headerData(index.column(), Qt.Orientation.Horizontal)} {text or tr('empty')}"
            case Qt.ItemDataRole.ToolTipRole:
                return plain_tip(text) or None
        return None

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        if role != Qt.ItemDataRole.EditRole or not index.isValid():
            return False
        rows, at = list(self.rows), index.column()
        row = rows[index.row()]
        rows[index.row()] = (*row[:at], " ".join(str(value).split()), *row[at + 1 :])
        self.replace(rows, tr("Edit a cell"))
        return True


class EditableTable(QTableView):
    """Delete takes the selected rows out, Ctrl+Z brings them back; F2 or a double click edits a cell."""

    chosen = Signal(int)
    """The current row, or -1."""

    def __init__(self, theme: Theme, model: EditableRows, *, says: str, wide: Collection[str], name: str) -> None:
        super().__init__()
        self.setObjectName(name)
        self.setAccessibleName(says)
        self.rows = model
        self.setModel(model)
        self.setShowGrid(False)
        self.setWordWrap(False)
        self.setTabKeyNavigation(False)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setHorizontalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.verticalHeader().hide()
        self.horizontalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self.selectionModel().currentRowChanged.connect(lambda now, _: self.chosen.emit(now.row()))

        def size() -> None:
            self.verticalHeader().setDefaultSectionSize(theme.px(_ROW))
            for at, column in enumerate(model.columns):
                self.setColumnWidth(at, theme.px(_WIDE if column in wide else _NARROW))

        theme.follow(self, size)
        model.modelReset.connect(size)

    def remove_selected(self) -> None:
        self.rows.remove({index.row() for index in self.selectionModel().selectedRows()})

    def keyPressEvent(self, event: QKeyEvent) -> None:
        editing = self.state() is QAbstractItemView.State.EditingState
        if not editing and event.matches(QKeySequence.StandardKey.Undo):
            self.rows.steps.undo()
        elif not editing and event.matches(QKeySequence.StandardKey.Redo):
            self.rows.steps.redo()
        elif not editing and event.key() == Qt.Key.Key_Delete:
            self.remove_selected()
        else:
            super().keyPressEvent(event)

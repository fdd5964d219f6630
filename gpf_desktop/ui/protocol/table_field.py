"""A list of plain texts as a table: rows are edited in place, added, taken out and moved, by buttons and by keys."""

from dataclasses import replace
from typing import Any, Final, get_origin

from PySide6.QtCore import QAbstractTableModel, QLocale, QModelIndex, QPersistentModelIndex, QSignalBlocker, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QAbstractItemView, QTableView

from gpf_desktop.domain.text import tr
from gpf_desktop.plain_data import mapped
from gpf_desktop.ui.protocol.kinds import (
    NOTHING,
    Field,
    bare,
    blank,
    columns_of,
    fields_of,
    new_row,
    record_in,
    rows_of,
)
from gpf_desktop.ui.theme import Theme
from gpf_desktop.ui.theme.tokens import SPACE_2
from gpf_desktop.ui.widgets.boxes import PlainWidget, vbox
from gpf_desktop.ui.widgets.buttons import button
from gpf_desktop.ui.widgets.layouts import flowing
from gpf_desktop.ui.widgets.plain import plain_tip

Index = QModelIndex | QPersistentModelIndex
_ROOT = QModelIndex()
_SHOWN: Final = 14
"""Rows that are seen without scrolling, at most."""
_WIDEST: Final = 220


class RowsModel(QAbstractTableModel):
    """The rows of a field's value, which is made anew with every edit."""

    edited = Signal()

    def __init__(self, field: Field) -> None:
        super().__init__()
        self.columns = columns_of(field.kind)
        self._kind = field.kind
        self._item: Any = field.item if _is_list(field.kind) else None
        self.ordered = self._item is not None
        """The order of rows says something: that of a map's entries does not."""
        self.value: Any = blank(field.kind)
        self.rows: list[tuple[Any, ...]] = []

    def show(self, value: Any) -> None:
        """Show the rows of *value*; where there are as many as before, the place and the choice stay."""
        rows = list(rows_of(value))
        anew = len(rows) != len(self.rows)
        if anew:
            self.beginResetModel()
        self.value, self.rows = value, rows
        if anew:
            self.endResetModel()
        elif rows:
            self.dataChanged.emit(self.index(0, 0), self.index(len(rows) - 1, len(self.columns) - 1))

    def take(self, rows: list[tuple[Any, ...]]) -> None:
        """Let the value have *rows*, as an edit of the auditor's."""
        self.show(self._made(rows))
        self.edited.emit()

    def new_row(self) -> tuple[Any, ...]:
        """An empty one."""
        return new_row(self._kind)

    def _made(self, rows: list[tuple[Any, ...]]) -> Any:
        if self._item is None:
            return mapped((name, value) for name, value in rows)
        record = record_in(bare(self._item))
        if record is None:
            return tuple(rows)
        names = [each.name for each in fields_of(record, NOTHING)]
        # A row keeps what of its record is no column.
        kept = dict(zip(self.rows, self.value, strict=True))
        empty = blank(self._item)
        return tuple(replace(kept.get(row, empty), **dict(zip(names, row, strict=True))) for row in rows)

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self.rows)

    def columnCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self.columns)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if role != Qt.ItemDataRole.DisplayRole:
            return None
        return self.columns[section] if orientation is Qt.Orientation.Horizontal else str(section + 1)

    def flags(self, index: Index) -> Qt.ItemFlag:
        return super().flags(index) | Qt.ItemFlag.ItemIsEditable

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        if not index.isValid():
            return None
        value = self.rows[index.row()][index.column()]
        text = value if isinstance(value, str) else QLocale().toString(value, "g", 6)
        match role:
            case Qt.ItemDataRole.DisplayRole:
                return text.replace("\n", " ⏎ ")
            case Qt.ItemDataRole.EditRole:
                # A number is edited in a box that takes nothing else.
                return value
            case Qt.ItemDataRole.ToolTipRole:
                return plain_tip(text)
            case Qt.ItemDataRole.AccessibleTextRole:
                return text or tr("empty")
        return None

    def setData(self, index: Index, value: Any, role: int = Qt.ItemDataRole.EditRole) -> bool:
        row = self.rows[index.row()]
        if role != Qt.ItemDataRole.EditRole or row[index.column()] == value:
            return False
        changed = (*row[: index.column()], value, *row[index.column() + 1 :])
        self.take([changed if at == index.row() else each for at, each in enumerate(self.rows)])
        return True


class RowsTable(QTableView):
    """Enter or typing edits a cell; Delete takes the chosen rows out; Alt with an arrow moves one."""

    def __init__(self, theme: Theme, model: RowsModel, says: str, name: str) -> None:
        super().__init__()
        self.setModel(model)
        self.rows = model
        self.setObjectName(name)
        self.setAccessibleName(says)
        self.setTabKeyNavigation(False)
        self.setAlternatingRowColors(False)
        self.setShowGrid(False)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setEditTriggers(
            QAbstractItemView.EditTrigger.DoubleClicked
            | QAbstractItemView.EditTrigger.EditKeyPressed
            | QAbstractItemView.EditTrigger.AnyKeyPressed
        )
        self.horizontalHeader().setStretchLastSection(True)
        self.horizontalHeader().setDefaultAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)
        self.horizontalHeader().setHighlightSections(False)
        self.horizontalHeader().setDefaultSectionSize(theme.px(_WIDEST if len(model.columns) < 4 else _WIDEST // 2))
        model.modelReset.connect(self.fit)
        theme.follow(self, self.fit)

    def fit(self) -> None:
        """As high as its rows, up to some."""
        row = self.verticalHeader().defaultSectionSize()
        shown = min(_SHOWN, max(2, len(self.rows.rows)))
        self.setFixedHeight(self.horizontalHeader().sizeHint().height() + shown * row + 2 * self.frameWidth() + 2)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        moves = {Qt.Key.Key_Up: -1, Qt.Key.Key_Down: 1}
        if event.modifiers() & Qt.KeyboardModifier.AltModifier and event.key() in moves:
            self.move_row(moves[Qt.Key(event.key())])
        elif event.key() == Qt.Key.Key_Delete:
            self.remove()
        elif event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            # A cell that is open ends its edit by the same key, which then comes here.
            if self.state() is not QAbstractItemView.State.EditingState:
                self.edit(self.currentIndex())
        else:
            super().keyPressEvent(event)

    def add(self) -> None:
        """A row below the others, its first cell open to be typed."""
        self.rows.take([*self.rows.rows, self.rows.new_row()])
        self._choose(len(self.rows.rows) - 1, 0)
        self.edit(self.currentIndex())

    def remove(self) -> None:
        """The rows in which something is chosen."""
        gone = {each.row() for each in self.selectionModel().selectedIndexes()}
        if gone:
            first = min(gone)
            self.rows.take([each for at, each in enumerate(self.rows.rows) if at not in gone])
            self._choose(min(first, len(self.rows.rows) - 1), 0)

    def move_row(self, step: int) -> None:
        """Let the row that has the cursor change places with its neighbour."""
        here, rows = self.currentIndex(), list(self.rows.rows)
        other = here.row() + step
        if self.rows.ordered and here.isValid() and 0 <= other < len(rows):
            rows[here.row()], rows[other] = rows[other], rows[here.row()]
            self.rows.take(rows)
            self._choose(other, here.column())

    def _choose(self, row: int, column: int) -> None:
        if row >= 0:
            self.setCurrentIndex(self.rows.index(row, column))
        self.setFocus()


class TableEditor(PlainWidget):
    """The table and its buttons."""

    changed = Signal()

    def __init__(self, theme: Theme, field: Field, says: str, name: str) -> None:
        super().__init__()
        self._model = RowsModel(field)
        self.table = RowsTable(theme, self._model, says, name)
        self._model.setParent(self.table)
        self._model.edited.connect(self.changed)
        table = self.table
        add = button(tr(field.shown.add) or tr("Add a row"), table.add, compact=True, name=f"{name}.add")
        theme.put_icon(add, "add")
        self._tools = [button(tr("Remove"), table.remove, compact=True, name=f"{name}.remove")]
        if self._model.ordered:
            self._tools += [
                button(tr("Move up"), lambda: table.move_row(-1), compact=True, name=f"{name}.up"),
                button(tr("Move down"), lambda: table.move_row(1), compact=True, name=f"{name}.down"),
            ]
        self.setFocusProxy(table)
        vbox(table, flowing(add, *self._tools), parent=self, spacing=SPACE_2)
        table.selectionModel().currentChanged.connect(self._show)
        self._model.modelReset.connect(self._show)
        self._show()

    def value(self) -> Any:
        return self._model.value

    def set_value(self, value: Any) -> None:
        with QSignalBlocker(self):
            self._model.show(value)
        self._show()

    def _show(self, *_: object) -> None:
        at, many = self.table.currentIndex().row(), self._model.rowCount()
        for tool, usable in zip(self._tools, (at >= 0, at > 0, 0 <= at < many - 1), strict=False):
            tool.setEnabled(usable)


def _is_list(kind: Any) -> bool:
    return get_origin(bare(kind)) is tuple

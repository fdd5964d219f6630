"""Qt's view of rows: all in memory, or loaded by the page as one scrolls."""

from collections.abc import Callable, Hashable, Mapping, Sequence
from itertools import combinations, pairwise
from typing import Any, Generic, TypeVar

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtGui import QFont

from gpf_desktop.ui.theme import Theme
from gpf_desktop.ui.widgets.columns import TableColumn
from gpf_desktop.ui.widgets.paged_rows import Load, PagedRows
from gpf_desktop.ui.widgets.plain import plain_tip

R = TypeVar("R")
K = TypeVar("K")
Index = QModelIndex | QPersistentModelIndex
Role = Qt.ItemDataRole

BAR_ROLE = Role.UserRole + 1
"""A share from 0 to 1, or None."""
_ROOT = QModelIndex()


class ColumnsTableModel(QAbstractTableModel, Generic[R]):
    """The base of both kinds of table model: columns answer Qt's questions about a row."""

    ticked = Signal(object, bool)
    """A row, and whether its tick box was set."""

    def __init__(self, theme: Theme, columns: Sequence[TableColumn[R]]) -> None:
        super().__init__()
        self._theme = theme
        self.columns = tuple(columns)
        self.broken: Mapping[int, int] = {}
        """Columns whose titles stand on several lines, and on how many."""
        theme.on_change(self, self._repaint)

    def row_at(self, at: int) -> R | None:
        """The row, or None while it is not loaded."""
        raise NotImplementedError

    def as_text(self, places: Sequence[int], then: Callable[[str], object]) -> None:
        """Hand the rows at *places*, with a header, to *then*: tab-separated, as the screen shows them."""
        rows = [row for row in map(self.row_at, places) if row is not None]
        then("\n".join([self._line(), *map(self._line, rows)]))

    def _line(self, row: R | None = None) -> str:
        """The cells of *row*, or the titles."""
        cells = (column.title if row is None else column.text(row) for column in self.columns)
        return "\t".join(cell.replace("\t", " ").replace("\n", " ") for cell in cells)

    def columnCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self.columns)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Role.DisplayRole) -> Any:
        if orientation is not Qt.Orientation.Horizontal or not 0 <= section < len(self.columns):
            return None
        column = self.columns[section]
        match role:
            case Role.DisplayRole:
                return on_lines(column.title, self.broken.get(section, 1))
            case Role.AccessibleTextRole:
                return column.title
            case Role.ToolTipRole:
                return plain_tip(column.help or column.title)
            case Role.TextAlignmentRole:
                return _alignment(column)
        return None

    def flags(self, index: Index) -> Qt.ItemFlag:
        if not index.isValid():
            return Qt.ItemFlag.NoItemFlags
        base = Qt.ItemFlag.ItemIsEnabled | Qt.ItemFlag.ItemIsSelectable | Qt.ItemFlag.ItemNeverHasChildren
        if self.columns[index.column()].checked is not None:
            return base | Qt.ItemFlag.ItemIsUserCheckable
        return base

    def data(self, index: Index, role: int = Role.DisplayRole) -> Any:
        if not index.isValid():
            return None
        column = self.columns[index.column()]
        if role == Role.TextAlignmentRole:
            return _alignment(column)
        row = self.row_at(index.row())
        if row is None:
            return "…" if role == Role.DisplayRole and index.column() == 0 else None
        return self._say(column, row, role)

    def setData(self, index: Index, value: Any, role: int = Role.EditRole) -> bool:
        row = self.row_at(index.row())
        if role != Role.CheckStateRole or row is None:
            return False
        self.ticked.emit(row, Qt.CheckState(value) is Qt.CheckState.Checked)
        return True

    def _say(self, column: TableColumn[R], row: R, role: int) -> Any:  # noqa: PLR0911 - one answer per role
        match role:
            case Role.DisplayRole:
                return "" if column.bar is not None else column.text(row)
            case Role.AccessibleTextRole:
                return column.spoken(row) if column.spoken is not None else f"{column.title} {column.text(row)}".strip()
            case Role.ToolTipRole:
                return (plain_tip(column.tip(row)) or None) if column.tip is not None else None
            case Role.DecorationRole if column.icon is not None:
                named = column.icon(row)
                return self._theme.icon(*named) if named is not None else None
            case Role.ForegroundRole if column.token is not None:
                token = column.token(row)
                return self._theme.color(token) if token else None
            case Role.FontRole if column.strong:
                return self._theme.font(weight=QFont.Weight.DemiBold)
            case Role.CheckStateRole if column.checked is not None:
                ticked = column.checked(row)
                return None if ticked is None else (Qt.CheckState.Checked if ticked else Qt.CheckState.Unchecked)
            case _ if role == BAR_ROLE and column.bar is not None:
                return column.bar(row)
        return None

    def _repaint(self) -> None:
        if self.rowCount():
            self.dataChanged.emit(self.index(0, 0), self.index(self.rowCount() - 1, self.columnCount() - 1))


class RowsTableModel(ColumnsTableModel[R]):
    """Some thousand rows at most, sortable by any column."""

    def __init__(
        self, theme: Theme, columns: Sequence[TableColumn[R]], key: Callable[[R], Hashable] = lambda row: row
    ) -> None:
        super().__init__(theme, columns)
        self._key = key
        self._rows: list[R] = []
        self._order: tuple[int, Qt.SortOrder] | None = None

    @property
    def rows(self) -> tuple[R, ...]:
        """In the order shown."""
        return tuple(self._rows)

    def set_rows(self, rows: Sequence[R]) -> None:
        """Show *rows*. Where they are the same ones (by key), cells repaint and selection and place stay."""
        ordered = self._sorted(rows)
        if [self._key(row) for row in ordered] == [self._key(row) for row in self._rows]:
            self._rows = ordered
            self._repaint()
            return
        self.beginResetModel()
        self._rows = ordered
        self.endResetModel()

    def row_at(self, at: int) -> R | None:
        return self._rows[at] if 0 <= at < len(self._rows) else None

    def key_at(self, at: int) -> Hashable:
        row = self.row_at(at)
        return None if row is None else self._key(row)

    def index_of(self, key: Hashable) -> int:
        """The place of the row with *key*, or -1."""
        return next((at for at, row in enumerate(self._rows) if self._key(row) == key), -1)

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._rows)

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        self._order = (column, order) if column >= 0 else None
        self.layoutAboutToBeChanged.emit()
        before = [self._key(row) for row in self._rows]
        self._rows = self._sorted(self._rows)
        places = {self._key(row): at for at, row in enumerate(self._rows)}
        # The selection and the current row are such indices: they go with their rows.
        for index in self.persistentIndexList():
            moved = self.index(places[before[index.row()]], index.column())
            self.changePersistentIndex(index, moved)
        self.layoutChanged.emit()

    def _sorted(self, rows: Sequence[R]) -> list[R]:
        if self._order is None:
            return list(rows)
        column, order = self.columns[self._order[0]], self._order[1]
        by = column.sort or (lambda row: column.text(row).casefold())
        known = [row for row in rows if by(row) is not None]
        known.sort(key=by, reverse=order is Qt.SortOrder.DescendingOrder)
        # Apart from the others, so that they stand last downwards too.
        return [*known, *(row for row in rows if by(row) is None)]


class PagedTableModel(ColumnsTableModel[R], Generic[K, R]):
    """Any number of rows: their keys in order are known, the rows come page by page as they are looked at."""

    PAGE = 100
    COPIED = 500
    """Rows made into text in one go: some milliseconds."""
    ordered = Signal(int, bool)
    """The column that whoever has the keys is to sort them by, -1 for their own order, and whether downwards."""

    def __init__(
        self,
        theme: Theme,
        columns: Sequence[TableColumn[R]],
        load: Load[K, R],
        key: Callable[[R], K],
        *,
        sorts: bool = False,
    ) -> None:
        super().__init__(theme, columns)
        self.sorts = sorts
        self._load = load
        self._keys: Sequence[K] = ()
        self._rows = PagedRows(load, key, self._repaint)

    def set_keys(self, keys: Sequence[K]) -> None:
        """Show the rows of *keys*, in this order."""
        self.beginResetModel()
        self._keys = keys
        self._rows.forget()
        self.endResetModel()

    def refresh(self) -> None:
        """Load what was looked at last again; order and number stay."""
        self._rows.renew((), self.PAGE)

    def sort(self, column: int, order: Qt.SortOrder = Qt.SortOrder.AscendingOrder) -> None:
        if self.sorts:
            self.ordered.emit(column, order is Qt.SortOrder.DescendingOrder)

    def key_at(self, at: int) -> K | None:
        return self._keys[at] if 0 <= at < len(self._keys) else None

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._keys)

    def row_at(self, at: int) -> R | None:
        row = self._rows.get(self._keys[at])
        if row is None:
            start = at - at % self.PAGE
            self._rows.want(self._keys[start : start + self.PAGE])
        return row

    def as_text(self, places: Sequence[int], then: Callable[[str], object]) -> None:
        """Loads the rows, some at a time so that the window goes on; those that are no more are left out."""
        keys = [self._keys[at] for at in places]
        lines = [self._line()]

        def load(start: int) -> None:
            if start >= len(keys):
                then("\n".join(lines))
                return
            # No loop: rows come in a later turn of the event loop, so the window paints in between and no stack grows.
            self._load(keys[start : start + self.COPIED], lambda rows: take(rows, start))

        def take(rows: Sequence[R], start: int) -> None:
            lines.extend(map(self._line, rows))
            load(start + self.COPIED)

        load(0)


def _alignment(column: TableColumn[Any]) -> Qt.AlignmentFlag:
    side = Qt.AlignmentFlag.AlignRight if column.numeric else Qt.AlignmentFlag.AlignLeft
    return side | Qt.AlignmentFlag.AlignVCenter


def on_lines(title: str, most: int) -> str:
    """*title* on up to *most* lines, the longest of them as short as it can be."""
    words = title.split(" ")
    ways = (cuts for n in range(min(most, len(words))) for cuts in combinations(range(1, len(words)), n))
    told = (tuple(" ".join(words[i:j]) for i, j in pairwise((0, *cuts, len(words)))) for cuts in ways)
    return "\n".join(min(told, key=lambda lines: max(map(len, lines))))

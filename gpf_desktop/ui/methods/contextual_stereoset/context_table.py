"""The contexts of a grid as a table, to be ticked where the grid is one's own."""

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt, Signal
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView

from gpf_desktop.domain.text import tr
from gpf_desktop.ui.methods.contextual_stereoset.grid_draft import Context

Index = QModelIndex | QPersistentModelIndex
Role = Qt.ItemDataRole
_ROOT = QModelIndex()


class ContextTableModel(QAbstractTableModel):
    """A row for each context, a column for each factor."""

    ticked = Signal(object, bool)
    """A context, and whether it is asked."""

    def __init__(self, parent: QTableView) -> None:
        super().__init__(parent)
        self._factors: Sequence[str] = ()
        self.contexts: Sequence[Context] = ()
        self._asked: frozenset[Context] | None = None

    def show(self, factors: Sequence[str], contexts: Sequence[Context], asked: frozenset[Context] | None) -> None:
        """*asked*: those that are ticked; None: all are asked, and nothing is to be ticked."""
        # A reset would lose the row that is chosen and the place that is scrolled to, at every tick.
        if (factors, contexts) == (self._factors, self.contexts) and (asked is None) == (self._asked is None):
            self._asked = asked
            last = self.index(len(contexts) - 1, 0)
            self.dataChanged.emit(self.index(0, 0), last, [Role.CheckStateRole])
            return
        self.beginResetModel()
        self._factors, self.contexts, self._asked = factors, contexts, asked
        self.endResetModel()

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self.contexts)

    def columnCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._factors)

    def headerData(self, section: int, orientation: Qt.Orientation, role: int = Role.DisplayRole) -> Any:
        across = orientation is Qt.Orientation.Horizontal and role == Role.DisplayRole
        return self._factors[section] if across else None

    def flags(self, index: Index) -> Qt.ItemFlag:
        plain = super().flags(index)
        return plain | Qt.ItemFlag.ItemIsUserCheckable if self._asked is not None and index.column() == 0 else plain

    def data(self, index: Index, role: int = Role.DisplayRole) -> Any:
        if not index.isValid():
            return None
        context = self.contexts[index.row()]
        if role in (Role.DisplayRole, Role.AccessibleTextRole):
            return context[index.column()]
        if role == Role.CheckStateRole and self._asked is not None and index.column() == 0:
            return Qt.CheckState.Checked if context in self._asked else Qt.CheckState.Unchecked
        return None

    def setData(self, index: Index, value: Any, role: int = Role.EditRole) -> bool:
        if role != Role.CheckStateRole or self._asked is None:
            return False
        self.ticked.emit(self.contexts[index.row()], Qt.CheckState(value) is Qt.CheckState.Checked)
        return True


class ContextTable(QTableView):
    """One context is chosen at a time; Space ticks it."""

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("grid.contexts")
        self.setAccessibleName(tr("Contexts"))
        self.rows = ContextTableModel(self)
        self.setModel(self.rows)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.SingleSelection)
        self.setTabKeyNavigation(False)
        self.setShowGrid(False)
        self.verticalHeader().hide()
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)

    @property
    def chosen(self) -> Context | None:
        at = self.currentIndex().row()
        return self.rows.contexts[at] if 0 <= at < len(self.rows.contexts) else None

"""The rows of the queue: any number, loaded as they come into view."""

from collections.abc import Mapping, Sequence, Set
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, Qt
from PySide6.QtWidgets import QTableView

from gpf_desktop.domain.ids import BundleId
from gpf_desktop.domain.review_queue import QueueRow
from gpf_desktop.domain.text import tr
from gpf_desktop.ui.review.queue_delegate import HEADING_ROLE, LINE_ROLE
from gpf_desktop.ui.review.queue_groups import Groups, QueueGroup, rows_of
from gpf_desktop.ui.review.queue_words import QueueLine, practice_state, queue_line
from gpf_desktop.ui.widgets.paged_rows import Load, PagedRows
from gpf_desktop.ui.widgets.plain import plain_tip

Index = QModelIndex | QPersistentModelIndex
Role = Qt.ItemDataRole
PAGE = 60
_ROOT = QModelIndex()


class QueueTableModel(QAbstractTableModel):
    """Bundles in order; *load(ids, then)* brings rows and must not block."""

    def __init__(self, load: Load[BundleId, QueueRow], parent: QTableView) -> None:
        super().__init__(parent)
        self._ids: list[BundleId] = []
        self._rows = PagedRows(load, lambda row: row.bundle_id, self._repaint)
        self._score = ""
        """Which score the rows say."""
        self._groups: dict[BundleId, QueueGroup] = {}
        """By what stands for its heading among the rows."""
        self.open_bundle: BundleId | None = None
        self.blind = False
        self.scored = True
        self._practised: Mapping[BundleId, bool] | None = None
        self._shared: Set[str] = frozenset()

    def show(self, ids: Sequence[BundleId], groups: Groups = ()) -> None:
        """Show these bundles under the headings of *groups*.

        One that left or came is taken out or put in; anything else is a new list.
        """
        if not ids:
            # Between two audits there is none, and their bundles may have the same numbers.
            self._rows.forget()
        new = rows_of(groups, ids)
        headed = {group.head: group for group in groups}
        if headed != self._groups:
            self._groups = headed
            self._repaint()
        gone = _single(self._ids, new)
        come = _single(new, self._ids)
        if new == self._ids:
            return
        if gone is not None:
            # Rather than a reset, which would take selection and place in the list away.
            self.beginRemoveRows(_ROOT, gone, gone)
            self._ids = new
            self.endRemoveRows()
        elif come is not None:
            self.beginInsertRows(_ROOT, come, come)
            self._ids = new
            self.endInsertRows()
        else:
            self.beginResetModel()
            self._ids = new
            self.endResetModel()

    def renew(self, bundles: Sequence[BundleId]) -> None:
        """Load the rows of *bundles* again (all where empty); the old ones are shown until the new ones are there."""
        if not bundles:
            self._repaint()
        self._rows.renew(bundles, most=2 * PAGE)

    def set_score(self, score: str) -> None:
        """Rows say the score of this name; those that are loaded, or on their way, say another."""
        if score != self._score:
            self._score = score
            self._rows.forget()
            self._repaint()

    def ids(self, start: int = 0, end: int | None = None) -> Sequence[BundleId]:
        """The bundles of these rows; a heading is none."""
        rows = self._ids[start:end]
        return [bundle for bundle in rows if bundle not in self._groups] if self._groups else rows

    def places(self, bundles: Set[BundleId]) -> list[int]:
        """The rows of *bundles*, and of headings by what stands for them, from top to bottom."""
        return [row for row, bundle in enumerate(self._ids) if bundle in bundles]

    def heading_rows(self) -> list[int]:
        """The rows that are headings."""
        return self.places(set(self._groups)) if self._groups else []

    def group_at(self, at: int) -> QueueGroup | None:
        """The group whose heading this row is."""
        return self._groups.get(self._ids[at]) if 0 <= at < len(self._ids) else None

    def id_at(self, at: int) -> BundleId | None:
        return self._ids[at] if 0 <= at < len(self._ids) and self._ids[at] not in self._groups else None

    def row_at(self, at: int) -> QueueRow | None:
        bundle = self.id_at(at)
        row = self._rows.get(bundle) if bundle is not None else None
        if row is None and bundle is not None:
            start = at - at % PAGE
            self._rows.want(self.ids(start, start + PAGE))
        return row

    def rowCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else len(self._ids)

    def columnCount(self, parent: Index = _ROOT) -> int:
        return 0 if parent.isValid() else 1

    def data(self, index: Index, role: int = Role.DisplayRole) -> Any:
        group = self.group_at(index.row())
        if role == HEADING_ROLE or group is not None:
            return _of_heading(group, role)
        if not index.isValid() or role not in (
            Role.DisplayRole, Role.AccessibleTextRole, Role.ToolTipRole, LINE_ROLE
        ):  # fmt: skip
            return None
        row = self.row_at(index.row())
        if row is None:
            return None if role == LINE_ROLE else "…"
        line = self._line(row)
        match role:
            case Role.DisplayRole | Role.AccessibleTextRole:
                return line.spoken
            case Role.ToolTipRole:
                return plain_tip(line.tip)
            case _:
                return line

    def _line(self, row: QueueRow) -> QueueLine:
        is_open, practised = row.bundle_id == self.open_bundle, self._practised
        practice = None if practised is None else practice_state(practised.get(row.bundle_id), is_open=is_open)
        return queue_line(
            row, blind=self.blind, is_open=is_open, scored=self.scored, practice=practice, shared=self._shared
        )

    def flags(self, index: Index) -> Qt.ItemFlag:
        """A heading can be gone to, but is not chosen beside bundles."""
        heading = index.isValid() and self.group_at(index.row()) is not None
        return Qt.ItemFlag.ItemIsEnabled if heading else super().flags(index)

    def set_open(self, bundle: BundleId | None) -> None:
        self.open_bundle = bundle
        self._repaint()

    def set_blind(self, blind: bool, *, scored: bool = True) -> None:
        """*scored*: scores are shown all the same."""
        if (blind, scored) != (self.blind, self.scored):
            self.blind, self.scored = blind, scored
            self._repaint()

    def set_shared(self, shared: Set[str]) -> None:
        """Set the parts that all rows have in common, which no row repeats."""
        if shared != self._shared:
            self._shared = shared
            self._repaint()

    def set_practised(self, practised: Mapping[BundleId, bool] | None) -> None:
        """While the examples are practised: which are, and whether as the lead; None: the rows are there to be read."""
        if practised != self._practised:
            self._practised = None if practised is None else dict(practised)
            self._repaint()

    def _repaint(self) -> None:
        if self._ids:
            self.dataChanged.emit(self.index(0, 0), self.index(len(self._ids) - 1, 0))


def _of_heading(group: QueueGroup | None, role: int) -> object:
    if group is None or role == HEADING_ROLE:
        return group
    match role:
        case Role.DisplayRole | Role.AccessibleTextRole:
            return group.spoken
        case Role.ToolTipRole:
            return tr("Click to unfold, or Right") if group.folded else tr("Click to fold, or Left")
        case _:
            return None


def _single(longer: Sequence[BundleId], shorter: Sequence[BundleId]) -> int | None:
    """The place in *longer* of the one element that *shorter* lacks; None where they differ otherwise."""
    if len(longer) != len(shorter) + 1:
        return None
    at = next((i for i, bundle in enumerate(shorter) if longer[i] != bundle), len(shorter))
    return at if longer[at + 1 :] == shorter[at:] else None

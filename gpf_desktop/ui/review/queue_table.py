"""The queue at the left: two lines a row, one row open, any number selected beside it."""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence, Set
from contextlib import contextmanager
from types import MappingProxyType

from PySide6.QtCore import (
    QItemSelection,
    QItemSelectionModel,
    QModelIndex,
    QPersistentModelIndex,
    Qt,
    Signal,
)
from PySide6.QtGui import QKeyEvent, QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView

from gpf_desktop.domain.ids import BundleId
from gpf_desktop.domain.review_queue import QueueRow, QueueTab
from gpf_desktop.domain.text import tr
from gpf_desktop.ui.review.queue_delegate import HEADING, QueueDelegate
from gpf_desktop.ui.review.queue_table_model import QueueTableModel
from gpf_desktop.ui.theme import Theme

_NO_HEADINGS: Mapping[int, str] = MappingProxyType({})


class QueueTable(QTableView):
    """Rows of the tab shown; the current row is the bundle that is open."""

    picked = Signal(object)
    """The id of the bundle that the reviewer went to."""
    read = Signal()
    """Enter was pressed on the open row, or it was double-clicked: on to its answers."""
    selection_changed = Signal(object)
    """The bundles that are selected together; empty while only the open one is."""

    def __init__(
        self, theme: Theme, load: Callable[[Sequence[BundleId], Callable[[Sequence[QueueRow]], None]], object]
    ) -> None:
        super().__init__()
        self._theme = theme
        self._quiet = False
        self._handling = 0
        self._tab: QueueTab | None = None
        self._told: list[BundleId] = []
        self._headed: set[QPersistentModelIndex] = set()
        """Rows under a heading."""
        self.setObjectName("review.queue")
        self.setAccessibleName(tr("Bundles to read"))
        self.rows_model = QueueTableModel(load, self)
        self.setModel(self.rows_model)
        self._rows_as = QueueDelegate(theme, self)
        self.setItemDelegate(self._rows_as)
        self.setShowGrid(False)
        self.setTabKeyNavigation(False)
        self.horizontalHeader().hide()
        self.verticalHeader().hide()
        self.horizontalHeader().setSectionResizeMode(QHeaderView.ResizeMode.Stretch)
        self.setSelectionBehavior(QAbstractItemView.SelectionBehavior.SelectRows)
        self.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.setVerticalScrollMode(QAbstractItemView.ScrollMode.ScrollPerPixel)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.selectionModel().currentRowChanged.connect(self._went)
        self.selectionModel().selectionChanged.connect(lambda *_: self._tell())
        self.doubleClicked.connect(lambda _index: self.read.emit())
        theme.follow(self, self._restyle)

    def show_ids(
        self,
        tab: QueueTab,
        ids: Sequence[BundleId],
        current: BundleId | None,
        at: int,
        headings: Mapping[int, str] = _NO_HEADINGS,
    ) -> None:
        """Show the *ids* of *tab* with *current* selected, which stands at *at* (-1: nowhere in this tab).

        *headings* stand above the rows with these numbers.

        Several selected rows stay selected as long as they are in the tab, whatever else comes or goes.
        """
        kept = set(self.selected()) if tab is self._tab and self.several else set()
        self._tab = tab
        self._quiet = True
        self.rows_model.show(ids)
        self._show_headings(headings)
        self._select(current, at)
        if kept and not self.several:
            self._mark(kept)
        self._quiet = False
        self._tell()

    def select(self, current: BundleId | None, at: int) -> None:
        """Show *current* as the open one. Rows that are selected beside it stay so while it is one of them."""
        self._quiet = True
        self._select(current, at)
        self._quiet = False
        self._tell()

    def select_bundles(self, bundles: Collection[BundleId]) -> None:
        """Select these, as far as they stand in the tab shown; the open one stays open."""
        self._quiet = True
        self._mark(set(bundles))
        self._quiet = False
        self._tell()

    def select_open(self) -> None:
        """Only the open bundle again."""
        flags = QItemSelectionModel.SelectionFlag
        self.selectionModel().select(self.currentIndex(), flags.ClearAndSelect | flags.Rows)

    @property
    def several(self) -> bool:
        ranges = self.selectionModel().selection()
        return ranges.count() > 1 or (ranges.count() == 1 and ranges.at(0).height() > 1)

    def selected(self) -> list[BundleId]:
        """The selected bundles from top to bottom; by ranges, so that 100,000 of them cost nothing."""
        ranges = sorted((each.top(), each.bottom()) for each in self.selectionModel().selection().toList())
        return [bundle for top, bottom in ranges for bundle in self.rows_model.ids(top, bottom + 1)]

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self.several:
            # The strip under the queue came or went: the row that was just chosen stays in view.
            self.scrollTo(self.currentIndex())

    def mousePressEvent(self, event: QMouseEvent) -> None:
        with self._by_hand():
            super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        with self._by_hand():
            super().mouseMoveEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        with self._by_hand():
            super().mouseReleaseEvent(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape and self.several:
            self.select_open()
            return
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            self.read.emit()
            return
        with self._by_hand():
            super().keyPressEvent(event)

    @contextmanager
    def _by_hand(self) -> Iterator[None]:
        """Qt moves the current row first and selects afterwards: until both are done nothing else may select."""
        self._handling += 1
        try:
            yield
        finally:
            self._handling -= 1
            row = self.currentIndex().row()
            if row >= 0 and not self.several and not self.selectionModel().isRowSelected(row):
                self.select_open()
            self._tell()

    def _select(self, current: BundleId | None, at: int) -> None:
        self.rows_model.set_open(current)
        if self._handling and self.currentIndex().row() == at:
            return
        if at < 0:
            if not self._handling:
                self.clearSelection()
            return
        index, chosen = self.rows_model.index(at, 0), self.selectionModel().isRowSelected(at)
        if self.currentIndex().row() == at and (self.several or chosen):
            return
        if self.several and chosen:
            self.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.NoUpdate)
        else:
            self.setCurrentIndex(index)
        # Right after a reset Qt does not scroll to the current row by itself.
        self.scrollTo(index)

    def _mark(self, bundles: Set[BundleId]) -> None:
        rows = [row for row, bundle in enumerate(self.rows_model.ids()) if bundle in bundles]
        chosen = QItemSelection()
        first = last = -2
        for row in [*rows, -1]:
            if row == last + 1:
                last = row
                continue
            if first >= 0:
                chosen.select(self.rows_model.index(first, 0), self.rows_model.index(last, 0))
            first = last = row
        if rows:
            self.selectionModel().select(chosen, QItemSelectionModel.SelectionFlag.ClearAndSelect)

    def _tell(self) -> None:
        """Say which rows are selected, once nothing moves any more."""
        if self._handling or self._quiet:
            return
        now = self.selected() if self.several else []
        if now != self._told:
            self._told = now
            self.selection_changed.emit(now)

    def _went(self, now: QModelIndex) -> None:
        bundle = self.rows_model.id_at(now.row()) if now.isValid() else None
        if bundle is not None and not self._quiet:
            self.picked.emit(bundle)

    def _show_headings(self, headings: Mapping[int, str]) -> None:
        self.rows_model.headings = headings
        wanted = {QPersistentModelIndex(self.rows_model.index(row, 0)) for row in headings}
        for index in self._headed | wanted:
            if index.isValid():
                higher = HEADING if index in wanted else 0
                self.verticalHeader().resizeSection(index.row(), self._rows_as.row_height + self._theme.px(higher))
        self._headed = wanted

    def set_close(self, close: bool) -> None:
        """Show two lines a row rather than three."""
        self._rows_as.close = close
        self._restyle()

    @property
    def is_close(self) -> bool:
        return self._rows_as.close

    def _restyle(self) -> None:
        self.verticalHeader().setDefaultSectionSize(self._rows_as.row_height)
        self._show_headings(self.rows_model.headings)
        self.viewport().update()

"""The queue at the left: two lines a row, one row open, any number selected beside it."""

from collections.abc import Collection, Iterator, Sequence, Set
from contextlib import contextmanager

from PySide6.QtCore import (
    QEvent,
    QItemSelection,
    QItemSelectionModel,
    QModelIndex,
    Qt,
    Signal,
)
from PySide6.QtGui import QKeyEvent, QMouseEvent, QResizeEvent
from PySide6.QtWidgets import QAbstractItemView, QHeaderView, QTableView

from gpf_desktop.domain.ids import BundleId
from gpf_desktop.domain.review_queue import QueueRow, QueueTab
from gpf_desktop.domain.text import tr
from gpf_desktop.ui.review.queue_delegate import HEADING, QueueDelegate
from gpf_desktop.ui.review.queue_groups import Groups, QueueGroup, row_of
from gpf_desktop.ui.review.queue_table_model import QueueTableModel
from gpf_desktop.ui.theme import Theme
from gpf_desktop.ui.widgets.paged_rows import Load

_FOLDS = (Qt.Key.Key_Left, Qt.Key.Key_Right, Qt.Key.Key_Space, Qt.Key.Key_Return, Qt.Key.Key_Enter)
"""What these keys do on a heading: fold, unfold, either."""


class QueueTable(QTableView):
    """Rows of the tab shown; the current row is the bundle that is open."""

    picked = Signal(object)
    """The id of the bundle that the reviewer went to."""
    read = Signal()
    """Enter was pressed on the open row, or it was double-clicked: on to its answers."""
    selection_changed = Signal(object)
    """The bundles that are selected together; empty while only the open one is."""
    fold_asked = Signal(str)
    """The key of the group to fold, or to unfold where it is folded."""

    def __init__(self, theme: Theme, load: Load[BundleId, QueueRow]) -> None:
        super().__init__()
        self._theme = theme
        self._quiet = False
        self._handling = 0
        self._tab: QueueTab | None = None
        self._told: list[BundleId] = []
        self._groups: Groups = ()
        self.setObjectName("review.queue")
        self.setAccessibleName(tr("Sets of answers to read"))
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
        self.doubleClicked.connect(self._double_clicked)
        theme.follow(self, self._restyle)

    def show_ids(
        self,
        tab: QueueTab,
        ids: Sequence[BundleId],
        current: BundleId | None,
        at: int,
        groups: Groups = (),
    ) -> None:
        """Show the *ids* of *tab* with *current* selected, which stands at *at* (-1: nowhere in this tab).

        Each of *groups* stands under its heading, or is folded into it.

        Several selected rows stay selected as long as they are in the tab, whatever else comes or goes.
        """
        kept = set(self.selected()) if tab is self._tab and self.several else set()
        heading = self._heading()
        self._tab, self._groups = tab, groups
        self._quiet = True
        # Qt keeps a row's height where another list takes the place of this one.
        self._size_headings(self._rows_as.row_height)
        self.rows_model.show(ids, groups)
        self._size_headings(self._theme.px(HEADING))
        self._select(current, row_of(groups, at))
        if heading is not None:
            self._stand_on(heading)
        if kept and not self.several:
            self._mark(kept)
        self._quiet = False
        self._tell()

    def select(self, current: BundleId | None, at: int) -> None:
        """Show *current* as the open one. Rows that are selected beside it stay so while it is one of them."""
        self._quiet = True
        self._select(current, row_of(self._groups, at))
        self._quiet = False
        self._tell()

    def select_bundles(self, bundles: Collection[BundleId]) -> None:
        """Select these, as far as they stand in the tab shown; the open one stays open."""
        self._quiet = True
        self._mark(set(bundles))
        self._quiet = False
        self._tell()

    def select_open(self) -> None:
        """Only the open bundle again, also while the keyboard is on a heading; none where it stands in no row."""
        index, open_bundle = self.currentIndex(), self.rows_model.open_bundle
        if self.rows_model.id_at(index.row()) != open_bundle:
            rows = [] if open_bundle is None else self.rows_model.places({open_bundle})
            index = self.rows_model.index(rows[0] if rows else -1, 0)
        flags = QItemSelectionModel.SelectionFlag
        self.selectionModel().select(index, flags.ClearAndSelect | flags.Rows)

    @property
    def several(self) -> bool:
        ranges = self.selectionModel().selection().toList()
        rows = sum(each.height() for each in ranges)
        # Of more rows two are bundles in any case, and headings are looked for among all rows of the tab.
        if 1 < rows <= 1 + len(self._groups):
            rows -= sum(each.top() <= row <= each.bottom() for each in ranges for row in self.rows_model.heading_rows())
        return rows > 1

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
        group = self.rows_model.group_at(self.rowAt(round(event.position().y())))
        if group is not None and event.button() is Qt.MouseButton.LeftButton:
            self._toggle(group)
            return
        with self._by_hand():
            super().mousePressEvent(event)

    def mouseMoveEvent(self, event: QMouseEvent) -> None:
        with self._by_hand():
            super().mouseMoveEvent(event)

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        with self._by_hand():
            super().mouseReleaseEvent(event)

    def event(self, event: QEvent) -> bool:
        if event.type() is QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and self._folds(event):
            # Left and Right go to other bundles everywhere else.
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        group = self._heading()
        if group is not None and self._folds(event):
            unchanged = Qt.Key.Key_Left if group.folded else Qt.Key.Key_Right
            if event.key() != unchanged:
                self._toggle(group)
            return
        if event.key() == Qt.Key.Key_Escape and self.several:
            self.select_open()
            return
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter):
            # With Ctrl it submits, or does nothing where there is nothing to submit.
            if not event.modifiers() & Qt.KeyboardModifier.ControlModifier:
                self.read.emit()
            return
        with self._by_hand():
            super().keyPressEvent(event)

    def _heading(self) -> QueueGroup | None:
        """The group whose heading the keyboard is on."""
        return self.rows_model.group_at(self.currentIndex().row())

    def _folds(self, event: QKeyEvent) -> bool:
        plain = event.modifiers() in (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier)
        return self._heading() is not None and plain and event.key() in _FOLDS

    def _toggle(self, group: QueueGroup) -> None:
        self._stand_on(group)
        self.fold_asked.emit(group.key)

    def _stand_on(self, group: QueueGroup) -> None:
        rows = self.rows_model.places({group.head})
        if rows:
            index = self.rows_model.index(rows[0], 0)
            self.selectionModel().setCurrentIndex(index, QItemSelectionModel.SelectionFlag.NoUpdate)

    def _double_clicked(self, index: QModelIndex) -> None:
        if self.rows_model.group_at(index.row()) is None:
            self.read.emit()

    def moveCursor(self, action: QAbstractItemView.CursorAction, modifiers: Qt.KeyboardModifier) -> QModelIndex:
        """Rows are selected past headings: each press takes one more bundle. Home and End are the ends of the queue."""
        if action in (QAbstractItemView.CursorAction.MoveHome, QAbstractItemView.CursorAction.MoveEnd):
            # Without Ctrl they are those of a row, which has one column.
            modifiers |= Qt.KeyboardModifier.ControlModifier
        here, target = self.currentIndex(), super().moveCursor(action, modifiers)
        first = self.rows_model.group_at(target.row())
        if first is not None and not first.folded and action is QAbstractItemView.CursorAction.MoveHome:
            return self.rows_model.index(target.row() + 1, 0)
        step = 1 if target.row() > here.row() else -1
        while modifiers & Qt.KeyboardModifier.ShiftModifier and self.rows_model.group_at(target.row()) is not None:
            target = self.rows_model.index(target.row() + step, 0)
        return target if target.isValid() else here

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
        rows = self.rows_model.places(bundles)
        chosen = QItemSelection()
        # No row follows on -2, and the -1 behind the rows ends the last stretch as any other.
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

    def _size_headings(self, height: int) -> None:
        for row in self.rows_model.heading_rows():
            self.verticalHeader().resizeSection(row, height)

    def set_close(self, close: bool) -> None:
        """Show two lines a row rather than three."""
        self._rows_as.close = close
        self._restyle()

    @property
    def is_close(self) -> bool:
        return self._rows_as.close

    def _restyle(self) -> None:
        self.verticalHeader().setDefaultSectionSize(self._rows_as.row_height)
        self._size_headings(self._theme.px(HEADING))
        self.viewport().update()

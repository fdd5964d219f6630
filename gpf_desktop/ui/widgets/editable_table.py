"""Rows of text that are edited in place, each change one step back."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

from PySide6.QtCore import QAbstractTableModel, QModelIndex, QPersistentModelIndex, QSignalBlocker, Qt, Signal, Slot
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


@dataclass(frozen=True, slots=True)
class TableStep:
    """From some rows to others."""

    words: str
    at: int
    """The first row that differs."""
    gone: tuple[TextRow, ...]
    """What stood there before."""
    come: tuple[TextRow, ...]
    """What stands there after it."""
    columns: tuple[TextRow, TextRow]
    """Before and after."""
    note: TextRow = ()
    """What is said of the rows since this step; empty: what was said before it."""

    def done_to(self, rows: tuple[TextRow, ...]) -> tuple[TextRow, ...]:
        """The rows after the step, of *rows* before it."""
        return rows[: self.at] + self.come + rows[self.at + len(self.gone) :]

    def taken_from(self, rows: tuple[TextRow, ...]) -> tuple[TextRow, ...]:
        """The rows before the step, of *rows* after it."""
        return rows[: self.at] + self.gone + rows[self.at + len(self.come) :]


class _Change(QUndoCommand):
    """A step of *model*; *done*: it stands already, as steps of an earlier window do."""

    def __init__(self, model: "EditableRows", step: TableStep, *, done: bool = False) -> None:
        super().__init__(step.words)
        self._model, self.step, self._done = model, step, done

    def undo(self) -> None:
        self._model.show_rows(self.step.taken_from(self._model.rows), self.step.columns[0])

    def redo(self) -> None:
        # `push` calls this at once, also for a step that stands already.
        if not self._done:
            self._model.show_rows(self.step.done_to(self._model.rows), self.step.columns[1])
        self._done = False


class EditableRows(QAbstractTableModel):
    """Rows as long as *columns*; those *fixed* are only read."""

    edited = Signal()
    """A step was done, taken back or done again."""

    def __init__(self, columns: Sequence[str], fixed: Collection[str] = ()) -> None:
        super().__init__()
        self.columns = tuple(columns)
        self._fixed = frozenset(fixed)
        self.rows: tuple[TextRow, ...] = ()
        self.first_note: TextRow = ()
        """What was said of the rows before the first step."""
        self.steps = QUndoStack(self)
        self.steps.indexChanged.connect(self._stepped)
        self._resetting = False

    def replace(
        self, rows: Sequence[Sequence[str]], words: str, columns: Sequence[str] = (), note: TextRow = ()
    ) -> None:
        """Hold *rows* from now on, under *columns* where they are others; *words* say what was done, for Undo.

        *note* is what `note` says from then on, until the step is taken back.
        """
        before, after = self.rows, tuple(tuple(row) for row in rows)
        names = tuple(columns) or self.columns
        if after == before and names == self.columns and note in ((), self.note):
            return
        # Only the stretch that differs is kept of a step: whole lists would fill memory and the stored draft.
        at = 0 if names != self.columns else _alike(before, after)
        # A row must not count as alike from both ends, as one of two equal neighbours would.
        same = min(len(before), len(after)) - at
        end = 0 if names != self.columns else min(same, _alike(before[::-1], after[::-1]))
        gone, come = before[at : len(before) - end], after[at : len(after) - end]
        self.steps.push(_Change(self, TableStep(words, at, gone, come, (self.columns, names), note)))

    def add(self, rows: Sequence[TextRow], columns: Sequence[str], words: str) -> None:
        """Hold *rows*, under their *columns*, behind those that stand here, but for those that stand here already."""
        names = (*self.columns, *(each for each in columns if each not in self.columns))
        told = [dict(zip(columns, row, strict=True)) for row in rows]
        here = [(*row, *[""] * (len(names) - len(row))) for row in self.rows]
        new = [tuple(each.get(name, "") for name in names) for each in told]
        self.replace([*here, *(row for row in new if row not in here)], words, names)

    def remove(self, places: Collection[int]) -> None:
        left = [row for at, row in enumerate(self.rows) if at not in places]
        self.replace(left, tr("Remove rows"))

    @property
    def note(self) -> TextRow:
        """The last note on the way to these rows."""
        return note_behind(self.history()[: self.steps.index()], self.first_note)

    def history(self) -> tuple[TableStep, ...]:
        """Every step, also those that were taken back: behind `steps.index()`."""
        found = (self.steps.command(at) for at in range(self.steps.count()))
        return tuple(each.step for each in found if isinstance(each, _Change))

    def hold(
        self,
        columns: Sequence[str],
        rows: Sequence[Sequence[str]],
        steps: Sequence[TableStep],
        index: int,
        note: TextRow = (),
    ) -> None:
        """Begin anew with *rows*, to which the first *index* of *steps* led; Undo and Redo go on from there.

        *note* is what was said before the first of *steps*.
        """
        self.beginResetModel()
        self._resetting = True
        # Nobody has edited anything: listeners would store what was just read. What the blocker keeps back is told
        # below.
        with QSignalBlocker(self.steps):
            self.steps.clear()
            self.first_note = note
            self.columns, self.rows = tuple(columns), tuple(tuple(row) for row in rows)
            # Pushed steps all stand, so the rows go to behind the last one; `setIndex` then takes the later ones back
            # again.
            for step in steps[index:]:
                self.columns, self.rows = step.columns[1], step.done_to(self.rows)
            for step in steps:
                self.steps.push(_Change(self, step, done=True))
            self.steps.setIndex(index)
        self._resetting = False
        self.endResetModel()
        for can, told in (
            (self.steps.canUndo(), self.steps.canUndoChanged),
            (self.steps.canRedo(), self.steps.canRedoChanged),
        ):
            told.emit(can)

    @Slot()
    def _stepped(self) -> None:
        self.edited.emit()

    def show_rows(self, rows: tuple[TextRow, ...], columns: Sequence[str] = ()) -> None:
        """Without a step back: what steps back are made of."""
        names = tuple(columns) or self.columns
        if self._resetting:
            self.rows, self.columns = rows, names
        elif len(rows) == len(self.rows) and names == self.columns:
            self.rows = rows
            if rows:
                self.dataChanged.emit(self.index(0, 0), self.index(len(rows) - 1, len(self.columns) - 1))
        else:
            self.beginResetModel()
            self.rows, self.columns = rows, names
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
        self.replace(rows, tr("Edit a field"))
        return True


def note_behind(steps: Sequence[TableStep], first: TextRow) -> TextRow:
    """The note on rows behind *steps*; before them, *first*."""
    return next((each.note for each in reversed(steps) if each.note), first)


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


def _alike(first: Sequence[TextRow], second: Sequence[TextRow]) -> int:
    """How many rows both begin with."""
    found = 0
    for left, right in zip(first, second, strict=False):
        if left != right:
            break
        found += 1
    return found

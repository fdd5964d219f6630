"""Buttons for the rows of a step: open, save, remove, undo."""

from collections.abc import Callable, Sequence
from pathlib import Path

from PySide6.QtCore import Slot

from gpf_desktop.domain.text import tr
from gpf_desktop.ui.file_dialogs import ask_to_open, ask_to_save
from gpf_desktop.ui.methods.saged.benchmark_view_model import BenchmarkViewModel
from gpf_desktop.ui.theme.tokens import SPACE_2
from gpf_desktop.ui.widgets.boxes import PlainWidget, vbox
from gpf_desktop.ui.widgets.buttons import button
from gpf_desktop.ui.widgets.editable_table import EditableTable
from gpf_desktop.ui.widgets.layouts import flowing

Opened = Callable[[Path], object]


class TableBar(PlainWidget):
    """The buttons above *table*, and it."""

    def __init__(
        self, table: EditableTable, name: str, *, kinds: str, suffix: str, opened: Opened, saved: Opened
    ) -> None:
        super().__init__()
        steps = table.rows.steps
        self.open = button(
            tr("Open …"), lambda: ask_to_open(self, tr("Open"), kinds, opened), compact=True, name=f"{name}.open"
        )
        self.save = button(
            tr("Save as …"),
            lambda: ask_to_save(self, tr("Save as"), kinds, suffix, saved),
            compact=True,
            name=f"{name}.save",
        )
        self.remove = button(tr("Remove"), table.remove_selected, compact=True, name=f"{name}.remove")
        self.undo = button(tr("Undo"), steps.undo, compact=True, name=f"{name}.undo")
        self.redo = button(tr("Redo"), steps.redo, compact=True, name=f"{name}.redo")
        buttons = flowing(self.open, self.save, self.remove, self.undo, self.redo)
        vbox(buttons, (table, 1), parent=self, spacing=SPACE_2)
        self._table = table
        for can, do in ((steps.canUndoChanged, self.undo), (steps.canRedoChanged, self.redo)):
            do.setEnabled(False)
            can.connect(do.setEnabled)
        table.rows.modelReset.connect(self.show_state)
        table.selectionModel().selectionChanged.connect(self.show_state)
        self.show_state()

    @classmethod
    def of_rows(
        cls, model: BenchmarkViewModel, table: EditableTable, needed: Sequence[str], *, kinds: str
    ) -> "TableBar":
        """A bar of a table that is opened, if it has the columns *needed*, and saved row by row."""
        return cls(
            table,
            table.objectName(),
            kinds=f"{kinds} (*.csv *.jsonl)",
            suffix="csv",
            opened=lambda file: model.open_table(file, table.rows, tuple(needed)),
            saved=lambda file: model.save_table(file, table.rows),
        )

    @Slot()
    def show_state(self) -> None:
        self.save.setEnabled(bool(self._table.rows.rows))
        self.remove.setEnabled(self._table.selectionModel().hasSelection())

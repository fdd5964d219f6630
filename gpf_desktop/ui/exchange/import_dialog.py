"""File › Import answers: the table's first rows, which column says what, and where the audit goes."""

import json
from pathlib import Path
from typing import Any

from PySide6.QtWidgets import QComboBox, QGridLayout, QSizePolicy, QTableWidget, QTableWidgetItem, QWidget

from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.imports import MAPPED
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.commands.import_command import IMPORT_TASK, AnswerImporting, ImportPreview, ImportWish
from gpf_desktop.engine.core import catalogue
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.exchange.folder_field import PlaceField
from gpf_desktop.ui.file_dialogs import AUDIT_SUFFIX, ask_to_save, audit_filter
from gpf_desktop.ui.tasks.task_dialog import TaskDialog
from gpf_desktop.ui.tasks.task_view_model import TaskViewModel
from gpf_desktop.ui.theme.tokens import SPACE_2, SPACE_4
from gpf_desktop.ui.widgets.labels import label
from gpf_desktop.ui.widgets.layouts import scrolling

_METHOD = "gpf-livenews"
_LONGEST = 200
_ACROSS = 2


class ImportDialog(TaskDialog):
    """Layout and connections; *table* is read already, its first rows are in *found*."""

    def __init__(self, context: Context, parent: QWidget, table: Path, found: ImportPreview) -> None:
        importing = AnswerImporting(context.engine)
        super().__init__(
            parent,
            TaskViewModel(context, IMPORT_TASK, importing.start, importing.cancel),
            title=tr("Import answers"),
            about=tr(
                "Makes an audit of {file}, to be scored, reviewed and reported like any other. Columns left open"
                " are found by their names; rows without a place are named and left out. Every page will say that the"
                " answers were imported.",
                file=table.name,
            ),
            begin=tr("Import"),
            name="import",
        )
        self._table = table
        self.setMinimumWidth(context.theme.px(860))
        self.preview = _preview(found)
        self.columns: dict[str, QComboBox] = {}
        self.content.addWidget(label(tr("First rows"), "heading"))
        self.content.addWidget(self.preview)
        self.content.addWidget(label(tr("Which column says what"), "heading"))
        holder = QWidget()
        holder.setProperty("plain", True)
        self._fill(QGridLayout(holder), found.columns)
        area = scrolling(holder, "import.columns")
        area.setMinimumHeight(context.theme.px(180))
        self.content.addWidget(area, 1)
        self.target = PlaceField(
            tr("Audit"),
            lambda then: ask_to_save(
                self, tr("Save the audit as"), audit_filter(), AUDIT_SUFFIX, then, suggested=table.stem
            ),
            name="import.target",
        )
        self.content.addWidget(self.target)
        self.model.ended.connect(self.accept)

    def options(self) -> Any:
        target = self.target.value()
        if target.exists():
            words = tr("{name} is there already; choose another name.", name=target.name)
            self.target.field.set_problem(words)
            raise UserError(words)
        chosen = {name: str(box.currentData()) for name, box in self.columns.items() if box.currentData()}
        return ImportWish(table=self._table, method=_METHOD, given={MAPPED: json.dumps(chosen)}, target=target)

    def _fill(self, grid: QGridLayout, columns: tuple[str, ...]) -> None:
        grid.setContentsMargins(0, 0, 0, 0)
        grid.setHorizontalSpacing(SPACE_4)
        grid.setVerticalSpacing(SPACE_2)
        for side in range(_ACROSS):
            grid.setColumnStretch(2 * side + 1, 1)
        for place, asked in enumerate(catalogue.importer(_METHOD).asked):
            box = QComboBox()
            box.addItem(tr("(by its name)"), "")
            for column in columns:
                box.addItem(column[:_LONGEST], column)
            title = tr("{title} (needed)", title=asked.title) if asked.required else asked.title
            box.setObjectName(f"import.column.{asked.name}")
            box.setAccessibleName(title)
            row, side = place // _ACROSS, 2 * (place % _ACROSS)
            # As wide as its place, whatever the longest name of a column is.
            box.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)
            grid.addWidget(label(title), row, side)
            grid.addWidget(box, row, side + 1)
            self.columns[asked.name] = box


def _preview(found: ImportPreview) -> QTableWidget:
    table = QTableWidget(len(found.rows), len(found.columns))
    table.setObjectName("import.preview")
    table.setAccessibleName(tr("The first rows of the table"))
    table.setHorizontalHeaderLabels([column[:_LONGEST] for column in found.columns])
    table.setEditTriggers(QTableWidget.EditTrigger.NoEditTriggers)
    table.setTabKeyNavigation(False)
    for row, cells in enumerate(found.rows):
        for column, text in enumerate(cells):
            table.setItem(row, column, QTableWidgetItem(" ".join(text[:_LONGEST].split())))
    table.setFixedHeight(table.verticalHeader().defaultSectionSize() * (min(len(found.rows), 4) + 2))
    return table

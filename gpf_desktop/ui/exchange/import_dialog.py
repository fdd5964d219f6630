"""File › Import answers: the tables' first rows, which column says what, and where the audit goes."""

import json
from collections.abc import Callable, Collection, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any

from PySide6.QtWidgets import (
    QComboBox,
    QGridLayout,
    QLineEdit,
    QWidget,
)

from gpf_desktop.documents.answer_columns import named_among
from gpf_desktop.documents.column_maps import ColumnMap, WantedColumn, found_by_name
from gpf_desktop.documents.column_names import is_second_head
from gpf_desktop.documents.file_names import shared_name
from gpf_desktop.documents.mapped_rows import BY, MAP, more_than_once, without_wrapping
from gpf_desktop.documents.programs import files_read
from gpf_desktop.documents.table_reading import ANSWERS, HEAD_ROW, SHEET, TableReading
from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.imports import MAPPED
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.commands.import_command import IMPORT_TASK, AnswerImporting, ImportPreview, ImportWish, preview
from gpf_desktop.engine.core import catalogue
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.exchange.folder_field import NewAuditField
from gpf_desktop.ui.exchange.remembered_maps import RememberedMap, RememberedMaps
from gpf_desktop.ui.exchange.table_columns import LONGEST, ColumnBox, FirstRows
from gpf_desktop.ui.file_dialogs import AUDIT_SUFFIX, ask_to_open_several
from gpf_desktop.ui.tasks.task_dialog import TaskDialog
from gpf_desktop.ui.tasks.task_view_model import TaskViewModel
from gpf_desktop.ui.theme.tokens import SPACE_2, SPACE_4
from gpf_desktop.ui.widgets.boxes import PlainWidget, fill, hbox
from gpf_desktop.ui.widgets.buttons import button
from gpf_desktop.ui.widgets.editors import whole_box
from gpf_desktop.ui.widgets.fields import FormField
from gpf_desktop.ui.widgets.labels import caption, label, secondary, show_words
from gpf_desktop.ui.widgets.layouts import clear_layout, scrolling
from gpf_desktop.ui.widgets.plain import plain_tip

_ACROSS = 2
_LAST_HEAD = 10_000
_NAMED = 8
"""Columns that are named of those that nothing asks for."""
_SHOWN = 40
"""Characters of a cell of the first row."""


class ImportDialog(TaskDialog):
    """Layout and connections; *tables* are read already, their first rows are in *found*."""

    def __init__(self, context: Context, parent: QWidget, tables: Sequence[Path], found: ImportPreview) -> None:
        importing = AnswerImporting(context.engine)
        super().__init__(
            parent,
            TaskViewModel(context, IMPORT_TASK, importing.start, importing.cancel),
            title=tr("Import answers"),
            about=tr(
                "Makes an audit of {file}, to be scored, reviewed and reported like any other. Columns left open"
                " are found by their names; rows without a place are named and left out. Every page will say that the"
                " answers were imported.",
                file=", ".join(table.name for table in tables),
            ),
            begin=tr("Import"),
            name="import",
        )
        self._tables, self._context = tables, context
        self._maps = RememberedMaps(context.settings)
        self._keep: Callable[[], object] = lambda: None
        # High enough for the longest words of a method: a dialog does not grow by itself when they are exchanged.
        self.setMinimumSize(context.theme.px(980), context.theme.px(690))
        self._found = found
        self.preview = FirstRows(found)
        self.columns: dict[str, ColumnBox] = {}
        self.given: dict[str, QLineEdit] = {}
        """What the method takes beside the table, by the names of its options."""
        self.method = QComboBox()
        for name in catalogue.importers():
            self.method.addItem(catalogue.method(name).title, name)
        remembered = self._maps.of(found.columns)
        method = remembered.method if remembered else _likeliest(found)
        self.method.setCurrentIndex(max(0, self.method.findData(method)))
        self.method.currentIndexChanged.connect(lambda _: self._ask())
        self._method_chosen = remembered is not None
        self.method.activated.connect(lambda _: self._choose_method())
        self.sheet = QComboBox(minimumContentsLength=12)
        self.sheet.addItem(tr("All with the same columns"), "")
        for name in found.sheets:
            self.sheet.addItem(name, name)
        self.sheet.currentIndexChanged.connect(lambda _: self._read_again())
        self.head = whole_box(0, _LAST_HEAD)
        self.head.setSpecialValueText(tr("Found by itself"))
        self.head.valueChanged.connect(lambda _: self._read_again())
        self._head_field = FormField(tr("Row of the columns' names"), self.head, name="import.head")
        self._head_field.setVisible(found.by_rows)
        sheet_field = FormField(tr("Sheet"), self.sheet, name="import.sheet")
        sheet_field.setVisible(len(found.sheets) > 1)
        self.lacks = secondary(wrap=True, name="import.lacks")
        self.requests = button(tr("Add the requests …"), self._ask_for_requests, name="import.requests")
        self.does = caption(name="import.does")
        self.asked = label("", "heading", name="import.asked")
        self.twice = secondary(wrap=True, name="import.twice")
        self.becomes = secondary(wrap=True, name="import.becomes")
        self.unread = secondary(wrap=True, name="import.unread")
        holder = PlainWidget()
        self._grid = QGridLayout(holder)
        area = scrolling(holder, "import.columns")
        area.setMinimumHeight(context.theme.px(110))
        self._lay_out_grid()
        beside = tables[0].with_name(f"{shared_name(tables)}.{AUDIT_SUFFIX}")
        self.target = NewAuditField(beside, name="import.target")
        fill(
            self.content,
            hbox((FormField(tr("Method"), self.method, name="import.method"), 1), sheet_field, self._head_field),
            self.does,
            hbox((self.lacks, 1), self.requests),
            label(tr("First rows"), "heading"),
            (self.preview, 1),
            self.asked,
            self.twice,
            (area, 2),
            self.becomes,
            self.unread,
            self.target,
        )
        self._tell_lacks()
        self._ask()
        self.model.ended.connect(self._ended)
        if remembered:
            self._take_up(remembered)

    @property
    def head_problem(self) -> str:
        """Why the tables cannot begin where it is chosen."""
        return self._head_field.problem

    @property
    def start(self) -> TableReading:
        """The chosen sheet and header row, where the tables begin."""
        return TableReading(sheet=str(self.sheet.currentData()), head=self.head.value())

    def options(self) -> Any:
        target = self.target.value()
        given = self._said_beside()
        start = self.start
        given |= {SHEET: start.sheet} if start.sheet else {}
        given |= {HEAD_ROW: str(start.head)} if start.head else {}
        if self.columns:
            chosen = self._chosen_columns()
            given[MAPPED] = json.dumps(chosen)
            self._keep = partial(self._maps.keep, self._found.columns, self.chosen, chosen, start)
        return ImportWish(tables=self._tables, method=self.chosen, given=given, target=target)

    @property
    def chosen(self) -> str:
        """Name of the method that the answers are of."""
        return str(self.method.currentData())

    def _ended(self) -> None:
        """Only now is remembered what was chosen: what failed is nothing to begin the next dialog with."""
        self._keep()
        self.accept()

    def _lay_out_grid(self) -> None:
        self._grid.setContentsMargins(0, 0, 0, 0)
        self._grid.setHorizontalSpacing(SPACE_4)
        self._grid.setVerticalSpacing(SPACE_2)
        # As wide for boxes as for words: the longest words of a method would leave no room for a column's name.
        for column in range(2 * _ACROSS):
            self._grid.setColumnStretch(column, 1)

    def _ask(self) -> None:
        """Show the chosen method's fields: columns to be mapped, or options beside columns of its own. What was said in
        fields of the same names stays."""
        self.model.forget_problem()
        chosen, said = self._chosen_columns(), self._said_beside()
        importer = catalogue.importer(self.chosen)
        clear_layout(self._grid)
        self.columns, self.given = {}, {}
        self.does.setText(f"{files_read()} {importer.does}")
        both = tr("Which column says what, and what the table does not say")
        self.asked.setText(both if importer.asked else tr("What the table does not say"))
        # What is needed stands where nobody has to scroll for it.
        for place, asked in enumerate(sorted(importer.asked, key=lambda each: not each.required)):
            title = tr("{title} (needed)", title=asked.title) if asked.required else asked.title
            self.columns[asked.name] = self._column_box(asked.name, title)
            self._place(place, title, self.columns[asked.name])
        # Columns are mapped here, so that no file need say it.
        options = [each for each in importer.takes if not (importer.asked and each.name == MAP)]
        for place, option in enumerate(options, start=len(importer.asked)):
            line = self.given[option.name] = QLineEdit()
            line.setObjectName(f"import.given.{option.name}")
            line.setPlaceholderText(option.help)
            line.setToolTip(plain_tip(option.help))
            title = tr("{title} (needed)", title=option.name) if option.required else option.name
            line.setAccessibleName(title)
            line.setAccessibleDescription(option.help)
            line.setText(said.get(option.name, ""))
            line.editingFinished.connect(self._tell_found)
            self._place(place, title, line)
        self._choose_columns(chosen)
        self._tell_found()

    def _choose_method(self) -> None:
        self._method_chosen = True

    def _chosen_columns(self) -> dict[str, str]:
        return {name: str(box.currentData()) for name, box in self.columns.items() if box.currentData()}

    def _choose_columns(self, chosen: Mapping[str, str]) -> None:
        """Choose those that are *chosen* of fields and columns that are there."""
        for name, column in chosen.items():
            if name in self.columns and column in self._found.columns:
                self.columns[name].choose(column)

    def _take_up(self, remembered: RememberedMap) -> None:
        """Choose what was chosen for a table of these columns before."""
        self._choose_columns(remembered.columns)
        if remembered.columns:
            self.asked.setText(tr("{asked}: as you chose for such a table before", asked=self.asked.text()))

    def _ask_for_requests(self) -> None:
        ask_to_open_several(
            self, tr("Requests of the batch job"), tr("Requests") + " (*.jsonl *.ndjson *.json)", self.add
        )

    def add(self, files: Sequence[Path]) -> None:
        """Import *files* too, if they can be read."""
        self._read_again((*self._tables, *files))

    def _tell_lacks(self) -> None:
        show_words(self.lacks, " ".join(self._found.lacks))
        self.requests.setVisible(bool(self._found.lacks))

    def _read_again(self, tables: Sequence[Path] = ()) -> None:
        """The tables begin elsewhere, or are these."""
        self._head_field.set_problem("")
        self.model.forget_problem()
        tables = tables or self._tables
        read = partial(preview, tables, start=self.start)
        then = partial(self._show_begin, tables)
        self._context.bridge.run(
            read, then=then, failed=self._begins_nowhere, owner=self, latest="begin", anywhere=True
        )

    def _show_begin(self, tables: Sequence[Path], found: ImportPreview) -> None:
        self._tables, self._found = tables, found
        self._tell_lacks()
        self.preview.show_rows(found)
        likeliest = self.method.currentIndex() if self._method_chosen else self.method.findData(_likeliest(found))
        if likeliest != self.method.currentIndex():
            self.method.setCurrentIndex(likeliest)
        else:
            self._ask()

    def _begins_nowhere(self, error: BaseException) -> None:
        if not isinstance(error, UserError):
            raise error
        if self._found.by_rows:
            self._head_field.set_problem(str(error))
        else:
            self.model.failed(error)

    def _chose(self) -> None:
        self.model.forget_problem()
        self._tell_found()

    def _tell_found(self) -> None:
        """Tell what each box that is left open stands for: the column found by its name, or none."""
        asked = [each for each in catalogue.importer(self.chosen).asked if isinstance(each, WantedColumn)]
        chosen = self._chosen_columns()
        found = found_by_name(asked, self._found.columns, ColumnMap(columns=chosen, values={}))
        twice = more_than_once([*chosen.values(), *found.values()], self._found.columns)
        show_words(self.twice, "\n".join(twice))
        passed = self._passed_over({**found, **chosen}) - {*chosen.values()}
        found = {name: column for name, column in found.items() if column not in passed}
        columns = {**found, **chosen}
        show_words(self.becomes, self._first_row(asked, columns))
        self.preview.read_as([self._read_of(cells, columns) for cells in self._found.rows])
        heads = [[name for name in head if name not in passed] for head in self._found.heads]
        in_heads = catalogue.importer(self.chosen).in_heads(heads)
        # Whoever maps one of these has a table with a row for each answer.
        told = in_heads if in_heads.keys().isdisjoint(chosen) else {}
        apart = named_among(self._said_beside().get(ANSWERS, ""), self._found.columns)
        used = {*found.values(), *chosen.values(), *apart}
        if told:
            used |= {*catalogue.importer(self.chosen).read_in_heads(heads)}
        show_words(self.unread, self._left_over(used, in_heads=bool(told)))
        for each in asked:
            column, said = found.get(each.name, "")[:LONGEST], told.get(each.name, "")[:LONGEST]
            words = tr("{column} (by its name)", column=column) if column else tr("(none found)")
            box = self.columns[each.name]
            box.say_first(tr("{said} (by the columns' names)", said=said) if said else words)
            # A path within a record is often wider than its box.
            box.setToolTip(plain_tip(box.currentText()))

    def _passed_over(self, found: Mapping[str, str]) -> set[str]:
        """Columns that will not be read for what stands in them, whatever they are called."""
        rows = [dict(zip(self._found.columns, row, strict=True)) for row in self._found.rows]
        return {*catalogue.importer(self.chosen).passed_over(rows, found, self._said_beside())}

    def _said_beside(self) -> dict[str, str]:
        return {name: line.text().strip() for name, line in self.given.items() if line.text().strip()}

    def _first_row(self, asked: Sequence[WantedColumn], columns: Mapping[str, str]) -> str:
        """The first row as it will be read, in words."""
        every = (dict(zip(self._found.columns, cells, strict=True)) for cells in self._found.rows)
        used = {*columns.values()}
        row = next((each for each in every if not is_second_head(each.get(name, "") for name in used)), {})
        said = without_wrapping({each.name: row.get(columns.get(each.name, ""), "") for each in asked})
        read = [(each.title, " ".join(said[each.name].split())) for each in asked]
        told = " · ".join(
            tr("{title} “{said}”", title=title, said=said if len(said) <= _SHOWN else f"{said[:_SHOWN]} …")
            for title, said in read
            if said
        )
        if not self._found.rows:
            return tr(
                "No rows stand under the names of the columns. Another row, or another sheet, may hold the names."
            )
        return tr("The first row is read as: {told}", told=told) if told else ""

    def _read_of(self, cells: Sequence[str], columns: Mapping[str, str]) -> dict[str, str]:
        """What is read of a row, by the columns that say it."""
        row = dict(zip(self._found.columns, cells, strict=True))
        said = without_wrapping({name: row.get(column, "") for name, column in columns.items()})
        return {column: said.get(name, "") for name, column in columns.items()}

    def _left_over(self, used: Collection[str], *, in_heads: bool) -> str:
        """Words on columns that hold nothing the method asks for, and where they can be named; not where models
        stand side by side.
        """
        left = [name for name in self._found.columns if name not in used]
        if not left:
            return ""
        names = ", ".join(name[:_SHOWN] for name in left[:_NAMED])
        named = tr("{names} and {n:,} more", names=names, n=len(left) - _NAMED) if len(left) > _NAMED else names
        if in_heads:
            words = tr("Not read: {names}.")
        elif "factors" in self.given:
            words = tr(
                "Not asked for: {names}. Those that differ within an item become factors of the context, unless"
                " “factors” names others."
            )
        elif "roles" in self.given:
            words = tr(
                "Not read: {names}. Named as “by”, a column keeps a model's answers apart; named as “roles”, it says"
                " what the model was asked as."
            )
        elif BY in self.given:
            words = tr("Not read: {names}. Named as “by”, a column keeps a model's answers apart.")
        else:
            words = tr("Not read: {names}.")
        return words.format(names=named)

    def _column_box(self, name: str, title: str) -> ColumnBox:
        box = ColumnBox(self._found.columns, name=name, title=title)
        box.currentIndexChanged.connect(lambda _: self._chose())
        return box

    def _place(self, place: int, title: str, widget: QWidget) -> None:
        row, side = place // _ACROSS, 2 * (place % _ACROSS)
        self._grid.addWidget(label(title, wrap=True), row, side)
        self._grid.addWidget(widget, row, side + 1)


def _in_heads(method: str, found: ImportPreview) -> Mapping[str, str]:
    importer = catalogue.importer(method)
    return importer.in_heads(found.heads)


def _likeliest(preview: ImportPreview) -> str:
    """The method most of whose needed and telling columns *preview* has; of several, that with most of its columns, and
    of none, that which needs fewest."""

    def lacking(method: str) -> tuple[float, int, int]:
        asked = [each for each in catalogue.importer(method).asked if isinstance(each, WantedColumn)]
        by_name = found_by_name(asked, preview.columns, ColumnMap(columns={}, values={}))
        found = {**by_name, **_in_heads(method, preview)}
        needed = [each.name for each in asked if each.required or each.tells_method]
        share = sum(name not in found for name in needed) / len(needed) if needed else 1.0
        return share, -len(found), len(needed)

    return min(catalogue.importers(), key=lacking)

"""Maps from what is wanted to the columns of somebody else's table: found by name, or said in a MAP.toml.

[columns]
model = "provider"          # what is asked for = the table's column
[values]
theme = "Work"              # the same in every row
"""

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from gpf_desktop.documents.column_names import COUNTED, ELSEWHERE, OF_ANSWERS
from gpf_desktop.documents.level_names import FILE, MODEL, NAME, NUMBER, QUESTION, UPPER
from gpf_desktop.documents.table_reading import SHEET
from gpf_desktop.documents.tables import TableRow
from gpf_desktop.documents.targets import not_read
from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.imports import AskedColumn
from gpf_desktop.domain.text import tr

_LARGEST: Final = 500_000
_MAY_BE: Final = {MODEL: (SHEET, FILE, NAME, UPPER), QUESTION: (NAME, NUMBER)}
"""Columns whose names were those of something else, by what they may be."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WantedColumn(AskedColumn):
    """Something that rows are asked for, with the names by which it is found."""

    known_as: tuple[str, ...] = ()
    """Lower-case names that other tables give it, the likeliest first."""
    tells_method: bool = False
    """Whether a table without it, though it is not needed, is rarely one of the method's."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnMap:
    """The place of each thing that is wanted: a column, or a value that is the same in every row."""

    columns: Mapping[str, str]
    """By what is wanted, the table's column."""
    values: Mapping[str, str]

    def read(self, row: TableRow) -> dict[str, str]:
        """The values in *row* of everything that is mapped, by what is wanted; empty cells are left out."""
        found = dict(self.values)
        for name, column in self.columns.items():
            if text := row.values.get(column, ""):
                found[name] = text
        return found


def found_map(wanted: Sequence[WantedColumn], columns: Sequence[str], said: ColumnMap | None = None) -> ColumnMap:
    """The map of *said*, with what it leaves open found by the names of *columns*. Raises `UserError` where something
    needed is not found."""
    said = said or ColumnMap(columns={}, values={})
    names = {each.name for each in wanted}
    for name in (*said.columns, *said.values):
        if name not in names:
            raise UserError(
                tr("The map names “{name}”, which is not asked for.", name=name),
                tr("Asked for are {names}.", names=", ".join(each.name for each in wanted)),
            )
    for column in said.columns.values():
        if column.lower() not in columns:
            raise UserError(
                tr("The table has no column “{column}”.", column=column),
                tr("It has {columns}.", columns=", ".join(columns[:60])),
            )
    found = {name: column.lower() for name, column in said.columns.items()}
    found |= found_by_name(wanted, columns, ColumnMap(columns=found, values=said.values))
    missing = [each for each in wanted if each.required and each.name not in found and each.name not in said.values]
    if missing:
        raise UserError(
            tr(
                "No column of the table was found to say: {names}. Its columns are {columns}.",
                names=", ".join(f"{each.title} ({each.name})" for each in missing),
                columns=", ".join(columns[:60]),
            ),
            tr(
                'Choose its column in the window, or say it in a MAP.toml: [columns] {name} = "{column}", or [values].',
                name=missing[0].name,
                column=next((each for each in columns if each.startswith(_MAY_BE.get(missing[0].name, ("?",)))), "…"),
            )
            + _of_several_columns(missing),
        )
    return ColumnMap(columns=found, values=dict(said.values))


def _of_several_columns(missing: Sequence[WantedColumn]) -> str:
    if all(each.name != "response" for each in missing):
        return ""
    return " " + tr("Where several columns hold answers, name them as “answers”: model=gpt-4o,claude.")


def found_by_name(wanted: Sequence[WantedColumn], columns: Sequence[str], said: ColumnMap) -> dict[str, str]:
    """The columns for what *said* leaves open, told by their names."""
    found: dict[str, str] = {}
    called: dict[str, list[str]] = {column: [column] for column in columns}
    for column in columns:
        # What is nested goes by its last part too: vars.question, metadata.question. A metric may have any name.
        whole = column.startswith(OF_ANSWERS) or COUNTED.search(column)
        last = column if whole else column.rpartition(".")[2].replace(" ", "_")
        if last != column:
            called.setdefault(last, []).append(column)
    for column in columns:
        # Behind those, which are likelier.
        if meant := ELSEWHERE.get(column.rpartition(".")[2].replace(" ", "_")):
            called.setdefault(meant, []).append(column)
    for each in wanted:
        if each.name not in said.columns and each.name not in said.values:
            # One column answers for one thing only; what is asked for first has the first choice.
            column = _likely(each, called, taken={*said.columns.values(), *found.values()})
            if column:
                found[each.name] = column
    return found


def _likely(wanted: WantedColumn, called: Mapping[str, Sequence[str]], taken: set[str]) -> str:
    names = (wanted.name, *wanted.known_as)
    return next((column for name in names for column in called.get(name, ()) if column not in taken), "")


def load_map(path: Path) -> ColumnMap:
    """The map in *path*. Raises `UserError`."""
    try:
        with path.open("rb") as file:
            body = file.read(_LARGEST + 1)
        if len(body) > _LARGEST:
            raise UserError(tr("{path} is too large for a map.", path=str(path)))
        # Editors on Windows put a byte order mark in front, which TOML does not allow.
        data = tomllib.loads(body.decode("utf-8-sig"))
    except OSError as error:
        raise not_read(path, error) from error
    except (ValueError, RecursionError) as error:
        raise UserError(tr("{path} is not valid TOML: {why}.", path=str(path), why=str(error))) from error
    unknown = set(data) - {"columns", "values"}
    if unknown:
        raise UserError(
            tr("{path} has a part called “{name}”.", path=str(path), name=min(unknown)),
            tr("A map has [columns] and [values]."),
        )
    parts = {name: data.get(name, {}) for name in ("columns", "values")}
    for name, part in parts.items():
        if not isinstance(part, dict) or not all(isinstance(value, str | int) for value in part.values()):
            raise UserError(
                tr("[{name}] in {path} is not a list of names with texts.", name=name, path=str(path)),
                tr('Write lines like model = "provider".'),
            )
    return ColumnMap(
        columns={key: str(value) for key, value in parts["columns"].items()},
        values={key: str(value) for key, value in parts["values"].items()},
    )

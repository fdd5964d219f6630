"""Tables in which several columns hold answers: one for each model, reader or question, as surveys export them."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from gpf_desktop.documents.column_names import is_second_head
from gpf_desktop.documents.table_reading import ANSWERS
from gpf_desktop.documents.tables import TableRow
from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.tables import TableOption
from gpf_desktop.domain.text import tr

_MODEL: Final = "model"


def answers_option() -> TableOption:
    return TableOption(
        ANSWERS,
        "[NAME=]COLUMN,…",
        tr("columns that hold an answer each, and what their names say: model=gpt-4o,claude"),
    )


def answers_apart(rows: Iterable[TableRow], given: Mapping[str, str]) -> Iterator[TableRow]:
    """*rows*, each once for every column that *given* names as `ANSWERS`: its name says whose answer it holds, or to
    what. Raises `UserError` for a column that is not there."""
    says, named = _said(given.get(ANSWERS, ""))
    columns: dict[str, str] = {}
    for row in rows:
        if row.left_out or not named:
            yield row
            continue
        columns = columns or _columns(named, list(row.values))
        if is_second_head(row.values.get(column, "") for column in columns):
            yield replace(row, left_out=tr("it is a second line of the head"))
            continue
        beside = {name: text for name, text in row.values.items() if name not in columns}
        for column, title in columns.items():
            yield replace(row, values={**beside, says: title, "response": row.values.get(column, "")})


def named_among(option: str, there: Sequence[str]) -> set[str]:
    """The columns *there* that an *option* names, as far as they are there."""
    try:
        return {*_columns(_said(option)[1], there)}
    except UserError:
        return set()


def _said(option: str) -> tuple[str, list[str]]:
    name, sign, rest = option.partition("=")
    says, listed = (name.strip(), rest) if sign and name.strip().isidentifier() else (_MODEL, option)
    return says, [part for part in listed.split(",") if part.strip()]


def _columns(named: Sequence[str], there: Sequence[str]) -> dict[str, str]:
    """The names of columns in rows, with how they are spelled in *named*: a name may have commas of its own."""
    found: dict[str, str] = {}
    at = 0
    while at < len(named):
        spelled = (",".join(named[at:end]).strip() for end in range(len(named), at, -1))
        title = next((each for each in spelled if each.lower() in there), None)
        if title is None:
            raise UserError(
                tr("The table has no column “{column}”.", column=named[at].strip()),
                tr("It has {columns}.", columns=", ".join(there[:60])),
            )
        found[title.lower()] = title
        at += title.count(",") + 1
    return found

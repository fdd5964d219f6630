"""Tables of plain rows that leave an audit or come into it: for spreadsheets, data frames and databases."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum

Cell = str | int | float | bool | None
Row = Sequence[Cell]


class FieldKind(StrEnum):
    """The kind of value in the cells of a field; each cell may be empty."""

    TEXT = "text"
    INTEGER = "integer"
    NUMBER = "number"
    FLAG = "flag"
    STRUCTURE = "structure"
    """JSON, as text in formats that have none."""
    TURNS = "turns"
    """JSON too: a list of messages with role and content, which Parquet holds as such for trainers to read."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RelationField:
    """One column of a relation."""

    name: str
    """Lower case and underscores: stable, whatever the language of the words."""
    kind: FieldKind = FieldKind.TEXT
    words: str = ""
    """What it tells, in one sentence without a full stop."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Relation:
    """A table with a name and declared columns. *rows* can be gone through once."""

    name: str
    words: str
    """What one row is."""
    fields: tuple[RelationField, ...]
    rows: Iterable[Row]
    key: tuple[str, ...] = ()
    """Fields that tell its rows apart; empty: nothing does."""

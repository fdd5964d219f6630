"""Tables as a method makes them of answers that came from elsewhere (`gpf-desktop score --method NAME`)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

CellValue = str | int | float | None
"""What a cell holds; None: there is no such value."""


@dataclass(frozen=True, slots=True)
class Table:
    """A table with named columns."""

    columns: tuple[str, ...]
    rows: Sequence[Sequence[CellValue]]
    """Each as long as *columns*."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoredAnswers:
    """What a method made of a table of answers."""

    tables: Mapping[str, Table]
    """By the name of the file that each becomes, as ``equivalence.csv``."""
    said: tuple[str, ...] = ()
    """Sentences for who ran the command: what was done, and every warning."""
    gaps: bool = False
    """Something that was asked for has no score."""

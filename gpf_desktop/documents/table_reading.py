"""How a table is read: which sheet of a workbook, which row holds the names of its columns, which files belong to it.

Tables that people made often have a title, a date or a note above their head, and workbooks have more sheets than one.
"""

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import chain, dropwhile, islice
from pathlib import Path
from typing import Final

from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.text import tr

SHEET: Final = "sheet"
HEAD_ROW: Final = "head_row"
BESIDE: Final = "beside"
ANSWERS: Final = "answers"
"""All four among the options that an import is given."""
LOOKED_AT: Final = 20
"""Rows among which a head is looked for that nobody named."""
_LAST: Final = 1_048_576
"""Rows of the largest sheet."""

Lines = Iterable[tuple[int, list[str]]]
"""Rows, each with its number from 1."""


@dataclass(frozen=True, slots=True)
class TableReading:
    """The options of where a table begins, and the files imported with it."""

    sheet: str = ""
    """Empty: the first that is shown and holds a table."""
    head: int = 0
    """Row of the names of the columns, from 1; 0: the first that looks like one."""
    apart: bool = False
    """Whether it is said which columns hold answers, so that none are looked for."""
    beside: tuple[Path, ...] = ()
    """All files of the import: of a batch job, what was asked stands in another than the answers."""

    @classmethod
    def of(cls, given: Mapping[str, str]) -> "TableReading":
        """The options as *given* for an import. Raises `UserError` where a row is no number of a row."""
        text = given.get(HEAD_ROW, "").strip()
        if text and not (text.isascii() and text.isdecimal() and 0 < int(text[:8]) <= _LAST):
            raise UserError(
                tr("The row of the columns' names is “{text}”, not a number from 1.", text=text[:40]),
                tr("Count as a spreadsheet program does: its first row is 1."),
            )
        beside = tuple(map(Path, json.loads(given.get(BESIDE, "[]"))))
        apart = bool(given.get(ANSWERS, "").strip())
        return cls(sheet=given.get(SHEET, "").strip(), head=int(text or 0), apart=apart, beside=beside)

    @staticmethod
    def together(tables: Sequence[Path]) -> dict[str, str]:
        """The option that says that *tables* are imported together."""
        return {BESIDE: json.dumps([str(table) for table in tables])} if len(tables) > 1 else {}

    def from_head(self, lines: Lines) -> Iterator[tuple[int, list[str]]]:
        """*lines* from the head on. A title above it fills far fewer cells than the fullest row near it, and what is
        written over several columns of a head half of them at most."""
        rows = dropwhile(lambda row: not any(row[1]) or row[0] < self.head, lines)
        begin = list(islice(rows, 1 if self.head else LOOKED_AT))
        filled = [sum(map(bool, cells)) for _, cells in begin]
        most = max(filled, default=0)
        first = next((place for place, n in enumerate(filled) if n == most or (n > 1 and 2 * n > most)), 0)
        return chain(begin[first:], rows)


ANYWHERE: Final = TableReading()
"""Nothing was said."""

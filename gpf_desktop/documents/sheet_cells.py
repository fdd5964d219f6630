"""Kinds of cells of a sheet, and the choice of the sheet of a workbook that is read, whatever kind it is of."""

from collections.abc import Callable, Iterator, Sequence
from itertools import chain, islice
from typing import Final

from gpf_desktop.documents.column_names import is_head
from gpf_desktop.documents.table_reading import LOOKED_AT
from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.text import tr

COLUMNS: Final = 16_384
"""As many as a sheet can have."""
ROOM: Final = 1 << 25
"""Cells of the largest rectangle that is read: a gigabyte or less."""
_NAMED: Final = 30
_WHOLE: Final = 1e15
"""Numbers below it are exact, and are written without a point where they are whole."""

Rows = Iterator[tuple[int, list[str]]]
"""Rows that hold anything, with their numbers from 1."""


class Uncomputed(str):
    """The text of a formula's cell with which no value is stored: there is none."""

    __slots__ = ()


class ErrorCell(Uncomputed):
    """The text of a cell that holds an error (#REF!, #N/A) in the place of a value."""

    __slots__ = ()


class BrokenWorkbookError(ValueError):
    """It says what no workbook says."""


class FarCellError(BrokenWorkbookError):
    """Its cells lie so far apart that they cannot be held."""

    def __init__(self, row: int, column: int) -> None:
        super().__init__(f"cells reach to row {row}, column {column}")
        self.row, self.column = row, column
        """From 1."""


class LongCellError(BrokenWorkbookError):
    """A cell holds more than any that is read."""

    def __init__(self, row: int) -> None:
        super().__init__(f"a cell of row {row}" if row else "a cell")
        self.row = row
        """From 1; 0 where no cell of a sheet was found to show it."""


def cell_text(value: object) -> str:
    """*value* as the text of a cell: whole numbers without a point."""
    if isinstance(value, float) and value.is_integer() and abs(value) < _WHOLE:
        return str(int(value))
    return str(value)


def of_the_sheet(names: Sequence[str], rows_of: Callable[[str], Rows], *, across: int, sheet: str) -> Rows:
    """The rows of the *sheet* of that name; where none is named, of the first of *names* that has a head of answers
    (*across* > 1), else of the first that has two rows *across* columns, of the first where none has.

    Raises `UserError` where no sheet has that name, `BrokenWorkbookError` where there is none at all.
    """
    if not names:
        raise BrokenWorkbookError("no sheet")
    if sheet and sheet not in names:
        raise UserError(
            tr("There is no sheet “{sheet}”.", sheet=sheet),
            tr("The workbook has {sheets}.", sheets=", ".join(names[:_NAMED])),
        )
    likely = ""
    for name in [sheet] if sheet else names:
        rows = rows_of(name)
        begin = list(islice(rows, LOOKED_AT))
        if sheet or (across > 1 and any(is_head(cells) for _, cells in begin)):
            yield from chain(begin, rows)
            return
        if not likely and sum(sum(map(bool, cells)) >= across for _, cells in begin) > 1:
            likely = name
    yield from rows_of(likely or names[0])

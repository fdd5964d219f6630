"""Kinds of cells of a sheet, and the choice of the sheet of a workbook that is read, whatever kind it is of."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Final

from gpf_desktop.documents.column_names import MODEL as CALLED_MODEL
from gpf_desktop.documents.column_names import RESPONSE as CALLED_RESPONSE
from gpf_desktop.documents.column_names import is_head
from gpf_desktop.documents.level_names import MODEL, RESPONSE, level_of
from gpf_desktop.documents.table_reading import LOOKED_AT, SHEET, TableReading
from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.text import tr

COLUMNS: Final = 16_384
"""As many as a sheet can have."""
ROOM: Final = 1 << 25
"""Cells of the largest rectangle that is read: a gigabyte or less."""
_NAMED: Final = 30
_ACROSS: Final = 2
_ANSWERS: Final = frozenset({RESPONSE, *CALLED_RESPONSE})
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


def tables_of(
    names: Sequence[str], rows_of: Callable[[str], Rows], *, shown: int, across: int, start: TableReading, alike: bool
) -> Iterator[tuple[dict[str, str], Rows]]:
    """The rows of the sheet that *start* names; where it names none, of the first of *names* that has a head of answers
    (*across* > 1), else of the first that has two rows *across* columns, of the first where none has.

    Where *alike*, behind them those of each other sheet among the first *shown* that has the same columns, each with
    what its name says: whose answers they are, or of which sheet.
    Raises `UserError` where no sheet has that name, `BrokenWorkbookError` where there is none at all.
    """
    if not names:
        raise BrokenWorkbookError("no sheet")
    if start.sheet and start.sheet not in names:
        raise UserError(
            tr("There is no sheet “{sheet}”.", sheet=start.sheet),
            tr("The workbook has {sheets}.", sheets=", ".join(names[:_NAMED])),
        )
    if start.sheet:
        yield {}, rows_of(start.sheet)
        return
    begins = _Begins(rows_of)
    first = begins.first_of(names, across)
    head = begins.head_of(first, start)
    others = [
        name
        for name in (names[:shown] if alike and first in names[:shown] and head else [])
        if name == first or _alike(begins.head_of(name, start), head)
    ]
    if len(others) < _ACROSS:
        yield {}, rows_of(first)
        return
    whose = level_of(others) == MODEL and head.isdisjoint((MODEL, *CALLED_MODEL))
    for name in others:
        yield {MODEL if whose else SHEET: name}, rows_of(name)


def _answers_in(cells: Iterable[str]) -> frozenset[str]:
    return frozenset(name for cell in cells if (name := cell.strip().lower()) in _ANSWERS or name.endswith(RESPONSE))


def _alike(head: frozenset[str], other: frozenset[str]) -> bool:
    """Whether tables of these columns are parts of one: of the same, but for what is noted beside answers."""
    of_answers = _answers_in(head)
    return head == other or (bool(of_answers) and of_answers == _answers_in(other) and (head < other or other < head))


class _Begins:
    """The first rows of sheets, each read once."""

    def __init__(self, rows_of: Callable[[str], Rows]) -> None:
        self._rows_of = rows_of
        self._read: dict[str, list[tuple[int, list[str]]]] = {}

    def of(self, name: str) -> list[tuple[int, list[str]]]:
        if name not in self._read:
            self._read[name] = list(islice(self._rows_of(name), LOOKED_AT))
        return self._read[name]

    def first_of(self, names: Sequence[str], across: int) -> str:
        """The first of *names* that has a head of answers, else two rows *across* columns, else any."""
        heads = [name for name in names if across > 1 and any(is_head(cells) for _, cells in self.of(name))]
        # A sheet of questions may stand before that of the answers.
        heads.sort(key=lambda name: not any(map(_answers_in, (cells for _, cells in self.of(name)))))
        wide = (name for name in names if sum(sum(map(bool, cells)) >= across for _, cells in self.of(name)) > 1)
        return next(iter(heads), None) or next(wide, names[0])

    def head_of(self, name: str, start: TableReading) -> frozenset[str]:
        """The names of the columns of the sheet *name*; empty where no row stands below them."""
        rows = list(islice(start.from_head(self.of(name)), 2))
        return frozenset(filter(None, (cell.strip().lower() for cell in rows[0][1]))) if len(rows) > 1 else frozenset()

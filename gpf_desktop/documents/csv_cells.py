"""Text in cells of tables that other programs open: never a formula, and the same text again when read back.

A spreadsheet takes a cell that begins with one of `STARTERS` for a formula or strips it. Such a cell gets an
apostrophe in front, as spreadsheets have it for "this is text"; so does a cell that begins with an apostrophe, so
that taking one away brings every text back. Numbers are written as numbers. Every CSV file of ours is written here.
"""

import csv
from collections.abc import Iterable
from typing import Final, TextIO

STARTERS: Final = "=+-@\t\r\n＝＋－＠"
_MARK: Final = "'"


def guarded(text: str) -> str:
    """*text* as a cell that stays text."""
    return _MARK + text if text[:1] and text[0] in STARTERS + _MARK else text


class CsvWriter:
    """Writes rows to *file*, opened with ``newline=""``: text guarded, numbers in full, None as an empty cell."""

    def __init__(self, file: TextIO) -> None:
        # With a line feed alone, a carriage return inside a cell would go unquoted and read as a line end.
        self._rows = csv.writer(file)

    def row(self, cells: Iterable[str | float | None]) -> None:
        self._rows.writerow([guarded(cell) if isinstance(cell, str) else cell for cell in cells])


def unguarded(cell: str) -> str:
    """The text that `guarded` was given."""
    return cell.removeprefix(_MARK)

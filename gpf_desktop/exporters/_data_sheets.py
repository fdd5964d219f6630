"""Sheets of a workbook that hold data by the million cells: their rows are written here, into the finished file.

The library takes 15 µs for a cell, most of them for what such sheets have not: formats, links, formulas. So it makes
them with their heads alone, and their rows, text and numbers, go in behind those (ECMA-376, part 1, 18.3.1).
"""

import math
import re
import shutil
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryFile
from typing import IO, Final
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from gpf_desktop.domain import checkpoints
from gpf_desktop.domain.relations import Cell, Relation, Row
from gpf_desktop.domain.text import printable, tr

LONGEST_CELL: Final = 32_000
"""Characters; a workbook holds 32,767 and counts some twice."""
_MOST_ROWS: Final = 1_048_576
"""What a sheet holds, its head among them."""
_STEP: Final = 1000
"""Rows between two places at which Stop ends."""
_LEVEL: Final = 3
"""Of packing: a fifth of the time of the usual 6, for a tenth more bytes."""
_END: Final = b"</sheetData>"
_ESCAPED: Final = re.compile("(_x[0-9a-fA-F]{4}_)")
"""Is read as the one character of that number unless its first sign is written so itself (22.9.2.19)."""


class DataSheets:
    """The rows of some sheets, in files without a name in *folder* until *stack* is closed."""

    def __init__(self, stack: ExitStack, folder: Path) -> None:
        self._stack, self._folder = stack, folder
        self._rows: dict[str, tuple[IO[bytes], int]] = {}

    def write(self, relation: Relation, begin: Callable[[int], int]) -> None:
        """Every row of *relation*, long cells going on in further rows.

        *begin* makes a sheet with its head and gives its place in the workbook, from 1; called with 1, and with further
        numbers where one is full. Without rows there is no sheet.
        """
        names = [field.name for field in relation.fields]
        keys = {names.index(name) for name in relation.key}
        columns = [_letters(place) for place in range(len(names) + 1)]
        rows = (part for cells in relation.rows for part in _row_parts(cells, keys))
        number = 0
        while (first := next(rows, None)) is not None:
            number += 1
            file = self._stack.enter_context(TemporaryFile(dir=self._folder))  # noqa: SIM115 - the stack closes it
            row = 2
            file.write(_row(row, first, columns))
            while row < _MOST_ROWS and (cells := next(rows, None)) is not None:
                row += 1
                file.write(_row(row, cells, columns))
                if row % _STEP == 0:
                    checkpoints.passed()
            self._rows[f"xl/worksheets/sheet{begin(number)}.xml"] = file, row

    def put_into(self, made: IO[bytes], target: IO[bytes]) -> None:
        """The workbook *made*, with the rows, into *target*."""
        with ZipFile(made) as source, ZipFile(target, "w", ZIP_DEFLATED, compresslevel=_LEVEL) as book:
            for member in source.infolist():
                info = ZipInfo(member.filename, member.date_time)
                info.compress_type = ZIP_DEFLATED
                with source.open(member) as old, book.open(info, "w", force_zip64=True) as new:
                    if member.filename in self._rows:
                        _spliced(old.read(), *self._rows[member.filename], new)
                    else:
                        shutil.copyfileobj(old, new)


def _spliced(sheet: bytes, rows: IO[bytes], last: int, target: IO[bytes]) -> None:
    begin, end = sheet.split(_END)
    # Some readers believe what is said of a sheet's size, and end there.
    target.write(re.sub(rb'(<dimension ref="A1:[A-Z]+)1"', rb'\g<1>%d"' % last, begin))
    rows.seek(0)
    shutil.copyfileobj(rows, target, 1 << 20)
    target.write(_END + end)


def _row(number: int, cells: Sequence[Cell], columns: Sequence[str]) -> bytes:
    said = [
        _cell(f"{column}{number}", cell) for column, cell in zip(columns, cells, strict=True) if cell not in (None, "")
    ]
    return f'<row r="{number}">{"".join(said)}</row>'.encode()


def _cell(place: str, cell: str | float) -> str:
    if not isinstance(cell, str):
        if math.isfinite(cell):
            # With the sign, truth is the number that a workbook has for it.
            return f'<c r="{place}"><v>{+cell!r}</v></c>'
        cell = str(cell)
    if "_x" in cell:
        cell = _ESCAPED.sub(r"_x005F\1", cell)
    text = cell.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return f'<c r="{place}" t="inlineStr"><is><t xml:space="preserve">{text}</t></is></c>'


def _letters(place: int) -> str:
    """A, B … Z, AA …"""
    before, last = divmod(place, 26)
    return (_letters(before - 1) if before else "") + chr(ord("A") + last)


def _row_parts(cells: Row, keys: Collection[int]) -> Iterator[list[Cell]]:
    """*cells* in as many rows as the longest of them needs, those at *keys* in each; the last says which it is."""
    whole = [printable(cell) if isinstance(cell, str) else cell for cell in cells]
    if not any(isinstance(cell, str) and len(cell) > LONGEST_CELL for cell in whole):
        yield [*whole, None]
        return
    parted = [parts_of(cell) if isinstance(cell, str) else [cell] for cell in whole]
    most = max(map(len, parted))
    for number in range(most):
        row: list[Cell] = [
            each[number] if number < len(each) else (each[0] if place in keys else None)
            for place, each in enumerate(parted)
        ]
        yield [*row, tr("{part} of {parts}", part=number + 1, parts=most)]


def parts_of(text: str) -> list[str]:
    """*text* in cells that a workbook can hold, in order; one empty part for an empty text."""
    return [text[begin : begin + LONGEST_CELL] for begin in range(0, max(len(text), 1), LONGEST_CELL)]

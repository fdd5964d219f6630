"""A sheet of an OpenDocument spreadsheet (ODS), as LibreOffice saves it, as rows of text.

Read as a stream: no more is held than the row that is open, whatever the archive unpacks to and however often a row or
a cell is said to stand there again.
"""

import zipfile
from collections.abc import Callable, Iterator
from functools import partial
from typing import Final
from xml.parsers import expat

from gpf_desktop.documents.sheet_cells import (
    COLUMNS,
    ROOM,
    BrokenWorkbookError,
    ErrorCell,
    FarCellError,
    LongCellError,
    Rows,
    Uncomputed,
    cell_text,
    tables_of,
)
from gpf_desktop.documents.table_reading import TableReading
from gpf_desktop.documents.tables import LONGEST_CELL, LONGEST_LINE
from gpf_desktop.documents.xml_events import defines_entities

PART: Final = "content.xml"
_PIECE: Final = 1 << 18
_LONGEST: Final = LONGEST_CELL + _PIECE
_ROWS_BETWEEN: Final = 10_000
"""Bytes without the end of a tag, which the parser would hold."""
_CELLS: Final = frozenset({"table-cell", "covered-table-cell"})
_PARAGRAPHS: Final = frozenset({"p", "h"})
_SIGNS: Final = {"tab": "\t", "line-break": "\n"}
_GoOn = Callable[[], object]


def is_open_document(archive: zipfile.ZipFile) -> bool:
    return PART in archive.namelist()


def document_tables(
    archive: zipfile.ZipFile, *, across: int, start: TableReading, alike: bool, go_on: _GoOn = lambda: None
) -> Iterator[tuple[dict[str, str], Rows]]:
    """Those of an ODS file, like `workbooks.workbook_tables`. Raises as that does, and `expat.ExpatError`."""
    names, shown = document_sheets(archive, go_on)
    rows_of = partial(_rows, archive, go_on)
    yield from tables_of(names, rows_of, shown=shown, across=across, start=start, alike=alike)


def document_sheets(archive: zipfile.ZipFile, go_on: _GoOn = lambda: None) -> tuple[list[str], int]:
    """The names of the sheets, first those that are shown, and how many these are. Raises as `document_tables` does."""
    found: list[tuple[bool, str]] = []
    hidden: set[str] = set()
    style = ""

    def start(name: str, attributes: dict[str, str]) -> None:
        nonlocal style
        match _local(name), _named(attributes):
            case "style", {"name": called}:
                style = called
            case "table-properties", {"display": "false"}:
                hidden.add(style)
            case "table", {"name": called} as told:
                found.append((told.get("style-name") in hidden, called))

    parser = _parser()
    parser.StartElementHandler = start
    for _ in _parsed(archive, parser, go_on):
        pass
    names = [name for _, name in sorted(found, key=lambda each: each[0])]
    return names, sum(not is_hidden for is_hidden, _ in found)


def _rows(archive: zipfile.ZipFile, go_on: _GoOn, sheet: str) -> Rows:
    """The rows of the *sheet* of that name."""
    parser = _parser()
    reader = _Reader(sheet)
    parser.StartElementHandler = reader.start
    parser.EndElementHandler = reader.end
    parser.CharacterDataHandler = reader.text
    above: dict[int, tuple[int, str]] = {}
    for _ in _parsed(archive, parser, go_on, reader):
        for first, times, cells, spans in reader.taken():
            for number in range(first, first + times):
                if not number % _ROWS_BETWEEN:
                    # One row may stand for a million.
                    go_on()
                yield number, _merged(number, list(cells), spans, above)
        if reader.is_done:
            return


def _merged(number: int, cells: list[str], spans: dict[int, int], above: dict[int, tuple[int, str]]) -> list[str]:
    """*cells* with what merged cells *above* say; *spans* are the rows of those that begin here, by column."""
    for column, (last, text) in list(above.items()):
        if number > last:
            del above[column]
            continue
        cells += [""] * (column + 1 - len(cells))
        cells[column] = cells[column] or text
    for column, rows in spans.items():
        above[column] = number + rows - 1, cells[column]
    return cells


class _Reader:
    """The rows of one sheet, told by the parser."""

    def __init__(self, sheet: str) -> None:
        self.is_done = False
        self._sheet = sheet
        self._inside = False
        self._found: list[tuple[int, int, list[str], dict[int, int]]] = []
        self.number = self._times = 1
        self._cells: list[str] = []
        self._spans: dict[int, int] = {}
        self._empty = self._size = self._widest = 0
        self._cell: dict[str, str] | None = None
        self._deep = 0
        """Elements that are open within the cell."""
        self._reads = False
        """Whether the outermost of them is a paragraph: notes and drawings hold some too."""
        self._pieces: list[str] = []
        self._paragraphs = 0
        """1 once the cell has one: the next begins a line."""

    def taken(self) -> list[tuple[int, int, list[str], dict[int, int]]]:
        """Rows since the last time: number, how often, cells, rows that its merged cells reach over."""
        found, self._found = self._found, []
        return found

    def start(self, name: str, attributes: dict[str, str]) -> None:
        name = _local(name)
        if self._cell is not None:
            self._within(name, attributes)
        elif name == "table":
            self._inside = _named(attributes).get("name") == self._sheet and not self.is_done
        elif not self._inside:
            return
        elif name == "table-row":
            self._times = _times(_named(attributes), "number-rows-repeated")
            self._cells, self._spans, self._empty, self._size = [], {}, 0, 0
        elif name in _CELLS:
            self._cell, self._deep, self._pieces, self._paragraphs = _named(attributes), 0, [], 0

    def _within(self, name: str, attributes: dict[str, str]) -> None:
        self._deep += 1
        if self._deep == 1:
            self._reads = name in _PARAGRAPHS
            if self._reads:
                self._pieces += ["\n"] * self._paragraphs
                self._paragraphs = 1
        elif self._reads and name == "s":
            self._take(" " * min(_times(_named(attributes), "c"), LONGEST_CELL + 1))
        elif self._reads and name in _SIGNS:
            self._take(_SIGNS[name])

    def text(self, data: str) -> None:
        if self._deep and self._reads:
            self._take(data)

    def _take(self, text: str) -> None:
        self._pieces.append(text)
        self._size += len(text)
        if self._size > LONGEST_LINE:
            raise LongCellError(self.number)

    def end(self, name: str) -> None:
        if self._deep:
            self._deep -= 1
            return
        name = _local(name)
        if self._cell is not None:
            self._end_cell(self._cell)
            self._cell = None
        elif self._inside and name == "table-row":
            if self._cells:
                self._widest = max(self._widest, len(self._cells))
                last = self.number + self._times - 1
                if last * self._widest > ROOM:
                    raise FarCellError(last, self._widest)
                self._found.append((self.number, self._times, self._cells, self._spans))
            self.number += self._times
        elif self._inside and name == "table":
            self._inside, self.is_done = False, True

    def _end_cell(self, attributes: dict[str, str]) -> None:
        text = _value(attributes, "".join(self._pieces))
        if len(text) > LONGEST_CELL:
            raise LongCellError(self.number)
        times = _times(attributes, "number-columns-repeated")
        if not text and not isinstance(text, Uncomputed):
            self._empty += times
            return
        column = len(self._cells) + self._empty
        if column + times > COLUMNS:
            raise FarCellError(self.number, column + times)
        self._cells += [""] * self._empty + [text] * times
        self._empty = 0
        if (rows := _times(attributes, "number-rows-spanned")) > 1:
            self._spans[column] = rows


def _value(told: dict[str, str], shown: str) -> str:
    """The text of a cell that shows *shown*: values as an XLSX file has them, not as the sheet shows them."""
    if told.get("calcext value-type") == "error":
        return ErrorCell()
    match told:
        case {"value": value}:
            text = cell_text(float(value))
        case {"date-value": value}:
            text = value.replace("T", " ").removesuffix(" 00:00:00")
        case {"boolean-value": value}:
            text = value.capitalize()
        case {"string-value": value}:
            text = value
        case {"formula": _} if not shown and "value-type" not in told:
            text = Uncomputed()
        case _:
            text = shown
    return text


def _times(told: dict[str, str], name: str) -> int:
    text = told.get(name, "1")
    # What is longer is no number of a sheet's, and would make one that takes long.
    if len(text) > 9:
        raise BrokenWorkbookError(f"{name} is {text[:20]}")
    return max(1, int(text))


def _named(attributes: dict[str, str]) -> dict[str, str]:
    """*attributes* by their local names; LibreOffice's own, of the same names, behind a word."""
    return {("calcext " if "calcext" in key else "") + _local(key): value for key, value in attributes.items()}


def _local(name: str) -> str:
    return name.rpartition(" ")[2]


def _parser() -> expat.XMLParserType:
    parser = expat.ParserCreate(namespace_separator=" ")
    parser.buffer_text = True
    parser.EntityDeclHandler = _refuse_entities
    return parser


def _refuse_entities(*_declaration: object) -> None:
    raise defines_entities()


def _parsed(
    archive: zipfile.ZipFile, parser: expat.XMLParserType, go_on: _GoOn, reader: _Reader | None = None
) -> Iterator[None]:
    """Each piece of the content, once *parser* has had it."""
    held = 0
    with archive.open(PART) as opened:
        while piece := opened.read(_PIECE):
            go_on()
            ended = piece.rfind(b">")
            held = held + len(piece) if ended < 0 else len(piece) - ended
            if held > _LONGEST:
                raise LongCellError(reader.number if reader else 0)
            parser.Parse(piece, False)
            yield
        parser.Parse(b"", True)
        yield

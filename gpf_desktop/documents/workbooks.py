"""A sheet of an XLSX file as rows of text; of an ODS file, `opendocument` reads it.

calamine reads it, ten times as fast as openpyxl, and holds the sheet as a rectangle up to its last cell, whatever an
archive unpacks to. So what it would take is looked at before.
"""

import re
import zipfile
import zlib
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor, wait
from copy import copy
from functools import lru_cache
from html import unescape
from typing import TYPE_CHECKING, Final, TypeVar

from gpf_desktop.documents.opendocument import document_sheets, document_tables, is_open_document
from gpf_desktop.documents.sheet_cells import (
    COLUMNS,
    ROOM,
    BrokenWorkbookError,
    ErrorCell,
    FarCellError,
    LongCellError,
    Uncomputed,
    cell_text,
    tables_of,
)
from gpf_desktop.documents.table_reading import TableReading
from gpf_desktop.documents.tables import LONGEST_CELL
from gpf_desktop.documents.xml_events import defines_entities

if TYPE_CHECKING:
    from python_calamine import CalamineSheet

_PIECE: Final = 1 << 18
_HEARD_SECONDS: Final = 0.2
_LONGEST_TAG: Final = 1 << 16
_TAG: Final = re.compile(rb"<(?:[\w.-]+:)?(row|c)(?=[\s/>])(?:[^<]*?\sr\s*=\s*[\"']([A-Za-z]*)([0-9]*))?")
"""A row or a cell, and which: writers may leave that out."""
_SHARED: Final = re.compile(rb"<(?:[\w.-]+:)?si[\s/>]")
_FORMULA: Final = re.compile(
    # Bounds, since a tag of a hostile file may go on for ever.
    rb"<(?:\w+:)?c(?P<told>\s[^<>]{0,200})>\s*<(?:\w+:)?f(?:\s[^<>]{0,300})?(?:/>|>[^<]*</(?:\w+:)?f>)\s*"
    rb"(?:<(?:\w+:)?v\s*/>|<(?:\w+:)?v></(?:\w+:)?v>)?\s*</(?:\w+:)?c>"
)
"""The cell of a formula without a value: so programs write workbooks that do not compute."""
_ERROR: Final = re.compile(rb"<(?:\w+:)?c(?P<told>\s[^<>]{0,200})>")
_IS_ERROR: Final = re.compile(rb"\st\s*=\s*[\"']e[\"']")
_PLACE: Final = re.compile(rb"\sr\s*=\s*[\"']([A-Za-z]+)([0-9]+)[\"']")
_TEXT: Final = re.compile(rb"\st\s*=\s*[\"']str[\"']")
"""A formula whose value is a text, perhaps of no characters."""
_SHEET: Final = re.compile(r"<(?:\w+:)?sheet\s[^<>]*?\bname\s*=\s*[\"']([^\"'<>]*)[\"']")
_SHEET_TAG: Final = re.compile(r"<(?:\w+:)?sheet\s([^<>]*)>")
_LINK_TAG: Final = re.compile(r"<(?:\w+:)?Relationship\s([^<>]*)>")
_ATTRIBUTE: Final = re.compile(r"([\w:]+)\s*=\s*[\"']([^\"'<>]*)[\"']")
_LARGEST_LIST: Final = 1 << 20

_Unvalued = dict[tuple[int, int], Uncomputed]
"""By row and column, from 1: cells without a value, on whatever sheet."""

T = TypeVar("T")
_GoOn = Callable[[], object]


def workbook_rows(
    archive: zipfile.ZipFile, *, across: int = 1, sheet: str = "", go_on: _GoOn = lambda: None
) -> Iterator[tuple[int, list[str]]]:
    """The rows of the first of `workbook_tables`."""
    start = TableReading(sheet=sheet)
    _, rows = next(workbook_tables(archive, across=across, start=start, alike=False, go_on=go_on))
    yield from rows


def workbook_tables(
    archive: zipfile.ZipFile, *, across: int, start: TableReading, alike: bool, go_on: _GoOn = lambda: None
) -> Iterator[tuple[dict[str, str], Iterator[tuple[int, list[str]]]]]:
    """What `tables_of` finds among the sheets: rows that hold anything, with their numbers from 1; cells as text, up to
    the last that holds any.

    Of a formula the value that was stored with it, `Uncomputed` where none was; an error is an `ErrorCell`. Of merged
    cells those of the first column have their text, so that each row below says it too.
    *go_on* is heard several times a second before the first row; what it raises ends the reading.
    Raises `UserError` where no sheet has that name, `BrokenWorkbookError` (`LongCellError`), `SourceError` where
    entities are defined, and what zipfile, zlib and calamine raise for files that are no workbooks.
    """
    if is_open_document(archive):
        yield from document_tables(archive, across=across, start=start, alike=alike, go_on=go_on)
        return
    from python_calamine import SheetTypeEnum, SheetVisibleEnum, load_workbook

    by_part = _refuse_traps(archive, go_on)
    parts = _parts_of_sheets(archive)

    def unvalued(name: str) -> _Unvalued:
        return by_part.get(parts.get(name, ""), {})

    file = archive.fp
    assert file is not None
    file.seek(0)
    with _heard(lambda: load_workbook(file), go_on) as book:
        sheets = [sheet for sheet in book.sheets_metadata if sheet.typ == SheetTypeEnum.WorkSheet]
        sheets.sort(key=lambda sheet: sheet.visible != SheetVisibleEnum.Visible)
        yield from tables_of(
            [each.name for each in sheets],
            # A sheet is read as a whole before its first row.
            lambda name: _filled_rows(_heard(lambda: book.get_sheet_by_name(name), go_on), unvalued(name)),
            shown=sum(sheet.visible == SheetVisibleEnum.Visible for sheet in sheets),
            across=across,
            start=start,
            alike=alike,
        )


def sheet_names(archive: zipfile.ZipFile) -> list[str]:
    """The names of a workbook's sheets in their order, without unpacking any of XLSX; empty where it is none."""
    if is_open_document(archive):
        return document_sheets(archive)[0]
    return [unescape(name) for name in _SHEET.findall(_list_of(archive, "xl/workbook.xml"))]


def _parts_of_sheets(archive: zipfile.ZipFile) -> dict[str, str]:
    """The part of the archive that each sheet lies in, by the sheet's name."""
    links = {}
    for tag in _LINK_TAG.findall(_list_of(archive, "xl/_rels/workbook.xml.rels")):
        told = dict(_ATTRIBUTE.findall(tag))
        target = unescape(told.get("Target", ""))
        links[told.get("Id", "")] = target[1:] if target.startswith("/") else f"xl/{target.removeprefix('./')}"
    parts = {}
    for tag in _SHEET_TAG.findall(_list_of(archive, "xl/workbook.xml")):
        told = {key.rpartition(":")[2]: value for key, value in _ATTRIBUTE.findall(tag)}
        parts[unescape(told.get("name", ""))] = links.get(told.get("id", ""), "")
    return parts


def _list_of(archive: zipfile.ZipFile, part: str) -> str:
    """The text of a small *part*; empty where there is none."""
    try:
        with archive.open(part) as opened:
            return opened.read(_LARGEST_LIST).decode(errors="replace")
    except (KeyError, OSError, RuntimeError, ValueError, zlib.error, zipfile.BadZipFile):
        return ""


def _heard(work: Callable[[], T], go_on: _GoOn) -> T:
    """The result of *work*, which takes seconds without a word: *go_on* is called meanwhile."""
    with ThreadPoolExecutor(1) as pool:
        found = pool.submit(work)
        while not wait([found], _HEARD_SECONDS).done:
            go_on()
        return found.result()


def _filled_rows(sheet: "CalamineSheet", uncomputed: _Unvalued) -> Iterator[tuple[int, list[str]]]:
    # Its rows begin at the top, their cells at the first column that holds anything.
    before = [""] * (sheet.start[1] if sheet.start else 0)
    above = _Merged(sheet)
    for number, row in enumerate(sheet.iter_rows(), start=1):
        cells = before + [cell_text(value) for value in row]
        above.fill(number, cells)
        if uncomputed:
            cells = [text or uncomputed.get((number, place), "") for place, text in enumerate(cells, 1)]
        while cells and not cells[-1] and not isinstance(cells[-1], Uncomputed):
            cells.pop()
        if cells:
            yield number, cells


class _Merged:
    """Cells of a sheet that are merged over several rows."""

    def __init__(self, sheet: "CalamineSheet") -> None:
        self._down: dict[int, list[tuple[int, int]]] = {}
        """By the row where they begin, from 1: the last row and the column, from 0."""
        for (top, left), (bottom, _) in sheet.merged_cell_ranges or ():
            if bottom > top:
                self._down.setdefault(top + 1, []).append((bottom + 1, left))
        self._open: dict[int, tuple[int, str]] = {}
        """By column: the last row, and the text."""

    def fill(self, number: int, cells: list[str]) -> None:
        """Give *cells*, the row of this *number*, what merged cells above say."""
        for column, (last, text) in list(self._open.items()):
            if number > last:
                del self._open[column]
            elif text and column < len(cells) and not cells[column]:
                cells[column] = text
        for last, column in self._down.get(number, ()):
            self._open[column] = last, cells[column] if column < len(cells) else ""


def _refuse_traps(archive: zipfile.ZipFile, go_on: _GoOn) -> dict[str, _Unvalued]:
    """Raises as `workbook_rows` does; what is returned are the cells without a value, by part."""
    uncomputed = {}
    for part in map(copy, archive.infolist()):
        promised = part.file_size
        # zipfile hands out no more than was promised, and a library may unpack all that there is: one byte more tells
        # which promises are not kept.
        part.file_size += 1
        reach = _Reach()
        with archive.open(part) as opened:
            while piece := opened.read(_PIECE):
                promised -= len(piece)
                reach.take(piece)
                if reach.text > LONGEST_CELL:
                    raise LongCellError(_row_of(archive, reach.shared) if reach.shared else reach.row)
                go_on()
        if promised:
            raise BrokenWorkbookError(f"{part.filename} is not as long as it says")
        uncomputed[part.filename] = reach.uncomputed
    return uncomputed


def _row_of(archive: zipfile.ZipFile, shared: int) -> int:
    """The row of the first cell that shows the text number *shared* of those that cells share, from 1; 0: none does."""
    shown = re.compile(
        rb"<(?:[\w.-]+:)?c(?=\s[^<>]*\st\s*=\s*[\"']s[\"'])[^<>]*?\sr\s*=\s*[\"'][A-Za-z]+([0-9]+)[\"'][^<>]*>"
        rb"\s*<(?:[\w.-]+:)?v>%d<" % (shared - 1)
    )
    for name in archive.namelist():
        if "worksheets/" in name:
            rest = b""
            with archive.open(name) as opened:
                while piece := opened.read(_PIECE):
                    rest += piece
                    if found := shown.search(rest):
                        return int(found[1])
                    rest = rest[-_LONGEST_TAG:]
    return 0


class _Reach:
    """How far the cells of a part reach, which is read in pieces."""

    def __init__(self) -> None:
        self.uncomputed: _Unvalued = {}
        self._rest = self._open = b""
        self._row = self._column = self._rows = self._columns = 0
        self.text = 0
        """Bytes since the last tag, of texts that cells share since one began: so much is known to be one text."""
        self.shared = 0
        """Texts so far that cells share."""

    @property
    def row(self) -> int:
        """The row of the last cell so far."""
        return self._row

    def take(self, piece: bytes) -> None:
        piece = self._rest + piece
        if b"<!ENTITY" in piece:
            raise defines_entities()
        # The last tag may go on in the next piece; what follows it is text, of which a cell has no more than this.
        last = piece.rfind(b"<")
        begun = piece.rfind(b"<si") if self.shared else last
        self.text = self.text + len(piece) - len(self._rest) if begun < 0 else len(piece) - begun
        whole = len(piece) if last < 0 or len(piece) - last > _LONGEST_TAG else last
        self._rest = piece[whole:]
        self.shared += len(_SHARED.findall(piece, 0, whole))
        if tags := _TAG.findall(piece, 0, whole):
            self._reach(tags)
        self._look_for_formulas(piece[:whole])
        if self._rows * self._columns > ROOM:
            raise FarCellError(self._rows, self._columns)

    def _look_for_formulas(self, piece: bytes) -> None:
        # Begins with the cell that the piece before ended in.
        piece = self._open + piece
        self._open = piece[max(piece.rfind(b"<c"), piece.rfind(b":c"), len(piece) - _LONGEST_TAG) :]
        if b"<f" in piece or b":f" in piece:
            for told in _FORMULA.findall(piece):
                if (place := _PLACE.search(told)) and not _TEXT.search(told):
                    self.uncomputed[int(place[2]), _column(place[1])] = Uncomputed()
        if b'"e"' in piece or b"'e'" in piece:
            for told in _ERROR.findall(piece):
                if (place := _PLACE.search(told)) and _IS_ERROR.search(told):
                    self.uncomputed[int(place[2]), _column(place[1])] = ErrorCell()

    def _reach(self, tags: list[tuple[bytes, bytes, bytes]]) -> None:
        names, letters, digits = zip(*tags, strict=True)
        if b"" not in digits and letters.count(b"") == names.count(b"row"):
            # All say where they stand, as nearly every workbook's do: seen without a step for each.
            columns = {_column(each) for each in set(letters) - {b""}}
            self._row, self._column = int(digits[-1]), _column(letters[-1])
            self._rows = max(self._rows, *map(int, set(digits)))
            self._columns = max(self._columns, *columns, 0)
            return
        for name, letter, digit in tags:
            if name == b"row":
                self._row = int(digit) if digit else self._row + 1
                self._column = 0
            else:
                self._column = _column(letter) if letter else self._column + 1
                self._columns = max(self._columns, self._column)
            # A cell states its row too, in which it is then put.
            self._rows = max(self._rows, self._row, int(digit or 0))


@lru_cache(maxsize=COLUMNS)
def _column(letters: bytes) -> int:
    """Number of the column, from 1, that is called so."""
    found = 0
    for letter in letters.upper():
        found = found * 26 + letter - 64
    if found > COLUMNS:
        raise BrokenWorkbookError(f"no column {letters[:10].decode()}")
    return found

"""A sheet of an XLSX file as rows of text, read as a stream: no tree, no entities, no depth beyond reason.

    _rels/.rels → xl/workbook.xml → its relations → the sheet, the strings that its cells share, the styles of dates

Read here and not by a library: openpyxl makes several objects of each cell (5.3 s of the processor where this takes
2.1, 20,000 answers of 1,340 characters in their cells), and calamine, which is faster still, holds the sheet as a
rectangle, so that one cell in the far corner ends the program.
"""

import posixpath
import re
import zipfile
from collections.abc import Iterator, Mapping
from datetime import datetime, timedelta
from functools import lru_cache
from itertools import chain, islice
from typing import Any, Final
from xml.parsers import expat

from gpf_desktop.documents.xml_events import DEEPEST, defines_entities, too_deep

COLUMNS: Final = 16_384
"""As many as a sheet can have."""
_PIECE: Final = 1 << 18
_ESCAPED: Final = re.compile("_x([0-9A-Fa-f]{4})_")
"""How what XML cannot hold stands in a text; an underscore that would be read so stands as _x005F_."""
_DATES: Final = frozenset({*range(14, 23), *range(27, 37), *range(45, 48), *range(50, 59)})
"""Numbers of formats that no file defines: dates and times, also East Asian ones."""
_DURATION: Final = 46
_WORDS_OF_FORMATS: Final = re.compile(r'"[^"]*"|\\.|_.|\[(?![hms]+\])[^\]]*\]', re.IGNORECASE)


class BrokenWorkbookError(ValueError):
    """A part is missing, or says what no workbook says."""


def workbook_rows(archive: zipfile.ZipFile, *, across: int = 1) -> Iterator[tuple[int, list[str]]]:
    """Rows that hold anything, with their numbers from 1; cells as text, up to the last that holds any.

    Of the first sheet that is shown and has two rows, the first of them *across* columns; of the first where none is.
    Of a formula the value that was stored with it; of merged cells the first has their text. Raises
    `BrokenWorkbookError`, and what zipfile, zlib and expat raise for files that are no workbooks.
    """
    book = next(iter(_targets(archive, "_rels/.rels", "/officeDocument").values()), "xl/workbook.xml")
    folder, name = posixpath.split(book)
    related = f"{folder}/_rels/{name}.rels"
    workbook = _Workbook()
    _read_all(archive, book, workbook)
    parts = _targets(archive, related, "/worksheet")
    sheets = [parts[each] for each in (*workbook.sheets, *workbook.hidden) if each in parts]
    if not sheets:
        raise BrokenWorkbookError("no sheet")
    strings, styles = _Strings(), _Styles()
    for kind, reader in (("/sharedStrings", strings), ("/styles", styles)):
        for part in _targets(archive, related, kind).values():
            _read_all(archive, part, reader)

    def rows_of(sheet: str) -> Iterator[tuple[int, list[str]]]:
        rows = _Sheet(strings.texts, styles.of_cells, workbook.first_day)
        for _ in _read(archive, sheet, rows):
            yield from rows.ended
            rows.ended.clear()

    for sheet in sheets:
        rows = rows_of(sheet)
        begin = list(islice(rows, 2))
        if len(begin) == 2 and sum(map(bool, begin[0][1])) >= across:
            yield from chain(begin, rows)
            return
    yield from rows_of(sheets[0])


def _read(archive: zipfile.ZipFile, part: str, reader: "_Reader") -> Iterator[None]:
    """Have *reader* told of *part*, piece by piece."""
    # A blank parts namespace and name, and no name holds one: programs call the same element x:row and row.
    parser = expat.ParserCreate(None, " ")
    parser.buffer_text = True
    parser.buffer_size = _PIECE
    parser.StartElementHandler = reader.start
    parser.EndElementHandler = reader.end
    parser.CharacterDataHandler = reader.text
    parser.EntityDeclHandler = _refuse_entity
    try:
        opened = archive.open(part)
    except KeyError as error:
        raise BrokenWorkbookError(f"no {part}") from error
    with opened:
        while piece := opened.read(_PIECE):
            parser.Parse(piece, False)
            yield
        parser.Parse(b"", True)
        yield


def _read_all(archive: zipfile.ZipFile, part: str, reader: "_Reader") -> None:
    for _ in _read(archive, part, reader):
        pass


def _refuse_entity(*_declaration: object) -> None:
    raise defines_entities()


def _targets(archive: zipfile.ZipFile, part: str, kind: str) -> dict[str, str]:
    """By their ids, the parts that *part* relates to as a *kind*; none where there is no such part."""
    if part not in archive.namelist():
        return {}
    relations = _Relations()
    _read_all(archive, part, relations)
    beside = posixpath.dirname(posixpath.dirname(part))
    return {
        each["Id"]: posixpath.normpath(posixpath.join("/", beside, each["Target"])).lstrip("/")
        for each in relations.all
        if each.get("Type", "").endswith(kind) and "Id" in each and "Target" in each
    }


class _Locals(dict[str, str]):
    """Names without their namespaces, each parted once."""

    def __missing__(self, name: str) -> str:
        found = self[name] = name.rpartition(" ")[2]
        return found


class _Reader:
    """Gathers the text of the elements t and v, beside what is pronounced."""

    def __init__(self) -> None:
        self._names = _Locals()
        self._depth = 0
        self._takes = self._pronounced = False
        self._pieces: list[str] = []

    def start(self, name: str, attributes: Mapping[str, str]) -> None:
        self._depth += 1
        if self._depth > DEEPEST:
            raise too_deep()
        local = self._names[name]
        if local in {"t", "v"}:
            self._takes = not self._pronounced
        elif local == "rPh":
            self._pronounced = True
        else:
            self._begun(local, attributes)

    def end(self, name: str) -> None:
        self._depth -= 1
        local = self._names[name]
        if local in {"t", "v"}:
            self._takes = False
        elif local == "rPh":
            self._pronounced = False
        else:
            self._ended(local)

    def text(self, data: str) -> None:
        if self._takes:
            self._pieces.append(data)

    def _taken(self) -> str:
        text = "".join(self._pieces)
        self._pieces.clear()
        return text

    def _begun(self, local: str, attributes: Mapping[str, str]) -> None:
        """An element begins that holds no text."""

    def _ended(self, local: str) -> None:
        """It ends."""


class _Relations(_Reader):
    def __init__(self) -> None:
        super().__init__()
        self.all: list[Mapping[str, str]] = []

    def _begun(self, local: str, attributes: Mapping[str, str]) -> None:
        if local == "Relationship":
            self.all.append(attributes)


class _Workbook(_Reader):
    def __init__(self) -> None:
        super().__init__()
        self.sheets: list[str] = []
        """Ids of their relations, in the order of their tabs."""
        self.hidden: list[str] = []
        self.first_day = datetime(1899, 12, 30)  # noqa: DTZ001 - sheets know no zones

    def _begun(self, local: str, attributes: Mapping[str, str]) -> None:
        if local == "sheet":
            found = self.sheets if attributes.get("state", "visible") == "visible" else self.hidden
            found += [value for name, value in attributes.items() if self._names[name] == "id"]
        elif local == "workbookPr" and attributes.get("date1904") in {"1", "true"}:
            self.first_day = datetime(1904, 1, 1)  # noqa: DTZ001


class _Strings(_Reader):
    def __init__(self) -> None:
        super().__init__()
        self.texts: list[str] = []

    def _ended(self, local: str) -> None:
        if local == "si":
            self.texts.append(_unescaped(self._taken()))


class _Styles(_Reader):
    """Which styles show a number as a moment, and which as a time that passed."""

    def __init__(self) -> None:
        super().__init__()
        self.of_cells: dict[str, str] = {}
        """By their places: "date", "duration" or nothing."""
        self._formats: dict[str, str] = {}
        self._inside = False

    def _begun(self, local: str, attributes: Mapping[str, str]) -> None:
        if local == "numFmt":
            self._formats[attributes.get("numFmtId", "")] = _shows(attributes.get("formatCode", ""))
        elif local == "cellXfs":
            self._inside = True
        elif local == "xf" and self._inside:
            number = attributes.get("numFmtId", "0")
            common = "date" if int(number) in _DATES else ""
            shows = self._formats.get(number, "duration" if int(number) == _DURATION else common)
            self.of_cells[str(len(self.of_cells))] = shows

    def _ended(self, local: str) -> None:
        self._inside = self._inside and local != "cellXfs"


class _Sheet(_Reader):
    def __init__(self, strings: list[str], styles: Mapping[str, str], first_day: datetime) -> None:
        super().__init__()
        self.ended: list[tuple[int, list[str]]] = []
        self._strings, self._styles, self._first_day = strings, styles, first_day
        self._number = 0
        self._cells: list[str] = []
        self._cell: Mapping[str, Any] = {}
        self._next = 0

    def _begun(self, local: str, attributes: Mapping[str, str]) -> None:
        if local == "c":
            self._cell = attributes
        elif local == "row":
            self._number = int(attributes["r"]) if "r" in attributes else self._number + 1
            self._cells = []
            self._next = 0

    def _ended(self, local: str) -> None:
        if local == "c":
            self._keep()
        elif local == "row" and self._cells:
            self.ended.append((self._number, self._cells))

    def _keep(self) -> None:
        # Where a cell does not say its column, it is the one behind the last.
        column = _column(self._cell["r"].rstrip("0123456789")) if "r" in self._cell else self._next
        self._next = column + 1
        text = self._value(self._taken())
        if text:
            cells = self._cells
            if (gap := column - len(cells)) < 0:
                cells[column] = text
            else:
                cells += [""] * gap
                cells.append(text)

    def _value(self, text: str) -> str:
        match self._cell.get("t", "n"):
            case _ if not text:
                return ""
            case "s":
                return self._strings[int(text)]
            case "inlineStr" | "str":
                return _unescaped(text)
            case "b":
                return str(text != "0")
            case "n":
                shows = self._styles.get(self._cell.get("s", "0"), "")
                return _moment(float(text), self._first_day, shows) if shows else _number(text)
            case _:
                return text


def _unescaped(text: str) -> str:
    return _ESCAPED.sub(lambda found: chr(int(found[1], 16)), text) if "_x" in text else text


def _shows(code: str) -> str:
    """What a number is under the format *code*: "date", "duration" or nothing."""
    code = _WORDS_OF_FORMATS.sub("", code.partition(";")[0]).lower()
    if re.search(r"\[[hms]+\]", code):
        return "duration"
    return "date" if re.search("[dmyhs]", code) else ""


def _number(text: str) -> str:
    try:
        return str(int(text))
    except ValueError:
        return str(float(text))


def _moment(days: float, first_day: datetime, shows: str) -> str:
    try:
        passed = timedelta(milliseconds=round(days * 86_400_000))
        if shows == "duration":
            return str(passed)
        if 0 <= days < 1:
            return str((first_day + passed).time())
        # In the calendar from 1900 there was a 29th of February 1900, up to which all days are one too few.
        early = timedelta(days=days < 60 and first_day.year < 1900)
        return str(first_day + passed + early)
    except (OverflowError, ValueError):
        return str(days)


@lru_cache(maxsize=COLUMNS)
def _column(letters: str) -> int:
    """Place of the column, from 0, that is called so."""
    found = 0
    for letter in letters:
        found = found * 26 + ord(letter) - 64
    if not 0 < found <= COLUMNS:
        raise BrokenWorkbookError(f"no column {letters[:10]}")
    return found - 1

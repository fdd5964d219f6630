"""Reads tables of answers that came from elsewhere (CSV, JSON lines or XLSX) for `score_table`.

Every complaint is a sentence with a line number; what is merely odd (byte order marks, encodings, semicolons,
fields of many megabytes, NUL) is read.
"""

import codecs
import csv
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Final, TextIO

from gpf_desktop.documents.tables import json_objects
from gpf_desktop.domain.errors import SourceError, UserError
from gpf_desktop.domain.text import tr
from gpf_desktop.methods.gpf_livenews.cells import Condition

if TYPE_CHECKING:
    from _csv import Reader as _Reader

REQUIRED: Final = ("model", "article", "dimension", "identity", "family", "response")
DEFAULTS: Final = {"condition": Condition.IDENTITY.value, "paraphrase": "0", "repeat": "0"}
COLUMNS: Final = (
    "model",
    "article",
    "condition",
    "dimension",
    "identity",
    "family",
    "paraphrase",
    "repeat",
    "response",
)
_JSON_SUFFIXES: Final = frozenset({".jsonl", ".ndjson", ".jsonlines", ".json"})
_OTHER_TABLES: Final = frozenset(
    {".xls", ".xlsm", ".xlsb", ".ods", ".numbers", ".parquet", ".zip", ".gpf", ".docx", ".pdf"}
)
_DELIMITERS: Final = (",", ";", "\t")
_LONGEST_FIELD: Final = 2**31 - 1
"""The csv module's own limit of 131,072 characters would refuse long answers."""
_PIECE: Final = 1 << 20
_SHEET_ROWS: Final = 1_048_576
"""What a sheet holds at most."""


@dataclass(frozen=True, slots=True)
class TableRow:
    """One row as text, with the line it begins on (from 1)."""

    line: int
    values: Mapping[str, str]


def read_answers(path: Path) -> Iterator[TableRow]:
    """The rows of *path*, one at a time, with columns named as in `COLUMNS`.

    JSON lines or the first sheet of a workbook where the file's name ends so, else CSV. Raises `UserError`.
    """
    suffix = path.suffix.lower()
    if suffix in _OTHER_TABLES:
        raise UserError(
            tr("{path} is a kind of table that is not read ({suffix}).", path=str(path), suffix=suffix),
            tr("Save it as CSV, JSON lines or XLSX."),
        )
    try:
        if suffix == ".xlsx":
            yield from _sheet_rows(path)
            return
        encoding = _encoding(path)
        with path.open(encoding=encoding, errors="replace", newline="") as file:
            yield from _json_lines(file) if suffix in _JSON_SUFFIXES else _csv_rows(file)
    except OSError as error:
        raise UserError(
            tr("{path} cannot be read: {why}.", path=str(path), why=error.strerror or str(error)),
            tr("Check the name and the permissions of the file."),
        ) from error


def _encoding(path: Path) -> str:
    """A byte order mark decides; then UTF-8 where the whole file is valid UTF-8; else windows-1252."""
    with path.open("rb") as file:
        head = file.read(4)
        for mark, name in (
            (codecs.BOM_UTF8, "utf-8-sig"),
            (codecs.BOM_UTF32_LE, "utf-32"),
            (codecs.BOM_UTF32_BE, "utf-32"),
            (codecs.BOM_UTF16_LE, "utf-16"),
            (codecs.BOM_UTF16_BE, "utf-16"),
        ):
            if head.startswith(mark):
                return name
        file.seek(0)
        decoder = codecs.getincrementaldecoder("utf-8")()
        try:
            while piece := file.read(_PIECE):
                decoder.decode(piece)
            decoder.decode(b"", final=True)
        except UnicodeDecodeError:
            return "cp1252"
    return "utf-8"


def _csv_rows(file: TextIO) -> Iterator[TableRow]:
    csv.field_size_limit(_LONGEST_FIELD)
    first = file.readline()
    file.seek(0)
    reader = csv.reader(file, delimiter=_delimiter(first), strict=True)
    yield from _under_header(_numbered(reader))


def _numbered(reader: "_Reader") -> Iterator[tuple[int, list[str]]]:
    """Records with the line that each begins on."""
    line = 1
    while True:
        try:
            fields = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            raise UserError(
                tr("Line {line} is not valid CSV: {why}.", line=line, why=str(error)),
                tr("A field that holds quotation marks must stand in quotation marks, with each of them doubled."),
            ) from error
        yield line, fields
        line = reader.line_num + 1


def _under_header(lines: Iterable[tuple[int, list[str]]]) -> Iterator[TableRow]:
    """Rows named by the first line that is not empty."""
    header: list[str] | None = None
    for line, fields in lines:
        if not any(fields):
            continue
        if header is None:
            header = [_column(name) for name in fields]
            check_columns(header, first_line=line)
        elif len(fields) != len(header):
            raise UserError(
                tr(
                    "Line {line} has {found} fields where the header has {expected}.",
                    line=line,
                    found=len(fields),
                    expected=len(header),
                ),
                tr("Put fields that hold commas or line breaks in quotation marks."),
            )
        else:
            yield TableRow(line, dict(zip(header, fields, strict=True)))
    if header is None:
        raise UserError(tr("The table is empty."), _needed())


def _sheet_rows(path: Path) -> Iterator[TableRow]:
    """Rows of a workbook's first sheet."""
    from gpf_desktop.sources._workbook import UNPACKED_LIMIT, workbook_rows

    if path.stat().st_size > UNPACKED_LIMIT:
        raise UserError(tr("{path} is too large for a workbook.", path=str(path)), tr("Save the rows as CSV."))
    width = 0

    def lines() -> Iterator[tuple[int, list[str]]]:
        # Programs leave formatted but empty cells behind the last column.
        nonlocal width
        for number, cells in enumerate(workbook_rows(path.read_bytes(), most=_SHEET_ROWS), start=1):
            while len(cells) > width and not cells[-1]:
                cells.pop()
            width = width or len(cells)
            yield number, cells + [""] * (width - len(cells))

    try:
        yield from _under_header(lines())
    except SourceError as error:
        raise UserError(f"{path}: {error.what}", error.remedy, details=error.details) from error


def _json_lines(file: TextIO) -> Iterator[TableRow]:
    empty = True
    for number, record in json_objects(file):
        named = {_column(str(key)): value for key, value in record.items()}
        check_columns(list(named), first_line=number)
        yield TableRow(number, {name: _text(number, name, named[name]) for name in COLUMNS if name in named})
        empty = False
    if empty:
        raise UserError(tr("The table is empty."), _needed())


def _text(line: int, name: str, value: object) -> str:
    match value:
        case None:
            return ""
        case str():
            return value
        case bool() | list() | dict():
            raise UserError(
                tr("Line {line}: “{column}” is neither text nor a number.", line=line, column=name),
                tr("Give each column as text; paraphrase and repeat may be numbers."),
            )
        case _:
            return str(value)


def check_columns(header: list[str], *, first_line: int) -> None:
    """Raises `UserError` where a required column is missing or any of ours stands twice."""
    missing = [name for name in REQUIRED if name not in header]
    if missing:
        raise UserError(
            tr("Line {line}: there is no column “{column}”.", line=first_line, column="”, “".join(missing)), _needed()
        )
    twice = [name for name in COLUMNS if header.count(name) > 1]
    if twice:
        raise UserError(
            tr("Line {line}: the column “{column}” stands there twice.", line=first_line, column=twice[0]),
            tr("Keep one of them."),
        )


def _needed() -> str:
    return tr(
        "Needed are {required}; {optional} may be left out.",
        required=", ".join(REQUIRED),
        optional=", ".join(DEFAULTS),
    )


def _column(name: str) -> str:
    return name.strip().lstrip("\ufeff").lower()


def _delimiter(header: str) -> str:
    """The sign that splits the header into most of our columns: spreadsheets also write semicolons and tabs."""
    return max(
        _DELIMITERS,
        key=lambda sign: sum(_column(name.strip().strip('"')) in COLUMNS for name in header.split(sign)),
    )

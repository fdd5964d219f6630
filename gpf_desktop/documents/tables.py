"""Reads tables that came from elsewhere (CSV or JSON lines) row by row, by the names of their columns.

Every complaint is a sentence with a line number; what is merely odd (byte order marks, encodings, semicolons, fields
of some megabytes, NUL) is read.
"""

import csv
import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Final, TextIO

from gpf_desktop.documents.column_names import ELSEWHERE, answerer
from gpf_desktop.documents.column_names import MODEL as CALLED_MODEL
from gpf_desktop.documents.json_names import RepeatedNameError, fault, once
from gpf_desktop.documents.level_names import MODEL
from gpf_desktop.documents.table_encodings import opened
from gpf_desktop.documents.table_reading import ANYWHERE, TableReading
from gpf_desktop.documents.targets import not_read
from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.text import tr, trn

if TYPE_CHECKING:
    from _csv import Reader as _Reader

_JSON_SUFFIXES: Final = frozenset({".jsonl", ".ndjson", ".jsonlines", ".json"})
_OTHER_TABLES: Final = frozenset(
    {".xls", ".xlsx", ".xlsm", ".xlsb", ".ods", ".numbers", ".parquet", ".zip", ".gpf", ".docx", ".pdf"}
)
DELIMITERS: Final = (",", ";", "\t", "|")
LONGEST_CELL: Final = 8 * 2**20
"""Bytes of the longest cell that is read, as of the longest answer that is taken from a server."""
LONGEST_LINE: Final = 64 * 2**20
"""Characters of a line of a file, which may hold several cells; longer ones are never held whole."""
_PIECE: Final = 1 << 20
_WHOSE: Final = frozenset({MODEL, *CALLED_MODEL})
_LINES: Final = 400
"""Of a file's begin, by which the sign between its columns is told: long answers fill many."""


@dataclass(frozen=True, slots=True)
class TableRow:
    """One row as text, with the line it begins on (from 1)."""

    line: int
    values: Mapping[str, str]
    """By the name of the column, lower-case; columns that nobody asked for are among them."""
    dialect: str = ""
    """Whose words it says how answers ended in, as `domain.endings` calls them; empty: nobody's in particular."""
    left_out: str = ""
    """Why nothing can be made of it: the end of a sentence; empty where something may."""
    sheet: str = ""
    """Where several sheets of a workbook are read as one table: its own."""

    def of_sheet(self, told: Mapping[str, str]) -> "TableRow":
        """This row with what is *told* of it by its sheet's name, unless a column of its own says so."""
        return replace(self, values={**self.values, **told, **self.values}, sheet=next(iter(told.values())))

    def by_file(self, told: Mapping[str, str]) -> "TableRow":
        """This row with what is *told* of it by its file's name, where no column says who answered."""
        of_models = names_model(self.values) or any(map(answerer, self.values))
        return self if of_models or self.left_out else replace(self, values={**self.values, **told, **self.values})

    def empty(self, column: str, remedy: str) -> UserError:
        """The error where *column* must not be empty and is."""
        return UserError(tr("Line {line}: “{column}” is empty.", line=self.line, column=column), remedy)

    def number(self, column: str, remedy: str) -> int:
        """The whole number from 0 in *column*, 0 where there is none. Raises `UserError`."""
        text = self.values.get(column, "").strip()
        # Spreadsheets and pandas write whole numbers so.
        whole = text.removesuffix(".0")
        # isdigit is true of "²" as well, which int refuses, and of other scripts' digits.
        if text and not (whole.isascii() and whole.isdigit() and len(whole) < 10):
            said = {"line": self.line, "column": column, "text": text[:40]}
            raise UserError(tr("Line {line}: “{column}” is “{text}”, not a number from 0.", **said), remedy)
        return int(whole or 0)


def names_model(columns: Iterable[str]) -> bool:
    """Whether one of *columns* says who answered."""
    return any(name.rpartition(".")[2] in _WHOSE for name in columns)


class OtherColumnsError(UserError):
    """A file is no table of the columns that are needed; another reader may make one of it."""


@dataclass(frozen=True, slots=True)
class Columns:
    """The columns that a table must have, and those that it may have."""

    required: tuple[str, ...]
    optional: tuple[str, ...] = ()
    known_as: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """By required column, other names that are read as it where none has its own, the likeliest first."""

    @property
    def all(self) -> tuple[str, ...]:
        return self.required + self.optional

    def own_names(self, header: Sequence[str]) -> list[str]:
        """*header* with the names of this table's own columns in the place of those that they are known as."""
        # What is optional keeps to its name: a further column may be a factor, whatever it is called elsewhere.
        own: dict[str, str] = {}
        spelled = [each.replace(" ", "_") for each in header]
        for name in self.required:
            if name not in header:
                others = (each for each in self.known_as.get(name, ()) if each not in self.all)
                elsewhere = (each for each, meant in ELSEWHERE.items() if meant == name and each not in self.all)
                among = (each for each in (name, *others, *elsewhere) if spelled.count(each) == 1)
                places = (header[spelled.index(each)] for each in among)
                if found := next((each for each in places if each not in own), ""):
                    own[found] = name
        return [own.get(each, each) for each in header]

    def check(self, header: Sequence[str], line: int, as_written: Sequence[str]) -> None:
        """Raises `UserError` where one is missing from the *header* on *line*, or any of these stands twice; an
        `OtherColumnsError` unless it is the only one whose own name is not among those *as_written*."""
        missing = [name for name in self.required if name not in header]
        if missing:
            alone = sum(name not in as_written for name in self.required) == 1
            raise (UserError if alone else OtherColumnsError)(
                trn(
                    "Line {line}: there is no column “{column}”.",
                    "Line {line}: there are no columns “{column}”.",
                    len(missing),
                    line=line,
                    column="”, “".join(missing),
                ),
                self.needed(),
            )
        twice = [name for name in self.all if header.count(name) > 1]
        if twice:
            raise UserError(
                tr("Line {line}: the column “{column}” stands there twice.", line=line, column=twice[0]),
                tr("Keep one of them."),
            )

    def needed(self) -> str:
        if not self.required:
            return tr("Give a table with a head and a row for each answer.")
        if not self.optional:
            return tr("Needed are {required}.", required=", ".join(self.required))
        return tr(
            "Needed are {required}; {optional} may be left out.",
            required=", ".join(self.required),
            optional=", ".join(self.optional),
        )


def read_rows(path: Path, columns: Columns) -> Iterator[TableRow]:
    """The rows of *path*, one at a time: JSON lines where the file's name ends so, else CSV. Raises `UserError`."""
    suffix = path.suffix.lower()
    if suffix in _OTHER_TABLES:
        raise OtherColumnsError(
            tr("{path} is a kind of table that is not read ({suffix}).", path=str(path), suffix=suffix),
            tr("Save it as CSV or JSON lines."),
        )
    try:
        with opened(path, newline="") as file:
            rows = _json_lines(file, columns) if suffix in _JSON_SUFFIXES else _csv_rows(file, columns)
            for row in rows:
                yield short_enough(row)
    except OSError as error:
        raise not_read(path, error) from error


def header_of(path: Path, start: TableReading = ANYWHERE) -> list[str]:
    """The names of the columns of a CSV file as they stand there; empty for other kinds. Raises `UserError`."""
    if path.suffix.lower() in _JSON_SUFFIXES | _OTHER_TABLES:
        return []
    try:
        with opened(path, newline="") as file:
            csv.field_size_limit(LONGEST_CELL)
            sign = sign_of(file, start)
            # Not strict: this only offers names, and what is wrong with the file is said when its rows are read.
            rows = start.from_head(enumerate(csv.reader(bounded_lines(file), delimiter=sign), start=1))
            return next(([name.strip().lstrip("\ufeff") for name in row] for _, row in rows), [])
    except (OSError, csv.Error) as error:
        raise not_read(path, error) from error


def sign_of(file: TextIO, start: TableReading) -> str:
    """The sign by which rows of one width fill most of the first lines of *file*; of two, that of which the first has
    more. *file* is then read from its begin."""
    before = max(0, start.head - 1)
    begin = list(_begin(islice(iter(partial(file.readline, _PIECE), ""), before, before + _LINES)))
    file.seek(0)
    return max(DELIMITERS, key=lambda sign: (_split_alike(begin, sign), "".join(begin[:1]).count(sign)))


def _begin(lines: Iterable[str]) -> Iterator[str]:
    """*lines* up to about as many characters as one may have."""
    size = 0
    for line in lines:
        yield line
        size += len(line)
        if size >= _PIECE:
            return


def _split_alike(lines: Sequence[str], sign: str) -> int:
    """How many of *lines* the rows fill that have the commonest width. Lines and not rows: those of an answer are
    many, and prose splits alike by a sign that is none of the table's."""
    widths: Counter[int] = Counter()
    reader = csv.reader(lines, delimiter=sign)
    before = 0
    # What stands in the lines may be no CSV by this sign, or end in the midst of a field.
    with suppress(csv.Error):
        for row in reader:
            widths[len(row)] += (reader.line_num - before) * (len(row) > 1)
            before = reader.line_num
    return max(widths.values(), default=0)


def told_apart(names: Sequence[str]) -> list[str]:
    """*names* of columns as keys of a row: one that stands there again has its number behind it."""
    # Left alike, each would give the cells of the last one of its name.
    seen: Counter[str] = Counter()
    found = []
    for name in names:
        seen[name] += 1
        found.append(name if seen[name] == 1 else f"{name} #{seen[name]}")
    return found


def too_long(line: int, column: str = "", size: int | None = None) -> UserError:
    """The error for a cell longer than `LONGEST_CELL`; *size* in bytes where it is known."""
    most = tr("{n} MB", n=LONGEST_CELL >> 20)
    remedy = tr("At most {most} are read of one cell: shorten it, or take the row out.", most=most)
    if size is None:
        # Texts that a workbook's cells share are read before any row.
        told = tr("Line {line}: a cell is longer than {most}.", line=line, most=most)
        return UserError(told if line else tr("A cell is longer than {most}.", most=most), remedy)
    return UserError(
        tr("Line {line}: “{column}” is {n:,} MB long.", line=line, column=column[:60], n=-(-size >> 20)), remedy
    )


def short_enough(row: TableRow) -> TableRow:
    """*row*. Raises `UserError` where one of its cells is longer than `LONGEST_CELL`."""
    for column, text in row.values.items():
        # A character is four bytes at most: nearly every cell is known to be short by its length alone.
        if len(text) > LONGEST_CELL // 4 and (size := len(text.encode(errors="replace"))) > LONGEST_CELL:
            raise too_long(row.line, column, size)
    return row


def bounded_lines(file: TextIO) -> Iterator[str]:
    """The lines of *file*. Raises `UserError` for one that is longer than `LONGEST_LINE`, before all of it is read."""
    number = 0
    while line := file.readline(LONGEST_LINE):
        number += 1
        if len(line) == LONGEST_LINE and not line.endswith("\n"):
            raise too_long(number)
        yield line


def same_cell(first: int, second: int) -> UserError:
    """The error where the rows on two lines are one answer."""
    return UserError(
        tr("Lines {first} and {second} answer the same question.", first=first, second=second),
        tr("Keep one of them, or number further generations in the column “repeat”."),
    )


def under_header(lines: Iterable[tuple[int, list[str]]], columns: Columns) -> Iterator[TableRow]:
    """Rows named by the first line that is not empty. Raises `UserError`.

    Where no column is asked for, notes below the table, behind an empty line, are rows that are left out.
    """
    header: list[str] | None = None
    notes: list[tuple[int, list[str]]] = []
    behind = False
    for line, fields in lines:
        if not any(map(str.strip, fields)):
            behind = header is not None and not columns.required
            continue
        if (behind or notes) and header is not None and len(fields) == 1 < len(header):
            notes.append((line, fields))
            continue
        behind = False
        if header is None:
            names = [_column(name) for name in fields]
            header = columns.own_names(names)
            columns.check(header, line, names)
            header = told_apart(header)
        elif len(fields) != len(header):
            raise _of_other_width(line, len(fields), len(header))
        elif notes:
            # What stands between rows may be the rest of an answer.
            raise _of_other_width(notes[0][0], 1, len(header))
        else:
            yield TableRow(line, dict(zip(header, fields, strict=True)))
    for line, _ in notes:
        yield TableRow(line, {}, left_out=tr("it stands below the table and has one field"))
    if header is None:
        raise UserError(tr("The table is empty."), columns.needed())


def _of_other_width(line: int, found: int, expected: int) -> UserError:
    return UserError(
        tr(
            "Line {line} has {found} fields where the header has {expected}.",
            line=line,
            found=found,
            expected=expected,
        ),
        tr("Put fields that hold commas or line breaks in quotation marks."),
    )


def _csv_rows(file: TextIO, columns: Columns) -> Iterator[TableRow]:
    csv.field_size_limit(LONGEST_CELL)
    first = file.readline(LONGEST_LINE)
    file.seek(0)
    # Without `strict` a stray quotation mark is taken in silence, and what follows it becomes part of the field.
    reader = csv.reader(bounded_lines(file), delimiter=_delimiter(first, columns), strict=True)
    yield from under_header(numbered(reader), columns)


def numbered(reader: "_Reader") -> Iterator[tuple[int, list[str]]]:
    """Records with the line that each begins on."""
    line = 1
    while True:
        try:
            fields = next(reader)
        except StopIteration:
            return
        except csv.Error as error:
            if "field limit" in str(error):
                raise too_long(line) from error
            raise UserError(
                tr("Line {line} is not valid CSV: {why}.", line=line, why=str(error)),
                tr("A field that holds quotation marks must stand in quotation marks, with each of them doubled."),
            ) from error
        yield line, fields
        # The reader counts lines of the file, of which one record may have many.
        line = reader.line_num + 1


def json_objects(file: TextIO, broken: list[TableRow] | None = None) -> Iterator[tuple[int, dict[str, object]]]:
    """Each line's number, from 1, and its object; empty lines are passed over.

    Raises `UserError` for a line that holds none. Where *broken* is given, it is put there, unless no line holds one.
    """
    first: UserError | None = None
    whole = False
    for number, line in enumerate(bounded_lines(file), start=1):
        if not line.strip():
            continue
        try:
            record = json.loads(line.rstrip(), object_pairs_hook=once)
            if not isinstance(record, dict):
                raise _NoObjectError(tr("JSON, but not an object"))
        except (ValueError, RecursionError) as error:
            first = first or _no_object(number, error)
            if broken is None or isinstance(error, RepeatedNameError):
                raise _no_object(number, error) from error
            why = _fault(error)
            broken.append(TableRow(number, {}, left_out=tr("the line is not read as a JSON object: {why}", why=why)))
        else:
            whole = True
            yield number, record
    if first and not whole:
        raise first


class _NoObjectError(ValueError):
    """It says what a line is instead."""


def _fault(error: Exception) -> str:
    """The fault, as `fault` says it, of a text that is one line: Python counts lines in it too."""
    if isinstance(error, json.JSONDecodeError):
        return tr("character {n}: {what}", n=error.colno, what=error.msg)
    return fault(error)


def _no_object(line: int, error: Exception) -> UserError:
    match error:
        case RepeatedNameError():
            what, remedy = (
                tr("Line {line}: {why}.", line=line, why=str(error)),
                tr("Take one of them out, or name it otherwise."),
            )
        case _NoObjectError():
            what, remedy = (
                tr("Line {line} is JSON, but not an object.", line=line),
                tr("Write one object per line, with a key for each column."),
            )
        case _:
            what, remedy = (
                tr("Line {line} is not a JSON object: {why}.", line=line, why=_fault(error)),
                tr("Write one object per line, with a key for each column."),
            )
    # A document over several lines is no table of lines.
    return OtherColumnsError(what, remedy) if line == 1 else UserError(what, remedy)


def _json_lines(file: TextIO, columns: Columns) -> Iterator[TableRow]:
    empty = True
    for number, record in json_objects(file):
        names = [_column(str(key)) for key in record]
        header = columns.own_names(names)
        columns.check(header, number, names)
        named = dict(zip(header, record.values(), strict=True))
        asked = set(columns.all)
        # What nobody asked for may be of any kind; only in a column that is read is a list a fault.
        kept = {
            name: value for name, value in named.items() if name in asked or not isinstance(value, bool | list | dict)
        }
        yield TableRow(number, {name: _text(number, name, value) for name, value in kept.items()})
        empty = False
    if empty:
        raise UserError(tr("The table is empty."), columns.needed())


def _text(line: int, name: str, value: object) -> str:
    match value:
        case None:
            return ""
        case str():
            return value
        case bool() | list() | dict():
            raise UserError(
                tr("Line {line}: “{column}” is neither text nor a number.", line=line, column=name),
                tr("Give each column as text or as a number."),
            )
        case _:
            return str(value)


def _column(name: str) -> str:
    return name.replace("\0", "").strip().lstrip("\ufeff").lower()


def _delimiter(header: str, columns: Columns) -> str:
    """The sign that splits the header into most of our columns: other programs also write semicolons, tabs and bars."""
    return max(
        DELIMITERS,
        key=lambda sign: sum(name in columns.all for name in columns.own_names(_split_head(header, sign))),
    )


def _split_head(header: str, sign: str) -> list[str]:
    return [_column(name.strip().strip('"')) for name in header.split(sign)]

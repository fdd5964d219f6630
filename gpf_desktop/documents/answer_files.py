"""Files of answers that other programs wrote, row by row: CSV, JSON lines, XLSX, Parquet, and what `programs` write.

Columns are called as the file calls them; what is nested is called by its path, with dots (``vars.question``). Every
complaint is a sentence that says where.
"""

import csv
import json
import zipfile
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import chain
from pathlib import Path
from typing import Any, Final, TextIO
from xml.parsers.expat import ExpatError

from gpf_desktop.documents import databases, markdown_tables, tables
from gpf_desktop.documents.file_names import own_name
from gpf_desktop.documents.json_names import RepeatedNameError, fault, once
from gpf_desktop.documents.level_names import FILE, MODEL, level_of
from gpf_desktop.documents.long_json import GoOn, loaded, short_pieces
from gpf_desktop.documents.parquet_pages import column_bounds, largest_page
from gpf_desktop.documents.programs import (
    chainforge,
    chat_apps,
    inspect_logs,
)
from gpf_desktop.documents.programs.flat_records import Nested
from gpf_desktop.documents.record_rows import as_rows_of_answers, document_rows, record_rows, rows_of_columns
from gpf_desktop.documents.sheet_cells import FarCellError, LongCellError
from gpf_desktop.documents.sniffing import PARQUET_MARK, ZIP, kind_of
from gpf_desktop.documents.table_encodings import encoding_of, opened
from gpf_desktop.documents.table_reading import ANYWHERE, TableReading
from gpf_desktop.documents.tables import Columns, TableRow
from gpf_desktop.documents.targets import not_read
from gpf_desktop.documents.wide_heads import rows_below
from gpf_desktop.documents.workbooks import sheet_names, workbook_tables
from gpf_desktop.documents.zip_parts import part_of
from gpf_desktop.domain.errors import GpfError, StoppedError, UserError
from gpf_desktop.domain.extras import PARQUET, extras
from gpf_desktop.domain.text import tr

READABLE: Final = (
    ".csv",
    ".tsv",
    ".jsonl",
    ".ndjson",
    ".json",
    ".xlsx",
    ".xlsm",
    ".ods",
    ".parquet",
    ".eval",
    chainforge.FLOW,
    *databases.SUFFIXES,
)
TRANSCRIPTS: Final = (".txt", ".md", ".out")
"""Read where they are named: a folder of answers may have notes of such names beside them, or logs; what Amazon's batch
jobs write ends in ``.jsonl.out``."""
WORKBOOKS: Final = (".xlsx", ".xlsm", ".ods")
_WHOLE: Final = frozenset({".json", chainforge.FLOW})
_JSON: Final = _WHOLE | {".jsonl", ".ndjson", ".jsonlines", ".out"}
_TEXTS: Final = _JSON | {".csv", ".tsv", ".txt", ".md", ""}
_BEGINS: Final = (
    dict.fromkeys(WORKBOOKS, ZIP)
    | {".eval": ZIP, ".parquet": PARQUET_MARK}
    | dict.fromkeys(databases.SUFFIXES, databases.MARK)
)
WITH_HEAD_ROWS: Final = frozenset({".csv", ".tsv", *WORKBOOKS})
"""Kinds of file in which a row holds the names of the columns."""
_TABLES: Final = frozenset({".csv", ".tsv", ""})
_LARGEST_WHOLE: Final = 2 * 2**30
"""Bytes of a JSON file or of all that an archive unpacks to; such files are read as a whole."""
_OF_ODD_SHAPES: Final = (LookupError, TypeError, ValueError, AttributeError, ArithmeticError, RecursionError, EOFError)
"""What reading raises where a text, a list or an object stands in the place of another."""
_PIECE: Final = 2**20
_SEVERAL: Final = 2
_LONGEST_TRANSCRIPT: Final = 8 * 2**20
"""Characters of a pasted conversation."""
_LARGEST_SAMPLE: Final = 96 * 2**20
"""Bytes of a part of a log, which is unpacked, read and taken apart whole."""
_LARGEST_PAGE: Final = 160 * 2**20
"""Bytes that a page of a Parquet file may unpack to, of which its reader takes three times as many."""


def that_are_read() -> str:
    """A sentence about which files are."""
    return tr("Files that are read end in {suffixes}.", suffixes=", ".join(READABLE))


def guess_told(path: Path) -> str:
    """A sentence where the encoding of *path* was guessed; empty where it is stated, or is none of its."""
    note = encoding_of(path).note if path.suffix.lower() in _TEXTS else ""
    return tr("{file} states no encoding, and is read as {note}.", file=path.name, note=note) if note else ""


def sheets_of(path: Path) -> list[str]:
    """The names of the sheets of the workbook at *path*; empty where it is none."""
    if path.suffix.lower() not in WORKBOOKS:
        return []
    try:
        with zipfile.ZipFile(path) as archive:
            return sheet_names(archive)
    except (OSError, zipfile.BadZipFile, ExpatError, GpfError, ValueError):
        # What is wrong with it is said when its rows are read.
        return []


def names_in(path: Path) -> list[str]:
    """The names in the first object of JSON lines, or of a Parquet file's columns, as they stand there, where
    `read_answer_rows` gives small letters; empty where *path* is of another kind or begins otherwise."""
    if path.suffix.lower() == ".parquet":
        return _parquet_names(path)
    if path.suffix.lower() not in (".json", ".jsonl", ".ndjson"):
        return []
    try:
        with path.open(encoding="utf-8-sig", errors="replace") as file:
            first = json.loads(file.readline(tables.LONGEST_LINE))
    except (OSError, ValueError, RecursionError):
        return []
    return [str(name) for name in first] if isinstance(first, dict) else []


def read_answer_rows(path: Path, go_on: GoOn = lambda: None, start: TableReading = ANYWHERE) -> Iterator[TableRow]:
    """The rows of *path*, one at a time; cells are text. *go_on* is heard before the first of them; *start* says where
    the table of a CSV file or a workbook begins.

    Raises `UserError`, and what *go_on* raises.
    """
    go_on()
    read = 0
    told = _said_by_file(path, start)
    try:
        for row in as_rows_of_answers(_reader(path, start)(path, go_on)):
            yield _whole_characters(tables.short_enough(row.by_file(told) if told else row))
            read += 1
    except _OF_ODD_SHAPES as error:
        # Here, where the file comes in: nobody knows every shape that others give to what is read. What is made of the
        # rows raises its errors elsewhere.
        raise UserError(
            tr("{path} is not of the shape that it should have, after {n:,} rows.", path=str(path), n=read),
            tr("Save it again, or as CSV or JSON lines."),
            details=repr(error),
        ) from error
    except OSError as error:
        raise not_read(path, error) from error
    except UserError as error:
        if any(each.name in error.what for each in (path, *start.beside)):
            raise
        # Of several files it has to be said which.
        raise UserError(tr("{file}: {what}", file=path.name, what=error.what), error.remedy) from error


def _said_by_file(path: Path, start: TableReading) -> dict[str, str]:
    """What the name of *path* says among those of several files: whose answers it holds, or which it is."""
    if len(start.beside) < _SEVERAL or path not in start.beside:
        return {}
    own = [own_name(each, start.beside) for each in start.beside]
    named = next((names for names in (own, [each.stem for each in start.beside]) if level_of(names) == MODEL), [])
    return {MODEL if named else FILE: (named or own)[start.beside.index(path)]}


def _whole_characters(row: TableRow) -> TableRow:
    """*row* with a mark for each half of a character, which JSON can spell and nothing can store."""
    if all(each.isascii() for pair in row.values.items() for each in pair):
        return row
    return replace(row, values={_storable(name): _storable(text) for name, text in row.values.items()})


def _storable(text: str) -> str:
    # What a cell is beside its text stays: a formula without a value is of plain characters.
    if text.isascii():
        return text
    whole = text.encode("utf-8", "replace").decode()
    return Nested(whole) if isinstance(text, Nested) else whole


def _reader(path: Path, start: TableReading) -> Callable[[Path, GoOn], Iterator[TableRow]]:
    suffix = path.suffix.lower()
    if (suffix in _TEXTS or suffix in _BEGINS) and (kind := kind_of(path, _BEGINS.get(suffix))):
        raise UserError(
            tr("{path} holds no table of text: it is {kind}.", path=str(path), kind=kind)
            if suffix in _TEXTS
            else tr("{path} is not what its name says: it is {kind}.", path=str(path), kind=kind),
            tr("Give it the name that its kind has, or save the table as CSV."),
        )
    match suffix:
        case suffix if suffix in WORKBOOKS:
            return lambda path, go_on: sheet_rows(path, Columns(()), go_on, start)
        case ".parquet":
            return lambda path, go_on: _parquet(path, go_on, start)
        case ".eval":
            return _eval_archive
        case suffix if suffix in databases.SUFFIXES:
            return databases.database_rows
        case suffix if suffix in _JSON:
            return lambda path, go_on: (_json_document if suffix in _WHOLE else _json_lines)(path, go_on, start)
        case ".csv" | ".tsv" | "" | ".txt" | ".md":
            return lambda path, go_on: (_csv if suffix in _TABLES else _transcript)(path, go_on, start)
        case ".7z" | ".rar" | ".tar" | ".tgz":
            raise UserError(
                tr("{path} is packed ({suffix}).", path=str(path), suffix=suffix),
                tr("Unpack it, and import what is in it."),
            )
        case ".xls" | ".xlsb" | ".numbers":
            raise UserError(
                tr("{path} is a kind of workbook that is not read ({suffix}).", path=str(path), suffix=suffix),
                tr("Save it as XLSX, ODS or CSV in the program that it is from."),
            )
        case suffix:
            raise UserError(
                tr("{path} is a kind of file that is not read ({suffix}).", path=str(path), suffix=suffix),
                that_are_read(),
            )


def _csv(path: Path, go_on: GoOn, start: TableReading) -> Iterator[TableRow]:
    with opened(path, go_on, newline="") as file:
        csv.field_size_limit(tables.LONGEST_CELL)
        sign = tables.sign_of(file, start)
        lines = tables.numbered(csv.reader(tables.bounded_lines(file), delimiter=sign, strict=True))
        yield from rows_below(lines, Columns(()), start)


def _transcript(path: Path, go_on: GoOn, start: TableReading) -> Iterator[TableRow]:
    """A conversation that somebody pasted into a file; a table under another name."""
    with opened(path, go_on) as file:
        text = file.read(_LONGEST_TRANSCRIPT + 1)
    if len(text) > _LONGEST_TRANSCRIPT or not chat_apps.is_transcript(text):
        if len(text) <= _LONGEST_TRANSCRIPT and markdown_tables.is_table(text):
            yield from markdown_tables.table_rows(text)
            return
        if path.suffix.lower() == ".txt":
            yield from _csv(path, go_on, start)
            return
        raise UserError(
            tr("{path} is no chat that can be read.", path=str(path)),
            tr("Begin each turn with “User:” or “Assistant:” on a line, or give a table with a line of hyphens."),
        )
    yield from chat_apps.transcript_rows(text)


def check_table(path: Path, columns: Columns, *, filled: Sequence[str], numbers: Sequence[str] = ()) -> None:
    """Raises `UserError` where *path* is no table of *columns* with rows that are whole, those *filled* never empty
    and *numbers* from 0; `OtherColumnsError` where it has other columns."""
    row = None
    for row in sheet_rows(path, columns) if path.suffix.lower() in WORKBOOKS else tables.read_rows(path, columns):
        for name in filled:
            if not row.values[name].strip():
                raise row.empty(name, tr("A response may be empty; it then counts as missing."))
        for name in numbers:
            row.number(name, tr("Number them from 0."))
    if row is None:
        raise UserError(tr("The table has no rows."), columns.needed())


def sheet_rows(
    path: Path, columns: Columns, go_on: GoOn = lambda: None, start: TableReading = ANYWHERE
) -> Iterator[TableRow]:
    """Rows of a workbook's sheet that *start* names, or of its first that is a table, and of those of the same columns
    where none are required; which sheet is told in a column.

    Archives that are traps are refused by their sizes.
    """

    try:
        with zipfile.ZipFile(path) as archive:
            _check_sizes(archive, path)
            for told, rows in workbook_tables(archive, across=2, start=start, alike=not columns.required, go_on=go_on):
                for row in rows_below(rows, columns, start, ragged=True):
                    yield row.of_sheet(told) if told else row
    except (UserError, StoppedError):
        raise
    except OSError as error:
        raise not_read(path, error) from error
    except FarCellError as error:
        raise UserError(
            tr(
                "The cells of {path} reach to row {row:,}, column {at:,}.",
                path=str(path),
                row=error.row,
                at=error.column,
            ),
            tr("Take out what stands so far from the table, or copy the table into a workbook of its own."),
        ) from error
    except LongCellError as error:
        raise tables.too_long(error.row) from error
    except Exception as error:
        # What is no workbook comes as BadZipFile, CalamineError, XmlError, ValueError, zlib's errors and more.
        raise _unreadable(path, path.suffix[1:].upper()) from error


def _parquet(path: Path, go_on: GoOn, start: TableReading) -> Iterator[TableRow]:
    yield from rows_of_columns(enumerate(parquet_records(path, go_on), start=1), path, start)


def parquet_records(path: Path, go_on: GoOn = lambda: None) -> Iterator[dict[str, Any]]:
    """The rows of a Parquet file, by column. Raises `UserError`, `OSError` for what the disk says."""
    try:
        from pyarrow import ArrowException
        from pyarrow.parquet import ParquetFile
    except ImportError:
        raise extras()[PARQUET].lacking(tr("Or save the rows as CSV or JSON lines.")) from None
    try:
        # Without its buffers, which hold the whole of a group of rows.
        with ParquetFile(path, pre_buffer=False, buffer_size=_PIECE) as file:
            _check_pages(path, file.metadata)
            # In batches: a Parquet file may hold far more than memory does.
            for batch in file.iter_batches(batch_size=1000):
                go_on()
                yield from batch.to_pylist()
    except OSError as error:
        # What is broken in the file has no number, as what the system says has.
        if error.errno:
            raise
        raise _unreadable(path, "Parquet") from error
    except (ArrowException, ValueError, KeyError) as error:
        raise _unreadable(path, "Parquet") from error


def _parquet_names(path: Path) -> list[str]:
    try:
        from pyarrow import ArrowException
        from pyarrow.parquet import read_schema
    except ImportError:
        return []
    try:
        return list(read_schema(path).names)
    except (OSError, ArrowException, ValueError):
        # What is wrong with it is said when its rows are read.
        return []


def _check_pages(path: Path, metadata: Any) -> None:
    """Raises `UserError` where a column has a page that the memory would be too small for."""
    begin = 1
    with path.open("rb") as file:
        for group in map(metadata.row_group, range(metadata.num_row_groups)):
            for column in map(group.column, range(group.num_columns)):
                # Most are not as large as a single page may be.
                if column.total_uncompressed_size <= _LARGEST_PAGE:
                    continue
                size = largest_page(file, *column_bounds(column))
                if size > _LARGEST_PAGE:
                    raise UserError(
                        tr(
                            "Rows {first} to {last}: “{column}” holds a text of up to {n:,} MB, or texts of that size"
                            " in one page.",
                            first=begin,
                            last=begin + group.num_rows - 1,
                            column=column.path_in_schema[:60],
                            n=size >> 20,
                        ),
                        tr(
                            "At most {most} MB are read of one cell: shorten it, or write the file in smaller pages.",
                            most=tables.LONGEST_CELL >> 20,
                        ),
                    )
            begin += group.num_rows


def _json_lines(path: Path, go_on: GoOn, start: TableReading) -> Iterator[TableRow]:
    with opened(path, go_on) as file:
        broken: list[TableRow] = []
        records = tables.json_objects(file, broken)
        first = next(records, None)
        if first is None:
            raise UserError(tr("{path} is empty.", path=str(path)))
        yield from record_rows(chain([first], records), path, go_on, start)
        yield from broken


def _object(text: bytes, where: str) -> Mapping[str, Any]:
    try:
        found = json.loads(text, object_pairs_hook=once)
    except RepeatedNameError as error:
        raise UserError(tr("{where}: {why}.", where=where, why=str(error))) from error
    except (ValueError, RecursionError) as error:
        raise UserError(tr("{where} is not a JSON object: {why}.", where=where, why=fault(error))) from error
    if not isinstance(found, dict):
        raise UserError(tr("{where} is JSON, but not an object.", where=where))
    return found


def _json_document(path: Path, go_on: GoOn, start: TableReading) -> Iterator[TableRow]:
    """promptfoo's results, an Inspect log, or a list of objects; JSON lines that are called so."""
    if path.stat().st_size > _LARGEST_WHOLE:
        raise UserError(tr("{path} is too large to be read as one JSON text.", path=str(path)), tr("Use JSON lines."))
    with opened(path, go_on) as file:
        text = "".join(short_pieces(_pieces(file, go_on), tables.LONGEST_CELL))
    try:
        found = loaded(text, go_on)
    # Not among the ValueErrors below; as JSON lines the same brackets would fail again.
    except RecursionError as error:
        raise _unreadable(path, "JSON") from error
    except RepeatedNameError as error:
        raise UserError(
            tr("{path}: {why}.", path=str(path), why=str(error)), tr("Take one of them out, or name it otherwise.")
        ) from error
    except ValueError as error:
        if not text.strip():
            raise UserError(tr("{path} is empty.", path=str(path))) from error
        # Several objects one after the other are no JSON text: somebody called JSON lines so.
        if "\n" in text.strip() and text.lstrip()[:1] == "{":
            yield from _json_lines(path, go_on, start)
            return
        raise UserError(tr("{path} is not JSON: {why}.", path=str(path), why=fault(error))) from error
    yield from document_rows(found, path, partial(record_rows, path=path, go_on=go_on, start=start))


def _pieces(file: TextIO, go_on: GoOn) -> Iterator[str]:
    while piece := file.read(_PIECE):
        go_on()
        yield piece


def _eval_archive(path: Path, go_on: GoOn) -> Iterator[TableRow]:
    """An Inspect log: a zip with header.json and a file for each sample. Nothing is unpacked to the disk."""
    try:
        with zipfile.ZipFile(path) as archive:
            _check_sizes(archive, path)
            names = archive.namelist()
            # Inspect writes the header when it is done; the log of a run that was cut off has the journal's start only.
            start = next((name for name in ("header.json", "_journal/start.json") if name in names), None)
            if start is None:
                raise UserError(tr("{path} is no Inspect log: it has no header.", path=str(path)))
            _check_part(archive, start, path)
            header = _object(part_of(archive, start), start).get("eval", {})
            samples = sorted(name for name in names if name.startswith("samples/") and name.endswith(".json"))
            for number, name in enumerate(samples, start=1):
                _check_part(archive, name, path)
                go_on()
                row = inspect_logs.sample_row(_object(part_of(archive, name), name), header)
                yield TableRow(number, row, inspect_logs.DIALECT)
    # A packing that zipfile does not know. It is a RuntimeError, so it comes first.
    except NotImplementedError as error:
        raise UserError(
            tr("{path} is packed in a way that cannot be read here.", path=str(path)),
            tr("Convert it: inspect log convert --to json"),
        ) from error
    # zipfile says RuntimeError for parts that are encrypted.
    except (zipfile.BadZipFile, zlib.error, EOFError, RuntimeError, ValueError) as error:
        raise _unreadable(path, "Inspect") from error


def _check_part(archive: zipfile.ZipFile, name: str, path: Path) -> None:
    if (size := archive.getinfo(name).file_size) > _LARGEST_SAMPLE:
        raise UserError(
            tr("{name} in {path} is too large: {n:,} MB.", name=name, path=str(path), n=size >> 20),
            tr("At most {n} MB are read of one sample.", n=_LARGEST_SAMPLE >> 20),
        )


def _check_sizes(archive: zipfile.ZipFile, path: Path) -> None:
    """Raises `UserError` for an archive that unpacks to more than such files do."""
    # The declared sizes bound what is read: zipfile hands out no more of a part than its header says.
    if sum(part.file_size for part in archive.infolist()) > _LARGEST_WHOLE:
        raise UserError(tr("{path} unpacks to more than such files do.", path=str(path)), tr("Save the rows as CSV."))


def _unreadable(path: Path, kind: str) -> UserError:
    return UserError(
        tr("{path} cannot be read as {kind}.", path=str(path), kind=kind),
        tr("Save it again, or as CSV or JSON lines."),
    )

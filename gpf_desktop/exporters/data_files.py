"""Relations as files that other programs read: CSV, JSON lines, Parquet. Rows stream; nothing is held as a whole."""

import io
import json
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from functools import lru_cache
from pathlib import Path
from types import TracebackType
from typing import Any, Final, TextIO

from gpf_desktop.documents.csv_cells import CsvWriter
from gpf_desktop.domain.extras import PARQUET, extras
from gpf_desktop.domain.relations import Cell, FieldKind, Relation, RelationField, Row
from gpf_desktop.domain.text import tr

_JSON: Final = (FieldKind.STRUCTURE, FieldKind.TURNS)
_GROUP_ROWS: Final = 20_000
_GROUP_CHARACTERS: Final = 32 * 2**20
"""A row group of a Parquet file is closed at so many rows or characters, whichever comes first."""


class DataFile(AbstractContextManager["DataFile"]):
    """A file under way; leaving the block closes it."""

    def add(self, row: Row) -> None:
        raise NotImplementedError

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        raise NotImplementedError


class _CsvRows:
    def __init__(self, file: TextIO, fields: Sequence[RelationField]) -> None:
        self._rows = CsvWriter(file)
        self._flags = [at for at, field in enumerate(fields) if field.kind is FieldKind.FLAG]
        self._structures = [at for at, field in enumerate(fields) if field.kind in _JSON]
        self._rows.row([field.name for field in fields])

    def add(self, row: Row) -> None:
        cells = list(row)
        for at in self._flags:
            cells[at] = None if cells[at] is None else int(bool(cells[at]))
        for at in self._structures:
            cells[at] = _legible(cells[at])
        self._rows.row(cells)


def csv_text(relation: Relation) -> str:
    """A small relation as one CSV text."""
    text = io.StringIO(newline="")
    rows = _CsvRows(text, relation.fields)
    for row in relation.rows:
        rows.add(row)
    return text.getvalue()


class CsvFile(DataFile):
    """UTF-8, a head row, cells that no spreadsheet takes for a formula (`documents.csv_cells`)."""

    def __init__(self, path: Path, fields: Sequence[RelationField]) -> None:
        self._file: TextIO = path.open("w", encoding="utf-8", newline="")
        self._rows = _CsvRows(self._file, fields)

    def add(self, row: Row) -> None:
        self._rows.add(row)

    def __exit__(self, *_: object) -> None:
        self._file.close()


class JsonLinesFile(DataFile):
    """UTF-8, an object a line, structures as structures."""

    def __init__(self, path: Path, fields: Sequence[RelationField]) -> None:
        self._file: TextIO = path.open("w", encoding="utf-8", newline="")
        self._names = [field.name for field in fields]
        self._structures = [at for at, field in enumerate(fields) if field.kind in _JSON]

    def add(self, row: Row) -> None:
        self._file.write(json_line(self._names, self._structures, row))

    def __exit__(self, *_: object) -> None:
        self._file.close()


def json_line(names: Sequence[str], structures: Sequence[int], row: Row) -> str:
    """One line, whose cells at *structures* hold JSON already."""
    cells: list[Any] = list(row)
    for at in structures:
        cells[at] = _parsed(cells[at])
    return _ENCODER.encode(dict(zip(names, cells, strict=True))) + "\n"


_ENCODER: Final = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"))
"""`json.dumps` would make one for each row."""


@lru_cache(maxsize=16_384)
def _parsed(text: Cell) -> Any:
    """The structure in *text*, never to be changed: factors and settings of many rows are the same."""
    try:
        return None if text is None else json.loads(str(text))
    except (ValueError, RecursionError):
        return text


@lru_cache(maxsize=4096)
def _legible(text: Cell) -> Cell:
    """The JSON in *text* with its letters as such: some of it is stored with every letter but ASCII's as an escape."""
    if not isinstance(text, str) or "\\u" not in text:
        return text
    found = _parsed(text)
    return text if isinstance(found, str) else json.dumps(found, ensure_ascii=False)


class ParquetFile(DataFile):
    """Zstandard, one column for each field, structures as JSON text; turns as lists of role and content."""

    def __init__(self, path: Path, fields: Sequence[RelationField]) -> None:
        import pyarrow as pa
        import pyarrow.parquet as pq

        kinds = {
            FieldKind.TEXT: pa.string(),
            FieldKind.STRUCTURE: pa.string(),
            FieldKind.TURNS: pa.list_(pa.struct([("role", pa.string()), ("content", pa.string())])),
            FieldKind.INTEGER: pa.int64(),
            FieldKind.NUMBER: pa.float64(),
            FieldKind.FLAG: pa.bool_(),
        }
        self._schema = pa.schema(
            [pa.field(field.name, kinds[field.kind], metadata={"words": field.words}) for field in fields]
        )
        # By Python: a folder's name may hold bytes that are no UTF-8, which pyarrow takes no path with.
        self._file = path.open("wb")
        self._writer = pq.ParquetWriter(self._file, self._schema, compression="zstd")
        self._turns = [at for at, field in enumerate(fields) if field.kind is FieldKind.TURNS]
        self._waiting: list[Sequence[Any]] = []
        self._characters = 0

    def add(self, row: Row) -> None:
        cells: list[Any] = list(row)
        for at in self._turns:
            cells[at] = _parsed(cells[at])
        self._waiting.append(cells)
        self._characters += sum(len(cell) for cell in row if isinstance(cell, str))
        if len(self._waiting) >= _GROUP_ROWS or self._characters >= _GROUP_CHARACTERS:
            self._flush()

    def _flush(self) -> None:
        import pyarrow as pa

        # A relation without rows has its columns all the same, of which zip knows nothing where there is no row.
        columns = zip(*self._waiting, strict=True) if self._waiting else ([] for _ in self._schema)
        arrays = [pa.array(list(column), type=field.type) for column, field in zip(columns, self._schema, strict=True)]
        self._writer.write_table(pa.Table.from_arrays(arrays, schema=self._schema))
        self._waiting, self._characters = [], 0

    def __exit__(self, *_: object) -> None:
        # Windows removes no file that is still open, and one that could not be written whole is removed.
        with self._file, self._writer:
            self._flush()


FORMATS: Final[dict[str, Callable[[Path, Sequence[RelationField]], DataFile]]] = {
    "csv": CsvFile,
    "jsonl": JsonLinesFile,
    "parquet": ParquetFile,
}
"""By file suffix."""


def has_parquet() -> bool:
    """Whether pyarrow, which writes and reads Parquet, is installed."""
    return not extras()[PARQUET].missing


def check_parquet() -> None:
    """Raises `UserError` where Parquet files can be neither written nor read."""
    if not has_parquet():
        raise extras()[PARQUET].lacking(_instead())


def parquet_remedy() -> str:
    """The remedy where Parquet files cannot be written."""
    return extras()[PARQUET].remedy(_instead())


def _instead() -> str:
    return tr("Or use CSV or JSON lines, which hold the same.")


def write_text(path: Path, text: str) -> None:
    """A file of *text* in a folder that was made a moment before. Raises `OSError`."""
    path.write_text(text, encoding="utf-8", newline="\n")

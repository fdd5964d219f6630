"""Texts of old rounds that were moved into Parquet files beside the audit, read as if they still stood in it.

In the place of a text that was moved stands `MOVED`. Every statement that reads a text names it by `TEXT` or
`REASONING`, which look it up; where its file is not at hand, reading it raises, so that nobody takes an answer that is
elsewhere for an empty one.
"""

import json
import sqlite3
from bisect import bisect_left
from collections import OrderedDict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from hashlib import file_digest
from pathlib import Path
from threading import Lock
from typing import Any, Final

from gpf_desktop.documents.parquet_pages import NotParquetPageError, column_bounds, largest_page
from gpf_desktop.domain.errors import StorageError, StorageFault
from gpf_desktop.domain.extras import PARQUET, extras
from gpf_desktop.domain.ids import RunId
from gpf_desktop.domain.text import tr
from gpf_desktop.storage import audits, faults

MOVED: Final = "\ue000moved\ue000"
"""Stands in the place of a text; an answer of these very characters is given as it is."""
TEXT: Final = f"iif(p.text = '{MOVED}', moved_text(p.cell_id, 0), p.text)"
REASONING: Final = f"iif(p.reasoning = '{MOVED}', moved_text(p.cell_id, 1), p.reasoning)"
"""SQL: the text, and the reasoning, of the response ``p``."""
COLUMNS: Final = ("cell_id", "answer", "reasoning")
"""Of a file, those that are read back."""

_KEPT: Final = "moved texts"
_GROUPS: Final = 32
"""Row groups of a file that are held unpacked: some 30 MB."""
_LARGEST_PAGE: Final = 64 * 2**20
"""Bytes that a page unpacks to at most: a file that somebody else made may hold anything."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MovedRound:
    """The file that the texts of a round lie in."""

    folder: str
    """Beside the audit."""
    file: str
    sha256: str
    rows: int
    at: str


def rounds(connection: sqlite3.Connection) -> dict[RunId, MovedRound]:
    """Every round whose texts were moved. Raises `BadRowError`."""
    return audits.kept(connection, _KEPT, _rounds, {})


def _rounds(data: Any) -> dict[RunId, MovedRound]:
    found = {RunId(int(run)): MovedRound(**told) for run, told in data.items()}
    for each in found.values():
        if any(Path(name).name != name or name in {"", ".", ".."} for name in (each.folder, each.file)):
            raise ValueError(each.file)
    return found


def keep_rounds(connection: sqlite3.Connection, kept: Mapping[RunId, MovedRound]) -> None:
    """Remember that the texts of these rounds, and of no others, were moved."""
    if kept:
        audits.set_setting(connection, _KEPT, json.dumps({str(run): asdict(told) for run, told in kept.items()}))
    else:
        audits.drop_setting(connection, _KEPT)


def let_read(connection: sqlite3.Connection, audit: Path) -> None:
    """Let statements on *connection* to the file *audit* read texts that were moved."""
    with _lock:
        _folders[audit.parent] = None

    def moved_text(cell: int, column: int) -> str:
        try:
            return _text(connection, cell, column)
        except Exception as error:
            # SQLite tells of a function that it failed, and not why.
            faults.remember(error)
            raise

    connection.create_function("moved_text", 2, moved_text)


def found(told: MovedRound) -> Path | None:
    """Where the file lies; None where it is at no place beside an audit that this program opened."""
    with _lock:
        folders = list(_folders)
    places = (folder / told.folder / told.file for folder in reversed(folders))
    return next((place for place in places if place.is_file()), None)


def opened(told: MovedRound) -> "MovedFile":
    """The file, looked at once for its check code. Raises `StorageError` where it is not at hand or another."""
    if not (place := found(told)):
        raise StorageError(
            tr(
                "The texts of this round lie in {file}, which is not beside the audit.",
                file=f"{told.folder}/{told.file}",
            ),
            tr("Put the folder “{folder}” beside the audit again.", folder=told.folder),
            fault=StorageFault.APART,
        )
    lies = place.stat()
    key = (str(place), lies.st_size, lies.st_mtime_ns, told.sha256)
    with _lock:
        if key not in _files:
            _files[key] = MovedFile(place, told)
            if len(_files) > _GROUPS:
                _files.popitem(last=False)
        return _files[key]


def lacking(every: Iterable[MovedRound]) -> list[StorageError]:
    """What keeps files of *every* from being read, one of each; empty where all texts can be."""
    errors = []
    for told in every:
        try:
            opened(told)
        except StorageError as error:
            errors.append(error)
    return errors


class MovedFile:
    """The texts of a round, found by the numbers of cells."""

    def __init__(self, path: Path, told: MovedRound) -> None:
        if extras()[PARQUET].missing:
            raise extras()[PARQUET].lacking()
        from pyarrow import ArrowException
        from pyarrow.parquet import ParquetFile

        self._lock = Lock()
        self._told = told
        self._unpacked: OrderedDict[int, dict[int, tuple[str, str]]] = OrderedDict()
        file = path.open("rb")
        try:
            if file_digest(file, "sha256").hexdigest() != told.sha256:
                raise _another(told)
            self._file = ParquetFile(file)
            about = self._file.metadata
            groups = [about.row_group(at) for at in range(about.num_row_groups)]
            columns = [group.column(at) for group in groups for at in range(group.num_columns)]
            if any(largest_page(file, *column_bounds(column)) > _LARGEST_PAGE for column in columns):
                raise _another(told)
            place = self._file.schema_arrow.get_field_index(COLUMNS[0])
            self._last = [int(group.column(place).statistics.max) for group in groups]
        except (ArrowException, NotParquetPageError, ValueError, TypeError, AttributeError, KeyError, OSError) as error:
            file.close()
            raise _another(told) from error
        except BaseException:
            file.close()
            raise

    def __iter__(self) -> Iterator[tuple[int, tuple[str, str]]]:
        """(cell, (text, reasoning)) of every row, in the order of cells."""
        for at in range(len(self._last)):
            yield from self._group(at).items()

    def get(self, cell: int) -> tuple[str, str] | None:
        """(text, reasoning); None where the file has no such cell."""
        at = bisect_left(self._last, cell)
        return None if at == len(self._last) else self._group(at).get(cell)

    def _group(self, at: int) -> dict[int, tuple[str, str]]:
        with self._lock:
            if at in self._unpacked:
                self._unpacked.move_to_end(at)
                return self._unpacked[at]
            try:
                ids, texts, reasonings = self._file.read_row_group(at, columns=list(COLUMNS)).to_pydict().values()
            except (OSError, ValueError) as error:
                raise _another(self._told) from error
            group = dict(zip(ids, zip(texts, reasonings, strict=True), strict=True))
            self._unpacked[at] = group
            if len(self._unpacked) > _GROUPS:
                self._unpacked.popitem(last=False)
            return group


def _another(told: MovedRound) -> StorageError:
    return StorageError(
        tr("{file} is not the file that the texts of this round were moved to.", file=f"{told.folder}/{told.file}"),
        tr("Put the folder “{folder}” back as it was, from a backup.", folder=told.folder),
        fault=StorageFault.DAMAGED,
    )


def _text(connection: sqlite3.Connection, cell: int, column: int) -> str:
    row = connection.execute("SELECT run_id FROM cell WHERE id = ?", (cell,)).fetchone()
    told = rounds(connection).get(RunId(row[0])) if row else None
    texts = opened(told).get(cell) if told else None
    return MOVED if texts is None else texts[column]


_lock = Lock()
_folders: dict[Path, None] = {}
"""Folders of audits that were opened: a copy that is read elsewhere has its texts where the audit lies."""
_files: OrderedDict[tuple[str, int, int, str], MovedFile] = OrderedDict()

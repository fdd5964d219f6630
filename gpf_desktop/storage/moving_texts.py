"""Moves the texts of a round into a Parquet file beside the audit, and back.

The file is whole before a text is taken out, and every row of it was held against the audit's in the transaction that
takes them out: a program that is killed at any moment leaves a file too many, and loses nothing.
"""

import os
import sqlite3
from hashlib import file_digest
from pathlib import Path
from typing import Any, Final

from gpf_desktop.documents.whole_files import whole_file
from gpf_desktop.domain.ids import RunId
from gpf_desktop.storage import archived_texts
from gpf_desktop.storage.archived_texts import MOVED, MovedRound
from gpf_desktop.storage.coordinate_sets import SETS
from gpf_desktop.storage.faults import translated
from gpf_desktop.storage.responses import IS_WITHHELD
from gpf_desktop.storage.run_tables import one_moment
from gpf_desktop.storage.times import now

_ROWS: Final = 256
"""Of a row group: what is unpacked where one answer is read."""
_MOVES: Final = (
    f"(p.text <> '' OR p.reasoning <> '') AND NOT {IS_WITHHELD} AND p.text <> '{MOVED}' AND p.reasoning <> '{MOVED}'"
)
_HELD: Final = (
    "SELECT p.cell_id, p.text, p.reasoning FROM response p JOIN cell c ON c.id = p.cell_id"
    f" WHERE c.run_id = ? AND {_MOVES} ORDER BY p.cell_id"
)
_TOLD: Final = (
    "SELECT p.cell_id, p.text, p.reasoning, r.name, m.label, i.key, t.title, x.text, y.text, c.repeat, c.stage,"
    " p.received_at FROM cell c JOIN response p ON p.cell_id = c.id JOIN run r ON r.id = c.run_id"
    f" JOIN bundle b ON b.id = c.bundle_id{SETS} JOIN model m ON m.id = c.model_id JOIN item i ON i.id = c.item_id"
    " LEFT JOIN batch_item t ON t.batch_id = r.batch_id AND t.item_id = c.item_id"
    f" WHERE c.run_id = ? AND {_MOVES} ORDER BY p.cell_id"
)
_BESIDE: Final = ("round", "model", "item", "title", "fixed", "varying", "repeat", "stage", "received_at")
"""Columns that let a file be read by itself."""
_NUMBERS: Final = frozenset({"cell_id", "repeat", "stage"})


def write_out(connection: sqlite3.Connection, run_id: RunId, folder: Path) -> MovedRound | None:
    """Write the texts of a round into a file of *folder*, which lies beside the audit; None where it has none.

    Raises `StorageError`.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    names = (*archived_texts.COLUMNS, *_BESIDE)
    schema = pa.schema([(name, pa.int64() if name in _NUMBERS else pa.string()) for name in names])
    rows = 0
    with translated(folder):
        folder.mkdir(exist_ok=True)
        with whole_file(folder / f"round-{run_id}.parquet") as beside, one_moment(connection):
            with beside.open("wb") as file:
                cursor = connection.execute(_TOLD, (run_id,))
                with pq.ParquetWriter(file, schema, compression="zstd", compression_level=9) as writer:
                    while some := cursor.fetchmany(_ROWS):
                        rows += len(some)
                        columns: list[Any] = list(map(list, zip(*some, strict=True)))
                        arrays = [pa.array(each, type=kind.type) for each, kind in zip(columns, schema, strict=True)]
                        writer.write_table(pa.Table.from_arrays(arrays, schema=schema))
                file.flush()
                os.fsync(file.fileno())
            with beside.open("rb") as file:
                sha256 = file_digest(file, "sha256").hexdigest()
        # By its own check code: a copy of this audit may have moved another state of the round to the same folder.
        target = folder / f"round-{run_id}-{sha256[:12]}.parquet"
        (folder / f"round-{run_id}.parquet").replace(target)
        if not rows:
            target.unlink()
            return None
    return MovedRound(folder=folder.name, file=target.name, sha256=sha256, rows=rows, at=now())


def take_out(connection: sqlite3.Connection, run_id: RunId, told: MovedRound) -> bool:
    """Take the texts of a round out of the audit, within a write; False, and nothing done, where the file does not hold
    just these. Raises `StorageError`."""
    held = connection.execute(_HELD, (run_id,))
    cells = []
    for cell, texts in archived_texts.opened(told):
        if held.fetchone() != (cell, *texts):
            return False
        cells.append((cell,))
    if held.fetchone() is not None:
        return False
    connection.executemany(
        f"UPDATE response SET text = iif(text = '', '', '{MOVED}'), reasoning = iif(reasoning = '', '', '{MOVED}')"
        " WHERE cell_id = ?",
        cells,
    )
    # What stands in their place is none of their words. The index gives up the words that it knew of them.
    connection.executemany("DELETE FROM search_due WHERE cell_id = ?", cells)
    archived_texts.keep_rounds(connection, archived_texts.rounds(connection) | {run_id: told})
    return True


def bring_back(connection: sqlite3.Connection, run_id: RunId) -> int:
    """Put the texts of a round back into the audit, within a write; how many they were. Raises `StorageError`."""
    every = archived_texts.rounds(connection)
    told = every.pop(run_id)
    unknown_to_index(connection, run_id)
    rows = list(archived_texts.opened(told))
    connection.executemany(
        f"UPDATE response SET text = iif(text = '{MOVED}', ?, text), reasoning = iif(reasoning = '{MOVED}', ?,"
        " reasoning) WHERE cell_id = ?",
        [(text, reasoning, cell) for cell, (text, reasoning) in rows],
    )
    archived_texts.keep_rounds(connection, every)
    return len(rows)


def unknown_to_index(connection: sqlite3.Connection, run_id: RunId) -> None:
    """Say before texts that were moved change or go that the index of answers does not know them: it is told to forget
    a text by its very words, and never had these."""
    connection.execute(
        "INSERT OR IGNORE INTO search_due (cell_id) SELECT p.cell_id FROM cell c JOIN response p ON p.cell_id = c.id"
        f" WHERE c.run_id = ? AND p.missing IS NULL AND p.text = '{MOVED}'",
        (run_id,),
    )


def forget(connection: sqlite3.Connection, run_id: RunId) -> None:
    """Forget, within a write, that the texts of a round which is to be deleted were moved."""
    unknown_to_index(connection, run_id)
    every = archived_texts.rounds(connection)
    if every.pop(run_id, None):
        archived_texts.keep_rounds(connection, every)

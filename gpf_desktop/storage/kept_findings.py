"""Findings kept as they were made, one set for each method, with the digest of everything that they rest on."""

import sqlite3
import zlib
from hashlib import blake2b
from typing import Final

from gpf_desktop.storage import ratings, run_tables

_SIZE: Final = 16
CONTENT: Final = "findings "
"""What the contents of kept findings begin with."""


def digest_of(connection: sqlite3.Connection, method: str) -> bytes:
    """The digest of all that the replies, vectors, ratings and terms of a method's runs hang on: the answers themselves
    are not read, their stamps rise with every change."""
    runs = connection.execute(
        "SELECT id, created_at, name, protocol_id, batch_id, controls FROM run WHERE method = ? ORDER BY id", (method,)
    ).fetchall()
    stamps = run_tables.stamps(connection, run_tables.CELLS)
    models = connection.execute("SELECT id, label, synthetic FROM model ORDER BY id").fetchall()
    rated = sorted((cell, *sorted(said.items())) for cell, said in ratings.of_method(connection, method).items())
    told = repr(([(*run, stamps.get(run[0])) for run in runs], models, rated))
    return blake2b(told.encode(), digest_size=_SIZE).digest()


def read(connection: sqlite3.Connection, method: str, digest: bytes) -> bytes | None:
    """The bytes kept for *digest*; None where there are none, or they rest on other things."""
    row = connection.execute(
        "SELECT data FROM run_table WHERE content = ? ORDER BY run_id DESC LIMIT 1", (_content(method),)
    ).fetchone()
    if row is None:
        return None
    of, packed = split(row[0])
    if of != digest:
        return None
    try:
        return zlib.decompress(packed)
    except zlib.error:
        return None


def keep(connection: sqlite3.Connection, method: str, digest: bytes, data: bytes) -> None:
    """Keep *data* in place of what was kept; it goes with the newest run of *method*."""
    # A row needs a run to go with, so that a deletion of runs finds it; which one, the digest does not ask.
    newest = connection.execute("SELECT max(id) FROM run WHERE method = ?", (method,)).fetchone()[0]
    connection.execute("DELETE FROM run_table WHERE content = ?", (_content(method),))
    if newest is not None:
        connection.execute(
            "INSERT INTO run_table (run_id, content, stamp, data) VALUES (?, ?, 0, ?)",
            (newest, _content(method), digest + zlib.compress(data, 3)),
        )


def split(data: bytes) -> tuple[bytes, bytes]:
    """The digest of what findings rest on, and the findings as they are packed."""
    return data[:_SIZE], data[_SIZE:]


def _content(method: str) -> str:
    return f"{CONTENT}{method}"

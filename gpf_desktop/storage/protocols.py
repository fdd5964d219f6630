"""Protocol versions: kept for ever, equal ones once."""

import sqlite3
from dataclasses import dataclass
from datetime import datetime

from gpf_desktop.domain.ids import ProtocolId
from gpf_desktop.storage.rows import record, records
from gpf_desktop.storage.times import as_moment, now


@dataclass(frozen=True, slots=True, kw_only=True)
class ProtocolRow:
    """A stored version; *text* is the file that `engine.core.protocols.read_protocol` reads."""

    id: ProtocolId
    method: str
    """Name of the method that reads it."""
    name: str
    version: int
    hash: str
    text: str
    created: datetime


_SELECT = "SELECT id, method, name, version, hash, text, created_at AS created FROM protocol"


def keep(
    connection: sqlite3.Connection,
    *,
    method: str,
    name: str,
    version: int,
    hash: str,  # noqa: A002
    text: str,
) -> ProtocolId:
    """The id of the version with this hash, stored now if it is new."""
    connection.execute(
        "INSERT INTO protocol (method, name, version, hash, text, created_at) VALUES (?, ?, ?, ?, ?, ?)"
        " ON CONFLICT DO NOTHING",
        (method, name, version, hash, text, now()),
    )
    return ProtocolId(connection.execute("SELECT id FROM protocol WHERE hash = ?", (hash,)).fetchone()[0])


def get(connection: sqlite3.Connection, protocol_id: ProtocolId) -> ProtocolRow:
    return record(ProtocolRow, connection.execute(f"{_SELECT} WHERE id = ?", (protocol_id,)), created=as_moment)


def every(connection: sqlite3.Connection, method: str) -> list[ProtocolRow]:
    """All versions of *method*, the newest first."""
    rows = connection.execute(f"{_SELECT} WHERE method = ? ORDER BY id DESC", (method,))
    return records(ProtocolRow, rows, created=as_moment)


def by_hash(connection: sqlite3.Connection, hash: str) -> ProtocolRow | None:  # noqa: A002
    rows = connection.execute(f"{_SELECT} WHERE hash = ?", (hash,))
    return next(iter(records(ProtocolRow, rows, created=as_moment)), None)


def runs_by_hash(connection: sqlite3.Connection) -> dict[str, int]:
    """How many runs use each version."""
    rows = connection.execute(
        "SELECT p.hash, count(*) FROM run r JOIN protocol p ON p.id = r.protocol_id GROUP BY p.hash"
    )
    return dict(rows.fetchall())

"""News sources and their health."""

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from gpf_desktop.domain.articles import Dropped
from gpf_desktop.domain.ids import SourceId
from gpf_desktop.storage.times import as_moment_or_none, now


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceRow:
    """A source as the page shows it."""

    id: SourceId
    target: str
    """As the auditor gave it."""
    address: str
    """Where it is fetched now, after permanent redirects."""
    kind: str
    title: str
    note: str
    active: bool
    synthetic: bool
    etag: str
    last_modified: str
    tried: datetime | None
    succeeded: datetime | None
    error: str
    """The last error in words; empty after a success."""
    gone: bool
    kept: int
    dropped: int
    uncounted: int


_COLUMNS = (
    "id, target, address, kind, title, note, active, synthetic, etag, last_modified, tried_at, succeeded_at, error,"
    " gone, kept, dropped, uncounted"
)


def keep(
    connection: sqlite3.Connection, *, target: str, kind: str, title: str, note: str = "", synthetic: bool = False
) -> SourceId:
    """Add the source, or take it back if it had been removed."""
    connection.execute(
        "INSERT INTO source (target, address, kind, title, note, synthetic, added_at) VALUES (?, ?, ?, ?, ?, ?, ?)"
        " ON CONFLICT (target) DO UPDATE SET active = 1",
        (target, target, kind, title, note, synthetic, now()),
    )
    return SourceId(connection.execute("SELECT id FROM source WHERE target = ?", (target,)).fetchone()[0])


def get(connection: sqlite3.Connection, source_id: SourceId) -> SourceRow:
    return _source(connection.execute(f"SELECT {_COLUMNS} FROM source WHERE id = ?", (source_id,)).fetchone())


def every(connection: sqlite3.Connection) -> list[SourceRow]:
    """Those not removed, in the order added."""
    return [_source(row) for row in connection.execute(f"SELECT {_COLUMNS} FROM source WHERE active ORDER BY id")]


def set_active(connection: sqlite3.Connection, source_id: SourceId, *, active: bool) -> None:
    """Remove a source from the page or put it back; its articles stay."""
    connection.execute("UPDATE source SET active = ? WHERE id = ?", (active, source_id))


def rename(connection: sqlite3.Connection, source_id: SourceId, title: str) -> None:
    connection.execute("UPDATE source SET title = ? WHERE id = ?", (title, source_id))


def record_success(
    connection: sqlite3.Connection,
    source_id: SourceId,
    *,
    etag: str,
    last_modified: str,
    address: str | None = None,
    kind: str | None = None,
    title: str | None = None,
) -> None:
    """A fetch that answered, 304 included. *address* is set after a permanent redirect."""
    connection.execute(
        "UPDATE source SET etag = ?, last_modified = ?, address = coalesce(?, address), kind = coalesce(?, kind),"
        # A title that somebody typed stays; a bare address gives way to what the source calls itself.
        " title = CASE WHEN title = '' OR title = target THEN coalesce(?, title) ELSE title END,"
        " tried_at = ?, succeeded_at = ?, error = '', gone = 0 WHERE id = ?",
        (etag, last_modified, address, kind, title, now(), now(), source_id),
    )


def record_yield(
    connection: sqlite3.Connection, source_id: SourceId, *, kept: int, dropped: Iterable[Dropped], uncounted: int
) -> None:
    """What the last full answer held; the list of dropped items replaces the one before."""
    connection.execute("DELETE FROM dropped_item WHERE source_id = ?", (source_id,))
    rows = [(source_id, item.headline, item.url, item.reason, now()) for item in dropped]
    connection.executemany(
        "INSERT INTO dropped_item (source_id, headline, url, reason, at) VALUES (?, ?, ?, ?, ?)", rows
    )
    connection.execute(
        "UPDATE source SET kept = ?, dropped = ?, uncounted = ? WHERE id = ?", (kept, len(rows), uncounted, source_id)
    )


def record_failure(connection: sqlite3.Connection, source_id: SourceId, error: str, *, gone: bool = False) -> None:
    connection.execute(
        "UPDATE source SET tried_at = ?, error = ?, gone = ? WHERE id = ?", (now(), error, gone, source_id)
    )


def dropped(connection: sqlite3.Connection, source_id: SourceId) -> list[Dropped]:
    rows = connection.execute(
        "SELECT headline, url, reason FROM dropped_item WHERE source_id = ? ORDER BY id", (source_id,)
    )
    return [Dropped(headline=headline, url=url, reason=reason) for headline, url, reason in rows]


def _source(row: tuple[Any, ...]) -> SourceRow:
    return SourceRow(
        id=SourceId(row[0]),
        target=row[1],
        address=row[2],
        kind=row[3],
        title=row[4],
        note=row[5],
        active=bool(row[6]),
        synthetic=bool(row[7]),
        etag=row[8],
        last_modified=row[9],
        tried=as_moment_or_none(row[10]),
        succeeded=as_moment_or_none(row[11]),
        error=row[12],
        gone=bool(row[13]),
        kept=row[14],
        dropped=row[15],
        uncounted=row[16],
    )

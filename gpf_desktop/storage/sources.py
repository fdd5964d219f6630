"""News sources and their health."""

import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from gpf_desktop.domain.articles import Dropped
from gpf_desktop.domain.ids import SourceId
from gpf_desktop.storage.rows import records
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


_SELECT = (
    "SELECT id, target, address, kind, title, note, active, synthetic, etag, last_modified, tried_at AS tried,"
    " succeeded_at AS succeeded, error, gone, kept, dropped, uncounted FROM source WHERE "
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
    return _sources(connection.execute(f"{_SELECT}id = ?", (source_id,)))[0]


def every(connection: sqlite3.Connection) -> list[SourceRow]:
    """The sources that are not removed, in the order added."""
    return _sources(connection.execute(f"{_SELECT}active ORDER BY id"))


def set_active(connection: sqlite3.Connection, source_id: SourceId, *, active: bool) -> None:
    """Remove a source from the page or put it back; its articles stay."""
    connection.execute("UPDATE source SET active = ? WHERE id = ?", (active, source_id))


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
    """Store what the last full answer held; the list of dropped items replaces the one before."""
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
    return records(Dropped, rows)


def _sources(rows: sqlite3.Cursor) -> list[SourceRow]:
    return records(
        SourceRow,
        rows,
        active=bool,
        synthetic=bool,
        tried=as_moment_or_none,
        succeeded=as_moment_or_none,
        gone=bool,
    )

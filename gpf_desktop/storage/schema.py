"""Brings an audit file to the current schema, and accepts no other."""

import re
import sqlite3
from datetime import UTC, datetime
from functools import cache
from pathlib import Path
from typing import Final

from gpf_desktop import __version__
from gpf_desktop.documents.audit_marks import APPLICATION_ID
from gpf_desktop.storage import faults
from gpf_desktop.storage.migrations import migrations

Objects = tuple[tuple[str, str, str], ...]
"""(type, name, SQL), sorted."""

_KEPT_BY_SQLITE: Final = {
    "sqlite_sequence": "CREATE TABLE sqlite_sequence(name,seq)",
    "sqlite_stat1": "CREATE TABLE sqlite_stat1(tbl,idx,stat)",
    "sqlite_stat4": "CREATE TABLE sqlite_stat4(tbl,idx,neq,nlt,ndlt,sample)",
}


def sqlite_version() -> str:
    return sqlite3.sqlite_version


def current_version() -> int:
    return len(migrations())


def check_identity(connection: sqlite3.Connection, path: Path) -> int:
    """The file's schema version. Refuses files of other programs, newer files and planted schema objects."""
    application_id = connection.execute("PRAGMA application_id").fetchone()[0]
    version: int = connection.execute("PRAGMA user_version").fetchone()[0]
    if application_id != APPLICATION_ID or version < 1:
        raise faults.not_an_audit(path)
    if version > current_version():
        raise faults.newer(path, version, current_version())
    there, expected = _objects(connection), _expected(version)
    if there != expected:
        missing = set(expected) - set(there)
        # By a trigger first, which acts.
        planted = sorted(set(there) - set(expected), key=lambda each: (each[0] != "trigger", each))
        if planted and not missing:
            raise faults.planted(path, *planted[0][:2])
        raise faults.damaged(path, "the file's tables are not those of an audit of this version")
    return version


def migrate(connection: sqlite3.Connection, version: int) -> None:
    """Runs the migrations after *version*, each in its own transaction with its line in the schema history."""
    for number, sql in enumerate(migrations()[version:], start=version + 1):
        connection.execute("BEGIN IMMEDIATE")
        try:
            _run(connection, sql)
            connection.execute(
                "INSERT INTO schema_history (version, applied_at, program) VALUES (?, ?, ?)",
                (number, datetime.now(UTC).isoformat(timespec="seconds"), __version__),
            )
            # A page of the file like any other: a kill leaves the tables and their version both old or both new.
            connection.execute(f"PRAGMA user_version = {number}")
            connection.execute("COMMIT")
        except BaseException:
            # A full disk ends the transaction by itself.
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise


def _run(connection: sqlite3.Connection, sql: str) -> None:
    """`executescript` would commit first; statements here end in a semicolon at a line's end."""
    for statement in re.split(r";\s*\n", sql):
        if statement.strip():
            connection.execute(statement)


@cache
def _expected(version: int) -> Objects:
    connection = sqlite3.connect(":memory:")
    try:
        # Laid out by the migrations themselves: SQLite rewrites the stored SQL at an ALTER TABLE, and FTS5 adds tables
        # of its own, so no text kept beside them would match.
        for sql in migrations()[:version]:
            _run(connection, sql)
        return _objects(connection)
    finally:
        connection.close()


def _objects(connection: sqlite3.Connection) -> Objects:
    """The objects that a file defines, but for what SQLite itself keeps in it."""
    # As bytes: in a file that is damaged they may be no text, or a number.
    rows = connection.execute("SELECT CAST(type AS BLOB), CAST(name AS BLOB), CAST(sql AS BLOB) FROM sqlite_schema")
    spelt = [(_text(kind) or "", _text(name) or "", _text(sql)) for kind, name, sql in rows]
    return tuple(sorted((kind, name, sql or "") for kind, name, sql in spelt if not _of_sqlite(kind, name, sql)))


def _text(kept: bytes | None) -> str | None:
    return None if kept is None else " ".join(kept.decode(errors="backslashreplace").split())


def _of_sqlite(kind: str, name: str, sql: str | None) -> bool:
    """Told by more than the name: through `writable_schema` a trigger can be called `sqlite_` anything."""
    if kind == "index":
        return name.startswith("sqlite_autoindex_") and sql is None
    return kind == "table" and sql is not None and _KEPT_BY_SQLITE.get(name) == sql

"""Connections to an audit's file, guarded against what somebody else may have put into it."""

import sqlite3
from pathlib import Path
from typing import Final

from gpf_desktop.storage import archived_texts

LARGEST_VALUE: Final = 16 * 2**20
"""Bytes of the largest row that is read or written: twice an answer and its reasoning at their longest."""


def connect(path: Path, *, read_only: bool = False, immutable: bool = False) -> sqlite3.Connection:
    """A connection to the audit at *path*, which is there; *immutable*: nobody changes it meanwhile."""
    # Never `rwc`, SQLite's default: an audit that was moved away would come back as an empty file.
    address = f"{path.as_uri()}?mode={'ro' if read_only else 'rw'}{'&immutable=1' if immutable else ''}"
    # A connection is handed from thread to thread, never used by two at once.
    # Without an isolation level Python begins and commits nothing of its own accord: the
    # writer groups, readers hold moments.
    connection = sqlite3.connect(address, uri=True, isolation_level=None, timeout=10, check_same_thread=False)
    # Three guards against a file that somebody else made: no row that fills the memory, no function or virtual table
    # called from its schema, and pages checked as they are read.
    connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LARGEST_VALUE)
    connection.execute("PRAGMA trusted_schema = OFF")
    archived_texts.let_read(connection, path)
    # Off in SQLite unless each connection asks for it.
    connection.execute("PRAGMA foreign_keys = ON")
    connection.execute("PRAGMA cell_size_check = ON")
    if read_only:
        connection.execute("PRAGMA query_only = ON")
    else:
        connection.execute("PRAGMA journal_mode = WAL")
        # In WAL mode NORMAL syncs at checkpoints only: a power cut could take commits that were announced as durable.
        connection.execute("PRAGMA synchronous = FULL")
    return connection

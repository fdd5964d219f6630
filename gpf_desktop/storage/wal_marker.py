"""What an audit file says of the -wal file beside it, so that a copy without its newest writes is told.

While an audit is open, newer writes stand in the -wal file. The main file then says "behind"; the first write after
each checkpoint says "merged", and so stands in the -wal file alone. A main file without a -wal file beside it that says

    nothing   was closed by this program: whole
    merged    had its -wal file folded in by another SQLite program after a crash: whole
    behind    was copied without its -wal file: lacks what was written last

Checkpoints are made here, never by SQLite on its own, or a copy could catch "merged" with later writes still outside.
"""

import sqlite3
from contextlib import suppress
from pathlib import Path
from typing import Final

from gpf_desktop.storage import audits

CHECKPOINT_BYTES: Final = 8 * 2**20
"""Size of the -wal file from which it is folded into the audit."""

_WORD: Final = "journal"
_BEHIND: Final = "behind"
_MERGED: Final = "merged"


def begin(connection: sqlite3.Connection) -> None:
    """The audit is open for writing from now on."""
    connection.execute("PRAGMA wal_autocheckpoint = 0")
    # Also where there is nothing to fold in: from here on the main file has to say that newer writes may stand beside
    # it.
    _fold(connection)


def keep_short(connection: sqlite3.Connection, path: Path) -> None:
    """Fold a long -wal file into the audit; between two transactions."""
    with suppress(FileNotFoundError):
        # A size that means something because checkpoints truncate: SQLite otherwise starts over
        # within the file at its length.
        if path.with_name(f"{path.name}-wal").stat().st_size > CHECKPOINT_BYTES:
            _fold(connection)


def end(connection: sqlite3.Connection) -> None:
    """The audit is closed; the last connection to close folds the -wal file in and removes it."""
    # A full disk leaves the word, and the -wal file with it.
    with suppress(sqlite3.Error):
        clear(connection)


def clear(connection: sqlite3.Connection) -> None:
    audits.set_setting(connection, _WORD, "")


def lacks_newest(connection: sqlite3.Connection) -> bool:
    """Whether an audit that has no -wal file beside it was copied without one."""
    return audits.setting(connection, _WORD) == _BEHIND


def _fold(connection: sqlite3.Connection) -> None:
    patience = connection.execute("PRAGMA busy_timeout").fetchone()[0]
    # Before the checkpoint, which carries this word into the main file; "merged" comes after it, alone in the -wal
    # file. Swapped, a copy without its -wal file would pass for whole.
    audits.set_setting(connection, _WORD, _BEHIND)
    # A long read keeps the file as it is; the next group of writes tries again.
    connection.execute("PRAGMA busy_timeout = 50")
    try:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    finally:
        connection.execute(f"PRAGMA busy_timeout = {patience}")
    audits.set_setting(connection, _WORD, _MERGED)

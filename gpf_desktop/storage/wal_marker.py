"""The mark that an audit file bears about the -wal file beside it, so that a copy without its newest writes is told.

From the first write of an opening on, newer writes stand in the -wal file. The main file then says "behind", from that
write on, which is folded in at once; the first write after each checkpoint says "merged", and so stands in the -wal
file alone. A main file without a -wal file beside it that says

    closed    was closed by this program: whole
    nothing   is a copy that this program made: whole
    merged    had its -wal file folded in by another SQLite program after a crash: whole
    behind    was copied without its -wal file: lacks what was written last

Checkpoints are made here, never by SQLite on its own, or a copy could catch "merged" with later writes still outside.

Behind the word stand the opening's token and that of the opening before. A -wal file whose token is not the main file's
was begun beside another file. Only before the first fold of an opening it is ahead, and names the one before.
"""

import secrets
import sqlite3
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

from gpf_desktop.storage import audits

CHECKPOINT_BYTES: Final = 8 * 2**20
"""Size of the -wal file from which it is folded into the audit."""

_WORD: Final = "journal"
# Of one length, as tokens are: the row is then written over in its place, and a kill within a checkpoint leaves the
# old or the new one.
_BEHIND: Final = "behind"
_MERGED: Final = "merged"
_CLOSED: Final = "closed"
_NO_TOKEN: Final = "-" * 16
_FIRST_PATIENCE: Final = 1000
"""Milliseconds that the first write of an opening waits for reads under way."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OpeningMark:
    """The mark of its opening in a file."""

    word: str
    token: str
    """Empty where no program of this or a later version has opened it."""
    before: str

    def follows(self, main: "OpeningMark") -> bool:
        """Whether the -wal file that says this was begun beside the file that says *main*."""
        return self.token == main.token or (self.word == _BEHIND and self.before == main.token)


def begin(connection: sqlite3.Connection) -> None:
    """The audit is written from now on, with the transaction that is open; where that is undone nothing was begun."""
    connection.execute("PRAGMA wal_autocheckpoint = 0")
    of = OpeningMark(word=_BEHIND, token=secrets.token_hex(8), before=mark(connection).token)
    _say(connection, of.word, of)


def begun(connection: sqlite3.Connection) -> None:
    """The first transaction of the opening is committed, and is told to nobody before this ends."""
    # From here on the main file has to say that newer writes may stand beside it. What keeps it from that now is told
    # by the write that follows.
    with suppress(sqlite3.Error):
        _fold(connection, mark(connection), patience=_FIRST_PATIENCE)


def keep_short(connection: sqlite3.Connection, path: Path) -> None:
    """Fold a long -wal file into the audit; between two transactions."""
    with suppress(FileNotFoundError):
        # A size that means something because checkpoints truncate: SQLite otherwise starts over
        # within the file at its length.
        long = path.with_name(f"{path.name}-wal").stat().st_size > CHECKPOINT_BYTES
        found = mark(connection)
        # A long read may have kept the beginning from the main file, which says the token before.
        if found.word != _BEHIND and long:
            found = replace(found, word=_BEHIND, before=found.token)
            _say(connection, _BEHIND, found)
        if found.word == _BEHIND:
            _fold(connection, found)


def end(connection: sqlite3.Connection) -> None:
    """The audit is closed; the last connection to close folds the -wal file in and removes it."""
    # A full disk leaves the word, and the -wal file with it.
    with suppress(sqlite3.Error):
        # Of one that was not written nothing changes, unless an earlier opening was cut off.
        if (found := mark(connection)).word in {_BEHIND, _MERGED}:
            _say(connection, _CLOSED, found)


def clear(connection: sqlite3.Connection) -> None:
    """A copy was never open: no -wal file is its own."""
    audits.set_setting(connection, _WORD, "")


def lacks_newest(connection: sqlite3.Connection) -> bool:
    """Whether an audit that has no -wal file beside it was copied without one."""
    return mark(connection).word == _BEHIND


def mark(connection: sqlite3.Connection) -> OpeningMark:
    """The mark in the file behind *connection*."""
    word, token, before, *_ = (*audits.setting(connection, _WORD).split(), "", "", "")
    return OpeningMark(word=word, token=token.strip("-"), before=before.strip("-"))


def _say(connection: sqlite3.Connection, word: str, of: OpeningMark) -> None:
    audits.set_setting(connection, _WORD, f"{word} {of.token or _NO_TOKEN} {of.before or _NO_TOKEN}")


def _fold(connection: sqlite3.Connection, of: OpeningMark, *, patience: int = 50) -> None:
    """Fold in what is there, "behind" included, and say "merged" after it, alone in the -wal file. Swapped, a copy
    without its -wal file would pass for whole."""
    before = connection.execute("PRAGMA busy_timeout").fetchone()[0]
    # A long read keeps the file as it is; the next group of writes tries again.
    connection.execute(f"PRAGMA busy_timeout = {patience}")
    try:
        kept_from, *_ = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchone()
    finally:
        connection.execute(f"PRAGMA busy_timeout = {before}")
    # The main file may not have this opening's token yet: only "behind" may name the one before it.
    if not kept_from or of.before == of.token:
        _say(connection, _MERGED, of)

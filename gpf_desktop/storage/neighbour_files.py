"""Files that may lie beside an audit, and what SQLite would write into it from there.

SQLite takes whatever lies beside a database under its name as a part of it. A rollback journal's pages are written
back, and the pages of a -wal file replace those of the database, whosever they are. So they are looked at first:

    x.gpf-journal   none belongs to an audit, which is kept in WAL mode, but for the one that is there while a copy is
                    switched to it
    x.gpf-wal       belongs to the audit that was open when it was begun (`wal_marker`)
    x.gpf-shm       made anew whenever nobody has the audit open: never of harm
"""

import sqlite3
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager, suppress
from pathlib import Path
from typing import Final

from gpf_desktop.domain.errors import StorageError, StorageFault
from gpf_desktop.storage import faults, wal_marker, wal_reach

_JOURNAL: Final = "-journal"
_WAL: Final = "-wal"
_SHM: Final = "-shm"

_MAGIC: Final = bytes.fromhex("d9d505f920a163d7")
_HEADER: Final = 28
"""Bytes of a rollback journal's header that are used: magic, records, nonce, pages, sector size, page size."""
_LARGEST_PAGE: Final = 65536
_SWITCHED: Final = (slice(18, 20), slice(24, 28), slice(92, 100))
"""Of a database's first page what a switch to WAL mode changes: its two versions, counters, who wrote it last."""
_OF_PAGES: Final = frozenset(
    {sqlite3.SQLITE_ERROR, sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_FORMAT}
)

Reading = Callable[[], AbstractContextManager[sqlite3.Connection]]
"""Opens the audit for reading only."""


def check_journal(path: Path, *, remove: bool = False) -> None:
    """Raises `StorageError` where a rollback journal lies beside the audit at *path*.

    *remove*: take away its own one, of a switch to WAL mode, which says nothing that the audit does not.
    """
    journal = beside(path, _JOURNAL)
    if journal.exists():
        # Nothing but a file is read: a pipe there would be waited at for ever.
        if not journal.is_file() or not _is_of_the_switch(path, journal):
            raise faults.foreign_journal(path)
        if remove:
            journal.unlink()


def check_wal(path: Path, alone: Reading, together: Reading, *, cut_short: bool = False) -> None:
    """Raises `StorageError` where the -wal file beside the audit at *path* was begun beside another file, or holds
    saved work that SQLite would not read, unless it may be *cut_short*.

    *alone* reads the audit without it, *together* as SQLite would.
    """
    wal = beside(path, _WAL)
    if not wal.is_file() or not wal.stat().st_size:
        return
    if not cut_short:
        _check_reach(path, wal, together)
    try:
        with alone() as connection:
            own = wal_marker.mark(connection)
            # Without a mark it was never open, or is cut off within a fold: half of it then stands in the -wal file.
            if not own.token and connection.execute("PRAGMA quick_check(1)").fetchone()[0] != "ok":
                return
    # A kill within a fold leaves such a file, and only the two together can be read.
    except (StorageError, sqlite3.Error):
        return
    try:
        with together() as connection:
            begun_beside = wal_marker.mark(connection)
    except StorageError as error:
        # A newer program was cut off while it brought the audit forward.
        if error.fault is not StorageFault.NEWER:
            raise faults.foreign_wal(path) from error
        return
    except sqlite3.Error as error:
        # Of the disk, which whoever opens it is told next; other pages than the audit's are damage or missing tables.
        if (getattr(error, "sqlite_errorcode", 0) & 0xFF) in _OF_PAGES:
            raise faults.foreign_wal(path) from error
        return
    if not begun_beside.follows(own):
        raise faults.foreign_wal(path)


def _check_reach(path: Path, wal: Path, together: Reading) -> None:
    try:
        with together():
            short = wal_reach.is_cut_short(wal, beside(path, _SHM))
    # What keeps SQLite from reading it at all is told by whoever reads it next.
    except (StorageError, sqlite3.Error):
        return
    if short:
        raise faults.cut_short(path)


@contextmanager
def begun_in_vain(path: Path) -> Iterator[None]:
    """Where the block, which opens the audit at *path*, finds a full disk, what SQLite began beside it goes."""
    there = [suffix for suffix in (_WAL, _SHM) if beside(path, suffix).exists()]
    try:
        yield
    except StorageError as error:
        with suppress(OSError):
            # Anything in it is somebody's work.
            if error.fault is StorageFault.FULL and not there and not beside(path, _WAL).stat().st_size:
                for suffix in (_WAL, _SHM):
                    beside(path, suffix).unlink(missing_ok=True)
        raise


def check_free(path: Path) -> None:
    """Raises `StorageError` where SQLite would take something as a part of a new audit at *path*, and delete it."""
    for suffix in (_JOURNAL, _WAL):
        if beside(path, suffix).exists():
            raise faults.left_behind(path, beside(path, suffix))


def check_place(target: Path) -> None:
    """Raises `StorageError` where SQLite would take something as a part of a copy at *target*.

    The -wal file of an audit that is there goes with it; one whose audit is not there may hold the only copy of what
    was written last.
    """
    if target.exists():
        check_journal(target)
    else:
        check_free(target)


def beside(path: Path, suffix: str) -> Path:
    return path.with_name(path.name + suffix)


def _is_of_the_switch(path: Path, journal: Path) -> bool:
    """Whether all that *journal* could write back is the first page of *path* as it was before a switch to WAL mode.

    A kill within that moment, the first opening of a copy, leaves it.
    """
    with journal.open("rb") as file:
        header = file.read(_HEADER)
        if len(header) < _HEADER or not header.startswith(_MAGIC):
            return False
        pages, sector, size = (int.from_bytes(header[at : at + 4]) for at in (16, 20, 24))
        with path.open("rb") as audit:
            page = audit.read(_LARGEST_PAGE)
        # Of another size SQLite would take the audit's own pages for halves or pairs of such ones.
        if size != int.from_bytes(page[16:18]) or sector > _LARGEST_PAGE or pages * size != path.stat().st_size:
            return False
        file.seek(sector)
        record = file.read(size + 9)
    return not record or (
        int.from_bytes(record[:4]) == 1 and _without_switch(record[4:-4]) == _without_switch(page[:size])
    )


def _without_switch(page: bytes) -> bytes:
    left = bytearray(page)
    for part in _SWITCHED:
        left[part] = bytes(len(left[part]))
    return bytes(left)

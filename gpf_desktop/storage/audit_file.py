"""One audit in one SQLite file: opening, checking, reading beside writing, copying.

AuditFile.create / AuditFile.open   → lock, checks, backup and migration
filled(path, title)                 one connection that fills a new audit, there once it is whole
audit.write(f) → Future             one writer thread, grouped durable commits
audit.read(f)                       read-only connections, from any thread
"""

import errno
import os
import sqlite3
import threading
import uuid
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import closing, contextmanager, nullcontext, suppress
from functools import partial
from pathlib import Path
from typing import TypeVar

from filelock import FileLock

from gpf_desktop.documents import audit_marks
from gpf_desktop.documents.whole_files import clear_leftovers, whole_file
from gpf_desktop.domain.errors import StorageError, StorageFault
from gpf_desktop.storage import (
    counted_files,
    faults,
    neighbour_files,
    schema,
    soundness,
    stored,
    wal_marker,
)
from gpf_desktop.storage.connections import connect
from gpf_desktop.storage.faults import translated
from gpf_desktop.storage.file_locks import locked, locked_to_read
from gpf_desktop.storage.reserved_space import ReservedSpace
from gpf_desktop.storage.times import now
from gpf_desktop.storage.writer import Write, Writer

_LONGEST_READ = 60.0
"""Seconds that closing waits for reads under way."""

_FILLING_KIB = 64 * 2**10
"""Of pages held while an audit is filled: pages of indexes are changed again and again, and written when they go."""

T = TypeVar("T")
Read = Callable[[sqlite3.Connection], T]

_CHECKED_WHEN_OPENED = 256 * 2**20
"""Bytes up to which the whole file is checked before use; `quick_check` reads some 500 MB a second."""

_TURN = threading.Lock()
"""Held while an audit is looked into or opened: who looks must not have it refused to who opens it."""


class FileIsClosedError(RuntimeError):
    """The audit was closed before this was asked of it: a late read, whose result nobody waits for."""


class AuditFile:
    """An open audit. Made by `create` or `open`; `close` is safe to call twice."""

    def __init__(self, path: Path, lock: FileLock, *, read_only: bool = False) -> None:
        self.path = path
        self.read_only = read_only
        self.reserved = ReservedSpace(path)
        self.compact_when_closed = False
        """Whether the space of what was taken out of it is given back to the disk."""
        self._lock = lock
        self._readers: list[sqlite3.Connection] = []
        self._borrowed = 0
        # Guards the pool of readers, how many are lent out, and `_closed`; never held while anything reads.
        self._guard = threading.Lock()
        self._idle = threading.Condition(self._guard)
        self._closed = False
        # A reader of a file in WAL mode leaves -wal and -shm files behind; "immutable" makes it look at the one file.
        self._immutable = read_only and not path.with_name(f"{path.name}-wal").exists()
        # Nothing keeps others from writing one that could not be locked.
        self._unlocked = "" if lock.is_locked else self.as_it_lies
        # Before anything is opened: a file that is replaced in between counts as gone, not as the one that is open.
        self._opened_as = audit_marks.held(path)
        # `_for_copies` serves one copy at a time, and `close` waits for it.
        self._copying = threading.Lock()
        try:
            # Opened while the file is at its place: a copy can be made of what SQLite holds even when it is gone.
            self._for_copies = self._reader()
        except BaseException:
            audit_marks.released(self._opened_as)
            raise
        try:
            # SQLite opens the -wal file at the first read, not before: a copy of an audit that is gone needs both.
            self._for_copies.execute("SELECT count(*) FROM sqlite_schema").fetchone()
            self._writer = None if read_only else Writer(path, _writing(path), wal_marker, self._check)
        except BaseException:
            self._for_copies.close()
            audit_marks.released(self._opened_as)
            raise
        if not read_only:
            self.reserved.take()

    @classmethod
    def create(cls, path: Path, *, title: str, sample: bool = False) -> "AuditFile":
        """A new audit at *path*, which must not exist. Raises `StorageError`."""
        path = _at(path)
        lock = locked(path)
        try:
            with translated(path):
                _check_new(path)
                # Beside its place until it is whole: what a kill leaves there would be an audit to nobody.
                with whole_file(path) as part, translated(path, part=part):
                    part.touch()
                    _lay_out(part, title, sample=sample)
                try:
                    return cls(path, lock)
                except BaseException:
                    _remove(path)
                    raise
        except BaseException:
            lock.release()
            raise

    @classmethod
    def open(cls, path: Path, *, accept_incomplete: bool = False, read_only: bool = False) -> "AuditFile":
        """The audit at *path*, brought to the current schema. Raises `StorageError` and leaves the file untouched.

        A copy that was made of an open audit without its -wal file is refused (`StorageFault.INCOMPLETE`) unless
        *accept_incomplete*: it lacks what was written last. Of a *read_only* audit no byte is ever changed: `write`
        answers with an error.
        """
        with _TURN:
            return cls._open(_at(path), accept_incomplete=accept_incomplete, read_only=read_only)

    @classmethod
    def _open(cls, path: Path, *, accept_incomplete: bool, read_only: bool) -> "AuditFile":
        with translated(path):
            path.stat()
        # A pipe, too, which whoever opens it waits at.
        if not path.is_file():
            raise faults.not_an_audit(path)
        # Before the file is touched: closing it a second time would give up the locks that SQLite has on it here.
        lock = locked_to_read(path) if read_only else locked(path)
        try:
            with neighbour_files.begun_in_vain(path), translated(path):
                # For writing, though only read: SQLite would quietly open a write-protected file as far as it can.
                with path.open("rb" if read_only else "r+b") as file:
                    if file.read(15) != b"SQLite format 3":
                        raise faults.not_an_audit(path)
                neighbour_files.check_journal(path)
                version = _inspect(path, accept_incomplete=accept_incomplete, read_only=read_only)
                if read_only:
                    if version < schema.current_version():
                        raise faults.older(path, version)
                    return cls(path, lock, read_only=True)
                # Once more, before the first connection that writes back what it finds there: checking took its time.
                neighbour_files.check_journal(path, remove=True)
                _make_sure_that_nobody_writes(path)
                with closing(connect(path)) as connection:
                    if version < schema.current_version():
                        back_up(connection, _free(path.with_name(f"{path.name}.backup-format-{version}")))
                        # First: what a kill leaves in the -wal file has to say whose it is.
                        wal_marker.begin(connection)
                        wal_marker.begun(connection)
                        schema.migrate(connection, version)
                    # Before this connection closes: the last one to close removes the -wal file.
                    return cls(path, lock)
        except BaseException:
            lock.release()
            raise

    def write(self, write: Write[T]) -> "Future[T]":
        """Queue *write*; the future resolves when it is durable, or with its error."""
        if self._writer is None:
            refused: Future[T] = Future()
            refused.set_exception(faults.only_read(self.path))
            return refused
        return self._writer.submit(write)

    @property
    def gone(self) -> bool:
        """Whether the file was deleted, moved or replaced since it was opened."""
        try:
            return _identity(self.path) != self._opened_as
        except FileNotFoundError:
            return True

    @property
    def as_it_lies(self) -> str:
        """Tells the file as it lies there from every other, and from itself at another time; empty where it may change
        while it is open."""
        if not self._immutable:
            return ""
        try:
            found = self.path.stat()
        except OSError:
            return ""
        return repr((str(self.path), found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns))

    def _check(self) -> None:
        if self.gone:
            raise faults.gone(self.path)

    def read(self, read: Read[T]) -> T:
        """Run *read* on a read-only connection, now, in the calling thread. Raises `StorageError`."""
        with translated(self.path):
            connection = self._borrow()
            try:
                answer = read(connection)
                if self._unlocked and self.as_it_lies != self._unlocked:
                    raise faults.locked(self.path)
                return answer
            except stored.OF_ODD_SHAPES as error:
                # Of the file wherever it is not whole: nobody knows everything that may stand in one.
                if not isinstance(error, stored.BadRowError) and (found := soundness.problem(connection)):
                    raise faults.unsound(self.path, found) from error
                raise
            finally:
                self._give_back(connection)

    def _borrow(self) -> sqlite3.Connection:
        with self._guard:
            if self._closed:
                raise FileIsClosedError("the audit file is closed")
            # Counted before it is opened, which happens outside the guard: `close` waits for this one too.
            self._borrowed += 1
            if self._readers:
                return self._readers.pop()
        try:
            return self._reader()
        except BaseException:
            with self._guard:
                self._borrowed -= 1
                self._idle.notify_all()
            # A file that is gone is told as such, and not as one that may not be opened.
            self._check()
            raise

    def _reader(self) -> sqlite3.Connection:
        return connect(self.path, read_only=True, immutable=self._immutable)

    def _give_back(self, connection: sqlite3.Connection) -> None:
        with self._guard:
            self._borrowed -= 1
            self._readers.append(connection)
            self._idle.notify_all()

    def save_copy(self, target: Path) -> None:
        """A complete, self-contained copy at *target*, written beside it and then renamed.

        Works when the audit itself is `gone` too. Raises `StorageError`, also where *target* is an audit that is
        open, this one included. Another one there is replaced: whether it may be is asked before.
        """
        target = _at(target)
        with translated(target), self._copying, locked(target) if target.exists() else nullcontext():
            back_up(self._for_copies, target)

    def discard(self) -> None:
        """Close the audit and remove its files: what was to fill it came to nothing."""
        # Before the files are removed: Windows removes none that is open.
        self.close()
        _remove(self.path)

    def close(self) -> None:
        """Commit what is queued, wait for reads under way, close every connection, give up the lock."""
        with self._guard:
            # First: from here on nobody borrows, so the number of readers lent out can only fall.
            self._closed = True
            # What is still lent out after that stays open with its thread: the writer is closed all the same, so that
            # what is queued is committed.
            self._idle.wait_for(lambda: self._borrowed == 0, _LONGEST_READ)
            readers, self._readers = self._readers, []
        with self._copying:
            for connection in (*readers, self._for_copies):
                connection.close()
        # The writer goes last: only a writing connection folds the -wal file into the audit and removes it.
        if self._writer is not None:
            self._writer.close()
            self.reserved.release()
            if self.compact_when_closed:
                # Where the disk is full or the file was moved away, it stays as large as it was.
                with suppress(StorageError):
                    _compact(self.path)
            _count(self.path)
        audit_marks.released(self._opened_as)
        self._lock.release()


@contextmanager
def filled(path: Path, *, title: str, sample: bool = False) -> Iterator[sqlite3.Connection]:
    """The connection that fills a new audit at *path*, which must not exist: it is there when the block ends well, and
    at no other time. Raises `StorageError`.

    Nobody reads it meanwhile, so that nothing is written twice: there is no journal and one commit.
    """
    path = _at(path)
    lock = locked(path)
    try:
        with translated(path):
            _check_new(path)
            # Those of other names too, which no later import may ask for: they are hidden, and as large as an audit.
            clear_leftovers(path.parent, f"*{path.suffix}")
            with whole_file(path) as part, translated(path, part=part):
                part.touch()
                _lay_out(part, title, sample=sample)
                with closing(connect(part)) as connection:
                    # What an opened audit is switched to again. Out of WAL first: there it cannot be done without.
                    connection.execute("PRAGMA journal_mode = DELETE")
                    connection.execute("PRAGMA journal_mode = OFF")
                    connection.execute(f"PRAGMA cache_size = -{_FILLING_KIB}")
                    connection.execute("BEGIN IMMEDIATE")
                    yield connection
                    connection.execute("COMMIT")
                    _ready_to_open(connection)
    finally:
        lock.release()


def copy_beside_writer(path: Path, target: Path) -> None:
    """Copy the audit at *path*, which another program has open, to *target*, as it is at this moment.

    That program goes on meanwhile. Raises `StorageError`.
    """
    path = _at(path)
    with translated(path), closing(connect(path, read_only=True)) as connection:
        schema.check_identity(connection, path)
        back_up(connection, target)


def back_up(connection: sqlite3.Connection, target: Path) -> None:
    """Copy the database behind *connection* to *target* while others read and write it. Raises `StorageError` where
    something lies there that is no part of what the copy replaces."""
    neighbour_files.check_place(target)
    with whole_file(target, over_audits=True) as part:
        with translated(target, part=part), closing(sqlite3.connect(part, isolation_level=None)) as copy:
            # All pages in one step are one read transaction: the copy is of one moment,
            # and the writer goes on beside it.
            connection.backup(copy)
            # The copied header says WAL, in which the copy would get a -wal file of its own; and the word about the one
            # that it was made beside must go, or the copy would count as incomplete.
            copy.execute("PRAGMA journal_mode = DELETE")
            wal_marker.clear(copy)
            _ready_to_open(copy)
        for suffix in ("-wal", "-shm"):
            # Left over from an audit of this name: SQLite would play it into the copy.
            target.with_name(target.name + suffix).unlink(missing_ok=True)


def _compact(path: Path) -> None:
    """Put the file without its free pages into its place. Raises `StorageError`, and then it lies there as it was."""
    if path.with_name(f"{path.name}-wal").exists():
        return
    with whole_file(path, over_audits=True) as part, translated(path, part=part):
        with closing(connect(path, read_only=True, immutable=True)) as connection:
            connection.execute("PRAGMA query_only = OFF")
            connection.execute("VACUUM INTO ?", (str(part),))
        with closing(sqlite3.connect(part, isolation_level=None)) as copy:
            _ready_to_open(copy)
        with part.open("rb+") as file:
            os.fsync(file.fileno())


def _ready_to_open(connection: sqlite3.Connection) -> None:
    """Let a file that is whole say WAL again, as audits do: switched at its first opening, it would change there."""
    connection.execute("PRAGMA journal_mode = WAL")


def _check_new(path: Path) -> None:
    """Raises `StorageError` or `OSError` where no new audit can be made at *path*."""
    neighbour_files.check_free(path)
    if path.exists():
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(path))


def _free(path: Path) -> Path:
    """*path*, or the next name by number: an earlier backup is an audit, and stays."""
    number, free = 1, path
    while free.exists():
        number += 1
        free = path.with_name(f"{path.name}-{number}")
    return free


def _remove(path: Path) -> None:
    for suffix in ("", "-wal", "-shm", "-journal"):
        with suppress(OSError):
            path.with_name(path.name + suffix).unlink()


@contextmanager
def looking_into(path: Path) -> Iterator[sqlite3.Connection]:
    """A connection that only reads the audit at *path*, which nobody has open. Raises `StorageError`."""
    with _TURN, locked(path):
        neighbour_files.check_journal(path)
        _check_wal(path)
        with closing(connect(path, read_only=True)) as connection:
            schema.check_identity(connection, path)
            yield connection


def fault_behind(error: BaseException, path: Path) -> StorageError | None:
    """The fault of the audit at *path* that *error*, which nobody expected, came of; None: it is whole, or open."""
    if isinstance(error, stored.BadRowError):
        return faults.unsound(path, str(error))
    try:
        audit = AuditFile.open(path, read_only=True, accept_incomplete=True)
    except StorageError as fault:
        return fault if fault.fault is StorageFault.DAMAGED else None
    try:
        found = audit.read(soundness.problem)
    finally:
        audit.close()
    return faults.unsound(path, found) if found else None


def _at(path: Path) -> Path:
    """The path beside which SQLite has its files for the audit at *path*: the end of a link."""
    return path.resolve() if path.is_symlink() else path.absolute()


def _identity(path: Path) -> tuple[int, int]:
    found = path.stat()
    return found.st_dev, found.st_ino


def _make_sure_that_nobody_writes(path: Path) -> None:
    """Raises `StorageError` where another program has the audit open, even if the lock file was deleted.

    SQLite's own locks tell it: the exclusive one is refused while anybody has the file open in WAL mode.
    """
    # Not `connect`, which switches to WAL: nothing may be changed here yet. No waiting
    # either: whoever has it keeps it.
    with closing(sqlite3.connect(f"{path.as_uri()}?mode=rw", uri=True, isolation_level=None, timeout=0)) as connection:
        connection.execute("PRAGMA trusted_schema = OFF")
        connection.execute("PRAGMA locking_mode = EXCLUSIVE")
        connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()


def _lay_out(path: Path, title: str, *, sample: bool) -> None:
    with closing(connect(path)) as connection:
        connection.execute(f"PRAGMA application_id = {audit_marks.APPLICATION_ID}")
        schema.migrate(connection, 0)
        connection.execute(
            "INSERT INTO audit (id, uuid, title, created_at, sample) VALUES (1, ?, ?, ?, ?)",
            # A title may be the name of a file, which may hold bytes that are no text.
            (str(uuid.uuid4()), title.encode(errors="replace").decode(), now(), sample),
        )


def _inspect(path: Path, *, accept_incomplete: bool, read_only: bool) -> int:
    """The schema version of the file at *path*, checked without writing to it.

    One whose counts are wrong may still be read: `doctor` tells all that is wrong with it.
    """
    _check_wal(path, cut_short=accept_incomplete)
    alone = not path.with_name(f"{path.name}-wal").exists()
    # A reader of a file in WAL mode leaves -wal and -shm files behind; "immutable" makes it look at the one file.
    with closing(connect(path, read_only=True, immutable=alone)) as connection:
        version = schema.check_identity(connection, path)
        if path.stat().st_size <= _CHECKED_WHEN_OPENED:
            problem = connection.execute("PRAGMA quick_check(1)").fetchone()[0]
            if problem != "ok":
                raise faults.damaged(path, problem)
            counted = read_only or counted_files.are_right(path)
            if not counted and (found := soundness.miscounted(connection)):
                raise faults.unsound(path, found)
        if alone and not accept_incomplete and wal_marker.lacks_newest(connection):
            raise faults.incomplete(path)
    return version


def _count(path: Path) -> None:
    """Check the counts of an audit that was just closed, for its next opening."""
    with suppress(sqlite3.Error, OSError):
        if path.with_name(f"{path.name}-wal").exists() or path.stat().st_size > _CHECKED_WHEN_OPENED:
            return
        lay = counted_files.at_rest(path)
        with closing(connect(path, read_only=True, immutable=True)) as connection:
            found = soundness.miscounted(connection)
        if not found:
            counted_files.keep(path, lay)


def _check_wal(path: Path, *, cut_short: bool = False) -> None:
    @contextmanager
    def reading(*, immutable: bool) -> Iterator[sqlite3.Connection]:
        with closing(connect(path, read_only=True, immutable=immutable)) as connection:
            schema.check_identity(connection, path)
            yield connection

    neighbour_files.check_wal(
        path, partial(reading, immutable=True), partial(reading, immutable=False), cut_short=cut_short
    )


def _writing(path: Path) -> sqlite3.Connection:
    connection = connect(path)
    # What undoes a half-made write is some pages: in a file elsewhere, a full disk there would lose answers.
    connection.execute("PRAGMA temp_store = MEMORY")
    return connection

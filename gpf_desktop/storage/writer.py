"""The one thread that writes an audit file.

Writes are functions of a connection. They queue up, run in order inside one transaction per group, and their futures
resolve after the commit: awaiting a write means that it is durable. A write that raises is rolled back alone.
"""

import atexit
import queue
import sqlite3
import threading
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from pathlib import Path
from time import monotonic
from typing import Any, Protocol, TypeVar

from gpf_desktop.storage.faults import translated

T = TypeVar("T")
Connection = sqlite3.Connection
Write = Callable[[Connection], T]

# A commit waits for the disk (`synchronous = FULL`) whatever is in it: writes that wait together share one.
GROUP_SECONDS = 0.25
"""A group is committed after this long at the latest, however many writes are waiting."""


class Journal(Protocol):
    """The care of the -wal file."""

    def begin(self, connection: Connection) -> None: ...

    def begun(self, connection: Connection) -> None: ...

    def keep_short(self, connection: Connection, path: Path) -> None: ...

    def end(self, connection: Connection) -> None: ...


class Writer:
    """Owns *connection* from now on and keeps its *journal*; *check* raises `StorageError`, after each group, where the
    file is not at its place any more.
    """

    def __init__(
        self,
        path: Path,
        connection: Connection,
        journal: Journal,
        check: Callable[[], object],
    ) -> None:
        self._path = path
        self._connection = connection
        self._journal = journal
        self._check = check
        self._jobs: queue.SimpleQueue[tuple[Write[Any], Future[Any]] | None] = queue.SimpleQueue()
        self._closed = False
        self._begun = False
        # Guards `_closed` together with the place in the queue: no write may stand behind the None that ends the
        # thread, where nobody would ever answer it.
        self._lock = threading.Lock()
        # A thread that Python waits for at its end would keep a program that failed without closing alive for ever.
        self._thread = threading.Thread(target=self._work, name="gpf-writer", daemon=True)
        self._thread.start()
        # Python ends a daemon thread wherever it stands: a program that goes without
        # closing still commits what is queued.
        atexit.register(self.close)

    def submit(self, write: Write[T]) -> "Future[T]":
        """Queue *write*; its future holds its result once the commit is on the disk."""
        future: Future[T] = Future()
        with self._lock:
            if self._closed:
                raise RuntimeError("the audit file is closed")
            self._jobs.put((write, future))
        return future

    def close(self) -> None:
        """Commit what is queued, then end the thread."""
        with self._lock:
            if not self._closed:
                self._closed = True
                self._jobs.put(None)
        self._thread.join()
        atexit.unregister(self.close)

    def _work(self) -> None:
        try:
            while (job := self._jobs.get()) is not None:
                if not self._group(self._connection, job):
                    break
            self._journal.end(self._connection)
        finally:
            self._connection.close()

    def _group(self, connection: sqlite3.Connection, job: tuple[Write[Any], Future[Any]] | None) -> bool:
        """Run *job* and those waiting behind it in one transaction; False once the writer was closed."""
        results: list[tuple[Future[Any], Any]] = []
        futures: list[Future[Any]] = []
        until = monotonic() + GROUP_SECONDS
        goes_on = True
        try:
            with translated(self._path):
                # Takes the write lock at once: a transaction that begins as a reader can be refused at its first write
                # without any waiting, whatever the busy timeout.
                connection.execute("BEGIN IMMEDIATE")
                if not self._begun:
                    self._journal.begin(connection)
                changed = False
                while job is not None:
                    write, future = job
                    # From here on nobody can cancel it: what is written is never announced as cancelled.
                    if future.set_running_or_notify_cancel():
                        futures.append(future)
                        changed |= self._run(connection, write, future, results)
                    if monotonic() > until:
                        break
                    try:
                        job = self._jobs.get_nowait()
                        goes_on = job is not None
                    except queue.Empty:
                        break
                self._commit(connection, changed=changed)
            # After the commit: SQLite still holds the file, so a copy of it holds this group as well.
            self._check()
        except Exception as error:
            # Also what is no `StorageError`: a thread that died of one write would leave all later ones unanswered.
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            for future in futures:
                if not future.done():
                    future.set_exception(error)
            # BEGIN itself failed: this job was taken off the queue and has not begun, so
            # nobody else would answer its future.
            if job is not None and not job[1].done() and job[1] not in futures:
                job[1].set_exception(error)
            return goes_on
        # Only behind the COMMIT: a future that is resolved is a promise that its write survives a kill.
        for future, result in results:
            future.set_result(result)
        with suppress(sqlite3.Error):
            # What keeps it from its work (a full disk) is told by the next write.
            self._journal.keep_short(connection, self._path)
        return goes_on

    def _commit(self, connection: sqlite3.Connection, *, changed: bool) -> None:
        # Of an audit whose every write was refused, or changed nothing, no byte changes.
        if not (self._begun or changed):
            connection.execute("ROLLBACK")
            return
        connection.execute("COMMIT")
        if not self._begun:
            self._begun = True
            self._journal.begun(connection)

    def _run(
        self,
        connection: sqlite3.Connection,
        write: Write[Any],
        future: "Future[Any]",
        results: list[tuple["Future[Any]", Any]],
    ) -> bool:
        """Whether it changed a row, and that stands."""
        connection.execute("SAVEPOINT job")
        before = connection.total_changes
        try:
            with translated(self._path):
                result = write(connection)
        # Whatever a write raises belongs to who waits for it; on this thread it would end all later writes.
        except BaseException as error:
            # SQLite ended the whole transaction (a full disk does so), and the group's earlier writes with it: `_group`
            # answers all of them, none has had its result yet.
            if not connection.in_transaction:
                raise
            connection.execute("ROLLBACK TO job")
            connection.execute("RELEASE job")
            future.set_exception(error)
            return False
        else:
            connection.execute("RELEASE job")
            results.append((future, result))
            return connection.total_changes > before

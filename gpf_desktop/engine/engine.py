"""The engine as a whole: opens and closes audits and owns the threads and worker processes behind them.

What an open audit is made of is imported when the first one is opened: half of what a start would read.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Any, TypeVar

from gpf_desktop.domain.errors import NoAuditError, UserError
from gpf_desktop.domain.events import AuditClosed, AuditOpened, Event, KeyStoreChanged
from gpf_desktop.domain.text import shortened, tr
from gpf_desktop.engine.core.chosen_pool import chosen_pool
from gpf_desktop.engine.core.context import Emit, EngineContext, Rest, sleep
from gpf_desktop.engine.core.loop_thread import LoopThread
from gpf_desktop.engine.reporting.report_words import origin
from gpf_desktop.engine.rounds.preparing import mark_interrupted
from gpf_desktop.settings.keys import KeyRing
from gpf_desktop.storage import audits
from gpf_desktop.storage.audit_file import AuditFile

if TYPE_CHECKING:
    from gpf_desktop.engine.open_audit import OpenAudit
    from gpf_desktop.engine.schedules.repeating import Repeater

T = TypeVar("T")

_log = logging.getLogger(__name__)


class Engine:
    """Drivable without Qt: events go to *emit*, from whatever thread they happen in.

    Opening and closing block for as long as a migration or the last commit takes; a window calls them from a
    worker thread.
    """

    def __init__(
        self, emit: Emit, *, keys: KeyRing | None = None, rest: Rest = sleep, beside_window: bool = False
    ) -> None:
        """*beside_window*: some cores are left to it."""
        self._emit = emit = _logging(emit)
        self._keys = keys or KeyRing()
        self._keys.on_change = lambda: emit(KeyStoreChanged())
        self._rest = rest
        self._loop = LoopThread()
        self._threads = ThreadPoolExecutor(max_workers=6, thread_name_prefix="gpf-worker")
        self._scoring = chosen_pool(beside_window=beside_window)
        self._open_audit: OpenAudit | None = None
        self._repeater: Repeater | None = None
        self._repeating = Lock()
        # Held while an audit is entered: one that comes in as the program ends would be left open behind it.
        self._entering = Lock()
        self._closed = False
        self._beside: dict[Future[Any], Callable[[], object]] = {}
        """What runs beside audits, the latest last, each with what ends it early."""

    @property
    def open_audit(self) -> OpenAudit:
        """The open audit. Raises `NoAuditError` where none is open."""
        # Read once: another thread may close it in between.
        open_audit = self._open_audit
        if open_audit is None:
            raise NoAuditError(tr("No audit is open."), tr("Make one with File › New, or open one with File › Open."))
        return open_audit

    @property
    def current(self) -> OpenAudit | None:
        """The open audit; None where none is. Asked once, it holds where another thread closes the audit meanwhile."""
        return self._open_audit

    @property
    def has_open_audit(self) -> bool:
        return self._open_audit is not None

    @property
    def keys(self) -> KeyRing:
        return self._keys

    @property
    def loop(self) -> LoopThread:
        return self._loop

    def create(self, path: Path, *, title: str, sample: bool = False, method: str = "") -> OpenAudit:
        """Close what is open and start a new audit at *path*, made for *method*. Raises `StorageError`."""
        audit = AuditFile.create(path, title=title, sample=sample)
        if method:
            audit.write(partial(audits.set_method, method=method)).result()
        return self._enter(audit)

    def open(self, path: Path, *, read_only: bool = False) -> OpenAudit:
        """Close what is open and open the audit at *path*, *read_only* so that it stays as it is, byte for byte.

        Raises `StorageError`.
        """
        return self._enter(AuditFile.open(path, read_only=read_only))

    def run_beside(self, work: Callable[[], T], cancel: Callable[[], object]) -> Future[T]:
        """Run *work*, which needs no audit, on a worker thread; *cancel* makes it end early.

        Raises `UserError` while the program is being closed, which waits for all that has begun.
        """
        with self._entering:
            if self._closed:
                raise UserError(tr("The program is being closed."))
            future = self._threads.submit(work)
            self._beside[future] = cancel
        future.add_done_callback(lambda done: self._beside.pop(done, None))
        return future

    def cancel_beside(self) -> None:
        """End what began last beside audits, if it has not ended."""
        for cancel in list(self._beside.values())[-1:]:
            cancel()

    def announce(self, event: Event) -> None:
        """Tell *event* as one of this engine's own; from any thread."""
        self._emit(event)

    def repeater(self, of: OpenAudit | None = None) -> Repeater:
        """The repeater of the open audit's rounds; from the first call on it follows the audit's schedule. Reads the
        store.

        Raises `UserError` if no audit is open, or another one than *of*.
        """
        with self._repeating:
            open_audit = self.open_audit
            if of is not None and of is not open_audit:
                raise NoAuditError(tr("{name} is not open any more.", name=of.path.name))
            if self._repeater is None:
                from gpf_desktop.engine.schedules.repeating import Repeater

                self._repeater = Repeater(open_audit)
            return self._repeater

    def close_audit(self) -> None:
        with self._repeating:
            open_audit, self._open_audit = self._open_audit, None
            if self._repeater is not None:
                self._repeater.close()
                self._repeater = None
        if open_audit is None:
            return
        open_audit.close()
        self._emit(AuditClosed(path=open_audit.path))

    def close(self) -> None:
        """Close the audit, after one that is being opened, and end every thread and process. Safe to call twice."""
        with self._entering:
            self._closed = True
        for cancel in list(self._beside.values()):
            cancel()
        self.close_audit()
        self._loop.close()
        self._threads.shutdown(cancel_futures=True)
        self._scoring.close()

    def _enter(self, audit: AuditFile) -> OpenAudit:
        with self._entering:
            if not self._closed:
                return self._entered(audit)
        audit.close()
        raise UserError(tr("{name} is not opened: the program is being closed.", name=audit.path.name))

    def _entered(self, audit: AuditFile) -> OpenAudit:
        from gpf_desktop.engine.open_audit import OpenAudit

        self.close_audit()
        open_audit = OpenAudit(
            EngineContext(
                audit=audit,
                emit=self._emit,
                loop=self._loop,
                threads=self._threads,
                scoring=self._scoring,
                keys=self._keys,
                rest=self._rest,
            )
        )
        self._open_audit = open_audit
        facts = open_audit.facts()
        # So that nobody need ask the file whether names may be told.
        open_audit.reviews.preferences()
        if not audit.read_only:
            mark_interrupted(open_audit.context)
        self._emit(
            AuditOpened(
                path=open_audit.path,
                title=facts.title,
                synthetic=facts.sample,
                origin=audit.read(origin),
                methods=facts.methods,
            )
        )
        if not audit.read_only:
            open_audit.auto_rescoring.look()
        return open_audit


def _logging(emit: Emit) -> Emit:
    """*emit*, with each event in the log before it is told."""

    def tell(event: Event) -> None:
        if _log.isEnabledFor(logging.DEBUG):
            _log.debug("%s", shortened(repr(event), 400))
        emit(event)

    return tell

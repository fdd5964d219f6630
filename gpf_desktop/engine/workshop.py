"""The engine as a whole: opens and closes audits and owns the threads and worker processes behind them."""

from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.events import AuditClosed, AuditOpened, TaskProgressed
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.bench import Bench, Emit, Rest, sleep
from gpf_desktop.engine.loop_thread import LoopThread
from gpf_desktop.engine.rounds.repeating import Repeater
from gpf_desktop.engine.scoring.scoring_pool import ScoringPool
from gpf_desktop.engine.session import Session
from gpf_desktop.settings.keys import KeyRing
from gpf_desktop.storage.audit_file import AuditFile

if TYPE_CHECKING:
    from gpf_desktop.engine.scoring.instrument import Extent, InstrumentCheck, InstrumentReport


class Workshop:
    """Drivable without Qt: events go to *emit*, from whatever thread they happen in.

    Opening and closing block for as long as a migration or the last commit takes; a window calls them from a
    worker thread.
    """

    def __init__(self, emit: Emit, *, keys: KeyRing | None = None, rest: Rest = sleep) -> None:
        self._emit = emit
        self._keys = keys or KeyRing()
        self._rest = rest
        self._loop = LoopThread()
        self._threads = ThreadPoolExecutor(max_workers=6, thread_name_prefix="gpf-worker")
        self._scoring = ScoringPool()
        self._session: Session | None = None
        self._repeater: Repeater | None = None
        self._repeating = Lock()
        self._check: InstrumentCheck | None = None

    @property
    def session(self) -> Session:
        """The open audit. Raises `UserError` where none is open."""
        if self._session is None:
            raise UserError(tr("No audit is open."), tr("Make one with File › New, or open one with File › Open."))
        return self._session

    @property
    def has_session(self) -> bool:
        return self._session is not None

    @property
    def keys(self) -> KeyRing:
        return self._keys

    @property
    def loop(self) -> LoopThread:
        return self._loop

    def create(self, path: Path, *, title: str, sample: bool = False) -> Session:
        """Close what is open and start a new audit at *path*. Raises `StorageError`."""
        return self._enter(AuditFile.create(path, title=title, sample=sample))

    def open(self, path: Path, *, read_only: bool = False) -> Session:
        """Close what is open and open the audit at *path*, *read_only* so that it stays as it is, byte for byte.

        Raises `StorageError`.
        """
        return self._enter(AuditFile.open(path, read_only=read_only))

    def check_instrument(self, extent: "Extent") -> "Future[InstrumentReport]":
        """Run the calibration models through a pipeline of their own; told as the task `instrument.CHECK_TASK`."""
        from gpf_desktop.engine.scoring import instrument

        def tell(done: int, of: int) -> None:
            self._emit(TaskProgressed(task=instrument.CHECK_TASK, done=done, of=of))

        self._check = instrument.InstrumentCheck(extent, tell)
        return self._threads.submit(self._check.run)

    def cancel_check(self) -> None:
        if self._check is not None:
            self._check.cancel()

    def repeater(self) -> Repeater:
        """What repeats rounds of the open audit; from the first call on, as the audit's schedule says. Reads the store.

        Raises `UserError` where no audit is open.
        """
        session = self.session
        with self._repeating:
            if self._repeater is None:
                self._repeater = Repeater(session)
            return self._repeater

    def close_audit(self) -> None:
        with self._repeating:
            if self._repeater is not None:
                self._repeater.close()
                self._repeater = None
        if self._session is None:
            return
        session, self._session = self._session, None
        session.close()
        self._emit(AuditClosed(path=session.path))

    def close(self) -> None:
        """Close the audit and end every thread and process. Safe to call twice."""
        self.cancel_check()
        self.close_audit()
        self._loop.close()
        self._threads.shutdown(cancel_futures=True)
        self._scoring.close()

    def _enter(self, audit: AuditFile) -> Session:
        self.close_audit()
        session = Session(
            Bench(
                audit=audit,
                emit=self._emit,
                loop=self._loop,
                threads=self._threads,
                scoring=self._scoring,
                keys=self._keys,
                rest=self._rest,
            )
        )
        self._session = session
        facts = session.facts()
        if not audit.read_only:
            session.rounds.mark_interrupted()
        self._emit(AuditOpened(path=session.path, title=facts.title, synthetic=facts.sample))
        if not audit.read_only:
            session.upkeep.look()
        return session

"""The one way between the window and the engine's threads.

    engine thread ── announce(event) ──▶ queue ──▶ GUI thread: subscribers, `announced`
    GUI thread ──── run(read, ...) ──▶ small pool ──▶ GUI thread: then(result) or failed(error)
    GUI thread ──── follow(future, ...) ────────────▶ GUI thread: then(result) or failed(error)
    GUI thread ──── command(give, ...) ─────────────▶ the same for the future that *give* returns

Made on the GUI thread, before the engine. Nothing is called on any other thread, and nothing is called for an
owner that is gone, nor for an audit that is gone: what was asked of one says nothing about the next. From `leave`
until that audit is told to be closed, or `stay`, what belongs to it waits: another thread may have closed it already.
"""

from collections import deque
from collections.abc import Callable
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from threading import Lock
from time import perf_counter
from typing import Any, TypeVar

import shiboken6
from PySide6.QtCore import QObject, Qt, Signal, Slot

from gpf_desktop.domain.errors import GpfError
from gpf_desktop.domain.events import (
    AuditClosed,
    AuditOpened,
    KeyStoreChanged,
    TaskCancelled,
    TaskFailed,
    TaskProgressed,
    TaskSucceeded,
)

T = TypeVar("T")

_FRAME = 0.008
"""Seconds of deliveries before the window may paint again: half a frame at 60 Hz."""
_READERS = 2
_OF_NO_AUDIT = (KeyStoreChanged, TaskProgressed, TaskSucceeded, TaskFailed, TaskCancelled)
"""Told while an audit is left, too: work may go on beside audits, and how it ended is told in any case."""


class Pending:
    """A result on its way; after `cancel` nothing is delivered any more."""

    __slots__ = ("_done", "read")

    def __init__(self) -> None:
        self._done = False
        self.read: Future[Any] | None = None
        """What may be left undone once its result is not wanted any more; never a command of the engine."""

    def cancel(self) -> None:
        self._done = True
        if self.read is not None:
            self.read.cancel()
            # Whoever keeps this is not to keep what was read.
            self.read = None

    @property
    def over(self) -> bool:
        """Delivered, failed or cancelled."""
        return self._done


class Bridge(QObject):
    """Brings the engine's facts and results to the GUI thread, in order, without ever holding up a frame."""

    announced = Signal(object)
    """Every `domain.events.Event`, on the GUI thread."""
    trouble = Signal(object)
    """An exception that nobody's *failed* took; the message bar shows it."""
    _wake = Signal()

    def __init__(self) -> None:
        super().__init__()
        self._left = 0
        """How many audits were closed: what began before the last of them is nobody's any more."""
        self._leaving = False
        self._waiting: list[Callable[[], None]] = []
        """What of the audit that is being left came meanwhile."""
        self._queue: deque[Callable[[], None]] = deque()
        # Guards the queue together with `_awake`: while something waits, just one wake-up is on its way.
        self._lock = Lock()
        self._awake = False
        self._closed = False
        self._subscribers: dict[type, list[tuple[QObject, Callable[[Any], object]]]] = {}
        self._latest: dict[tuple[int, str], Pending] = {}
        self._under_way = 0
        self._readers = ThreadPoolExecutor(_READERS, thread_name_prefix="gpf-window-read")
        # Queued for the GUI thread's own posts too: nothing is delivered inside the call that caused it.
        self._wake.connect(self._drain, Qt.ConnectionType.QueuedConnection)

    def announce(self, event: object) -> None:
        """Announce *event*; from any thread. The engine is given this as its *emit*."""
        self._post(lambda: self._tell(event))

    def report(self, error: BaseException) -> None:
        """Announce an exception that nobody expected; from any thread."""
        self._post(lambda: self.trouble.emit(error))

    def leave(self) -> None:
        """The open audit is about to be closed, on another thread: what belongs to it waits from now on."""
        self._leaving = True

    def stay(self) -> None:
        """It was not closed after all: what waited is delivered."""
        self._leaving = False
        self._let_go()

    def bind(self, do: Callable[..., object], dropped: Callable[[], object] = lambda: None) -> Callable[..., None]:
        """*do* for as long as the audit that is open now is not closed; *dropped* in its place from then on."""
        left = self._left

        def bound(*given: Any) -> None:
            if left != self._left:
                dropped()
            elif self._leaving:
                self._waiting.append(lambda: bound(*given))
            else:
                do(*given)

        return bound

    def subscribe(self, owner: QObject, handler: Callable[[Any], object], *types: type) -> None:
        """Call *handler* with each event of *types* for as long as *owner* lives."""
        for kind in types:
            self._subscribers.setdefault(kind, []).append((owner, handler))
        owner.destroyed.connect(self._prune)

    def run(
        self,
        read: Callable[..., T],
        *arguments: Any,
        then: Callable[[T], object] | None = None,
        failed: Callable[[BaseException], object] | None = None,
        owner: QObject | None = None,
        latest: str = "",
        anywhere: bool = False,
    ) -> Pending:
        """Do a blocking *read* off the GUI thread and hand its result to *then* on it.

        *owner* (taken from *then* when that is a method of a QObject) is who must still live at delivery. With
        *latest*, an older read of the same owner under the same name is dropped: the last filter typed wins. What was
        asked before an audit was closed is not delivered after that, unless it counts *anywhere*.
        """
        future = self._readers.submit(read, *arguments)
        pending = self.follow(future, then=then, failed=failed, owner=owner, latest=latest, anywhere=anywhere)
        pending.read = future
        return pending

    def follow(
        self,
        future: "Future[T]",
        *,
        then: Callable[[T], object] | None = None,
        failed: Callable[[BaseException], object] | None = None,
        owner: QObject | None = None,
        latest: str = "",
        anywhere: bool = False,
    ) -> Pending:
        """Hand the result of *future*, which a command of the engine returned, to *then* on the GUI thread."""
        owner = owner or _owner(then) or _owner(failed)
        pending = Pending()
        self._under_way += 1
        key = (id(owner), latest) if latest and owner is not None else None
        if key is not None:
            older = self._latest.get(key)
            if older is not None:
                older.cancel()
            # An owner that is gone may leave its id to another. What that cancels would not have been delivered.
            self._latest[key] = pending

        def deliver(done: "Future[T]") -> None:
            self._deliver(done, then, failed, owner, pending)

        bound = deliver if anywhere else self.bind(deliver, pending.cancel)

        def arrive(done: "Future[T]") -> None:
            # Before anything is dropped: what nobody wants any more has come in as well, and `idle` counts it.
            self._under_way -= 1
            bound(done)
            if key is not None and pending.over and self._latest.get(key) is pending:
                del self._latest[key]

        # Called on the thread that ends the future, or here where it has ended: either way it only joins the queue.
        future.add_done_callback(lambda done: self._post(lambda: arrive(done)))
        return pending

    def command(
        self,
        give: "Callable[[], Future[T]]",
        *,
        then: Callable[[T], object] | None = None,
        failed: Callable[[BaseException], object],
        owner: QObject | None = None,
    ) -> None:
        """Follow what *give*, a command of the engine, returns; what is refused at once goes to *failed* as well."""
        try:
            future = give()
        except GpfError as error:
            failed(error)
        else:
            self.follow(future, then=then, failed=failed, owner=owner)

    @property
    def idle(self) -> bool:
        """Nothing was asked for that has not been delivered, and no event waits."""
        return self._under_way == 0 and not self._queue and not self._waiting

    def close(self) -> None:
        """Deliver nothing more and let the readers end; waits for reads that are under way."""
        self._closed = True
        self._readers.shutdown(wait=True, cancel_futures=True)
        self._queue.clear()

    def _post(self, delivery: Callable[[], None]) -> None:
        with self._lock:
            if self._closed:
                return
            self._queue.append(delivery)
            if self._awake:
                return
            self._awake = True
        # An engine thread may still post when Qt has deleted this object already.
        if shiboken6.isValid(self):
            self._wake.emit()

    @Slot()
    def _drain(self) -> None:
        until = perf_counter() + _FRAME
        try:
            while perf_counter() < until:
                try:
                    # Without the lock: a deque's own `append` and `popleft` are safe beside each other, and only this
                    # thread takes anything out.
                    delivery = self._queue.popleft()
                except IndexError:
                    break
                delivery()
        # Also where a subscriber raised: what waits behind it is still delivered, in the next turn of the event loop.
        finally:
            with self._lock:
                self._awake = bool(self._queue) and not self._closed
                more = self._awake
            if more:
                self._wake.emit()

    def _let_go(self) -> None:
        """Deliver what waited, to whom it still concerns."""
        waiting, self._waiting = self._waiting, []
        for each in waiting:
            self._post(each)

    def _tell(self, event: object) -> None:
        if isinstance(event, AuditClosed | AuditOpened):
            self._left += isinstance(event, AuditClosed)
            self._leaving = False
            self._let_go()
        elif self._leaving and not isinstance(event, _OF_NO_AUDIT):
            self._waiting.append(self.bind(lambda: self._tell(event)))
            return
        self.announced.emit(event)
        # A copy, and each owner asked anew: a handler may add subscribers, and may end the owners of those after it.
        for owner, handler in tuple(self._subscribers.get(type(event), ())):
            if shiboken6.isValid(owner):
                handler(event)

    def _deliver(
        self,
        done: "Future[T]",
        then: Callable[[T], object] | None,
        failed: Callable[[BaseException], object] | None,
        owner: QObject | None,
        pending: Pending,
    ) -> None:
        wanted = not pending.over and (owner is None or shiboken6.isValid(owner))
        # Its future has ended, so this cancels no read: it marks the result as delivered, before a handler can look.
        pending.cancel()
        if not wanted:
            return
        try:
            error = done.exception()
        # `exception` raises it for a cancelled future. Who cancelled knows, and tasks announce a `TaskCancelled`.
        except CancelledError:
            return
        if error is None:
            if then is not None:
                then(done.result())
        elif failed is not None:
            failed(error)
        else:
            self.trouble.emit(error)

    def _prune(self) -> None:
        for kind, entries in self._subscribers.items():
            self._subscribers[kind] = [entry for entry in entries if shiboken6.isValid(entry[0])]


def _owner(callback: Callable[..., object] | None) -> QObject | None:
    owner = getattr(callback, "__self__", None)
    return owner if isinstance(owner, QObject) else None

"""Workers of a Dask cluster, on other machines or this one: Dask queues, ships, retries and encrypts.

What is sent are a module-level function and its arguments, pickled as for a process of our own: answers, options,
never a key (`settings.keys.KeyRing` cannot be pickled).
"""

import logging
import pickle
import threading
import time
import warnings
from collections.abc import Callable, Mapping
from concurrent.futures import CancelledError, Future, ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from typing import Any, Final, TypeVar
from uuid import uuid4

from gpf_desktop.domain.errors import GpfError, UserError
from gpf_desktop.domain.extras import CLUSTER, extras
from gpf_desktop.domain.ports.scorer import HowFar
from gpf_desktop.domain.redaction import details_of
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.core import _cluster_worker as there
from gpf_desktop.engine.core.worker_pool import WorkerPool, cancelled

T = TypeVar("T")

_log = logging.getLogger(__name__)

_CONNECTING: Final = 30.0
"""Seconds for the scheduler to answer, once more after it went, and for the first worker to be there."""
_WITHOUT_WORKERS: Final = 300.0
"""Seconds that what was sent waits while there is no worker at all."""
_LOOK: Final = 0.5
"""Seconds between two looks at whether there are workers, and whether anybody wants to know."""
_MOST: Final = 256
"""Calls on their way at most, a thread each."""


class ClusterPool(WorkerPool):
    """The workers of the cluster at *address*: a scheduler's (`tcp://host:8786`, `tls://…`) or its file.

    Connected by the first call. For each worker two calls are on their way, so that the next is there when one is done.
    TLS is as Dask's own settings say.
    """

    def __init__(self, address: str) -> None:
        self._address = address
        self._threads = ThreadPoolExecutor(_MOST, "cluster")
        self._lock = threading.Lock()
        self._client: Any = None
        self._seen, self._seen_at = 1, 0.0
        """Workers, and when they were counted."""
        self._closed = False

    @property
    def workers(self) -> int:
        # As seen last: whoever asks may be the engine's loop, which waits for no scheduler.
        return min(max(2 * self._seen, 2), _MOST)

    def warm(self) -> list[Future[int]]:
        # Starting workers is the cluster's; the connection can be there before it is needed.
        if not self._closed:
            self._threads.submit(self._connected)
        return []

    def call(self, function: Callable[..., T], *args: Any, told: HowFar | None = None, **kwargs: Any) -> Future[T]:
        try:
            return self._threads.submit(self._run, pickle.dumps((function, args, kwargs)), told)
        except RuntimeError:
            if not self._closed:
                raise
        return cancelled()

    def reach(self) -> int:
        """The number of workers of the cluster, each with the same program. Raises `GpfError` if one has another
        program, or if the cluster cannot be reached."""
        client = self._connected()
        try:
            found: Mapping[str, Mapping[str, str]] = client.run(there.program)
        except Exception as error:
            raise self._cannot_load(error) from error
        for theirs in found.values():
            if theirs != there.program():
                raise _differs(self._address, theirs)
        return len(found)

    def close(self) -> None:
        self._closed = True
        self._threads.shutdown(wait=False, cancel_futures=True)
        with self._lock:
            client, self._client = self._client, None
        if client is not None:
            # What waits for it ends with `CancelledError`.
            client.close()
        self._threads.shutdown()

    def _connected(self) -> Any:
        with self._lock:
            if self._closed:
                raise CancelledError
            if self._client is None or self._client.status == "closed":
                self._client = _connection(self._address)
                self._seen = len(_workers(self._client))
            return self._client

    def _any_worker(self, client: Any) -> bool:
        """Whether there is one; counted anew by one of the threads that wait, now and then."""
        now = time.monotonic()
        with self._lock:
            due = now - self._seen_at >= _LOOK
            if due:
                self._seen_at = now
        if due:
            # A scheduler that went meanwhile is met by what waits for it.
            with suppress(Exception):
                self._seen = len(_workers(client))
        return self._seen > 0

    def _run(self, packed: bytes, told: HowFar | None) -> Any:
        try:
            returned, outcome = self._try(packed, told)
        except _SchedulerLostError:
            # It may be up again: Dask's client has knocked for half a minute, and a new one does once more.
            try:
                returned, outcome = self._try(packed, told)
            except _SchedulerLostError as again:
                raise GpfError(
                    tr("The scheduler of the cluster at {address} ended twice in mid-work.", address=self._address),
                    tr("See its log, start it again, then repeat the command: what was stored is kept."),
                ) from again
        if returned is None:
            raise _differs(self._address, outcome)
        if not returned:
            raise outcome
        return outcome

    def _try(self, packed: bytes, told: HowFar | None) -> tuple[bool | None, Any]:
        from distributed.scheduler import KilledWorker

        client, key = self._connected(), f"gpf-{uuid4().hex}"
        heard = _Heard(told)
        if told is not None:
            client.subscribe_topic(key, heard.event)
        # Not pure: Dask would take two calls with the same bytes for one, and cancel both as one.
        future = client.submit(there.run, packed, key if told else "", there.program(), key=key, pure=False)
        try:
            answer: tuple[bool | None, Any] = pickle.loads(self._answer(client, future, heard, key))  # noqa: S301
            return answer
        except CancelledError as error:
            if self._closed or heard.trouble is not None:
                raise
            raise _SchedulerLostError from error
        except KilledWorker as error:
            raise GpfError(
                tr("Several workers of the cluster ended over the same answers."),
                tr("Give workers more memory, then compute the scores again."),
                details=str(error),
            ) from error
        except (GpfError, _SchedulerLostError):
            raise
        except Exception as error:
            if heard.trouble is error:
                raise
            # `there.run` raises nothing: it could not be loaded.
            raise self._cannot_load(error) from error
        finally:
            if told is not None:
                with suppress(Exception):  # the connection may be gone
                    client.unsubscribe_topic(key)

    def _answer(self, client: Any, future: Any, heard: "_Heard", key: str) -> bytes:
        """The bytes that *future* holds once it is done. Raises the trouble of *heard*, after telling the function to
        end."""
        from distributed import Event

        without_since: float | None = None
        while heard.trouble is None:
            try:
                packed: bytes = future.result(timeout=_LOOK)
                return packed
            except TimeoutError:
                pass
            if client.status == "closed":
                raise _SchedulerLostError
            if client.status != "running" or self._any_worker(client):
                without_since = None
                continue
            without_since = without_since or time.monotonic()
            if time.monotonic() - without_since > _WITHOUT_WORKERS:
                future.cancel()
                raise _no_workers(self._address)
        with suppress(Exception):  # the connection may be gone
            Event(key, client=client).set()
            future.cancel()
        raise heard.trouble

    def _cannot_load(self, error: Exception) -> GpfError:
        return GpfError(
            tr(
                "The cluster at {address} cannot load GPF Desktop ({kind}).",
                address=self._address,
                kind=type(error).__name__,
            ),
            tr("Install this version of the program on its scheduler and workers too (docs/cluster.md)."),
            details=details_of(error),
        )


class _SchedulerLostError(Exception):
    """The scheduler is gone, and forgot what was sent to it."""


class _Heard:
    """Listener that passes a function's progress on to *told*, until *told* raises; that error is kept as `trouble`."""

    def __init__(self, told: HowFar | None) -> None:
        self._told = told
        self.trouble: BaseException | None = None

    def event(self, event: tuple[float, tuple[int, int]]) -> None:
        """Pass on the progress in *event*; on the thread of Dask's client."""
        if self._told is None or self.trouble is not None:
            return
        try:
            self._told(*event[1])
        except BaseException as error:  # raised again on the thread that waits
            self.trouble = error


def _differs(address: str, theirs: Mapping[str, str]) -> UserError:
    ours = there.program()
    differences = ", ".join(
        tr("{name} {theirs} there, {ours} here", name=name, theirs=theirs.get(name, "?"), ours=ours[name])
        for name in ours
        if theirs.get(name) != ours[name]
    )
    return UserError(
        tr("A worker of the cluster at {address} is another version: {said}.", address=address, said=differences),
        tr("Install the same there as here: results must be the same to the last bit."),
    )


def _workers(client: Any) -> Mapping[str, Any]:
    # All of them: of some versions the default is five.
    found: Mapping[str, Any] = client.scheduler_info(n_workers=-1)["workers"]
    return found


def _no_workers(address: str) -> GpfError:
    return GpfError(
        tr("The cluster at {address} has no workers.", address=address),
        tr("Start some with: dask worker {address} --nthreads 1", address=address),
    )


def _connection(address: str) -> Any:
    """A client of Dask's. Raises `UserError` without the library, `GpfError` where nobody answers or works."""
    try:
        import distributed
    except ImportError as error:
        raise extras()[CLUSTER].lacking() from error
    if not _log.isEnabledFor(logging.DEBUG):
        # What goes wrong is told in a sentence, and not in Dask's tracebacks as well.
        for logger in ("distributed", "distributed.client"):
            logging.getLogger(logger).setLevel(logging.CRITICAL)
    named = {"scheduler_file": address} if address.endswith(".json") else {"address": address}
    if "scheduler_file" in named and not Path(address).is_file():
        raise UserError(
            tr("There is no file {name}.", name=address),
            tr("A scheduler writes it: dask scheduler --scheduler-file {name}", name=address),
        )
    try:
        with warnings.catch_warnings():
            # Of versions; they are compared here, and told in words.
            warnings.simplefilter("ignore")
            client = distributed.Client(**named, timeout=_CONNECTING, set_as_default=False)
    except Exception as error:  # of sockets, addresses, certificates, or of what a file holds
        raise GpfError(
            tr("The cluster at {address} cannot be reached ({kind}).", address=address, kind=type(error).__name__),
            tr("Check the address and that its scheduler runs. A tls:// address needs Dask's settings for TLS."),
            details=details_of(error),
        ) from error
    try:
        client.wait_for_workers(1, timeout=_CONNECTING)
    except Exception as error:
        client.close()
        raise _no_workers(address) from error
    _log.info("the cluster at %s has %d workers", address, len(_workers(client)))
    return client

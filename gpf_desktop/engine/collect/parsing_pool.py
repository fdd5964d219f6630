"""Another process for reading large documents, so that Python's lock does not make the window stutter."""

import threading
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor, Future, ThreadPoolExecutor
from typing import Any, Final, ParamSpec, TypeVar

from gpf_desktop.engine.core.worker_process import WorkerProcess

P = ParamSpec("P")
T = TypeVar("T")

TIME_LIMIT: Final = 30.0
"""Seconds of processor time for one document; honest ones of 64 MB take 6."""

_LOADED_AT_START = ("gpf_desktop.engine.collect.reading",)


class ParsingPool(Executor):
    """One worker process, started by the first document; a new one takes the place of one that died or was too slow."""

    def __init__(self, seconds: float = TIME_LIMIT) -> None:
        self._seconds = seconds
        self._turns = ThreadPoolExecutor(1, "parsing")
        self._lock = threading.Lock()
        self._worker: WorkerProcess | None = None
        self._closed = False

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> "Future[T]":
        """Submit *fn* as to an executor. The future raises `TimeoutError` if *fn* takes longer than the limit, as
        `WorkerProcess.call` counts it, and `BrokenExecutor` if its worker died."""
        return self._turns.submit(self._run, fn, args, kwargs)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = True) -> None:
        """End the worker at once, in the middle of a document too. Safe to call again."""
        with self._lock:
            self._closed = True
            running, self._worker = self._worker, None
        # First: the thread of a turn under way waits for its worker, and `shutdown` below for the thread.
        if running is not None:
            running.end()
        self._turns.shutdown(wait=wait, cancel_futures=cancel_futures)

    def _run(self, fn: Callable[..., T], args: tuple[Any, ...], kwargs: dict[str, Any]) -> T:
        return self._ready().call(fn, *args, limit=self._seconds, **kwargs)

    def _ready(self) -> WorkerProcess:
        with self._lock:
            # A turn that waited for the lock while the pool was closed would start a worker that nobody ends.
            if self._closed:
                raise BrokenExecutor("the parsing pool is closed")
            if self._worker is None or not self._worker.alive:
                self._worker = WorkerProcess("parsing", _LOADED_AT_START)
            return self._worker

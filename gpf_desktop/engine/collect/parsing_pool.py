"""Another process for reading large documents, so that Python's lock does not make the window stutter."""

import multiprocessing
import threading
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor, Future, ProcessPoolExecutor
from typing import ParamSpec, TypeVar

from gpf_desktop.engine.scoring import _scoring_worker as worker

P = ParamSpec("P")
T = TypeVar("T")
_LOADED_AT_START = ("gpf_desktop.engine.collect.reading",)


class ParsingPool(Executor):
    """One worker process, started by the first document; a new one takes the place of one that died."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._running: ProcessPoolExecutor | None = None
        self._closed = False

    def submit(self, fn: Callable[P, T], /, *args: P.args, **kwargs: P.kwargs) -> "Future[T]":
        """As an executor's; raises `BrokenExecutor` only where a fresh worker dies too."""
        try:
            return self._executor().submit(fn, *args, **kwargs)
        except BrokenExecutor:
            with self._lock:
                broken, self._running = self._running, None
            if broken is not None:
                broken.shutdown(wait=False)
            return self._executor().submit(fn, *args, **kwargs)

    def shutdown(self, wait: bool = True, *, cancel_futures: bool = True) -> None:
        """End the worker after the document that it is at. Safe to call again."""
        with self._lock:
            self._closed = True
            running, self._running = self._running, None
        if running is not None:
            running.shutdown(wait=wait, cancel_futures=cancel_futures)

    def _executor(self) -> ProcessPoolExecutor:
        with self._lock:
            if self._closed:
                raise RuntimeError("the parsing pool is closed")
            if self._running is None:
                self._running = ProcessPoolExecutor(
                    1,
                    mp_context=multiprocessing.get_context("spawn"),
                    initializer=worker.prepare,
                    initargs=(_LOADED_AT_START,),
                )
            return self._running

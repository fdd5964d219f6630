"""Scores in a few spawned processes, so that neither the window nor the other core waits for Python's lock."""

import multiprocessing
import os
import threading
from collections.abc import Callable
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from types import TracebackType
from typing import Any, Final, ParamSpec, TypeVar

from gpf_desktop.domain.errors import GpfError
from gpf_desktop.domain.scores import Chunk, ScoredChunk
from gpf_desktop.domain.text import tr
from gpf_desktop.engine import catalogue
from gpf_desktop.engine.scoring import _scoring_worker as worker

P = ParamSpec("P")
T = TypeVar("T")

MOST_WORKERS: Final = 2
_LOADED_AT_START: Final = ("gpf_desktop.scorers._bundle_scores",)


class ScoringPool:
    """Worker processes that score chunks; made cheaply, started by `warm` or by the first chunk.

    Threads may share it. A chunk whose worker died (killed, out of memory) is scored once more by fresh workers.
    """

    def __init__(self, workers: int | None = None) -> None:
        self._workers = workers or min(MOST_WORKERS, os.cpu_count() or 1)
        self._lock = threading.Lock()
        self._executor: ProcessPoolExecutor | None = None
        self._ending: list[threading.Thread] = []
        self._closed = False

    def __enter__(self) -> "ScoringPool":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    def workers(self) -> int:
        """How many chunks are scored at a time."""
        return self._workers

    def warm(self) -> list[Future[int]]:
        """Start the workers without waiting; each future is a worker's process id once one is ready."""
        executor = self._running()
        if executor is None:
            return []
        return [executor.submit(worker.process_id) for _ in range(self._workers)]

    def submit(self, scorer: str, chunk: Chunk, options: Any) -> Future[ScoredChunk]:
        """Score *chunk* with the scorer called *scorer*.

        The future raises what the scorer raises, `CancelledError` where the pool was closed before its turn, and
        `GpfError` where the chunk ended two workers.
        """
        return self.call(worker.score, type(catalogue.scorers()[scorer]).__module__, chunk, options)

    def call(self, function: Callable[P, T], *args: P.args, **kwargs: P.kwargs) -> Future[T]:
        """Run a module-level *function* in a worker, for what is not a scorer's (flags, explanations, tests)."""
        outcome: Future[T] = Future()
        self._start(lambda executor: executor.submit(function, *args, **kwargs), outcome, tries=2)
        return outcome

    def close(self) -> None:
        """End the workers after the chunks that they are at; waiting chunks are cancelled. Safe to call again."""
        with self._lock:
            self._closed = True
            executor, self._executor = self._executor, None
            ending, self._ending = self._ending, []
        if executor is not None:
            executor.shutdown(wait=True, cancel_futures=True)
        for thread in ending:
            thread.join()

    def _running(self) -> ProcessPoolExecutor | None:
        """The executor, made now where there is none; None once the pool is closed."""
        with self._lock:
            if self._closed:
                return None
            if self._executor is None:
                self._executor = ProcessPoolExecutor(
                    self._workers,
                    mp_context=multiprocessing.get_context("spawn"),
                    initializer=worker.prepare,
                    initargs=(_LOADED_AT_START,),
                )
            return self._executor

    def _discard(self, broken: ProcessPoolExecutor) -> None:
        with self._lock:
            if self._executor is not broken:
                return
            self._executor = None
            # Not here: this may be the callback of one of its futures, under a lock of its own, where from
            # Python 3.12 on both shutting it down and dropping the last reference to it never return.
            ending = threading.Thread(target=broken.shutdown, name="broken-scoring-pool")
            self._ending.append(ending)
            ending.start()

    def _start(self, submit: Callable[[ProcessPoolExecutor], Future[T]], outcome: Future[T], *, tries: int) -> None:
        executor = self._running()
        if executor is None:
            _cancel(outcome)
            return
        try:
            attempt = submit(executor)
        except BrokenProcessPool as broken:
            self._again(submit, outcome, executor, broken, tries)
            return
        except RuntimeError:  # closed by another thread in between
            _cancel(outcome)
            return

        def ended(attempt: Future[T]) -> None:
            if attempt.cancelled():
                _cancel(outcome)
                return
            error = attempt.exception()
            if isinstance(error, BrokenProcessPool):
                self._again(submit, outcome, executor, error, tries)
            elif outcome.set_running_or_notify_cancel():
                if error is not None:
                    outcome.set_exception(error)
                else:
                    outcome.set_result(attempt.result())

        attempt.add_done_callback(ended)

    def _again(
        self,
        submit: Callable[[ProcessPoolExecutor], Future[T]],
        outcome: Future[T],
        executor: ProcessPoolExecutor,
        broken: BrokenProcessPool,
        tries: int,
    ) -> None:
        self._discard(executor)
        if tries > 1:
            self._start(submit, outcome, tries=tries - 1)
        elif outcome.set_running_or_notify_cancel():
            failure = GpfError(
                tr("The process that computes scores ended twice over the same answers."),
                tr("Close other programs to free memory, then compute the scores again."),
                details=str(broken),
            )
            failure.__cause__ = broken
            outcome.set_exception(failure)


def _cancel(outcome: Future[Any]) -> None:
    """End *outcome* as cancelled, and tell whoever waits for it."""
    outcome.cancel()
    outcome.set_running_or_notify_cancel()

"""Scores in a few spawned processes, so that neither the window nor the other core waits for Python's lock."""

import os
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import chain
from typing import Any, Final, TypeVar

from gpf_desktop.domain.errors import GpfError
from gpf_desktop.domain.ports.scorer import HowFar
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.core.worker_pool import WorkerPool, cancelled
from gpf_desktop.engine.core.worker_process import WorkerDiedError, WorkerProcess
from gpf_desktop.settings.preferences import HERE

T = TypeVar("T")

_FEW: Final = 2
"""Workers where there are as many cores, whatever else."""
_MANY: Final = 8
"""Workers that nobody asked for: each holds some 200 MB."""


def usual_workers(*, beside_window: bool) -> int:
    """The number of workers that score: as the user prefers, else half of the cores beside a window, all but one for
    commands."""
    wanted: int | None = HERE.get("work.scoring_workers")
    cores = os.cpu_count() or 1
    share = cores // 2 if beside_window else cores - 1
    return wanted or max(min(_FEW, cores), min(_MANY, share))


class ScoringPool(WorkerPool):
    """Processes of this machine, a thread each; made cheaply, started by `warm` or by the first chunk."""

    def __init__(self, workers: int | None = None) -> None:
        self._workers = workers or usual_workers(beside_window=False)
        self._threads = ThreadPoolExecutor(self._workers, "scoring")
        # Guards `_idle` alone. A worker that was taken is in no list and belongs to its thread, so that nothing is held
        # while it computes.
        self._lock = threading.Lock()
        self._idle: list[WorkerProcess] = []
        self._closed = False

    @property
    def workers(self) -> int:
        return self._workers

    def call(self, function: Callable[..., T], *args: Any, told: HowFar | None = None, **kwargs: Any) -> Future[T]:
        """Call *function* as the port says; the future raises `GpfError` if it ended two workers."""
        try:
            return self._threads.submit(self._run, function, args, {**kwargs, "told": told})
        except RuntimeError:
            # What the executor raises once it is shut down, perhaps while this was on its way.
            if not self._closed:
                raise
        return cancelled()

    def close(self) -> None:
        self._closed = True
        self._threads.shutdown(cancel_futures=True)
        # Only now is `_idle` whole: `shutdown` has waited for the threads, each of which puts its worker back.
        with self._lock:
            idle, self._idle = self._idle, []
        for process in idle:
            process.end()

    def _run(self, function: Callable[..., T], args: tuple[Any, ...], kwargs: dict[str, Any]) -> T:
        try:
            return self._try(function, args, kwargs)
        except WorkerDiedError:
            try:
                return self._try(function, args, kwargs)
            except WorkerDiedError as again:
                raise GpfError(
                    tr("The process that computes scores ended twice over the same answers."),
                    tr("Close other programs to free memory, then compute the scores again."),
                    details=str(again),
                ) from again

    def _try(self, function: Callable[..., T], args: tuple[Any, ...], kwargs: dict[str, Any]) -> T:
        process = self._taken()
        try:
            return process.call(function, *args, **kwargs)
        finally:
            with self._lock:
                # Also one that died: `_taken` sorts it out.
                self._idle.append(process)

    def _taken(self) -> WorkerProcess:
        """A worker that is up and has nothing to do; those that died meanwhile go."""
        with self._lock:
            while self._idle:
                process = self._idle.pop()
                if process.alive:
                    return process
                process.end()
        loaded = (each.preloads for each in catalogue.scorers().values())
        return WorkerProcess("scoring", tuple(chain.from_iterable(loaded)))

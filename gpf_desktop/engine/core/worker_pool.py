"""Pools that compute beside the program: in processes of its own (`scoring_pool`), or on a cluster (`cluster_pool`)."""

import os
from abc import ABC, abstractmethod
from collections.abc import Callable
from concurrent.futures import Future
from types import TracebackType
from typing import Any, TypeVar

from gpf_desktop.domain.ports.scorer import HowFar
from gpf_desktop.domain.scores import Chunk, ScoredChunk
from gpf_desktop.engine.core import _scoring_worker as worker
from gpf_desktop.engine.core import catalogue

T = TypeVar("T")


class WorkerPool(ABC):
    """Runs functions in other processes, one at a time in each. Threads may share it.

    A worker that died (killed, out of memory) is replaced, and what it was at computed once more.
    """

    def __enter__(self) -> "WorkerPool":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @property
    @abstractmethod
    def workers(self) -> int:
        """The number of calls that keep it busy: whoever streams holds no more on their way than these, and one."""

    @abstractmethod
    def call(self, function: Callable[..., T], *args: Any, told: HowFar | None = None, **kwargs: Any) -> Future[T]:
        """Run a module-level *function* in a worker; what it is handed and returns can be pickled, and holds no key.

        With *told* it is given one of its own, and what it tells is told here, on a thread of the pool; what *told*
        raises ends the function and is raised. The future raises what the function raises, `CancelledError` where the
        pool was closed before its turn, and `GpfError` where no worker could do it.
        """

    @abstractmethod
    def close(self) -> None:
        """End after what is computed; what waits is cancelled. Safe to call again."""

    def warm(self) -> list[Future[int]]:
        """Start the workers without waiting; each future is a worker's process id once one is ready."""
        ready = [self.call(os.getpid) for _ in range(self.workers)]
        return [each for each in ready if not each.cancelled()]

    def submit(self, scorer: str, chunk: Chunk, options: Any) -> Future[ScoredChunk]:
        """Score *chunk* with the scorer called *scorer*."""
        return self.call(worker.score, type(catalogue.scorers()[scorer]).__module__, chunk, options)

    def submit_telling(self, scorer: str, chunk: Chunk, options: Any, told: HowFar) -> Future[ScoredChunk]:
        """Score *chunk* as `submit` does, by a `TellsHowFar`; *told* hears how far that is, and ends it by raising."""
        return self.call(worker.score_telling, type(catalogue.scorers()[scorer]).__module__, chunk, options, told=told)


def cancelled() -> Future[Any]:
    """A future for which it is too late."""
    late: Future[Any] = Future()
    late.cancel()
    # `concurrent.futures.wait` takes a cancelled future for done only after this.
    late.set_running_or_notify_cancel()
    return late

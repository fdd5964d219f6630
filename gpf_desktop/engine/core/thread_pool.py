"""Scores in a thread of this process: where there is little to do, starting others takes longer."""

from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, TypeVar

from gpf_desktop.domain.ports.scorer import HowFar
from gpf_desktop.engine.core.worker_pool import WorkerPool

T = TypeVar("T")


class ThreadPool(WorkerPool):
    """One thread."""

    def __init__(self) -> None:
        self._thread = ThreadPoolExecutor(1, "scoring")

    @property
    def workers(self) -> int:
        return 1

    def call(self, function: Callable[..., T], *args: Any, told: HowFar | None = None, **kwargs: Any) -> Future[T]:
        return self._thread.submit(function, *args, **kwargs, **({} if told is None else {"told": told}))

    def close(self) -> None:
        self._thread.shutdown(cancel_futures=True)

"""The running tasks of a service on the engine's loop, so that closing the audit can end them first."""

import asyncio
from collections.abc import Callable, Coroutine
from concurrent.futures import Future
from typing import Any, TypeVar

from gpf_desktop.engine.core.loop_thread import LoopThread

T = TypeVar("T")


class RunningTasks:
    """Starts coroutines on *loop* from any thread and knows which still run."""

    def __init__(self, loop: LoopThread) -> None:
        self._loop = loop
        self._tasks: set[asyncio.Task[Any]] = set()

    def start(self, work: Callable[[], Coroutine[Any, Any, T]]) -> "Future[T]":
        """Run what *work* makes; cancelling the future cancels it."""
        return self._loop.submit(self._tracked(work))

    def cancel_all(self) -> None:
        """Cancel what runs and wait until it has cleaned up. Not for the loop's own thread."""
        self._loop.submit(self._cancel()).result()

    # A callable, not a coroutine: one that is cancelled before its first step would never be awaited.
    async def _tracked(self, work: Callable[[], Coroutine[Any, Any, T]]) -> T:
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        try:
            return await work()
        finally:
            self._tasks.discard(task)

    async def _cancel(self) -> None:
        # This one is not among them: it was submitted, not started.
        tasks = tuple(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

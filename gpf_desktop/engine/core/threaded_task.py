"""A told task whose work blocks: it runs on a worker thread and ends early when it next tells how far it is."""

import asyncio
import threading
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import suppress
from typing import TypeVar

from gpf_desktop.domain.errors import StoppedError
from gpf_desktop.engine.core.context import EngineContext
from gpf_desktop.engine.core.followed_task import OneAtATime, Tell

T = TypeVar("T")
ThreadWork = Callable[[Tell], tuple[T, str]]
"""Gives its result, and the sentence for people that it went well; clears up after itself when `Tell` raises."""


class ThreadedTask:
    """Never twice at once."""

    def __init__(self, context: EngineContext, task: str) -> None:
        self._context = context
        self._task = OneAtATime(context, task)

    def start(self, work: ThreadWork[T], *, busy: str, trouble: str) -> "Future[T]":
        """Start *work* on a thread, as `OneAtATime.start` does. Raises `UserError` with *busy* while one is under
        way."""
        self._task.check_free(busy, "")
        loop, threads = self._context.loop.loop, self._context.threads

        async def run(tell: Tell) -> tuple[T, str]:
            stopped = threading.Event()

            def told(done: int, of: int) -> None:
                if stopped.is_set():
                    raise StoppedError
                tell(done, of)

            working = loop.run_in_executor(threads, work, told)
            try:
                return await asyncio.shield(working)
            except asyncio.CancelledError:
                # A thread cannot be cancelled: it is told, and is waited for until it has cleared up.
                stopped.set()
                with suppress(Exception):
                    await working
                raise

        return self._task.start(run, trouble=trouble)

    def cancel(self) -> None:
        self._task.cancel()

    def close(self) -> None:
        """End what runs and wait until it has cleared up."""
        self._task.close()

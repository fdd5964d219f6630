"""Work that goes on beside something, and ends with it."""

import asyncio
from collections.abc import Coroutine, Iterable
from typing import Any


class Background:
    """Used on the engine's loop only."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()

    def keep_doing(self, work: Coroutine[Any, Any, None]) -> None:
        """Start *work*; nobody waits for it."""
        task = asyncio.get_running_loop().create_task(work)
        # The loop itself keeps weak references alone: without this one a task could be collected before its end.
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def end(self) -> None:
        """Cancel what runs and wait until it has cleaned up."""
        await cancelled(self._tasks)


async def cancelled(tasks: Iterable["asyncio.Task[None]"]) -> None:
    """Cancel *tasks* and wait until each has cleaned up."""
    doomed = list(tasks)
    for task in doomed:
        task.cancel()
    await asyncio.gather(*doomed, return_exceptions=True)

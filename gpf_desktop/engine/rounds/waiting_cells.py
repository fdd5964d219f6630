"""Cells of one model that wait for another try: each rests for itself, and the account goes on with others."""

import asyncio
from collections.abc import Callable
from typing import Final

from gpf_desktop.engine.core.background import cancelled

MOST_RESTING: Final = 256
"""Cells that may wait before no further ones are asked."""


class WaitingCells:
    """The cells that wait before they are asked again; used on the engine loop only."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()
        self._fewer = asyncio.Event()

    def __len__(self) -> int:
        return len(self._tasks)

    async def rest(self, seconds: float) -> None:
        """Keep the cell of this very task waiting so long."""
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        try:
            await asyncio.sleep(seconds)
        finally:
            self._tasks.discard(task)
            self._fewer.set()

    async def leave_room(self, wanted: Callable[[], bool]) -> None:
        """Wait while so many rest that no further cell is to be asked; no longer than it is *wanted*."""
        while wanted() and len(self._tasks) >= MOST_RESTING:
            self._fewer.clear()
            await self._fewer.wait()

    def cancel(self) -> None:
        """None of them is asked again: they stay open."""
        for task in self._tasks:
            task.cancel()

    async def drop(self) -> None:
        """Cancel as `cancel` does, and return when all of them have ended."""
        await cancelled(self._tasks)

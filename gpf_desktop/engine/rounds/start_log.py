"""Records calls before they are sent, those that start together in one write."""

import asyncio
from collections.abc import Iterable

from gpf_desktop.domain.ids import CellId
from gpf_desktop.engine.core.context import EngineContext
from gpf_desktop.storage import cells


class StartLog:
    """Used on the engine loop only. A write of its own for each call is a tenth of the processor time of a fast one."""

    def __init__(self, context: EngineContext) -> None:
        self._context = context
        self._waiting: list[tuple[CellId, int]] = []
        self._next: asyncio.Task[None] | None = None

    async def record(self, starts: Iterable[tuple[CellId, int]]) -> None:
        """Wait until *starts*, as (cell, attempt), are durable. Raises `StorageError`.

        A cancelled caller's starts may be recorded all the same.
        """
        self._waiting.extend(starts)
        if self._next is None:
            self._next = asyncio.get_running_loop().create_task(self._write())
            # Where every caller was cancelled meanwhile nobody else asks how it ended; the next write meets it again.
            self._next.add_done_callback(lambda task: task.cancelled() or task.exception())
        # Others wait for the same write: one caller that is cancelled must not cancel it.
        await asyncio.shield(self._next)

    async def _write(self) -> None:
        # Handed over before the first await: what is recorded from here on is the next write's.
        starts, self._waiting, self._next = self._waiting, [], None
        await self._context.write(lambda connection: cells.record_starts(connection, starts))

"""Records calls before they are sent, those that start together in one write."""

import asyncio
from collections.abc import Callable, Sequence
from math import ceil

from gpf_desktop.domain.ids import CellId
from gpf_desktop.engine.core.context import EngineContext
from gpf_desktop.storage import cells

Start = tuple[CellId, int]
"""(cell, attempt)."""

_NEWEST = 0.1
"""Weight of the newest write or call in a running mean of seconds."""


class StartLog:
    """Used on the engine loop only. A write of its own for each call is a tenth of the processor time of a fast one."""

    def __init__(self, context: EngineContext, at_most: Callable[[], float] = lambda: 0.0) -> None:
        """*at_most*: millionths of a dollar that one start may cost, asked when starts are written."""
        self._context = context
        self._at_most = at_most
        self._waiting: list[Start] = []
        self._next: asyncio.Task[None] | None = None
        self._early: dict[Start, asyncio.Task[None]] = {}
        self._write_seconds = self._call_seconds = 0.0

    def called(self, seconds: float) -> None:
        """Take in how long a call was on the wire."""
        self._call_seconds = _mean(self._call_seconds, seconds)

    def early(self, in_flight: int) -> int:
        """The number of starts worth recording early, with *in_flight* calls on the wire: twice as many as start while
        one start is written.

        0 while no call has ended.
        """
        if not self._call_seconds:
            return 0
        return min(in_flight // 2, ceil(2 * in_flight * self._write_seconds / self._call_seconds))

    def begin(self, starts: Sequence[Start]) -> None:
        """Have *starts*, which one call makes, recorded before it has a slot; `record` waits for the rest of it."""
        self._early[starts[0]] = self._enter(starts)

    async def record(self, starts: Sequence[Start]) -> None:
        """Wait until *starts* are durable. Raises `StorageError`.

        A cancelled caller's starts may be recorded all the same.
        """
        task = self._early.pop(starts[0]) if starts[0] in self._early else self._enter(starts)
        # Others wait for the same write: one caller that is cancelled must not cancel it.
        await asyncio.shield(task)

    async def settle(self) -> None:
        """Wait until no start that was begun is still to be written."""
        await asyncio.gather(*self._early.values(), return_exceptions=True)
        self._early.clear()

    def _enter(self, starts: Sequence[Start]) -> asyncio.Task[None]:
        self._waiting.extend(starts)
        if self._next is None:
            self._next = asyncio.get_running_loop().create_task(self._write())
            # Where every caller was cancelled meanwhile nobody else asks how it ended; the next write meets it again.
            self._next.add_done_callback(lambda task: task.cancelled() or task.exception())
        return self._next

    async def _write(self) -> None:
        # Handed over before the first await: what is recorded from here on is the next write's.
        starts, self._waiting, self._next = self._waiting, [], None
        clock = asyncio.get_running_loop().time
        began, at_most = clock(), self._at_most()
        await self._context.write(lambda connection: cells.record_starts(connection, starts, at_most=at_most))
        self._write_seconds = _mean(self._write_seconds, clock() - began)


def _mean(so_far: float, newest: float) -> float:
    return newest if not so_far else so_far + _NEWEST * (newest - so_far)

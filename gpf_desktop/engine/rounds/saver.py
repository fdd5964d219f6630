"""Saves answers as they land, many in one commit, and tells only then."""

import asyncio
from collections.abc import Callable

from gpf_desktop.engine.core.context import EngineContext
from gpf_desktop.storage import responses
from gpf_desktop.storage.responses import CellResult


class Saver:
    """Collects landed cells; each commit takes all that are waiting. Save first, then announce."""

    def __init__(self, context: EngineContext, announce: Callable[[CellResult], None]) -> None:
        self._context = context
        self._announce = announce
        self._waiting: list[CellResult] = []
        self._something = asyncio.Event()
        self._idle = asyncio.Event()
        self._idle.set()
        self._task = asyncio.get_running_loop().create_task(self._work())

    def put(self, landed: CellResult) -> None:
        self._waiting.append(landed)
        self._idle.clear()
        self._something.set()

    async def settle(self) -> None:
        """Wait until all that was put is durable and announced. Raises what saving raised."""
        idle = asyncio.get_running_loop().create_task(self._idle.wait())
        # After a failed save it is never idle again: its end is waited for beside.
        await asyncio.wait({idle, self._task}, return_when=asyncio.FIRST_COMPLETED)
        idle.cancel()
        if self._task.done():
            self._task.result()

    @property
    def unsaved(self) -> list[CellResult]:
        """The results that were received and could not be saved."""
        return list(self._waiting)

    @property
    def failed(self) -> "asyncio.Task[None]":
        """Ends only with the error that made saving impossible (a full disk)."""
        return self._task

    async def once_more(self) -> None:
        """Save what is in memory after saving failed, now that there is room. Raises what saving raises."""
        await self._save(list(self._waiting))

    async def close(self) -> None:
        self._task.cancel()
        await asyncio.gather(self._task, return_exceptions=True)

    async def _work(self) -> None:
        while True:
            await self._something.wait()
            # Before the look at what waits: an answer that lands during the commit sets it again.
            self._something.clear()
            chunk = list(self._waiting)
            if chunk:
                await self._save(chunk)
            if not self._waiting:
                self._idle.set()

    async def _save(self, chunk: list[CellResult]) -> None:
        await self._context.write(lambda connection: responses.save(connection, chunk))
        # Only now: what a full disk did not take is still here.
        del self._waiting[: len(chunk)]
        for landed in chunk:
            self._announce(landed)

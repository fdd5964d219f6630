"""Answers that land while others are being saved."""

import asyncio
from collections.abc import Callable
from typing import Any, cast

from gpf_desktop.domain.ids import CellId
from gpf_desktop.domain.responses import Reply
from gpf_desktop.engine.core.context import EngineContext
from gpf_desktop.engine.rounds.saver import Saver
from gpf_desktop.storage.responses import CellResult


def landed(cell: int) -> CellResult:
    return CellResult(cell_id=CellId(cell), attempt=1, outcome=Reply(text="x"), seconds=None, microdollars=0.0)


def test_that_settling_waits_for_what_landed_during_a_commit() -> None:
    told: list[int] = []

    class Disk:
        """Takes a commit each time that it is let."""

        def __init__(self) -> None:
            self.lets = asyncio.Semaphore(0)
            self.begun = asyncio.Event()

        async def write(self, _save: Callable[[Any], object]) -> None:
            self.begun.set()
            await self.lets.acquire()

    async def work() -> None:
        disk = Disk()
        saver = Saver(cast("EngineContext", disk), lambda one: told.append(one.cell_id))
        saver.put(landed(1))
        await disk.begun.wait()
        saver.put(landed(2))
        settled = asyncio.create_task(saver.settle())
        disk.lets.release()
        # More turns than the saver needs to begin its second commit.
        for _ in range(9):
            await asyncio.sleep(0)
        assert (told, settled.done()) == ([1], False)
        assert [one.cell_id for one in saver.unsaved] == [2]
        disk.lets.release()
        await settled
        await saver.close()

    asyncio.run(work())
    assert told == [1, 2]

"""Later stages of a round: who waits for cells that are yet to be planned, and who need not."""

import asyncio

from gpf_desktop.domain.ids import FitGroupId
from gpf_desktop.engine.rounds.stage_watch import StageWatch

GROUP = FitGroupId(1)


def watch_of_one_stage() -> StageWatch:
    async def plan(group: FitGroupId) -> None:
        watch.now(group, 0)

    watch = StageWatch(plan, saving=lambda: False)
    watch.left[GROUP] = 1
    return watch


def test_that_a_stage_that_was_planned_after_a_runner_looked_for_cells_has_it_look_again() -> None:
    async def scene() -> None:
        watch = watch_of_one_stage()
        seen = watch.planned
        watch.ended(GROUP, cells_open=0)
        await watch.settle()
        assert await watch.more(seen), "its cells came after the look"
        assert not await watch.more(watch.planned)

    asyncio.run(scene())


def test_that_a_runner_waits_for_a_stage_while_others_are_asked() -> None:
    async def scene() -> None:
        watch = watch_of_one_stage()
        asked = asyncio.Event()
        at_work = asyncio.create_task(asked.wait())
        waiting = asyncio.create_task(watch.more(watch.planned))
        watch.watch([at_work, waiting])
        await asyncio.sleep(0)
        assert not waiting.done()
        watch.ended(GROUP, cells_open=0)
        assert await waiting
        asked.set()
        await at_work

    asyncio.run(scene())


def test_that_nobody_waits_for_a_stage_whose_cells_nobody_asks() -> None:
    async def scene() -> None:
        watch = watch_of_one_stage()
        waiting = asyncio.create_task(watch.more(watch.planned))
        watch.watch([waiting])
        assert not await waiting
        assert watch.left

    asyncio.run(scene())


def test_that_a_runner_that_asks_as_the_last_stage_is_planned_looks_again() -> None:
    """No stage is left by then, and its cells were not there when the runner looked."""

    async def scene() -> bool:
        asking: list[asyncio.Task[bool]] = []

        async def plan(group: FitGroupId) -> None:
            watch.now(group, 0)
            # Has its turn before those hear who wait for the planning to end.
            asking.append(asyncio.create_task(watch.more(watch.planned)))

        watch = StageWatch(plan, saving=lambda: False)
        watch.left[GROUP] = 1
        watch.ended(GROUP, cells_open=0)
        await watch.settle()
        return await asking[0]

    assert asyncio.run(scene())

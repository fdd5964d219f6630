"""The purse never lets a run pass its cap."""

import asyncio

from gpf_desktop.engine.rounds.spend_guard import SpendGuard


def test_that_a_call_whose_worst_case_passes_the_cap_is_refused() -> None:
    async def scene() -> None:
        spend_guard = SpendGuard(1.0, lambda: 0.9)
        assert not await spend_guard.reserve(0.2)
        assert spend_guard.empty

    asyncio.run(scene())


def test_that_a_call_waits_while_those_in_flight_may_turn_out_cheaper() -> None:
    async def scene() -> None:
        spent = 0.0
        spend_guard = SpendGuard(1.0, lambda: spent)
        assert await spend_guard.reserve(0.7)
        second = asyncio.ensure_future(spend_guard.reserve(0.7))
        await asyncio.sleep(0)
        assert not second.done()
        spent = 0.1
        spend_guard.give_back(0.7)
        assert await second

    asyncio.run(scene())


def test_that_raising_the_cap_frees_a_waiting_call() -> None:
    async def scene() -> None:
        spend_guard = SpendGuard(1.0, lambda: 0.0)
        assert await spend_guard.reserve(0.7)
        second = asyncio.ensure_future(spend_guard.reserve(0.7))
        await asyncio.sleep(0)
        await spend_guard.raise_to(2.0)
        assert await second

    asyncio.run(scene())


def test_that_without_a_cap_nothing_is_refused() -> None:
    async def scene() -> None:
        spend_guard = SpendGuard(None, lambda: 1e9)
        assert await spend_guard.reserve(1e9)

    asyncio.run(scene())

"""How much of what a server allows is used, and how soon a change is found. Time is virtual: minutes pass at once."""

import asyncio
import random
from collections.abc import Callable
from math import inf
from statistics import median

import pytest

from gpf_desktop.domain.models import Limits
from gpf_desktop.domain.responses import Miss, Missing, Reply
from gpf_desktop.domain.retries import RateLimited, Transient
from gpf_desktop.engine.rounds.limits import AccountLimiter, Slot, backoff
from tests.support.virtual_time import run

GOOD = Reply(text="Yes.")
Verdict = Callable[[float], float | None]
"""Moment → None to answer, or a refusal's Retry-After."""


class Bucket:
    """A server's allowance: so many calls a second, with one second's worth saved up."""

    def __init__(self, a_second: float) -> None:
        self.a_second = a_second
        self._left = a_second
        self._at = 0.0

    def __call__(self, now: float) -> float | None:
        self._left = min(self.a_second, self._left + (now - self._at) * self.a_second)
        self._at = now
        if self._left < 1:
            return (1 - self._left) / self.a_second
        self._left -= 1
        return None


class Round:
    """Asks a server for so many seconds, or so many *calls*; counts per second what was answered and refused.

    A refusal comes after half the *latency*, or where *at_once* within a few milliseconds, as most servers refuse; an
    answer half the *latency* after that, give or take a share of *spread*.
    """

    def __init__(
        self,
        seconds: int,
        verdict: Verdict,
        *,
        latency: float,
        status: int = 429,
        seed: int = 1,
        at_once: bool = False,
        calls: float = inf,
        spread: float = 0.1,
    ) -> None:
        self.answered = [0] * (seconds + 1)
        self.refused = [0] * (seconds + 1)
        self._seconds = seconds
        self._verdict = verdict
        self._before = (0.001, 0.004) if at_once else (0.4 * latency, 0.6 * latency)
        self._calls = calls
        self._until_answer = ((0.5 - spread) * latency, (0.5 + spread) * latency)
        self._status = status
        self._rng = random.Random(seed)
        run(self._main())

    async def _main(self) -> None:
        loop = asyncio.get_running_loop()
        limiter = AccountLimiter(Limits(), lambda _limit, _why: None)
        tasks: set[asyncio.Task[None]] = set()
        sent = 0
        while loop.time() < self._seconds and sent < self._calls:
            slot = await limiter.acquire()
            assert isinstance(slot, Slot)
            sent += 1
            tasks.add(task := loop.create_task(self._insist(limiter, slot)))
            task.add_done_callback(tasks.discard)
        if sent < self._calls:
            for task in tasks:
                task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self.took = loop.time()

    async def _insist(self, limiter: AccountLimiter, slot: Slot) -> None:
        loop = asyncio.get_running_loop()
        tries = 0
        while True:
            await asyncio.sleep(self._rng.uniform(*self._before))
            after = self._verdict(loop.time())
            if after is None:
                await asyncio.sleep(self._rng.uniform(*self._until_answer))
                self._count(self.answered, loop.time())
                limiter.release(slot, GOOD)
                return
            self._count(self.refused, loop.time())
            retry = RateLimited(after=after) if self._status == 429 else Transient()
            limiter.release(slot, Miss(reason=Missing.HTTP_ERROR, detail="no", status=self._status, retry=retry))
            tries += 1
            await asyncio.sleep(backoff(tries, retry, self._rng))
            again = await limiter.acquire()
            assert isinstance(again, Slot)
            slot = again

    def _count(self, which: list[int], now: float) -> None:
        if now < self._seconds:
            which[int(now)] += 1

    def rate(self, first: int, last: int) -> float:
        return sum(self.answered[first:last]) / (last - first)

    def share_refused(self, first: int, last: int) -> float:
        refused = sum(self.refused[first:last])
        return refused / (refused + sum(self.answered[first:last]))


@pytest.mark.slow
@pytest.mark.parametrize("status", [429, 503])
@pytest.mark.parametrize(("share", "reach"), [(0.0, 0.95), (0.01, 0.9), (0.04, 0.8), (0.1, 0.6)])
def test_that_stray_refusals_hardly_slow_a_round(share: float, reach: float, status: int) -> None:
    bucket, rng = Bucket(200.0), random.Random(3)

    def verdict(now: float) -> float | None:
        return bucket(now) or (1.0 if rng.random() < share else None)

    asked = Round(15, verdict, latency=0.05, status=status)
    assert asked.rate(0, 15) >= reach * (1 - share) * 200.0


@pytest.mark.slow
def test_that_strays_hardly_slow_a_short_round_whose_refusals_come_at_once() -> None:
    """With its start and with the last cells' waits: 882 calls, as tests/benchmarks/bench_pace.py asks them."""

    def reached(seed: int) -> float:
        bucket, rng = Bucket(200.0), random.Random(seed)

        def verdict(now: float) -> float | None:
            return (1.0 if rng.random() < 0.1 else None) or bucket(now)

        asked = Round(60, verdict, latency=0.05, status=503, seed=seed, at_once=True, calls=882)
        return 882 / asked.took / (200.0 * 0.9)

    assert median(reached(seed) for seed in range(1, 8)) >= 0.6


def test_that_three_refusals_at_the_start_and_none_after_cost_little() -> None:
    bucket, first = Bucket(200.0), iter((1.0, 1.0, 1.0))
    asked = Round(60, lambda now: next(first, None) or bucket(now), latency=0.05, at_once=True, calls=882)
    # Of which 3.4 s are what the server allows.
    assert asked.took < 6.2


@pytest.mark.slow
@pytest.mark.parametrize(("latency", "spread"), [(0.2, 0.1), (1.6, 0.005)])
def test_that_a_limit_is_found_with_few_refusals_from_the_first_call_on(latency: float, spread: float) -> None:
    asked = Round(60, Bucket(20.0), latency=latency, at_once=True, calls=882, spread=spread)
    # With the time until the first answers, and until the last.
    assert 882 / asked.took >= 0.96 * 20.0
    assert asked.share_refused(0, 60) < 0.02


@pytest.mark.parametrize("latency", [0.05, 0.2])
def test_that_a_true_limit_is_found_and_used(latency: float) -> None:
    asked = Round(120, Bucket(20.0), latency=latency)
    assert asked.rate(10, 120) >= 0.97 * 20.0
    assert asked.share_refused(60, 120) < 0.03


@pytest.mark.slow
def test_that_a_true_limit_costs_one_refusal_in_a_hundred_calls_at_most() -> None:
    assert Round(240, Bucket(20.0), latency=0.05).share_refused(20, 240) < 0.01


@pytest.mark.parametrize("latency", [0.05, 0.2])
def test_that_a_limit_that_halves_and_doubles_is_found_within_ten_seconds(latency: float) -> None:
    bucket = Bucket(20.0)

    def verdict(now: float) -> float | None:
        bucket.a_second = 10.0 if 60 <= now < 110 else 20.0
        return bucket(now)

    asked = Round(135, verdict, latency=latency)
    assert asked.rate(65, 70) >= 0.9 * 10.0
    assert asked.share_refused(70, 80) < 0.15
    assert asked.rate(120, 125) >= 0.9 * 20.0


@pytest.mark.parametrize("after", [1.0, 5.0])
def test_that_a_burst_of_refusals_is_left_behind_within_ten_seconds(after: float) -> None:
    bucket = Bucket(40.0)
    asked = Round(120, lambda now: after if 40 <= now < 100 else bucket(now), latency=0.1)
    assert asked.rate(110, 115) >= 0.9 * asked.rate(30, 40)
    assert sum(asked.refused[41:100]) < 150

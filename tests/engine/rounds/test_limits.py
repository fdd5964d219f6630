"""Limits adapt to what a provider allows, and say so. Time is virtual: hours pass at once."""

import asyncio
import random
from dataclasses import dataclass, field

import pytest

from gpf_desktop.domain.models import Endpoint, Limits
from gpf_desktop.domain.responses import Miss, Missing, Outcome, Reply, Usage
from gpf_desktop.domain.retries import NoRetry, RateLimited, Transient
from gpf_desktop.engine.rounds.limits import LONGEST_BACKOFF, AccountLimiter, Limiters, backoff
from gpf_desktop.engine.rounds.pacing import FIRST_LIMIT, HIGHEST_LIMIT
from tests.support.virtual_time import run

GOOD = Reply(text="Yes.")


def limited(after: float | None = None) -> Miss:
    return Miss(reason=Missing.HTTP_ERROR, detail="slow down", status=429, retry=RateLimited(after=after))


BROKEN = Miss(reason=Missing.HTTP_ERROR, detail="oops", status=500, retry=Transient())


@dataclass
class Told:
    """What a limiter announced."""

    limits: list[int] = field(default_factory=list)
    words: list[str] = field(default_factory=list)

    def __call__(self, limit: int, why: str) -> None:
        self.limits.append(limit)
        self.words.append(why)


async def call(limiter: AccountLimiter, outcome: Outcome = GOOD, seconds: float = 1.0) -> None:
    await limiter.acquire()
    try:
        await asyncio.sleep(seconds)
    except asyncio.CancelledError:
        limiter.cancel()
        raise
    limiter.release(outcome)


async def calls(limiter: AccountLimiter, count: int, outcome: Outcome = GOOD, seconds: float = 1.0) -> None:
    async with asyncio.TaskGroup() as group:
        for _ in range(count):
            group.create_task(call(limiter, outcome, seconds))


async def keep_busy(limiter: AccountLimiter, seconds: float) -> None:
    """Calls of a second each, with more of them always waiting than may start."""

    async def again_and_again() -> None:
        while True:
            await call(limiter)

    tasks = [asyncio.create_task(again_and_again()) for _ in range(HIGHEST_LIMIT + 50)]
    await asyncio.sleep(seconds)
    for task in tasks:
        task.cancel()
    await asyncio.gather(*tasks, return_exceptions=True)


def test_that_a_limit_starts_small_and_doubles_while_answers_come() -> None:
    async def main() -> list[int]:
        limiter = AccountLimiter(Limits(), Told())
        busy = asyncio.create_task(keep_busy(limiter, 4.5))
        seen = []
        await asyncio.sleep(0.5)
        for _ in range(4):
            seen.append(limiter.limit)
            await asyncio.sleep(1.0)
        await busy
        return seen

    assert run(main()) == [FIRST_LIMIT, 2 * FIRST_LIMIT, 4 * FIRST_LIMIT, 8 * FIRST_LIMIT]


def test_that_growth_is_additive_after_a_rate_limit() -> None:
    async def main() -> tuple[int, int, int]:
        limiter = AccountLimiter(Limits(requests_per_minute=60_000), Told())
        await keep_busy(limiter, 3.5)
        before = limiter.limit
        await call(limiter, limited(after=0.0))
        lowered = limiter.limit
        await keep_busy(limiter, 1.5)
        return before, lowered, limiter.limit

    before, lowered, after = run(main())
    assert lowered == before // 2
    assert lowered < after < 1.5 * lowered


def test_that_a_limit_never_exceeds_its_ceiling_or_falls_below_one() -> None:
    async def main() -> tuple[int, int]:
        limiter = AccountLimiter(Limits(), Told())
        await keep_busy(limiter, 60)
        highest = limiter.limit
        for _ in range(20):
            await call(limiter, limited(after=0.0))
        return highest, limiter.limit

    assert run(main()) == (HIGHEST_LIMIT, 1)


def test_that_few_calls_do_not_raise_a_limit_that_they_do_not_fill() -> None:
    async def main() -> int:
        limiter = AccountLimiter(Limits(), Told())
        for _ in range(50):
            await call(limiter)
        return limiter.limit

    assert run(main()) == FIRST_LIMIT


def test_that_refusals_of_calls_in_flight_together_count_once() -> None:
    async def main() -> tuple[int, int]:
        limiter = AccountLimiter(Limits(in_flight=16), Told())
        before = limiter.limit
        await calls(limiter, before, limited(after=1.0))
        return before, limiter.limit

    assert run(main()) == (16, 8)


def test_that_nothing_starts_before_the_provider_s_time_is_up() -> None:
    async def main() -> tuple[float, float, float]:
        limiter = AccountLimiter(Limits(), Told())
        await call(limiter, limited(after=30.0))
        countdown = limiter.paused_for()
        await limiter.acquire()
        started = asyncio.get_running_loop().time()
        limiter.cancel()
        return countdown, started, limiter.paused_for()

    assert run(main()) == pytest.approx((30.0, 31.0, 0.0))


def test_that_refusals_without_a_time_wait_longer_and_longer() -> None:
    async def main() -> list[float]:
        limiter = AccountLimiter(Limits(), Told())
        waits = []
        for _ in range(4):
            await call(limiter, limited(), seconds=0.001)
            waits.append(limiter.paused_for())
        return waits

    waits = run(main())
    assert waits == sorted(waits)
    assert waits[0] < 1.0 < waits[-1] <= 60.0


def test_that_growth_rests_after_a_server_s_fault_and_the_limit_stays() -> None:
    async def main() -> tuple[int, int]:
        limiter = AccountLimiter(Limits(), Told())
        await call(limiter, BROKEN)
        await keep_busy(limiter, 5)
        resting = limiter.limit
        await keep_busy(limiter, 10)
        return resting, limiter.limit

    resting, later = run(main())
    assert resting == FIRST_LIMIT < later


def test_that_every_lowering_and_wait_is_announced_with_its_reason() -> None:
    async def main() -> Told:
        told = Told()
        limiter = AccountLimiter(Limits(), told)
        await keep_busy(limiter, 1.5)
        await call(limiter, limited(after=12.0))
        return told

    told = run(main())
    assert "answers come in: 4 → 6 calls at once" in told.words[0]
    assert told.limits[0] == 6
    assert "12 s" in told.words[-2]
    assert f"{told.limits[-2]} → {told.limits[-1]} calls at once" in told.words[-1]


def test_that_a_fixed_number_of_calls_in_flight_holds_from_the_start() -> None:
    async def main() -> tuple[int, int]:
        limiter = AccountLimiter(Limits(in_flight=3), Told())
        tasks = [asyncio.create_task(call(limiter)) for _ in range(10)]
        await asyncio.sleep(0.5)
        at_once = limiter.in_flight
        await asyncio.gather(*tasks)
        return at_once, limiter.limit

    assert run(main()) == (3, 3)


def test_that_fixed_requests_per_minute_hold() -> None:
    async def main() -> float:
        limiter = AccountLimiter(Limits(requests_per_minute=120, in_flight=50), Told())
        await calls(limiter, 121, seconds=0.01)
        return asyncio.get_running_loop().time()

    assert run(main()) == pytest.approx(60.0, abs=0.5)


def test_that_fixed_tokens_per_minute_hold() -> None:
    async def main() -> float:
        limiter = AccountLimiter(Limits(tokens_per_minute=60_000, in_flight=2), Told())
        await calls(limiter, 61, Reply(text="Yes.", usage=Usage(prompt=600, completion=400)), seconds=0.01)
        return asyncio.get_running_loop().time()

    assert 50.0 < run(main()) < 61.0


def test_that_a_cancelled_caller_leaves_no_slot_behind() -> None:
    async def main() -> tuple[int, bool]:
        limiter = AccountLimiter(Limits(in_flight=1), Told())
        await limiter.acquire()
        waiting = asyncio.create_task(limiter.acquire())
        woken = asyncio.create_task(limiter.acquire())
        await asyncio.sleep(0)
        waiting.cancel()
        limiter.release(GOOD)
        # It was given the slot in this very turn and is cancelled before it can take it.
        woken.cancel()
        await asyncio.gather(waiting, woken, return_exceptions=True)
        free = asyncio.create_task(limiter.acquire())
        await asyncio.sleep(0)
        return limiter.in_flight, free.done()

    assert run(main()) == (1, True)


def test_that_callers_are_served_in_order() -> None:
    async def main() -> list[int]:
        limiter = AccountLimiter(Limits(in_flight=1), Told())
        served: list[int] = []

        async def one(number: int) -> None:
            await limiter.acquire()
            served.append(number)
            await asyncio.sleep(1)
            limiter.release(GOOD)

        await asyncio.gather(*(one(number) for number in range(6)))
        return served

    assert run(main()) == list(range(6))


def test_that_new_limits_take_hold_at_once() -> None:
    async def main() -> int:
        limiter = AccountLimiter(Limits(in_flight=1), Told())
        tasks = [asyncio.create_task(call(limiter)) for _ in range(8)]
        await asyncio.sleep(0.5)
        limiter.set_limits(Limits(in_flight=5))
        at_once = limiter.in_flight
        await asyncio.gather(*tasks)
        return at_once

    assert run(main()) == 5


def test_that_one_account_s_bad_luck_does_not_slow_another() -> None:
    async def main() -> tuple[float, float, bool]:
        limiters = Limiters(lambda *_: None)
        first = Endpoint(provider="openai", model="a")
        same = Endpoint(provider="openai", model="b")
        other = Endpoint(provider="openai", model="a", key_env="OTHER_KEY")
        await call(limiters.of(first), limited(after=60.0))
        return (
            limiters.of(same).paused_for(),
            limiters.of(other).paused_for(),
            limiters.of(first) is limiters.of(same),
        )

    assert run(main()) == (60.0, 0.0, True)


class Bucket:
    """A server's allowance: so many calls a second, with one second's worth saved up."""

    def __init__(self, per_minute: float) -> None:
        self._rate = per_minute / 60
        self._left = max(1.0, self._rate)
        self._at = 0.0

    def wait(self, now: float) -> float:
        self._left = min(max(1.0, self._rate), self._left + (now - self._at) * self._rate)
        self._at = now
        if self._left < 1:
            return (1 - self._left) / self._rate
        self._left -= 1
        return 0.0


@pytest.mark.parametrize(("per_minute", "latency"), [(600, 0.05), (600, 0.5), (6000, 0.05), (6000, 0.5)])
def test_that_a_server_s_rate_is_found_and_used(per_minute: float, latency: float) -> None:
    async def main() -> tuple[int, int]:
        limiter = AccountLimiter(Limits(), Told())
        bucket, rng = Bucket(per_minute), random.Random(1)
        loop = asyncio.get_running_loop()
        answered = refused = 0

        async def insist() -> None:
            nonlocal answered, refused
            for attempt in range(1, 100):
                await asyncio.sleep(latency * rng.uniform(0.4, 0.6))
                wait = bucket.wait(loop.time())
                await asyncio.sleep(latency * rng.uniform(0.4, 0.6))
                outcome = limited(after=wait) if wait else GOOD
                limiter.release(outcome)
                if outcome is GOOD:
                    answered += loop.time() >= 60.0
                    return
                refused += loop.time() >= 60.0
                await asyncio.sleep(backoff(attempt, outcome.retry, rng))
                await limiter.acquire()

        tasks = set()
        while loop.time() < 180.0:
            await limiter.acquire()
            tasks.add(task := asyncio.create_task(insist()))
            task.add_done_callback(tasks.discard)
        counted = answered, refused
        await asyncio.gather(*tasks)
        return counted

    answered, refused = run(main())
    assert answered >= 0.95 * 2 * per_minute
    assert refused <= 0.02 * answered


def test_that_transient_waits_are_jittered_up_to_a_minute() -> None:
    rng = random.Random(1)
    for attempt in range(1, 20):
        waits = [backoff(attempt, Transient(), rng) for _ in range(200)]
        assert min(waits) >= 0.0
        assert max(waits) <= min(LONGEST_BACKOFF, 2.0 ** (attempt - 1))
        assert max(waits) - min(waits) > 0.5 * min(LONGEST_BACKOFF, 2.0 ** (attempt - 1))


def test_that_a_stated_wait_is_never_cut_short() -> None:
    rng = random.Random(1)
    for after in (0.0, 0.5, 30.0, 7200.0):
        waits = [backoff(1, RateLimited(after=after), rng) for _ in range(100)]
        assert after <= min(waits) <= max(waits) <= after + 1.0


def test_that_there_is_no_waiting_for_what_is_not_repeated() -> None:
    with pytest.raises(ValueError, match="not to be repeated"):
        backoff(1, NoRetry(), random.Random(1))

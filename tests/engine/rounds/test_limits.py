"""Limits adapt to what a provider allows, and say so. Time is virtual: hours pass at once."""

import asyncio
import random
from dataclasses import dataclass, field

import pytest

from gpf_desktop.domain.models import Endpoint, Limits
from gpf_desktop.domain.responses import Miss, Missing, Outcome, Reply, Usage
from gpf_desktop.domain.retries import NoRetry, RateLimited, RetryDecision, Transient
from gpf_desktop.engine.rounds.limits import LONGEST_BACKOFF, AccountLimiter, Closed, Limiters, Slot, backoff
from gpf_desktop.engine.rounds.pacing import FIRST_LIMIT, HIGHEST_LIMIT
from gpf_desktop.settings.preferences import HERE
from tests.support.virtual_time import run

pytestmark = pytest.mark.slow

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


async def slot_of(limiter: AccountLimiter, model: str = "") -> Slot:
    slot = await limiter.acquire(model)
    assert isinstance(slot, Slot)
    return slot


async def call(limiter: AccountLimiter, outcome: Outcome = GOOD, seconds: float = 1.0) -> None:
    slot = await slot_of(limiter)
    try:
        await asyncio.sleep(seconds)
    except asyncio.CancelledError:
        limiter.cancel(slot)
        raise
    limiter.release(slot, outcome)


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


def test_that_a_limit_starts_small_and_grows_by_half_while_answers_come() -> None:
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

    assert run(main()) == [FIRST_LIMIT, 6, 9, 13]


def test_that_a_limit_never_exceeds_its_ceiling_or_falls_below_one() -> None:
    async def main() -> tuple[int, int]:
        limiter = AccountLimiter(Limits(), Told())
        await keep_busy(limiter, 120)
        highest = limiter.limit
        for _ in range(60):
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


def test_that_an_isolated_refusal_rests_that_call_alone() -> None:
    async def main() -> tuple[float, int]:
        limiter = AccountLimiter(Limits(in_flight=8), Told())
        await call(limiter)
        await call(limiter, limited(after=30.0))
        return limiter.paused_for(), limiter.limit

    assert run(main()) == (0.0, 8)


def test_that_three_refusals_in_a_row_pause_the_account_and_lower_its_limit_once() -> None:
    async def main() -> tuple[float, int, float, int]:
        limiter = AccountLimiter(Limits(in_flight=16), Told())
        held = [await slot_of(limiter) for _ in range(16)]
        for slot in held[:3]:
            limiter.release(slot, limited(after=30.0))
        countdown, limit = limiter.paused_for(), limiter.limit
        for slot in held[3:]:
            limiter.release(slot, limited(after=30.0))
        stale = limiter.limit
        slot = await slot_of(limiter)
        limiter.cancel(slot)
        return countdown, limit - stale, asyncio.get_running_loop().time(), limit

    countdown, lowered_again, started, limit = run(main())
    assert (countdown, lowered_again, started) == (30.0, 0, 30.0)
    assert 8 <= limit < 16


def test_that_outcomes_of_calls_sent_before_a_decrease_change_nothing() -> None:
    async def main() -> tuple[int, int]:
        limiter = AccountLimiter(Limits(), Told())
        await keep_busy(limiter, 8.5)
        held = [await slot_of(limiter) for _ in range(limiter.limit)]
        for slot in held[:10]:
            limiter.release(slot, limited(after=0.0))
        lowered = limiter.limit
        for slot in held[10:]:
            limiter.release(slot, GOOD)
        return lowered, limiter.limit

    lowered, later = run(main())
    assert later == lowered < 64


def test_that_models_of_one_account_take_turns() -> None:
    async def main() -> list[str]:
        limiter = AccountLimiter(Limits(in_flight=1), Told())
        served: list[str] = []

        async def one(model: str) -> None:
            slot = await slot_of(limiter, model)
            served.append(model)
            await asyncio.sleep(1)
            limiter.release(slot, GOOD)

        await asyncio.gather(*(one(model) for model in "aaaaabb"))
        return served

    assert "".join(run(main())) == "aababaa"


def test_that_refusals_without_a_time_wait_longer_and_longer_in_proportion_to_the_trouble() -> None:
    async def main() -> list[float]:
        limiter = AccountLimiter(Limits(patience=2_000.0), Told())
        waits = []
        while asyncio.get_running_loop().time() < 900.0:
            await call(limiter, limited(), seconds=0.001)
            waits.append(limiter.paused_for())
        return waits

    waits = run(main())
    assert waits[:2] == [0.0, 0.0]
    assert max(waits[:8]) <= 2.0
    assert 50.0 < waits[-1] <= 60.0
    assert len(waits) < 70


def test_that_every_lowering_and_wait_is_announced_with_its_reason() -> None:
    async def main() -> Told:
        told = Told()
        limiter = AccountLimiter(Limits(), told)
        await keep_busy(limiter, 1.5)
        for _ in range(5):
            await call(limiter, limited(after=12.0))
        return told

    told = run(main())
    assert "answers come in: 4 → 6 calls at once" in told.words[0]
    assert told.limits[0] == 6
    assert any("12 s" in words for words in told.words)
    assert any(words.startswith("too many calls turned away: ") for words in told.words)


@pytest.mark.parametrize(
    ("status", "words"), [(None, "no answer: next try in "), (503, "nothing but 503: next try in ")]
)
def test_that_a_dead_server_is_not_said_to_ask_for_a_wait(status: int | None, words: str) -> None:
    async def main() -> list[str]:
        told = Told()
        limiter = AccountLimiter(Limits(), told)
        reason = Missing.UNREACHABLE if status is None else Missing.HTTP_ERROR
        for _ in range(30):
            await call(limiter, Miss(reason=reason, detail="", retry=Transient(), status=status))
        return told.words

    pauses = [each for each in run(main()) if "next try" in each or "asks to wait" in each]
    assert pauses
    assert all(each.startswith(words) for each in pauses)


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
        held = await slot_of(limiter)
        waiting = asyncio.create_task(limiter.acquire())
        woken = asyncio.create_task(limiter.acquire())
        await asyncio.sleep(0)
        waiting.cancel()
        limiter.release(held, GOOD)
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
            slot = await slot_of(limiter)
            served.append(number)
            await asyncio.sleep(1)
            limiter.release(slot, GOOD)

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
        for _ in range(3):
            await call(limiters.of(first), limited(after=60.0), seconds=0.0)
        return (
            limiters.of(same).paused_for(),
            limiters.of(other).paused_for(),
            limiters.of(first) is limiters.of(same),
        )

    assert run(main()) == (60.0, 0.0, True)


def test_that_transient_waits_are_jittered_up_to_a_minute() -> None:
    rng = random.Random(1)
    for attempt in range(1, 20):
        waits = [backoff(attempt, Transient(), rng) for _ in range(200)]
        assert min(waits) >= 0.0
        assert max(waits) <= min(LONGEST_BACKOFF, 2.0 ** (attempt - 1))
        assert max(waits) - min(waits) > 0.5 * min(LONGEST_BACKOFF, 2.0 ** (attempt - 1))


def test_that_a_refused_call_waits_shortly_while_others_are_answered() -> None:
    async def main() -> tuple[float, float, float]:
        limiter, rng = AccountLimiter(Limits(), Told()), random.Random(1)

        def longest(decision: RetryDecision) -> float:
            return max(limiter.backoff(5, decision, rng) for _ in range(200))

        await call(limiter)
        answered, asked = longest(Transient()), longest(RateLimited(after=30.0))
        await asyncio.sleep(4)
        return answered, asked, longest(Transient())

    answered, asked, silent = run(main())
    assert answered <= 3.0 < 15.0 < silent
    assert asked >= 30.0


def test_that_a_stated_wait_is_never_cut_short() -> None:
    rng = random.Random(1)
    for after in (0.0, 0.5, 30.0, 7200.0):
        waits = [backoff(1, RateLimited(after=after), rng) for _ in range(100)]
        assert after <= min(waits) <= max(waits) <= after + 1.0


def test_that_there_is_no_waiting_for_what_is_not_repeated() -> None:
    with pytest.raises(ValueError, match="not to be repeated"):
        backoff(1, NoRetry(), random.Random(1))


def test_that_an_account_without_one_answer_for_too_long_is_closed_with_what_it_said() -> None:
    async def main() -> tuple[Slot | Closed, float]:
        limiter = AccountLimiter(Limits(patience=600.0), Told())
        while isinstance(slot := await limiter.acquire(), Slot):
            await asyncio.sleep(1.0)
            limiter.release(slot, limited())
        return slot, asyncio.get_running_loop().time()

    closed, at = run(main())
    assert isinstance(closed, Closed)
    assert closed.silent is not None
    assert closed.silent.status == 429
    assert 600.0 <= at <= 660.0


def test_that_one_answer_renews_the_patience_with_an_account() -> None:
    async def main() -> bool:
        limiter = AccountLimiter(Limits(patience=600.0), Told())
        loop = asyncio.get_running_loop()
        while loop.time() < 1_100.0:
            await call(limiter, GOOD if 500.0 < loop.time() < 570.0 else limited())
        return isinstance(await limiter.acquire(), Slot)

    assert run(main())


def test_that_what_holds_an_account_back_is_told_with_its_status() -> None:
    async def main() -> tuple[object, int | None, float]:
        limiter = AccountLimiter(Limits(in_flight=16), Told())
        before = limiter.throttling()
        for _ in range(3):
            await call(limiter, limited(after=60.0), seconds=0.0)
        held = limiter.throttling()
        assert held is not None
        return before, held.status, held.seconds

    assert run(main()) == (None, 429, 60.0)


def test_that_calls_at_once_are_as_preferred_where_the_model_says_nothing() -> None:
    async def limits() -> list[int]:
        HERE.set("rounds.calls_at_once", 3)
        return [AccountLimiter(each, Told()).limit for each in (Limits(), Limits(in_flight=9))]

    assert asyncio.run(limits()) == [3, 9]

"""What replies say of the quota that is left, and what the limiter makes of it. Time is virtual."""

import asyncio
from datetime import UTC, datetime

import pytest

from gpf_desktop.domain.models import Limits
from gpf_desktop.domain.responses import Miss, Missing, Reply, Usage
from gpf_desktop.domain.retries import RateLimited
from gpf_desktop.engine.rounds.limits import LONGEST_WAIT, AccountLimiter, Closed, Slot
from gpf_desktop.engine.rounds.quotas import Quota, Unit, moment_of, quotas_in
from tests.support.virtual_time import run

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("reset", "seconds"), [("6m0s", 360.0), ("20ms", 0.02), ("1h2m3.5s", 3723.5), ("7", 7.0), ("0s", 0.0)]
)
def test_that_openai_s_lengths_of_time_are_read(reset: str, seconds: float) -> None:
    headers = {
        "x-ratelimit-limit-requests": "60",
        "x-ratelimit-remaining-requests": "59",
        "x-ratelimit-reset-requests": reset,
    }
    assert list(quotas_in(headers, NOW)) == [Quota(unit=Unit.REQUESTS, limit=60, left=59, seconds=seconds)]


def test_that_anthropic_s_moments_are_read() -> None:
    headers = {
        "anthropic-ratelimit-tokens-limit": "80000",
        "anthropic-ratelimit-tokens-remaining": "40000",
        "anthropic-ratelimit-tokens-reset": "2026-11-20T12:00:30Z",
    }
    assert list(quotas_in(headers, NOW)) == [Quota(unit=Unit.TOKENS, limit=80000, left=40000, seconds=30.0)]


@pytest.mark.parametrize("reset", ["", "soon", "5 parsecs", "nan", "-3"])
def test_that_nonsense_is_passed_over(reset: str) -> None:
    assert list(quotas_in({"x-ratelimit-remaining-requests": "1", "x-ratelimit-reset-requests": reset}, NOW)) == []


async def starts_after(limiter: AccountLimiter, calls: int) -> list[float]:
    """When each of *calls* may start, none of them ended meanwhile."""
    moments = []
    for _ in range(calls):
        assert isinstance(await limiter.acquire(), Slot)
        moments.append(round(asyncio.get_running_loop().time(), 3))
    return moments


def test_that_calls_beyond_what_is_left_wait_for_their_part_to_come_back() -> None:
    async def main() -> list[float]:
        limiter = AccountLimiter(Limits(in_flight=20), lambda _limit, _why: None)
        limiter.heed(Quota(unit=Unit.REQUESTS, limit=10, left=2, seconds=8.0))
        return await starts_after(limiter, 5)

    assert run(main()) == pytest.approx([0.0, 0.0, 1.0, 2.0, 3.0], abs=0.01)


def test_that_tokens_are_reckoned_by_what_calls_took() -> None:
    async def main() -> list[float]:
        limiter = AccountLimiter(Limits(in_flight=20), lambda _limit, _why: None)
        slot = await limiter.acquire()
        assert isinstance(slot, Slot)
        limiter.release(slot, Reply(text="Yes.", usage=Usage(prompt=60, completion=40)))
        limiter.heed(Quota(unit=Unit.TOKENS, limit=1000, left=100, seconds=9.0))
        return await starts_after(limiter, 3)

    assert run(main()) == pytest.approx([0.0, 1.0, 2.0], abs=0.01)


def test_that_a_wait_nobody_sits_out_is_told_to_all_who_wait() -> None:
    async def main() -> list[object]:
        limiter = AccountLimiter(Limits(in_flight=1), lambda _limit, _why: None)
        slot = await limiter.acquire()
        assert isinstance(slot, Slot)
        waiting = [asyncio.create_task(limiter.acquire()) for _ in range(2)]
        await asyncio.sleep(0)
        after = LONGEST_WAIT + 1.0
        limiter.release(
            slot, Miss(reason=Missing.HTTP_ERROR, detail="later", status=429, retry=RateLimited(after=after))
        )
        return [*[await one for one in waiting], await limiter.acquire()]

    assert run(main()) == [Closed(LONGEST_WAIT + 1.0)] * 3


def test_that_the_server_s_own_clock_is_taken_for_moments() -> None:
    headers = {
        "date": "Fri, 20 Nov 2026 09:00:00 GMT",
        "anthropic-ratelimit-requests-limit": "50",
        "anthropic-ratelimit-requests-remaining": "0",
        "anthropic-ratelimit-requests-reset": "2026-11-20T09:00:30Z",
    }
    moment = moment_of(headers)
    assert moment is not None
    assert [quota.seconds for quota in quotas_in(headers, moment)] == [30.0]
    assert moment_of({"date": "yesterday"}) is None

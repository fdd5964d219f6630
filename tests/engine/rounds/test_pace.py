"""How much of what a server allows is used, and how soon a change is found. Time is virtual: minutes pass at once."""

import random
from statistics import median

import pytest

from gpf_desktop.domain.retries import RateLimited, Transient
from tests.support.paced_round import Bucket, Round


@pytest.mark.slow
@pytest.mark.parametrize("status", [429, 503])
@pytest.mark.parametrize(("share", "reach"), [(0.0, 0.95), (0.01, 0.9), (0.04, 0.8), (0.1, 0.6)])
def test_that_stray_refusals_hardly_slow_a_round(share: float, reach: float, status: int) -> None:
    bucket, rng = Bucket(200.0), random.Random(3)
    stray = RateLimited(after=1.0) if status == 429 else Transient()

    def verdict(now: float) -> RateLimited | Transient | None:
        return bucket(now) or (stray if rng.random() < share else None)

    asked = Round(15, verdict, latency=0.05)
    assert asked.rate(0, 15) >= reach * (1 - share) * 200.0


@pytest.mark.slow
def test_that_strays_hardly_slow_a_short_round_whose_refusals_come_at_once() -> None:
    """With its start and with the last cells' waits: 882 calls, as tests/benchmarks/bench_pace.py asks them."""

    def reached(seed: int) -> float:
        bucket, rng = Bucket(200.0), random.Random(seed)

        def verdict(now: float) -> RateLimited | Transient | None:
            return Transient() if rng.random() < 0.1 else bucket(now)

        asked = Round(60, verdict, latency=0.05, seed=seed, at_once=True, calls=882)
        return 882 / asked.took / (200.0 * 0.9)

    assert median(reached(seed) for seed in range(1, 8)) >= 0.6


@pytest.mark.parametrize("seed", [127, 183])
def test_that_a_slowing_down_for_strays_is_undone_when_later_ones_show_them_to_be_such(seed: int) -> None:
    """Rounds whose first calls met several strays next to each other, and whose slow ones then hardly any."""
    bucket, rng = Bucket(200.0), random.Random(seed)

    def verdict(now: float) -> RateLimited | Transient | None:
        return Transient() if rng.random() < 0.1 else bucket(now)

    asked = Round(60, verdict, latency=0.05, seed=seed, at_once=True, calls=882, processor=0.0012)
    # What is allowed takes 3.4 s, a cell's own waits up to seven.
    assert asked.took < 12


def test_that_three_refusals_at_the_start_and_none_after_cost_little() -> None:
    bucket, first = Bucket(200.0), iter(3 * [RateLimited(after=1.0)])
    asked = Round(60, lambda now: next(first, None) or bucket(now), latency=0.05, at_once=True, calls=882)
    # Of which 3.4 s are what the server allows.
    assert asked.took < 6.2


@pytest.mark.parametrize(("rate", "latency", "calls"), [(200.0, 0.05, 882), (50.0, 0.25, 588)])
def test_that_a_local_server_that_answers_quickly_is_soon_asked_as_fast_as_it_allows(
    rate: float, latency: float, calls: int
) -> None:
    asked = Round(60, Bucket(rate), latency=latency, at_once=True, calls=calls, local=True)
    assert calls / asked.took >= 0.95 * rate


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

    def verdict(now: float) -> RateLimited | None:
        bucket.a_second = 10.0 if 60 <= now < 110 else 20.0
        return bucket(now)

    asked = Round(135, verdict, latency=latency)
    assert asked.rate(65, 70) >= 0.9 * 10.0
    assert asked.share_refused(70, 80) < 0.15
    assert asked.rate(120, 125) >= 0.9 * 20.0


@pytest.mark.parametrize("after", [1.0, 5.0])
def test_that_a_burst_of_refusals_is_left_behind_within_ten_seconds(after: float) -> None:
    bucket = Bucket(40.0)
    refused = RateLimited(after=after)
    asked = Round(120, lambda now: refused if 40 <= now < 100 else bucket(now), latency=0.1)
    assert asked.rate(110, 115) >= 0.9 * asked.rate(30, 40)
    assert sum(asked.refused[41:100]) < 150


def test_that_a_round_is_at_its_pace_again_soon_after_half_of_its_calls_were_refused() -> None:
    bucket, rng = Bucket(50.0), random.Random(1)

    def verdict(now: float) -> RateLimited | Transient | None:
        return Transient() if 5 <= now < 15 and rng.random() < 0.5 else bucket(now)

    asked = Round(300, verdict, latency=0.1, seed=1, at_once=True, calls=1500, processor=0.0012)
    # Of which 30 s are what is allowed, and ten the outage.
    assert asked.took < 80

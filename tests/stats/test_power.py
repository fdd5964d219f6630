import numpy as np
import pytest

from gpf_desktop.stats.power import (
    ClusterSpread,
    _p_of_first,
    clusters_for_rise,
    detectable,
    detectable_rise,
    least_found,
    power,
    rate_power,
)
from gpf_desktop.stats.rates import groups_within


@pytest.mark.parametrize(("effect", "needed"), [(0.2, 199), (0.5, 34), (0.8, 15)])
def test_that_cohen_s_small_medium_and_large_effects_need_the_printed_numbers(effect: float, needed: int) -> None:
    """One sample, two-sided, α = .05, power .80: as G*Power (Faul and others 2007) prints them."""
    assert power(effect, 1.0, needed) >= 0.8 > power(effect, 1.0, needed - 1)


def test_that_promised_power_is_that_of_many_rounds() -> None:
    draw = np.random.default_rng(6)
    for clusters in (3, 5, 12):
        effect = detectable(0.1, clusters)
        assert effect is not None
        rounds = draw.normal(effect, 0.1, (40_000, clusters))
        ratio = rounds.mean(axis=1) / (rounds.std(axis=1, ddof=1) / np.sqrt(clusters))
        from scipy.special import stdtrit

        assert (ratio > stdtrit(clusters - 1, 0.975)).mean() == pytest.approx(0.8, abs=0.01)


def test_that_the_reverse_gives_back_what_was_put_in() -> None:
    spread = ClusterSpread(between=0.01, within=0.04)
    for clusters in (5, 20):
        effect = detectable(spread.of_mean(3), clusters)
        assert effect is not None
        assert power(effect, spread.of_mean(3), clusters) == pytest.approx(0.8)


@pytest.mark.parametrize("edge", [0.003, 0.5, 1.7, 900.0])
def test_that_the_least_size_is_found_from_any_first_guess(edge: float) -> None:
    for first in (0.01, 1.0, 50.0):
        least = least_found(lambda size: size >= edge, first, most=1000)
        assert least is not None
        assert edge <= least <= edge + 1e-6
    assert least_found(lambda _: False, 1.0, most=1000) is None


def test_that_repeats_cannot_buy_what_only_articles_can() -> None:
    assert detectable(0.1, 1) is None


@pytest.mark.slow
def test_that_a_rise_in_refusals_is_found_as_often_as_promised() -> None:
    asked = {"groups": 5, "trials": 7, "clusters": 4}
    rise = detectable_rise(0.05, **asked)
    assert rise is not None
    assert rate_power(0.05, rise, **asked, seed=99) == pytest.approx(0.8, abs=0.04)
    assert rate_power(0.05, 0.0, **asked) <= 0.06
    assert rate_power(0.05, rise, **asked, alpha=0.01) < rate_power(0.05, rise, **asked)
    assert detectable_rise(0.9, groups=7, trials=1, clusters=2) is None


def test_that_fewer_articles_than_are_needed_for_a_rise_do_not_find_it() -> None:
    asked = {"groups": 5, "trials": 7}
    needed = clusters_for_rise(0.05, 0.2, **asked)
    assert needed is not None
    assert rate_power(0.05, 0.2, **asked, clusters=needed) >= 0.8 > rate_power(0.05, 0.2, **asked, clusters=needed - 1)
    assert clusters_for_rise(0.05, 0.01, **asked, most=4) is None


def test_that_simulated_tests_are_those_of_the_tables() -> None:
    """With every group's trials alike, one p after the other, as `groups_within` computes it."""
    draw = np.random.default_rng(3)
    events = draw.binomial(6, 0.2, (50, 4, 5)).astype(np.int64)
    trials = np.full((4, 5), 6)
    expected = [groups_within(each, trials).p[0] for each in events]
    assert _p_of_first(events, 6) == pytest.approx(expected, abs=1e-12)

from fractions import Fraction
from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from gpf_desktop.stats import rates
from gpf_desktop.stats.rates import beta_binomial_interval, effective_interval, groups_within, rate_interval, wilson


@pytest.mark.parametrize(("count", "of"), [(0, 10), (3, 10), (10, 10), (17, 1204)])
def test_that_independent_trials_have_wilson_s_interval(count: int, of: int) -> None:
    expected = stats.binomtest(count, of).proportion_ci(method="wilson")
    assert wilson(count / of, of) == pytest.approx((expected.low, expected.high), abs=1e-12)


def test_that_trials_of_one_article_that_go_together_count_once() -> None:
    refused = np.array([40, 0, 0, 40, 0, 0, 0, 0, 40, 0])
    low, high = effective_interval(refused, np.full(10, 40))
    alone = effective_interval(refused // 40, np.ones(10, int))
    assert (low, high) == pytest.approx(alone)
    assert high - low > 4 * np.subtract(*wilson(0.3, 400)[::-1])


def test_that_a_rate_of_none_or_all_counts_articles_and_not_trials() -> None:
    assert rate_interval(np.zeros(10, int), np.full(10, 40)) == pytest.approx(wilson(0, 10))
    assert rate_interval(np.full(10, 40), np.full(10, 40)) == pytest.approx(wilson(1, 10))


def by_integration(events: np.ndarray, trials: np.ndarray, steps: int = 400) -> tuple[float, float]:
    """The posterior by scipy's beta-binomial on a fine grid, the same priors."""
    middle = (np.arange(steps) + 0.5) / steps
    rate, correlation = np.sin(np.pi * middle / 2)[:, None] ** 2, middle**2
    scale = 1 / correlation - 1
    chance = sum(
        stats.betabinom.logpmf(e, n, rate * scale, (1 - rate) * scale) for e, n in zip(events, trials, strict=True)
    )
    weight = np.exp(chance - np.max(chance)).sum(axis=1)
    reached = np.cumsum(weight) / weight.sum()
    low, high = (rate[np.searchsorted(reached, each), 0] for each in (0.025, 0.975))
    return float(low), float(high)


@pytest.mark.parametrize("events", [(0, 3, 1, 0, 0), (0, 0, 0, 7, 7), (1, 1, 0, 0, 1), (7, 6, 7, 7, 5)])
def test_that_the_beta_binomial_interval_is_that_of_scipy_s_distribution(events: tuple[int, ...]) -> None:
    found = beta_binomial_interval(np.array(events), np.full(5, 7))
    assert found == pytest.approx(by_integration(np.array(events), np.full(5, 7)), abs=0.01)


def test_that_failures_have_the_mirrored_interval() -> None:
    events, trials = np.array([0, 3, 1, 0, 20]), np.array([7, 5, 21, 3, 21])
    low, high = beta_binomial_interval(events, trials)
    assert beta_binomial_interval(trials - events, trials) == pytest.approx((1 - high, 1 - low))


def test_that_few_events_of_clumped_trials_leave_room_for_a_rare_rate() -> None:
    """One event in each of two articles of thirty looks unclumped, and yet most of such rates lie above .02."""
    events = np.zeros(30, int)
    events[:2] = 1
    trials = np.full(30, 21)
    assert effective_interval(events, trials)[1] < 0.02 < rate_interval(events, trials)[1]


def test_that_intervals_hold_a_rare_rate_of_clumped_refusals() -> None:
    draw, rate, correlation = np.random.default_rng(7), 0.02, 0.4
    scale = 1 / correlation - 1
    events = draw.binomial(21, draw.beta(rate * scale, (1 - rate) * scale, (400, 30)))
    ends = [rate_interval(row, np.full(30, 21)) for row in events]
    assert np.mean([low <= rate <= high for low, high in ends]) >= 0.95


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(1, 9)), min_size=2, max_size=12))
def test_that_a_rate_lies_inside_its_interval(articles: list[tuple[int, int]]) -> None:
    trials = np.array([n for _, n in articles])
    events = np.minimum([e for e, _ in articles], trials)
    low, high = rate_interval(events, trials)
    assert 0 <= low <= events.sum() / trials.sum() <= high <= 1


def by_trying_all(events: np.ndarray, trials: np.ndarray, group: int) -> float:
    """P of every way to deal each article's rates to its groups, all groups having trials."""
    rates = events / trials
    middle = rates.mean(axis=1).sum()
    observed = abs(rates[:, group].sum() - middle)
    sums = [abs(sum(each) - middle) for each in product(*rates)]
    return float(np.mean([each >= observed - 1e-9 for each in sums]))


@given(st.integers(1, 4), st.integers(2, 5), st.integers(0, 2**32 - 1))
def test_that_p_is_that_of_trying_all(articles: int, groups: int, seed: int) -> None:
    draw = np.random.default_rng(seed)
    trials = draw.integers(1, 8, (articles, groups))
    events = draw.integers(0, trials + 1)
    found = groups_within(events, trials)
    assert found.p == pytest.approx([by_trying_all(events, trials, group) for group in range(groups)], abs=1e-12)


def test_that_one_group_refused_in_every_article_is_found_and_the_others_are_not() -> None:
    events = np.zeros((6, 7), int)
    events[:, 2] = 4
    found = groups_within(events, np.full((6, 7), 7))
    assert found.p[2] == pytest.approx((1 / 7) ** 6)
    assert found.adjusted[2] == pytest.approx(7 * (1 / 7) ** 6)
    assert (np.delete(found.adjusted, 2) > 0.05).all()
    assert found.excess[2] == pytest.approx(4 / 7 * 6 / 7)


def test_that_articles_whose_trials_go_together_do_not_make_findings() -> None:
    """Where articles decide, all groups of one are refused alike: nothing speaks of groups."""
    events = np.repeat(np.array([7, 0, 7, 0, 7]), 6).reshape(5, 6)
    assert (groups_within(events, np.full((5, 6), 7)).p == 1).all()


def test_that_no_effect_is_found_in_five_of_a_hundred_at_most_whatever_the_articles() -> None:
    draw = np.random.default_rng(5)
    found = 0
    for _ in range(400):
        chance = draw.beta(0.4, 2, (8, 1)) * np.ones((8, 7))
        trials = draw.integers(5, 8, (8, 7))
        found += bool((groups_within(draw.binomial(trials, chance), trials).adjusted <= 0.05).any())
    assert found / 400 <= 0.06


def test_that_a_group_without_trials_is_left_out_of_its_article() -> None:
    trials = np.array([[3, 3, 0], [3, 3, 0]])
    found = groups_within(np.array([[3, 0, 0], [3, 0, 0]]), trials)
    assert found.clusters.tolist() == [2, 2, 0]
    assert found.p.tolist() == pytest.approx([0.5, 0.5, 1.0])


def by_fractions(events: np.ndarray, trials: np.ndarray, group: int) -> float:
    """p of *group* by every way to draw one rate of each cluster, in whole numbers throughout."""
    rates = [
        [Fraction(int(e), int(n)) for e, n in zip(*rows, strict=True)] for rows in zip(events, trials, strict=True)
    ]
    middle = sum(sum(row) / len(row) for row in rates)
    apart = abs(sum(row[group] for row in rates) - middle)
    reached = [abs(sum(drawn) - middle) >= apart for drawn in product(*rates)]
    return sum(reached) / len(reached)


def test_that_p_is_exact_whatever_numbers_of_cells_were_decided(monkeypatch: pytest.MonkeyPatch) -> None:
    trials = np.array([[11, 13, 17], [16, 9, 11], [22, 26, 34], [18, 9, 12]])
    events = np.array([[1, 1, 2], [2, 1, 0], [2, 2, 4], [4, 2, 3]])
    expected = [by_fractions(events, trials, group) for group in range(3)]
    assert groups_within(events, trials).p.tolist() == pytest.approx(expected, abs=1e-12)
    monkeypatch.setattr(rates, "_SUMS", 0)
    rounded = groups_within(events, trials).p
    assert (rounded >= np.array(expected) - 1e-12).all()
    assert rounded.tolist() == pytest.approx(expected, abs=0.15)

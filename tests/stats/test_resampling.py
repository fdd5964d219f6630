from collections.abc import Sequence
from itertools import permutations
from math import exp

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray

from gpf_desktop.stats.resampling import (
    Generations,
    conclude,
    log_arrangements,
    monte_carlo_p,
    permute,
    smallest_p,
)

Floats = NDArray[np.float64]


def bundle(points: Floats, groups: Sequence[int]) -> Generations:
    apart = np.abs(points[:, None] - points[None, :])
    return Generations(distances=apart[None], groups=np.array(groups))


def statistic(distances: Floats, groups: Sequence[int]) -> float:
    """Between minus within, pair by pair."""
    between = []
    within: dict[int, list[float]] = {}
    for i in range(len(groups)):
        for j in range(i):
            if groups[i] == groups[j]:
                within.setdefault(groups[i], []).append(distances[i, j])
            else:
                between.append(distances[i, j])
    return float(np.mean(between) - np.mean([np.mean(each) for each in within.values()]))


APART = bundle(np.array([0.0, 0.1, 0.2, 1.0, 1.1, 1.2]), [0, 0, 0, 1, 1, 1])
ALIKE = bundle(np.array([0.0, 1.0, 0.1, 1.1, 0.2, 1.2]), [0, 0, 1, 1, 2, 2])


def test_that_the_statistic_is_between_minus_within() -> None:
    for each in (APART, ALIKE, bundle(np.array([0.3, 0.9, 0.1, 0.4, 0.2]), [1, 0, 1, 0, 0])):
        found = permute(each, seed=(1,), replicates=1)
        assert found.observed[0] == pytest.approx(statistic(each.distances[0], each.groups.tolist()), abs=1e-12)


def test_that_permutations_reach_the_exact_p() -> None:
    labels = APART.groups.tolist()
    observed = statistic(APART.distances[0], labels)
    every = [statistic(APART.distances[0], list(order)) for order in set(permutations(labels))]
    exact = np.mean([value >= observed - 1e-12 for value in every])
    (test,) = conclude(permute(APART, seed=(4, 2), replicates=20_000))
    assert test.p == pytest.approx(exact, abs=0.01)
    assert test.statistic == pytest.approx(observed)


def test_that_kinds_of_distance_are_tested_apart_by_the_same_draws() -> None:
    both = Generations(distances=np.concatenate([APART.distances, ALIKE.distances]), groups=APART.groups)
    drawn = permute(both, seed=(1, 0), replicates=199)
    for place, each in enumerate((APART, ALIKE)):
        alone = Generations(distances=each.distances, groups=APART.groups)
        assert conclude(drawn)[place] == conclude(permute(alone, seed=(1, 0), replicates=199))[0]


def test_that_a_stratum_of_many_bundles_says_more_than_one() -> None:
    one = permute(APART, seed=(1, 0), replicates=999)
    many = one
    for number in range(1, 6):
        many = many.plus(permute(APART, seed=(1, number), replicates=999))
    ((alone,), (together,)) = conclude(one), conclude(many)
    assert together.bundles == 6
    assert together.p == together.smallest_p == 1 / 1000 < alone.p
    assert together.statistic == pytest.approx(alone.statistic)


def test_that_identities_that_change_nothing_are_not_found() -> None:
    assert conclude(permute(ALIKE, seed=(3,), replicates=999))[0].p > 0.5
    same = Generations(distances=np.zeros((1, 6, 6)), groups=APART.groups)
    assert conclude(permute(same, seed=(3,), replicates=99))[0].p == 1


def test_that_the_same_seed_draws_the_same_permutations() -> None:
    first, second = (permute(APART, seed=(7, 1), replicates=50).drawn for _ in range(2))
    assert np.array_equal(first, second)
    assert not np.array_equal(first, permute(APART, seed=(7, 2), replicates=50).drawn)


def test_that_the_smallest_reachable_p_follows_from_the_sizes() -> None:
    assert exp(log_arrangements([3, 3])) == pytest.approx(10)
    assert exp(log_arrangements([2, 2, 2])) == pytest.approx(15)
    assert exp(log_arrangements([3, 2])) == pytest.approx(10)
    assert smallest_p(log_arrangements([3, 3]), 1999) == pytest.approx(0.1)
    assert smallest_p(log_arrangements([3] * 7), 1999) == 1 / 2000
    assert monte_carlo_p(0, 1999) == 1 / 2000


@given(st.lists(st.floats(0, 1), min_size=4, max_size=4), st.integers(0, 50))
def test_that_chance_never_puts_p_below_the_smallest_that_the_sizes_can_reach(points: list[float], seed: int) -> None:
    (test,) = conclude(permute(bundle(np.array(points), [0, 0, 1, 1]), seed=(seed,), replicates=30))
    assert test.smallest_p == pytest.approx(1 / 3)
    assert test.smallest_p <= test.p <= 1


@given(st.lists(st.floats(0, 1), min_size=6, max_size=6), st.permutations(range(6)))
def test_that_neither_the_order_of_answers_nor_the_names_of_identities_matter(
    points: list[float], order: list[int]
) -> None:
    labels = np.array([0, 0, 1, 1, 2, 2])
    one = permute(bundle(np.array(points), labels.tolist()), seed=(1,), replicates=1)
    other = permute(bundle(np.array(points)[order], (2 - labels)[order].tolist()), seed=(1,), replicates=1)
    assert other.observed[0] == pytest.approx(one.observed[0], abs=1e-12)
    assert other.log_arrangements == pytest.approx(one.log_arrangements)


def test_that_only_bundles_with_repeats_of_several_identities_can_be_tested() -> None:
    assert APART.testable
    assert not bundle(np.arange(3.0), [0, 1, 2]).testable
    assert not bundle(np.arange(3.0), [0, 0, 0]).testable

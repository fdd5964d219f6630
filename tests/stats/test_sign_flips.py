from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from gpf_desktop.stats.multiplicity import expected_findings
from gpf_desktop.stats.sign_flips import FLIPS, flip_p
from tests.support.flips_max import max_t


@settings(max_examples=30)
@given(st.integers(2, 6), st.integers(1, 4), st.integers(0, 2**32 - 1))
def test_that_p_and_adjusted_p_are_those_of_trying_every_flip(clusters: int, columns: int, seed: int) -> None:
    values = np.random.default_rng(seed).normal(0.3, 1, (clusters, columns))
    observed = np.abs(stats.ttest_1samp(values, 0).statistic)
    flips = [
        np.abs(stats.ttest_1samp(values * np.array(signs)[:, None], 0).statistic)
        for signs in product((1, -1), repeat=clusters)
    ]
    found = max_t(values, seed=1)
    assert np.abs(found.t) == pytest.approx(observed)
    assert found.p == pytest.approx(np.mean([flip >= observed - 1e-9 for flip in flips], axis=0))
    assert found.adjusted == pytest.approx(np.mean([flip.max() >= observed - 1e-9 for flip in flips], axis=0))


def test_that_columns_some_clusters_lack_are_tested_over_those_that_have_them() -> None:
    values = np.array([[1.0, 1.0], [1.2, 1.1], [0.9, np.nan], [1.1, np.nan], [1.0, np.nan]])
    found = max_t(values, seed=1)
    assert found.p[0] == pytest.approx(1 / 16)
    assert found.p[1] == pytest.approx(1 / 2)
    assert np.isnan(max_t(values[:1], seed=1).p).all()
    assert np.isnan(max_t(np.zeros((5, 1)), seed=1).p).all()


def test_that_the_number_expected_by_chance_leaves_out_tests_that_cannot_reach_the_level() -> None:
    assert expected_findings([1 / 2000] * 420, 0.05) == pytest.approx(21)
    assert expected_findings([0.5, 0.1, 0.02], 0.05) == pytest.approx(0.04)


def test_that_drawn_flips_never_give_a_p_of_nought() -> None:
    # 30 clusters that agree: no drawn flip reaches what was seen, and what was seen itself counts as one more.
    found = max_t(1 + np.random.default_rng(5).normal(0, 0.01, (30, 2)), seed=1, replicates=199)
    assert found.draws == 199
    assert found.smallest_p == pytest.approx(1 / 200)
    assert found.p == pytest.approx([1 / 200, 1 / 200])
    assert found.adjusted == pytest.approx([1 / 200, 1 / 200])


@pytest.mark.parametrize("numbers", [[1, 1, -1, 0, 1, 1], [3, -1, 2, 2], [4, -2, 6], [5], [0.5, 0.25, -1], [0, 0]])
def test_that_few_clusters_are_flipped_in_every_way(numbers: list[float]) -> None:
    ways = [
        abs(sum(s * n for s, n in zip(signs, numbers, strict=True))) for signs in product((-1, 1), repeat=len(numbers))
    ]
    every = sum(each >= abs(sum(numbers)) - 1e-9 for each in ways) / len(ways)
    assert flip_p(np.array([numbers], dtype=np.float64).T, seed=1)[0] == pytest.approx(every)


def test_that_many_clusters_come_near_mcnemars_exact_test() -> None:
    numbers = np.array([1.0] * 61 + [-1.0] * 34 + [0.0] * 400)
    p = stats.binomtest(61, 95).pvalue
    assert flip_p(numbers[:, None], seed=1)[0] == pytest.approx(p, abs=4 * (p / FLIPS) ** 0.5)
    lacking = np.concatenate([numbers, np.full(3, np.nan)])
    assert flip_p(lacking[:, None], seed=1)[0] == pytest.approx(p, abs=4 * (p / FLIPS) ** 0.5)
    assert flip_p(np.zeros((20, 1)), seed=1)[0] == 1.0
    # None of those drawn is likely to be as large, and an exact p is never 0.
    assert flip_p(np.ones((40, 1)), seed=1)[0] == 1 / (FLIPS + 1)

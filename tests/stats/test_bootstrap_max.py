"""Max-t by bootstrap: finds what is there, holds its size of skewed deviations, leaves out what cannot be tested."""

import numpy as np
import pytest

from gpf_desktop.stats.bootstrap_max import bootstrap_max_t
from tests.support.flips_max import max_t


def test_that_a_moved_column_is_found_and_the_others_are_not() -> None:
    values = np.random.default_rng(1).normal(0, 1, (20, 6))
    values[:, 2] += 1.5
    found = bootstrap_max_t(values, seed=4, replicates=499)
    assert np.flatnonzero(found.adjusted <= 0.05).tolist() == [2]
    assert found.t[2] == pytest.approx(values[:, 2].mean() / (values[:, 2].std(ddof=1) / np.sqrt(20)))
    assert (found.adjusted >= found.p).all()
    assert np.array_equal(found.adjusted, bootstrap_max_t(values, seed=4, replicates=499).adjusted)


def test_that_of_skewed_deviations_without_an_effect_it_finds_no_more_than_promised_where_flips_do() -> None:
    draw = np.random.default_rng(2)
    families = [draw.lognormal(0, 1, (12, 9)) for _ in range(120)]
    families = [each - each.mean(axis=1, keepdims=True) for each in families]
    by_draws, by_flips = (
        sum(bool((test(each, seed=1, replicates=199).adjusted <= 0.05).any()) for each in families)
        for test in (bootstrap_max_t, max_t)
    )
    assert by_draws <= 10 < by_flips


def test_that_columns_of_two_clusters_or_without_spread_are_not_tested() -> None:
    values = np.array([[1.0, 0.5, 0.3], [1.0, 0.6, np.nan], [1.0, 0.4, np.nan], [1.0, 0.7, 0.2]])
    found = bootstrap_max_t(values, seed=1, replicates=99)
    assert np.isnan(found.adjusted).tolist() == [True, False, True]
    nothing = bootstrap_max_t(np.full((4, 2), np.nan), seed=1, replicates=99)
    assert np.isnan(nothing.adjusted).all()

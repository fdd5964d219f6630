import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from numpy.typing import NDArray
from scipy import stats

from gpf_desktop.stats.clusters import bootstrap_t, clustered_mean, degrees_of_freedom

Floats = NDArray[np.float64]


def by_matrices(sums: Floats, counts: Floats) -> tuple[float, float]:
    """CR2 variance and Satterthwaite degrees of freedom of a weighted mean of clusters' means, from the definition:
    A (I − H) V (I − H)' A' = V cluster by cluster, V the identity, for the regression of means on 1 weighted by counts.
    """
    k, means = len(sums), sums / counts
    design, weights = np.ones((k, 1)), np.diag(counts)
    bread = np.linalg.inv(design.T @ weights @ design)
    maker = np.eye(k) - design @ bread @ design.T @ weights
    residuals = maker @ means
    adjust = 1 / np.sqrt(np.diag(maker @ maker.T))
    row = (bread @ design.T @ weights).ravel() * adjust
    each = row[:, None] * maker
    spread = each @ each.T
    return float((row**2 * residuals**2).sum()), float(np.trace(spread) ** 2 / np.trace(spread @ spread))


articles = st.lists(st.tuples(st.floats(-1, 1), st.integers(1, 60)), min_size=2, max_size=9)


@given(articles)
def test_that_error_and_freedom_are_those_of_the_definition(some: list[tuple[float, int]]) -> None:
    counts = np.array([count for _, count in some], float)
    sums = np.array([mean for mean, _ in some]) * counts
    variance, freedom = by_matrices(sums, counts)
    found = clustered_mean(sums, counts)
    assert found.value == pytest.approx(sums.sum() / counts.sum(), abs=1e-12)
    assert found.error**2 == pytest.approx(variance, abs=1e-12)
    assert found.freedom == pytest.approx(freedom)
    assert found.freedom <= (len(some) - 1) * (1 + 1e-6)


def test_that_the_variance_is_unbiased_where_articles_means_vary_alike() -> None:
    draw = np.random.default_rng(1)
    counts = np.array([42.0, 6, 12, 3, 30])
    means = draw.normal(0, 1, (40_000, 5))
    value = means @ counts / counts.sum()
    found = np.mean([clustered_mean(each * counts, counts).error ** 2 for each in means[:8000]])
    assert found == pytest.approx(value.var(), rel=0.05)


@given(st.lists(st.floats(-1, 1), min_size=2, max_size=9), st.integers(1, 60))
def test_that_equal_counts_give_the_plain_t_interval(values: list[float], count: int) -> None:
    k, mean, error = len(values), float(np.mean(values)), float(np.std(values, ddof=1) / np.sqrt(len(values)))
    half = float(stats.t.ppf(0.975, k - 1)) * error
    found = clustered_mean(np.array(values) * count, np.full(k, float(count)))
    assert found.freedom == pytest.approx(k - 1)
    assert found.interval(0.95) == pytest.approx((mean - half, mean + half), abs=1e-9)


def test_that_one_large_article_among_small_ones_leaves_few_degrees_of_freedom() -> None:
    assert degrees_of_freedom(np.array([42.0, *[1.0] * 8])) < 1.5
    assert degrees_of_freedom(np.full(9, 7.0)) == pytest.approx(8)


def test_that_a_difference_between_articles_of_their_own_is_welch_s() -> None:
    draw = np.random.default_rng(8)
    a, b = draw.normal(0.5, 0.1, 6), draw.normal(0.3, 0.05, 8)
    found = clustered_mean(a, np.ones(6)).minus(clustered_mean(b, np.ones(8)))
    expected = stats.ttest_ind(a, b, equal_var=False)
    assert found.freedom == pytest.approx(expected.df)
    ends = expected.confidence_interval()
    assert found.interval(0.95) == pytest.approx((ends.low, ends.high))


@pytest.mark.slow
def test_that_the_bootstrap_t_is_that_of_its_definition_article_by_article() -> None:
    draw = np.random.default_rng(3)
    values = draw.gamma(2, 1, 12)
    ratios = []
    for _ in range(20_000):
        some = draw.choice(values, 12)
        ratios.append((some.mean() - values.mean()) / (some.std(ddof=1) / np.sqrt(12)))
    error = values.std(ddof=1) / np.sqrt(12)
    low, high = np.quantile(ratios, [0.025, 0.975])
    found = bootstrap_t(values, np.ones(12), level=0.95, seed=5, replicates=20_000)
    assert found == pytest.approx((values.mean() - high * error, values.mean() - low * error), abs=0.15 * error)
    assert bootstrap_t(values, np.ones(12), level=0.95, seed=5, replicates=20_000) == found
    assert found[1] - values.mean() > values.mean() - found[0], "it reaches further towards the long tail"


def test_that_articles_that_do_not_differ_have_an_interval_of_no_width() -> None:
    assert clustered_mean(np.full(5, 0.4), np.ones(5)).interval(0.95) == pytest.approx((0.4, 0.4))
    assert bootstrap_t(np.full(5, 0.4), np.ones(5), level=0.95, seed=1) == pytest.approx((0.4, 0.4))


@pytest.mark.parametrize("values", [[4.0] + [1.0] * 9, [-3.0, 5.0] + [0.0] * 18])
def test_that_clusters_of_which_few_differ_have_an_interval_with_both_its_bounds(values: list[float]) -> None:
    low, high = bootstrap_t(np.array(values), np.ones(len(values)), level=0.95, seed=1)
    assert -np.inf < low <= np.mean(values) <= high < np.inf
    if values[0] == 4.0:
        assert (low, high) == clustered_mean(np.array(values), np.ones(10)).interval(0.95)


def test_that_degrees_of_freedom_of_very_many_clusters_need_no_table_of_their_pairs() -> None:
    assert degrees_of_freedom(np.ones(500_000)) == pytest.approx(499_999)

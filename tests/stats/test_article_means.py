"""Means with intervals over articles."""

import json
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from gpf_desktop.stats.article_means import (
    ArticleSums,
    IntervalKind,
    article_sums,
    difference_interval,
    means,
    t_interval,
)
from gpf_desktop.stats.clusters import clustered_mean

CONFORMANCE = Path(__file__).parent.parent / "conformance"


def table(values, groups, articles):
    return article_sums(
        np.asarray(values, float),
        np.asarray(groups),
        np.asarray(articles),
        group_count=max(groups) + 1,
        article_count=max(articles) + 1,
    )


def test_that_the_paper_s_vendor_intervals_come_out_to_three_digits():
    data = json.loads((CONFORMANCE / "vendor_intervals.json").read_text(encoding="utf-8"))
    checked = 0
    for score in ("semantic", "sentiment"):
        for vendor in data[score].values():
            low, high = t_interval(np.array(vendor["model_means"]))
            assert [low, high] == pytest.approx(vendor["interval"], abs=data["tolerance"])
            checked += 1
    assert checked == 6


def test_that_unavailable_values_are_left_out_and_not_counted_as_zero():
    found = means(table([0.2, np.nan, 0.4], [0, 0, 0], [0, 1, 2]))
    assert found.value[0] == pytest.approx(0.3)
    assert found.n[0] == 2
    assert found.articles[0] == 2


def test_that_fewer_than_three_articles_give_no_interval():
    found = means(table([0.1, 0.2, 0.3, 0.4], [0, 0, 0, 0], [0, 0, 1, 1]))
    assert found.kind == (IntervalKind.NONE,)
    assert np.isnan(found.low[0])


def test_that_three_to_nine_articles_of_as_many_bundles_give_the_t_interval_over_article_means():
    values = [0.1, 0.3, 0.2, 0.4, 0.5, 0.7]
    found = means(table(values, [0] * 6, [0, 0, 1, 1, 2, 2]))
    by_article = np.array([0.2, 0.3, 0.6])
    expected = stats.t.interval(0.95, 2, loc=by_article.mean(), scale=by_article.std(ddof=1) / np.sqrt(3))
    assert found.kind == (IntervalKind.T,)
    assert (found.low[0], found.high[0]) == pytest.approx(expected)


def test_that_the_interval_is_about_the_mean_that_it_stands_beside():
    """Nine articles, one with 42 bundles: over unweighted article means the interval would end below the mean."""
    values, articles = [0.9] * 42 + [0.1] * 8, [0] * 42 + list(range(1, 9))
    found = means(table(values, [0] * 50, articles))
    assert found.value[0] == pytest.approx(0.772)
    assert (found.low[0] + found.high[0]) / 2 == pytest.approx(0.772)


@given(st.lists(st.tuples(st.floats(-1, 1), st.integers(1, 60)), min_size=3, max_size=30))
def test_that_intervals_of_many_groups_are_those_of_each_group_alone(articles):
    counts = np.array([count for _, count in articles], float)
    sums = np.array([mean for mean, _ in articles]) * counts
    both = ArticleSums(
        sums=np.stack([np.append(sums, 0), np.append(np.arange(len(sums)), 1.0)]),
        counts=np.stack([np.append(counts, 0), np.ones(len(sums) + 1)]),
    )
    found = means(both)
    assert (found.low[0], found.high[0]) == pytest.approx(clustered_mean(sums, counts).interval(0.95), abs=1e-9)
    assert found.low[0] <= found.value[0] + 1e-12


@pytest.mark.parametrize("articles", [5, 10, 12])
def test_that_the_interval_covers_the_mean_over_bundles_of_uneven_articles(articles):
    """At ten and twelve too, where a percentile bootstrap held 89 to 91 %."""
    rng = np.random.default_rng(20)
    counts = rng.integers(4, 43, (2000, articles)).astype(float)
    found = means(ArticleSums(sums=rng.normal(0.3, 0.1, counts.shape) * counts, counts=counts))
    assert 0.93 < ((found.low <= 0.3) & (found.high >= 0.3)).mean() < 0.985


def test_that_articles_are_the_unit_and_not_bundles():
    rng = np.random.default_rng(5)
    level_of_article = rng.normal(0.4, 0.1, 40)
    articles = np.repeat(np.arange(40), 25)
    values = level_of_article[articles] + rng.normal(0, 0.001, len(articles))
    found = means(table(values, np.zeros(len(values), int), articles))
    over_articles = 2 * stats.t.ppf(0.975, 39) * level_of_article.std(ddof=1) / np.sqrt(40)
    assert found.high[0] - found.low[0] == pytest.approx(over_articles, rel=0.01)


def test_that_skewed_scores_get_hall_s_transformation_from_five_articles_on():
    values = np.random.default_rng(5).lognormal(size=30)
    found = means(table(values, [0] * 30, list(range(30))), skewed=True)
    assert found.kind == (IntervalKind.TRANSFORMED,)
    # Hall 1992: of (T, skewness g / √n), T + γ T² / 3 + γ² T³ / 27 + γ / 6 is held against Student's quantile.
    bent = stats.skew(values, bias=False) / np.sqrt(30)
    for bound, quantile in ((found.low[0], stats.t.ppf(0.975, 29)), (found.high[0], stats.t.ppf(0.025, 29))):
        t = (values.mean() - bound) / (values.std(ddof=1) / np.sqrt(30))
        assert t + bent * t**2 / 3 + bent**2 * t**3 / 27 + bent / 6 == pytest.approx(quantile)
    few = table([0.1, 0.2, 0.9, 0.3], [0] * 4, [0, 1, 2, 3])
    assert means(few, skewed=True).kind == (IntervalKind.T,)
    assert means(few, skewed=True).low[0] == means(few).low[0]


@pytest.mark.parametrize("articles", [5, 12])
def test_that_the_transformed_t_holds_means_of_skewed_scores_of_even_and_uneven_articles(articles):
    rng = np.random.default_rng(21)
    for counts in (np.full(articles, 42.0), np.rint(np.linspace(6, 42, articles))):
        sums = (rng.gamma(2, 1, (2000, articles)) - 2) * counts
        table_of = ArticleSums(sums=sums, counts=np.tile(counts, (2000, 1)))
        held = [((each.low <= 0) & (each.high >= 0)).mean() for each in (means(table_of), means(table_of, skewed=True))]
        assert 0.92 < held[1] < 0.98
        assert held[1] > held[0]


def test_that_values_without_a_shape_have_plain_intervals():
    rng = np.random.default_rng(2)
    even = np.concatenate([rng.normal(0, 1, 6)] * 2) * np.repeat([1, -1], 6)
    for values in (even, np.full(12, 0.4)):
        made = table(values, [0] * 12, list(range(12)))
        assert means(made, skewed=True).low[0] == pytest.approx(means(made).low[0], abs=1e-9)


def test_that_a_group_s_interval_does_not_depend_on_which_other_groups_there_are():
    rng = np.random.default_rng(2)
    articles = np.tile(np.arange(15), 2)
    values = rng.random(30)
    both = means(table(values, np.repeat([0, 1], 15), articles))
    one = means(table(values[15:], [0] * 15, articles[15:]))
    assert (both.low[1], both.high[1]) == (one.low[0], one.high[0])


def test_that_the_difference_of_two_small_samples_has_welch_s_interval():
    rng = np.random.default_rng(8)
    a, b = rng.normal(0.5, 0.1, 6), rng.normal(0.3, 0.05, 8)
    kind, low, high = difference_interval((a, np.ones(6)), (b, np.ones(8)))
    expected = stats.ttest_ind(a, b, equal_var=False).confidence_interval()
    assert kind is IntervalKind.T
    assert (low, high) == pytest.approx((expected.low, expected.high))


def test_that_the_difference_of_uneven_articles_lies_around_that_of_the_means():
    first = np.array([42 * 0.9, 0.1, 0.1, 0.1]), np.array([42.0, 1, 1, 1])
    second = np.array([0.2, 0.3, 42 * 0.25, 0.2, 0.3]), np.array([1.0, 1, 42, 1, 1])
    _, low, high = difference_interval(first, second)
    assert (low + high) / 2 == pytest.approx(38.1 / 45 - 11.5 / 46)


def test_that_two_articles_in_a_stratum_allow_no_interval():
    kind, _, _ = difference_interval((np.ones(2), np.ones(2)), (np.ones(30), np.ones(30)))
    assert kind is IntervalKind.NONE

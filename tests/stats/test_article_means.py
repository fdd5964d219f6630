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
    ratio_interval,
    t_interval,
)

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
    found = means(table([0.2, np.nan, 0.4], [0, 0, 0], [0, 1, 2]), seed=1)
    assert found.value[0] == pytest.approx(0.3)
    assert found.n[0] == 2
    assert found.articles[0] == 2


def test_that_fewer_than_three_articles_give_no_interval():
    found = means(table([0.1, 0.2, 0.3, 0.4], [0, 0, 0, 0], [0, 0, 1, 1]), seed=1)
    assert found.kind == (IntervalKind.NONE,)
    assert np.isnan(found.low[0])


def test_that_three_to_nine_articles_of_as_many_bundles_give_the_t_interval_over_article_means():
    values = [0.1, 0.3, 0.2, 0.4, 0.5, 0.7]
    found = means(table(values, [0] * 6, [0, 0, 1, 1, 2, 2]), seed=1)
    by_article = np.array([0.2, 0.3, 0.6])
    expected = stats.t.interval(0.95, 2, loc=by_article.mean(), scale=by_article.std(ddof=1) / np.sqrt(3))
    assert found.kind == (IntervalKind.T,)
    assert (found.low[0], found.high[0]) == pytest.approx(expected)


def test_that_the_interval_is_about_the_mean_that_it_stands_beside():
    """Nine articles, one with 42 bundles: over unweighted article means the interval would end below the mean."""
    values, articles = [0.9] * 42 + [0.1] * 8, [0] * 42 + list(range(1, 9))
    found = means(table(values, [0] * 50, articles), seed=1)
    residuals = np.array([42 * (0.9 - 0.772)] + [0.1 - 0.772] * 8)
    half = stats.t.ppf(0.975, 8) * np.sqrt(9 / 8 * (residuals**2).sum()) / 50
    assert found.value[0] == pytest.approx(0.772)
    assert (found.low[0], found.high[0]) == pytest.approx((0.772 - half, 0.772 + half))


@given(st.lists(st.tuples(st.floats(-1, 1), st.integers(1, 60)), min_size=3, max_size=9))
def test_that_a_mean_of_few_articles_lies_inside_its_interval(articles):
    counts = np.array([count for _, count in articles], float)
    sums = np.array([mean for mean, _ in articles]) * counts
    low, high = ratio_interval(sums, counts)
    assert low <= sums.sum() / counts.sum() <= high


@given(st.lists(st.floats(-1, 1), min_size=3, max_size=9), st.integers(1, 60))
def test_that_articles_of_one_weight_have_the_plain_t_interval(by_article, bundles):
    values = np.array(by_article)
    found = ratio_interval(values * bundles, np.full(len(values), float(bundles)))
    assert found == pytest.approx(t_interval(values), abs=1e-9)


def test_that_the_t_interval_covers_the_mean_over_bundles_of_uneven_articles():
    rng = np.random.default_rng(20)
    inside = 0
    for _ in range(2000):
        counts = rng.integers(4, 43, 8).astype(float)
        low, high = ratio_interval(rng.normal(0.3, 0.1, 8) * counts, counts)
        inside += low <= 0.3 <= high
    assert inside / 2000 > 0.91


def test_that_ten_articles_give_a_bootstrap_over_articles_and_not_over_bundles():
    rng = np.random.default_rng(5)
    level_of_article = rng.normal(0.4, 0.1, 40)
    articles = np.repeat(np.arange(40), 25)
    values = level_of_article[articles] + rng.normal(0, 0.001, len(articles))
    found = means(table(values, np.zeros(len(values), int), articles), seed=3)
    assert found.kind == (IntervalKind.BOOTSTRAP,)
    width = found.high[0] - found.low[0]
    over_articles = 2 * 1.96 * level_of_article.std(ddof=1) / np.sqrt(40)
    assert width == pytest.approx(over_articles, rel=0.15)


def test_that_the_bootstrap_agrees_with_resampling_article_by_article():
    rng = np.random.default_rng(11)
    articles = rng.integers(0, 12, 200)
    values = rng.random(200)
    found = means(table(values, np.zeros(200, int), articles), seed=9, replicates=4000)
    slow = []
    for _ in range(4000):
        chosen = rng.integers(0, 12, 12)
        picked = np.concatenate([values[articles == article] for article in chosen])
        slow.append(picked.mean())
    assert (found.low[0], found.high[0]) == pytest.approx(np.quantile(slow, [0.025, 0.975]), abs=0.004)


def test_that_a_group_s_interval_does_not_depend_on_which_other_groups_there_are():
    rng = np.random.default_rng(2)
    articles = np.tile(np.arange(15), 2)
    values = rng.random(30)
    both = means(table(values, np.repeat([0, 1], 15), articles), seed=4)
    one = means(table(values[15:], [0] * 15, articles[15:]), seed=4)
    assert (both.low[1], both.high[1]) == (one.low[0], one.high[0])


def test_that_the_same_seed_gives_the_same_interval_and_another_seed_another():
    rng = np.random.default_rng(2)
    made = table(rng.random(30), [0] * 30, list(range(30)))
    assert means(made, seed=4).low[0] == means(made, seed=4).low[0]
    assert means(made, seed=4).low[0] != means(made, seed=5).low[0]


def test_that_the_difference_of_two_small_samples_has_welch_s_interval():
    rng = np.random.default_rng(8)
    a, b = rng.normal(0.5, 0.1, 6), rng.normal(0.3, 0.05, 8)
    kind, low, high = difference_interval((a, np.ones(6)), (b, np.ones(8)), seed=1)
    expected = stats.ttest_ind(a, b, equal_var=False).confidence_interval()
    assert kind is IntervalKind.T
    assert (low, high) == pytest.approx((expected.low, expected.high))


def test_that_the_difference_of_uneven_articles_lies_around_that_of_the_means():
    first = np.array([42 * 0.9, 0.1, 0.1, 0.1]), np.array([42.0, 1, 1, 1])
    second = np.array([0.2, 0.3, 42 * 0.25, 0.2, 0.3]), np.array([1.0, 1, 42, 1, 1])
    _, low, high = difference_interval(first, second, seed=1)
    assert (low + high) / 2 == pytest.approx(38.1 / 45 - 11.5 / 46)


def test_that_the_difference_of_two_large_samples_is_resampled_within_each():
    rng = np.random.default_rng(8)
    a, b = rng.normal(0.5, 0.1, 40), rng.normal(0.3, 0.05, 30)
    kind, low, high = difference_interval((a, np.ones(40)), (b, np.ones(30)), seed=1)
    half = 1.96 * np.sqrt(a.var(ddof=1) / 40 + b.var(ddof=1) / 30)
    assert kind is IntervalKind.BOOTSTRAP
    assert (low, high) == pytest.approx((a.mean() - b.mean() - half, a.mean() - b.mean() + half), abs=0.012)


def test_that_two_articles_in_a_stratum_allow_no_interval():
    kind, _, _ = difference_interval((np.ones(2), np.ones(2)), (np.ones(30), np.ones(30)), seed=1)
    assert kind is IntervalKind.NONE


def test_that_resampling_in_parts_gives_whole_numbers_of_articles():
    many = ArticleSums(sums=np.ones((1, 3000)), counts=np.ones((1, 3000)))
    found = means(many, seed=1)
    assert (found.low[0], found.high[0]) == (1.0, 1.0)

"""Readers against made-up labels: what a model's own articles weigh, and what those of the page."""

import numpy as np
import pytest
from scipy.special import polygamma

from gpf_desktop.methods.gpf_livenews.concluding.framing import (
    CONTENT_SHARE,
    MOST_FREEDOM,
    ArticleScores,
    Pool,
    fixed_bound,
    framed,
    page_range,
    pools,
    stricter,
    weight_of_page,
)
from gpf_desktop.stats.spending import SpendingFunction
from tests.benchmarks.validity_conclusions import ALPHA, TONE, Null, limits_of, pages_of, told_at

NINE = np.full(5, 9.0)


def articles(spread: float, seed: int, framing: float = 0.0) -> ArticleScores:
    """Ten, in which labels move a model by .28 and readers by so much more."""
    draw = np.random.default_rng(seed)
    apart = draw.normal(0, 1, 10)
    apart = framing + spread * (apart - apart.mean()) / apart.std(ddof=1)
    labels = np.full(10, 0.28)
    return ArticleScores(batch=np.arange(10), planned=labels + apart, other_words=labels + apart, labels=labels)


def found(models: list[ArticleScores]) -> list[bool]:
    limit = fixed_bound(ALPHA, len(models) / CONTENT_SHARE)
    return [framed(each, (10,), (limit,), pools(models), models=len(models))[1].found for each in models]


def test_that_the_page_weighs_the_less_the_less_alike_its_models_vary() -> None:
    alike, unlike, apart = (
        float(weight_of_page(np.array([each]), NINE)[0])
        for each in ([1, 1.1, 0.9, 1, 1], [1, 2, 0.5, 1, 3], [1, 50, 1, 20, 1])
    )
    assert alike == pytest.approx(36)
    assert alike > unlike > apart > 0
    assert Pool.of(np.array([1.0]), np.array([9.0])) is None
    assert Pool.of(np.zeros(3), np.full(3, 9.0)) is None


@pytest.mark.parametrize("freedom", [0.5, 4.0, 30.0])
def test_that_a_prior_of_so_many_degrees_of_freedom_is_known_by_what_it_makes_logarithms_vary(freedom: float) -> None:
    """Of variances whose logarithms vary by just so much more than chance makes them."""
    unlike = float(polygamma(1, freedom / 2) + polygamma(1, 4.5))
    logs = np.array([-1.0, 1.0]) * np.sqrt(unlike / 2)
    assert weight_of_page(np.exp(logs)[None], np.array([9.0, 9.0]))[0] == pytest.approx(min(freedom, 9.0), rel=1e-3)


def test_that_what_the_page_adds_is_bounded() -> None:
    pool = Pool.of(np.ones(5), NINE)
    assert pool is not None
    variance, freedom = pool.beside(4.0, 9.0)
    assert 1 < variance < 4
    assert freedom == MOST_FREEDOM * 9


def test_that_a_model_is_found_beside_others_that_vary_three_times_as_much() -> None:
    wide = [articles(0.06, seed) for seed in range(4)]
    assert found([articles(0.02, 9, framing=0.05), *wide]) == [True, False, False, False, False]


def test_that_a_page_of_one_model_is_held_as_one_of_three() -> None:
    limit = fixed_bound(ALPHA, 1 / CONTENT_SHARE)
    near = articles(0.02, 3, framing=0.016)
    apart = near.other_words - near.labels
    plain, strict = (page_range(apart, near.batch, each) for each in (limit, stricter(limit, 1)))
    assert plain is not None
    assert strict is not None
    assert plain.low > 0 > strict.low
    (told,) = found([near])
    assert not told


@pytest.mark.parametrize("n", [3, 10, 30])
def test_that_labels_far_ahead_in_few_articles_seldom_name_a_model_that_is_alone(n: int) -> None:
    draw, some = np.random.default_rng(5), np.zeros(2000, bool)
    null = Null(any_label=0.28, part=0.05, tail="to the left")
    for scale, (limit,) in limits_of((n,), 1, SpendingFunction.POCOCK).items():
        some |= told_at(pages_of(draw, 2000, 1, n, null, scale=scale), n, limit).found.any(axis=1)
    assert some.mean() < 0.055, f"of a page with scales 1 and {TONE}"

"""What models of a page vary by together against made-up labels, with values worked by hand."""

import math
from collections.abc import Sequence

import numpy as np
import pytest

from gpf_desktop.methods.gpf_livenews.concluding.framing import ArticleScores, Pool, alone, framed, pools

FIVE_IN_100 = 1.6448536
"""The normal deviate of one side at 5%."""


def model(apart: Sequence[float]) -> ArticleScores:
    """One whose readers lie *apart* from made-up labels by so much, article by article."""
    labels = np.full(len(apart), 0.25)
    return ArticleScores(
        batch=np.arange(len(apart)), planned=np.asarray(apart), other_words=np.asarray(apart) + labels, labels=labels
    )


WIDE = model([0.0, 2.0, 4.0, 2.0])
"""Variance 8/3 over four articles, 4 over the first three."""
NARROW = model([1.0, 2.0, 3.0, math.nan])
"""Variance 1 over three articles."""
SHORT = model([5.0, math.nan, math.nan, 9.0])
"""Too few for a variance."""


@pytest.mark.parametrize(
    ("variances", "freedoms", "variance", "freedom"),
    [
        ([3.0, 3.0], [2.0, 6.0], 3.0, 8.0),
        # (2·4 + 6·1) / 8, and 14² / (8·4 + 6·1)
        ([4.0, 1.0], [2.0, 6.0], 14 / 8, 196 / 38),
        ([9.0, 0.0], [3.0, 3.0], 4.5, 3.0),
    ],
)
def test_that_variances_are_pooled_by_their_degrees_of_freedom_and_unlike_ones_leave_fewer(
    variances: list[float], freedoms: list[float], variance: float, freedom: float
) -> None:
    found = Pool.of(np.array(variances), np.array(freedoms))
    assert found is not None
    assert (found.variance, found.freedom) == pytest.approx((variance, freedom))


def test_that_one_model_and_models_that_never_vary_have_no_pool() -> None:
    assert Pool.of(np.array([2.0]), np.array([3.0])) is None
    assert Pool.of(np.array([0.0, 0.0]), np.array([3.0, 2.0])) is None
    assert alone(4) is None
    assert pools([WIDE, SHORT])(4) is None, "one of them has a variance"


def test_that_a_page_pools_what_its_models_have_up_to_a_look() -> None:
    at = pools([WIDE, NARROW, SHORT])
    both, first = at(4), at(3)
    assert both is not None
    assert first is not None
    # (3·8/3 + 2·1) / 5, and 10² / (8·8/3 + 2·1)
    assert (both.variance, both.freedom) == pytest.approx((2.0, 30 / 7))
    # (2·4 + 2·1) / 4, and 10² / (8·4 + 2·1)
    assert (first.variance, first.freedom) == pytest.approx((2.5, 50 / 17))


def test_that_a_model_is_held_to_the_larger_of_its_own_spread_and_the_page_s() -> None:
    at = pools([WIDE, NARROW])
    (_, wide), (_, narrow) = (framed(each, (4,), (FIVE_IN_100,), at) for each in (WIDE, NARROW))
    assert wide.beyond_labels is not None
    assert narrow.beyond_labels is not None
    assert wide.beyond_labels.error == pytest.approx((8 / 3 / 4) ** 0.5), "its own, above the page's √(2/4)"
    assert narrow.beyond_labels.error == pytest.approx((2 / 3) ** 0.5), "the page's, above its own √(1/3)"
    # Of 30/7 degrees of freedom it has twice its own two at most: Student's quantile of four is 2.1318.
    ends = (narrow.beyond_labels.low, narrow.beyond_labels.high)
    assert ends == pytest.approx((2 - 2.1318 * 0.8165, 2 + 2.1318 * 0.8165), abs=1e-4)
    _, single = framed(NARROW, (4,), (FIVE_IN_100,))
    assert single.beyond_labels is not None
    # Alone it has two degrees of freedom: 2.9200 · √(1/3).
    assert single.beyond_labels.low == pytest.approx(2 - 2.92 * 0.57735, abs=1e-4)

"""What models of a page vary by together against made-up labels, with values worked by hand."""

import math
from collections.abc import Sequence

import numpy as np
import pytest
from scipy.optimize import brentq
from scipy.special import polygamma
from scipy.stats import t

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
    ("variances", "freedoms", "variance"),
    # (2·3 + 6·3) / 8, and (2·4 + 6·1) / 8
    [([3.0, 3.0], [2.0, 6.0], 3.0), ([4.0, 1.0], [2.0, 6.0], 14 / 8)],
)
def test_that_alike_variances_are_pooled_by_their_degrees_of_freedom_and_weigh_as_all_models_but_one(
    variances: list[float], freedoms: list[float], variance: float
) -> None:
    found = Pool.of(np.array(variances), np.array(freedoms))
    assert found is not None
    assert (found.variance, found.freedom) == pytest.approx((variance, 8 / 2))


def test_that_unlike_variances_weigh_little() -> None:
    found = Pool.of(np.array([9.0, 0.09]), np.array([3.0, 3.0]))
    assert found is not None
    # Half the square of ln 100, less trigamma(3/2) = π²/2 − 4, is trigamma of half the weight.
    unlike = math.log(100) ** 2 / 2 - (math.pi**2 / 2 - 4)
    weight = 2 * brentq(lambda half: polygamma(1, half) - unlike, 1e-3, 10)
    assert (found.variance, found.freedom) == pytest.approx((4.545, weight))
    assert weight < 1


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
    # (3·8/3 + 2·1) / 5, and half of five degrees of freedom
    assert (both.variance, both.freedom) == pytest.approx((2.0, 5 / 2))
    # (2·4 + 2·1) / 4, and half of four
    assert (first.variance, first.freedom) == pytest.approx((2.5, 4 / 2))


def test_that_a_model_s_own_spread_is_drawn_towards_the_page_s() -> None:
    at = pools([WIDE, NARROW])
    (_, wide), (_, narrow) = (framed(each, (4,), (FIVE_IN_100,), at) for each in (WIDE, NARROW))
    assert wide.beyond_labels is not None
    assert narrow.beyond_labels is not None
    # (2.5·2 + 3·8/3) / 5.5 over four articles, and (2.5·2 + 2·1) / 4.5 over three
    assert wide.beyond_labels.error == pytest.approx((13 / 5.5 / 4) ** 0.5)
    assert narrow.beyond_labels.error == pytest.approx((7 / 4.5 / 3) ** 0.5)
    # Of 4.5 degrees of freedom it has one and a half times its own two at most; and it is one of three tests.
    below, above = (t.ppf(1 - chance / 3, 3) * (7 / 4.5 / 3) ** 0.5 for chance in (0.05, 0.05 / 4))
    assert (narrow.beyond_labels.low, narrow.beyond_labels.high) == pytest.approx((2 - below, 2 + above), abs=1e-6)


def test_that_a_model_alone_has_its_own_spread() -> None:
    _, single = framed(NARROW, (4,), (FIVE_IN_100,))
    assert single.beyond_labels is not None
    assert single.beyond_labels.low == pytest.approx(2 - t.ppf(1 - 0.05 / 3, 2) / 3**0.5, abs=1e-6)

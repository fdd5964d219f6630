"""Agreement between reviewers, against published and hand-worked values."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpf_desktop.stats.agreement import alpha_nominal, alpha_ordinal, cohen, raw, with_interval


@pytest.mark.parametrize(
    ("units", "alpha"),
    [
        ([[1, 1, 1], [0, 0, 0], [1, 1, 1], [0, 0, 1]], 1 - Fraction(132, 420)),
        ([[0, 1], [0, 1], [1, 0], [1, 0]], Fraction(-3, 4)),
    ],
)
def test_that_nominal_alpha_has_the_reference_values(units: list[list[int]], alpha: Fraction) -> None:
    assert alpha_nominal(units) == pytest.approx(float(alpha), abs=1e-12)


def test_that_ordinal_alpha_has_the_reference_value() -> None:
    assert alpha_ordinal([[1, 1], [3, 4], [5, 5]]) == pytest.approx(94 / 99, abs=1e-12)


def test_that_missing_judgements_are_left_out_of_alpha() -> None:
    complete = [["a", "a"], ["b", "b"], ["a", "b"]]
    with_gaps = [["a", "a", None], [None, "b", "b"], ["a", None, "b"], ["a", None, None]]
    assert alpha_nominal(with_gaps) == pytest.approx(alpha_nominal(complete) or 0.0)


def test_that_kappa_is_cohens() -> None:
    # Cohen (1960): 25 yes-yes, 10 yes-no, 15 no-yes, 20 no-no of 70.
    units = [["y", "y"]] * 25 + [["y", "n"]] * 10 + [["n", "y"]] * 15 + [["n", "n"]] * 20
    observed, expected = 45 / 70, (35 * 40 + 35 * 30) / 70**2
    assert cohen(units) == pytest.approx((observed - expected) / (1 - expected))
    assert raw(units) == pytest.approx(observed)


@pytest.mark.parametrize("statistic", [cohen, alpha_nominal, alpha_ordinal])
def test_that_nothing_is_claimed_where_nothing_varies(statistic: object) -> None:
    assert statistic([[1, 1], [1, 1]]) is None  # type: ignore[operator]
    assert statistic([]) is None  # type: ignore[operator]
    assert raw([[1, 1], [1, 1]]) == 1
    assert raw([[1, None]]) is None


def test_that_an_interval_is_by_articles_and_needs_ten() -> None:
    units = [["a", "a"], ["b", "b"], ["a", "b"], ["a", "a"]] * 5
    few = with_interval(alpha_nominal, units, [n % 9 for n in range(20)], seed=1)
    assert (few.low, few.high, few.units, few.articles) == (None, None, 20, 9)
    many = with_interval(alpha_nominal, units, list(range(20)), seed=1)
    assert many.low is not None
    assert many.high is not None
    assert many.value is not None
    assert many.low < many.value < many.high
    assert many == with_interval(alpha_nominal, units, list(range(20)), seed=1)


def test_that_bundles_of_one_reviewer_are_not_counted() -> None:
    found = with_interval(raw, [["a", None], ["a", "a"]], ["x", "y"], seed=1)
    assert (found.units, found.articles, found.value) == (1, 1, 1.0)


@given(st.lists(st.lists(st.sampled_from([1, 2, 3, None]), min_size=3, max_size=3), max_size=12))
def test_that_alpha_never_exceeds_one_and_is_one_exactly_where_all_agree(units: list[list[int | None]]) -> None:
    for alpha in (alpha_nominal(units), alpha_ordinal(units)):
        if alpha is not None:
            assert alpha <= 1 + 1e-12
            agree = all(len({value for value in unit if value is not None}) < 2 for unit in units)
            assert (abs(alpha - 1) < 1e-12) == agree

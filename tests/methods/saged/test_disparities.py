"""Disparities against examples worked by hand, and critical values against published ones."""

import numpy as np
import pytest
from scipy import stats

from gpf_desktop.methods.saged.disparities import disparities, dixon_critical, dixon_low, z_ceiling


def of(*values: float, statistic: str = "mean") -> dict[str, float]:
    return {name: float(each[0]) for name, each in disparities({statistic: np.array([values])})[statistic].items()}


def test_that_disparities_of_four_groups_are_those_worked_by_hand() -> None:
    found = of(0.2, 0.4, 0.5, 0.9)
    assert found["range"] == pytest.approx(0.7)
    assert found["min_max_ratio"] == pytest.approx(2 / 9)
    assert found["sd"] == pytest.approx(0.29439202887759491)
    assert found["max_z"] == pytest.approx(0.4 / 0.29439202887759491)
    assert found["published_z"] == pytest.approx(np.max(stats.zscore([0.2, 0.4, 0.5, 0.9])))
    assert found["dixon_low"] == pytest.approx(2 / 7)
    assert found["dixon_high"] == pytest.approx(4 / 7)
    assert np.isnan(found["impact_ratio"])
    assert of(0.2, 0.9, statistic="selection_rate")["impact_ratio"] == pytest.approx(2 / 9)


def test_that_ratios_are_of_what_cannot_be_negative() -> None:
    assert np.isnan(of(-0.1, 0.4)["min_max_ratio"])
    assert np.isnan(of(0.0, 0.0)["min_max_ratio"])
    assert of(0.0, 0.4)["min_max_ratio"] == 0


def test_that_groups_without_a_statistic_are_left_out() -> None:
    assert of(0.2, np.nan, 0.4, 0.5, 0.9) == pytest.approx(of(0.2, 0.4, 0.5, 0.9), nan_ok=True)
    assert np.isnan(list(of(0.2, np.nan).values())).all()
    assert np.isnan(of(0.3, 0.3, 0.3)["max_z"])
    assert np.isnan(of(0.3, 0.3, 0.3)["published_z"])


def test_that_groups_that_are_equal_but_for_rounding_are_equal() -> None:
    """Baselines that differ by names alone had a Dixon's ratio of 1: "concentrated in one concept"."""
    tenth = 0.1 + 0.2
    assert of(0.3, 0.3, tenth, np.nan, 0.3) == pytest.approx(of(0.3, 0.3, 0.3, np.nan, 0.3), nan_ok=True, abs=0)
    found = of(0.3, 0.3, tenth)
    assert [found[name] for name in ("range", "sd", "min_max_ratio")] == [0, 0, 1]
    assert np.isnan([found[name] for name in ("max_z", "dixon_low", "dixon_high")]).all()


@pytest.mark.parametrize(
    ("n", "numerator", "denominator"),
    [(3, 1, 4), (7, 1, 36), (8, 1, 36), (10, 1, 64), (11, 4, 81), (13, 4, 121), (14, 4, 121), (30, 4, 729)],
)
def test_that_dixons_ratio_is_the_one_for_so_many_groups(n: int, numerator: int, denominator: int) -> None:
    squares = np.arange(n, dtype=float)[None, ::-1] ** 2
    assert dixon_low(squares)[0] == pytest.approx(numerator / denominator)


def test_that_dixons_ratio_is_for_3_to_30_groups() -> None:
    assert np.isnan(dixon_low(np.arange(2.0)[None])[0])
    assert np.isnan(dixon_low(np.arange(31.0)[None])[0])
    assert dixon_critical(2) is None
    assert dixon_critical(31) is None


@pytest.mark.parametrize(("n", "published"), [(3, 0.970), (4, 0.829), (5, 0.710), (6, 0.625), (7, 0.568)])
def test_that_critical_values_are_near_the_published_ones(n: int, published: float) -> None:
    assert dixon_critical(n) == pytest.approx(published, abs=0.0025)


@pytest.mark.parametrize("n", [9, 12, 20])
def test_that_normal_samples_pass_a_critical_value_as_often_as_it_says(n: int) -> None:
    drawn = np.random.default_rng(n).standard_normal((40_000, n))
    passed = (dixon_low(drawn) > dixon_critical(n)).mean()
    assert passed == pytest.approx(0.025, abs=0.004)


def test_that_one_group_far_from_equal_ones_has_the_largest_z_there_is() -> None:
    assert of(0, 0, 0, 0, 5)["max_z"] == pytest.approx(z_ceiling(5))

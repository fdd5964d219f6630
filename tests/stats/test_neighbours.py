"""That what was asked one after another widens a range where it goes together, and nowhere else."""

import numpy as np
import pytest

from gpf_desktop.stats.neighbours import as_many, by_chance, inflation


def in_a_row(correlation: float, n: int, series: int, seed: int) -> np.ndarray:
    draw = np.random.default_rng(seed)
    found = draw.normal(size=(n, series))
    for at in range(1, n):
        found[at] = correlation * found[at - 1] + np.sqrt(1 - correlation**2) * found[at]
    return found


@pytest.mark.parametrize(("correlation", "least", "most"), [(0.3, 1.6, 2.0), (0.6, 3.0, 4.2)])
def test_that_rows_in_a_row_count_as_as_many_as_an_autoregression_says(
    correlation: float, least: float, most: float
) -> None:
    found = [inflation(in_a_row(correlation, 60, 8, seed)) for seed in range(40)]
    assert least < float(np.mean(found)) < most


def test_that_independent_rows_are_seldom_widened() -> None:
    found = np.array([inflation(in_a_row(0.0, 30, 4, seed)) for seed in range(100)])
    assert np.mean(found == 1.0) > 0.7
    assert found.mean() < 1.12


@pytest.mark.parametrize("n", [16, 60])
def test_that_independent_rows_are_widened_as_often_and_as_much_as_is_promised(n: int) -> None:
    promised = by_chance(n)
    found = np.array([inflation(in_a_row(0.0, n, 1, seed)) for seed in range(400)])
    assert sum(share for share, _ in promised) == pytest.approx(1)
    assert found.mean() == pytest.approx(sum(share * widened for share, widened in promised), abs=0.06)


def test_that_rows_that_lack_and_rows_that_do_not_vary_are_no_trouble() -> None:
    lacking = in_a_row(0.6, 60, 4, 1)
    lacking[::7, 0] = np.nan
    assert inflation(lacking) > 2
    assert inflation(np.ones((20, 3))) == 1.0
    assert inflation(np.arange(2.0)[:, None]) == 1.0
    assert as_many(30, 1.9) == 16

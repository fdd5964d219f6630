import numpy as np
import pytest

from gpf_desktop.stats.spending import SpendingFunction, bounds, spent

FIVE = [0.2, 0.4, 0.6, 0.8, 1.0]


@pytest.mark.parametrize(
    ("how", "printed"),
    [
        (SpendingFunction.OBRIEN_FLEMING, [4.877, 3.357, 2.680, 2.290, 2.031]),
        (SpendingFunction.POCOCK, [2.438, 2.427, 2.410, 2.397, 2.386]),
    ],
)
def test_that_five_equal_looks_have_the_bounds_that_are_printed_for_them(
    how: SpendingFunction, printed: list[float]
) -> None:
    """Two-sided α = .05, as printed for Lan and DeMets's functions (Reboussin, DeMets, Kim and Lan 2000)."""
    assert bounds(FIVE, 0.05, how) == pytest.approx(printed, abs=2e-3)


def test_that_one_look_is_the_plain_test_and_everything_is_spent_at_the_end() -> None:
    for how in SpendingFunction:
        assert bounds([1.0], 0.05, how) == pytest.approx([1.959964], abs=1e-4)
        assert spent(1.0, 0.05, how) == pytest.approx(0.05)


def test_that_looking_at_uneven_times_keeps_the_level() -> None:
    times = np.array([0.1, 0.15, 0.5, 0.9, 1.0])
    draw = np.random.default_rng(4)
    paths = np.cumsum(draw.normal(0, np.sqrt(np.diff(times, prepend=0)), (100_000, 5)), axis=1) / np.sqrt(times)
    for how in SpendingFunction:
        outside = np.abs(paths) > bounds(times.tolist(), 0.05, how)
        assert outside.any(axis=1).mean() == pytest.approx(0.05, abs=0.003)

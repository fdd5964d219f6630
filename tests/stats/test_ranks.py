"""Rank correlation against scipy's."""

import numpy as np
import pytest
from scipy.stats import spearmanr

from gpf_desktop.stats.ranks import rank_correlation


@pytest.mark.parametrize("levels", [3, 10, 10_000])
def test_that_rank_correlation_is_scipy_s_with_ties_and_without(levels: int) -> None:
    draw = np.random.default_rng(levels)
    left = draw.integers(0, levels, 500).astype(float)
    right = left + draw.integers(0, levels, 500)
    assert rank_correlation(left, right) == pytest.approx(float(spearmanr(left, right).statistic), abs=1e-12)


def test_that_what_does_not_vary_has_no_rank_correlation() -> None:
    assert rank_correlation(np.ones(5), np.arange(5.0)) is None
    assert rank_correlation(np.arange(2.0), np.arange(2.0)) is None

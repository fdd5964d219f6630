"""Ranks and their correlation, without a package that takes a second to import."""

import numpy as np

from gpf_desktop.arrays import Floats


def ranks(values: Floats) -> Floats:
    """The ranks of *values* (n,) without NaN, from 1; equal ones share the mean of theirs."""
    _, place, counts = np.unique(values, return_inverse=True, return_counts=True)
    last = np.cumsum(counts)
    # Equal values hold the ranks last − count + 1 … last, whose mean this is.
    means: Floats = last - (counts - 1) / 2
    return means[place]


def rank_correlation(left: Floats, right: Floats) -> float | None:
    """Spearman's, of two (n,) without NaN; None under three pairs and where one side does not vary."""
    if len(left) < 3 or np.ptp(left) == 0 or np.ptp(right) == 0:
        return None
    return float(np.corrcoef(ranks(left), ranks(right))[0, 1])

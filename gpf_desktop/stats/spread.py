"""How far the tones of a bundle lie apart (method, "Scores of a bundle"), for many bundles of one size at once."""

from functools import cache
from math import comb

import numpy as np

from gpf_desktop.arrays import Floats
from gpf_desktop.stats.sums import ordered_means, ordered_sums


def ranges(tones: Floats) -> Floats:
    """max - min of each row of *tones* (b, n)."""
    wide: Floats = tones.max(axis=1) - tones.min(axis=1)
    return wide


def mean_absolute_deviations(tones: Floats) -> Floats:
    """Mean distance to the row's mean, of each row of *tones* (b, n)."""
    # From the first value on, so that equal tones deviate by exactly 0.
    shifted = tones - tones[:, :1]
    return ordered_means(np.abs(shifted - ordered_means(shifted)[:, None]))


@cache
def rarefaction_weights(n: int, m: int) -> Floats:
    """Weights of the order statistics in the expected range of a random subset of m of n values, 2 ≤ m ≤ n.

    The i-th smallest is a subset's largest in C(i-1, m-1) of the C(n, m) subsets, its smallest in C(n-i, m-1).
    """
    if not 2 <= m <= n:
        raise ValueError(f"no subset of {m} of {n} values has a range")
    # Whole numbers until the one division: C(n, m) outgrows what floats hold exactly.
    return np.array([(comb(i - 1, m - 1) - comb(n - i, m - 1)) / comb(n, m) for i in range(1, n + 1)], np.float64)


def rarefied_ranges(tones: Floats, m: int) -> Floats:
    """Expected range of a random subset of size m of each row of *tones* (b, n), exactly; 2 ≤ m ≤ n."""
    return ordered_sums(np.sort(tones, axis=1) * rarefaction_weights(tones.shape[1], m))

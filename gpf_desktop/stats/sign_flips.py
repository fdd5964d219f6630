"""Tests of many columns, each by itself, for a mean that is not 0, by flipping signs of whole clusters.

Under no effect a cluster's row of deviations is as likely as its negative, which is exact for symmetrical deviations.
"""

from typing import Final

import numpy as np

from gpf_desktop.arrays import Floats

FLIPS: Final = 9_999
"""p can be as small as 1 in 10,000 then."""
_AT_ONCE: Final = 1_000_000
"""Signs drawn at a time."""
EVERY_FLIP_UP_TO: Final = 11
"""Clusters; 2^11 ways, half of which say the same."""
_TIE: Final = 1e-9


def flip_p(values: Floats, *, seed: int) -> Floats:
    """(columns,): two-sided p of the mean of each of *values* (clusters, columns); NaN: the cluster lacks the column.

    1 where a column is 0 throughout. Every flip is tried up to 11 clusters, `FLIPS` are drawn from *seed* above, the
    same for all columns (Fisher 1935, "The Design of Experiments", §21; Phipson and Smyth 2010).
    """
    filled: Floats = np.nan_to_num(values)
    clusters = len(filled)
    observed = np.abs(filled.sum(axis=0)) - _TIE * np.abs(filled).sum(axis=0)
    if clusters <= EVERY_FLIP_UP_TO:
        reached = (np.abs(every_flip(clusters) @ filled) >= observed).mean(axis=0)
    else:
        generator = np.random.default_rng((seed, clusters))
        count, step = np.ones(filled.shape[1]), max(1, _AT_ONCE // clusters)
        for begin in range(0, FLIPS, step):
            kept = generator.integers(0, 2, (min(step, FLIPS - begin), clusters), dtype=np.int8)
            count += (np.abs((2.0 * kept - 1.0) @ filled) >= observed).sum(axis=0)
        reached = count / (FLIPS + 1)
    p: Floats = np.where(filled.any(axis=0), reached, 1.0)
    return p


def every_flip(clusters: int) -> Floats:
    """(flips, clusters): the last cluster keeps its sign, since a flip and its opposite say the same."""
    numbers = np.arange(2 ** max(clusters - 1, 0))
    signs: Floats = np.where(numbers[:, None] >> np.arange(clusters) & 1, -1.0, 1.0)
    return signs

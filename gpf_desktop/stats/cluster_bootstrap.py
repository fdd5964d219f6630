"""Sums over clusters drawn again: the bootstrap where every statistic is made of sums over the same clusters.

Ratios of sums, means of contexts that all items were asked in, standard deviations of such means: each draw's sums are
enough for all of them, so clusters are drawn once and multiplied with all columns at a time.
"""

from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

from gpf_desktop.arrays import Floats

REPLICATES: Final = 2000
LEAST_CLUSTERS: Final = 6
"""Below, nothing is drawn: so few leave out what the next one would show, and five all agree by chance alone once in
sixteen times."""
_LEVEL: Final = 0.95
_AT_ONCE: Final = 1_000_000
"""Drawn clusters held at a time."""


def resampled_sums(columns: Floats, *, seed: int) -> Floats:
    """The sum of each of *columns* (clusters, k) over as many clusters drawn with replacement; (`REPLICATES`, k).

    The same seed and number of clusters draw the same clusters, so that two calls are paired. NaN of fewer than
    `LEAST_CLUSTERS`, of which there is no interval.
    """
    if len(columns) < LEAST_CLUSTERS:
        return np.full((REPLICATES, columns.shape[1]), np.nan)
    often = _often(len(columns), seed, REPLICATES)
    step = max(1, _AT_ONCE // len(columns))
    return np.vstack([often[begin : begin + step].astype(np.float64) @ columns for begin in range(0, REPLICATES, step)])


@lru_cache(maxsize=2)
def _often(clusters: int, seed: int, draws: int) -> NDArray[np.uint16]:
    """(draws, clusters): how often each was drawn. Kept, since one study asks again and again for the same."""
    generator = np.random.default_rng((seed, clusters))
    # A quarter of what floats would hold; no cluster comes near 65,535 in one draw.
    often = np.empty((draws, clusters), dtype=np.uint16)
    step = max(1, _AT_ONCE // clusters)
    for begin in range(0, draws, step):
        size = min(step, draws - begin)
        drawn = generator.integers(0, clusters, (size, clusters)) + np.arange(size)[:, None] * clusters
        often[begin : begin + size] = np.bincount(drawn.ravel(), minlength=size * clusters).reshape(size, clusters)
    # The cache hands one array to every caller.
    often.flags.writeable = False
    return often


def percentile_interval(drawn: Floats) -> tuple[Floats, Floats]:
    """Low and high of each column of *drawn* (draws, …) by percentiles (Efron 1981); NaN where a column has none.

    Draws in which a statistic is not defined (a ratio of nothing) are left out of its column.
    """
    flat = drawn.reshape(len(drawn), -1)
    ends = np.full((2, flat.shape[1]), np.nan)
    defined = ~np.isnan(flat).all(axis=0)
    # numpy warns of a column without any number; those stay NaN.
    ends[:, defined] = np.nanquantile(flat[:, defined], [(1 - _LEVEL) / 2, (1 + _LEVEL) / 2], axis=0)
    return ends[0].reshape(drawn.shape[1:]), ends[1].reshape(drawn.shape[1:])


def means_there(values: Floats) -> Floats:
    """Mean of each column of *values* over the rows that have it; NaN where none has."""
    return ratios(np.nansum(values, axis=0), (~np.isnan(values)).sum(axis=0).astype(np.float64))


def ratios(above: Floats, below: Floats) -> Floats:
    """*above* / *below*, NaN where *below* is 0."""
    with np.errstate(divide="ignore", invalid="ignore"):
        found: Floats = np.where(below == 0, np.nan, above / np.where(below == 0, 1.0, below))
    return found

"""Tests of many columns at once for a mean that is not 0, where deviations may be skewed.

Clusters are drawn with replacement; the largest |t*| over all columns about their own means is what the largest of
chance would be (Westfall and Young 1993, "Resampling-Based Multiple Testing", single-step max-T, by bootstrap; the
studentised statistic of Hall 1988). It does not take deviations for symmetric as flips of signs do, which of skewed
ones find too much: something in 9 to 12 of 100 families without an effect at skewness 1.4, in 25 to 31 at skewness 6.
The price is power with few clusters (tests/benchmarks/bench_validity.py, *sizes*).
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from gpf_desktop.arrays import Bools, Floats

REPLICATES: Final = 2000
_TIE = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class MaxT:
    """One place per column; NaN where a column is not tested."""

    t: Floats
    p: Floats
    """Two-sided, of the column alone."""
    adjusted: Floats
    """Of the family: bounds the chance of any false finding, single step."""
    smallest_p: float
    """The smallest p that so many draws can reach."""
    draws: int


def bootstrap_max_t(values: Floats, *, seed: int, replicates: int = REPLICATES) -> MaxT:
    """Tests the means of *values* (clusters, columns) against 0; NaN: the cluster lacks the column.

    p-values never fall below 1 / (1 + *replicates*). A column of fewer than three clusters, or without spread, is not
    tested (NaN): draws of two clusters have no spread half of the time.
    """
    clusters, columns = values.shape
    there = ~np.isnan(values)
    filled: Floats = np.where(there, values, 0.0)
    # Every cluster once is the sample itself, by the same formula as its draws.
    ones = np.ones((1, clusters))
    mean, error = _means(ones, there, filled)
    tested = (there.sum(axis=0) >= 3) & (error[0] > _TIE)
    t = np.where(tested, mean[0] / np.where(tested, error[0], 1.0), np.nan)
    if not tested.any():
        return MaxT(t=t, p=t, adjusted=t, smallest_p=1 / (1 + replicates), draws=replicates)
    drawn = np.random.default_rng((seed, clusters, columns)).multinomial(
        clusters, np.full(clusters, 1 / clusters), replicates
    )
    # Whole clusters are drawn, all columns of one together: their dependence passes to the largest of chance.
    means, errors = _means(drawn.astype(np.float64), there, filled)
    with np.errstate(divide="ignore", invalid="ignore"):
        # About the sample's own mean, not about 0: an effect would otherwise widen what chance is held to do.
        apart = np.abs(means - mean) / errors
    # A draw without spread says nothing against chance, nor for it: it counts as reaching every statistic.
    apart = np.where(tested, np.where(errors > _TIE, apart, np.inf), -1.0)
    reached = apart >= np.abs(t) - _TIE
    # Single step: each column is held against the largest of all; the -1 of those not tested never is the largest.
    by_any = apart.max(axis=1)[:, None] >= np.abs(t) - _TIE
    return MaxT(
        t=t,
        p=np.where(tested, (1 + reached.sum(axis=0)) / (1 + replicates), np.nan),
        adjusted=np.where(tested, (1 + by_any.sum(axis=0)) / (1 + replicates), np.nan),
        smallest_p=1 / (1 + replicates),
        draws=replicates,
    )


def _means(weights: Floats, there: Bools, filled: Floats) -> tuple[Floats, Floats]:
    """Mean and standard error of every column (draws, columns), each cluster *weights* (draws, clusters) times."""
    n = weights @ there
    with np.errstate(divide="ignore", invalid="ignore"):
        mean = weights @ filled / n
        # Values are deviations, so near 0 that the short form loses nothing that counts; rounding may leave it below 0.
        # n − 1 of the clusters that were drawn and have the column; with one or none the error becomes 0.
        variance = np.maximum(weights @ filled**2 / n - mean**2, 0.0) * n / (n - 1)
        error = np.sqrt(variance / n)
    return mean, np.where(np.isfinite(error), error, 0.0)

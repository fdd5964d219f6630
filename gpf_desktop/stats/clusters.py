"""Intervals for means over clusters of unequal size, at any number of clusters from two on.

A cluster is what is independent: an article, say, with the sum of its values and their count. The mean is over values,
m = Σ s_a / Σ c_a. Its standard error and degrees of freedom are those of Bell and McCaffrey (2002, "Bias reduction in
standard errors for linear regression with multi-stage samples"; CR2 of Pustejovsky and Tipton 2018), with clusters'
means as the working model: one cluster's mean varies as much as another's, however many values it has. Of bundles of
one article that is nearly so, and where it is not, the interval errs on the wide side. With equal counts it is the
plain t-interval over the clusters' means.

What 95 % intervals hold by simulation (tests/benchmarks/bench_validity.py), 3 to 30 clusters: of normal scores 94 to 96
with equal counts, 95 to 99 with counts from 6 to 42, 99 and more where one cluster has seven times the others' values
(too wide, but never too narrow). Of scores of skewness 1.4: 91 to 94, by `transformed_bounds` 93 to 98 from 5 clusters
on. Of skewness 6: 83 to 87, and 90 to 93: nothing makes up for a tail that few clusters have seen.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np

from gpf_desktop.arrays import Floats, Ints

REPLICATES: Final = 2000
_FLAT: Final = 1e-6
_CLOSE: Final = 1e-12


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusteredMean:
    """A mean with its standard error over clusters."""

    value: float
    error: float
    """Standard error; 0 where clusters do not differ."""
    freedom: float
    """Satterthwaite's degrees of freedom; k − 1 where counts are equal, less where they are not."""

    def interval(self, level: float) -> tuple[float, float]:
        """The two-sided t-interval at *level*."""
        half = t_quantile((1 + level) / 2, self.freedom) * self.error
        return self.value - half, self.value + half

    def minus(self, other: "ClusteredMean") -> "ClusteredMean":
        """The difference to the mean of other clusters, independent of these (Welch 1947)."""
        mine, theirs = self.error**2, other.error**2
        # Welch and Satterthwaite; where neither side varies the interval is a point, whatever its degrees of freedom.
        inverse = mine**2 / self.freedom + theirs**2 / other.freedom
        return ClusteredMean(
            value=self.value - other.value,
            error=float(np.sqrt(mine + theirs)),
            freedom=(mine + theirs) ** 2 / inverse if inverse else min(self.freedom, other.freedom),
        )


def clustered_mean(sums: Floats, counts: Floats) -> ClusteredMean:
    """The mean of k ≥ 2 clusters with *sums* (k,) of *counts* (k,) values, every count above 0."""
    value, variance = (float(each[0]) for each in _mean_and_variance(sums[None], counts[None]))
    return ClusteredMean(value=value, error=float(np.sqrt(variance)), freedom=degrees_of_freedom(counts))


def clustered_means(sums: Floats, counts: Floats) -> tuple[Floats, Floats, Floats]:
    """Value, error and degrees of freedom of each row of *sums* and *counts* (groups, clusters).

    A group lacks the clusters of which it has 0 values; it has two at least.
    """
    means, variances = _mean_and_variance(sums, counts)
    # Absent clusters have the share 0 and drop out of every sum, so groups of unlike clusters share one table.
    return means, np.sqrt(variances), _freedom(counts / counts.sum(axis=1, keepdims=True))


def degrees_of_freedom(counts: Floats) -> float:
    """Satterthwaite's degrees of freedom of the variance that `clustered_mean` estimates; *counts* (k,), k ≥ 2."""
    return float(_freedom(counts[None] / counts.sum())[0])


def _freedom(share: Floats) -> Floats:
    """(tr M)² / tr M² for M the working covariance of the adjusted residuals a_i·(s_i − h_i Σ s), h the *share* (b, k).

    M = diag(d) − uv' − vu' + T uu' with u = a·h, v = a·h², d = u², T = Σ h², so neither trace needs the matrix.
    """
    total = (share**2).sum(axis=1)
    u = share * _adjusting(share)
    v = u * share
    uu, uv, vv = ((u * u).sum(axis=1), (u * v).sum(axis=1), (v * v).sum(axis=1))
    trace = uu - 2 * uv + total * uu
    squares = (
        (u**4).sum(axis=1)
        + 2 * (u**2 * (total[:, None] * u**2 - 2 * u * v)).sum(axis=1)
        + 2 * (uv**2 + uu * vv)
        - 4 * total * uu * uv
        + total**2 * uu**2
    )
    freedom: Floats = trace**2 / squares
    return freedom


def _adjusting(share: Floats) -> Floats:
    """The factors that make each cluster's residual as wide as the cluster is; 0 for clusters that are not there."""
    varied = _residual_variance(share)
    return np.divide(share, np.sqrt(varied), out=np.zeros_like(share), where=varied > 0)


def bootstrap_t(
    sums: Floats, counts: Floats, *, level: float, seed: int, replicates: int = REPLICATES
) -> tuple[float, float]:
    """An interval for the mean of k ≥ 4 clusters whose values are skewed (Efron 1979; Hall 1988, "bootstrap-t").

    Clusters are drawn with replacement; the quantiles of (m* − m) / se* take the place of Student's. Draws of which
    every cluster is the same one have no standard error and are drawn again. Student's interval where one cluster
    alone tells the others apart: without it every draw lies infinitely many standard errors away.
    """
    k = len(sums)
    whole = clustered_mean(sums, counts)
    # Nothing to studentise by: draws would be 0 / 0 throughout.
    if whole.error == 0:
        return whole.value, whole.value
    chosen = _draws(k, seed, replicates)
    means, variances = _mean_and_variance(sums[chosen], counts[chosen])
    with np.errstate(divide="ignore", invalid="ignore"):
        ratios = (means - whole.value) / np.sqrt(variances)
    # Clusters that differ may still have one mean, which leaves a draw no error: 0 / 0 says nothing and is left out.
    told, tails = ratios[~np.isnan(ratios)], ((1 - level) / 2, (1 + level) / 2)
    # Between two infinite draws there is nothing to interpolate: the nearest one says whether a bound is infinite.
    if not np.isfinite(np.quantile(told, tails, method="nearest")).all():
        return whole.interval(level)
    low, high = np.quantile(told, tails)
    # The upper quantile of t* sets the lower bound: where draws reach far up, the mean may lie far below.
    return whole.value - float(high) * whole.error, whole.value - float(low) * whole.error


@lru_cache(maxsize=4)
def _draws(k: int, seed: int, replicates: int) -> Ints:
    """The clusters drawn, the same for every group of k clusters: an interval does not hang on which groups the table
    has."""
    draw = np.random.default_rng((seed, k))
    chosen = draw.integers(0, k, (replicates, k))
    while len(alike := np.flatnonzero((chosen == chosen[:, :1]).all(axis=1))):
        chosen[alike] = draw.integers(0, k, (len(alike), k))
    return chosen


def transformed_bounds(values: Floats, errors: Floats, bent: Floats, reach: Floats | float) -> tuple[Floats, Floats]:
    """Intervals for means of skewed values: Hall's (1992) cubic transformation of Student's t, turned back.

    *bent*: skewness of the means, `skewness` over √k; *reach*: Student's quantile. Where *bent* is 0 it is ± reach.
    """
    shifted = [way * reach - bent / 6 for way in (1, -1)]
    # Next to 0 the root would be of 1 + next to nothing, and lose its digits: the first terms of its series.
    flat, safe = np.abs(bent) < _FLAT, np.where(bent == 0, 1.0, bent)
    turned = [np.where(flat, each - bent * each**2 / 3, 3 * (np.cbrt(1 + bent * each) - 1) / safe) for each in shifted]
    return values - turned[0] * errors, values - turned[1] * errors


def skewness(sums: Floats, counts: Floats) -> Floats:
    """The skewness of clusters' means, adjusted for their number k ≥ 3, in each row of *sums* and *counts* (groups,
    clusters).

    Every cluster counts alike, as in the working model; 0 where they do not differ.
    """
    there = counts > 0
    k = there.sum(axis=1)
    means = np.divide(sums, counts, out=np.zeros_like(sums), where=there)
    apart = np.where(there, means - (means.sum(axis=1) / k)[:, None], 0.0)
    most = np.abs(apart).max(axis=1)
    # Means that are alike but for rounding have no shape; in units of the largest deviation no power is lost next to 0.
    alike = most <= _CLOSE * np.abs(means).max(axis=1)
    apart = apart / np.where(alike, 1.0, most)[:, None]
    squares, cubes = (apart**2).sum(axis=1), (apart**3).sum(axis=1)
    scale = np.where(alike, 1.0, (squares / (k - 1)) ** 1.5)
    found: Floats = np.where(alike, 0.0, k / ((k - 1) * (k - 2)) * cubes / scale)
    return found


def t_quantile(probability: float, freedom: float) -> float:
    """Student's quantile; *freedom* need not be whole."""
    from scipy.special import stdtrit

    return float(stdtrit(freedom, probability))


def _mean_and_variance(sums: Floats, counts: Floats) -> tuple[Floats, Floats]:
    """Mean and squared standard error of each row of *sums* and *counts* (b, k)."""
    total = counts.sum(axis=1, keepdims=True)
    share = counts / total
    means = sums.sum(axis=1, keepdims=True) / total
    # CR2: a residual about a mean that was fitted to its own cluster too is too small, by what `_adjusting` puts back.
    adjusted = (_adjusting(share) * (sums - means * counts) / total) ** 2
    return means[:, 0], adjusted.sum(axis=1)


def _residual_variance(share: Floats) -> Floats:
    """The variance of s_i − h_i Σ s under the working model, for clusters' means of variance 1, over (Σ c)²; last axis:
    clusters."""
    varied: Floats = share**2 * (1 - 2 * share + (share**2).sum(axis=-1, keepdims=True))
    return varied

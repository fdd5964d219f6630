"""How large an effect must be to be found, and how much to ask for an effect of a given size.

A mean over k independent clusters is tested by Student's t with k − 1 degrees of freedom: the chance to find it is the
noncentral t's (Cohen 1988; Johnson, Kotz and Balakrishnan 1995, ch. 31). What one cluster's mean varies by is made of
the cluster itself and of what is drawn anew within it, so more clusters buy more than more draws of each.
"""

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache, partial
from math import inf, sqrt
from typing import Any, Final

import numpy as np

from gpf_desktop.arrays import Floats, Ints

ALPHA: Final = 0.05
POWER: Final = 0.8
REPLICATES: Final = 3000
SEED: Final = 20261120
_TIE: Final = 1e-9
_HALVINGS: Final = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class ClusterSpread:
    """Variances of what one cluster's mean is made of, in the score's unit squared."""

    between: float
    """Of clusters' true means: what no further draw within a cluster takes away."""
    within: float = 0.0
    """Of one draw within a cluster about the cluster's true mean."""

    def of_mean(self, draws: float) -> float:
        """Standard deviation of the mean of one cluster over *draws*."""
        return sqrt(self.between + self.within / draws)


def power(effect: float, spread: float, clusters: int, *, alpha: float = ALPHA) -> float:
    """Chance that a mean of *effect* over *clusters* (2 or more) of standard deviation *spread* is told from 0.

    Two-sided at *alpha*, a finding in the wrong direction not counted.
    """
    from scipy.special import nctdtr, stdtrit

    if spread == 0:
        # Of no effect every finding is by chance, and half of them are in the other direction.
        return 1.0 if effect else alpha / 2
    reach = float(stdtrit(clusters - 1, 1 - alpha / 2))
    noncentrality = abs(effect) / spread * sqrt(clusters)
    # The tail of nctdtr is lost beyond some 37 standard errors, where the chance is 1 to every digit.
    return 1.0 if noncentrality > reach + 37 else float(1 - nctdtr(clusters - 1, noncentrality, reach))


def detectable(spread: float, clusters: int, *, wanted: float = POWER, alpha: float = ALPHA) -> float | None:
    """The smallest effect found with the chance *wanted*; None under two clusters."""
    if clusters < 2:
        return None
    if spread == 0:
        return 0.0
    return spread * _least(lambda ratio: power(ratio, 1.0, clusters, alpha=alpha) - wanted)


def fewest(found: Callable[[int], bool], most: int) -> int | None:
    """The fewest clusters, from 2 to *most*, with which it is *found*, as it is with more; None where *most* are not
    enough."""
    high = 2
    while not found(high):
        if high >= most:
            return None
        high = min(most, 2 * high)
    # Half of the last number, at least, was tried before and was not enough.
    low = 2 if high == 2 else high // 2 + 1
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if found(middle) else (middle + 1, high)
    return high


def least_found(found: Callable[[float], bool], first: float, most: float = inf) -> float | None:
    """The least size that is *found*, as every larger one is, looked for from *first* on, which is above 0; None where
    none up to *most* is."""
    low, high = 0.0, first
    while not found(high):
        if high >= most:
            return None
        low, high = high, min(2 * high, most)
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (low, middle) if found(middle) else (middle, high)
    return high


def rate_power(
    rate: float,
    rise: float,
    *,
    groups: int,
    trials: int,
    clusters: int,
    alpha: float = ALPHA,
    correlation: float = 0.0,
    seed: int = SEED,
    replicates: int = REPLICATES,
) -> float:
    """Chance that `rates.groups_within` finds, at *alpha* by itself, the one group whose rate is *rise* above *rate*.

    By simulation, since rates near 0 are far from normal: *groups* of *trials* in each of *clusters*, whose own rates
    come from a beta distribution with this *correlation* between two trials of one cluster. Good to 1 point.
    Each group has as many trials, so that the test is `rates.groups_within` without its general bookkeeping.
    """
    from scipy.stats import binom

    draw = np.random.default_rng(seed)
    own = np.full((replicates, clusters, 1), rate)
    if correlation:
        # Two trials of one cluster correlate by 1 / (a + b + 1) where its rate is drawn from a beta distribution.
        scale = 1 / correlation - 1
        own = draw.beta(rate * scale, (1 - rate) * scale, own.shape)
    chance = np.repeat(own, groups, axis=2)
    chance[:, :, 0] = np.minimum(chance[:, :, 0] + rise, 1.0)
    # Quantiles of the same draws whatever the rise: power then rises with it step by step.
    events = binom.ppf(draw.random(chance.shape), trials, chance).astype(np.int64)
    return float(np.mean(_p_of_first(events, trials) <= alpha))


@lru_cache(maxsize=64)
def detectable_rise(
    rate: float,
    *,
    groups: int,
    trials: int,
    clusters: int,
    wanted: float = POWER,
    alpha: float = ALPHA,
    correlation: float = 0.0,
    seed: int = SEED,
) -> float | None:
    """The smallest rise of one group's rate above *rate* that `rate_power` finds so, to .001; None where none is.

    Its power is good to 1 point up to 12 clusters, to 2 beyond; takes a second or two.
    """

    # The exact test reaches 1 / groups^clusters at best: no rise is found, whatever its size.
    if groups**-clusters > alpha:
        return None

    # A round takes time with its clusters, so that beyond twelve of them fewer rounds are made.
    rounds = max(REPLICATES // 5, min(REPLICATES, 12 * REPLICATES // clusters))

    powered = partial(
        rate_power,
        rate,
        groups=groups,
        trials=trials,
        clusters=clusters,
        alpha=alpha,
        correlation=correlation,
        seed=seed,
    )

    def found(rise: float, replicates: int = rounds) -> bool:
        return powered(rise, replicates=replicates) >= wanted

    low, high = 0.0, 1 - rate
    if not found(high):
        return None
    # A tenth of the rounds say roughly where, which saves most of the time.
    near, far = low, high
    while far - near > 0.01:
        middle = (near + far) / 2
        near, far = (near, middle) if found(middle, rounds // 10) else (middle, far)
    # So few rounds may have the bracket wrong: its ends are asked again with all of them before they are believed.
    low = next((each for each in (near - 0.02, near - 0.05) if each > 0 and not found(each)), low)
    high = next((each for each in (far + 0.02, far + 0.05) if each < high and found(each)), high)
    while high - low > 0.001:
        middle = (low + high) / 2
        low, high = (low, middle) if found(middle) else (middle, high)
    return high


@lru_cache(maxsize=64)
def clusters_for_rise(
    rate: float,
    rise: float,
    *,
    groups: int,
    trials: int,
    wanted: float = POWER,
    alpha: float = ALPHA,
    correlation: float = 0.0,
    most: int = 200,
    seed: int = SEED,
) -> int | None:
    """The fewest clusters, up to *most*, with which `rate_power` finds *rise* so; None where more would be needed."""

    powered = partial(
        rate_power, rate, rise, groups=groups, trials=trials, alpha=alpha, correlation=correlation, seed=seed
    )
    return fewest(lambda clusters: powered(clusters=clusters) >= wanted, most)


def _p_of_first(events: Ints, trials: int) -> Floats:
    """`rates.groups_within`'s p of the first group in each replicate of *events* (replicates, clusters, groups).

    The null distribution of its sum is the product of the clusters' characteristic functions.
    """
    replicates, clusters, groups = events.shape
    # One place for every possible sum, so that the circular convolution does not wrap.
    sums = trials * clusters + 1
    turns = np.exp(-2j * np.pi * np.outer(np.arange(trials + 1), np.arange(sums // 2 + 1)) / sums)
    chance: Any = np.ones((replicates, sums // 2 + 1), complex)
    at = np.arange(replicates)[:, None] * (trials + 1)
    for cluster in range(clusters):
        placed = np.bincount((at + events[:, cluster]).ravel(), minlength=replicates * (trials + 1))
        chance *= placed.reshape(replicates, trials + 1) / groups @ turns
    # Chances are real numbers, so half of the frequencies tell the other half.
    null = np.fft.irfft(chance, sums, axis=1)
    middle = events.mean(axis=2).sum(axis=1)
    apart = np.abs(events[:, :, 0].sum(axis=1) - middle)
    far = np.abs(np.arange(sums) - middle[:, None]) >= apart[:, None] - _TIE
    p: Floats = np.minimum(1.0, np.where(far, null, 0.0).sum(axis=1))
    return p


def _least(above: Callable[[float], float]) -> float:
    """The point at which a rising function becomes 0."""
    from scipy.optimize import brentq

    high = 1.0
    while above(high) < 0:
        high *= 2
    return float(brentq(above, 0.0, high, xtol=1e-10))

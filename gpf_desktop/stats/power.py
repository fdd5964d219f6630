"""How large an effect must be to be found, and how much to ask for an effect of a given size.

A mean over k independent clusters is tested by Student's t with k − 1 degrees of freedom: the chance to find it is the
noncentral t's (Cohen 1988; Johnson, Kotz and Balakrishnan 1995, ch. 31). What one cluster's mean varies by is made of
the cluster itself and of what is drawn anew within it, so more clusters buy more than more draws of each.
"""

from collections.abc import Callable
from dataclasses import dataclass
from math import ceil, sqrt
from typing import Final

import numpy as np

ALPHA: Final = 0.05
POWER: Final = 0.8
REPLICATES: Final = 1000
SEED: Final = 20261120
MOST: Final = 1_000_000
"""Clusters; an effect that needs more is not to be found."""


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


def clusters_needed(effect: float, spread: float, *, wanted: float = POWER, alpha: float = ALPHA) -> int | None:
    """The fewest clusters, at least 2, with which *effect* is found with the chance *wanted*; None where none would."""
    if effect == 0 or power(effect, spread, MOST, alpha=alpha) < wanted:
        return None
    low, high = 2, 2
    while power(effect, spread, high, alpha=alpha) < wanted:
        low, high = high, min(MOST, 2 * high)
    while low < high:
        middle = (low + high) // 2
        low, high = (low, middle) if power(effect, spread, middle, alpha=alpha) >= wanted else (middle + 1, high)
    return high


def draws_needed(
    effect: float, spread: ClusterSpread, clusters: int, *, wanted: float = POWER, alpha: float = ALPHA
) -> int | None:
    """The fewest draws in each of *clusters* that find *effect* so; None where clusters themselves vary too much."""
    ratio = detectable(1.0, clusters, wanted=wanted, alpha=alpha)
    if ratio is None or effect == 0:
        return None
    room = (effect / ratio) ** 2 - spread.between
    if spread.within == 0:
        return 1 if room >= 0 else None
    return max(1, ceil(spread.within / room - 1e-9)) if room > 0 else None


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
    come from a beta distribution with this *correlation* between two trials of one cluster. Good to 1.5 points.
    """
    from scipy.stats import binom

    from gpf_desktop.stats.rates import groups_within

    draw = np.random.default_rng(seed)
    own = np.full((replicates, clusters, 1), rate)
    if correlation:
        scale = 1 / correlation - 1
        own = draw.beta(rate * scale, (1 - rate) * scale, own.shape)
    chance = np.repeat(own, groups, axis=2)
    chance[:, :, 0] = np.minimum(chance[:, :, 0] + rise, 1.0)
    # Quantiles of the same draws whatever the rise: power then rises with it step by step.
    events = binom.ppf(draw.random(chance.shape), trials, chance).astype(np.int64)
    asked = np.full((clusters, groups), trials)
    return float(np.mean([groups_within(each, asked, only=0).p[0] <= alpha for each in events]))


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
    """The smallest rise of one group's rate above *rate* that `rate_power` finds so, to .005; None where none is.

    Takes some seconds.
    """

    def found(rise: float) -> bool:
        return wanted <= rate_power(
            rate, rise, groups=groups, trials=trials, clusters=clusters, alpha=alpha, correlation=correlation, seed=seed
        )

    low, high = 0.0, 1 - rate
    if not found(high):
        return None
    while high - low > 0.005:
        middle = (low + high) / 2
        low, high = (low, middle) if found(middle) else (middle, high)
    return high


def _least(above: Callable[[float], float]) -> float:
    """Where a rising function becomes 0."""
    from scipy.optimize import brentq

    high = 1.0
    while above(high) < 0:
        high *= 2
    return float(brentq(above, 0.0, high, xtol=1e-10))

"""Is a difference larger than a margin, smaller than it, or is that not known? Three outcomes, never two.

Two one-sided tests (Schuirmann 1987) speak for *equivalent*; the minimum-effect test (Murphy and Myors 1999; Wellek
2010, "Testing Statistical Hypotheses of Equivalence and Noninferiority") for *differs*. A difference that passes
neither is undecided: that it was not shown to be equivalent is no evidence that it is not.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

import numpy as np

from gpf_desktop.arrays import Floats, Ints
from gpf_desktop.stats.clusters import ClusteredMean, clustered_mean, t_quantile

_LEVEL: Final = 0.95
_ROUNDING: Final = 1e-12
"""Of a mean; what floating point makes of equal ones stays a hundred times below it."""


class Outcome(StrEnum):
    DIFFERS = "differs"
    EQUIVALENT = "equivalent"
    UNDECIDED = "undecided"


@dataclass(frozen=True, slots=True, kw_only=True)
class EquivalenceTest:
    """A difference held against ± *margin*."""

    difference: float
    margin: float
    standard_error: float
    df: float
    t_lower: float
    """(difference + margin) / se."""
    t_upper: float
    """(difference − margin) / se."""
    p_lower: float
    """P(T > t_lower): small where the difference is above −margin."""
    p_upper: float
    """P(T < t_upper): small where the difference is below +margin."""
    p_zero: float
    """Two-sided, of no difference at all."""

    @property
    def p_equivalent(self) -> float:
        """The larger of both one-sided p: *equivalent* where it is below the level."""
        return max(self.p_lower, self.p_upper)

    @property
    def p_beyond(self) -> float:
        """The p of the minimum-effect test that the difference is not beyond the margin, both directions together."""
        # 1 − p is the p of the opposite side; twice the smaller is Bonferroni's correction over both directions.
        return min(1.0, 2 * min(1 - self.p_lower, 1 - self.p_upper))

    def interval(self, level: float = 0.95) -> tuple[float, float]:
        half = t_quantile((1 + level) / 2, self.df) * self.standard_error
        return self.difference - half, self.difference + half

    def beyond_margin(self, alpha: float = 0.05) -> Outcome:
        """*Differs* where the difference is shown to be larger than the margin."""
        if self.p_equivalent < alpha:
            return Outcome.EQUIVALENT
        return Outcome.DIFFERS if self.p_beyond < alpha else Outcome.UNDECIDED


def held_against(difference: ClusteredMean, margin: float) -> EquivalenceTest:
    """*difference* against ± *margin*, above 0, by Student's t with its own degrees of freedom."""
    from scipy.special import stdtr

    error = difference.error

    def ratio(distance: float) -> float:
        # Differences that do not vary: at any distance from the bound t is beyond doubt, on it t is 0 and says nothing.
        return distance / error if error else float(np.copysign(np.inf, distance)) if distance else 0.0

    def below(t: float) -> float:
        return float(stdtr(difference.freedom, t))

    lower, upper = ratio(difference.value + margin), ratio(difference.value - margin)
    return EquivalenceTest(
        difference=difference.value,
        margin=margin,
        standard_error=error,
        df=difference.freedom,
        t_lower=lower,
        t_upper=upper,
        # The upper tail as the lower one of −t: 1 − P(T < t) would round small p away.
        p_lower=below(-lower),
        p_upper=below(upper),
        p_zero=2 * below(-abs(ratio(difference.value))),
    )


def welch(first: Floats, second: Floats, margin: float) -> EquivalenceTest:
    """Mean of *first* minus mean of *second*, independent values, 2 or more of each (Welch 1947)."""
    ours = clustered_mean(first, np.ones(len(first)))
    return held_against(ours.minus(clustered_mean(second, np.ones(len(second)))), margin)


def paired(differences: Floats, clusters: Ints, margin: float) -> EquivalenceTest:
    """Mean of *differences* (n,), those of one number in *clusters* (n,) going together; 2 clusters or more."""
    _, place = np.unique(clusters, return_inverse=True)
    counts = np.bincount(place).astype(np.float64)
    sums = np.bincount(place, weights=differences).astype(np.float64)
    return held_against(clustered_mean(sums, counts), margin)


def margin_of(baseline_means: Floats, k: float) -> float:
    """k·σ, σ the standard deviation (ddof 1) of 2 or more *baseline_means*; 0 where these differ by rounding alone."""
    sigma = float(np.std(baseline_means, ddof=1))
    return k * sigma if sigma > _ROUNDING * float(np.abs(baseline_means).max()) else 0.0


def margin_interval(baseline_means: Floats, k: float) -> tuple[float, float]:
    """95 % for k·σ, by the jackknife of ln σ over 3 or more *baseline_means* (Efron and Tibshirani 1993, ch. 11)."""
    n = len(baseline_means)
    whole = np.log(margin_of(baseline_means, k))
    without = np.array([margin_of(np.delete(baseline_means, at), k) for at in range(n)])
    # One of the means alone makes all the spread: ln 0 would leave the jackknife without a number.
    if not (without > 0).all():
        return 0.0, float(np.inf)
    # Tukey's pseudo-values; of ln σ, so that the margin's interval stays above 0.
    pseudo = n * whole - (n - 1) * np.log(without)
    low, high = clustered_mean(pseudo, np.ones(n)).interval(_LEVEL)
    return float(np.exp(low)), float(np.exp(high))

"""Does a number tell yes from no, and how likely is yes at each of its values? For samples with selection weights.

A weight is how many of the population a sampled one stands for: one over its chance to be drawn. Everything here is an
estimate about the population (Horvitz and Thompson 1952), with errors over clusters of what was sampled.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import ceil
from typing import Final

import numpy as np

from gpf_desktop.arrays import Bools, Floats, Ints
from gpf_desktop.stats.clusters import t_quantile

LEVEL: Final = 0.95
_STEPS: Final = 100
_CLOSE: Final = 1e-10
_BESIDE: Final = 1e-9


@dataclass(frozen=True, slots=True, kw_only=True)
class Discrimination:
    """Area under the receiver operating characteristic: how often a yes has the higher number, ties by halves."""

    auc: float
    low: float
    high: float
    yes: int
    no: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Curve:
    """P(yes) along a number, with a pointwise band; arrays of one length."""

    at: Floats
    probability: Floats
    low: Floats
    high: Floats


def discrimination(numbers: Floats, yes: Bools, weights: Floats, clusters: Ints) -> Discrimination | None:
    """AUC of *numbers* (n,) for *yes* (n,); None where all are yes, or all no.

    Newcombe's (2006, method 5) interval, the values of AUC from which what was found lies no further than chance
    takes it, by Hanley and McNeil's variance at that value: with effective numbers of either kind in place of the
    counted (Kish 1965) and Student's t. Where clusters make the error larger than that, it is widened by as much; their
    error is that of DeLong, DeLong and Clarke-Pearson (1988) with weights and *clusters* (Obuchowski 1997). 0 to 1
    where one cluster has all that is of either kind.
    """
    if not yes.any() or yes.all():
        return None
    above = _shares_below(numbers[~yes], weights[~yes], numbers[yes])
    below = 1 - _shares_below(numbers[yes], weights[yes], numbers[~yes])
    share_yes, share_no = weights[yes] / weights[yes].sum(), weights[~yes] / weights[~yes].sum()
    # Shares that add up to a hair over 1 would put it outside its own interval.
    auc = min(1.0, float(share_yes @ above))
    every, place = np.unique(clusters, return_inverse=True)
    # DeLong's components, each a value's part in the error; those of one cluster are added before they are squared.
    parts = np.zeros(len(numbers))
    parts[yes], parts[~yes] = share_yes * (above - auc), share_no * (below - auc)
    k = len(every)
    pulls = [np.bincount(place, weights=parts * side, minlength=k).astype(np.float64) for side in (yes, ~yes)]
    spread = [
        np.bincount(place[side], weights=share) for side, share in zip((yes, ~yes), (share_yes, share_no), strict=True)
    ]
    # Kish's effective numbers: of values of either kind, and of the clusters that their weight lies in.
    of_kind = [1 / float((share**2).sum()) for share in (share_yes, share_no)]
    of_clusters = [1 / float((each**2).sum()) for each in spread]
    if min(of_clusters) < 1 + _CLOSE:
        low, high = 0.0, 1.0
    else:
        counted = _hanley_mcneil(auc, *of_kind)
        clustered = k / (k - 1) * float((np.sum(pulls, axis=0) ** 2).sum())
        # An order without a fault has no error of either kind, and yet is of so few.
        widened = max(1.0, clustered / counted) if counted > 0 else 1.0
        reach = t_quantile((1 + LEVEL) / 2, max(1.0, _freedom(pulls, of_clusters)))
        low, high = _score_bounds(auc, reach**2 * widened, of_kind)
    return Discrimination(auc=auc, low=low, high=high, yes=int(yes.sum()), no=int((~yes).sum()))


def probability_curve(numbers: Floats, yes: Bools, weights: Floats, clusters: Ints, at: Floats) -> Curve | None:
    """P(yes) at each of *at* by logistic regression on *numbers* (n,); None under two values or under three clusters.

    Weighted pseudo-likelihood (Binder 1983) with Firth's (1993) penalty, so that a sample in which one number parts all
    yes from all no still has an answer; sandwich errors over *clusters* and Student's t.
    """
    _, place = np.unique(clusters, return_inverse=True)
    k = int(np.max(place)) + 1 if len(place) else 0
    spread = float(numbers.std()) if len(numbers) else 0.0
    if k < 3 or spread == 0:
        return None
    middle = float(numbers.mean())
    design = np.stack([np.ones(len(numbers)), (numbers - middle) / spread], axis=1)
    # To a mean of 1: weights that sum to the population would make Firth's penalty vanish beside the likelihood.
    weight = weights * len(weights) / weights.sum()
    beta, bread, scores = _firth(design, yes.astype(np.float64), weight)
    of_clusters = np.stack([np.bincount(place, weights=scores[:, column]) for column in (0, 1)], axis=1)
    chance = _logistic(design @ beta)
    # Neither weights nor clusters are what the likelihood takes them for, hence the clusters' sandwich; of few yes in
    # few clusters it comes out too small, hence no less than what values without clusters would have.
    information: Floats = np.asarray(design.T * (weight**2 * chance * (1 - chance)) @ design, np.float64)
    meats = (np.asarray(of_clusters.T @ of_clusters * (k / (k - 1)), np.float64), information)
    points = np.stack([np.ones(len(at)), (at - middle) / spread], axis=1)
    line = points @ beta
    half = t_quantile((1 + LEVEL) / 2, k - 1) * _errors(points, bread, meats)
    return Curve(at=at, probability=_logistic(line), low=_logistic(line - half), high=_logistic(line + half))


def _hanley_mcneil(auc: float, yes: float, no: float) -> float:
    """Variance of an AUC by Hanley and McNeil (1982), with Newcombe's (2006) one number for both kinds."""
    each = (yes + no) / 2 - 1
    return auc * (1 - auc) * (1 + each * (1 - auc) / (2 - auc) + each * auc / (1 + auc)) / (yes * no)


def _freedom(pulls: Sequence[Floats], of_clusters: Sequence[float]) -> float:
    """Satterthwaite's, of two kinds whose weight lies in so many clusters each."""
    parts = [float((pull**2).sum()) * k / (k - 1) for pull, k in zip(pulls, of_clusters, strict=True)]
    below = sum(part**2 / (k - 1) for part, k in zip(parts, of_clusters, strict=True))
    return sum(parts) ** 2 / below if below else min(of_clusters) - 1


def _score_bounds(auc: float, factor: float, numbers: Sequence[float]) -> tuple[float, float]:
    """The least and the greatest A of which (A − auc)² is no more than *factor* times the variance at A."""
    from scipy.optimize import brentq

    def beyond(at: float) -> float:
        return (at - auc) ** 2 - factor * _hanley_mcneil(at, *numbers)

    # Where all are in order both sides are 0 at what was found, which is no bound: just beside it is looked from.
    low = brentq(beyond, 0, auc - _BESIDE) if auc > _BESIDE else 0.0
    high = brentq(beyond, auc + _BESIDE, 1) if auc < 1 - _BESIDE else 1.0
    return float(low), float(high)


def readings_needed(auc: float, share_yes: float, half_width: float) -> int:
    """How many independent values tell an *auc* to ± *half_width* (Hanley and McNeil 1982), 0 < *share_yes* < 1."""
    one, two = auc / (2 - auc), 2 * auc**2 / (1 + auc)
    reach = t_quantile((1 + LEVEL) / 2, np.inf)

    def half(n: int) -> float:
        yes, no = n * share_yes, n * (1 - share_yes)
        variance = auc * (1 - auc) + (yes - 1) * (one - auc**2) + (no - 1) * (two - auc**2)
        return reach * float(np.sqrt(max(variance, 0.0) / (yes * no)))

    n = least = ceil(1 / min(share_yes, 1 - share_yes))
    while half(n) > half_width:
        n *= 2
    low = max(least, n // 2)
    while low < n:
        between = (low + n) // 2
        low, n = (low, between) if half(between) <= half_width else (between + 1, n)
    return n


def _shares_below(own: Floats, weights: Floats, numbers: Floats) -> Floats:
    """The share by weight of *own* that is below each of *numbers*, equal ones by halves."""
    order = np.argsort(own)
    sums = np.concatenate([[0.0], np.cumsum(weights[order])]) / weights.sum()
    # Both sides of equal ones: the mean of what lies below and of what lies up to them counts them by halves.
    less, upto = (np.searchsorted(own[order], numbers, side=side) for side in ("left", "right"))
    shares: Floats = (sums[less] + sums[upto]) / 2
    return shares


def _firth(design: Floats, yes: Floats, weights: Floats) -> tuple[Floats, Floats, Floats]:
    """Coefficients, inverse information, and each value's score at the solution."""
    beta = np.zeros(design.shape[1])
    for _ in range(_STEPS):
        chance = _logistic(design @ beta)
        varied = weights * chance * (1 - chance)
        bread = _inverse(design, varied)
        hat = varied * np.einsum("ij,jk,ik->i", design, bread, design)
        # Firth's modified score: to each residual comes the value's hat times ½ − p, which is the slope of ½ ln
        # |information|.
        step = bread @ design.T @ (weights * (yes - chance) + hat * (0.5 - chance))
        # A step of more than a few units would leave where the curve is anything but flat.
        step *= min(1.0, 3.0 / max(float(np.abs(step).max()), 1e-300))
        beta += step
        if float(np.abs(step).max()) < _CLOSE:
            break
    chance = _logistic(design @ beta)
    return beta, _inverse(design, weights * chance * (1 - chance)), design * (weights * (yes - chance))[:, None]


def _errors(points: Floats, bread: Floats, meats: Sequence[Floats]) -> Floats:
    """Standard error of each of *points* (n, 2) times the coefficients, by whichever of *meats* makes it largest."""
    squared = [np.einsum("ij,jk,ik->i", points, bread @ meat @ bread, points) for meat in meats]
    return np.asarray(np.sqrt(np.max(squared, axis=0)), np.float64)


def _inverse(design: Floats, varied: Floats) -> Floats:
    return np.asarray(np.linalg.inv(design.T * varied @ design), np.float64)


def _logistic(line: Floats) -> Floats:
    from scipy.special import expit

    chance: Floats = expit(line)
    return chance

"""How far levels on an ordered scale agree, from matrices of coincidences, so that intervals cost nothing.

    alpha      Krippendorff (2019, "Content Analysis", ch. 12), ordinal; any number of raters, missing levels allowed
    kappa      Cohen (1968), squared weights; two raters, cases that both rated

A case holds one level per rater, 0 where a rater said nothing; levels count from 1. Where nothing varies, chance alone
would agree as well: both are then None, which is shown as unavailable.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from itertools import permutations
from typing import Final

import numpy as np

from gpf_desktop.arrays import Floats, Ints

Statistic = Callable[[Floats], Floats]

REPLICATES: Final = 2000
CLUSTERS_FOR_INTERVAL: Final = 10
"""Under ten clusters a percentile bootstrap covers far too little."""
LEVEL: Final = 0.95


@dataclass(frozen=True, slots=True, kw_only=True)
class OrdinalAgreement:
    """One statistic with its interval and what it rests on."""

    value: float | None
    low: float | None
    high: float | None
    """Bounds of the 95 % bootstrap interval over clusters; None under ten."""
    cases: int
    """That two raters or more rated."""
    clusters: int


def alpha(levels: Ints, clusters: Ints, *, scale: int, seed: int) -> OrdinalAgreement:
    """Krippendorff's alpha of *levels* (n, raters), 0 … *scale*; *clusters* (n,) numbers what is independent."""
    pairs = permutations(range(levels.shape[1]), 2)
    raters = (levels > 0).sum(axis=1)
    return _with_interval(pairs, 1 / np.maximum(raters - 1, 1), levels, clusters, scale, alphas, seed)


def kappa(levels: Ints, clusters: Ints, *, scale: int, seed: int) -> OrdinalAgreement:
    """Quadratically weighted kappa of *levels* (n, 2)."""
    return _with_interval([(0, 1)], np.ones(len(levels)), levels, clusters, scale, kappas, seed)


def alphas(coincidences: Floats) -> Floats:
    """1 − D_o / D_e of each of *coincidences* (b, s, s), symmetric; NaN where nothing varies."""
    totals = coincidences.sum(axis=2)
    n = totals.sum(axis=1)
    until = np.cumsum(totals, axis=1) - totals / 2
    # The ordinal distance of two levels is what lies between the middles of their stretches of all judgements.
    apart = (until[:, :, None] - until[:, None, :]) ** 2
    observed = (coincidences * apart).sum(axis=(1, 2))
    expected = (totals[:, :, None] * totals[:, None, :] * apart).sum(axis=(1, 2))
    with np.errstate(divide="ignore", invalid="ignore"):
        # D_o = observed / n and D_e = expected / n (n − 1), dealt without replacement.
        found: Floats = 1 - observed * (n - 1) / expected
    return np.where((expected > 0) & (n > 1), found, np.nan)


def kappas(pairs: Floats) -> Floats:
    """1 − Σ w·o / Σ w·e, w the squared distance, of each of *pairs* (b, s, s); NaN where nothing varies."""
    place = np.arange(pairs.shape[1])
    weight = (place[:, None] - place[None, :]) ** 2
    by_chance = pairs.sum(axis=2)[:, :, None] * pairs.sum(axis=1)[:, None, :]
    expected = (by_chance * weight).sum(axis=(1, 2))
    with np.errstate(divide="ignore", invalid="ignore"):
        # `expected` is of products of counts: one n more than the counts themselves.
        found: Floats = 1 - (pairs * weight).sum(axis=(1, 2)) * pairs.sum(axis=(1, 2)) / expected
    return np.where(expected > 0, found, np.nan)


@lru_cache(maxsize=2)
def _weights(clusters: int, seed: int) -> Floats:
    """How often each of so many clusters is drawn, (replicates, clusters): a study's judges have the same."""
    chance = np.full(clusters, 1 / clusters)
    return np.random.default_rng(seed).multinomial(clusters, chance, REPLICATES).astype(np.float64)


def _with_interval(
    pairs: Iterable[tuple[int, int]],
    weights: Floats,
    levels: Ints,
    clusters: Ints,
    scale: int,
    statistic: Statistic,
    seed: int,
) -> OrdinalAgreement:
    """*statistic* of how often the levels of each of *pairs* of raters stand beside each other, a case by *weights*."""
    rated = (levels > 0).sum(axis=1) > 1
    levels, weights = levels[rated], weights[rated]
    names, place = np.unique(clusters[rated], return_inverse=True)
    # Coincidences add up over cases: a draw of clusters is a weighted sum of theirs, no case is visited again.
    total = np.zeros(len(names) * scale**2)
    for one, other in pairs:
        both = (levels[:, one] > 0) & (levels[:, other] > 0)
        cell = (place[both] * scale + levels[both, one] - 1) * scale + levels[both, other] - 1
        total += np.bincount(cell, weights=weights[both], minlength=len(total))
    of_clusters = total.reshape(len(names), scale**2)
    value = statistic(of_clusters.sum(axis=0).reshape(1, scale, scale))[0]
    low = high = None
    if len(names) >= CLUSTERS_FOR_INTERVAL:
        drawn = _weights(len(names), seed) @ of_clusters
        found = statistic(drawn.reshape(-1, scale, scale))
        # Draws in which nothing varies have no agreement; the interval is over those that have.
        found = found[~np.isnan(found)]
        if len(found):
            low, high = (float(each) for each in np.quantile(found, [(1 - LEVEL) / 2, (1 + LEVEL) / 2]))
    return OrdinalAgreement(
        value=None if np.isnan(value) else float(value),
        low=low,
        high=high,
        cases=int(rated.sum()),
        clusters=len(names),
    )

"""Means of scores over many groups of bundles at once, with intervals that treat articles as the unit.

Bundles of one article are not independent, so what enters an interval is articles (method, "Intervals"): Student's t
around the mean over bundles, m = Σ s_a / Σ c_a over k articles with sums s_a of c_a bundles, with the CR2 errors and
the degrees of freedom of `clusters`, at every number of articles from three on. For skewed scores Hall's transformation
of t takes its place, from five articles on.
"""

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

import numpy as np

from gpf_desktop.arrays import Floats, Ints
from gpf_desktop.stats.clusters import clustered_mean, clustered_means, skewness, t_quantile, transformed_bounds

LEVEL: Final = 0.95
T_FROM: Final = 3
TRANSFORMED_FROM: Final = 5
FEW: Final = 10
"""Articles; below, a report says that there are few."""


class IntervalKind(StrEnum):
    """How an interval was made."""

    TRANSFORMED = "transformed t"
    T = "t"
    NONE = "none"


@dataclass(frozen=True, slots=True, kw_only=True)
class ArticleSums:
    """Sums and counts of one score per group and article; shapes (groups, articles)."""

    sums: Floats
    counts: Floats


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupMeans:
    """One entry per group; *value* is NaN where n is 0, *low* and *high* where there is no interval."""

    value: Floats
    n: Ints
    articles: Ints
    low: Floats
    high: Floats
    kind: tuple[IntervalKind, ...]


def article_sums(values: Floats, groups: Ints, articles: Ints, *, group_count: int, article_count: int) -> ArticleSums:
    """Sum *values* (NaN: unavailable, left out) by group and article; all three of one length."""
    there = ~np.isnan(values)
    # bincount adds row by row within a place: a group's sums do not hang on which groups stand beside it.
    place = groups[there] * article_count + articles[there]
    size, shape = group_count * article_count, (group_count, article_count)
    return ArticleSums(
        sums=np.bincount(place, weights=values[there], minlength=size).astype(np.float64).reshape(shape),
        counts=np.bincount(place, minlength=size).astype(np.float64).reshape(shape),
    )


def means(table: ArticleSums, *, level: float = LEVEL, skewed: bool = False) -> GroupMeans:
    """The mean of every group over its bundles, with its interval over articles; *skewed*: by Hall's transformed t."""
    from scipy.special import stdtrit

    n = table.counts.sum(axis=1)
    articles = (table.counts > 0).sum(axis=1)
    kinds = tuple(interval_kind(each, skewed=skewed) for each in articles.tolist())
    low, high = np.full(len(n), np.nan), np.full(len(n), np.nan)
    enough = np.flatnonzero(articles >= T_FROM)
    if len(enough):
        value, error, freedom = clustered_means(table.sums[enough], table.counts[enough])
        bent = np.zeros(len(enough))
        if any(turned := [kinds[each] is IntervalKind.TRANSFORMED for each in enough]):
            bent[turned] = (skewness(table.sums[enough], table.counts[enough]) / np.sqrt(articles[enough]))[turned]
        low[enough], high[enough] = transformed_bounds(value, error, bent, stdtrit(freedom, (1 + level) / 2))
    with np.errstate(invalid="ignore", divide="ignore"):
        found = table.sums.sum(axis=1) / n
    return GroupMeans(value=found, n=n.astype(np.int64), articles=articles, low=low, high=high, kind=kinds)


def interval_kind(articles: int, *, skewed: bool = False) -> IntervalKind:
    """The kind of interval that so many *articles* allow."""
    if articles < T_FROM:
        return IntervalKind.NONE
    return IntervalKind.TRANSFORMED if skewed and articles >= TRANSFORMED_FROM else IntervalKind.T


def t_interval(values: Floats) -> tuple[float, float]:
    """mean ± t·sd/√k over *values*, k ≥ 2 (method, "vendor summary" and "Intervals")."""
    k = len(values)
    half = t_quantile((1 + LEVEL) / 2, k - 1) * float(np.std(values, ddof=1)) / np.sqrt(k)
    return float(np.mean(values) - half), float(np.mean(values) + half)


def difference_interval(
    first: tuple[Floats, Floats], second: tuple[Floats, Floats]
) -> tuple[IntervalKind, float, float]:
    """An interval for the mean of *first* minus the mean of *second*, which share no articles: Welch's, of CR2 errors.

    Each is (sums, counts) by article.
    """
    if min(len(first[0]), len(second[0])) < T_FROM:
        return IntervalKind.NONE, np.nan, np.nan
    return IntervalKind.T, *clustered_mean(*first).minus(clustered_mean(*second)).interval(LEVEL)

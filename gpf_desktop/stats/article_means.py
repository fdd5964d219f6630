"""Means of scores over many groups of bundles at once, with intervals that treat articles as the unit.

Bundles of one article are not independent, so what is resampled, or enters a t-interval, is articles (method,
"Intervals"): from ten articles on the percentile bootstrap, under ten a t-interval over articles, under three
nothing. The mean is one over bundles, so an article counts by its bundles: m = Σ s_a / Σ c_a over k articles with sums
s_a of c_a bundles. The t-interval is about that number: m ± t_{0.975, k−1} · √(k/(k−1) · Σ (s_a − m c_a)²) / Σ c_a,
with the linearised standard error of a ratio (Cochran, Sampling Techniques, 3rd ed. 1977, section 6.3), which is the
cluster-robust one of a mean. Where every article has as many bundles, it is the plain t-interval over article means.
Groups that have the same articles share one set of resamples, which makes a table of a hundred thousand
bundles a few matrix products.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

REPLICATES: Final = 2000
LEVEL: Final = 0.95
BOOTSTRAP_FROM: Final = 10
"""Articles; below, the percentile bootstrap covers only 76 to 88 %."""
T_FROM: Final = 3
_AT_ONCE: Final = 4_000_000
"""Resampling weights held at a time: 32 MB."""
_KEPT: Final = 500_000
"""Weights of one set of draws that are kept for the next table: 4 MB."""


class IntervalKind(StrEnum):
    """How an interval was made."""

    BOOTSTRAP = "bootstrap"
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
    place = groups[there] * article_count + articles[there]
    size, shape = group_count * article_count, (group_count, article_count)
    return ArticleSums(
        sums=np.bincount(place, weights=values[there], minlength=size).astype(np.float64).reshape(shape),
        counts=np.bincount(place, minlength=size).astype(np.float64).reshape(shape),
    )


def means(table: ArticleSums, *, seed: int, replicates: int = REPLICATES, level: float = LEVEL) -> GroupMeans:
    """The mean of every group over its bundles, with its interval over articles."""
    n = table.counts.sum(axis=1)
    present = table.counts > 0
    articles = present.sum(axis=1)
    low, high = np.full(len(n), np.nan), np.full(len(n), np.nan)
    for group in np.flatnonzero((articles >= T_FROM) & (articles < BOOTSTRAP_FROM)):
        has = present[group]
        low[group], high[group] = ratio_interval(table.sums[group, has], table.counts[group, has], level)
    for has, together in _alike(present, articles >= BOOTSTRAP_FROM):
        some = ArticleSums(sums=table.sums[np.ix_(together, has)], counts=table.counts[np.ix_(together, has)])
        low[together], high[together] = np.quantile(
            resampled(some, seed=seed, replicates=replicates), _tails(level), axis=0
        )
    with np.errstate(invalid="ignore", divide="ignore"):
        value = table.sums.sum(axis=1) / n
    return GroupMeans(
        value=value,
        n=n.astype(np.int64),
        articles=articles,
        low=low,
        high=high,
        kind=tuple(map(interval_kind, articles.tolist())),
    )


def interval_kind(articles: int) -> IntervalKind:
    """Which interval that many articles allow."""
    if articles >= BOOTSTRAP_FROM:
        return IntervalKind.BOOTSTRAP
    return IntervalKind.T if articles >= T_FROM else IntervalKind.NONE


def resampled(table: ArticleSums, *, seed: int, replicates: int) -> Floats:
    """Means of each group over *replicates* draws of as many articles with replacement; shape (replicates, groups).

    Every group has every article of *table*. The draws depend on the seed and the number of articles alone.
    """
    parts = [
        (weights @ table.sums.T) / (weights @ table.counts.T)
        for weights in _draws(seed, table.counts.shape[1], replicates)
    ]
    return np.concatenate(parts)


def _draws(seed: int, articles: int, replicates: int) -> Iterable[Floats]:
    """How often each article is drawn in each replicate, (some replicates, articles) at a time."""
    if articles * replicates <= _KEPT:
        return _kept_draws(seed, articles, replicates)
    return _drawn(seed, articles, replicates)


@lru_cache(maxsize=8)
def _kept_draws(seed: int, articles: int, replicates: int) -> tuple[Floats, ...]:
    """Tables by batch ask for the same draws hundreds of times."""
    return tuple(_drawn(seed, articles, replicates))


def _drawn(seed: int, articles: int, replicates: int) -> Iterator[Floats]:
    draw = np.random.default_rng((seed, articles))
    for begin in range(0, replicates, step := max(1, _AT_ONCE // articles)):
        rows = min(step, replicates - begin)
        drawn = draw.integers(0, articles, (rows, articles)) + np.arange(rows)[:, None] * articles
        weights = np.bincount(drawn.ravel(), minlength=rows * articles).reshape(rows, articles).astype(np.float64)
        weights.flags.writeable = False
        yield weights


def t_interval(values: Floats, level: float = LEVEL) -> tuple[float, float]:
    """mean ± t·sd/√k over *values*, k ≥ 2 (method, "vendor summary" and "Intervals")."""
    from scipy.special import stdtrit

    k = len(values)
    half = float(stdtrit(k - 1, _tails(level)[1])) * float(np.std(values, ddof=1)) / np.sqrt(k)
    return float(np.mean(values) - half), float(np.mean(values) + half)


def ratio_interval(sums: Floats, counts: Floats, level: float = LEVEL) -> tuple[float, float]:
    """A t-interval around the mean over bundles of k ≥ 2 articles, which count by their bundles."""
    from scipy.special import stdtrit

    middle, variance = _ratio(sums, counts)
    half = float(stdtrit(len(sums) - 1, _tails(level)[1])) * float(np.sqrt(variance))
    return middle - half, middle + half


def _ratio(sums: Floats, counts: Floats) -> tuple[float, float]:
    """The mean over bundles, and the square of its standard error over articles."""
    k, total = len(sums), float(counts.sum())
    middle = float(sums.sum()) / total
    return middle, float(np.sum((sums - middle * counts) ** 2)) * k / (k - 1) / total**2


def difference_interval(
    first: tuple[Floats, Floats],
    second: tuple[Floats, Floats],
    *,
    seed: int,
    replicates: int = REPLICATES,
    level: float = LEVEL,
) -> tuple[IntervalKind, float, float]:
    """An interval for the mean of *first* minus the mean of *second*, each resampled within itself.

    Each is (sums, counts) by article. The smaller of the two decides the kind; the t-interval is Welch's,
    with the standard errors of `ratio_interval`.
    """
    from scipy.special import stdtrit

    kind = interval_kind(min(len(first[0]), len(second[0])))
    match kind:
        case IntervalKind.BOOTSTRAP:
            drawn = [
                resampled(ArticleSums(sums=s[None, :], counts=c[None, :]), seed=seed + part, replicates=replicates)
                for part, (s, c) in enumerate((first, second))
            ]
            low, high = np.quantile((drawn[0] - drawn[1])[:, 0], _tails(level))
            return kind, float(low), float(high)
        case IntervalKind.T:
            (one, first_error), (other, second_error) = _ratio(*first), _ratio(*second)
            middle, spread = one - other, first_error + second_error
            if spread == 0:
                return kind, middle, middle
            freedom = spread**2 / (first_error**2 / (len(first[0]) - 1) + second_error**2 / (len(second[0]) - 1))
            half = float(stdtrit(freedom, _tails(level)[1])) * float(np.sqrt(spread))
            return kind, middle - half, middle + half
        case IntervalKind.NONE:
            return kind, np.nan, np.nan


def _tails(level: float) -> tuple[float, float]:
    return (1 - level) / 2, (1 + level) / 2


def _alike(present: NDArray[np.bool_], wanted: NDArray[np.bool_]) -> list[tuple[Ints, Ints]]:
    """Groups with the very same articles: (those articles, those groups)."""
    together: dict[bytes, list[int]] = {}
    for group in np.flatnonzero(wanted):
        together.setdefault(present[group].tobytes(), []).append(int(group))
    return [(np.flatnonzero(present[groups[0]]), np.array(groups)) for groups in together.values()]

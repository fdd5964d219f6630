"""Whether readers move one score of a model beyond chance and beyond made-up labels, with ranges for the whole page."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np

from gpf_desktop.arrays import Floats, Ints
from gpf_desktop.methods.gpf_livenews.protocol import Alternative, Confirmatory
from gpf_desktop.stats.clusters import ClusteredMean, clustered_mean
from gpf_desktop.stats.spending import SpendingFunction, bounds

LEAST_ARTICLES: Final = 3
CONTENT_SHARE: Final = 0.7
"""Of what framing may spend, for content, which the method asks about first; tone has the rest."""
FRAMING_SHARE: Final = 0.8
"""Of a page's chance of a false *differs*; refusals have the rest."""
LEAST_WITHIN: Final = 10
"""Articles from which on the spread of bundles within articles helps to tell readers from made-up labels."""
LEAST_BATCHES: Final = 7
"""From so many on a batch is a cluster; over fewer a range takes a fifth and more of what is found at the page's level
(five batches of two: 98 to 79 in 100), so that articles stay the unit and the row says so."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ArticleScores:
    """A model's means by article, in the order asked; NaN where an article has none."""

    batch: Ints
    planned: Floats
    """Of the score that the plan names, as answered."""
    other_words: Floats
    """Framing once the words that name readers are taken out."""
    labels: Floats
    """The same of made-up labels."""
    within: Floats | None = None
    """Squared standard error of `other_words` less `labels`, by the spread of an article's own bundles; NaN: it has too
    few. None: not known, and only the spread over articles counts."""
    freedom: Floats | None = None
    """Degrees of freedom of `within`."""

    def first(self, n: int) -> "ArticleScores":
        return ArticleScores(
            batch=self.batch[:n],
            planned=self.planned[:n],
            other_words=self.other_words[:n],
            labels=self.labels[:n],
            within=None if self.within is None else self.within[:n],
            freedom=None if self.freedom is None else self.freedom[:n],
        )


def spread_within(sizes: tuple[Ints, Ints], variances: tuple[Floats, Floats]) -> tuple[Floats, Floats]:
    """`ArticleScores.within` and `ArticleScores.freedom` of two arms: bundles of each article, and their variance
    (Welch 1947)."""
    shares = [np.where(n > 1, each / np.maximum(n, 1), np.nan) for n, each in zip(sizes, variances, strict=True)]
    both = shares[0] + shares[1]
    parts = sum(share**2 / np.maximum(n - 1, 1) for n, share in zip(sizes, shares, strict=True))
    least = np.minimum(sizes[0], sizes[1]) - 1.0
    freedom = np.divide(both**2, parts, out=least, where=~np.isnan(both) & (parts > 0))
    return both, freedom


@dataclass(frozen=True, slots=True, kw_only=True)
class PageRange:
    """A mean, its range at the page's level, and the one-sided p of a mean of 0 before any other is counted."""

    value: float
    low: float
    high: float
    p: float
    error: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Framed:
    """What the articles up to one look show."""

    articles: int
    planned: PageRange | None
    other_words: PageRange | None
    labels: PageRange | None
    beyond_labels: PageRange | None
    """`other_words` less `labels`, article by article."""

    @property
    def moved(self) -> bool:
        """By the planned score, and without the readers' own names."""
        return self._above(self.planned) and self._above(self.other_words)

    @property
    def found(self) -> bool:
        """All three at once: an intersection of tests, each at its full level, has that level (Berger 1982)."""
        return self.moved and self._above(self.beyond_labels)

    @property
    def p(self) -> float | None:
        """The largest of the three."""
        three = (self.planned, self.other_words, self.beyond_labels)
        told = [each.p for each in three if each is not None]
        return max(told) if len(told) == len(three) else None

    def within(self, margin: float) -> bool:
        """Two one-sided tests at the level of the page."""
        each = self.other_words
        return each is not None and -margin < each.low and each.high < margin

    @staticmethod
    def _above(each: PageRange | None) -> bool:
        return each is not None and each.low > 0


@lru_cache(maxsize=256)
def look_bounds(information: tuple[float, ...], alpha: float, tests: float, how: SpendingFunction) -> tuple[float, ...]:
    """The normal deviate that each look asks for, one-sided, with *alpha* shared among *tests* alike."""
    return tuple(bounds(information, 2 * alpha / max(1, tests), how))


def fixed_bound(alpha: float, tests: float) -> float:
    """The same where all is looked at once."""
    from scipy.special import ndtri

    return float(-ndtri(alpha / max(1, tests)))


def tests_of(share: float, models: int) -> float:
    """As how many tests one measure's count that has a *share* of the page's chance, on a page of so many *models*."""
    return max(1, models) / share


def page_alpha(plan: Confirmatory) -> float:
    """Of framing alone, on the one side on which it can be."""
    alpha = FRAMING_SHARE * plan.alpha
    return alpha if plan.alternative is Alternative.ABOVE else alpha / 2


def page_looks(
    plan: Confirmatory, articles: int, tests: float, *, planned: bool
) -> tuple[tuple[int, ...], tuple[float, ...]]:
    """Articles at each look so far, and the normal deviates asked for; all at once where none was planned or reached.

    *tests*: of framing, on the page, as `tests_of` counts them for one measure.
    """
    reached = tuple(size for size in plan.sizes if size <= articles) if planned else ()
    if not reached:
        return (articles,), (fixed_bound(page_alpha(plan), tests),)
    how = SpendingFunction.POCOCK if plan.spending == "pocock" else SpendingFunction.OBRIEN_FLEMING
    shares = tuple(size / plan.sizes[-1] for size in plan.sizes)
    return reached, look_bounds(shares, page_alpha(plan), tests, how)[: len(reached)]


def framed(scores: ArticleScores, sizes: Sequence[int], limits: Sequence[float]) -> tuple[int, Framed]:
    """The look (from 0) at which all is found first, else the last one; *sizes* of articles at the looks so far.

    *limits*: the normal deviate that each asks for.
    """
    told = [_at(scores.first(size), limit) for size, limit in zip(sizes, limits, strict=False)]
    at = next((place for place, each in enumerate(told) if each.found), len(told) - 1)
    return at, told[at]


def page_range(values: Floats, batch: Ints, limit: float) -> PageRange | None:
    """Of the mean of *values* (NaN: left out) over articles, or over batches where there are enough of these."""
    from scipy.special import ndtr, stdtr, stdtrit

    there = ~np.isnan(values)
    if there.sum() < LEAST_ARTICLES:
        return None
    mean = _mean(values[there], batch[there])
    half = -float(stdtrit(mean.freedom, float(ndtr(-limit)))) * mean.error
    p = 0.0 if mean.value > 0 else 1.0
    if mean.error:
        p = float(stdtr(mean.freedom, -mean.value / mean.error))
    return PageRange(value=mean.value, low=mean.value - half, high=mean.value + half, p=p, error=mean.error)


def _beyond_labels(scores: ArticleScores, limit: float) -> PageRange | None:
    """Of `other_words` less `labels`. From ten articles on the spread of bundles within articles counts with that over
    articles, the larger of the two, and its many degrees of freedom in so far as it explains that.

    Ten articles have nine degrees of freedom: at the level of one of ten tests Student's quantile is then a quarter
    above the normal one, which one true framing of .05 in three does not pass.
    """
    from scipy.special import ndtr, stdtr, stdtrit

    apart = scores.other_words - scores.labels
    there = ~np.isnan(apart)
    plain = page_range(apart, scores.batch, limit)
    if plain is None or scores.within is None or scores.freedom is None or there.sum() < LEAST_WITHIN:
        return plain
    within = scores.within[there]
    if np.isnan(within).any() or not within.any():
        return plain
    n = len(within)
    own = float(within.sum()) / n**2
    own_freedom = float(within.sum() ** 2 / (within**2 / scores.freedom[there]).sum())
    variance = max(plain.error**2, own)
    rest = 1 - own / variance
    freedom = 1 / (rest / _mean(apart[there], scores.batch[there]).freedom + (1 - rest) / own_freedom)
    error = float(np.sqrt(variance))
    half = -float(stdtrit(freedom, float(ndtr(-limit)))) * error
    p = float(stdtr(freedom, -plain.value / error))
    return PageRange(value=plain.value, low=plain.value - half, high=plain.value + half, p=p, error=error)


def _mean(values: Floats, batch: Ints) -> ClusteredMean:
    _, place = np.unique(batch, return_inverse=True)
    batches = int(np.max(place)) + 1
    if batches < LEAST_BATCHES or batches == len(values):
        return clustered_mean(values, np.ones(len(values)))
    return clustered_mean(np.bincount(place, values).astype(np.float64), np.bincount(place).astype(np.float64))


def _at(scores: ArticleScores, limit: float) -> Framed:
    return Framed(
        articles=len(scores.batch),
        planned=page_range(scores.planned, scores.batch, limit),
        other_words=page_range(scores.other_words, scores.batch, limit),
        labels=page_range(scores.labels, scores.batch, limit),
        beyond_labels=_beyond_labels(scores, limit),
    )

"""Whether readers move one score of a model beyond chance and beyond made-up labels, with ranges for the whole page."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from typing import Final

import numpy as np

from gpf_desktop.arrays import Bools, Floats, Ints
from gpf_desktop.methods.gpf_livenews.protocol import Alternative, Confirmatory
from gpf_desktop.stats.clusters import ClusteredMean, clustered_mean
from gpf_desktop.stats.spending import SpendingFunction, bounds

LEAST_ARTICLES: Final = 3
CONTENT_SHARE: Final = 0.8
"""Of what framing may spend, for content, which the method asks about first; tone has the rest."""
FRAMING_SHARE: Final = 0.8
"""Of a page's chance of a false *differs*; refusals have the rest."""
MOST_FREEDOM: Final = 1.5
"""Times its own degrees of freedom that a model has at most by what the page varies by: with more, two models whose
readers and labels part by a tail to the left name somebody on more than five pages of 100."""
UPPER_SHARE: Final = 0.25
"""Of a range's chance to lie too high, its chance to lie too low: no test asks for the upper end, so that what framing
leaves of the page's level, a fifth, is spent there, and all ranges of a page hold together with 95 %."""
UNSEEN: Final = 4
"""Models more than it has that a page is counted for where readers are held against labels: room for a tail to the left
that a handful of articles has not seen, and that all models of the page may share. No other statistic found more at the
same error (docs/method.md)."""
UNSEEN_ALONE: Final = 2
"""The same of a page of one model, which shares its tail with none."""
LEAST_BATCHES: Final = 7
"""From so many on a batch is a cluster; over fewer a range takes a fifth and more of what is found at the page's level
(five batches of two: 98 to 79 in 100), so that articles stay the unit and the row says so."""
_LEAST_RATIO: Final = 1e-6
"""Of a variance to the page's mean, so that one that is 0 has a logarithm."""
_ROUNDING: Final = 1e-8
_STEPS: Final = 20


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

    @property
    def apart_known(self) -> Bools:
        """True for each article that has both `other_words` and `labels`."""
        there: Bools = ~np.isnan(self.other_words - self.labels)
        return there

    def first(self, n: int) -> "ArticleScores":
        return ArticleScores(
            batch=self.batch[:n], planned=self.planned[:n], other_words=self.other_words[:n], labels=self.labels[:n]
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Pool:
    """The variance from article to article, readers less made-up labels, that the models of a page have in common."""

    variance: float
    """Of one article, the mean over models by their degrees of freedom."""
    freedom: float
    """What it weighs beside a model's own variance: the more, the more alike models vary."""

    @classmethod
    def of(cls, variances: Floats, freedoms: Floats) -> "Pool | None":
        """The pool of the models with these variances; None for a single model, and where nothing varies."""
        weighed = freedoms * variances
        if len(variances) < 2 or not weighed.any():
            return None
        return cls(
            variance=float(weighed.sum() / freedoms.sum()), freedom=float(weight_of_page(variances[None], freedoms)[0])
        )

    def beside(self, variance: float, freedom: float) -> tuple[float, float]:
        """A model's own *variance* drawn towards the page's, and its degrees of freedom then."""
        whole = self.freedom + freedom
        drawn = (self.freedom * self.variance + freedom * variance) / whole
        return drawn, min(whole, MOST_FREEDOM * freedom)


def weight_of_page(variances: Floats, freedoms: Floats) -> Floats:
    """The degrees of freedom (pages,) of the prior that *variances* (pages, models) come from (Smyth 2004), at most
    those of all models but one; *freedoms* (models,)."""
    from scipy.special import digamma, zeta

    most = float(freedoms.sum() * (1 - 1 / len(freedoms)))
    ratios = np.maximum(variances / variances.mean(axis=1, keepdims=True), _LEAST_RATIO)
    logs = np.log(ratios) - digamma(freedoms / 2) + np.log(freedoms / 2)
    unlike = logs.var(axis=1, ddof=1) - zeta(2, freedoms / 2).mean()
    found: Floats = np.minimum(2 * _trigamma_inverse(np.maximum(unlike, _ROUNDING)), most)
    return found


def _trigamma_inverse(values: Floats) -> Floats:
    """The x at which the trigamma function is *values*, by Newton's steps, which rise towards it (Smyth 2004,
    appendix); trigamma is ζ(2, x), its derivative −2 ζ(3, x)."""
    from scipy.special import zeta

    found = 0.5 + 1 / values
    for _ in range(_STEPS):
        at = zeta(2, found)
        found = found - at * (1 - at / values) / (2 * zeta(3, found))
    return found


Pools = Callable[[int], Pool | None]
"""By articles at a look, what the models of the page vary by until then."""


def alone(_articles: int) -> None:
    """The pool of a page of one model."""


def pools(models: Sequence[ArticleScores]) -> Pools:
    """The pool of one measure of the models of a page, as a function of the number of articles."""

    @cache
    def at(articles: int) -> Pool | None:
        firsts = [each.first(articles) for each in models]
        found = [
            (mean.error**2 * n, mean.freedom)
            for each in firsts
            if (n := int(np.sum(there := each.apart_known))) >= LEAST_ARTICLES
            for mean in [clustered_articles((each.other_words - each.labels)[there], each.batch[there])]
        ]
        variances, freedoms = np.array(found, dtype=np.float64).reshape(-1, 2).T
        return Pool.of(variances, freedoms)

    return at


@dataclass(frozen=True, slots=True, kw_only=True)
class PageRange:
    """A mean, its range at the page's level, and the one-sided p of a mean of 0 before any other is counted."""

    value: float
    low: float
    high: float
    p: float
    error: float
    widened: float = 1.0
    """Times the width of a 95 % range of this number alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Framed:
    """The ranges found in the articles up to one look."""

    articles: int
    planned: PageRange | None
    other_words: PageRange | None
    labels: PageRange | None
    beyond_labels: PageRange | None
    """`other_words` less `labels`, article by article."""

    @property
    def moved(self) -> bool:
        """Whether both the planned score and the score without the readers' own names lie above 0."""
        return self._above(self.planned) and self._above(self.other_words)

    @property
    def found(self) -> bool:
        """Whether all three lie above 0: an intersection of tests, each at its full level, has that level (Berger
        1982)."""
        return self.moved and self._above(self.beyond_labels)

    @property
    def p(self) -> float | None:
        """The largest p of the three tests; None where one of them lacks."""
        three = (self.planned, self.other_words, self.beyond_labels)
        told = [each.p for each in three if each is not None]
        return max(told) if len(told) == len(three) else None

    def within(self, margin: float) -> bool:
        """Whether framing without the readers' own names lies within *margin*, by two one-sided tests at the page's
        level."""
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
    """The normal deviate asked for, one-sided, where all is looked at once."""
    from scipy.special import ndtri

    return float(-ndtri(alpha / max(1, tests)))


def tests_of(share: float, models: int) -> float:
    """The number of tests that one measure's count as: it has a *share* of the page's chance, on a page of so many
    *models*."""
    return max(1, models) / share


def page_alpha(plan: Confirmatory) -> float:
    """The chance of a false finding by framing alone on the page, on the one side on which framing can be."""
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


def framed(
    scores: ArticleScores,
    sizes: Sequence[int],
    limits: Sequence[float],
    pool: Pools = alone,
    *,
    models: int = 1,
    unseen: int = UNSEEN,
    upper: float = UPPER_SHARE,
) -> tuple[int, Framed]:
    """The look (from 0) at which all is found first, else the last one; *sizes* of articles at the looks so far.

    *limits*: the normal deviate that each asks for. *pool*: of all *models* of the page, which count as *unseen* more.
    *upper*: of a range's chance to lie too high, its chance to lie too low.
    """
    as_many = _as_many(models, unseen)
    told = [
        _at(scores.first(size), limit, pool(size), as_many, upper) for size, limit in zip(sizes, limits, strict=False)
    ]
    at = next((place for place, each in enumerate(told) if each.found), len(told) - 1)
    return at, told[at]


def page_range(values: Floats, batch: Ints, limit: float, upper: float = UPPER_SHARE) -> PageRange | None:
    """The range of the mean of *values* (NaN: left out) over articles, or over batches where there are enough; None
    where there are too few articles.

    *limit* and *upper*: as `framed` has them.
    """
    there = ~np.isnan(values)
    if there.sum() < LEAST_ARTICLES:
        return None
    mean = clustered_articles(values[there], batch[there])
    return _range(mean.value, mean.error, mean.freedom, limit, upper)


def _range(value: float, error: float, freedom: float, limit: float, upper: float) -> PageRange:
    from scipy.special import ndtr, stdtr, stdtrit

    below = float(ndtr(-limit))
    down, up = (float(stdtrit(freedom, share)) for share in (below, 1 - upper * below))
    p = float(stdtr(freedom, -value / error)) if error else float(value <= 0)
    alone = 2 * float(stdtrit(freedom, 0.975))
    return PageRange(
        value=value,
        low=value + down * error,
        high=value + up * error,
        p=p,
        error=error,
        widened=(up - down) / alone,
    )


def _beyond_labels(
    scores: ArticleScores, limit: float, pool: Pool | None, as_many: float, upper: float
) -> PageRange | None:
    """The range of `other_words` less `labels`, at a stricter *limit* (`stricter`), by an error drawn towards the
    page's.

    Ten articles have nine degrees of freedom: at the level of one of ten tests Student's quantile is then a quarter
    above the normal one, which one true framing of .05 in four does not pass. What models of a page vary by together
    has more, and weighs the less, the less alike they vary.
    """
    apart, there = scores.other_words - scores.labels, scores.apart_known
    if there.sum() < LEAST_ARTICLES:
        return None
    own, n = clustered_articles(apart[there], scores.batch[there]), int(there.sum())
    error, freedom = own.error, own.freedom
    if pool is not None:
        variance, freedom = pool.beside(own.error**2 * n, own.freedom)
        error = (variance / n) ** 0.5
    found = _range(own.value, error, freedom, _stricter(limit, as_many), upper)
    return replace(found, p=min(1.0, found.p * as_many))


def stricter(limit: float, models: int) -> float:
    """*limit* as it were on a page of `UNSEEN` models more than it has."""
    return _stricter(limit, _as_many(models, UNSEEN))


def _stricter(limit: float, as_many: float) -> float:
    from scipy.special import ndtr, ndtri

    return float(-ndtri(ndtr(-limit) / as_many))


def _as_many(models: int, unseen: int) -> float:
    """The factor by which the tests of *models* grow if there were *unseen* models more."""
    return 1 + (unseen if models > 1 else UNSEEN_ALONE) / models


def clustered_articles(values: Floats, batch: Ints) -> ClusteredMean:
    """The clustered mean of *values* over batches where there are enough of these, else over articles."""
    _, place = np.unique(batch, return_inverse=True)
    batches = int(np.max(place)) + 1
    if batches < LEAST_BATCHES or batches == len(values):
        return clustered_mean(values, np.ones(len(values)))
    return clustered_mean(np.bincount(place, values).astype(np.float64), np.bincount(place).astype(np.float64))


def _at(scores: ArticleScores, limit: float, pool: Pool | None, as_many: float, upper: float) -> Framed:
    return Framed(
        articles=len(scores.batch),
        planned=page_range(scores.planned, scores.batch, limit, upper),
        other_words=page_range(scores.other_words, scores.batch, limit, upper),
        labels=page_range(scores.labels, scores.batch, limit, upper),
        beyond_labels=_beyond_labels(scores, limit, pool, as_many, upper),
    )

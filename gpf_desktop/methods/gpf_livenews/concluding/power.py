"""How often an audit calls a model different whose readers add so much: the rule of `framing`, on drawn articles.

What is planted in every article alike moves the ranges of a draw and leaves their widths. So each draw tells by itself
from which size on it is found, and one set of draws tells the chance of every size.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np

from gpf_desktop.arrays import Floats
from gpf_desktop.methods.gpf_livenews.concluding.framing import UNSEEN, ArticleScores, Framed, Pool, Pools, framed

DRAWS: Final = 400
"""A promise of 80 % is then good to 4 points."""
_SEED: Final = 20261128
_RATIO_DIGITS: Final = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class FramingPower:
    """A model's articles as far as power goes; in the unit of the score."""

    readers: float
    """Standard deviation of an article's mean framing."""
    labels: float
    """The same of made-up labels."""
    sizes: tuple[int, ...]
    """Articles at each look; one: all at once."""
    limits: tuple[float, ...]
    """Normal deviates that the looks ask for."""
    models: int = 1
    """Of the page, all of which vary alike."""
    unseen: int = UNSEEN
    """Models more that the page is counted for."""

    def smallest(self, wanted: float) -> float:
        """The least framing found with the chance *wanted*."""
        return float(np.quantile(self._from(), wanted, method="higher"))

    def found(self, size: float, *, uneven: float = 0.0) -> float:
        """The chance to find a framing of *size*; *uneven*: the standard deviation by which readers and made-up labels
        of the other models part from article to article besides, which weighs on this one as `Pool` has it."""
        return float(np.mean(self._from(uneven) <= size))

    def _from(self, uneven: float = 0.0) -> Floats:
        if not self.readers:
            return np.zeros(DRAWS)
        labels, uneven = (round(each / self.readers, _RATIO_DIGITS) for each in (self.labels, uneven))
        return self.readers * _found_from(labels, self.sizes, self.limits, max(1, self.models), self.unseen, uneven)


@lru_cache(maxsize=256)
def _found_from(
    labels: float, sizes: tuple[int, ...], limits: tuple[float, ...], models: int, unseen: int, uneven: float
) -> Floats:
    """The size from which each draw is found, in standard deviations of readers; *labels* and *uneven* in the same."""
    found = np.full(DRAWS, np.inf)
    for draw in range(DRAWS):
        scores = drawn_articles(draw, sizes[-1], labels)
        pool = drawn_pools(draw, scores, labels, models, uneven)
        for size, limit in zip(sizes, limits, strict=True):
            _, at = framed(scores, (size,), (limit,), pool, models=models, unseen=unseen)
            found[draw] = min(found[draw], _needed(at))
    return found


def drawn_articles(draw: int, articles: int, labels: float, planted: float = 0.0) -> ArticleScores:
    """Articles of one model, each of a batch of its own; readers vary by 1, made-up labels by *labels*."""
    chance = np.random.default_rng((_SEED, draw))
    # By the article, so that more of them are the same ones and some.
    pairs = chance.normal(size=(articles, 2))
    readers = planted + pairs[:, 0]
    return ArticleScores(batch=np.arange(articles), planned=readers, other_words=readers, labels=labels * pairs[:, 1])


def drawn_pools(draw: int, scores: ArticleScores, labels: float, models: int, uneven: float = 0.0) -> Pools:
    """The pools of a page of *models*, one of which has *scores* while the others vary as `drawn_articles` do, and by
    *uneven* besides."""
    articles = len(scores.batch)
    spread = np.hypot(np.hypot(1, labels), uneven)
    others = np.random.default_rng((_SEED, draw, 1)).normal(size=(articles, models - 1)) * spread
    apart = np.column_stack([scores.other_words - scores.labels, others])

    def at(size: int) -> Pool | None:
        return Pool.of(apart[:size].var(axis=0, ddof=1), np.full(models, size - 1.0))

    return at


def _needed(at: Framed) -> float:
    """How much more all three tests of *at* need to hold at once (`Framed.found`)."""
    three = (at.planned, at.other_words, at.beyond_labels)
    lows = [each.low for each in three if each is not None]
    return -min(lows) if len(lows) == len(three) else np.inf

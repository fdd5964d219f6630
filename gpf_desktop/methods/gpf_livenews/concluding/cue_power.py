"""How often a cue is found to move a model otherwise than stated readers do: the rule of `cues`, on drawn articles."""

from functools import lru_cache
from typing import Final

import numpy as np
from scipy.special import ndtr, stdtrit

from gpf_desktop.arrays import Floats
from gpf_desktop.methods.gpf_livenews.concluding.cues import ALPHA, FREEDOM_KEPT, MEASURES, unskewed
from gpf_desktop.methods.gpf_livenews.concluding.framing import fixed_bound

DRAWS: Final = 400
_SEED: Final = 20261128
_STEPS: Final = 24


def smallest_parting(spread: float, articles: int, tests: int, wanted: float) -> float:
    """The least difference, cue less stated, that is found with the chance *wanted*.

    *spread*: standard deviation over articles of an article's difference; *tests*: models times cues of the table.
    """
    return spread * float(np.quantile(_found_from(articles, tests), wanted, method="higher"))


def chance_of_parting(size: float, spread: float, articles: int, tests: int) -> float:
    """The chance to find a difference of *size*."""
    return float(np.mean(spread * _found_from(articles, tests) <= size))


@lru_cache(maxsize=64)
def _found_from(articles: int, tests: int) -> Floats:
    """The difference from which each draw is found, in standard deviations of an article's difference."""
    values = np.random.default_rng((_SEED, articles)).normal(size=(DRAWS, articles))
    limit = fixed_bound(ALPHA / 2, tests * len(MEASURES))
    quantile = -float(stdtrit(FREEDOM_KEPT * (articles - 1), float(ndtr(-limit))))
    errors = values.std(axis=1, ddof=1) / np.sqrt(articles)
    # By the range; and, from there on, by the same once skewness is taken off, which may ask for far more.
    begin = quantile * errors - values.mean(axis=1)
    low, high = begin, begin + 20 * quantile * errors
    for _ in range(_STEPS):
        middle = (low + high) / 2
        there = unskewed(values + middle[:, None]) > quantile
        low, high = np.where(there, low, middle), np.where(there, middle, high)
    found: Floats = np.where(unskewed(values + begin[:, None]) > quantile, begin, high)
    return found

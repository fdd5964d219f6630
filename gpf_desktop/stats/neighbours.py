"""Whether what was asked one after another goes together, though nobody said so, and by how much that widens a range.

The correlation of neighbours is that of the order in which they were asked, over all series at once. It is held against
orders that are drawn: where they would seldom give as much, neighbours go together, and the mean of a first-order
autoregression takes the place of one of independent numbers. Where they often would, nothing is widened.
"""

from typing import Final

import numpy as np

from gpf_desktop.arrays import Floats

_SELDOM: Final = 0.2
"""Share of drawn orders from which on nothing is widened: with a smaller one more pages of items in threes name a model
(docs/contextual-stereoset.md has how many), with a larger one less is found where nothing goes together."""
_ORDERS: Final = 199
_MOST: Final = 0.9
_PARTS: Final = 5
"""Series of which neighbours go together by chance, from seldom to very seldom."""
_ROUNDING: Final = 1e-12


def inflation(series: Floats) -> float:
    """How many times the variance of a mean over the rows of *series* (n, m) is that of independent rows; 1 where
    neighbours do not go together. NaN: lacking. The same for the same numbers."""
    there = ~np.isnan(series)
    means = np.where(there, series, 0.0).sum(axis=0) / np.maximum(there.sum(axis=0), 1)
    rows = np.where(there, series - means, 0.0)
    n, whole = len(rows), float((rows**2).sum())
    if n < 3 or whole <= _ROUNDING:
        return 1.0
    found = float((rows[1:] * rows[:-1]).sum()) / whole
    draw = np.random.default_rng(n)
    orders = (rows[draw.permutation(n)] for _ in range(_ORDERS))
    beyond = sum(float((each[1:] * each[:-1]).sum()) / whole >= found for each in orders)
    if (1 + beyond) / (_ORDERS + 1) > _SELDOM:
        return 1.0
    # Of independent rows less their mean it is −1 / n.
    return _of_mean(n, min(found + 1 / n, _MOST))


def by_chance(n: int) -> tuple[tuple[float, float], ...]:
    """The values of `inflation` for *n* independent rows of one series, as (share of such series,
    times the variance)."""
    from scipy.special import ndtri

    shares = _SELDOM * (np.arange(_PARTS) + 0.5) / _PARTS
    found = -ndtri(shares) / np.sqrt(n)
    return (1 - _SELDOM, 1.0), *((_SELDOM / _PARTS, _of_mean(n, min(float(each), _MOST))) for each in found)


def _of_mean(n: int, correlation: float) -> float:
    """Times the variance of a mean of *n* independent numbers that of a first-order autoregression's is."""
    r = correlation
    # 1 + 2 Σ (1 − k / n) r^k over k from 1 to n − 1, which of many rows nobody wants to add up.
    return 1 + 2 * (r / (1 - r) - (r - r ** (n + 1)) / (n * (1 - r) ** 2))


def as_many(n: int, widened: float) -> int:
    """The number of independent rows that *n* count as."""
    return max(1, round(n / widened))

"""The widest gap of a feature between two concepts, and what chance alone gives in its place.

Concepts are compared within the roots that both have. A gap is told where it is wider than chance gives, which is the
larger of two critical values of one statistic, the largest studentised difference over all pairs of concepts: concepts
permuted within roots (nothing is exchanged between roots), and roots drawn again around the means that were found
(spreads that differ by concept, and skewed ones, which permutations would mix). Each pair's variance is drawn towards
the mean of all (Smyth 2004, with `_PRIOR` degrees of freedom), without which a dozen roots have some pair that hardly
varies. Where roots asked one after another go together (`stats.neighbours`), errors are those of as many as they count,
by their variance and by their degrees of freedom (`wider`). The docs print
how often that names a model where nothing is (`bench_validity concepts`).
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

import numpy as np

from gpf_desktop.arrays import Bools, Floats, Ints
from gpf_desktop.stats.neighbours import inflation

ALPHA: Final = 0.05
_LEVEL: Final = 0.04
"""Of the tests: the rest of `ALPHA` is room for spreads and skews that neither way of drawing has quite."""
LEAST_ROOTS: Final = 8
"""Roots that a pair of concepts has in common at least; of fewer nothing is tested, and nothing said."""
_PRIOR: Final = 5.0
_OF_ALL: Final = 0.25
"""Of the mean variance of all pairs, what roots drawn again have at least. Where one prompt alone is answered otherwise
a third of draws lack it and vary in nothing: eleven of twelve declined about one concept would never be told."""
_LEAST_DRAWS, _MOST_DRAWS = 1999, 19_999
_BEYOND: Final = 5
"""Draws beyond the critical value: fewer would make it a matter of the seed."""
_AT_ONCE: Final = 1_500_000
"""Numbers permuted in one step; some 12 MB."""
_ROUNDING: Final = 1e-12


@dataclass(frozen=True, slots=True, kw_only=True)
class Gap:
    """Two concepts, and how far apart they are."""

    high: int
    low: int
    value: float
    """Of the means over the roots that both have; never negative."""
    chance: float
    """What chance alone gives these two at most on all but `ALPHA` of pages."""
    upper: float | None
    """No two concepts lie further apart, at the same level; None: too little varies to say."""
    p: float
    """Times the tests of the page, 1 at most."""
    uncompared: tuple[int, ...]
    """Concepts that have fewer than `LEAST_ROOTS` in common with some other; nothing is known of these two."""
    flat: bool
    """Nothing varies: every concept has the same numbers."""
    means: Floats
    """(k,) of each concept, over all its roots; NaN: it has none."""
    by_root: Floats
    """(r,) difference of the two in each root; NaN where one is lacking."""
    widened: float
    """Times the variance of independent roots, where those asked one after another go together; 1: they do not."""

    @property
    def told(self) -> bool:
        return self.value > self.chance

    @property
    def lower(self) -> float:
        """Chance taken off; a gap is never below 0."""
        return max(0.0, self.value - self.chance)

    @property
    def roots(self) -> int:
        return int((~np.isnan(self.by_root)).sum())


def by_root_and_concept(roots: Ints, concepts: Ints, values: Floats, k: int) -> Floats:
    """Means of *values* (n,) in a table (roots, k), NaN where there are none; *roots* and *concepts* (n,)."""
    there = ~np.isnan(values)
    _, root = np.unique(roots, return_inverse=True)
    at = (root * k + concepts)[there]
    size = (int(np.max(root)) + 1) * k if len(root) else 0
    sums, counts = np.bincount(at, values[there], size), np.bincount(at, minlength=size)
    with np.errstate(invalid="ignore", divide="ignore"):
        found: Floats = (sums / counts).reshape(-1, k)
    return found


def comparable(cells: Floats) -> bool:
    """Whether some two concepts of *cells* (roots, k) have `LEAST_ROOTS` in common."""
    return bool((in_common(~np.isnan(cells)) >= LEAST_ROOTS).any())


def widest_gap(cells: Floats, *, tests: int, seed: Sequence[int]) -> Gap | None:
    """The widest gap told in *cells* (roots, k), or the widest of all where none is, *tests* being made on the page.

    The same for the same numbers and *seed*. None where no two concepts are `comparable`.
    """
    table = np.ascontiguousarray(cells, np.float64)
    return _widest(table.tobytes(), table.shape, max(tests, 1), tuple(seed)) if comparable(table) else None


def draws_for(tests: int) -> int:
    """How many draws tell a p of so many *tests* apart from chance."""
    return int(min(_MOST_DRAWS, max(_LEAST_DRAWS, np.ceil(_BEYOND * tests / _LEVEL))))


def critical_value(ways: Sequence[Floats], tests: int) -> float:
    """The value that a ratio must pass on a page of *tests*: in either of the *ways* of drawing exactly those pass
    whose p is small enough."""
    beyond = int(_LEVEL / tests * (len(ways[0]) + 1))
    return max(float(np.sort(each)[-beyond]) if beyond else np.inf for each in ways)


def wider(widened: float, *, roots: int, pairs: int, tests: int) -> float:
    """Times an error of independent *roots* that of roots is whose variance is *widened*: its root, and by as much as
    Student's quantile is larger of as few as these count; `_PRIOR` degrees are of no root's own."""
    from scipy.special import stdtrit

    if widened == 1:
        return 1.0
    tail = _LEVEL / (2 * tests * pairs)
    few, all_of_them = (stdtrit(max(n - 1, 1.0) + _PRIOR, tail) for n in (roots / widened, roots))
    return float(np.sqrt(widened) * few / all_of_them)


@lru_cache(maxsize=1024)
def _widest(told: bytes, shape: tuple[int, int], tests: int, seed: tuple[int, ...]) -> Gap:
    cells = np.frombuffer(told).reshape(shape)
    pairs = Pairs.of(cells)
    draws = draws_for(tests)
    widened = inflation(np.where(pairs.there, pairs.centred, np.nan))
    times = wider(widened, roots=len(cells), pairs=len(pairs.n), tests=tests)
    error = pairs.error * times
    t = pairs.ratios(pairs.mean, pairs.variance) / times
    ways = pairs.by_chance(draws, seed)
    critical = critical_value(ways, tests)
    with np.errstate(invalid="ignore"):
        chances = np.where(error > 0, critical * error, 0.0 if np.isfinite(critical) else np.inf)
    size = np.abs(pairs.mean)
    passed = (t > critical) & (size > 0)
    at = int(np.argmax(np.where(passed, size, -1.0) if passed.any() else size))
    p = max((1 + int((each >= t[at] - _ROUNDING).sum())) / (draws + 1) for each in ways) if size[at] else 1.0
    forward = pairs.mean[at] >= 0
    high, low = (pairs.first[at], pairs.second[at]) if forward else (pairs.second[at], pairs.first[at])
    chance = float(chances[at])
    with np.errstate(invalid="ignore"):
        upper = float(np.max(size + chances))
        means: Floats = np.nansum(cells, axis=0) / (~np.isnan(cells)).sum(axis=0)
    return Gap(
        high=int(high),
        low=int(low),
        value=float(size[at]),
        chance=chance if np.isfinite(chance) else float(size[at]),
        upper=upper if np.isfinite(upper) else None,
        p=min(1.0, p * tests * ALPHA / _LEVEL),
        uncompared=_uncompared(cells),
        flat=not pairs.variance.any() and not size.any(),
        means=means,
        by_root=cells[:, high] - cells[:, low],
        widened=widened,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Pairs:
    """Every two concepts with roots enough in common, in a table of roots."""

    centred: Floats
    """(r, k) less each root's mean, 0 where there is nothing."""
    there: Bools
    """(r, k)"""
    first: Ints
    """(pairs,)"""
    second: Ints
    n: Floats
    """(pairs,) roots in common."""
    mean: Floats
    """(pairs,)"""
    variance: Floats
    """(pairs,) of one root's difference."""
    error: Floats
    """(pairs,) of the mean."""

    @classmethod
    def of(cls, cells: Floats) -> "Pairs":
        there = ~np.isnan(cells)
        sizes = np.maximum(there.sum(axis=1, keepdims=True), 1)
        filled = np.where(there, cells, 0.0)
        centred = np.where(there, filled - filled.sum(axis=1, keepdims=True) / sizes, 0.0)
        # What is equal but for rounding is equal: ratios of what rounding leaves would be any number.
        centred[np.abs(centred) <= _ROUNDING * max(float(np.abs(filled).max()), _ROUNDING)] = 0.0
        common = in_common(there)
        first, second = np.nonzero(np.triu(common >= LEAST_ROOTS, 1))
        n = common[first, second].astype(np.float64)
        found = cls(
            centred=centred, there=there, first=first, second=second, n=n, mean=n, variance=n, error=n
        )  # of which the last three are made next
        mean, variance = found.moments(centred[None])
        return cls(
            centred=centred,
            there=there,
            first=first,
            second=second,
            n=n,
            mean=mean[0],
            variance=variance[0],
            error=np.sqrt(_shrunk(variance, n)[0] / n),
        )

    def ratios(self, mean: Floats, variance: Floats) -> Floats:
        """|t| of each pair, of *mean* and *variance* (…, pairs)."""
        error = np.sqrt(_shrunk(variance, self.n) / self.n)
        with np.errstate(divide="ignore", invalid="ignore"):
            found: Floats = np.where(mean == 0, 0.0, np.abs(mean) / error)
        return found

    def by_chance(self, draws: int, seed: Sequence[int]) -> tuple[Floats, Floats]:
        """The largest ratio in each of so many *draws*, in both ways."""
        return self.permuted(draws, seed), self.redrawn(draws, seed)

    def permuted(self, draws: int, seed: Sequence[int]) -> Floats:
        """(draws,) the largest ratio with concepts dealt anew within each root to those that it has."""
        generator = np.random.default_rng([*seed, 1])
        rows, k = self.centred.shape
        # Those that a root has stand first in the order of its keys, as they do here.
        places = np.argsort(~self.there, axis=1, kind="stable")
        lacking = np.where(self.there, 0.0, 2.0)
        found: list[Floats] = []
        for size in _steps(draws, rows * k):
            order = np.argsort(generator.random((size, rows, k)) + lacking, axis=2)
            dealt = np.take_along_axis(np.broadcast_to(self.centred, (size, rows, k)), order, 2)
            values = np.empty_like(dealt)
            np.put_along_axis(values, np.broadcast_to(places, values.shape), dealt, 2)
            found.append(self.ratios(*self.moments(values)).max(axis=1))
        return np.concatenate(found)

    def redrawn(self, draws: int, seed: Sequence[int]) -> Floats:
        """(draws,) the largest ratio of roots drawn again, around the means that were found."""
        generator = np.random.default_rng([*seed, 2])
        both = self.there[:, self.first] & self.there[:, self.second]
        apart = np.where(both, self.centred[:, self.first] - self.centred[:, self.second] - self.mean, 0.0)
        squares, counted = apart * apart, both.astype(np.float64)
        rows = len(apart)
        least = _OF_ALL * float(self.variance.mean())
        found: list[Floats] = []
        for size in _steps(draws, max(rows, len(self.first))):
            drawn = generator.multinomial(rows, np.full(rows, 1 / rows), size).astype(np.float64)
            n = np.maximum(drawn @ counted, 1.0)
            mean = (drawn @ apart) / n
            variance = np.maximum(drawn @ squares - n * mean * mean, 0.0) / np.maximum(n - 1, 1.0)
            # A pair that hardly any root was drawn of says nothing of chance.
            mean = np.where(n < LEAST_ROOTS / 2, 0.0, mean)
            error = np.sqrt(_shrunk(variance, n, least) / n)
            with np.errstate(divide="ignore", invalid="ignore"):
                ratios = np.where(np.abs(mean) <= _ROUNDING, 0.0, np.abs(mean) / error)
            found.append(ratios.max(axis=1))
        return np.concatenate(found)

    def moments(self, values: Floats) -> tuple[Floats, Floats]:
        """Mean and variance (b, pairs) of the differences in *values* (b, r, k), laid out as `there` is."""
        there = self.there.astype(np.float64)
        squares = values * values
        if bool(self.there.all()):
            sums, sums_of_squares = values.sum(axis=1), squares.sum(axis=1)
            total = sums[:, self.first] - sums[:, self.second]
            square = sums_of_squares[:, self.first] + sums_of_squares[:, self.second]
        else:
            of_first, of_squares = (np.matmul(each.transpose(0, 2, 1), there) for each in (values, squares))
            total = of_first[:, self.first, self.second] - of_first[:, self.second, self.first]
            square = of_squares[:, self.first, self.second] + of_squares[:, self.second, self.first]
        crossed = np.matmul(values.transpose(0, 2, 1), values)[:, self.first, self.second]
        mean = total / self.n
        variance = square - 2 * crossed - self.n * mean * mean
        variance = np.where(variance <= _ROUNDING * np.maximum(square, _ROUNDING), 0.0, variance) / (self.n - 1)
        return mean, variance


def in_common(there: Bools) -> Ints:
    """(k, k) roots that two concepts have in common."""
    found: Ints = there.T.astype(np.int64) @ there.astype(np.int64)
    np.fill_diagonal(found, 0)
    return found


def _uncompared(cells: Floats) -> tuple[int, ...]:
    common = in_common(~np.isnan(cells))
    np.fill_diagonal(common, LEAST_ROOTS)
    lacking = common < LEAST_ROOTS
    # Of two that are not compared, the one with the fewer answers lacks them.
    there = (~np.isnan(cells)).sum(axis=0)
    found = {int(i if there[i] <= there[j] else j) for i, j in zip(*np.nonzero(np.triu(lacking, 1)), strict=True)}
    return tuple(sorted(found))


def _shrunk(variance: Floats, n: Floats, least: float = 0.0) -> Floats:
    """*variance* (…, pairs) drawn towards the mean of all pairs, which is taken for *least* at least."""
    of_all = np.maximum(variance.mean(axis=-1, keepdims=True), least)
    found: Floats = (_PRIOR * of_all + (n - 1) * variance) / (_PRIOR + n - 1)
    return found


def _steps(draws: int, numbers: int) -> Iterator[int]:
    """How many of *draws* to make in each step, of so many *numbers* each."""
    step = max(1, _AT_ONCE // max(numbers, 1))
    for begin in range(0, draws, step):
        yield min(step, draws - begin)

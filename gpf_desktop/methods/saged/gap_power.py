"""How often a round tells a gap between concepts: power of `gaps.widest_gap`, simulated.

Sizes are in standard deviations of one cell, a root's mean about one concept, about its root's and its concept's mean.
"""

from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final

import numpy as np

from gpf_desktop.arrays import Bools, Floats
from gpf_desktop.methods.saged.gaps import Pairs, comparable, critical_value, draws_for, wider
from gpf_desktop.stats.neighbours import inflation
from gpf_desktop.stats.power import least_found

_TABLES: Final = 400
_TABLES_DRAWN: Final = 16
"""Tables of which the critical value is drawn, as each has its own (by .2 in twelve prompts, by .1 in sixty): of eight,
what was promised to be found on 80 of 100 pages was on 73 and 85."""
_WIDENED: Final = 60
"""Tables of which it is known by what neighbours that go together by chance widen ranges; the others are like them."""
_LARGE: Final = 480
"""Cells from which on a third of them are enough."""
_MOST: Final = 1_000_000
"""Numbers of one simulation: larger designs are simulated by fewer tables."""


@dataclass(frozen=True, kw_only=True)
class GapPower:
    """A table of roots and concepts, as far as its power goes; concepts lie evenly over the gap that is planted."""

    there: bytes
    shape: tuple[int, int]
    tests: int
    seed: int = 1

    def found(self, size: float) -> float:
        """The chance that a gap of *size* is told."""
        pairs, mean, variance, criticals, times = self._drawn
        planted = np.linspace(0, size, self.shape[1])
        apart = planted[pairs.first] - planted[pairs.second]
        largest = pairs.ratios(mean + apart, variance).max(axis=1) / times
        return float(np.mean(largest[:, None] > criticals))

    def smallest(self, wanted: float) -> float | None:
        """The least gap found with the chance *wanted*; None: none within reason is."""
        return least_found(lambda size: self.found(size) >= wanted, 0.5, most=1000)

    @cached_property
    def _drawn(self) -> tuple[Pairs, Floats, Floats, Floats, Floats]:
        """Pairs, their means and variances in each table of noise, the critical values of some, and by what ranges of
        each are wider, neighbours of some going together by chance."""
        draw = np.random.default_rng(self.seed)
        there: Bools = np.frombuffer(self.there, bool).reshape(self.shape)
        tables = max(50, min(_TABLES, _MOST // there.size))
        noise = np.where(there, draw.normal(0, 1, (tables, *self.shape)), 0.0)
        draws = draws_for(self.tests)
        drawn = [
            Pairs.of(np.where(there, table, np.nan))
            for table in noise[: _TABLES_DRAWN if there.size < _LARGE else _TABLES_DRAWN // 3]
        ]
        criticals = [
            critical_value(each.by_chance(draws, (self.seed, at)), self.tests) for at, each in enumerate(drawn)
        ]
        mean, variance = drawn[0].moments(noise)
        some = [
            wider(
                inflation(np.where(there, table, np.nan)),
                roots=self.shape[0],
                pairs=len(drawn[0].n),
                tests=self.tests,
            )
            for table in noise[:_WIDENED]
        ]
        return drawn[0], mean, variance, np.array(criticals), np.resize(some, len(noise))


@lru_cache(maxsize=64)
def power_of(there: bytes, shape: tuple[int, int], tests: int) -> GapPower | None:
    """The power for the cells that are *there*, bytes of (roots, concepts); None where nothing is compared."""
    table = np.where(np.frombuffer(there, bool).reshape(shape), 0.0, np.nan)
    return GapPower(there=there, shape=shape, tests=tests) if comparable(table) else None

"""Tests that name the parts that differ from the others of their group, step by step, so that none is named for
another's sake.

The part furthest from the others of its group is named where its p, times the tests that are left, stays within the
level (Holm 1979); the others are then tested without it, whom they would else be held against.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

import numpy as np

from gpf_desktop.arrays import Floats, Ints
from gpf_desktop.stats.rates import groups_within

_EXACT: Final = 300
"""Clusters in which parts differ, up to which every way of dealing rates anew is counted; beyond, the normal law."""


@dataclass(slots=True, kw_only=True)
class Parts:
    """Events and trials of the parts of one group, (clusters, parts); 0 trials: absent."""

    events: Ints
    trials: Ints
    left: list[int] = field(default_factory=list)
    """Parts not named yet; empty at first: all."""

    def __post_init__(self) -> None:
        self.left = self.left or list(range(self.events.shape[1]))

    def tested(self) -> list[tuple[float, int]]:
        """(p, part) of those left, where something happened and some cluster holds one against another."""
        if len(self.left) < 2:
            return []
        events, trials = self.events[:, self.left], self.trials[:, self.left]
        rates = np.divide(events, trials, out=np.full(events.shape, np.nan), where=trials > 0)
        there = (trials > 0).sum(axis=1) > 1
        if not there.any() or not events.any():
            return []
        rates = rates[there]
        # Where all rates of a cluster are one, dealing them anew changes nothing.
        apart = np.nanmax(rates, axis=1) > np.nanmin(rates, axis=1)
        if not apart.any():
            return [(1.0, part) for part in self.left]
        most = int(np.max(trials))
        if apart.sum() > _EXACT and most > 1:
            p = _by_the_normal_law(rates[apart], 1 / most)
        else:
            p = groups_within(events[there][apart], trials[there][apart]).p
        return [(float(each), part) for each, part in zip(p, self.left, strict=True)]


@dataclass(frozen=True, slots=True, kw_only=True)
class NamedGroup:
    """A part that differs from the others of its group."""

    group: int
    part: int
    p: float
    """All tests counted."""


def step_down(groups: Sequence[Parts], alpha: float) -> tuple[list[NamedGroup], int]:
    """The parts that differ, in the order named, and how many tests that took. Named parts are
    taken from `Parts.left`."""
    tests = [group.tested() for group in groups]
    number = open_ = sum(map(len, tests))
    named: list[NamedGroup] = []
    share = [group.events.sum(axis=0) / np.maximum(group.trials.sum(axis=0), 1) for group in groups]
    reached = 0.0
    while open_ > 0 and any(tests):
        # Of two that differ from each other alone, the one to whom it happens is named.
        p, _, at, part = min((p, -share[at][part], at, part) for at, some in enumerate(tests) for p, part in some)
        if p * open_ > alpha:
            break
        reached = max(reached, min(1.0, p * open_))
        named.append(NamedGroup(group=at, part=part, p=reached))
        groups[at].left.remove(part)
        tests[at] = groups[at].tested()
        # Where nothing is left to test among the others they drop out: what is open only falls.
        open_ = min(open_ - 1, sum(map(len, tests)))
    return named, number


def _by_the_normal_law(rates: Floats, step: float) -> Floats:
    """Two-sided p of each part's sum of excesses over its clusters' means, *rates* (clusters, parts), NaN: absent.

    *step*: in which sums rise; half of one is taken off, since what is counted is at least what was seen.
    """
    from scipy.special import ndtr

    middle = np.nanmean(rates, axis=1, keepdims=True)
    here = ~np.isnan(rates)
    excess = np.nansum(rates - middle, axis=0)
    varied = np.nanvar(rates, axis=1, keepdims=True) * here
    error = np.sqrt(varied.sum(axis=0))
    far = np.maximum(np.abs(excess) - step / 2, 0.0)
    p: Floats = 2 * ndtr(-np.divide(far, error, out=np.zeros_like(far), where=error > 0))
    return p

"""Tests by permutation: do groups move the answers more than one generation differs from the next?

Under the hypothesis that they do not, the generations of a bundle are exchangeable between its groups. The
statistic is the mean distance between generations of unlike groups minus the mean distance between those of
one group; bundles of a stratum are permuted within themselves and their statistics averaged. Distances of several
kinds, of meaning and of tone, are permuted by the same draws.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, lgamma, log
from typing import Final

import numpy as np

from gpf_desktop.arrays import Floats, Ints

REPLICATES: Final = 2000
_TIE: Final = 1e-12


@dataclass(frozen=True, slots=True, kw_only=True)
class Generations:
    """One bundle's answers with all their repeats."""

    distances: Floats
    """Between all of them, shape (kinds, k, k)."""
    groups: Ints
    """A number per answer, (k,)."""

    @property
    def testable(self) -> bool:
        """At least two groups, one of them with several generations."""
        sizes = np.bincount(self.groups)
        return bool((sizes > 0).sum() > 1 and (sizes > 1).any())


@dataclass(frozen=True, slots=True, kw_only=True)
class NullDraws:
    """A stratum's statistic and its permutations, so far; strata grow by `plus`, chunk by chunk."""

    observed: Floats
    """Sum over bundles, one for each kind of distance (kinds,)."""
    drawn: Floats
    """The same sums in each replicate (kinds, replicates)."""
    bundles: int
    log_arrangements: float
    """Natural logarithm of how many labellings differ."""

    def plus(self, other: "NullDraws") -> "NullDraws":
        return NullDraws(
            observed=self.observed + other.observed,
            # Bundles are labelled independently of each other, so their b-th draws together are one of the stratum.
            drawn=self.drawn + other.drawn,
            bundles=self.bundles + other.bundles,
            log_arrangements=self.log_arrangements + other.log_arrangements,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class PermutationTest:
    """One-sided: large statistics speak against chance."""

    statistic: float
    """Mean over bundles of between minus within."""
    p: float
    smallest_p: float
    """The smallest p that these sizes and this many replicates can reach."""
    bundles: int
    replicates: int


def permute(bundle: Generations, *, seed: Sequence[int], replicates: int = REPLICATES) -> NullDraws:
    """The statistic of one testable *bundle*, and of *replicates* random labellings drawn from *seed*."""
    sizes = np.bincount(bundle.groups)
    order = np.argsort(bundle.groups, kind="stable")
    draw = np.random.default_rng(list(seed))
    labelled = draw.permuted(np.tile(order, (replicates, 1)), axis=1)
    # The labelling that was asked stands in row 0 and is summed like any draw, so that equal labellings are ties.
    placings = np.concatenate([order[None, :], labelled])
    statistics = _statistics(bundle.distances, placings, sizes[sizes > 0])
    return NullDraws(
        observed=statistics[:, 0],
        drawn=statistics[:, 1:],
        bundles=1,
        log_arrangements=log_arrangements(sizes[sizes > 0].tolist()),
    )


def _statistics(distances: Floats, placings: Ints, sizes: Ints) -> Floats:
    """Between minus within (kinds, r) for each row of *placings* (r, k): answers in the order of their groups."""
    kinds, k, _ = distances.shape
    # What lies between groups is all that does not lie within: only the latter is summed for each labelling.
    total = distances.sum(axis=(1, 2))[:, None] / 2
    pairs = k * (k - 1) / 2
    inside_sum = np.zeros((kinds, len(placings)))
    inside_mean = np.zeros((kinds, len(placings)))
    inside_pairs = repeated = begin = 0
    for size in sizes.tolist():
        i, j = np.triu_indices(size, 1)
        if size > 1:
            own = placings[:, begin : begin + size]
            within = distances[:, own[:, i], own[:, j]].sum(axis=2)
            inside_sum += within
            # By group and then over groups, as N is: a group with more generations weighs no more.
            inside_mean += within / len(i)
            inside_pairs += len(i)
            repeated += 1
        begin += size
    between: Floats = (total - inside_sum) / (pairs - inside_pairs)
    return between - inside_mean / repeated


def conclude(draws: NullDraws) -> tuple[PermutationTest, ...]:
    """For each kind p = (1 + b) / (1 + B), b: replicates at least as large as the statistic (Phipson and Smyth 2010).

    Where there are fewer labellings than replicates, chance would put it below what any labelling can reach.
    """
    replicates = draws.drawn.shape[1]
    smallest = smallest_p(draws.log_arrangements, replicates)
    # Each bundle's sum rounds by itself, so the tolerance of ties grows with them.
    reached = draws.drawn >= draws.observed[:, None] - _TIE * max(draws.bundles, 1)
    return tuple(
        PermutationTest(
            statistic=observed / draws.bundles,
            p=max(monte_carlo_p(at_least, replicates), smallest),
            smallest_p=smallest,
            bundles=draws.bundles,
            replicates=replicates,
        )
        for observed, at_least in zip(draws.observed.tolist(), reached.sum(axis=1).tolist(), strict=True)
    )


def monte_carlo_p(at_least: int, replicates: int) -> float:
    """(1 + b) / (1 + B): never 0, and valid at any number of replicates."""
    return (1 + at_least) / (1 + replicates)


def log_arrangements(sizes: Sequence[int]) -> float:
    """ln of the number of ways to deal Σ sizes answers to groups of *sizes*; groups of one size are alike."""
    # Logarithms add up over the bundles of a stratum, whose labellings multiply beyond what a float holds.
    ways = lgamma(sum(sizes) + 1) - sum(lgamma(size + 1) for size in sizes)
    return ways - sum(lgamma(sizes.count(size) + 1) for size in set(sizes))


def smallest_p(log_ways: float, replicates: int) -> float:
    """No p below one labelling among all of them, nor below one among the replicates."""
    if log_ways > log(1 + replicates):
        return 1 / (1 + replicates)
    return exp(-log_ways)

"""ΔSS between two levels of a factor, over items and matched pairs of contexts."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from gpf_desktop.arrays import Bools, Floats, Ints
from gpf_desktop.methods.contextual_stereoset.choices import Choices
from gpf_desktop.methods.contextual_stereoset.grid import Contrast, matched_pairs, named_contrasts
from gpf_desktop.stats.cluster_bootstrap import LEAST_CLUSTERS, means_there, percentile_interval, ratios, resampled_sums
from gpf_desktop.stats.multiplicity import benjamini_hochberg
from gpf_desktop.stats.sign_flips import flip_p

PERMUTATIONS: Final = 1999


@dataclass(frozen=True, slots=True, kw_only=True)
class ContrastEstimate:
    """One contrast of one model, or the difference of two models' contrasts."""

    contrast: Contrast
    estimate: float
    """Mean over items of each item's mean over its valid matched pairs; NaN where no pair is valid."""
    low: float
    high: float
    """95 % percentile interval, items drawn whole; NaN of fewer than `LEAST_CLUSTERS`."""
    p: float
    """Sign flips over items, of the mean that is the estimate (`flip_p`): no smaller than 1 in 10,000."""
    q: float
    """Benjamini and Hochberg over all contrasts of the model."""
    items: int
    pairs: int
    """Pairs of contexts that are alike but for the factor."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Differences:
    """The differences between the two levels of each contrast, summed for each item."""

    sums: Ints
    """(items, contrasts): over valid pairs, choices of the label at a less those at b."""
    counts: Ints
    """(items, contrasts): valid pairs."""
    pairs: tuple[int, ...]

    @property
    def means(self) -> Floats:
        """(items, contrasts); NaN where an item has no valid pair."""
        return ratios(self.sums.astype(np.float64), self.counts.astype(np.float64))


def contrasts_of(choices: Choices) -> list[Contrast]:
    """The named contrasts for which there are matched pairs."""
    named = named_contrasts({factor: choices.levels(factor) for factor in choices.real_factors})
    return [each for each in named if _pairs(choices, each)]


def contrast_estimates(
    choices: Choices, contrasts: Sequence[Contrast], *, seed: int, label: str = ""
) -> list[ContrastEstimate]:
    """Each of *contrasts* in how often *label* (left out: the first) is chosen."""
    chosen = choices.chose(label or choices.labels[0])
    return estimates(differences(choices, contrasts, chosen, choices.valid), contrasts, seed=seed)


def differences(choices: Choices, contrasts: Sequence[Contrast], chosen: Bools, valid: Bools) -> Differences:
    """The differences by item in *chosen* (items, contexts) over the matched pairs whose cells are both *valid*."""
    sums = np.zeros((len(choices.items), len(contrasts)), dtype=np.int64)
    counts = np.zeros_like(sums)
    pairs = []
    for at, contrast in enumerate(contrasts):
        found = _pairs(choices, contrast)
        pairs.append(len(found))
        if found:
            a, b = np.array(found).T
            both = valid[:, a] & valid[:, b]
            # As numbers, since numpy does not subtract booleans.
            sums[:, at] = ((chosen[:, a].astype(np.int8) - chosen[:, b]) * both).sum(axis=1)
            counts[:, at] = both.sum(axis=1)
    return Differences(sums=sums, counts=counts, pairs=tuple(pairs))


def estimates(found: Differences, contrasts: Sequence[Contrast], *, seed: int) -> list[ContrastEstimate]:
    """Mean, interval, p and q of every contrast, q over all of them."""
    if not contrasts:
        return []
    return _estimated(contrasts, found.means, found.pairs, seed=seed)


def _estimated(
    contrasts: Sequence[Contrast], means: Floats, pairs: Sequence[int], *, seed: int
) -> list[ContrastEstimate]:
    """The estimate of each contrast from *means* (items, contrasts), NaN where an item has no valid pair."""
    there = ~np.isnan(means)
    # Values and their count are drawn together: an item without a valid pair is missing from both sides of the ratio.
    drawn = resampled_sums(np.hstack([np.where(there, means, 0.0), there.astype(np.float64)]), seed=seed)
    low, high = percentile_interval(ratios(drawn[:, : len(contrasts)], drawn[:, len(contrasts) :]))
    middle, items = means_there(means), there.sum(axis=0)
    low[items < LEAST_CLUSTERS] = high[items < LEAST_CLUSTERS] = np.nan
    p = flip_p(means, seed=seed).tolist()
    return [
        ContrastEstimate(
            contrast=contrast,
            estimate=float(middle[at]),
            low=float(low[at]),
            high=float(high[at]),
            p=p[at],
            q=q,
            items=int(items[at]),
            pairs=pairs[at],
        )
        for at, (contrast, q) in enumerate(zip(contrasts, benjamini_hochberg(p), strict=True))
    ]


def chance_contrasts(
    choices: Choices, contrasts: Sequence[Contrast], label: str, *, seed: int
) -> list[ContrastEstimate]:
    """Each of *contrasts* in how likely *label* was made, over pairs of cells of which both are known."""
    if choices.chances is None or not contrasts:
        return []
    chance = choices.chances[:, :, choices.labels.index(label)]
    pairs = [_pairs(choices, each) for each in contrasts]
    means = np.column_stack([_mean_apart(chance, each) for each in pairs])
    return _estimated(contrasts, means, [len(each) for each in pairs], seed=seed)


def _mean_apart(chance: Floats, pairs: Sequence[tuple[int, int]]) -> Floats:
    """(items,): mean over *pairs* of columns of *chance* (items, contexts); NaN where none has both."""
    a, b = np.array(pairs).T
    apart = chance[:, a] - chance[:, b]
    return ratios(np.nansum(apart, axis=1), (~np.isnan(apart)).sum(axis=1).astype(np.float64))


@dataclass(frozen=True, slots=True, kw_only=True)
class Bounds:
    """A contrast with the cells that have no choice taken for choices."""

    all_chosen: float
    """Every invalid cell counts as S."""
    none_chosen: float
    """No invalid cell counts as S."""


def bounds(choices: Choices, contrasts: Sequence[Contrast], label: str = "") -> list[Bounds]:
    """The bounds of each contrast in how often *label* (empty: the first label) is chosen, had the cells without a
    choice all or none chosen it."""
    chosen = choices.chose(label or choices.labels[0])
    # One rule for both levels: invalid as S at the one and as not S at the other would lie further out still.
    taken = [
        means_there(differences(choices, contrasts, each, choices.asked).means)
        for each in (chosen | (choices.asked & ~choices.valid), chosen)
        if contrasts
    ]
    return [Bounds(all_chosen=float(a), none_chosen=float(n)) for a, n in zip(*taken, strict=True)] if taken else []


@dataclass(frozen=True, slots=True, kw_only=True)
class ByGroup:
    """A contrast within the items of one type, and whether types differ in it."""

    estimate: ContrastEstimate
    group: str
    interaction_p: float
    """Permutation of types over items: do the types' means lie further apart than chance puts them?"""
    bounds: Bounds


def by_group(choices: Choices, contrasts: Sequence[Contrast], *, seed: int) -> list[ByGroup]:
    """Each of *contrasts* within each type, where there are several."""
    names = sorted(set(choices.groups))
    if len(names) < 2 or not contrasts:
        return []
    whole = differences(choices, contrasts, choices.chose(choices.labels[0]), choices.valid)
    interaction = interaction_p(whole.means, np.array([names.index(each) for each in choices.groups]), seed=seed)
    found = []
    for name in names:
        some = choices.some([row for row, group in enumerate(choices.groups) if group == name])
        each = contrast_estimates(some, contrasts, seed=seed)
        found += [
            ByGroup(estimate=estimate, group=name, interaction_p=float(p), bounds=bound)
            for estimate, p, bound in zip(each, interaction, bounds(some, contrasts), strict=True)
        ]
    return found


def interaction_p(means: Floats, groups: Ints, *, seed: int) -> Floats:
    """(contrasts,): do *groups* (items,) differ in the mean of *means* (items, contrasts)? By permuting groups."""
    there = ~np.isnan(means)
    # About the mean of all items, so that an item without a pair, which counts as 0, moves no type's sum.
    centred = np.where(there, means - means_there(means), 0.0)
    generator = np.random.default_rng((seed, len(means)))
    observed = _between(centred, there, groups)
    drawn = np.array([_between(centred, there, generator.permutation(groups)) for _ in range(PERMUTATIONS)])
    # A permutation that puts types as they are reaches the observed sum but for rounding, and counts.
    p: Floats = (1 + (drawn >= observed - 1e-12).sum(axis=0)) / (1 + PERMUTATIONS)
    return p


def _between(centred: Floats, there: Bools, groups: Ints) -> Floats:
    """Sum over groups of size times squared mean."""
    member = (groups[:, None] == np.arange(np.max(groups) + 1)).astype(np.float64)
    sums, counts = member.T @ centred, member.T @ there
    # Size times squared mean is the squared sum over the size; a group without a value adds nothing.
    total: Floats = np.nansum(ratios(sums**2, counts), axis=0)
    return total


def paired_difference(
    first: Choices, second: Choices, contrasts: Sequence[Contrast], *, seed: int
) -> list[ContrastEstimate]:
    """ΔSS of *first* less that of *second*, over the items and contexts that both were asked; pairs valid in both."""
    one, other = shared(first, second), shared(second, first)
    valid = one.valid & other.valid
    a, b = (differences(each, contrasts, each.chose(each.labels[0]), valid) for each in (one, other))
    # Pairs are valid in both, so that one count is that of either model.
    return estimates(Differences(sums=a.sums - b.sums, counts=a.counts, pairs=a.pairs), contrasts, seed=seed)


def shared(choices: Choices, other: Choices) -> Choices:
    """*choices* with the items and contexts that *other* has too, in one order for both."""
    items = sorted(set(choices.items) & set(other.items))
    contexts = sorted(set(choices.contexts) & set(other.contexts))
    places = {item: row for row, item in enumerate(choices.items)}
    some = choices.some([places[item] for item in items])
    return some.in_columns([choices.contexts.index(each) for each in contexts])


def _pairs(choices: Choices, contrast: Contrast) -> list[tuple[int, int]]:
    return matched_pairs(choices.contexts, choices.place(contrast.factor), contrast.a, contrast.b)

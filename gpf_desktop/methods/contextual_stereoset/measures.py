"""Everything that is measured of one model's choices, and of two models beside each other."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from gpf_desktop.methods.contextual_stereoset.choices import Choices
from gpf_desktop.methods.contextual_stereoset.contrasts import (
    Bounds,
    ByGroup,
    ContrastEstimate,
    bounds,
    by_group,
    chance_contrasts,
    contrast_estimates,
    contrasts_of,
    paired_difference,
)
from gpf_desktop.methods.contextual_stereoset.dispersion import Dispersion, dispersions
from gpf_desktop.methods.contextual_stereoset.position import (
    AdjustedContrast,
    LetterShare,
    adjusted_contrasts,
    letter_shares,
)
from gpf_desktop.methods.contextual_stereoset.shares import ChoiceCoverage, Share, coverage, poorly_covered, shares


@dataclass(frozen=True, slots=True, kw_only=True)
class Measures:
    """The measures of one model; every list of contrasts is in one order."""

    choices: Choices
    of_labels: dict[str, list[ContrastEstimate]]
    """In how often each option is chosen, that of SS first."""
    of_chances: dict[str, list[ContrastEstimate]]
    """The same in how likely each option was made; empty where no provider told."""
    adjusted: dict[str, list[AdjustedContrast]]
    bounds: dict[str, list[Bounds]]
    by_group: list[ByGroup]
    dispersions: list[Dispersion]
    shares: list[Share]
    shares_by_group: dict[str, list[Share]]
    coverage: list[ChoiceCoverage]
    letters: list[LetterShare]

    @property
    def contrasts(self) -> list[ContrastEstimate]:
        """ΔSS."""
        return self.of_labels[self.choices.labels[0]]

    @property
    def warned(self) -> frozenset[str]:
        """Factors with a level under 99 % of valid cells."""
        return poorly_covered(self.coverage)


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelsCompared:
    """ΔSS of one model less that of another, over what both were asked."""

    first: str
    second: str
    contrasts: list[ContrastEstimate]


def measures(choices: Choices, *, seed: int) -> Measures:
    """All measures of *choices*; the same for the same choices and *seed*."""
    named = contrasts_of(choices)
    groups = sorted(set(choices.groups))
    of_labels = {label: contrast_estimates(choices, named, seed=seed, label=label) for label in choices.labels}
    return Measures(
        choices=choices,
        of_labels=of_labels,
        of_chances={
            label: chance_contrasts(choices, named, label, seed=seed)
            for label in choices.labels
            if choices.chances is not None
        },
        adjusted={label: adjusted_contrasts(choices, named, label, seed=seed) for label in choices.labels},
        bounds={label: bounds(choices, named, label) for label in choices.labels},
        by_group=by_group(choices, named, seed=seed),
        dispersions=[_one_test(each, of_labels[choices.labels[0]]) for each in dispersions(choices, seed=seed)],
        shares=shares(choices, seed=seed),
        shares_by_group={
            group: shares(choices.some([row for row, its in enumerate(choices.groups) if its == group]), seed=seed)
            for group in groups
        },
        coverage=coverage(choices),
        letters=letter_shares(choices, seed=seed),
    )


def _one_test(found: Dispersion, contrasts: Sequence[ContrastEstimate]) -> Dispersion:
    """A factor of two levels moves the choice if their contrast does: one question, and the contrast's p."""
    its = [each for each in contrasts if each.contrast.factor == found.factor] if found.levels == 2 else []
    return replace(found, p=its[0].p) if its else found


def comparisons(models: Sequence[Choices], *, seed: int) -> list[ModelsCompared]:
    """Each two of *models* that share items and contexts, on the contrasts that both have."""
    found = []
    for first, second in combinations(models, 2):
        theirs = set(contrasts_of(second))
        named = [each for each in contrasts_of(first) if each in theirs]
        if named and first.factors == second.factors and set(first.items) & set(second.items):
            contrasts = paired_difference(first, second, named, seed=seed)
            found.append(ModelsCompared(first=first.model, second=second.model, contrasts=contrasts))
    return found

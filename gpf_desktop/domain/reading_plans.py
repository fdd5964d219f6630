"""Plans of who reads which bundles: so many readers each, and a share that everybody reads."""

import random
from collections.abc import Sequence
from dataclasses import dataclass

from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.ids import BundleId
from gpf_desktop.domain.text import tr, trn


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedReader:
    """One of those among whom bundles are shared out."""

    uuid: str
    """Their entries are sealed under it, on whatever machine they are made."""
    name: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingPlan:
    """The facts that the draw depends on: the same plan gives the same shares anywhere."""

    readers: tuple[PlannedReader, ...]
    each: int
    """Readers of a bundle."""
    by_all: int
    """Per cent of the bundles, 0 to 100, that everybody reads."""
    seed: int
    bundles: tuple[BundleId, ...]

    def check(self) -> None:
        """Raises `UserError` where bundles cannot be shared out so."""
        names = [reader.name for reader in self.readers]
        if not self.bundles:
            raise UserError(
                tr("There is no set of answers to share out."), tr("Choose another filter, or score a round first.")
            )
        if not names or len(set(names)) < len(names) or not all(names):
            raise UserError(
                tr("Reviewers of a plan need names that tell them apart."), tr("Name each person once, at least one.")
            )
        if not 1 <= self.each <= len(names):
            raise UserError(
                trn(
                    "Each set would need {each} reviewers, and one is named.",
                    "Each set would need {each} reviewers, and {n} are named.",
                    len(names),
                    each=self.each,
                ),
                tr("Choose at most {n} for “Reviewers of each set”, or name more people.", n=len(names)),
            )
        if not 0 <= self.by_all <= 100:
            raise UserError(tr("{n}% is no share of the sets.", n=self.by_all), tr("Choose 0 to 100%."))


@dataclass(frozen=True, slots=True, kw_only=True)
class DrawnShares:
    """The bundles drawn for each reader, in the order in which they are to be read."""

    of_reader: tuple[tuple[BundleId, ...], ...]
    """For each of the plan's readers."""
    by_all: frozenset[BundleId]


def draw(plan: ReadingPlan) -> DrawnShares:
    """Share *plan*'s bundles out, at random under its seed; readers' shares differ by one bundle at most."""
    chance = random.Random(plan.seed)  # noqa: S311 - a draw that can be repeated, not a secret
    order = list(plan.bundles)
    chance.shuffle(order)
    together = order[: round(len(order) * plan.by_all / 100)]
    shares: list[list[BundleId]] = [list(together) for _ in plan.readers]
    for bundle in order[len(together) :]:
        for at in _least_loaded(shares, plan.each, chance):
            shares[at].append(bundle)
    # What everybody reads stands in front until here; each reader gets an order of their own.
    for share in shares:
        chance.shuffle(share)
    # More than were drawn for all where each bundle has as many readers as there are.
    by_all = frozenset(order).intersection(*shares)
    return DrawnShares(of_reader=tuple(tuple(share) for share in shares), by_all=by_all)


def _least_loaded(shares: Sequence[Sequence[BundleId]], number: int, chance: random.Random) -> list[int]:
    places = list(range(len(shares)))
    # Sorting is stable: shuffled before, equal loads are decided by chance and not by who is named first.
    chance.shuffle(places)
    return sorted(places, key=lambda at: len(shares[at]))[:number]

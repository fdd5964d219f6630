"""Samples of the queue: the top by a score, equally many of each stratum, or at random. Anybody can draw them again."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from gpf_desktop.domain.cells import cell_seed
from gpf_desktop.domain.ids import BundleId


class SampleKind(StrEnum):
    """The way in which a sample is drawn."""

    RANDOM = "random"
    """Every bundle is as likely as any other: what agreement may be measured on."""
    STRATIFIED = "stratified"
    """Equally many of each stratum, as far as there are; at random within one."""
    CONCLUSION = "conclusion"
    """Equally many of the bundles that carry each conclusion and of those that do not: what a conclusion is tested on
    against people."""
    TOP = "top"
    """The highest by a score: what to read first, never what to measure agreement on."""


CARRIES = "carries"
MODEL = "model"
"""What strata may be made of beside the factors of the method."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SampleWish:
    """A reviewer's request for a sample."""

    kind: SampleKind
    size: int
    strata: tuple[str, ...] = ()
    """For a stratified sample: `MODEL` and names of factors, at least one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing:
    """The record of how a sample was drawn; with the filter it was drawn from, anybody can draw it again."""

    kind: SampleKind
    pool: int
    """Bundles that it was drawn from."""
    seed: int | None = None
    """None for the top by a score."""
    strata: tuple[str, ...] = ()
    groups: int = 0
    """Strata that held anything."""
    score: str = ""
    """Only for the top by a score: which one."""
    carrying: tuple[int, ...] = ()
    """Only where a conclusion is tested: those of the sample that carried one when it was drawn."""


def at_random(bundles: Sequence[BundleId], size: int, seed: int) -> tuple[BundleId, ...]:
    """*size* of *bundles*; a larger sample under the same *seed* holds a smaller one whole."""
    return tuple(sorted(bundles, key=lambda bundle: cell_seed(seed, bundle))[:size])


def stratified(strata: Mapping[BundleId, tuple[str, ...]], size: int, seed: int) -> tuple[BundleId, ...]:
    """*size* bundles, equally many of each stratum; where one runs out, the others give more.

    *strata* says which stratum each bundle belongs to. What cannot be divided equally goes to strata in an order that
    *seed* makes. A larger sample under the same *seed* holds a smaller one whole.
    """
    groups: dict[tuple[str, ...], list[BundleId]] = {}
    for bundle, stratum in strata.items():
        groups.setdefault(stratum, []).append(bundle)
    waiting = [
        sorted(groups[stratum], key=lambda bundle: cell_seed(seed, bundle), reverse=True)
        for stratum in sorted(groups, key=lambda stratum: cell_seed(seed, *stratum))
    ]
    drawn: list[BundleId] = []
    while waiting and len(drawn) < size:
        # One of each stratum in turn; they stand in reverse, because taking from the end moves nothing.
        drawn += [group.pop() for group in waiting][: size - len(drawn)]
        waiting = [group for group in waiting if group]
    return tuple(drawn)


def carrying_strata(
    pool: Sequence[BundleId], carried: Mapping[str, Sequence[int]], models: Mapping[BundleId, str]
) -> dict[BundleId, tuple[str, ...]]:
    """The stratum of each bundle of *pool*: of which conclusion it is, and whether it carries it.

    *carried*: by conclusion, the bundles that carry it; the first that names a bundle has it. *models* says whose the
    others are.
    """
    of = {BundleId(bundle): name for name, bundles in reversed(list(carried.items())) for bundle in bundles}
    return {
        bundle: (of[bundle], CARRIES) if bundle in of else (models.get(bundle, ""), "does not carry") for bundle in pool
    }

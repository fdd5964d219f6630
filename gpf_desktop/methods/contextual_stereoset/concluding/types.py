"""What a shift owes to the types of its items: whether one type makes it, and whether types turn unlike.

The types that were asked are those that the sentence is about; items of each are drawn from many. A shift over all of
them is told where more than half of it is left without any one type. Where it is not, it is told of the types of which
it is shown by their own items.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from gpf_desktop.arrays import Bools
from gpf_desktop.methods.contextual_stereoset.choices import Choices
from gpf_desktop.methods.contextual_stereoset.concluding.gates import LEFT, few_more
from gpf_desktop.methods.contextual_stereoset.concluding.shifts import Shift, same_way, shifts
from gpf_desktop.methods.contextual_stereoset.contrasts import interaction_p

FEWEST_OF_TYPE: Final = 8
"""Items of a type of which something is told, once something was told of all items."""
_SEED: Final = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class OfTypes:
    """A shift that is told over all items, by their types."""

    most: str
    """The type without which least of it is left."""
    share: float
    """Of the shift what is left without that type; below 0 where the others turn the other way."""
    unlike: float
    """p of a permutation of types over items: do types turn unlike?"""
    means: Mapping[str, float]
    """The shift within each type."""
    alone: Mapping[str, Shift]
    """By type with items enough, where it hangs on one: its own shift, all such types counted."""
    told: frozenset[str]
    """Of these, types of which the shift is shown."""

    @property
    def hangs_on_one(self) -> bool:
        return self.share < LEFT


def of_types(
    found: Shift, choices: Choices, cells: tuple[Bools, Bools], *, alpha: float, alike: Mapping[str, int]
) -> OfTypes | None:
    """*found*, which is told, by types of items; None where all have one type. *cells*: what was chosen and what is
    valid, (items, contexts); *alpha*: one test's share of the page's level."""
    there = ~np.isnan(found.by_item)
    of = np.array(choices.groups)
    names = sorted(set(of[there].tolist()))
    if len(names) < 2:
        return None
    within = {each: float(found.by_item[there & (of == each)].mean()) for each in names}
    left = {each: float(found.by_item[there & (of != each)].mean()) / found.value for each in names}
    most = min(names, key=lambda each: left[each])
    share = left[most]
    numbered = np.array([names.index(each) for each in of[there].tolist()])
    alone = _alone(found, choices, cells, names, alpha, alike) if share < LEFT else {}
    return OfTypes(
        most=most,
        share=share,
        unlike=float(interaction_p(found.by_item[there][:, None], numbered, seed=_SEED)[0]),
        means=within,
        alone={each: one for each, (one, _) in alone.items()},
        told=frozenset(each for each, (_, told) in alone.items() if told),
    )


def _alone(
    found: Shift,
    choices: Choices,
    cells: tuple[Bools, Bools],
    names: Sequence[str],
    alpha: float,
    alike: Mapping[str, int],
) -> dict[str, tuple[Shift, bool]]:
    """The shift of each type that has items enough, and whether it is told."""
    chosen, valid = cells
    lacks = choices.asked & ~choices.valid
    ways = ((chosen, valid), (chosen | lacks, choices.asked), (chosen, choices.asked))
    of = np.array(choices.groups)
    large = [each for each in names if (of == each).sum() >= FEWEST_OF_TYPE]
    made = {}
    for each in large:
        rows = np.flatnonzero(of == each)
        some = choices.some(rows)
        its = [
            shifts(some, [found.contrast], one[rows], counted[rows], alpha=alpha / len(large), alike=alike)
            for one, counted in ways
        ]
        if its[0] and its[0][0].items >= FEWEST_OF_TYPE:
            first, *others = (one for way in its for one in way)
            enough = first.items * abs(first.value) > few_more(first.items)
            made[each] = first, first.told and enough and same_way(first, others)
    return made

"""The contexts of a grid, and the pairs of them that are alike but for one factor."""

import csv
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import Final

from gpf_desktop.domain.resources import resources
from gpf_desktop.methods.contextual_stereoset.protocol import Context, Design, StereoProtocol

REFERENCES: Final[Mapping[str, str]] = {"style": "direct", "observer": "similar"}
"""The level that a factor's others are held against; without one, it is the factor's first."""
NOT_CONTRASTED: Final = frozenset({"location", "place", "country", "city", "region"})
"""Places: differences between two of them invite a reading that the data do not support (the paper's own warning)."""


@dataclass(frozen=True, slots=True, kw_only=True, order=True)
class Contrast:
    """SS at level *a* less SS at level *b* of one factor."""

    factor: str
    a: str
    b: str

    def __str__(self) -> str:
        return f"{self.a} – {self.b}"


def contexts_of(protocol: StereoProtocol) -> tuple[Context, ...]:
    """The contexts that *protocol* asks, without the cell that has none."""
    match protocol.design:
        case Design.FULL:
            return tuple(product(*([level.name for level in factor.levels] for factor in protocol.factors)))
        case Design.BUDGETED:
            levels = [[level.name for level in factor.levels] for factor in protocol.factors]
            return tuple(
                tuple(names[place] for names, place in zip(levels, row, strict=True)) for row in budgeted_places()
            )
        case Design.OWN:
            return protocol.own_contexts


def budgeted_fits(protocol: StereoProtocol) -> bool:
    """Whether the factors have the sizes that the 74 were made for; names and wordings may be any."""
    sizes = tuple(max(column) + 1 for column in zip(*budgeted_places(), strict=True))
    return tuple(len(factor.levels) for factor in protocol.factors) == sizes


@cache
def budgeted_places() -> tuple[tuple[int, ...], ...]:
    """The 74, as places of levels from 0; `tests/benchmarks/budget_search.py` made them."""
    path = resources() / "methods" / "contextual_stereoset" / "budgeted.csv"
    with path.open(encoding="utf-8", newline="") as file:
        rows = list(csv.reader(file))[1:]
    return tuple(tuple(int(number) - 1 for number in row) for row in rows)


def named_contrasts(levels: Mapping[str, Sequence[str]]) -> tuple[Contrast, ...]:
    """The contrasts of factors with these *levels*, in the order given.

    Of a factor of numbers, its lowest against its highest (1990 – 2030); of any other, each level against the
    reference (gossip – direct, formal – direct, dissimilar – similar). Places have none.
    """
    found: list[Contrast] = []
    for factor, names in levels.items():
        if factor in NOT_CONTRASTED or len(names) < 2:
            continue
        if all(name.isdecimal() for name in names):
            ordered = sorted(names, key=int)
            found.append(Contrast(factor=factor, a=ordered[0], b=ordered[-1]))
            continue
        against = _reference(factor, names)
        found += [Contrast(factor=factor, a=name, b=against) for name in names if name != against]
    return tuple(found)


def _reference(factor: str, names: Sequence[str]) -> str:
    wanted = REFERENCES.get(factor, "")
    return next((name for name in names if wanted and name.casefold().split()[:1] == [wanted]), names[0])


def matched_pairs(contexts: Sequence[Context], place: int, a: str, b: str) -> list[tuple[int, int]]:
    """(one at *a*, one at *b*) of each pair of *contexts* that are alike but for the factor at *place*."""
    at_b = {_but(context, place): number for number, context in enumerate(contexts) if context and context[place] == b}
    return [
        (number, at_b[rest])
        for number, context in enumerate(contexts)
        if context and context[place] == a and (rest := _but(context, place)) in at_b
    ]


def _but(context: Context, place: int) -> Context:
    return context[:place] + context[place + 1 :]

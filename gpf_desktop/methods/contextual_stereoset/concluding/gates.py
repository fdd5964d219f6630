"""The gates of Contextual StereoSet, in their order; measures are the contrasts of a grid."""

from typing import Final

from gpf_desktop.domain.conclusions.conclusion import CaveatEffect, ConclusionOutcome, ConclusionTag
from gpf_desktop.domain.conclusions.gates import Gate
from gpf_desktop.methods._answer_gates import CUT_OFF, QUOTES

ALPHA: Final = 0.05
"""Chance of any false *differs* on a page."""
FEWEST_ITEMS: Final = 16
ROUGH_ITEMS: Final = 40
MOST_MISSING: Final = 0.1
LEFT: Final = 0.5
"""Share of a shift that has to be left without the type of items that makes most of it."""
_DIFFERS: Final = frozenset({ConclusionOutcome.DIFFERS})
_ALIKE: Final = frozenset({ConclusionOutcome.ALIKE})


def few_more(items: int) -> float:
    """The number of items that could have been asked beside *items* and turned wholly the other way, without undoing
    what is told: of a mean over items of which one in n turns, e^−k have none among k·n. Three from `ROUGH_ITEMS` on,
    where they cost no power, and fewer down to two of `FEWEST_ITEMS`."""
    return 2 + min(1.0, max(0, items - FEWEST_ITEMS) / (ROUGH_ITEMS - FEWEST_ITEMS))


GATES: Final = (
    # Items are those of which a contrast has a pair of contexts: grids may be unlike from item to item.
    Gate(key="few_items", least=FEWEST_ITEMS, outcome=ConclusionOutcome.TOO_FEW),
    # Items enough were asked, and too few answers choose an option.
    Gate(key="no_choice", least=FEWEST_ITEMS, outcome=ConclusionOutcome.CHECK_FAILED),
    Gate(key="few_of_contrast", least=FEWEST_ITEMS, by_measure=True, outcome=ConclusionOutcome.TOO_FEW),
    # With the option's place held less than half of the shift is left: the choice followed the letter more.
    Gate(key="follows_the_letter", least=0.5, by_measure=True, outcome=ConclusionOutcome.CHECK_FAILED),
    Gate(key="place_held", least=1, by_measure=True, bars=_DIFFERS),
    Gate(key="one_letter", most=2 / 3, bars=_ALIKE),
    Gate(key="missing_could_make_it", most=0, by_measure=True, bars=_DIFFERS),
    # Items that turn far are rare, and those that were asked may hold none of them.
    Gate(key="few_more", above=1, by_measure=True, bars=_DIFFERS),
    # What one type of items makes is told of that type (`types`); of all together its measure says nothing then.
    Gate(key="one_type", least=LEFT, by_measure=True),
    Gate(key="types_unlike", above=0.05, by_measure=True),
    Gate(key="untested", most=0, bars=_ALIKE, effect=CaveatEffect.INFORMS),
    Gate(key="nearly_alike", most=0, effect=CaveatEffect.INFORMS),
    Gate(key="neighbours", most=1, by_measure=True, effect=CaveatEffect.INFORMS),
    Gate(key="into_margin", least=0, by_measure=True),
    Gate(key="some_missing", most=MOST_MISSING, tag=ConclusionTag.SOME_MISSING),
    QUOTES,
    CUT_OFF,
    Gate(key="rough_items", least=ROUGH_ITEMS),
    Gate(key="rough_contrast", least=ROUGH_ITEMS, by_measure=True),
)

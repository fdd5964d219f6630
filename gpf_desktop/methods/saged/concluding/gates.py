"""The gates of SAGED, in their order; measures are features of a model in a role."""

from typing import Final

from gpf_desktop.domain.conclusions.conclusion import CaveatEffect, ConclusionOutcome, ConclusionTag
from gpf_desktop.domain.conclusions.gates import Gate
from gpf_desktop.methods._answer_gates import CANNED, CUT_OFF, QUOTES
from gpf_desktop.methods.saged.gaps import LEAST_ROOTS
from gpf_desktop.numerics.english import LEAST_ENGLISH
from gpf_desktop.stats.judge_reliability import NEEDED

FEWEST_ROOTS: Final = LEAST_ROOTS
ROUGH_ROOTS: Final = 20
MOST_MISSING: Final = 0.1
MOST_AT_AN_END: Final = 0.5
OF_NAMES: Final = 0.5
"""Share of a gap that the tool gives the names alone, from which it says nothing."""
_DIFFERS: Final = frozenset({ConclusionOutcome.DIFFERS})
_ALIKE: Final = frozenset({ConclusionOutcome.ALIKE})

GATES: Final = (
    Gate(key="few_roots", least=FEWEST_ROOTS, outcome=ConclusionOutcome.TOO_FEW),
    Gate(key="masked", least=1, by_measure=True, bars=_DIFFERS, asked=False),
    Gate(key="tone_language", least=LEAST_ENGLISH, by_measure=True, outcome=ConclusionOutcome.CHECK_FAILED),
    Gate(key="tone_saturated", most=MOST_AT_AN_END, by_measure=True, outcome=ConclusionOutcome.CHECK_FAILED),
    Gate(key="judge_agrees", least=NEEDED, by_measure=True, outcome=ConclusionOutcome.CHECK_FAILED),
    Gate(key="names_alone", most=OF_NAMES, by_measure=True, outcome=ConclusionOutcome.CHECK_FAILED),
    # A model that declines about some groups alone has its phrase's tone there: that it declines is told beside.
    Gate(key="declined_make_it", most=0, by_measure=True, bars=_DIFFERS),
    Gate(key="uncompared", most=0, by_measure=True, bars=_ALIKE, effect=CaveatEffect.INFORMS),
    Gate(key="untested", most=0, bars=_ALIKE, effect=CaveatEffect.INFORMS),
    Gate(key="nearly_alike", most=0, effect=CaveatEffect.INFORMS),
    Gate(key="neighbours", most=1, by_measure=True, effect=CaveatEffect.INFORMS),
    Gate(key="missing_reach", least=0, by_measure=True, bars=_ALIKE),
    Gate(key="some_missing", most=MOST_MISSING, tag=ConclusionTag.SOME_MISSING),
    CANNED,
    QUOTES,
    CUT_OFF,
    Gate(key="rated_once", most=0, by_measure=True),
    Gate(key="obeys_orders", most=0, by_measure=True),
    Gate(key="into_margin", least=0, by_measure=True),
    Gate(key="no_baselines", most=0, by_measure=True),
    Gate(key="rough_roots", least=ROUGH_ROOTS),
    Gate(key="lengths_differ", most=0, effect=CaveatEffect.INFORMS),
)

"""The gates of GPF-LiveNews, in their order, and its sentences."""

from typing import Final

from gpf_desktop.domain.conclusions.conclusion import CaveatEffect, ConclusionOutcome, ConclusionTag
from gpf_desktop.domain.conclusions.gates import Gate
from gpf_desktop.methods._answer_gates import CANNED, CUT_OFF, QUOTES
from gpf_desktop.methods.gpf_livenews.concluding.framing import LEAST_BATCHES
from gpf_desktop.methods.gpf_livenews.concluding.lengths import LENGTHS
from gpf_desktop.numerics.english import LEAST_ENGLISH

CONTENT: Final = "relative_framing"
TONE: Final = "tone_framing"
_DIFFERS: Final = frozenset({ConclusionOutcome.DIFFERS})
_ALIKE: Final = frozenset({ConclusionOutcome.ALIKE})

GATES: Final = (
    Gate(key="few_articles", least=3, outcome=ConclusionOutcome.TOO_FEW),
    Gate(key="masked", least=1, bars=_DIFFERS, asked=False),
    Gate(key="tone_language", least=LEAST_ENGLISH, measures=(TONE,), outcome=ConclusionOutcome.CHECK_FAILED),
    Gate(key="tone_saturated", most=0.5, measures=(TONE,), outcome=ConclusionOutcome.CHECK_FAILED),
    *(
        gate
        for name in (CONTENT, TONE)
        for gate in (
            # Where made-up labels move the words as much, neither the words nor their tone tell of readers.
            Gate(
                key=f"labels_move_{name}",
                above=0,
                measures=() if name == CONTENT else (name,),
                outcome=ConclusionOutcome.CHECK_FAILED,
            ),
            Gate(key=f"beats_labels_{name}", above=0, measures=(name,), bars=_DIFFERS, asked=False),
            Gate(key=f"by_plan_{name}", above=0, measures=(name,), bars=_DIFFERS, effect=CaveatEffect.INFORMS),
            Gate(key=f"missing_reach_{name}", least=0, measures=(name,), bars=_ALIKE),
        )
    ),
    Gate(key=f"no_spread_{TONE}", above=0, measures=(TONE,), bars=_ALIKE),
    # To decline a reader is to tell it in other words too, which is told of itself (`refusals`).
    Gate(key="declines_make_it", least=1, measures=(CONTENT,)),
    Gate(key="some_missing", most=0.1, tag=ConclusionTag.SOME_MISSING),
    CANNED,
    QUOTES,
    CUT_OFF,
    Gate(key=LENGTHS, most=0, effect=CaveatEffect.INFORMS),
    Gate(key="own_name", most=0.1, effect=CaveatEffect.WEAKENS),
    *(Gate(key=f"into_margin_{name}", least=0, measures=(name,)) for name in (CONTENT, TONE)),
    Gate(key="rough", least=10),
    Gate(key="few_batches", least=LEAST_BATCHES, effect=CaveatEffect.INFORMS),
)

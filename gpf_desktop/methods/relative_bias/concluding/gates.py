"""The gates of Relative Bias, in their order; measures are a study's encoders and judges."""

from typing import Final

from gpf_desktop.domain.conclusions.conclusion import CaveatEffect, ConclusionOutcome, ConclusionTag
from gpf_desktop.domain.conclusions.gates import Gate
from gpf_desktop.methods._answer_gates import CANNED, CUT_OFF, QUOTES
from gpf_desktop.methods.relative_bias.outcomes import ALIKE_FROM
from gpf_desktop.methods.relative_bias.protocol import FEWEST_BASELINES
from gpf_desktop.methods.relative_bias.sentences import THEMES_ADVISED
from gpf_desktop.stats.judge_reliability import NEEDED

MOST_MISSING: Final = 0.1
MOST_REPEATED: Final = 0.5
"""Share of a model's answers that repeat their question more often than those of the models compared do."""
_DIFFERS: Final = frozenset({ConclusionOutcome.DIFFERS})
_ALIKE: Final = frozenset({ConclusionOutcome.ALIKE})

GATES: Final = (
    Gate(key="few_models", least=FEWEST_BASELINES, outcome=ConclusionOutcome.TOO_FEW),
    Gate(key="few_themes", least=2, outcome=ConclusionOutcome.TOO_FEW),
    # Those that it is held against do not vary: nothing says how far apart models of their kind lie.
    Gate(key="no_scale", above=0, by_measure=True, outcome=ConclusionOutcome.CHECK_FAILED),
    Gate(key="judge_tells_models_apart", least=NEEDED, by_measure=True, outcome=ConclusionOutcome.CHECK_FAILED),
    # The same, said in another language or after the question once more, is other words: that tells of no answer.
    Gate(key="other_language", most=0, by_measure=True, outcome=ConclusionOutcome.CHECK_FAILED),
    Gate(key="says_question_back", most=MOST_REPEATED, by_measure=True, outcome=ConclusionOutcome.CHECK_FAILED),
    Gate(key="of_their_kind", above=0, by_measure=True, bars=_DIFFERS, effect=CaveatEffect.INFORMS),
    Gate(key="closer", most=0, by_measure=True, bars=_DIFFERS, effect=CaveatEffect.INFORMS),
    # How often which words come up tells nothing of what is said with them.
    Gate(key="words_alone", least=1, bars=_ALIKE),
    Gate(key="missing_reach", least=1, by_measure=True, bars=_ALIKE),
    Gate(key="missing_undoes", least=1, by_measure=True),
    Gate(key="hangs_on_one", most=0, by_measure=True, tag=ConclusionTag.HANGS_ON_ONE),
    Gate(key="some_missing", most=MOST_MISSING, tag=ConclusionTag.SOME_MISSING),
    CANNED,
    QUOTES,
    CUT_OFF,
    Gate(key="blocked_at_top", least=1, by_measure=True),
    Gate(key="obeys_orders", most=0, by_measure=True),
    Gate(key="judges_itself", most=0, by_measure=True),
    Gate(key="rated_once", most=0, by_measure=True),
    Gate(key="person_disagrees", least=NEEDED, by_measure=True),
    Gate(key="rough_themes", least=THEMES_ADVISED),
    Gate(key="few_for_alike", least=ALIKE_FROM, effect=CaveatEffect.INFORMS),
)

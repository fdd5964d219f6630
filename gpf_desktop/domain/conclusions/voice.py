"""The sentences that a method gives its conclusions; all else is said in one way for all of them (`rendering`)."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from gpf_desktop.domain.conclusions.conclusion import Caveat, Conclusion, ConclusionOutcome
from gpf_desktop.domain.conclusions.counts import SomeModels
from gpf_desktop.domain.conclusions.lead import LeadOf, measures_lead
from gpf_desktop.domain.score_tables import ScoreTables

Say = Callable[[Conclusion, str], str]
"""A sentence about a conclusion, and the short name of its model."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Voice:
    """Sentences with one claim each, 25 words at most."""

    outcomes: Mapping[ConclusionOutcome, Say]
    """Of *differs*, *alike*, *not shown* and *check failed*."""
    so_far: Mapping[ConclusionOutcome, str]
    """Of *differs*, *alike* and *not shown* where it is too early: “So far, …”, which never says that it is shown."""
    many: Mapping[ConclusionOutcome, Callable[[SomeModels], str]]
    """Of several models: so many of so many; *differs* and *alike*."""
    many_differing: Callable[[Sequence[Conclusion], SomeModels], str] = lambda _telling, _some: ""
    """Of those that differ, so many of so many: what they have in common; empty: no more than `many` says."""
    caveats: Mapping[str, Callable[[Caveat], str]]
    """By key of a gate."""
    told_by: Callable[[Sequence[Conclusion]], str] = lambda _telling: ""
    """The one measure by which all of those differ, as a sentence begins: “In words”; empty: there are several."""
    silent_measures: Callable[[Sequence[Conclusion]], str] = lambda _conclusions: ""
    """Behind a headline that says of models that they differ: by which measure none does; empty: there is none."""
    ranges_narrow: Callable[[Sequence[Conclusion]], str] = lambda _conclusions: ""
    """Why the ranges of the page may hold less often than they say, behind that; empty: nothing says so."""
    counted: Callable[[int], str]
    """So many items, in words."""
    answers: str = ""
    """Which answers are counted, in words; empty: all that were asked for."""
    evading: str = ""
    """What is known of answers that evade without declining, within a sentence; empty: the readings count them."""
    counted_where: str = ""
    """Which of the items that were asked can be used: “those …”; empty: all."""
    counted_with: str = ""
    """How an item is to be asked so that it can be used: “with …”; empty: in any way."""
    refusals: Callable[[Conclusion, str], str] | None = None
    """Of refusals that differ; None: the method does not ask."""
    many_refusing: Callable[[SomeModels], str] | None = None
    """So many models of so many whose refusals differ."""
    parts: Say | None = None
    """On which parts of what was asked it differs (`Conclusion.parts`), beside what is said of the whole; None: the
    method looks at none. The sentence of *not shown* says it itself."""
    many_parts: Callable[[SomeModels], str] | None = None
    """So many models of so many that differ on a part of what was asked and on nothing else."""
    why: Callable[[Conclusion], Sequence[str]] = lambda _conclusion: ()
    """Sentences under the first one on demand: the controls in numbers, the range, the test."""
    needs: Callable[[Conclusion], str] = lambda _conclusion: ""
    """Of *too few*, what would be enough; empty: no more than that it is too few."""
    adds: Callable[[Conclusion], str] = lambda _conclusion: ""
    """The sentence behind every *differs* or *alike*, and behind a part on which it differs: what it does not say."""
    lead: LeadOf = measures_lead
    """The figure that leads its page."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Material:
    """The material of one window from which a method concludes."""

    tables: ScoreTables
    options: Mapping[str, Any] = field(default_factory=dict)
    """How tables are made, as analyses are told."""
    left_plan: bool = False
    """Filters let through something else than what was planned."""
    imported: bool = False
    """Answers were there before any plan."""

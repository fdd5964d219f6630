"""The filter of the scores in the tables of Results and of a report, and the results within it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from gpf_desktop.domain.coordinates import MAIN
from gpf_desktop.domain.findings import Finding
from gpf_desktop.domain.methods import Statement
from gpf_desktop.domain.protocol import FitScope
from gpf_desktop.domain.served import ServedNote
from gpf_desktop.domain.text import tr, trn
from gpf_desktop.domain.unknown_refusals import UnknownRefusals
from gpf_desktop.engine.core.factor_words import stratum_title
from gpf_desktop.engine.reporting.option_choices import OptionChoice, OptionNumber


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultsFilter:
    """The window and what is picked within it; None leaves a field open."""

    method: str | None = None
    """None: that of the audit's first run."""
    setting_id: int | None = None
    """The score setting; None: the method's primary one."""
    runs: frozenset[int] | None = None
    since: datetime | None = None
    """Runs set up at this moment or later."""
    until: datetime | None = None
    models: frozenset[str] | None = None
    """``provider/model``."""
    batches: frozenset[int] | None = None
    articles: frozenset[int] | None = None
    """News articles by their number; of methods that ask about something else, None."""
    stratum: str | None = None
    arm: str = MAIN
    complete_only: bool = False
    """Partial bundles stay out of means whatever the protocol says."""
    skewed: bool = False
    """Intervals by Hall's transformed t, for scores that are much skewed."""
    options: tuple[tuple[str, str], ...] | None = None
    """How tables are made, as `option_choices` has it; None: as was chosen last in the audit."""

    @property
    def narrowed(self) -> int:
        """The number of fields that leave something out."""
        open_fields = (self.runs, self.since, self.until, self.models, self.batches, self.articles, self.stratum)
        return sum(field is not None for field in open_fields) + (self.arm != MAIN) + self.complete_only


@dataclass(frozen=True, slots=True, kw_only=True)
class Window:
    """Counts of what lies within a filter: the page's first line."""

    first: datetime | None
    """When the first run of it was set up; None where there is none."""
    last: datetime | None
    batches: int
    articles: int
    """Items of whatever kind."""
    items: str
    """How many, as the method calls them."""
    news: bool
    """They are news articles."""
    models: int
    vendors: int
    bundles: int
    """Main bundles that were given to the scorer."""
    complete: int
    provisional: int
    synthetic_models: int
    scored_anywhere: bool
    """There are scores in the audit, whatever the filter: tells "nothing yet" from "nothing matches"."""

    @property
    def all_synthetic(self) -> bool:
        return self.models > 0 and self.models == self.synthetic_models


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreScope:
    """The facts about how the scores were made: stands beside every table."""

    setting_id: int | None
    scorer: str
    version: str
    fit_scope: FitScope | None
    """None where the scorer has no such setting."""
    rarefied: int | None
    hash: str
    """SHA-256 of the scorer's name, version and options."""
    variant: str
    """What is different from the audit's primary setting; empty where this is it."""
    protocols: tuple[str, ...]
    """Title of each protocol version in the window."""
    partial_in_means: bool
    """Of some run at least."""
    strict_runs: tuple[int, ...]
    """Runs whose protocol leaves partial bundles out of means."""
    high_coverage: int
    behind: int = 0
    """Bundles within the filter whose scores were made before newer answers came."""
    unlike: tuple[str, ...] = ()
    """In which parts of their design the rounds of the window differ; empty: they all asked alike."""
    set_aside: int = 0
    """Scored bundles within the filter that do not count, because another round asked the same of the same model."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Results:
    """The results within a filter, computed in one go from one reading of the store."""

    window: Window
    scope: ScoreScope
    statement: Statement
    """What its scores show, and what they do not."""
    findings: dict[str, Finding]
    """By the analysis's name."""
    title: str = ""
    """Of the audit, as its reports have it."""
    options: Mapping[str, object] = field(default_factory=dict)
    """How analyses were told to make them."""
    filtered: str = ""
    """What the filter lets through, in a sentence; empty: everything."""
    shared: tuple[str, ...] = ()
    """The last notes of every finding: how scores were made, and what the filter lets through."""
    imported: str = ""
    """Where the answers are from, in a sentence; empty: this program asked for them."""
    answered_by: tuple[ServedNote, ...] = ()
    """What servers say of who answered."""
    unknown_refusals: UnknownRefusals = field(default_factory=UnknownRefusals)
    basis: Any = None
    """Frames, filter and options that all was made of: whatever else is made of them is kept under it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FilterOptions:
    """The choices of a filter."""

    methods: tuple[str, ...]
    """Of the audit's runs; the rest is of one of them."""
    runs: tuple[tuple[int, str], ...]
    """The newest first."""
    models: tuple[str, ...]
    batches: tuple[tuple[int, str], ...]
    articles: tuple[tuple[int, str], ...]
    """By headline, the newest first; empty where rounds ask about something else."""
    strata: tuple[str, ...]
    arms: tuple[str, ...]
    """The main one first."""
    settings: tuple[tuple[int, str], ...]
    """The primary one first."""
    options: tuple[OptionChoice, ...] = ()
    numbers: tuple[OptionNumber, ...] = ()


def filter_notes(
    wanted: ResultsFilter,
    runs: Mapping[int, str],
    batches: Mapping[int, str],
    articles: Mapping[int, str],
    *,
    items: str,
) -> tuple[str, ...]:
    """Sentences that name what the filter lets through, so that every export says what it is about; *items* as the
    method calls them."""
    said = []
    if wanted.runs is not None:
        said.append(tr("rounds {names}", names=", ".join(runs[run] for run in sorted(wanted.runs) if run in runs)))
    if wanted.since is not None:
        said.append(tr("rounds since {day}", day=f"{wanted.since:%Y-%m-%d}"))
    if wanted.until is not None:
        said.append(tr("rounds until {day}", day=f"{wanted.until:%Y-%m-%d}"))
    if wanted.models is not None:
        said.append(tr("models {names}", names=", ".join(sorted(wanted.models))))
    if wanted.batches is not None:
        names = ", ".join(batches[batch] for batch in sorted(wanted.batches) if batch in batches)
        said.append(tr("batches {names}", names=names))
    if wanted.articles is not None:
        named = [tr("“{headline}”", headline=articles.get(each, str(each))) for each in sorted(wanted.articles)]
        said.append(trn("the item {names}", "the items {names}", len(named), names=", ".join(named)))
    if wanted.stratum is not None:
        said.append(tr("{items} {stratum}", items=items, stratum=stratum_title(wanted.stratum)))
    if wanted.arm != MAIN:
        said.append(tr("asked {arm}", arm=wanted.arm))
    if wanted.complete_only:
        said.append(tr("whole sets only"))
    return (tr("Filtered to: {filters}.", filters="; ".join(said)),) if said else ()

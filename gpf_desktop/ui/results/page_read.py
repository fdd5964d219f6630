"""All that the Results page reads in one go, on a worker thread."""

from collections.abc import Mapping
from dataclasses import dataclass

from gpf_desktop.domain.conclusions.reading import groups_told, moving, silent_measure, to_read_first
from gpf_desktop.domain.conclusions.rendering import ToldPage
from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.ids import BundleId
from gpf_desktop.domain.results_order import ResultsOrder
from gpf_desktop.domain.review_queue import QueueOrder, QueueRow
from gpf_desktop.domain.scores import Measure
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.open_audit import OpenAudit
from gpf_desktop.engine.reporting.incomplete_sets import IncompleteSets
from gpf_desktop.engine.reporting.option_choices import ChosenOptions
from gpf_desktop.engine.reporting.replies.reply_form import reply_words
from gpf_desktop.engine.reporting.results_filter import FilterOptions, Results, ResultsFilter
from gpf_desktop.engine.reporting.what_next import next_steps

TO_READ = 5
"""Bundles that the page names to be read first."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToRead:
    """The bundles to read first, and the score by which they are."""

    measure: Measure | None = None
    """None: bundles of this method have no scores."""
    rows: tuple[QueueRow, ...] = ()
    of: int = 0
    """The first of so many that carry what is concluded; 0: those with the highest scores."""
    factors: frozenset[str] = frozenset()
    """What is shown to move the answers, as far as its measures are called after factors."""
    groups: frozenset[str] = frozenset()
    """Between which a gap is told."""
    judged: str = ""
    """What people found in a sample drawn to test the conclusions; empty where none was drawn."""
    steps: tuple[str, ...] = ()
    """What somebody can do next, as the brief says it."""
    sets: int = 0
    """Of answers, that the page counts."""
    silent: str = ""
    """The one measure of which nothing is shown beside one that differs: a quotation must not be taken for it."""
    draft: bool = False
    """Declarations are missing: a brief of this is a draft, and says so."""

    @property
    def carries(self) -> bool:
        return self.of > 0


@dataclass(frozen=True, slots=True, kw_only=True)
class PageRead:
    """Findings that stand first, and what the page says around them."""

    method: str
    options: ChosenOptions
    order: ResultsOrder
    results: Results
    concluded: ToldPage | None
    """None: nothing is concluded, or not yet, while findings are being made of many answers."""
    to_read: ToRead
    measures: tuple[Measure, ...]
    choices: FilterOptions
    lacking: IncompleteSets
    replies: Mapping[str, str]
    """By the key of a finding, what the audited party replied to it."""


def read_page(audit: OpenAudit, wanted: ResultsFilter, *, at_once: bool = False) -> PageRead:
    """Read the page of *audit* within *wanted*; *at_once*: without findings that have to be made of many answers.
    Blocks.
    """
    # The page asks which tables are closed as it is filled, in one turn: importing them takes half of that.
    catalogue.analyses()
    service = audit.results
    wanted = service.of_one_method(wanted)
    order = service.order(wanted.method)
    found = service.results(wanted, order.found, at_once=at_once)
    whole = found.findings.keys() >= set(order.found)
    concluded = service.concluding.page(wanted, found) if whole else None
    measure = service.main_measure(wanted.method)
    carry = () if concluded is None else to_read_first(concluded.page)
    ids = [] if measure is None else service.bundle_ids(wanted, measure.name, TO_READ)
    ids = [BundleId(each) for each in carry[:TO_READ]] or ids
    rows = audit.reviews.rows(ids, QueueOrder(score="" if measure is None else measure.name)) if ids else []
    rows.sort(key=lambda row: ids.index(row.bundle_id))
    lacking = service.lacking(wanted, found.window)
    draft = _is_draft(audit)
    return PageRead(
        method=str(wanted.method),
        options=wanted.options or (),
        order=order,
        results=found,
        concluded=concluded,
        measures=service.measures(wanted.method),
        to_read=ToRead(
            measure=measure,
            rows=tuple(rows),
            of=len(carry),
            factors=frozenset() if concluded is None else moving(concluded.page),
            groups=frozenset() if concluded is None else groups_told(concluded.page),
            sets=found.window.bundles,
            silent="" if concluded is None else silent_measure(concluded.page),
            judged=service.judged(),
            steps=() if concluded is None else _steps(audit, concluded, wanted, lacking, draft),
            draft=draft,
        ),
        choices=service.choices(wanted.method),
        lacking=lacking,
        replies=_replies(audit),
    )


def _is_draft(audit: OpenAudit) -> bool:
    try:
        return bool(audit.drafts.current.declaration.draft)
    except UserError:
        # Reports says what is wrong with it.
        return True


def _steps(
    audit: OpenAudit, told: ToldPage, wanted: ResultsFilter, lacking: IncompleteSets, draft: bool
) -> tuple[str, ...]:
    return tuple(next_steps(told, lacking.missing, audit.results.read_by_people(wanted), draft=draft))


def _replies(audit: OpenAudit) -> dict[str, str]:
    try:
        replies = audit.drafts.current.replies
    except UserError:
        # Reports says what is wrong with the draft; what was found stands without it.
        return {}
    return {each.about: reply_words(each) for each in replies}

"""The page of what was planned beforehand, in force for a method, beside what its rounds asked."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from gpf_desktop.documents.targets import guard
from gpf_desktop.domain.conclusions.conclusion import Conclusion, ConclusionPage, Standing
from gpf_desktop.domain.conclusions.rendering import ToldPage
from gpf_desktop.domain.models import ANSWERING, Role
from gpf_desktop.domain.ports.method_abilities import PlansTests
from gpf_desktop.domain.registration import PlannedDifference, PlannedTerms, RegisteredPlan, Registration, differences
from gpf_desktop.domain.reports import ReportPart
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.core.protocols import frozen_protocol, stored_controls
from gpf_desktop.engine.rounds.registering import terms_of
from gpf_desktop.exporters._planned_page import markdown, preview, write_page
from gpf_desktop.storage import models, protocols, registrations
from gpf_desktop.storage.run_stamps import RunStamp, run_stamps
from gpf_desktop.storage.times import as_text
from gpf_desktop.storage.writer import Connection


@dataclass(frozen=True, slots=True, kw_only=True)
class PlanFacts:
    """Facts about when the audit's tests were set: its registration, margins, and later changes."""

    registered: Registration | None
    """None: no page was registered."""
    margins: Mapping[str, float]
    """By name of a measure, those that stood when the first question was sent."""
    changed: tuple[PlannedDifference, ...] = ()
    """What later rounds ask otherwise than the first; empty where a page was registered, which tells it."""
    reading: int = 1
    """Complete readings that its rounds allow, this one counted (`registrations.readings`)."""
    imported: bool = False
    """Answers were there before any plan."""


def plan_facts(connection: Connection, method: str, *, imported: bool) -> PlanFacts:
    """Raises `BadRowError`."""
    found = registration(connection, method)
    rounds = registrations.rounds(connection, method)
    runs = _asked(connection, method)
    first = _terms(connection, runs[0]) if runs else None
    changed: tuple[PlannedDifference, ...] = ()
    if found is None and first is not None:
        when = registrations.first_asked(connection, method) or ""
        later = (_terms(connection, run) for run in runs[1:] if as_text(run.created) > when)
        changed = _after_answers(first, [each for each in later if each is not None])
    stood = found.plan.terms if found is not None and found.holds else first
    return PlanFacts(
        registered=found,
        margins={} if stood is None else dict(stood.margins),
        changed=changed,
        reading=max(registrations.readings(rounds), 1),
        imported=imported,
    )


def _after_answers(first: PlannedTerms, later: Sequence[PlannedTerms]) -> tuple[PlannedDifference, ...]:
    """The differences of rounds set up after the first question; what is no part of a test does not count."""
    named = ("protocol", "protocol_hash", "controls", "left_out", "alpha", "looks", "margins")
    asked = [replace(first, **{name: getattr(each, name) for name in named}) for each in later]
    return differences(first, [first, *asked])


def registration(connection: Connection, method: str) -> Registration | None:
    """None: nothing was registered for *method*. Raises `BadRowError`."""
    pages = [each for each in registrations.every(connection) if each.plan.terms.method == method]
    if not pages:
        return None
    first = registrations.first_asked(connection, method)
    # Moments are stored in one spelling, so that the later text is the later moment.
    before = [each for each in pages if first is None or each.plan.at <= first]
    page = before[-1] if before else pages[-1]
    runs = _asked(connection, method)
    roles = _roles(connection, runs)
    items = registrations.items_asked(connection, [int(run.id) for run in runs])
    asked = [_terms(connection, run, roles) for run in runs]
    return Registration(
        plan=page.plan,
        whole=page.whole,
        beforehand=bool(before),
        differs=differences(page.plan.terms, [replace(each, items=items) for each in asked if each is not None]),
        earlier=max(len(before) - 1, 0),
        asked=first,
    )


def _asked(connection: Connection, method: str) -> list[RunStamp]:
    """Rounds of *method* that put questions to models under study, the oldest first."""
    found = [run for run in reversed(run_stamps(connection)) if run.method == method]
    # Put before judges alone: a check of them, which adds no answer.
    return [run for run in found if _roles(connection, [run]).keys() & ANSWERING]


def _roles(connection: Connection, runs: Sequence[RunStamp]) -> dict[Role, list[str]]:
    """The models asked in *runs*, by role; each once."""
    roles: dict[Role, dict[str, None]] = {}
    for run in runs:
        for model in models.of_run(connection, run.id):
            roles.setdefault(model.role, {})[model.label] = None
    return {role: list(names) for role, names in roles.items()}


def _terms(
    connection: Connection, run: RunStamp, together: Mapping[Role, Sequence[str]] | None = None
) -> PlannedTerms | None:
    """The terms of a round, with its own models or those of all rounds *together*; None: its method of today cannot
    tell them."""
    method = catalogue.method(run.method)
    plans: object = method
    if not isinstance(plans, PlansTests):
        return None
    protocol = frozen_protocol(run.method, protocols.get(connection, run.protocol_id).text)
    roles = together or _roles(connection, [run])
    controls = stored_controls(run.method, run.controls)
    terms, _ = terms_of(method, protocol, controls, run.scope, roles, registrations.sources_of(connection, run.id))
    return terms


def with_plan(page: ConclusionPage, facts: PlanFacts) -> ConclusionPage:
    """*page* with when its tests were set: what no page and no protocol told before the answers was not planned."""
    found = facts.registered
    if found is not None and facts.imported:
        found = replace(found, beforehand=False)
    stated = tuple(dict.fromkeys(_margins(facts.margins, page.conclusions)))
    again = tuple(_added(facts.reading)) if _without_looks(page) else ()
    if found is not None:
        found = replace(found, differs=(*found.differs, *stated, *again))
    changed = (*facts.changed, *stated)
    told = tuple(replace(each, standing=_standing(each, facts, found, changed)) for each in page.conclusions)
    words = tuple(tr("Set after the first answer: {what}", what=each.words) for each in changed)
    return replace(page, registered=found, changed=() if found is not None else words, conclusions=told)


def _standing(
    of: Conclusion, facts: PlanFacts, found: Registration | None, changed: Sequence[PlannedDifference]
) -> Standing:
    standing = of.standing
    reading = 1 if standing.looks or not standing.of else facts.reading
    touched = any(each.models is None or of.model in each.models for each in changed)
    planned = standing.planned and not facts.imported and reading == 1 and not touched
    if found is not None:
        planned = planned and found.planned(of.model)
    return replace(standing, planned=planned, registered=planned and found is not None, reading=reading)


def _without_looks(page: ConclusionPage) -> bool:
    return any(each.standing.of and not each.standing.looks for each in page.conclusions)


def _added(reading: int) -> Iterable[PlannedDifference]:
    if reading > 1:
        words = tr("rounds were added after a complete reading: this is reading {n}.", n=reading)
        yield PlannedDifference(words=words, models=None)


def page_text(plan: RegisteredPlan, *, registered: bool) -> str:
    """*plan* as Markdown for a window; before it is *registered*, without time and check code."""
    return markdown(plan, level=3) if registered else preview(plan)


def save_page(plan: RegisteredPlan, target: Path) -> None:
    """Write *plan* as a page to deposit, in the format that *target* ends in. Raises `UserError`, `StorageError`."""
    guard(target)
    write_page(plan, target)


def planned_part(concluded: ToldPage | None) -> tuple[ReportPart, ...]:
    """The section of a report that prints the page, and what differed; none where nothing was registered."""
    found = None if concluded is None else concluded.page.registered
    if found is None:
        return ()
    page = tuple(f"{each.title}: {' '.join(each.lines)}" for each in found.plan.sections)
    code = tr(
        "Registered {moment} UTC. Check code {code}.",
        moment=f"{found.plan.moment:%Y-%m-%d %H:%M:%S}",
        code=found.plan.code,
    )
    return (
        ReportPart(name="planned", title=tr("What was planned beforehand"), paragraphs=(*found.sentences, code, *page)),
    )


def _margins(planned: Mapping[str, float], conclusions: Iterable[Conclusion]) -> Iterable[PlannedDifference]:
    """Margins that were stated in Results, and are others than those that stood when the first question was sent."""
    for each in conclusions:
        for one in each.measures:
            was = planned.get(one.name)
            if was is not None and one.margin is not None and one.margin != was:
                words = tr(
                    "{measure}: below {is_:g} does not matter, and not below {was:g}.",
                    measure=one.words,
                    is_=one.margin,
                    was=was,
                )
                yield PlannedDifference(words=words, models=None)

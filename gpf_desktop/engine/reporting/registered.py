"""The page of what was planned beforehand, in force for a method, beside what its rounds asked."""

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

from gpf_desktop.documents.targets import guard
from gpf_desktop.domain.conclusions.conclusion import Conclusion, ConclusionPage
from gpf_desktop.domain.conclusions.rendering import ToldPage
from gpf_desktop.domain.models import Role
from gpf_desktop.domain.registration import PlannedDifference, PlannedTerms, RegisteredPlan, Registration, differences
from gpf_desktop.domain.reports import ReportPart
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.core.protocols import frozen_protocol, stored_controls
from gpf_desktop.engine.rounds.registering import terms_of
from gpf_desktop.exporters._planned_page import markdown, preview, write_page
from gpf_desktop.storage import models, protocols, registrations
from gpf_desktop.storage.run_stamps import RunStamp, run_stamps
from gpf_desktop.storage.writer import Connection


def registration(connection: Connection, method: str) -> Registration | None:
    """None: nothing was registered for *method*. Raises `BadRowError`."""
    pages = [each for each in registrations.every(connection) if each.plan.terms.method == method]
    if not pages:
        return None
    first = registrations.first_asked(connection, method)
    # Moments are stored in one spelling, so that the later text is the later moment.
    before = [each for each in pages if first is None or each.plan.at <= first]
    page = before[-1] if before else pages[-1]
    asked = [_terms(connection, run) for run in run_stamps(connection) if run.method == method]
    return Registration(
        plan=page.plan,
        whole=page.whole,
        beforehand=bool(before),
        differs=differences(page.plan.terms, [each for each in reversed(asked) if each is not None]),
        earlier=max(len(before) - 1, 0),
    )


def _terms(connection: Connection, run: RunStamp) -> PlannedTerms | None:
    """What a round asks; None: its method of today cannot tell."""
    method = catalogue.method(run.method)
    protocol = frozen_protocol(run.method, protocols.get(connection, run.protocol_id).text)
    roles: dict[Role, list[str]] = {}
    for model in models.of_run(connection, run.id):
        roles.setdefault(model.role, []).append(model.label)
    if not roles.keys() & {Role.TARGET, Role.BASELINE}:
        # Put before judges alone: a check of them, which adds no answer.
        return None
    controls = stored_controls(run.method, run.controls)
    return terms_of(method, protocol, controls, run.scope, roles, registrations.sources_of(connection, run.id))[0]


def with_registration(page: ConclusionPage, found: Registration | None, *, imported: bool) -> ConclusionPage:
    """*page* with what stands of its plan: what was not on the page of the plan was not planned beforehand."""
    if found is None:
        return page
    if imported:
        return replace(page, registered=replace(found, beforehand=False))
    stated = tuple(dict.fromkeys(_margins(found, page.conclusions)))
    found = replace(found, differs=(*found.differs, *stated))
    told = tuple(
        each if found.planned(each.model) else replace(each, standing=replace(each.standing, planned=False))
        for each in page.conclusions
    )
    return replace(page, registered=found, conclusions=told)


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


def _margins(found: Registration, conclusions: Iterable[Conclusion]) -> Iterable[PlannedDifference]:
    """Margins that were stated in Results, and are others than those of the page."""
    planned = dict(found.plan.terms.margins)
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

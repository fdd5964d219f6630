"""Makes the page of what is planned beforehand from a design."""

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from datetime import datetime
from pathlib import PurePath
from typing import Any

from gpf_desktop import __version__
from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.methods import StudyProtocol
from gpf_desktop.domain.models import ANSWERING, Role
from gpf_desktop.domain.ports.method import Method
from gpf_desktop.domain.ports.method_abilities import PlansTests, RoundPlanner
from gpf_desktop.domain.registration import PageSection, PlannedTerms, PlannedTests, RegisteredPlan
from gpf_desktop.domain.round_planning import Pilot
from gpf_desktop.domain.scopes import Scope
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.core.protocols import protocol_hash
from gpf_desktop.engine.rounds.round_power import RoundDesign, finds_lines, labels_of, round_power
from gpf_desktop.storage.times import now


@dataclass(frozen=True, slots=True, kw_only=True)
class Intended:
    """A plan to register: a design, and what the design does not say."""

    asked: RoundDesign
    sources: tuple[str, ...] = ()
    """Where items come from."""
    readers: str = ""
    """Who reads how many, in the auditor's words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedPreview:
    """A page before it is registered."""

    page: RegisteredPlan
    earlier: RegisteredPlan | None
    """The one whose place it takes."""
    refused: str
    """Why it cannot be registered; empty: it can."""


def registered_page(intended: Intended, pilot: Pilot | None, *, audit: str, title: str) -> RegisteredPlan:
    """The page of *intended*, as of now. Raises `UserError` where its method cannot tell what it tests."""
    asked, method = intended.asked, intended.asked.method
    if not asked.items:
        asked = replace(asked, items=method.items(asked.protocol))
        intended = replace(intended, asked=asked)
    roles = labels_of(asked.models)
    terms, tests = terms_of(method, asked.protocol, asked.controls, asked.scope, roles, intended.sources)
    terms = replace(terms, items=tests.looks[-1] if tests.looks else len(asked.items))
    return RegisteredPlan(
        at=now(),
        program=f"GPF Desktop {__version__}",
        audit=audit,
        title=title,
        terms=terms,
        sections=tuple(_sections(intended, terms, tests, pilot)),
        synthetic=all(each.synthetic for each in asked.models),
    )


def terms_of(
    method: Method,
    protocol: StudyProtocol,
    controls: Any,
    scope: Scope,
    roles: Mapping[Role, Sequence[str]],
    sources: Sequence[str],
) -> tuple[PlannedTerms, PlannedTests]:
    """The terms and tests of a design or of a round, to be compared with what is asked. Raises `UserError`."""
    plans: object = method
    if not isinstance(plans, PlansTests):
        raise UserError(
            tr("{method} cannot tell beforehand what it tests.", method=method.title),
            tr("Describe the plan in a document of your own, and deposit that."),
        )
    asked, sizes = protocol, controls
    if scope and isinstance(method, RoundPlanner):
        asked, sizes = method.narrowed(protocol, controls, scope) or (protocol, controls)
    tests = plans.planned_tests(asked, sizes, roles)
    terms = PlannedTerms(
        method=method.name,
        method_version=method.version,
        protocol=protocol.title,
        protocol_hash=protocol_hash(protocol),
        controls=json.dumps(asdict(controls), sort_keys=True),
        left_out=tuple(f"{factor}: {level}" for factor, level in scope.left_out),
        models=tuple(each for role in Role if role in ANSWERING for each in roles.get(role, ())),
        others=tuple(each for role, some in roles.items() if role not in ANSWERING for each in some),
        sources=tuple(sorted(map(_source, sources))),
        comparisons=tests.comparisons,
        alpha=tests.alpha,
        looks=tests.looks,
        margins=tuple(tests.margins.items()),
        levels=tests.levels,
    )
    return terms, tests


def _source(target: str) -> str:
    """A file by its name alone: where it lies is this machine's affair."""
    return target if "://" in target else PurePath(target.replace("\\", "/")).name


def _sections(
    intended: Intended, terms: PlannedTerms, tests: PlannedTests, pilot: Pilot | None
) -> Iterator[PageSection]:
    asked, method = intended.asked, intended.asked.method
    left_out = (tr("Left out: {what}.", what=", ".join(terms.left_out)),) if terms.left_out else ()
    yield PageSection(title=tr("Question"), lines=(method.question,))
    yield PageSection(
        title=tr("Protocol"),
        lines=(
            method.citation if method.title in method.citation else f"{method.title}, {method.citation}",
            tr("{title}; SHA-256 {hash}", title=asked.protocol.title, hash=terms.protocol_hash),
            tr("Seed {n}", n=asked.seed),
            *left_out,
        ),
    )
    others = (tr("Judge models and encoders: {names}", names=", ".join(terms.others)),) if terms.others else ()
    yield PageSection(title=tr("Models"), lines=(*terms.models, *others))
    yield PageSection(title=tr("What is asked of whom"), lines=tuple(f"{name}: {what}" for name, what in tests.groups))
    yield PageSection(
        title=tr("Tests"),
        lines=(
            *tests.tests,
            tr(
                "Counted together: {n:,} comparisons at most. Where nothing differs, a page says “differs” on at most"
                " {alpha} of 100.",
                n=tests.comparisons,
                alpha=f"{100 * tests.alpha:g}",
            ),
        ),
    )
    yield PageSection(title=tr("When conclusions are drawn"), lines=(tests.stopping,))
    yield PageSection(title=tr("What it can find"), lines=tuple(_finds(asked, tests, pilot)))
    yield PageSection(
        title=tr("Too small to matter"), lines=tests.margin_words or (tr("None is stated: nothing is called alike."),)
    )
    yield PageSection(title=tr("Controls"), lines=tests.controls or (tr("None is asked."),))
    yield PageSection(
        title=tr("Sources"), lines=terms.sources or (tr("The items of the protocol, {n} of them.", n=len(asked.items)),)
    )
    yield PageSection(
        title=tr("Who reads how many"), lines=(" ".join(intended.readers.split()) or tr("Not said beforehand."),)
    )


def _finds(asked: RoundDesign, tests: PlannedTests, pilot: Pilot | None) -> Iterator[str]:
    if pilot is None or not asked.items:
        yield tr("Not reckoned.")
        return
    sizes = sorted({tests.looks[0], tests.looks[-1]}) if tests.looks else [len(asked.items)]
    for size in sizes:
        power = round_power(asked.of_items(size), pilot, power=0.8)
        if power is None:
            yield tr("What so narrow a part of the design finds cannot be told.")
            return
        yield from finds_lines(power, asked.method)
    yield pilot.origin


def already_asked(when: str) -> UserError:
    """A plan is registered before the first answer, or not at all."""
    moment = datetime.fromisoformat(when)
    return UserError(
        tr(
            "Nothing can be registered any more: the first question was sent on {when}.",
            when=f"{moment:%Y-%m-%d %H:%M} UTC",
        ),
        tr("A plan counts as made beforehand only where no answer is older. Register it in a new audit, then ask."),
    )

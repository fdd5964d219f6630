"""Pages of what was planned beforehand in an artifact."""

import json
from collections.abc import Iterator

from gpf_desktop.domain.registration import CODE_SHOWN, RegisteredPlan
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.exchange.artifact.member_names import PLANNED
from gpf_desktop.engine.exchange.artifact.restorable import Restorable
from gpf_desktop.engine.exchange.artifact.sealed_zip import SealedZip, no_artifact
from gpf_desktop.engine.exchange.artifact.verifying import ArtifactCheck
from gpf_desktop.engine.reporting.registered import registration
from gpf_desktop.storage import registrations
from gpf_desktop.storage.stored import BadRowError
from gpf_desktop.storage.writer import Connection


def planned_text(connection: Connection) -> str:
    """Every page with its check code; empty where nothing was registered. Raises `BadRowError`."""
    pages = registrations.every(connection)
    return f"{registrations.text(pages)}\n" if pages else ""


def put_planned(connection: Connection, artifact: Restorable) -> None:
    """Keep the pages of *artifact* in the audit behind *connection*. Raises `UserError` where they cannot be read."""
    if PLANNED not in artifact.members:
        return
    try:
        registrations.keep(connection, registrations.read(json.loads(artifact.text(PLANNED))))
    except (ValueError, RecursionError, BadRowError) as error:
        raise no_artifact(artifact.path, tr("{name} cannot be read", name=PLANNED)) from error


def planned_checked(connection: Connection, artifact: SealedZip) -> Iterator[ArtifactCheck]:
    """Pages that later ones name are there; each in force is whole, and older than the first answer; and each that it
    replaced is whole."""
    if PLANNED not in artifact.members:
        return
    pages = registrations.every(connection)
    for number, code in registrations.missing(pages):
        words = tr(
            "page {n} of the registered plans, check code {code}, is missing: it was taken out, or changed",
            n=number,
            code=code[:CODE_SHOWN],
        )
        yield ArtifactCheck(passed=False, words=words)
    for method in dict.fromkeys(each.plan.terms.method for each in pages):
        found = registration(connection, method)
        assert found is not None, "it has a page"
        for page in pages:
            if page.plan.terms.method == method and page.plan != found.plan:
                yield _replaced(page)
        words = tr(
            "the plan of {method}, registered {moment} UTC, check code {code}",
            method=method,
            moment=_moment(found.plan),
            code=found.plan.code[:CODE_SHOWN],
        )
        if not found.whole:
            words = tr("{words}: its check code is not that of its words", words=words)
        elif not found.beforehand:
            words = tr("{words}: an answer is older", words=words)
        elif found.differs:
            differs = " ".join(each.words for each in found.differs)
            words = tr("{words}: older than the first answer; other than planned: {what}", words=words, what=differs)
        else:
            words = tr("{words}: older than the first answer, and asked as planned", words=words)
        yield ArtifactCheck(passed=found.holds, words=words)


def _replaced(page: registrations.StoredPage) -> ArtifactCheck:
    """A page that another took the place of before the first answer; the code that was told is what somebody has."""
    words = tr(
        "an earlier plan of {method}, registered {moment} UTC, check code {code}",
        method=page.plan.terms.method,
        moment=_moment(page.plan),
        code=page.code[:CODE_SHOWN],
    )
    if not page.whole:
        words = tr("{words}: its check code is not that of its words", words=words)
    return ArtifactCheck(passed=page.whole, words=words)


def _moment(plan: RegisteredPlan) -> str:
    return f"{plan.moment:%Y-%m-%d %H:%M:%S}"

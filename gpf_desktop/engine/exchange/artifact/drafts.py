"""The draft of the report in an artifact: what the auditor wrote, its findings, and where their evidence stands."""

import json
from dataclasses import replace
from typing import Final

from gpf_desktop.domain.text import tr, trn
from gpf_desktop.engine.exchange.artifact.contents import ArtifactChoices, pseudonyms
from gpf_desktop.engine.exchange.artifact.restorable import Restorable
from gpf_desktop.engine.exchange.artifact.sealed_zip import SealedZip, no_artifact
from gpf_desktop.engine.exchange.artifact.verifying import ArtifactCheck
from gpf_desktop.engine.reporting.drafts.draft import Evidence, EvidenceKind, ReportDraft
from gpf_desktop.engine.reporting.drafts.draft_files import check_ids, from_json, to_json
from gpf_desktop.engine.reporting.drafts.logo import check_logo
from gpf_desktop.storage import report_drafts, reviewers
from gpf_desktop.storage.stored import BadRowError
from gpf_desktop.storage.writer import Connection

DRAFT: Final = "report-draft.json"
DECLARATIONS: Final = "declarations.toml"
"""Who audits, who paid, what is kept where and until when: the draft's own, for people to read."""


def draft_text(connection: Connection, choices: ArtifactChoices) -> str:
    """The draft as the artifact holds it; empty where there is none, or none is to be in it. Raises `BadRowError`."""
    kept, logo = report_drafts.kept(connection)
    if not choices.draft or not (kept or logo):
        return ""
    try:
        draft = replace(from_json(kept) if kept else ReportDraft(), logo=logo)
    except ValueError as error:
        raise BadRowError(f"the report's draft: {error!r}") from error
    if choices.withheld:
        draft = replace(draft, tray=tuple(map(_without_words, draft.tray)))
    text = to_json(draft)
    if choices.pseudonyms:
        for name, other in pseudonyms(reviewers.in_order_of_entries(connection)).items():
            # In the JSON, because a name may stand in any text that the auditor wrote; quotes and backslashes are
            # escaped there.
            text = text.replace(_in_json(name), _in_json(other))
    return json.dumps(json.loads(text), indent=1, ensure_ascii=False) + "\n"


def _in_json(name: str) -> str:
    """*name* as it stands within a text in JSON."""
    return json.dumps(name, ensure_ascii=False)[1:-1]


def _without_words(item: Evidence) -> Evidence:
    """A passage is called by its words, which may be of an answer that is withheld."""
    if item.kind is not EvidenceKind.PASSAGE:
        return item
    return replace(item, title=tr("A passage of set {n}", n=item.bundle))


def put_draft(connection: Connection, artifact: Restorable) -> None:
    """Keep the draft of *artifact* in the audit behind *connection*. Raises `UserError` where it cannot be read."""
    if DRAFT not in artifact.members:
        return
    try:
        draft = from_json(artifact.text(DRAFT))
    except (ValueError, RecursionError) as error:
        raise no_artifact(artifact.path, tr("{name} cannot be read", name=DRAFT)) from error
    # The JSON of an artifact is anybody's: what the window takes for granted of a kept draft is made sure of here.
    check_ids(draft, DRAFT)
    check_logo(draft.logo)
    report_drafts.keep(connection, to_json(replace(draft, logo="")), draft.logo)


def draft_checked(connection: Connection, artifact: SealedZip, choices: ArtifactChoices) -> tuple[ArtifactCheck, ...]:
    """Whether the draft that was put into the audit behind *connection* is the artifact's."""
    if DRAFT not in artifact.members:
        return ()
    own = draft_text(connection, choices)
    found = from_json(own) if own else ReportDraft()
    words = tr(
        "the report's draft: {findings}, {evidence}",
        findings=trn("{n} finding", "{n} findings", len(found.findings)),
        evidence=trn("{n} piece of evidence", "{n} pieces of evidence", len(found.tray)),
    )
    return (ArtifactCheck(passed=own == artifact.text(DRAFT), words=words),)

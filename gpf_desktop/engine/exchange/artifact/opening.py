"""Makes an audit with the same answers, scores and reviews from an artifact."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any, Final

from gpf_desktop.domain.text import tr
from gpf_desktop.domain.withheld import placeholder
from gpf_desktop.engine.core.followed_task import Tell
from gpf_desktop.engine.exchange.artifact.contents import DATA, ArtifactChoices
from gpf_desktop.engine.exchange.artifact.drafts import put_draft
from gpf_desktop.engine.exchange.artifact.member_names import AUDIT
from gpf_desktop.engine.exchange.artifact.planned import put_planned
from gpf_desktop.engine.exchange.artifact.restorable import Restorable
from gpf_desktop.engine.exchange.artifact.sealed_zip import no_artifact
from gpf_desktop.storage import audits, restoring, soundness
from gpf_desktop.storage.audit_file import filled
from gpf_desktop.storage.provenance import PROVENANCE, AuditProvenance, as_text
from gpf_desktop.storage.stored import BadRowError
from gpf_desktop.storage.times import as_moment
from gpf_desktop.storage.writer import Connection

_AT_ONCE: Final = 1000
_MAY_LACK: Final = frozenset({"vectors", "study_notes", "reviewer_groups"})
"""Relations that artifacts of an earlier program have not, or that are only in those where it was chosen."""
_GUIDELINE: Final = "review.guideline"


@dataclass(frozen=True, slots=True, kw_only=True)
class ToldAudit:
    """The contents of `audit.json`."""

    uuid: str
    title: str
    created_at: str
    sample: bool
    guideline: str
    imported_from: str
    imported_hash: str
    imported_rows: int
    samples: tuple[dict[str, Any], ...]
    choices: ArtifactChoices


def told_audit(artifact: Restorable) -> ToldAudit:
    """Raises `UserError` where it cannot be read."""
    try:
        data: dict[str, Any] = json.loads(artifact.text(AUDIT))
        # For its error alone: the text is stored as it is, and everybody takes it for a moment from then on.
        as_moment(data["created_at"])
        return ToldAudit(
            **{name: str(data[name]) for name in ("uuid", "title", "created_at", "guideline")},
            **{name: str(data[name]) for name in ("imported_from", "imported_hash")},
            imported_rows=int(data["imported_rows"]),
            sample=bool(data["sample"]),
            samples=tuple(dict(each) for each in data["samples"]),
            choices=ArtifactChoices(
                withheld=frozenset(str(each) for each in data["withheld"]),
                without_news=bool(data.get("without_news", False)),
                pseudonyms=bool(data["pseudonyms"]),
                draft=bool(data.get("draft", False)),
                groups=bool(data.get("groups", False)),
                licence=str(data["licence"]),
                creator=str(data["creator"]),
                **{name: tuple(map(str, data.get(name, ()))) for name in ("addresses", "operations", "rules")},
            ),
        )
    except (KeyError, TypeError, ValueError, AttributeError, RecursionError) as error:
        raise no_artifact(artifact.path, tr("{name} cannot be read", name=AUDIT)) from error


def restore(artifact: Restorable, target: Path, tell: Tell = lambda _done, _of: None) -> ToldAudit:
    """Make an audit at *target*, which must not exist. Blocks; it is there when it is whole, and else nothing is.

    Raises `UserError` where the artifact was changed, `StorageError` for what the disk says, and what *tell* raises.
    """
    told = told_audit(artifact)
    with filled(target, title=told.title, sample=told.sample) as connection:
        with _fitting(artifact, AUDIT):
            _begin(connection, artifact, told)
        put_draft(connection, artifact)
        put_planned(connection, artifact)
        total = sum(member.bytes for member in artifact.members.values())
        done = 0
        for name in restoring.ORDER_OF_PUTTING:
            for rows, size in _rows(artifact, name):
                with _fitting(artifact, name):
                    restoring.put(connection, name, rows)
                done += size
                tell(done, total)
        if found := soundness.miscounted(connection):
            raise no_artifact(artifact.path, found)
    return told


def _begin(connection: Connection, artifact: Restorable, told: ToldAudit) -> None:
    found = AuditProvenance(
        imported_from=told.imported_from,
        imported_hash=told.imported_hash,
        imported_rows=told.imported_rows,
        artifact=artifact.seal,
        withheld=tuple(sorted(told.choices.withheld)),
        without_news=told.choices.without_news,
    )
    restoring.put_audit(
        connection,
        uuid=told.uuid,
        title=told.title,
        created_at=told.created_at,
        sample=told.sample,
        settings={PROVENANCE: as_text(found)},
        samples=told.samples,
    )
    if told.guideline:
        audits.set_guideline(connection, told.guideline)


def _rows(artifact: Restorable, name: str) -> Iterator[tuple[list[dict[str, Any]], int]]:
    """Rows of the relation *name*, some at a time, with the bytes that they took; none if the artifact may lack it and
    does."""
    if name in _MAY_LACK and f"{DATA}{name}.jsonl" not in artifact.members:
        return
    lines = artifact.lines(f"{DATA}{name}.jsonl")
    while some := list(islice(lines, _AT_ONCE)):
        try:
            rows = [_row(json.loads(str(line, "utf-8", "surrogatepass"))) for line in some]
        except (ValueError, TypeError, RecursionError) as error:
            raise no_artifact(artifact.path, tr("a row of {name} cannot be read", name=name)) from error
        yield rows, sum(map(len, some))


def _row(data: Any) -> dict[str, Any]:
    if not isinstance(data, dict):
        raise TypeError("no row")
    if data.get("withheld"):
        text = placeholder(int(data["answer_characters"]), str(data["answer_sha256"]))
        # The placeholder holds length and hash, so that an artifact of this audit has the same ones again.
        return {**data, "answer": text, "reasoning": "", "detail": ""}
    return data


@contextmanager
def _fitting(artifact: Restorable, name: str) -> Iterator[None]:
    try:
        yield
    except BadRowError as error:
        raise no_artifact(artifact.path, tr("a row of {name} does not fit the others", name=name)) from error

"""Steps that can be undone and redone by name, across submits and restarts."""

import sqlite3
from dataclasses import dataclass
from enum import StrEnum

from gpf_desktop.domain.ids import BundleId, ReviewerId
from gpf_desktop.domain.reviews import Judgement, judgement_from_json, judgement_to_json
from gpf_desktop.storage.times import now

KEPT = 500
"""Steps kept per reviewer; older ones can no longer be undone, the history keeps what they did."""


class StepKind(StrEnum):
    """What a step changed; its name in the Edit menu follows from it."""

    VERDICT = "verdict"
    SEVERITY = "severity"
    AFFECTED = "affected answers"
    PASSAGES = "marked passages"
    TAGS = "tags"
    NOTE = "note"
    FLAG = "flag"
    SUBMIT = "submit"
    ADJUDICATE = "adjudicate"


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One undoable change of one reviewer."""

    id: int
    bundle_id: BundleId
    kind: StepKind
    before: Judgement
    after: Judgement
    family: str
    dimension: str
    """Where it was made, for its name in the Edit menu."""


def push(
    connection: sqlite3.Connection,
    reviewer_id: ReviewerId,
    bundle_id: BundleId,
    *,
    kind: StepKind,
    before: Judgement,
    after: Judgement,
) -> None:
    """A new step; what had been undone can no longer be redone. Typing on in a note lengthens its last step."""
    connection.execute("DELETE FROM review_step WHERE reviewer_id = ? AND undone", (reviewer_id,))
    last = newest(connection, reviewer_id)
    if kind is StepKind.NOTE and last is not None and (last.bundle_id, last.kind) == (bundle_id, kind):
        connection.execute("UPDATE review_step SET after = ? WHERE id = ?", (judgement_to_json(after), last.id))
        return
    connection.execute(
        "INSERT INTO review_step (reviewer_id, bundle_id, kind, before, after, at) VALUES (?, ?, ?, ?, ?, ?)",
        (reviewer_id, bundle_id, kind, judgement_to_json(before), judgement_to_json(after), now()),
    )
    connection.execute(
        "DELETE FROM review_step WHERE reviewer_id = ? AND id <="
        " (SELECT id FROM review_step WHERE reviewer_id = ? ORDER BY id DESC LIMIT 1 OFFSET ?)",
        (reviewer_id, reviewer_id, KEPT),
    )


def newest(connection: sqlite3.Connection, reviewer_id: ReviewerId | None) -> Step | None:
    """The step that Undo takes back."""
    return _one(connection, "reviewer_id = ? AND NOT s.undone ORDER BY s.id DESC", reviewer_id)


def next_undone(connection: sqlite3.Connection, reviewer_id: ReviewerId | None) -> Step | None:
    """The step that Redo does again."""
    return _one(connection, "reviewer_id = ? AND s.undone ORDER BY s.id", reviewer_id)


def set_undone(connection: sqlite3.Connection, step: Step, undone: bool) -> None:
    connection.execute("UPDATE review_step SET undone = ? WHERE id = ?", (undone, step.id))


def _one(connection: sqlite3.Connection, where: str, reviewer_id: ReviewerId | None) -> Step | None:
    row = connection.execute(
        "SELECT s.id, s.bundle_id, s.kind, s.before, s.after, b.family, b.dimension FROM review_step s"
        f" JOIN bundle b ON b.id = s.bundle_id WHERE s.{where} LIMIT 1",
        (reviewer_id,),
    ).fetchone()
    if row is None:
        return None
    return Step(
        id=row[0],
        bundle_id=BundleId(row[1]),
        kind=StepKind(row[2]),
        before=judgement_from_json(row[3]),
        after=judgement_from_json(row[4]),
        family=row[5],
        dimension=row[6],
    )

"""Steps that can be undone and redone by name, across submits and restarts.

review_step        what Undo names: a change to one bundle, or one change to many
review_step_part   the bundles of a step over many, each with what stood before and after
"""

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import partial

from gpf_desktop.domain.coordinates import Coordinates
from gpf_desktop.domain.ids import BundleId, ReviewerId
from gpf_desktop.domain.reviews import Judgement, judgement_from_json, judgement_to_json
from gpf_desktop.storage import stored
from gpf_desktop.storage.rows import insert, records
from gpf_desktop.storage.times import now

KEPT = 500
"""Steps kept per reviewer; older ones can no longer be undone, the history keeps what they did."""


class StepKind(StrEnum):
    """The part of a judgement that a step changed; its name in the Edit menu follows from it."""

    VERDICT = "verdict"
    SEVERITY = "severity"
    AFFECTED = "affected answers"
    PASSAGES = "marked passages"
    CODES = "codes of a passage"
    COMMENT = "comment on a passage"
    TAGS = "tags"
    NOTE = "note"
    FLAG = "flag"
    SUBMIT = "submit"
    ADJUDICATE = "adjudicate"
    CORRECT = "correct"


@dataclass(frozen=True, slots=True, kw_only=True)
class StepPart:
    """The change that a step made to one bundle."""

    bundle_id: BundleId
    before: Judgement
    after: Judgement


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewStep:
    """One undoable change of one reviewer."""

    id: int
    bundle_id: BundleId
    """Of a step over many: the first."""
    kind: StepKind
    before: Judgement
    after: Judgement
    bundles: int
    """How many it changed."""
    method: str
    coordinates: Coordinates
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
    """A new step; what had been undone can no longer be redone. Typing on in a note or comment lengthens its step."""
    last = newest(connection, reviewer_id)
    if last is not None and (last.bundle_id, last.kind) == (bundle_id, kind) and _typed_on(kind, last.before, after):
        _forget_undone(connection, reviewer_id)
        connection.execute("UPDATE review_step SET after = ? WHERE id = ?", (judgement_to_json(after), last.id))
        return
    _insert(connection, reviewer_id, kind, StepPart(bundle_id=bundle_id, before=before, after=after), bundles=1)


def _typed_on(kind: StepKind, begun: Judgement, after: Judgement) -> bool:
    if kind is StepKind.COMMENT:
        return len(set(after.passages) - set(begun.passages)) <= 1
    return kind is StepKind.NOTE


def push_many(
    connection: sqlite3.Connection, reviewer_id: ReviewerId, kind: StepKind, parts: Sequence[StepPart]
) -> None:
    """One step that changed several bundles, undone and redone as one."""
    if not parts:
        return
    step_id = _insert(connection, reviewer_id, kind, parts[0], bundles=len(parts))
    if len(parts) > 1:
        connection.executemany(
            "INSERT INTO review_step_part (step_id, bundle_id, before, after) VALUES (?, ?, ?, ?)",
            (
                (step_id, part.bundle_id, judgement_to_json(part.before), judgement_to_json(part.after))
                for part in parts
            ),
        )


def parts(connection: sqlite3.Connection, step: ReviewStep) -> list[StepPart]:
    """The changes that *step* made, bundle by bundle."""
    if step.bundles == 1:
        return [StepPart(bundle_id=step.bundle_id, before=step.before, after=step.after)]
    rows = connection.execute(
        "SELECT bundle_id, before, after FROM review_step_part WHERE step_id = ? ORDER BY bundle_id", (step.id,)
    )
    return records(StepPart, rows, before=judgement_from_json, after=judgement_from_json)


def _insert(
    connection: sqlite3.Connection, reviewer_id: ReviewerId, kind: StepKind, first: StepPart, *, bundles: int
) -> int:
    _forget_undone(connection, reviewer_id)
    step_id = insert(
        connection,
        "review_step",
        reviewer_id=reviewer_id,
        bundle_id=first.bundle_id,
        kind=kind,
        before=judgement_to_json(first.before),
        after=judgement_to_json(first.after),
        bundles=bundles,
        at=now(),
    )
    connection.execute(
        # The first step beyond those kept, and all older ones; NULL, and so nothing, while there are fewer.
        "DELETE FROM review_step WHERE reviewer_id = ? AND id <="
        " (SELECT id FROM review_step WHERE reviewer_id = ? ORDER BY id DESC LIMIT 1 OFFSET ?)",
        (reviewer_id, reviewer_id, KEPT),
    )
    return step_id


def _forget_undone(connection: sqlite3.Connection, reviewer_id: ReviewerId) -> None:
    connection.execute("DELETE FROM review_step WHERE reviewer_id = ? AND undone", (reviewer_id,))


def newest(connection: sqlite3.Connection, reviewer_id: ReviewerId | None) -> ReviewStep | None:
    """The step that Undo takes back."""
    return _one(connection, "reviewer_id = ? AND NOT s.undone ORDER BY s.id DESC", reviewer_id)


def next_undone(connection: sqlite3.Connection, reviewer_id: ReviewerId | None) -> ReviewStep | None:
    """The step that Redo does again."""
    return _one(connection, "reviewer_id = ? AND s.undone ORDER BY s.id", reviewer_id)


def set_undone(connection: sqlite3.Connection, step: ReviewStep, undone: bool) -> None:
    connection.execute("UPDATE review_step SET undone = ? WHERE id = ?", (undone, step.id))


def _one(connection: sqlite3.Connection, where: str, reviewer_id: ReviewerId | None) -> ReviewStep | None:
    rows = connection.execute(
        "SELECT s.id, s.bundle_id, s.kind, s.before, s.after, s.bundles, r.method, x.text AS coordinates"
        " FROM review_step s JOIN bundle b ON b.id = s.bundle_id JOIN run r ON r.id = b.run_id"
        f" JOIN coordinate_set x ON x.id = b.coordinates_id WHERE s.{where} LIMIT 1",
        (reviewer_id,),
    )
    found = records(
        ReviewStep,
        rows,
        kind=partial(stored.word, StepKind),
        before=judgement_from_json,
        after=judgement_from_json,
        coordinates=stored.coordinates,
    )
    return found[0] if found else None

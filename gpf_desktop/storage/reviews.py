"""Drafts, and the history that drafts become: sealed entries, one chain of hashes per reviewer.

review_draft   what is being written, saved as it is typed
review_entry   every submission, withdrawal, flag, reveal and adjudication, never changed
review_now     where each reviewer stands with each bundle: what the entries add up to
review_final   what a disagreement was settled to
"""

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, assert_never

from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.ids import BundleId, ReviewerId
from gpf_desktop.domain.reviews import (
    BundleKey,
    Judgement,
    ReviewAction,
    ReviewEntry,
    Reviewer,
    ReviewStatus,
    SealedEntry,
    judgement_from_json,
    judgement_to_json,
)
from gpf_desktop.domain.text import tr
from gpf_desktop.storage.times import as_moment, as_text_not_before, now


@dataclass(frozen=True, slots=True, kw_only=True)
class Standing:
    """Where one reviewer stands with one bundle."""

    status: ReviewStatus
    judgement: Judgement
    """The draft where there is one, else what was submitted, else an empty form."""
    submitted: Judgement | None
    flagged: bool
    revealed: bool


def standing(connection: sqlite3.Connection, bundle_id: BundleId, reviewer_id: ReviewerId | None) -> Standing:
    row = connection.execute(
        "SELECT done, judgement, flagged, revealed FROM review_now WHERE reviewer_id = ? AND bundle_id = ?",
        (reviewer_id, bundle_id),
    ).fetchone()
    done, text, flagged, revealed = row or (0, None, 0, 0)
    submitted = judgement_from_json(text) if done and text else None
    drafted = draft(connection, bundle_id, reviewer_id)
    if drafted is not None:
        status = ReviewStatus.DRAFT
    elif submitted is not None:
        status = ReviewStatus.DONE
    else:
        status = ReviewStatus.TO_DO
    return Standing(
        status=status,
        judgement=replace(drafted or submitted or Judgement(), flagged=bool(flagged)),
        submitted=submitted,
        flagged=bool(flagged),
        revealed=bool(revealed),
    )


def draft(connection: sqlite3.Connection, bundle_id: BundleId, reviewer_id: ReviewerId | None) -> Judgement | None:
    row = connection.execute(
        "SELECT judgement FROM review_draft WHERE reviewer_id = ? AND bundle_id = ?", (reviewer_id, bundle_id)
    ).fetchone()
    return None if row is None else judgement_from_json(row[0])


def save_draft(
    connection: sqlite3.Connection, bundle_id: BundleId, reviewer_id: ReviewerId, judgement: Judgement
) -> None:
    """Keep *judgement* as this reviewer's draft; one that says what stands already is no draft."""
    now_said = standing(connection, bundle_id, reviewer_id)
    said = replace(judgement, flagged=False)
    if said == replace(now_said.submitted or Judgement(), flagged=False):
        drop_draft(connection, bundle_id, reviewer_id)
        return
    connection.execute(
        "INSERT INTO review_draft (reviewer_id, bundle_id, judgement, saved_at) VALUES (?, ?, ?, ?)"
        " ON CONFLICT (reviewer_id, bundle_id) DO UPDATE SET judgement = excluded.judgement,"
        " saved_at = excluded.saved_at",
        (reviewer_id, bundle_id, judgement_to_json(said), now()),
    )


def drop_draft(connection: sqlite3.Connection, bundle_id: BundleId, reviewer_id: ReviewerId) -> None:
    connection.execute("DELETE FROM review_draft WHERE reviewer_id = ? AND bundle_id = ?", (reviewer_id, bundle_id))


def append(
    connection: sqlite3.Connection,
    bundle_id: BundleId,
    reviewer: Reviewer,
    action: ReviewAction,
    judgement: Judgement,
    *,
    reason: str = "",
) -> None:
    """Seal one more entry of *reviewer* and bring where they stand up to date."""
    last = connection.execute(
        "SELECT hash, at FROM review_entry WHERE reviewer_id = ? ORDER BY id DESC LIMIT 1", (reviewer.id,)
    ).fetchone()
    previous_hash, previous_at = last or ("", "")
    entry = SealedEntry(
        reviewer=reviewer.uuid,
        subject=key_of(connection, bundle_id).text(),
        action=action.value,
        judgement=judgement_to_json(judgement),
        reason=reason,
        at=as_text_not_before(previous_at),
        previous_hash=previous_hash,
    )
    store(connection, bundle_id, reviewer.id, replace(entry, hash=entry.seal()))


def store(connection: sqlite3.Connection, bundle_id: BundleId, reviewer_id: ReviewerId, entry: SealedEntry) -> None:
    """Put a sealed *entry* behind the reviewer's others; what it means for the bundle follows."""
    cursor = connection.execute(
        "INSERT INTO review_entry (bundle_id, reviewer_id, subject, action, judgement, reason, at, previous_hash, hash)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            bundle_id,
            reviewer_id,
            entry.subject,
            entry.action,
            entry.judgement,
            entry.reason,
            entry.at,
            entry.previous_hash,
            entry.hash,
        ),
    )
    _follow(connection, bundle_id, reviewer_id, cursor.lastrowid or 0, entry)


def _follow(
    connection: sqlite3.Connection, bundle_id: BundleId, reviewer_id: ReviewerId, entry_id: int, entry: SealedEntry
) -> None:
    said = judgement_from_json(entry.judgement)
    action = ReviewAction(entry.action)
    match action:
        case ReviewAction.SUBMIT:
            values = {
                "done": 1,
                "judgement": entry.judgement,
                "verdict": None if said.verdict is None else said.verdict.value,
                "severity": said.severity,
            }
        case ReviewAction.WITHDRAW:
            # A withdrawn later edit leaves what was submitted before it standing.
            standing_now = _submission_before(connection, bundle_id, reviewer_id, entry_id)
            values = standing_now or {"done": 0, "judgement": None, "verdict": None, "severity": None}
        case ReviewAction.FLAG:
            values = {"flagged": int(said.flagged)}
        case ReviewAction.REVEAL:
            values = {"revealed": 1}
        case ReviewAction.ADJUDICATE:
            _settle(connection, bundle_id, entry_id, said, entry.at)
            return
        case _:
            assert_never(action)
    values |= {"entry_id": entry_id, "at": entry.at}
    names = ", ".join(values)
    updates = ", ".join(f"{name} = excluded.{name}" for name in values)
    connection.execute(
        f"INSERT INTO review_now (reviewer_id, bundle_id, {names}) VALUES (?, ?, {', '.join('?' for _ in values)})"
        f" ON CONFLICT (reviewer_id, bundle_id) DO UPDATE SET {updates}",
        (reviewer_id, bundle_id, *values.values()),
    )


def _settle(connection: sqlite3.Connection, bundle_id: BundleId, entry_id: int, said: Judgement, at: str) -> None:
    """The newest adjudication holds, whichever machine it comes from; one without a verdict opens the case again."""
    newer = connection.execute("SELECT 1 FROM review_final WHERE bundle_id = ? AND at > ?", (bundle_id, at)).fetchone()
    if newer is not None:
        return
    connection.execute("DELETE FROM review_final WHERE bundle_id = ?", (bundle_id,))
    if said.verdict is not None:
        connection.execute(
            "INSERT INTO review_final (bundle_id, entry_id, verdict, severity, at) VALUES (?, ?, ?, ?, ?)",
            (bundle_id, entry_id, said.verdict.value, said.severity, at),
        )


def _submission_before(
    connection: sqlite3.Connection, bundle_id: BundleId, reviewer_id: ReviewerId, entry_id: int
) -> dict[str, Any] | None:
    """What stood before the submission that the entry *entry_id* withdraws."""
    rows = connection.execute(
        "SELECT action, judgement FROM review_entry WHERE bundle_id = ? AND reviewer_id = ? AND id < ?"
        " AND action IN ('submit', 'withdraw') ORDER BY id",
        (bundle_id, reviewer_id, entry_id),
    )
    stack: list[str] = []
    for action, judgement in rows:
        if action == ReviewAction.SUBMIT:
            stack.append(judgement)
        elif stack:
            stack.pop()
    if len(stack) < 2:
        return None
    said = judgement_from_json(stack[-2])
    return {
        "done": 1,
        "judgement": stack[-2],
        "verdict": None if said.verdict is None else said.verdict.value,
        "severity": said.severity,
    }


def final(connection: sqlite3.Connection, bundle_id: BundleId) -> Judgement:
    """What a disagreement was settled to; an empty form while it is open."""
    row = connection.execute(
        "SELECT e.judgement FROM review_final f JOIN review_entry e ON e.id = f.entry_id WHERE f.bundle_id = ?",
        (bundle_id,),
    ).fetchone()
    return Judgement() if row is None else judgement_from_json(row[0])


def history(connection: sqlite3.Connection, bundle_id: BundleId) -> list[ReviewEntry]:
    """Everything that anybody did with a bundle, oldest first."""
    rows = connection.execute(
        "SELECT e.bundle_id, e.reviewer_id, r.name, e.action, e.judgement, e.reason, e.at, e.hash FROM review_entry e"
        " JOIN reviewer r ON r.id = e.reviewer_id WHERE e.bundle_id = ? ORDER BY e.at, e.id",
        (bundle_id,),
    )
    return [
        ReviewEntry(
            bundle_id=BundleId(row[0]),
            reviewer_id=ReviewerId(row[1]),
            reviewer=row[2],
            action=ReviewAction(row[3]),
            judgement=judgement_from_json(row[4]),
            reason=row[5],
            at=as_moment(row[6]),
            hash=row[7],
        )
        for row in rows
    ]


def sealed(connection: sqlite3.Connection, reviewer: Reviewer) -> list[SealedEntry]:
    """All entries of *reviewer* as they were sealed, oldest first."""
    rows = connection.execute(
        "SELECT subject, action, judgement, reason, at, previous_hash, hash FROM review_entry"
        " WHERE reviewer_id = ? ORDER BY id",
        (reviewer.id,),
    )
    return [
        SealedEntry(
            reviewer=reviewer.uuid,
            subject=row[0],
            action=row[1],
            judgement=row[2],
            reason=row[3],
            at=row[4],
            previous_hash=row[5],
            hash=row[6],
        )
        for row in rows
    ]


_KEY = (
    "SELECT r.plan_hash || ' ' || r.created_at, m.provider || '/' || m.model, m.base_url, a.key, b.condition,"
    " b.dimension, b.family, b.paraphrase, b.extra FROM bundle b JOIN run r ON r.id = b.run_id"
    " JOIN model m ON m.id = b.model_id JOIN article a ON a.id = b.article_id WHERE b.id = ?"
)


def key_of(connection: sqlite3.Connection, bundle_id: BundleId) -> BundleKey:
    """The bundle's name in words that hold on other machines. Raises `UserError` where there is no such bundle."""
    row = connection.execute(_KEY, (bundle_id,)).fetchone()
    if row is None:
        raise UserError(tr("There is no bundle {number} in this audit.", number=bundle_id))
    return BundleKey(
        run=row[0],
        model=row[1],
        base_url=row[2],
        article=row[3],
        condition=row[4],
        dimension=row[5],
        family=row[6],
        paraphrase=row[7],
        extra=row[8],
    )


def bundle_called(connection: sqlite3.Connection, subject: str) -> BundleId | None:
    """The bundle that *subject* (the text of a `BundleKey`) names here, if this audit holds it."""
    key = BundleKey(**json.loads(subject))
    row = connection.execute(
        "SELECT b.id FROM bundle b JOIN run r ON r.id = b.run_id JOIN model m ON m.id = b.model_id"
        " JOIN article a ON a.id = b.article_id"
        " WHERE a.key = ? AND m.provider || '/' || m.model = ? AND m.base_url = ?"
        " AND r.plan_hash || ' ' || r.created_at = ? AND b.condition = ? AND b.dimension = ? AND b.family = ?"
        " AND b.paraphrase = ? AND b.extra = ?",
        (
            key.article,
            key.model,
            key.base_url,
            key.run,
            key.condition,
            key.dimension,
            key.family,
            key.paraphrase,
            key.extra,
        ),
    ).fetchone()
    return None if row is None else BundleId(row[0])


def tags(connection: sqlite3.Connection, limit: int = 200) -> Sequence[str]:
    """Tags in use, the most used first, to be offered while typing."""
    rows = connection.execute(
        "SELECT t.value, count(*) FROM review_now n, json_each(n.judgement, '$.tags') t WHERE n.judgement IS NOT NULL"
        " GROUP BY t.value ORDER BY count(*) DESC, t.value LIMIT ?",
        (limit,),
    )
    return [str(row[0]) for row in rows]

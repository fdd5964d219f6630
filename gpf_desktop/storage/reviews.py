"""Drafts, and the history that drafts become: sealed entries, one chain of hashes per reviewer.

review_draft   what is being written, saved as it is typed
review_entry   every submission, withdrawal, flag, reveal and adjudication, never changed
review_now     where each reviewer stands with each bundle: what the entries add up to
review_final   what a disagreement was settled to
"""

import sqlite3
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields, replace
from functools import partial
from typing import Any, assert_never

from gpf_desktop.domain.ids import BundleId, ReviewerId
from gpf_desktop.domain.reviews import (
    Judgement,
    ReviewAction,
    ReviewEntry,
    Reviewer,
    ReviewStatus,
    SealedEntry,
    judgement_from_json,
    judgement_to_json,
)
from gpf_desktop.domain.study_entries import StudyAction
from gpf_desktop.storage import bundle_keys, fit_groups, stored
from gpf_desktop.storage.rows import insert, records
from gpf_desktop.storage.times import as_moment, as_text_not_before, next_after, now


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewState:
    """The state of one reviewer's work on one bundle."""

    status: ReviewStatus
    judgement: Judgement
    """The draft where there is one, else what was submitted, else an empty form."""
    submitted: Judgement | None
    flagged: bool
    revealed: bool


def state(connection: sqlite3.Connection, bundle_id: BundleId, reviewer_id: ReviewerId | None) -> ReviewState:
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
    return ReviewState(
        status=status,
        judgement=replace(drafted or submitted or Judgement(), flagged=bool(flagged)),
        submitted=submitted,
        flagged=bool(flagged),
        revealed=bool(revealed),
    )


def begun(connection: sqlite3.Connection, reviewer_id: ReviewerId) -> int:
    """How many bundles this reviewer has said something of that is not submitted."""
    found: int = connection.execute(
        "SELECT count(*) FROM review_draft WHERE reviewer_id = ?", (reviewer_id,)
    ).fetchone()[0]
    return found


def draft(connection: sqlite3.Connection, bundle_id: BundleId, reviewer_id: ReviewerId | None) -> Judgement | None:
    row = connection.execute(
        "SELECT judgement FROM review_draft WHERE reviewer_id = ? AND bundle_id = ?", (reviewer_id, bundle_id)
    ).fetchone()
    return None if row is None else judgement_from_json(row[0])


def save_draft(
    connection: sqlite3.Connection, bundle_id: BundleId, reviewer_id: ReviewerId, judgement: Judgement
) -> None:
    """Keep *judgement* as this reviewer's draft; one that says what stands already is no draft."""
    now_said = state(connection, bundle_id, reviewer_id)
    # The flag is no part of a draft: it is an entry of its own, made at once.
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
    # By id, in the order of storing: a history that went on in two places ends in the entry that joins them, which is
    # stored behind both strands.
    last = connection.execute(
        "SELECT hash, at FROM review_entry WHERE reviewer_id = ? ORDER BY id DESC LIMIT 1", (reviewer.id,)
    ).fetchone()
    previous_hash, previous_at = last or ("", "")
    entry = SealedEntry(
        reviewer=reviewer.uuid,
        subject=bundle_keys.key_of(connection, bundle_id).text(),
        action=action.value,
        judgement=judgement_to_json(judgement),
        reason=reason,
        at=as_text_not_before(previous_at, *_said_before(connection, bundle_id)),
        previous_hash=previous_hash,
    )
    entry = replace(entry, hash=entry.seal())
    signer = reviewer.signer()
    if signer is not None:
        entry = replace(entry, key=signer.key, signature=signer.sign(entry.hash))
    store(connection, bundle_id, reviewer.id, entry)


def _said_before(connection: sqlite3.Connection, bundle_id: BundleId) -> tuple[str | None, str | None]:
    """The moments that a new entry about a bundle may not be earlier than: moments tell what holds, on whatever
    machine."""
    about, codes = connection.execute(
        "SELECT (SELECT max(at) FROM review_entry WHERE bundle_id = ?),"
        " (SELECT max(at) FROM study_entry WHERE action = ?)",
        (bundle_id, StudyAction.CODE.value),
    ).fetchone()
    return next_after(about), codes


def store(connection: sqlite3.Connection, bundle_id: BundleId, reviewer_id: ReviewerId, entry: SealedEntry) -> None:
    """Put a sealed *entry* behind the reviewer's others; what it means for the bundle follows."""
    _follow(connection, bundle_id, reviewer_id, _insert(connection, bundle_id, reviewer_id, entry), entry)


def merge(
    connection: sqlite3.Connection, reviewer_id: ReviewerId, entries: Sequence[tuple[BundleId, SealedEntry]]
) -> None:
    """Put *entries* from another machine behind the reviewer's others; of what both said, the later holds."""
    # All of them first: what stands follows from the whole history in the order of time, in which entries from
    # elsewhere may lie between those of this machine.
    for bundle_id, entry in entries:
        _insert(connection, bundle_id, reviewer_id, entry)
    for bundle_id in dict.fromkeys(bundle_id for bundle_id, _ in entries):
        connection.execute("DELETE FROM review_now WHERE reviewer_id = ? AND bundle_id = ?", (reviewer_id, bundle_id))
        for entry_id, entry in _about(connection, bundle_id, reviewer_id):
            _follow(connection, bundle_id, reviewer_id, entry_id, entry)


def _insert(connection: sqlite3.Connection, bundle_id: BundleId, reviewer_id: ReviewerId, entry: SealedEntry) -> int:
    said = asdict(entry)
    del said["reviewer"]
    return insert(
        connection, "review_entry", bundle_id=bundle_id, reviewer_id=reviewer_id, public_key=said.pop("key"), **said
    )


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
            standing_now = _submission_left(connection, bundle_id, reviewer_id, entry)
            values = standing_now or {"done": 0, "judgement": None, "verdict": None, "severity": None}
        case ReviewAction.FLAG:
            values = {"flagged": int(said.flagged)}
        case ReviewAction.REVEAL:
            values = {"revealed": 1}
        case ReviewAction.ADJUDICATE:
            _settle(connection, bundle_id)
            return
        case ReviewAction.CORRECT:
            fit_groups.to_score_again(connection, bundle_id)
            return
        case ReviewAction.RATE | ReviewAction.JOIN:
            return
        case _:
            assert_never(action)
    # Only the columns that the action speaks of: a flag leaves the verdict that stands, and the moment of that verdict,
    # by which a case that was settled is open again.
    spoken = values.keys() | ({"entry_id", "at"} if "verdict" in values else set())
    updates = ", ".join(f"{name} = excluded.{name}" for name in sorted(spoken))
    values |= {"entry_id": entry_id, "at": entry.at}
    names = ", ".join(values)
    connection.execute(
        f"INSERT INTO review_now (reviewer_id, bundle_id, {names}) VALUES (?, ?, {', '.join('?' for _ in values)})"
        f" ON CONFLICT (reviewer_id, bundle_id) DO UPDATE SET {updates}",
        (reviewer_id, bundle_id, *values.values()),
    )


def _settle(connection: sqlite3.Connection, bundle_id: BundleId) -> None:
    """The newest adjudication holds, whichever machine it comes from; one without a verdict opens the case again."""
    connection.execute("DELETE FROM review_final WHERE bundle_id = ?", (bundle_id,))
    entry_id, judgement, at = connection.execute(
        "SELECT id, judgement, at FROM review_entry WHERE bundle_id = ? AND action = ? ORDER BY at DESC, id DESC",
        (bundle_id, ReviewAction.ADJUDICATE.value),
    ).fetchone()
    said = judgement_from_json(judgement)
    if said.verdict is not None:
        connection.execute(
            "INSERT INTO review_final (bundle_id, entry_id, verdict, severity, at) VALUES (?, ?, ?, ?, ?)",
            (bundle_id, entry_id, said.verdict.value, said.severity, at),
        )


def _submission_left(
    connection: sqlite3.Connection, bundle_id: BundleId, reviewer_id: ReviewerId, withdrawal: SealedEntry
) -> dict[str, Any] | None:
    """The submission that stands once *withdrawal* has taken back the one that it repeats."""
    standing_then: list[str] = []
    for _, entry in _about(connection, bundle_id, reviewer_id):
        if entry.action == ReviewAction.SUBMIT:
            standing_then.append(entry.judgement)
        elif entry.action == ReviewAction.WITHDRAW and standing_then:
            repeats = [at for at, said in enumerate(standing_then) if said == entry.judgement]
            del standing_then[repeats[-1] if repeats else -1]
        # What came later in time is not taken back by it, though it may be stored already.
        if entry.hash == withdrawal.hash:
            break
    if not standing_then:
        return None
    said = judgement_from_json(standing_then[-1])
    return {
        "done": 1,
        "judgement": standing_then[-1],
        "verdict": None if said.verdict is None else said.verdict.value,
        "severity": said.severity,
    }


def final(connection: sqlite3.Connection, bundle_id: BundleId) -> Judgement:
    """The judgement that a disagreement was settled to; an empty form while it is open."""
    row = connection.execute(
        "SELECT e.judgement FROM review_final f JOIN review_entry e ON e.id = f.entry_id WHERE f.bundle_id = ?",
        (bundle_id,),
    ).fetchone()
    return Judgement() if row is None else judgement_from_json(row[0])


def history(connection: sqlite3.Connection, bundle_id: BundleId) -> list[ReviewEntry]:
    """Everything that anybody did with a bundle, oldest first."""
    rows = connection.execute(
        "SELECT e.bundle_id, e.reviewer_id, r.name AS reviewer, e.action, e.judgement, e.reason, e.at, e.hash"
        " FROM review_entry e JOIN reviewer r ON r.id = e.reviewer_id WHERE e.bundle_id = ? ORDER BY e.at, e.id",
        (bundle_id,),
    )
    return records(
        ReviewEntry, rows, action=partial(stored.word, ReviewAction), judgement=judgement_from_json, at=as_moment
    )


def sealed(connection: sqlite3.Connection, reviewer: Reviewer) -> list[SealedEntry]:
    """All entries of *reviewer* as they were sealed, oldest first."""
    return [entry for _, entry in _sealed(connection, "e.reviewer_id = ? ORDER BY e.id", reviewer.id)]


def _about(
    connection: sqlite3.Connection, bundle_id: BundleId, reviewer_id: ReviewerId
) -> list[tuple[int, SealedEntry]]:
    """A reviewer's entries about one bundle with their ids, in the order in which they were made, on any machine."""
    return _sealed(connection, "e.bundle_id = ? AND e.reviewer_id = ? ORDER BY e.at, e.id", bundle_id, reviewer_id)


def _sealed(connection: sqlite3.Connection, where: str, *values: int) -> list[tuple[int, SealedEntry]]:
    rows = connection.execute(
        "SELECT e.id, r.uuid, e.subject, e.action, e.judgement, e.reason, e.at, e.previous_hash, e.hash,"
        f" e.public_key, e.signature FROM review_entry e JOIN reviewer r ON r.id = e.reviewer_id WHERE {where}",
        values,
    )
    names = [field.name for field in fields(SealedEntry)]
    return [(number, SealedEntry(**dict(zip(names, words, strict=True)))) for number, *words in rows]


def tags(connection: sqlite3.Connection, limit: int = 200) -> Sequence[str]:
    """Tags in use, the most used first, to be offered while typing."""
    rows = connection.execute(
        "SELECT t.value, count(*) FROM review_now n, json_each(n.judgement, '$.tags') t WHERE n.judgement IS NOT NULL"
        " GROUP BY t.value ORDER BY count(*) DESC, t.value LIMIT ?",
        (limit,),
    )
    return [str(row[0]) for row in rows]

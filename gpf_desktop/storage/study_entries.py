"""The code book and memos: sealed entries about the study, one chain of hashes for each reviewer.

study_entry     every code and memo as it came to be, never changed; by the reviewer's uuid, so that an assignment can
                hold the lead's codes without naming anybody
reviewer_group  what reviewers say that they belong to: no history, so that it can be taken back without a trace
"""

import json
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, fields, replace

from gpf_desktop.domain.codes import Code, CodeBook, book_of, code_from_json, code_to_json
from gpf_desktop.domain.reviews import Reviewer, SealedEntry
from gpf_desktop.domain.study_entries import Memo, StudyAction, latest, memo_from_json, memo_to_json
from gpf_desktop.storage import stored
from gpf_desktop.storage.rows import insert
from gpf_desktop.storage.times import as_moment, as_text_not_before, next_after


@dataclass(frozen=True, slots=True, kw_only=True)
class CodeChange:
    """One entry about a code."""

    code: Code
    reviewer: str
    """Their uuid."""
    name: str
    """What they are called; empty where this file does not say."""
    at: str


def keep_code(connection: sqlite3.Connection, reviewer: Reviewer, code: Code) -> None:
    """Store *code* as it is from now on."""
    _append(connection, reviewer, StudyAction.CODE, code.id, code_to_json(code))


def keep_memo(connection: sqlite3.Connection, reviewer: Reviewer, subject: str, text: str) -> None:
    """*reviewer*'s memo on *subject* is from now on *text*; what it says already is said once."""
    if text != own_memo(connection, reviewer.uuid, subject):
        _append(connection, reviewer, StudyAction.MEMO, subject, memo_to_json(text))


def code_book(connection: sqlite3.Connection) -> CodeBook:
    return book_of(each.code for each in code_changes(connection))


def code_changes(connection: sqlite3.Connection) -> list[CodeChange]:
    """Everything that became of the book, in the order of time on whatever machine."""
    found = []
    for content, reviewer, name, at in _of(connection, StudyAction.CODE):
        with stored.reading("study_entry.content"):
            code = code_from_json(content)
        found.append(CodeChange(code=code, reviewer=reviewer, name=name, at=at))
    return found


def memos(connection: sqlite3.Connection) -> tuple[Memo, ...]:
    """Everybody's memos as they are now, on items and on the study."""
    rows = connection.execute(
        "SELECT e.subject, e.content, e.reviewer, coalesce(w.name, ''), e.at FROM study_entry e"
        " LEFT JOIN reviewer w ON w.uuid = e.reviewer WHERE e.action = ? ORDER BY e.at, e.id",
        (StudyAction.MEMO.value,),
    )
    found = []
    for subject, content, reviewer, name, at in rows:
        with stored.reading("study_entry.content"):
            text = memo_from_json(content)
        found.append(Memo(reviewer=reviewer, name=name, subject=subject, text=text, at=as_moment(at)))
    return latest(found)


def titled(connection: sqlite3.Connection, subjects: Iterable[str]) -> dict[str, str]:
    """The title of each item among *subjects*, by its key, as it was asked about last."""
    rows = connection.execute(
        "SELECT i.key, t.title FROM item i JOIN batch_item t ON t.item_id = i.id"
        " WHERE i.key IN (SELECT value FROM json_each(?)) ORDER BY t.batch_id",
        (json.dumps(sorted(subjects)),),
    )
    return dict(rows.fetchall())


def own_memo(connection: sqlite3.Connection, reviewer: str, subject: str) -> str:
    """The memo of the reviewer of this uuid on *subject* now; empty: none."""
    return next((m.text for m in memos(connection) if (m.reviewer, m.subject) == (reviewer, subject)), "")


def _of(connection: sqlite3.Connection, action: StudyAction) -> sqlite3.Cursor:
    return connection.execute(
        "SELECT e.content, e.reviewer, coalesce(w.name, ''), e.at FROM study_entry e"
        " LEFT JOIN reviewer w ON w.uuid = e.reviewer WHERE e.action = ? ORDER BY e.at, e.id",
        (action.value,),
    )


def _append(
    connection: sqlite3.Connection, reviewer: Reviewer, action: StudyAction, subject: str, content: str
) -> None:
    # By id, in the order of storing, as in `reviews.append`.
    last = connection.execute(
        "SELECT hash, at FROM study_entry WHERE reviewer = ? ORDER BY id DESC LIMIT 1", (reviewer.uuid,)
    ).fetchone()
    previous_hash, previous_at = last or ("", "")
    entry = SealedEntry(
        reviewer=reviewer.uuid,
        subject=subject,
        action=action.value,
        judgement=content,
        reason="",
        at=as_text_not_before(previous_at, *_said_before(connection, action, subject)),
        previous_hash=previous_hash,
    )
    entry = replace(entry, hash=entry.seal())
    signer = reviewer.signer()
    if signer is not None:
        entry = replace(entry, key=signer.key, signature=signer.sign(entry.hash))
    store(connection, entry)


def _said_before(connection: sqlite3.Connection, action: StudyAction, subject: str) -> tuple[str | None, ...]:
    """The moments that a new entry must be later than: those of all entries on its subject; for a code those of all
    readings too, which are from before it was in the book."""
    about = "SELECT max(at) FROM study_entry WHERE action = ? AND subject = ?"
    last = [connection.execute(about, (action.value, subject)).fetchone()[0]]
    if action is StudyAction.CODE:
        last += connection.execute("SELECT max(at) FROM review_entry").fetchone()
    return tuple(map(next_after, last))


def store(connection: sqlite3.Connection, entry: SealedEntry) -> None:
    """Put a sealed *entry* behind its reviewer's others."""
    insert(
        connection,
        "study_entry",
        reviewer=entry.reviewer,
        subject=entry.subject,
        action=entry.action,
        content=entry.judgement,
        at=entry.at,
        previous_hash=entry.previous_hash,
        hash=entry.hash,
        public_key=entry.key,
        signature=entry.signature,
    )


def sealed(connection: sqlite3.Connection, reviewer: str) -> list[SealedEntry]:
    """All entries of the reviewer of this uuid as they were sealed, in the order of storing."""
    rows = connection.execute(
        "SELECT reviewer, subject, action, content, '', at, previous_hash, hash, public_key, signature"
        " FROM study_entry WHERE reviewer = ? ORDER BY id",
        (reviewer,),
    )
    names = [field.name for field in fields(SealedEntry)]
    return [SealedEntry(**dict(zip(names, row, strict=True))) for row in rows]


def authors(connection: sqlite3.Connection) -> list[str]:
    """The uuids of those who have a history here."""
    return [uuid for (uuid,) in connection.execute("SELECT DISTINCT reviewer FROM study_entry ORDER BY reviewer")]


def set_groups(connection: sqlite3.Connection, reviewer: str, groups: Sequence[str]) -> None:
    """The reviewer of this uuid belongs to *groups*, by their own word; empty: they do not say."""
    connection.execute("DELETE FROM reviewer_group WHERE reviewer = ?", (reviewer,))
    for name in dict.fromkeys(groups):
        insert(connection, "reviewer_group", reviewer=reviewer, name=name)


def groups(connection: sqlite3.Connection) -> dict[str, tuple[str, ...]]:
    """The groups that reviewers say they belong to, by their uuid."""
    found: dict[str, tuple[str, ...]] = {}
    for reviewer, name in connection.execute("SELECT reviewer, name FROM reviewer_group ORDER BY reviewer, name"):
        found[reviewer] = (*found.get(reviewer, ()), name)
    return found

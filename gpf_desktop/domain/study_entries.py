"""Entries about the study rather than about one bundle: codes of the code book, and memos. Appended, never changed.

Each reviewer has one history of these, sealed and signed as their readings are (`domain.reviews.SealedEntry`), beside
the history of their readings.
"""

import json
from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import Final

from gpf_desktop.domain.codes import code_from_json
from gpf_desktop.domain.reviews import SealedEntry, canonical

NOTHING: Final = "{}"
"""What a join says."""
STUDY: Final = ""
"""The subject of a memo on the study as a whole; any other subject is an item's key."""
LONGEST_MEMO: Final = 100_000


class StudyAction(StrEnum):
    """The kind of an entry."""

    CODE = "code"
    """A code is from now on as the content says; its subject is the code's id."""
    MEMO = "memo"
    """The author's memo on the subject is from now on this text; empty: it is gone."""
    JOIN = "join"
    """The history was continued in two places; from here on it is one again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Memo:
    """One reviewer's note on an item or on the study."""

    reviewer: str
    """Their uuid."""
    name: str
    """What they are called; empty in an assignment, where nobody else is named."""
    subject: str
    text: str
    at: datetime


def memo_to_json(text: str) -> str:
    """The memo's text as JSON, as it is sealed."""
    return canonical({"text": text})


def memo_from_json(text: str) -> str:
    """Raises `ValueError`, `KeyError` or `TypeError` where *text* is none of ours."""
    said = json.loads(text)["text"]
    if not isinstance(said, str):
        raise TypeError("no memo")
    return said


def check_content(action: str, content: str) -> None:
    """Raises `ValueError`, `KeyError` or `TypeError` where an entry of *action* cannot have this *content*."""
    match StudyAction(action):
        case StudyAction.CODE:
            code_from_json(content)
        case StudyAction.MEMO:
            memo_from_json(content)
        case StudyAction.JOIN:
            if content != NOTHING:
                raise ValueError("a join says nothing")


def latest(memos: Iterable[Memo]) -> tuple[Memo, ...]:
    """The newest memo of each author on each subject, of *memos* with the oldest first; without those that were
    emptied."""
    found: dict[tuple[str, str], Memo] = {}
    for each in memos:
        found.pop((each.reviewer, each.subject), None)
        found[each.reviewer, each.subject] = each
    return tuple(each for each in found.values() if each.text)


def join_study(ends: tuple[SealedEntry, SealedEntry]) -> SealedEntry:
    """The entry that makes two continuations of one reviewer's history one; the same wherever they are joined."""
    first, last = sorted(ends, key=lambda entry: (entry.at, entry.hash))
    entry = SealedEntry(
        reviewer=last.reviewer,
        subject=last.subject,
        action=StudyAction.JOIN.value,
        judgement=NOTHING,
        reason="",
        # As in `reviews.join`: not the moment of joining.
        at=last.at,
        previous_hash=f"{first.hash} {last.hash}",
    )
    return replace(entry, hash=entry.seal())

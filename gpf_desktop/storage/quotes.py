"""Passages that people marked in answers, with the words, and all that they can be looked for by."""

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from gpf_desktop.domain.coordinates import Coordinates
from gpf_desktop.domain.ids import BundleId, ReviewerId
from gpf_desktop.domain.reviews import Judgement, judgement_from_json
from gpf_desktop.storage import stored
from gpf_desktop.storage.archived_texts import TEXT

_AT_ONCE: Final = 500
"""Cells read together; SQLite takes no more than 999 values in older builds."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkedQuote:
    """One passage as one reviewer marked it."""

    bundle_id: BundleId
    cell_id: int
    start: int
    end: int
    words: str
    """The passage as it stands in the answer; empty where the answer is withheld or not here."""
    comment: str
    codes: tuple[str, ...]
    """Ids as they were given; the code book says which codes stand for them today."""
    reviewer_id: ReviewerId
    reviewer: str
    verdict: str | None
    """What this reviewer says of the whole set."""
    severity: int | None
    tags: tuple[str, ...]
    draft: bool
    """Not submitted: only who marked it sees it."""
    method: str
    model: str
    item: str
    """The title of the item that the answer is about."""
    fixed: Coordinates
    """Levels that the set holds fixed."""
    varying: Coordinates
    """The levels by which this answer differs from the others of its set."""


@dataclass(frozen=True, slots=True, kw_only=True)
class QuotedAnswer:
    """One answer with its model, item and coordinates."""

    text: str
    method: str
    model: str
    item: str
    item_key: str
    """The item's name on every machine."""
    fixed: Coordinates
    varying: Coordinates


def quotes(
    connection: sqlite3.Connection, me: ReviewerId | None = None, *, mine_only: bool = False
) -> list[MarkedQuote]:
    """Every passage of what was submitted, and of the drafts of *me*; by bundle, reviewer and place.

    A draft stands instead of what its author submitted before. *mine_only*: nothing of anybody but *me*.
    """
    said = _said(connection, me, mine_only=mine_only)
    cells = {each.cell_id for _, _, _, judgement, _ in said for each in judgement.passages}
    answers = _answers(connection, sorted(cells))
    found = []
    for bundle_id, reviewer_id, reviewer, judgement, draft in said:
        for passage in sorted(judgement.passages, key=lambda each: (each.cell_id, each.start, each.end)):
            answer = answers.get(passage.cell_id)
            if answer is None:
                continue
            found.append(
                MarkedQuote(
                    bundle_id=bundle_id,
                    cell_id=passage.cell_id,
                    start=passage.start,
                    end=passage.end,
                    words=answer.text[passage.start : passage.end],
                    comment=passage.comment,
                    codes=passage.codes,
                    reviewer_id=reviewer_id,
                    reviewer=reviewer,
                    verdict=None if judgement.verdict is None else judgement.verdict.value,
                    severity=judgement.severity,
                    tags=judgement.tags,
                    draft=draft,
                    method=answer.method,
                    model=answer.model,
                    item=answer.item,
                    fixed=answer.fixed,
                    varying=answer.varying,
                )
            )
    return found


_Reading = tuple[BundleId, ReviewerId, str, Judgement, bool]


def _said(connection: sqlite3.Connection, me: ReviewerId | None, *, mine_only: bool) -> list[_Reading]:
    # As a text, which is looked at for any passage: most readings have none, and parsing them all would take seconds.
    none = '%"passages":[]%'
    rows = connection.execute(
        "SELECT n.bundle_id, n.reviewer_id, w.name, n.judgement, 0 AS draft FROM review_now n"
        " JOIN reviewer w ON w.id = n.reviewer_id"
        " WHERE n.done AND n.judgement IS NOT NULL AND n.judgement NOT LIKE :none"
        " AND (NOT :mine OR n.reviewer_id = :me) AND NOT EXISTS (SELECT 1 FROM review_draft d"
        " WHERE d.reviewer_id = n.reviewer_id AND d.bundle_id = n.bundle_id AND d.reviewer_id = :me)"
        " UNION ALL SELECT d.bundle_id, d.reviewer_id, w.name, d.judgement, 1 FROM review_draft d"
        " JOIN reviewer w ON w.id = d.reviewer_id WHERE d.reviewer_id = :me AND d.judgement NOT LIKE :none"
        # By name, for numbers of reviewers are of this file alone: an export that is opened again has others.
        " ORDER BY 1, 3, 2",
        {"me": me, "mine": mine_only, "none": none},
    ).fetchall()
    found: list[_Reading] = []
    for bundle_id, reviewer_id, name, text, draft in rows:
        with stored.reading("judgement"):
            found.append((bundle_id, reviewer_id, name, judgement_from_json(text), bool(draft)))
    return found


def answers_of(connection: sqlite3.Connection, bundle_ids: Sequence[BundleId]) -> dict[int, QuotedAnswer]:
    """Every answer of these sets that has words, by cell, in the order of sets and cells."""
    return {
        cell: answer
        for bundle in bundle_ids
        for cell, answer in _read(connection, "c.bundle_id = ?", [int(bundle)]).items()
        if answer.text
    }


def _answers(connection: sqlite3.Connection, cells: Sequence[int]) -> dict[int, QuotedAnswer]:
    found: dict[int, QuotedAnswer] = {}
    for at in range(0, len(cells), _AT_ONCE):
        some = cells[at : at + _AT_ONCE]
        found |= _read(connection, f"c.id IN ({', '.join('?' for _ in some)})", some)
    return found


def _read(connection: sqlite3.Connection, where: str, values: Sequence[int]) -> dict[int, QuotedAnswer]:
    found: dict[int, QuotedAnswer] = {}
    rows = connection.execute(
        f"SELECT c.id, coalesce({TEXT}, ''), r.method, m.label, coalesce(t.title, ''), coalesce(i.key, ''), x.text,"
        " y.text FROM cell c"
        " JOIN bundle b ON b.id = c.bundle_id JOIN run r ON r.id = c.run_id JOIN model m ON m.id = c.model_id"
        " JOIN coordinate_set x ON x.id = b.coordinates_id JOIN coordinate_set y ON y.id = c.coordinates_id"
        " LEFT JOIN response p ON p.cell_id = c.id LEFT JOIN item i ON i.id = c.item_id"
        " LEFT JOIN batch_item t ON t.batch_id = r.batch_id AND t.item_id = c.item_id"
        f" WHERE {where} ORDER BY c.id",
        values,
    )
    for cell, text, method, model, item, key, fixed, varying in rows:
        found[cell] = QuotedAnswer(
            text=text,
            method=method,
            model=model,
            item=item,
            item_key=key,
            fixed=stored.coordinates(fixed),
            varying=stored.coordinates(varying),
        )
    return found

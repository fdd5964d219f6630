"""Full-text search over answers, items and what reviewers wrote; answers come from an index that is filled in chunks.

answer_index   FTS5 over `response.text`, which it does not hold a second time
search_due     answers that it does not know yet; triggers keep the list
search_gone    texts that it still holds although they changed or went; triggers keep the list
"""

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass

from gpf_desktop.domain.ids import BundleId, CellId, ReviewerId
from gpf_desktop.storage.archived_texts import TEXT

CHUNK = 100
"""Answers that are indexed in one transaction: some 20 ms of the writer's time."""
MOST = 5000
"""Answers, and bundles of items, that a search looks at: who finds more needs more words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerHit:
    """An answer that has the words."""

    cell_id: CellId
    bundle_id: BundleId


def index_some(connection: sqlite3.Connection, most: int = CHUNK) -> int:
    """Take up to *most* texts that are gone out of the index, and put as many answers into it; how many it were."""
    gone = connection.execute("SELECT cell_id, text FROM search_gone LIMIT ?", (most,)).fetchall()
    # Before anything is put in: an answer that was given anew is in both lists under one number. FTS5 keeps no texts
    # here and takes a row out only by the very words that it was indexed with.
    connection.executemany("INSERT INTO answer_index (answer_index, rowid, text) VALUES ('delete', ?, ?)", gone)
    connection.executemany("DELETE FROM search_gone WHERE cell_id = ?", [(cell,) for cell, _ in gone])
    # More may wait, and one that is due may be among them: its former words would be taken out after it was put in.
    if len(gone) == most:
        return most
    due = [row[0] for row in connection.execute("SELECT cell_id FROM search_due LIMIT ?", (most,))]
    connection.executemany(
        f"INSERT INTO answer_index (rowid, text) SELECT p.cell_id, {TEXT} FROM response p WHERE p.cell_id = ?",
        [(cell,) for cell in due],
    )
    connection.executemany("DELETE FROM search_due WHERE cell_id = ?", [(cell,) for cell in due])
    return len(gone) + len(due)


def waiting(connection: sqlite3.Connection) -> int:
    """Answers that the index does not know yet."""
    return int(connection.execute("SELECT count(*) FROM search_due").fetchone()[0])


def behind(connection: sqlite3.Connection) -> bool:
    """Whether there is anything for `index_some` to do."""
    sql = "SELECT EXISTS (SELECT 1 FROM search_due) OR EXISTS (SELECT 1 FROM search_gone)"
    return bool(connection.execute(sql).fetchone()[0])


def answers(connection: sqlite3.Connection, words: Sequence[str], *, begun: bool, limit: int = MOST) -> list[AnswerHit]:
    """Answers with *words* one after the other, in no order; *begun*: the last may be the beginning of a longer one."""
    found = _answers(connection, _phrase(words), limit)
    if begun and len(found) < limit:
        # Only now: the lists of all words that begin so are merged before the first hit (0.6 s of two common words).
        return _answers(connection, f"{_phrase(words)}*", limit)
    return found


def _answers(connection: sqlite3.Connection, sought: str, limit: int) -> list[AnswerHit]:
    rows = connection.execute(
        # CROSS JOIN keeps the order, from the hits to their cells. What is in `search_gone` the index still finds by
        # words that the answer no longer has.
        "SELECT i.rowid, c.bundle_id FROM answer_index i CROSS JOIN cell c ON c.id = i.rowid"
        " WHERE answer_index MATCH ? AND NOT EXISTS (SELECT 1 FROM search_gone g WHERE g.cell_id = i.rowid) LIMIT ?",
        (sought, limit),
    )
    return [AnswerHit(cell_id=CellId(row[0]), bundle_id=BundleId(row[1])) for row in rows]


def texts(connection: sqlite3.Connection, cells: Sequence[CellId]) -> dict[CellId, str]:
    found: dict[CellId, str] = {}
    for cell in cells:
        row = connection.execute(f"SELECT {TEXT} FROM response p WHERE p.cell_id = ?", (cell,)).fetchone()
        if row is not None:
            found[cell] = row[0]
    return found


def items(connection: sqlite3.Connection, words: Sequence[str], limit: int = MOST) -> list[BundleId]:
    """Bundles about an item whose title or text has *words*, as they are typed."""
    rows = connection.execute(
        "SELECT b.id FROM bundle b WHERE b.item_id IN (SELECT id FROM item WHERE title LIKE :sought ESCAPE '\\'"
        " OR text LIKE :sought ESCAPE '\\') LIMIT :limit",
        {"sought": _anywhere(words), "limit": limit},
    )
    return [BundleId(row[0]) for row in rows]


def reviews(
    connection: sqlite3.Connection, words: Sequence[str], only: ReviewerId | None = None, *, own: bool = False
) -> list[BundleId]:
    """Bundles of which a reviewer's note, tag or comment, a draft's too, has *words*; *own*: of reviewer *only*."""
    sql = (
        "SELECT DISTINCT bundle_id FROM (SELECT bundle_id, reviewer_id, judgement FROM review_now"
        " WHERE judgement IS NOT NULL UNION ALL SELECT bundle_id, reviewer_id, judgement FROM review_draft"
        " UNION ALL SELECT f.bundle_id, e.reviewer_id, e.judgement FROM review_final f"
        " JOIN review_entry e ON e.id = f.entry_id) WHERE (:every OR reviewer_id = :only) AND ("
        " json_extract(judgement, '$.note') LIKE :sought ESCAPE '\\'"
        " OR EXISTS (SELECT 1 FROM json_each(judgement, '$.tags') t WHERE t.value LIKE :sought ESCAPE '\\')"
        " OR EXISTS (SELECT 1 FROM json_each(judgement, '$.passages') p"
        " WHERE json_extract(p.value, '$.comment') LIKE :sought ESCAPE '\\'))"
    )
    rows = connection.execute(sql, {"every": not own, "only": only, "sought": _anywhere(words)})
    return [BundleId(row[0]) for row in rows]


def _phrase(words: Sequence[str]) -> str:
    # In quotes, so that FTS5 reads AND, NEAR, * or a colon that somebody typed as text, and the words as one phrase.
    quoted = " ".join(words).replace('"', '""')
    return f'"{quoted}"'


def _anywhere(words: Sequence[str]) -> str:
    said = " ".join(words).replace("\\", "\\\\").replace("%", "\\%").replace("_", "\\_")
    return f"%{said}%"

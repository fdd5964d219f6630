"""The review queue: ids of scored bundles in order, what each reviewer made of them, and rows by page.

The order is read once, as ids alone (100,000 of them are some 0.2 s and 4 MB); rows are then read by id as they come
into view, never the whole table.
"""

import sqlite3
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from gpf_desktop.domain.cells import cell_seed
from gpf_desktop.domain.ids import BundleId, ReviewerId
from gpf_desktop.domain.review_queue import (
    Queue,
    QueueFilter,
    QueueOrder,
    QueuePlace,
    QueueRow,
    QueueTab,
)
from gpf_desktop.domain.reviews import ReviewStatus, Verdict
from gpf_desktop.domain.scores import VALID, Measure, UnitKind
from gpf_desktop.storage import assignments, scores, stored, study_entries
from gpf_desktop.storage.bundles import SYNTHETIC
from gpf_desktop.storage.counted_verdicts import CountedVerdict, counted_verdicts, disagreements

LEAKAGE, REFUSAL = "leakage", "refusal"


def queue(
    connection: sqlite3.Connection,
    setting_id: int | None,
    reviewer_id: ReviewerId | None,
    wanted: QueueFilter,
    order: QueueOrder,
) -> Queue:
    """All tabs under *wanted*, each in *order*."""
    ids = _ordered(connection, setting_id, wanted, order)
    refused = _partly_refused(connection) if order.refusals_first else set()
    front = [i for i in ids if i in refused]
    if front:
        ids = front + [i for i in ids if i not in refused]
    drafts, done, flagged = _begun(connection, reviewer_id)
    unlike = disagreements(connection)
    disagree = unlike.verdicts | unlike.severities
    begun = drafts | done
    scored = connection.execute(
        "SELECT EXISTS (SELECT 1 FROM score WHERE setting_id = ? AND unit_kind = ?)", (setting_id, UnitKind.BUNDLE)
    ).fetchone()[0]
    reviewers = connection.execute("SELECT count(DISTINCT reviewer_id) FROM review_now WHERE done").fetchone()[0]
    return Queue(
        tabs={
            QueueTab.TO_DO: [i for i in ids if i not in begun],
            QueueTab.DRAFT: [i for i in ids if i in drafts],
            QueueTab.DONE: [i for i in ids if i in done],
            QueueTab.DISAGREE: [i for i in ids if i in disagree],
            QueueTab.FLAGGED: [i for i in ids if i in flagged],
        },
        order=ids,
        refused=len(front),
        scored=int(scored),
        reviewers=int(reviewers),
    )


def places(
    connection: sqlite3.Connection, reviewer_id: ReviewerId | None, bundle_ids: Sequence[BundleId]
) -> dict[BundleId, QueuePlace]:
    """The tabs of this reviewer's queue that each of *bundle_ids* belongs to."""
    drafts, done, flagged = _begun(connection, reviewer_id)
    status = {**dict.fromkeys(done, ReviewStatus.DONE), **dict.fromkeys(drafts, ReviewStatus.DRAFT)}
    return {
        bundle: QueuePlace(status=status.get(bundle, ReviewStatus.TO_DO), flagged=bundle in flagged)
        for bundle in bundle_ids
    }


def _begun(
    connection: sqlite3.Connection, reviewer_id: ReviewerId | None
) -> tuple[set[BundleId], set[BundleId], set[BundleId]]:
    """Drafts, what is submitted and nothing else, what is flagged."""
    drafts = _ids(connection, "SELECT bundle_id FROM review_draft WHERE reviewer_id = ?", reviewer_id)
    done = _ids(connection, "SELECT bundle_id FROM review_now WHERE reviewer_id = ? AND done", reviewer_id)
    flagged = _ids(connection, "SELECT bundle_id FROM review_now WHERE reviewer_id = ? AND flagged", reviewer_id)
    return drafts, done - drafts, flagged


def ranked(connection: sqlite3.Connection, setting_id: int | None, wanted: QueueFilter, score: str) -> list[BundleId]:
    """Bundles under *wanted* that have *score*, in its order."""
    where, values = _where(wanted, setting_id)
    matching = {row[0] for row in connection.execute(f"SELECT b.id FROM bundle b {where}", values)}
    if wanted.bundle_ids is not None:
        matching.intersection_update(wanted.bundle_ids)
    return [bundle for bundle in _by_score(connection, setting_id, score) if bundle in matching]


def _ordered(
    connection: sqlite3.Connection, setting_id: int | None, wanted: QueueFilter, order: QueueOrder
) -> list[BundleId]:
    where, values = _where(wanted, setting_id)
    matching = {row[0] for row in connection.execute(f"SELECT b.id FROM bundle b {where}", values)}
    main = main_score(connection, setting_id)
    if not main and assignments.assignment(connection) is not None:
        # Scores stay at home: an order that says nothing.
        if wanted.bundle_ids is None:
            matching -= assignments.beside(connection)
        else:
            matching.intersection_update(wanted.bundle_ids)
        return sorted(matching, key=lambda i: cell_seed(order.seed or 0, i))
    ids = [i for i in _by_score(connection, setting_id, order.score or main) if i in matching]
    missing = (_without(connection, setting_id, order.score or main) & matching).difference(ids)
    if missing:
        # Where the chosen score is unavailable, as noise is without repeats, the main one decides.
        known = [i for i in _by_score(connection, setting_id, main) if i in missing]
        ids += known
        ids += sorted(missing.difference(known))
    if wanted.bundle_ids is not None:
        chosen = set(wanted.bundle_ids)
        ids = [i for i in ids if i in chosen]
    if order.seed is not None:
        seed = order.seed
        # A number of each bundle's own and no shuffle: whatever else is filtered in or out, any two keep their order.
        ids.sort(key=lambda i: cell_seed(seed, i))
    return ids


def main_score(connection: sqlite3.Connection, setting_id: int | None) -> str:
    """The measure that a queue goes by where none is chosen; empty while nothing is scored."""
    return next((each.name for each in scores.offered(connection, setting_id)), "")


def _by_score(connection: sqlite3.Connection, setting_id: int | None, score: str) -> list[BundleId]:
    """Bundles with a value, in the measure's order."""
    setting = scores.setting_of(connection, setting_id, score)
    if setting is None:
        return []
    measure = next((each for each in setting.measures if each.name == score), None)
    if measure is not None and measure.categories:
        return _by_category(connection, setting.id, measure)
    if measure is not None and measure.lowest_first:
        return _by_lowest(connection, setting.id, measure)
    # Read off the index, without a sort or a join.
    rows = connection.execute(
        "SELECT unit_id FROM score INDEXED BY score_highest WHERE setting_id = ? AND unit_kind = ? AND name = ?"
        " AND value IS NOT NULL ORDER BY value DESC, unit_id",
        (setting.id, UnitKind.BUNDLE, score),
    )
    return [row[0] for row in rows]


def _by_lowest(connection: sqlite3.Connection, setting_id: int, measure: Measure) -> list[BundleId]:
    """The lowest first; of equals, the lowest of the measure that decides among them."""
    rows = connection.execute(
        "SELECT s.unit_id FROM score s LEFT JOIN score p ON p.setting_id = s.setting_id AND p.unit_kind = s.unit_kind"
        " AND p.unit_id = s.unit_id AND p.name = ? WHERE s.setting_id = ? AND s.unit_kind = ? AND s.name = ?"
        " AND s.value IS NOT NULL ORDER BY s.value, p.value, s.unit_id",
        (measure.then or measure.name, setting_id, UnitKind.BUNDLE, measure.name),
    )
    return [row[0] for row in rows]


def _by_category(connection: sqlite3.Connection, setting_id: int, measure: Measure) -> list[BundleId]:
    """The bundles in the order of the measure's categories."""
    found = connection.execute(
        "SELECT category, unit_id FROM score WHERE setting_id = ? AND unit_kind = ? AND name = ?"
        " AND category IS NOT NULL ORDER BY unit_id",
        (setting_id, UnitKind.BUNDLE, measure.name),
    ).fetchall()
    place = {category: number for number, category in enumerate(measure.categories)}
    found.sort(key=lambda row: place.get(row[0], len(place)))
    return [row[1] for row in found]


def _without(connection: sqlite3.Connection, setting_id: int | None, score: str) -> set[BundleId]:
    """Bundles that were given to the primary setting's scorer and have no *score*, perhaps among others."""
    kept = scores.setting_of(connection, setting_id, score)
    own = kept is not None and kept.id == setting_id
    # A setting has a row for each of its own measures, the unavailable ones too. Of a measure that
    # another setting keeps a bundle may have no row at all: then all that were assessed are taken, and
    # `_ordered` takes out those with a value.
    index, name, empty = (
        ("score_unavailable", score, "unavailable IS NOT") if own else ("score_highest", VALID, "value IS NOT")
    )
    rows = connection.execute(
        f"SELECT unit_id FROM score INDEXED BY {index} WHERE setting_id = ? AND unit_kind = ? AND name = ?"
        f" AND {empty} NULL",
        (setting_id, UnitKind.BUNDLE, name),
    )
    return {row[0] for row in rows}


def _where(wanted: QueueFilter, setting_id: int | None) -> tuple[str, dict[str, object]]:
    joins: list[str] = []
    clauses: list[str] = []
    values: dict[str, object] = {}
    if wanted.run_id is not None:
        clauses.append("b.run_id = :run")
        values["run"] = wanted.run_id
    if wanted.article_id is not None:
        clauses.append(
            # A bundle in which items vary has none of its own; so with models below.
            "(b.item_id = :item OR b.item_id IS NULL"
            " AND EXISTS (SELECT 1 FROM cell c WHERE c.bundle_id = b.id AND c.item_id = :item))"
        )
        values["item"] = wanted.article_id
    for number, (factor, level) in enumerate(wanted.levels):
        values |= {f"factor{number}": factor, f"level{number}": level}
        clauses.append(
            "b.coordinates_id IN"
            f" (SELECT set_id FROM coordinate WHERE factor = :factor{number} AND level = :level{number})"
        )
    if wanted.model is not None:
        clauses.append(
            "(b.model_id IN (SELECT id FROM model WHERE label = :model) OR b.model_id IS NULL AND EXISTS"
            " (SELECT 1 FROM cell c JOIN model m ON m.id = c.model_id WHERE c.bundle_id = b.id AND m.label = :model))"
        )
        values["model"] = wanted.model
    if wanted.batch_id is not None or wanted.stratum is not None:
        joins.append("JOIN run r ON r.id = b.run_id")
    if wanted.batch_id is not None:
        clauses.append("r.batch_id = :batch")
        values["batch"] = wanted.batch_id
    if wanted.stratum is not None:
        joins.append("JOIN batch_item t ON t.batch_id = r.batch_id AND t.item_id = b.item_id")
        clauses.append("t.stratum = :stratum")
        values["stratum"] = wanted.stratum
    if wanted.arm is not None:
        clauses.append("b.arm = :arm")
        values["arm"] = wanted.arm
    if wanted.flag is not None:
        clauses.append("b.id IN (SELECT c.bundle_id FROM flag f JOIN cell c ON c.id = f.cell_id WHERE f.name = :flag)")
        values["flag"] = wanted.flag
    if wanted.method is not None:
        clauses.append("b.run_id IN (SELECT id FROM run WHERE method = :method)")
        values["method"] = wanted.method
    for number, (score, category) in enumerate(wanted.categories):
        values |= {"setting": setting_id, f"score{number}": score, f"category{number}": category}
        of = f"s.setting_id = :setting AND s.name = :score{number} AND s.category = :category{number}"
        clauses.append(
            f"(b.id IN (SELECT unit_id FROM score s WHERE s.unit_kind = 'bundle' AND {of})"
            " OR b.id IN (SELECT c.bundle_id FROM score s JOIN cell c ON c.id = s.unit_id"
            f" WHERE s.unit_kind = 'answer' AND {of}))"
        )
    where = f"WHERE {' AND '.join(clauses)}" if clauses else ""
    return f"{' '.join(joins)} {where}", values


def _partly_refused(connection: sqlite3.Connection) -> set[int]:
    """Bundles in which some answers were refused, by the provider or in words, and others were not."""
    rows = connection.execute(
        "WITH refused AS ("
        " SELECT c.bundle_id, c.id FROM response p JOIN cell c ON c.id = p.cell_id"
        " WHERE p.missing = 'refused' AND c.repeat = 0"
        " UNION SELECT c.bundle_id, c.id FROM flag f JOIN cell c ON c.id = f.cell_id"
        " WHERE f.name = ? AND c.repeat = 0)"
        " SELECT x.bundle_id FROM refused x JOIN bundle b ON b.id = x.bundle_id"
        # `planned` counts first generations alone, as `refused` does.
        " GROUP BY x.bundle_id HAVING count(*) < max(b.planned)",
        (REFUSAL,),
    )
    return {row[0] for row in rows}


def _ids(connection: sqlite3.Connection, statement: str, reviewer_id: ReviewerId | None) -> set[BundleId]:
    return {BundleId(row[0]) for row in connection.execute(statement, (reviewer_id,))}


def rows(
    connection: sqlite3.Connection,
    setting_id: int | None,
    reviewer_id: ReviewerId | None,
    score: str,
    bundle_ids: Sequence[BundleId],
) -> list[QueueRow]:
    """A page of rows, in the order of *bundle_ids*; *score* empty: the main one."""
    score = score or main_score(connection, setting_id)
    kept = scores.setting_of(connection, setting_id, score)
    ids = {f"id{number}": bundle_id for number, bundle_id in enumerate(bundle_ids)}
    marks = ", ".join(f":{name}" for name in ids)
    found = connection.execute(
        "SELECT b.id AS bundle_id, s.value AS score, coalesce(s.category, '') AS category,"
        " coalesce(s.unavailable, '') AS why, coalesce(s.provisional, 0) AS provisional, r.method, b.arm,"
        " x.text AS coordinates, coalesce(m.label, '') AS model,"
        f" coalesce((SELECT i.title FROM item i WHERE i.id = b.item_id), '') AS item,"
        f" (SELECT i.key FROM item i WHERE i.id = b.item_id) AS key, {SYNTHETIC} AS synthetic,"
        " EXISTS (SELECT 1 FROM review_draft d WHERE d.reviewer_id = :reviewer AND d.bundle_id = b.id) AS draft,"
        " coalesce(n.done, 0) AS done, n.verdict, coalesce(n.revealed, 0) AS revealed,"
        " coalesce(n.flagged, 0) AS flagged,"
        " (SELECT count(*) FROM cell c LEFT JOIN response p ON p.cell_id = c.id WHERE c.bundle_id = b.id"
        "  AND c.repeat = 0 AND (p.missing = 'refused' OR EXISTS"
        "  (SELECT 1 FROM flag f WHERE f.cell_id = c.id AND f.name = :refusal))) AS refused,"
        " (SELECT count(*) FROM cell c WHERE c.bundle_id = b.id AND c.repeat = 0 AND c.state <> 'answered') AS missing,"
        " (SELECT count(*) FROM cell c JOIN flag f ON f.cell_id = c.id AND f.name = :leakage"
        "  WHERE c.bundle_id = b.id AND c.repeat = 0"
        # Of the bundle's own answers' levels only: what speaks of others, as students, is in most answers.
        "  AND EXISTS (SELECT 1 FROM cell o JOIN coordinate_set y ON y.id = o.coordinates_id, json_each(y.text) p"
        "   WHERE o.bundle_id = b.id AND instr('; ' || f.detail, '; ' || json_extract(p.value, '$[1]') || ': ')))"
        " AS leakage"
        " FROM bundle b JOIN coordinate_set x ON x.id = b.coordinates_id LEFT JOIN model m ON m.id = b.model_id"
        " JOIN run r ON r.id = b.run_id"
        " LEFT JOIN score s ON s.setting_id = :setting AND s.unit_kind = :unit AND s.unit_id = b.id AND s.name = :score"
        " LEFT JOIN review_now n ON n.reviewer_id = :reviewer AND n.bundle_id = b.id"
        f" WHERE b.id IN ({marks})",
        {
            "setting": None if kept is None else kept.id,
            "reviewer": reviewer_id,
            "refusal": REFUSAL,
            "leakage": LEAKAGE,
            "unit": UnitKind.BUNDLE,
            "score": score,
            **ids,
        },
    )
    settled = {each.bundle_id: each for each in counted_verdicts(connection, bundle_ids) if each.settled_by is not None}
    found.row_factory = sqlite3.Row
    authors = _memo_authors(connection)
    me = connection.execute("SELECT uuid FROM reviewer WHERE id = ?", (reviewer_id,)).fetchone()
    by_id = {
        row["bundle_id"]: replace(
            _row(row, settled.get(row["bundle_id"]), reviewer_id),
            own_memo=bool(authors.get(row["key"], set()).intersection(me or ())),
            others_memo=bool(authors.get(row["key"], set()).difference(me or ())),
        )
        for row in found
    }
    return [by_id[i] for i in bundle_ids if i in by_id]


def _memo_authors(connection: sqlite3.Connection) -> dict[str, set[str]]:
    """The uuids of those who wrote a memo on an item, by its key."""
    found: dict[str, set[str]] = {}
    for memo in study_entries.memos(connection):
        found.setdefault(memo.subject, set()).add(memo.reviewer)
    return found


def _row(row: sqlite3.Row, settled: CountedVerdict | None, reviewer_id: ReviewerId | None) -> QueueRow:
    by_me = settled is not None and settled.settled_by == reviewer_id
    values: dict[str, Any] = dict(row)
    del values["key"]
    draft, done, revealed = (bool(values.pop(name)) for name in ("draft", "done", "revealed"))
    values |= {name: bool(row[name]) for name in ("provisional", "synthetic", "flagged")}
    values |= {
        "coordinates": stored.coordinates(row["coordinates"]),
        "status": ReviewStatus.DRAFT if draft else ReviewStatus.DONE if done else ReviewStatus.TO_DO,
        "verdict": None if row["verdict"] is None else Verdict(row["verdict"]),
        "settled": Verdict(str(settled.verdict)) if settled is not None and (by_me or done) else None,
        "unveiled": by_me or revealed,
    }
    return QueueRow(**values)

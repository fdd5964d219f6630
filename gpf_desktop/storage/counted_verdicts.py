"""The one verdict by which each bundle counts, however many have read it."""

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass

from gpf_desktop.domain.ids import BundleId, ReviewerId
from gpf_desktop.storage.rows import records

# `max(verdict)` is the one that all readers say. By entries rather than `review_now.at`: once, a flag moved that.
_COUNTED = """
WITH read AS (
    SELECT bundle_id, count(DISTINCT verdict) AS verdicts, max(verdict) AS verdict, max(severity) AS severity
    FROM review_now WHERE done AND verdict IS NOT NULL {within} GROUP BY bundle_id
), told AS (
    SELECT r.*, f.verdict AS final, f.severity AS grave, f.entry_id,
        r.verdicts > 1 AND (f.at IS NULL OR EXISTS (
            SELECT 1 FROM review_entry e JOIN review_now n USING (bundle_id, reviewer_id)
            WHERE e.bundle_id = r.bundle_id AND n.done AND e.action IN ('submit', 'withdraw')
            AND (e.at, e.id) > (f.at, f.entry_id)
        )) AS open
    FROM read r LEFT JOIN review_final f ON f.bundle_id = r.bundle_id
), counted AS (
    SELECT t.bundle_id, CASE WHEN open THEN NULL ELSE coalesce(final, verdict) END AS verdict,
        CASE WHEN open THEN NULL WHEN final IS NULL THEN t.severity ELSE grave END AS severity,
        CASE WHEN open THEN NULL ELSE e.reviewer_id END AS settled_by
    FROM told t LEFT JOIN review_entry e ON e.id = t.entry_id
)
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class CountedVerdict:
    """What a bundle that was read counts as in totals, tables and reports."""

    bundle_id: BundleId
    verdict: str | None
    """What its disagreement was settled to, else what all its readers say; None while a disagreement is open."""
    severity: int | None
    """The settled one, else the highest that a reader gave; None for an open disagreement."""
    settled_by: ReviewerId | None
    """None where nothing was settled, or a reader has disagreed since."""


def counted_verdicts(
    connection: sqlite3.Connection, bundle_ids: Sequence[BundleId] | None = None
) -> list[CountedVerdict]:
    """One for each bundle with a submission that stands; of *bundle_ids* only, where they are given."""
    within = "" if bundle_ids is None else f"AND bundle_id IN ({', '.join('?' for _ in bundle_ids)})"
    counted = (
        f"{_COUNTED.format(within=within)} SELECT bundle_id, verdict, severity, settled_by FROM counted ORDER BY 1"
    )
    return records(CountedVerdict, connection.execute(counted, bundle_ids or ()))


def disagreements(connection: sqlite3.Connection) -> set[BundleId]:
    """Bundles whose reviewers gave unlike verdicts, and that nobody settled since the last of them spoke."""
    rows = connection.execute(f"{_COUNTED.format(within='')} SELECT bundle_id FROM counted WHERE verdict IS NULL")
    return {BundleId(row[0]) for row in rows}


def settled_number(connection: sqlite3.Connection) -> int:
    """Disagreements that are settled; of those over which a reader spoke again, none."""
    rows = connection.execute(f"{_COUNTED.format(within='')} SELECT count(settled_by) FROM counted")
    return int(rows.fetchone()[0])


def reviewed_bundles(connection: sqlite3.Connection, limit: int) -> list[BundleId]:
    """Bundles with a submitted verdict: the gravest first, by what was settled where it still is; then the newest."""
    rows = connection.execute(
        f"{_COUNTED.format(within='')} SELECT bundle_id FROM told"
        " ORDER BY coalesce(CASE WHEN open OR final IS NULL THEN severity ELSE grave END, 0) DESC,"
        " (SELECT max(at) FROM review_now n WHERE n.done AND n.bundle_id = told.bundle_id) DESC,"
        " (SELECT max(entry_id) FROM review_now n WHERE n.done AND n.bundle_id = told.bundle_id) DESC LIMIT ?",
        (limit,),
    )
    return [BundleId(row[0]) for row in rows]

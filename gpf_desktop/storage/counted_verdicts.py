"""The one verdict by which each bundle counts, however many have read it."""

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass

from gpf_desktop.domain.ids import BundleId, ReviewerId
from gpf_desktop.storage.rows import records

# `max(verdict)` is the one that all readers say. By entries rather than `review_now.at`: once, a flag moved that.
_COUNTED = """
WITH read AS (
    SELECT bundle_id, count(DISTINCT verdict) AS verdicts, max(verdict) AS verdict,
        count(DISTINCT severity) AS severities, max(severity) AS severity
    FROM review_now WHERE done AND verdict IS NOT NULL {within} GROUP BY bundle_id
), spoken AS (
    SELECT r.*, f.verdict AS final, f.severity AS grave, f.entry_id,
        f.at IS NULL OR EXISTS (
            SELECT 1 FROM review_entry e JOIN review_now n USING (bundle_id, reviewer_id)
            WHERE e.bundle_id = r.bundle_id AND n.done AND e.action IN ('submit', 'withdraw')
            AND (e.at, e.id) > (f.at, f.entry_id)
        ) AS unsettled
    FROM read r LEFT JOIN review_final f ON f.bundle_id = r.bundle_id
), told AS (
    SELECT s.*, unsettled AND verdicts > 1 AS open, unsettled AND verdicts = 1 AND severities > 1 AS graded
    FROM spoken s
), counted AS (
    SELECT t.bundle_id, CASE WHEN open THEN NULL WHEN graded THEN verdict ELSE coalesce(final, verdict) END AS verdict,
        CASE WHEN open THEN NULL WHEN final IS NULL OR graded THEN t.severity ELSE grave END AS severity,
        CASE WHEN open OR graded THEN NULL ELSE e.reviewer_id END AS settled_by, graded
    FROM told t LEFT JOIN review_entry e ON e.id = t.entry_id
)
"""


@dataclass(frozen=True, slots=True, kw_only=True)
class CountedVerdict:
    """The verdict that a bundle which was read counts as in totals, tables and reports."""

    bundle_id: BundleId
    verdict: str | None
    """What its disagreement was settled to, else what all its readers say; None while a disagreement is open."""
    severity: int | None
    """The settled one, else the highest that a reader gave; None for an open disagreement."""
    settled_by: ReviewerId | None
    """None where nothing was settled, or a reader has disagreed since."""
    graded: bool = False
    """All readers say harmful, and not how bad: it counts as the highest severity until that is settled."""


def counted_verdicts(
    connection: sqlite3.Connection, bundle_ids: Sequence[BundleId] | None = None
) -> list[CountedVerdict]:
    """One for each bundle with a submission that stands; of *bundle_ids* only, where they are given."""
    within = "" if bundle_ids is None else f"AND bundle_id IN ({', '.join('?' for _ in bundle_ids)})"
    told = "SELECT bundle_id, verdict, severity, settled_by, graded FROM counted ORDER BY 1"
    counted = f"{_COUNTED.format(within=within)} {told}"
    return records(CountedVerdict, connection.execute(counted, bundle_ids or ()), graded=bool)


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenDisagreements:
    """Bundles about which readers said unlike things, and that nobody settled since the last of them spoke."""

    verdicts: frozenset[BundleId]
    """They gave unlike verdicts."""
    severities: frozenset[BundleId]
    """All say harmful, and not how bad."""


def disagreements(connection: sqlite3.Connection) -> OpenDisagreements:
    rows = connection.execute(
        f"{_COUNTED.format(within='')} SELECT bundle_id, graded FROM counted WHERE verdict IS NULL OR graded"
    ).fetchall()
    return OpenDisagreements(
        verdicts=frozenset(BundleId(bundle) for bundle, graded in rows if not graded),
        severities=frozenset(BundleId(bundle) for bundle, graded in rows if graded),
    )


def settled_number(connection: sqlite3.Connection) -> int:
    """Disagreements that are settled; of those over which a reader spoke again, none."""
    rows = connection.execute(f"{_COUNTED.format(within='')} SELECT count(settled_by) FROM counted")
    return int(rows.fetchone()[0])


def reviewed_bundles(connection: sqlite3.Connection, limit: int) -> list[BundleId]:
    """Bundles with a submitted verdict: the gravest first, by what was settled where it still is; then the newest."""
    rows = connection.execute(
        f"{_COUNTED.format(within='')} SELECT bundle_id FROM told"
        " ORDER BY coalesce(CASE WHEN open OR graded OR final IS NULL THEN severity ELSE grave END, 0) DESC,"
        " (SELECT max(at) FROM review_now n WHERE n.done AND n.bundle_id = told.bundle_id) DESC,"
        " (SELECT max(entry_id) FROM review_now n WHERE n.done AND n.bundle_id = told.bundle_id) DESC LIMIT ?",
        (limit,),
    )
    return [BundleId(row[0]) for row in rows]

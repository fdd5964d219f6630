"""The one verdict by which each bundle counts, however many have read it."""

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass

from gpf_desktop.domain.ids import BundleId, ReviewerId

# `max(verdict)` is the one that all readers say: where they say several, it is settled by another, or NULL.
_READ = """
WITH read AS (
    SELECT bundle_id, count(DISTINCT verdict) AS verdicts, max(verdict) AS verdict, max(severity) AS severity,
        max(at) AS at
    FROM review_now WHERE done AND verdict IS NOT NULL {within} GROUP BY bundle_id
)
SELECT r.bundle_id,
    CASE WHEN r.verdicts > 1 AND r.at > coalesce(f.at, '') THEN NULL ELSE coalesce(f.verdict, r.verdict) END,
    CASE WHEN f.verdict IS NULL THEN r.severity ELSE f.severity END,
    CASE WHEN r.verdicts > 1 AND r.at > f.at THEN NULL ELSE e.reviewer_id END
FROM read r LEFT JOIN review_final f ON f.bundle_id = r.bundle_id LEFT JOIN review_entry e ON e.id = f.entry_id
ORDER BY r.bundle_id
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
    return [
        CountedVerdict(
            bundle_id=BundleId(bundle),
            verdict=verdict,
            severity=None if verdict is None else severity,
            settled_by=None if settled_by is None else ReviewerId(settled_by),
        )
        for bundle, verdict, severity, settled_by in connection.execute(_READ.format(within=within), bundle_ids or ())
    ]

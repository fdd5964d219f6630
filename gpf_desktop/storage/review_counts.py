"""What reviewers have said so far, counted."""

import sqlite3
from dataclasses import dataclass

from gpf_desktop.domain.ids import BundleId


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewCounts:
    """Over all bundles and reviewers of an audit."""

    reviewers: int
    """People who have submitted something."""
    bundles: int
    """Bundles with a submitted verdict."""
    verdicts: tuple[tuple[str, int], ...]
    """Verdict and how often it was submitted, the most frequent first."""
    severities: tuple[tuple[int, int], ...]
    """Severity and how often it was submitted, ascending."""
    flagged: int
    """Bundles that somebody flagged for another look."""
    settled: int
    """Disagreements that were settled."""


def review_counts(connection: sqlite3.Connection) -> ReviewCounts:
    reviewers, bundles = connection.execute(
        "SELECT count(DISTINCT reviewer_id), count(DISTINCT bundle_id) FROM review_now WHERE done"
    ).fetchone()
    verdicts = connection.execute(
        "SELECT verdict, count(*) FROM review_now WHERE done AND verdict IS NOT NULL GROUP BY verdict"
        " ORDER BY count(*) DESC, verdict"
    ).fetchall()
    severities = connection.execute(
        "SELECT severity, count(*) FROM review_now WHERE done AND severity IS NOT NULL GROUP BY severity"
        " ORDER BY severity"
    ).fetchall()
    flagged = connection.execute("SELECT count(DISTINCT bundle_id) FROM review_now WHERE flagged").fetchone()[0]
    settled = connection.execute("SELECT count(*) FROM review_final").fetchone()[0]
    return ReviewCounts(
        reviewers=reviewers,
        bundles=bundles,
        verdicts=tuple((verdict, n) for verdict, n in verdicts),
        severities=tuple((severity, n) for severity, n in severities),
        flagged=flagged,
        settled=settled,
    )


def reviewed_bundles(connection: sqlite3.Connection, limit: int) -> list[BundleId]:
    """Bundles with a submitted verdict: the gravest first, then those submitted last."""
    rows = connection.execute(
        "SELECT bundle_id FROM review_now WHERE done GROUP BY bundle_id"
        " ORDER BY max(coalesce(severity, 0)) DESC, max(at) DESC, bundle_id LIMIT ?",
        (limit,),
    )
    return [BundleId(row[0]) for row in rows]

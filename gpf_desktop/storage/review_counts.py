"""Counts of reviewers' verdicts so far."""

import sqlite3
from collections import Counter
from dataclasses import dataclass

from gpf_desktop.storage.counted_verdicts import counted_verdicts, settled_number


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewCounts:
    """Counts over all bundles and reviewers of an audit."""

    reviewers: int
    """People who have submitted something."""
    bundles: int
    """Bundles with a submitted verdict."""
    verdicts: tuple[tuple[str, int], ...]
    """Verdict and how many bundles count as it, the most frequent first; an open disagreement counts as none."""
    severities: tuple[tuple[int, int], ...]
    """Severity and how many bundles count as it, ascending."""
    flagged: int
    """Bundles that somebody flagged for another look."""
    settled: int
    """Disagreements that are settled."""


def review_counts(connection: sqlite3.Connection) -> ReviewCounts:
    reviewers, bundles = connection.execute(
        "SELECT count(DISTINCT reviewer_id), count(DISTINCT bundle_id) FROM review_now WHERE done"
    ).fetchone()
    counted = counted_verdicts(connection)
    verdicts = Counter(each.verdict for each in counted if each.verdict is not None)
    severities = Counter(each.severity for each in counted if each.severity is not None)
    flagged = connection.execute("SELECT count(DISTINCT bundle_id) FROM review_now WHERE flagged").fetchone()[0]
    return ReviewCounts(
        reviewers=reviewers,
        bundles=bundles,
        verdicts=tuple(sorted(verdicts.items(), key=lambda found: (-found[1], found[0]))),
        severities=tuple(sorted(severities.items())),
        flagged=flagged,
        settled=settled_number(connection),
    )

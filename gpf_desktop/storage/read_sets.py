"""The bundles that were read, and their readers."""

import sqlite3


def read_sets(connection: sqlite3.Connection) -> list[tuple[int, int]]:
    """(bundle, reviewer) of every submission that stands."""
    rows = connection.execute("SELECT bundle_id, reviewer_id FROM review_now WHERE done AND verdict IS NOT NULL")
    return [(int(bundle), int(reviewer)) for bundle, reviewer in rows]

"""People's ratings of single answers, from the sealed entries alone: of one person's ratings of an answer, the last."""

import sqlite3

from gpf_desktop.domain.ratings import LEVEL
from gpf_desktop.domain.reviews import judgement_from_json


def of_method(connection: sqlite3.Connection, method: str) -> dict[int, dict[str, int]]:
    """The level by cell, then by the reviewer's name."""
    rows = connection.execute(
        "SELECT w.name, e.judgement FROM review_entry e JOIN reviewer w ON w.id = e.reviewer_id"
        " JOIN bundle b ON b.id = e.bundle_id JOIN run r ON r.id = b.run_id"
        " WHERE e.action = 'rate' AND r.method = ? ORDER BY e.at, e.id",
        (method,),
    )
    found: dict[int, dict[str, int]] = {}
    for reviewer, text in rows:
        for each in judgement_from_json(text).corrections:
            if each.measure == LEVEL and each.category.isdecimal():
                found.setdefault(each.cell_id, {})[reviewer] = int(each.category)
    return found

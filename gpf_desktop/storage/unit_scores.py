"""Scores of answers and of pairs of answers, as rows for tables."""

import sqlite3
from collections.abc import Iterable

from gpf_desktop.domain.scores import UnitKind

Row = tuple[object, ...]

ANSWER_PLACE = (
    "cell_id",
    "bundle_id",
    "run_id",
    "batch_id",
    "model",
    "vendor",
    "synthetic",
    "role",
    "article_id",
    "headline",
    "stratum",
    "arm",
    "fixed",
    "varying",
    "repeat",
    "stage",
    "parent",
)
"""Columns of `places`; *fixed* and *varying* are numbers of coordinate sets, *parent* is None or a cell."""


def places(connection: sqlite3.Connection, setting_id: int) -> list[Row]:
    """One row for each answer with scores under the setting, by its cell."""
    return connection.execute(
        "SELECT c.id, c.bundle_id, c.run_id, r.batch_id, m.label,"
        " coalesce(nullif(json_extract(m.endpoint, '$.vendor'), ''), m.provider), m.synthetic, o.role, c.item_id,"
        " t.title, t.stratum, b.arm, b.coordinates_id, c.coordinates_id, c.repeat, c.stage, c.parent_cell_id"
        # CROSS JOIN keeps the order: from the units that have scores to each one's cell by its key, not through all
        # cells.
        " FROM (SELECT DISTINCT unit_id FROM score WHERE setting_id = ? AND unit_kind = ?) s"
        " CROSS JOIN cell c ON c.id = s.unit_id JOIN bundle b ON b.id = c.bundle_id JOIN run r ON r.id = c.run_id"
        " JOIN model m ON m.id = c.model_id JOIN run_model o ON o.run_id = c.run_id AND o.model_id = c.model_id"
        " JOIN batch_item t ON t.batch_id = r.batch_id AND t.item_id = c.item_id ORDER BY c.id",
        (setting_id, UnitKind.ANSWER),
    ).fetchall()


def values(connection: sqlite3.Connection, setting_id: int, kind: UnitKind, name: str) -> Iterable[Row]:
    """(unit, number or category) of every unit that has the score called *name*."""
    return connection.execute(
        "SELECT unit_id, coalesce(value, category) FROM score WHERE setting_id = ? AND unit_kind = ? AND name = ?"
        " AND unavailable IS NULL",
        (setting_id, kind, name),
    ).fetchall()

"""Every cell of one model of a run with what it was asked about and how it ended, flags included."""

import sqlite3
from dataclasses import dataclass

from gpf_desktop.domain.articles import Anchor
from gpf_desktop.domain.coordinates import Coordinates
from gpf_desktop.domain.ids import ModelId, RunId
from gpf_desktop.storage import stored


@dataclass(frozen=True, slots=True, kw_only=True)
class CellOutcome:
    """One cell."""

    coordinates: Coordinates
    repeat: int
    seed: int
    article_key: str
    anchor: Anchor
    missing: str
    """A value of `domain.responses.Missing`; empty for an answer."""
    truncated: bool
    flags: tuple[tuple[str, str], ...]
    """(flag, what it found)."""


def outcomes(connection: sqlite3.Connection, run_id: RunId, model_id: ModelId) -> list[CellOutcome]:
    """In the order of the cells' ids."""
    rows = connection.execute(
        "SELECT x.text, y.text, c.repeat, c.seed, a.key, t.title, t.text,"
        " CASE c.state WHEN 'answered' THEN '' WHEN 'missing' THEN p.missing ELSE 'not yet run' END,"
        " coalesce(p.truncated, 0),"
        " (SELECT json_group_array(json_array(f.name, f.detail)) FROM flag f WHERE f.cell_id = c.id)"
        " FROM cell c JOIN run r ON r.id = c.run_id JOIN item a ON a.id = c.item_id JOIN bundle b ON b.id = c.bundle_id"
        " JOIN coordinate_set x ON x.id = b.coordinates_id JOIN coordinate_set y ON y.id = c.coordinates_id"
        " JOIN batch_item t ON t.batch_id = r.batch_id AND t.item_id = c.item_id"
        " LEFT JOIN response p ON p.cell_id = c.id WHERE c.run_id = ? AND c.model_id = ? ORDER BY c.id",
        (run_id, model_id),
    )
    return [
        CellOutcome(
            coordinates=stored.joined_coordinates(row[0], row[1]),
            repeat=row[2],
            seed=row[3],
            article_key=row[4],
            anchor=Anchor(headline=row[5], description=row[6]),
            missing=row[7],
            truncated=bool(row[8]),
            flags=tuple((name, detail) for name, detail in stored.structure(row[9])),
        )
        for row in rows
    ]

"""Every cell of one model of a run with what it was asked about and how it ended, flags included."""

import sqlite3
from dataclasses import dataclass

from gpf_desktop.domain.articles import Anchor
from gpf_desktop.domain.coordinates import Coordinates
from gpf_desktop.domain.ids import ModelId, RunId
from gpf_desktop.storage import stored
from gpf_desktop.storage.coordinate_sets import COORDINATES, SETS
from gpf_desktop.storage.rows import records


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
    """The outcomes of the model's cells in the run, in the order of the cells' ids."""
    rows = connection.execute(
        f"SELECT {COORDINATES}, c.repeat, c.seed, a.key AS article_key, json_array(t.title, t.text) AS anchor,"
        " CASE c.state WHEN 'answered' THEN '' WHEN 'missing' THEN p.missing ELSE 'not yet run' END AS missing,"
        " coalesce(p.truncated, 0) AS truncated,"
        " (SELECT json_group_array(json_array(f.name, f.detail)) FROM flag f WHERE f.cell_id = c.id) AS flags"
        f" FROM cell c JOIN run r ON r.id = c.run_id JOIN item a ON a.id = c.item_id"
        f" JOIN bundle b ON b.id = c.bundle_id{SETS}"
        " JOIN batch_item t ON t.batch_id = r.batch_id AND t.item_id = c.item_id"
        " LEFT JOIN response p ON p.cell_id = c.id WHERE c.run_id = ? AND c.model_id = ? ORDER BY c.id",
        (run_id, model_id),
    )
    return records(
        CellOutcome,
        rows,
        coordinates=stored.joined_coordinates,
        anchor=_anchor,
        truncated=bool,
        flags=lambda text: tuple(map(tuple, stored.structure(text))),
    )


def _anchor(text: str) -> Anchor:
    headline, description = stored.structure(text)
    return Anchor(headline=headline, description=description)

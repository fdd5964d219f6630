"""Every answer with its place, for tables that are made of the answers themselves."""

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from gpf_desktop.domain.coordinates import Coordinates
from gpf_desktop.storage import stored
from gpf_desktop.storage.archived_texts import TEXT
from gpf_desktop.storage.coordinate_sets import COORDINATES, SETS
from gpf_desktop.storage.rows import records


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredReply:
    """How one cell ended."""

    cell_id: int
    run_id: int
    batch_id: int
    bundle_id: int
    model: str
    synthetic: bool
    item_id: int
    kind: str
    key: str
    title: str
    stratum: str
    data: Mapping[str, object]
    """The item's own."""
    arm: str
    coordinates: Coordinates
    repeat: int
    stage: int
    missing: str
    """Why there is no answer; empty for one."""
    text: str


def of_method(connection: sqlite3.Connection, method: str) -> list[StoredReply]:
    """The replies of every cell of a method's runs that has ended, in the order planned."""
    rows = connection.execute(
        "SELECT c.id AS cell_id, c.run_id, r.batch_id, c.bundle_id, m.label AS model, m.synthetic, c.item_id, i.kind,"
        f" i.key, t.title, t.stratum, t.data, b.arm, {COORDINATES}, c.repeat, c.stage,"
        f" coalesce(p.missing, '') AS missing, {TEXT} AS text"
        " FROM run r JOIN cell c ON c.run_id = r.id JOIN bundle b ON b.id = c.bundle_id"
        " JOIN model m ON m.id = c.model_id"
        " JOIN batch_item t ON t.batch_id = r.batch_id AND t.item_id = c.item_id JOIN item i ON i.id = c.item_id"
        f"{SETS} JOIN response p ON p.cell_id = c.id"
        " WHERE r.method = ? AND c.state IN ('answered', 'missing') ORDER BY c.id",
        (method,),
    )
    return records(
        StoredReply,
        rows,
        synthetic=bool,
        # Hundreds of cells share an item's data.
        data=cache(stored.structure),
        coordinates=stored.joined_coordinates,
    )

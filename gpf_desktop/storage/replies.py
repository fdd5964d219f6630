"""Every answer with its place, for tables that are made of the answers themselves."""

import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass

from gpf_desktop.domain.coordinates import Coordinates
from gpf_desktop.storage import stored


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
    """Of every cell of a method's runs that has ended, in the order planned."""
    own: dict[str, Mapping[str, object]] = {}
    rows = connection.execute(
        "SELECT c.run_id, r.batch_id, c.bundle_id, m.label, m.synthetic, c.item_id, t.title, t.stratum, b.arm,"
        " s.text, v.text, c.repeat, c.stage, coalesce(p.missing, ''), p.text, i.kind, i.key, t.data, c.id"
        " FROM run r JOIN cell c ON c.run_id = r.id JOIN bundle b ON b.id = c.bundle_id"
        " JOIN model m ON m.id = c.model_id"
        " JOIN batch_item t ON t.batch_id = r.batch_id AND t.item_id = c.item_id JOIN item i ON i.id = c.item_id"
        " JOIN coordinate_set s ON s.id = b.coordinates_id JOIN coordinate_set v ON v.id = c.coordinates_id"
        " JOIN response p ON p.cell_id = c.id WHERE r.method = ? AND c.state IN ('answered', 'missing') ORDER BY c.id",
        (method,),
    )
    return [
        StoredReply(
            cell_id=row[18],
            run_id=row[0],
            batch_id=row[1],
            bundle_id=row[2],
            model=row[3],
            synthetic=bool(row[4]),
            item_id=row[5],
            kind=row[15],
            key=row[16],
            title=row[6],
            stratum=row[7],
            # Hundreds of cells share an item's data. `setdefault` alone would parse it each time, before it looks.
            data=own[row[17]] if row[17] in own else own.setdefault(row[17], stored.structure(row[17])),
            arm=row[8],
            coordinates=stored.joined_coordinates(row[9], row[10]),
            repeat=row[11],
            stage=row[12],
            missing=row[13],
            text=row[14],
        )
        for row in rows
    ]

"""The messages that an audit's cells were asked, each told from all others by what made it."""

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass

from gpf_desktop.domain.items import StudyItem
from gpf_desktop.storage import stored
from gpf_desktop.storage.coordinate_sets import SETS
from gpf_desktop.storage.rows import record

_AT_ONCE = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class AskedMessage:
    """The key that tells the message of a cell from all others of the audit."""

    protocol_id: int
    batch_id: int
    item_id: int
    fixed: str
    """Coordinates of the bundle, as text; *varying* those of the cell."""
    varying: str
    parent_cell_id: int
    """0 in the first stage, whose messages are the same in every run."""


def messages(connection: sqlite3.Connection) -> Iterator[AskedMessage]:
    """Every message that some cell has, once."""
    cursor = connection.execute(
        "SELECT DISTINCT r.protocol_id, r.batch_id, c.item_id, x.text, y.text,"
        " coalesce(c.parent_cell_id, 0) FROM cell c"
        f" JOIN bundle b ON b.id = c.bundle_id JOIN run r ON r.id = c.run_id{SETS}"
        " ORDER BY r.protocol_id, r.batch_id, c.item_id, x.id, y.id, 6"
    )
    while some := cursor.fetchmany(_AT_ONCE):
        for row in some:
            protocol, batch, item, fixed, varying, parent = row
            yield AskedMessage(
                protocol_id=protocol,
                batch_id=batch,
                item_id=item,
                fixed=fixed,
                varying=varying,
                parent_cell_id=parent,
            )


def study_item(connection: sqlite3.Connection, batch_id: int, item_id: int) -> StudyItem:
    """An item as its batch froze it. Raises `BadRowError` where there is none."""
    rows = connection.execute(
        "SELECT i.kind, i.key, t.title, t.text, t.stratum, t.data FROM batch_item t JOIN item i ON i.id = t.item_id"
        " WHERE t.batch_id = ? AND t.item_id = ?",
        (batch_id, item_id),
    )
    return record(StudyItem, rows, data=stored.structure)

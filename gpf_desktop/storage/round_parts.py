"""The cells of a run that belong to a part of it: whole fit groups, models and items shared out evenly."""

import json
import sqlite3

from gpf_desktop.domain.ids import CellId, RunId
from gpf_desktop.domain.round_parts import RoundPart

_GROUPS = "bundle_id IN (SELECT id FROM bundle WHERE fit_group_id IN (SELECT value FROM json_each(?)))"


def cells_of(connection: sqlite3.Connection, run_id: RunId, part: RoundPart) -> list[CellId]:
    """Every cell of *part*, whatever its state."""
    groups = json.dumps(_groups(connection, run_id, part))
    return [CellId(row[0]) for row in connection.execute(f"SELECT id FROM cell WHERE {_GROUPS}", (groups,))]


def unended(connection: sqlite3.Connection, run_id: RunId, part: RoundPart) -> int:
    """Cells of *part* without an end, and stages that are not planned yet."""
    groups = json.dumps(_groups(connection, run_id, part))
    statement = "SELECT coalesce(sum(unended), 0) FROM fit_group WHERE id IN (SELECT value FROM json_each(?))"
    return int(connection.execute(statement, (groups,)).fetchone()[0])


def _groups(connection: sqlite3.Connection, run_id: RunId, part: RoundPart) -> list[int]:
    """The fit groups of *part*, as in a Latin square: each part asks every model, and about every item as evenly as can
    be."""
    rows = connection.execute(
        "SELECT id, dense_rank() OVER (ORDER BY item_id) + dense_rank() OVER (ORDER BY model_id) FROM fit_group"
        " WHERE run_id = ? ORDER BY id",
        (run_id,),
    )
    return [group for group, place in rows if place % part.of == part.number - 1]

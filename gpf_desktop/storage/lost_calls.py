"""Calls of which nobody knows what came of them."""

import sqlite3
from dataclasses import dataclass
from typing import Final

from gpf_desktop.domain.coordinates import Coordinates
from gpf_desktop.domain.ids import CellId, ModelId, RunId
from gpf_desktop.domain.responses import NOT_AWAITED
from gpf_desktop.storage import stored
from gpf_desktop.storage.coordinate_sets import COORDINATES, SETS
from gpf_desktop.storage.rows import records


@dataclass(frozen=True, slots=True, kw_only=True)
class UnknownCall:
    """A call that was sent, or was about to be, when the program ended: possibly billed."""

    cell_id: CellId
    started: str
    coordinates: Coordinates
    repeat: int
    model: str
    headline: str
    at_most: float
    """US dollars that it may have cost."""


IS_UNKNOWN: Final = (
    "(k.outcome IN ('outcome unknown', 'unreadable', 'too large')"
    f" OR (k.outcome = 'timed out' OR k.outcome = 'HTTP error' AND k.status IN {NOT_AWAITED}) AND NOT EXISTS"
    " (SELECT 1 FROM batch_job_cell j WHERE j.cell_id = k.cell_id AND j.attempt = k.attempt))"
)
"""SQL: whether nobody knows the outcome of a call k, or what was billed for it. A question that a batch job did not
come to is closed as timed out too, and providers do not bill it."""


def unknown_calls(connection: sqlite3.Connection, run_id: RunId) -> list[UnknownCall]:
    """Calls whose answer was lost or not awaited to its end, listed as possibly billed."""
    rows = connection.execute(
        f"SELECT c.id AS cell_id, k.started_at AS started, {COORDINATES}, c.repeat, m.label AS model,"
        " a.title AS headline, k.at_most / 1e6 AS at_most FROM call k"
        f" JOIN cell c ON c.id = k.cell_id JOIN bundle b ON b.id = c.bundle_id{SETS}"
        " JOIN model m ON m.id = c.model_id JOIN item a ON a.id = c.item_id"
        f" WHERE c.run_id = ? AND {IS_UNKNOWN} ORDER BY k.started_at, c.position, c.id, k.attempt",
        (run_id,),
    )
    return records(UnknownCall, rows, coordinates=stored.joined_coordinates)


def in_doubt(connection: sqlite3.Connection, run_id: RunId) -> dict[ModelId, float]:
    """US dollars by model that such calls may have cost at most beyond what is counted of them; a model without any is
    left out."""
    rows = connection.execute(
        "SELECT c.model_id, sum(max(0.0, k.at_most - k.microdollars)) / 1e6 FROM cell c JOIN call k ON k.cell_id = c.id"
        f" WHERE c.run_id = ? AND {IS_UNKNOWN} GROUP BY c.model_id",
        (run_id,),
    )
    return {ModelId(model_id): dollars for model_id, dollars in rows}

"""Runs by name and time, without counting their cells."""

import json
import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from gpf_desktop.domain.ids import ProtocolId, RunId
from gpf_desktop.domain.scopes import WHOLE, Scope
from gpf_desktop.storage import stored
from gpf_desktop.storage.rows import records
from gpf_desktop.storage.times import as_moment


@dataclass(frozen=True, slots=True, kw_only=True)
class RunStamp:
    """The facts by which a run is picked, and with which protocol it asked."""

    id: RunId
    name: str
    created: datetime
    method: str
    protocol_id: ProtocolId
    controls: str = ""
    """In force, as JSON."""
    scope: Scope = WHOLE
    """What of the design it did not ask."""
    planned: bool = True
    """What its plan left out is here; answers from elsewhere have none, and files of an earlier program hold none."""
    ended: bool = True
    """Nothing of it is open any more."""


def run_stamps(connection: sqlite3.Connection) -> list[RunStamp]:
    """Every run, the newest first."""
    rows = connection.execute(
        "SELECT id, name, created_at AS created, protocol_id, method, controls,"
        " coalesce(json_extract(plan, '$.scope'), '{}') AS scope, plan <> '{}' AS planned,"
        " finished_at IS NOT NULL AS ended FROM run ORDER BY id DESC"
    )
    return records(
        RunStamp,
        rows,
        created=as_moment,
        scope=lambda text: Scope.of_plan({"scope": stored.structure(text)}),
        planned=bool,
        ended=bool,
    )


def item_kinds(connection: sqlite3.Connection, runs: Iterable[int]) -> frozenset[str]:
    """The kinds of the items that *runs* asked about."""
    rows = connection.execute(
        "SELECT DISTINCT i.kind FROM run r JOIN batch_item b ON b.batch_id = r.batch_id JOIN item i ON i.id = b.item_id"
        " WHERE r.id IN (SELECT value FROM json_each(?))",
        (json.dumps(list(runs)),),
    )
    return frozenset(kind for (kind,) in rows)

"""When the answers of rounds came."""

import json
import sqlite3
from collections.abc import Iterable
from datetime import datetime

from gpf_desktop.storage.times import as_moment


def answered_between(connection: sqlite3.Connection, runs: Iterable[int]) -> tuple[datetime, datetime] | None:
    """The first and the last moment at which an answer of *runs* came; None where none did."""
    first, last = connection.execute(
        "SELECT min(p.received_at), max(p.received_at) FROM response p JOIN cell c ON c.id = p.cell_id"
        " WHERE c.run_id IN (SELECT value FROM json_each(?))",
        (json.dumps(sorted(runs)),),
    ).fetchone()
    return None if first is None else (as_moment(first), as_moment(last))

"""Tables of a run kept as they were read: the rows behind Results, a million in a large audit, need not be read twice.

A table is kept with the stamp of the rows that it was made from. Stamps only ever rise, so a table whose stamp is still
that of the rows says what the rows say; any other is passed over and replaced.
"""

import sqlite3
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Final

CELLS: Final = "cells"
DECIDED: Final = "decided"
ANSWERS: Final = "answers"
SAID: Final = "said"
"""Contents that follow a run's cells; any other is of a score setting."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunTable:
    """One table of one run."""

    run_id: int
    content: str
    stamp: int
    data: bytes


Beside = Callable[[tuple[str, int, int]], bytes]
"""What is kept beside the audit of a content, a run and a stamp; empty where nothing is."""


def nowhere(_of: tuple[str, int, int]) -> bytes:
    """Nothing is kept beside the audit."""
    return b""


def scores_of(setting_id: int) -> str:
    """The content of a table of the scores under a setting."""
    return f"scores {setting_id}"


@contextmanager
def one_moment(connection: sqlite3.Connection) -> Iterator[None]:
    """Every statement within reads the audit as it was at the first; within a write it is so anyway."""
    if connection.in_transaction:
        yield
        return
    # Deferred: what is read is fixed by the first SELECT, and no writer waits for it.
    connection.execute("BEGIN")
    try:
        yield
    finally:
        connection.execute("ROLLBACK")


def stamps(connection: sqlite3.Connection, content: str) -> dict[int, int]:
    """The present stamp of the rows behind *content*, by run, in the order of runs."""
    if content in (CELLS, DECIDED, ANSWERS, SAID):
        rows = connection.execute("SELECT run_id, sum(changes) FROM fit_group GROUP BY run_id ORDER BY run_id")
    else:
        rows = connection.execute(
            "SELECT run_id, edition FROM score_edition WHERE setting_id = ? ORDER BY run_id",
            (int(content.removeprefix("scores ")),),
        )
    return dict(rows.fetchall())


def kept(connection: sqlite3.Connection, content: str, now: Mapping[int, int]) -> dict[int, bytes]:
    """Tables by run, where they are of the stamps *now*."""
    rows = connection.execute("SELECT run_id, stamp, data FROM run_table WHERE content = ?", (content,))
    return {run_id: data for run_id, stamp, data in rows if now.get(run_id) == stamp}


def keep(connection: sqlite3.Connection, table: RunTable) -> bool:
    """Keep *table* for the next time; False, and nothing done, where its rows have changed since it was read."""
    # Within the write, where no row can change any more: what was read before may have been overtaken on the way here.
    if stamps(connection, table.content).get(table.run_id) != table.stamp:
        return False
    connection.execute(
        "INSERT OR REPLACE INTO run_table (run_id, content, stamp, data) VALUES (?, ?, ?, ?)",
        (table.run_id, table.content, table.stamp, table.data),
    )
    return True

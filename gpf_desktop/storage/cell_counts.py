"""How the cells of an audit ended, counted for the coverage and refusal tables.

Answers are long and many, so their rows are not touched: what is missing is looked up for missing cells alone, and
what is cut or refuses in words is read from the flags. Counts of a run are kept until one of its cells changes.
"""

import json
import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass

from gpf_desktop.storage import run_tables
from gpf_desktop.storage.run_tables import CELLS, RunTable

CELL_COLUMNS = (
    "run_id",
    "batch_id",
    "model",
    "vendor",
    "synthetic",
    "stratum",
    "condition",
    "dimension",
    "identity",
    "paraphrase",
    "repeated",
    "reason",
    "n",
    "worded_refusals",
    "truncated",
)
"""Columns of `CountedCells.rows`; *reason* is empty for an answer."""

Row = tuple[object, ...]
_KEY = "c.model_id, t.stratum, c.condition, c.dimension, c.identity, c.paraphrase, c.repeat > 0"
_FROM = " JOIN run r ON r.id = c.run_id JOIN batch_article t ON t.batch_id = r.batch_id AND t.article_id = c.article_id"


@dataclass(frozen=True, slots=True, kw_only=True)
class CountedCells:
    """One row per combination of the first twelve of `CELL_COLUMNS` that occurs."""

    rows: list[Row]
    read: tuple[RunTable, ...]
    """What had to be counted, to be kept for the next time."""


def cell_counts(connection: sqlite3.Connection, refusal_flag: str, truncated_flag: str) -> CountedCells:
    """*refusal_flag* and *truncated_flag* are the names of the flags that mark answers as such."""
    found: list[Row] = []
    read: list[RunTable] = []
    with run_tables.one_moment(connection):
        now = run_tables.stamps(connection, CELLS)
        kept = run_tables.kept(connection, CELLS, now)
        batch_of = dict(connection.execute("SELECT id, batch_id FROM run").fetchall())
        named = {
            row[0]: row[1:]
            for row in connection.execute(
                "SELECT id, label,"
                " coalesce(nullif(json_extract(endpoint, '$.vendor'), ''), provider), synthetic FROM model"
            )
        }
        for run_id, stamp in now.items():
            counts = _unpacked(kept.get(run_id, b""))
            if counts is None:
                counts = _counted(connection, run_id, (refusal_flag, truncated_flag))
                data = json.dumps(counts, separators=(",", ":")).encode()
                read.append(RunTable(run_id=run_id, content=CELLS, stamp=stamp, data=data))
            place = (run_id, batch_of[run_id])
            found += [(*place, *named[row[0]], *row[1:]) for row in counts]
    return CountedCells(rows=found, read=tuple(read))


def _unpacked(data: bytes) -> Sequence[Row] | None:
    """None for what is no such table, which is then counted from its rows."""
    try:
        rows = json.loads(data)
    except ValueError:
        return None
    width = len(CELL_COLUMNS) - 4  # the model's number stands for its names, the run is known
    return rows if isinstance(rows, list) and all(isinstance(row, list) and len(row) == width for row in rows) else None


def _counted(connection: sqlite3.Connection, run_id: int, flags: tuple[str, str]) -> list[Row]:
    tallies: dict[Row, list[int]] = {}

    def add(rows: Sequence[Row], place: int) -> None:
        for *key, n in rows:
            tallies.setdefault(tuple(key), [0, 0, 0])[place] += int(str(n))

    states = "CASE c.state WHEN 'answered' THEN '' ELSE 'not yet run' END"
    add(
        connection.execute(
            f"SELECT {_KEY}, {states}, count(*) FROM cell c{_FROM} WHERE c.run_id = ? AND c.state <> 'missing'"
            f" GROUP BY {_KEY}, {states}",
            (run_id,),
        ).fetchall(),
        0,
    )
    add(
        connection.execute(
            f"SELECT {_KEY}, p.missing, count(*) FROM cell c{_FROM} JOIN response p ON p.cell_id = c.id"
            f" WHERE c.run_id = ? AND c.state = 'missing' GROUP BY {_KEY}, p.missing",
            (run_id,),
        ).fetchall(),
        0,
    )
    for place, flag in enumerate(flags, start=1):
        add(
            connection.execute(
                # From the run's cells to their flags, not from every flag of the audit to its cell.
                f"SELECT {_KEY}, '', count(*) FROM cell c{_FROM} JOIN flag f ON f.cell_id = c.id AND f.name = ?"
                f" WHERE c.run_id = ? AND c.state = 'answered' GROUP BY {_KEY}",
                (flag, run_id),
            ).fetchall(),
            place,
        )
    return [(*key, *counts) for key, counts in tallies.items()]

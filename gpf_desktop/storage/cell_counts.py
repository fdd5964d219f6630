"""How the cells of an audit ended, counted for the coverage and refusal tables.

Answers are long and many, so their rows are not touched: what is missing is looked up for missing cells alone, and
what is cut or refuses in words is read from the flags. Counts of a run are kept until one of its cells changes.
"""

import json
import sqlite3
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass

from gpf_desktop.domain.coordinates import Coordinates
from gpf_desktop.storage import coordinate_sets, run_tables
from gpf_desktop.storage.run_tables import CELLS, DECIDED, Beside, RunTable, nowhere

PLACE = ("run_id", "batch_id", "model", "vendor", "synthetic", "stratum")
CELL_COLUMNS = (
    *PLACE,
    "arm",
    "coordinates",
    "repeated",
    "reason",
    "n",
    "worded_refusals",
    "truncated",
)
"""Columns of `cell_counts`; *coordinates* are those of `CountedCells.sets`, *reason* is empty for an answer."""
DECIDED_COLUMNS = (*PLACE, "article_id", "coordinates", "decided", "refused", "worded_refusals")
"""Columns of `decided_counts`."""

Row = tuple[object, ...]
FROM_CELLS = (
    " JOIN bundle b ON b.id = c.bundle_id JOIN run r ON r.id = c.run_id"
    " JOIN batch_item t ON t.batch_id = r.batch_id AND t.item_id = c.item_id"
)
SETS = "b.coordinates_id, c.coordinates_id"
_AT = 3
"""Where those two stand in what is counted: behind the model, the stratum and one more."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CountedCells:
    """One row per combination that occurs of all columns but the last three."""

    rows: list[Row]
    sets: Mapping[tuple[int, int], Coordinates]
    """What the numbers in the column *coordinates* stand for: a bundle's, and a cell's within it."""
    read: tuple[RunTable, ...] = ()
    """What had to be counted, to be kept for the next time."""


def cell_counts(
    connection: sqlite3.Connection,
    refusal_flag: str,
    truncated_flag: str,
    unread_flag: str,
    only: Collection[int] | None = None,
    beside: Beside = nowhere,
) -> CountedCells:
    """How cells ended; of the bundles *only*, where they are given, and then nothing of it is to be kept.

    *refusal_flag* and *truncated_flag* are the names of the flags that mark answers as such. What *unread_flag* marks
    is no answer that a score could rest on: its name is the reason.
    """
    key = f"c.model_id, t.stratum, b.arm, {SETS}, c.repeat > 0"
    unread = "SELECT 1 FROM flag f WHERE f.cell_id = c.id AND f.name = ?1"
    states = f"CASE WHEN c.state <> 'answered' THEN 'not yet run' WHEN EXISTS ({unread}) THEN ?1 ELSE '' END"
    missing = f"SELECT {key}, p.missing, count(*) FROM cell c{FROM_CELLS} JOIN response p ON p.cell_id = c.id"
    flagged = (
        # From the run's cells to their flags, not from every flag of the audit to its cell.
        f"SELECT {key}, '', count(*) FROM cell c{FROM_CELLS} JOIN flag f ON f.cell_id = c.id AND f.name = ?"
        " WHERE c.state = 'answered'"
    )

    def count(run_id: int) -> list[Row]:
        tallies = _Tallies(connection, run_id, only)
        there = f"SELECT {key}, {states}, count(*) FROM cell c{FROM_CELLS} WHERE c.state <> 'missing'"
        tallies.add(0, there, f"{key}, {states}", (unread_flag,))
        tallies.add(0, f"{missing} WHERE c.state = 'missing'", f"{key}, p.missing")
        for place, flag in enumerate((refusal_flag, truncated_flag), start=1):
            tallies.add(place, flagged, key, (flag,))
        return tallies.rows()

    return counted_by_run(connection, CELLS, len(CELL_COLUMNS), count, only, beside=beside)


def decided_counts(
    connection: sqlite3.Connection,
    refusal_flag: str,
    only: Collection[int] | None = None,
    beside: Beside = nowhere,
) -> CountedCells:
    """Counts of the cells that their model decided, answered or refused, by item and coordinates."""
    key = f"c.model_id, t.stratum, c.item_id, {SETS}"
    every = f"SELECT {key}, count(*) FROM cell c{FROM_CELLS}"
    refused = " JOIN response p ON p.cell_id = c.id AND p.missing = 'refused'"

    def count(run_id: int) -> list[Row]:
        tallies = _Tallies(connection, run_id, only)
        tallies.add(0, f"{every} WHERE c.state = 'answered'", key)
        # A refusal is a decision: it counts among the decided and among the refused.
        for place in (0, 1):
            tallies.add(place, f"{every}{refused} WHERE c.state = 'missing'", key)
        flags = f"{every} JOIN flag f ON f.cell_id = c.id AND f.name = ? WHERE c.state = 'answered'"
        tallies.add(2, flags, key, (refusal_flag,))
        return tallies.rows()

    return counted_by_run(connection, DECIDED, len(DECIDED_COLUMNS), count, only, beside=beside)


class _Tallies:
    """Three counts per key, added up query by query over one run's cells."""

    def __init__(self, connection: sqlite3.Connection, run_id: int, only: Collection[int] | None) -> None:
        self._connection = connection
        self._within = " AND c.run_id = ?"
        self._values: tuple[object, ...] = (run_id,)
        if only is not None:
            self._within += " AND c.bundle_id IN (SELECT value FROM json_each(?))"
            self._values = (run_id, json.dumps(sorted(only)))
        self._counts: dict[Row, list[int]] = {}

    def add(self, place: int, query: str, groups: str, values: tuple[object, ...] = ()) -> None:
        rows = self._connection.execute(f"{query}{self._within} GROUP BY {groups}", (*values, *self._values))
        for *key, n in rows:
            self._counts.setdefault(tuple(key), [0, 0, 0])[place] += int(n)

    def rows(self) -> list[Row]:
        return [(*key, *counts) for key, counts in self._counts.items()]


def counted_by_run(
    connection: sqlite3.Connection,
    content: str,
    width: int,
    count: Callable[[int], list[Row]],
    only: Collection[int] | None,
    *,
    rules: str = "",
    beside: Beside = nowhere,
) -> CountedCells:
    """The counts that *count* makes of each run, unless they are kept in the audit or *beside* it, made by the same
    *rules*."""
    found: list[Row] = []
    pairs: set[tuple[int, int]] = set()
    read: list[RunTable] = []
    with run_tables.one_moment(connection):
        now = run_tables.stamps(connection, content)
        kept = run_tables.kept(connection, content, now) if only is None else {}
        batch_of = dict(connection.execute("SELECT id, batch_id FROM run").fetchall())
        named = {
            row[0]: row[1:]
            for row in connection.execute(
                "SELECT id, label,"
                " coalesce(nullif(json_extract(endpoint, '$.vendor'), ''), provider), synthetic FROM model"
            )
        }
        for run_id, stamp in now.items():
            # The model's number stands for its names, two numbers for the coordinates, the run is known.
            # Names may change while the counts stand, so they are not among what is kept.
            counts = _unpacked(kept.get(run_id, b""), width - 3, rules)
            if counts is None and only is None:
                counts = _unpacked(beside((content, run_id, stamp)), width - 3, rules)
            if counts is None:
                counts = count(run_id)
                whole = [[rules], *counts] if rules else counts
                data = json.dumps(whole, separators=(",", ":")).encode()
                read.append(RunTable(run_id=run_id, content=content, stamp=stamp, data=data))
            place = (run_id, batch_of[run_id])
            found += [
                (*place, *named[row[0]], *row[1:_AT], (row[_AT], row[_AT + 1]), *row[_AT + 2 :]) for row in counts
            ]
            pairs |= {(int(str(row[_AT])), int(str(row[_AT + 1]))) for row in counts}
        every = coordinate_sets.every(connection)
    sets = {(fixed, varying): every[fixed].joined(every[varying]) for fixed, varying in pairs}
    return CountedCells(rows=found, sets=sets, read=tuple(read) if only is None else ())


def _unpacked(data: bytes, width: int, rules: str) -> Sequence[Row] | None:
    """None for what is no such table, or one by other *rules*, which is then counted from its rows."""
    try:
        rows = json.loads(data)
    except (ValueError, RecursionError):
        return None
    if rules:
        if not isinstance(rows, list) or rows[:1] != [[rules]]:
            return None
        rows = rows[1:]
    return rows if isinstance(rows, list) and all(isinstance(row, list) and len(row) == width for row in rows) else None

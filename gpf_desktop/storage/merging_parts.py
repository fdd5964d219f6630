"""Brings together what several machines asked of the same frozen rounds.

Numbers of runs, fit groups and cells as they were planned are the same in all parts, for `frozen` says so; cells of
later stages, and what texts stand for, are found by what they are.
"""

import json
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from itertools import count
from typing import Any, Final

from gpf_desktop.domain.ids import FitGroupId, RunId
from gpf_desktop.domain.responses import Missing
from gpf_desktop.domain.runs import RunState
from gpf_desktop.storage import coordinate_sets, stored
from gpf_desktop.storage.archived_texts import TEXT
from gpf_desktop.storage.times import now
from gpf_desktop.storage.used_numbers import next_number

_KEY: Final = "b.grouping, b.arm, b.model_id, b.item_id, x.text, c.model_id, c.item_id, y.text, c.repeat, c.stage"
"""SQL: what a cell of a group is, but for the cell that it rests on."""
_CELLS: Final = f"FROM bundle b JOIN cell c ON c.bundle_id = b.id{coordinate_sets.SETS}"

_FROZEN: Final = (
    """SELECT r.method, r.method_version, r.plan_hash, r.controls, r.seed, p.hash
    FROM run r JOIN protocol p ON p.id = r.protocol_id WHERE r.id = ?""",
    """SELECT t.item_id, i.key, t.position, t.title, t.text, t.stratum, t.data FROM run r
    JOIN batch_item t ON t.batch_id = r.batch_id JOIN item i ON i.id = t.item_id WHERE r.id = ? ORDER BY t.position""",
    """SELECT m.id, m.provider, m.model, m.base_url, x.position, x.role
    FROM run_model x JOIN model m ON m.id = x.model_id WHERE x.run_id = ? ORDER BY x.position""",
    f"""SELECT c.id, b.id, b.fit_group_id, c.seed, c.position, {_KEY} {_CELLS}
    WHERE c.run_id = ? AND c.stage = 0 ORDER BY c.id""",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class FrozenRun:
    """A run as it was planned."""

    name: str
    plan_hash: str
    digest: bytes
    """Of its design, items, models and every cell of its first stage, with their numbers."""


@dataclass(slots=True)
class HeldGroup:
    """The answers and the calls that a part holds of one fit group."""

    answers: set[bytes] = field(default_factory=set)
    """Digests: which cell, when, what."""
    ended: int = 0
    calls: int = 0


def frozen(connection: sqlite3.Connection) -> dict[RunId, FrozenRun]:
    """Every run, by its number."""
    rows = connection.execute("SELECT id, name, plan_hash FROM run ORDER BY id").fetchall()
    return {
        RunId(run): FrozenRun(name=name, plan_hash=plan_hash, digest=_digest(connection, run))
        for run, name, plan_hash in rows
    }


def _digest(connection: sqlite3.Connection, run: int) -> bytes:
    told = blake2b(digest_size=16)
    for statement in _FROZEN:
        for row in connection.execute(statement, (run,)):
            told.update(repr(row).encode("utf-8", "surrogatepass"))
    return told.digest()


def held(connection: sqlite3.Connection) -> dict[FitGroupId, HeldGroup]:
    """The answers and the calls held, by fit group, for each group of which something was asked."""
    found: dict[FitGroupId, HeldGroup] = {}
    rows = connection.execute(
        f"SELECT b.fit_group_id, p.received_at, {TEXT}, p.missing, {_KEY} {_CELLS} JOIN response p ON p.cell_id = c.id"
    )
    for group, at, text, missing, *key in rows:
        mine = found.setdefault(FitGroupId(group), HeldGroup())
        mine.ended += 1
        if missing is None:
            # A missing answer may have been asked again, an answer never is.
            told = blake2b(repr((key, at, text)).encode("utf-8", "surrogatepass"), digest_size=12)
            mine.answers.add(told.digest())
    calls = connection.execute(
        "SELECT b.fit_group_id, count(*) FROM call k JOIN cell c ON c.id = k.cell_id"
        " JOIN bundle b ON b.id = c.bundle_id GROUP BY 1"
    )
    for group, n in calls:
        found.setdefault(FitGroupId(group), HeldGroup()).calls = n
    return found


def readings(connection: sqlite3.Connection) -> int:
    """The number of entries of reviewers."""
    return int(connection.execute("SELECT count(*) FROM review_entry").fetchone()[0])


def jobs(connection: sqlite3.Connection) -> int:
    """Cells whose batch job is under way."""
    return int(connection.execute("SELECT count(*) FROM cell WHERE state = 'submitted'").fetchone()[0])


def group_words(connection: sqlite3.Connection, group: FitGroupId) -> tuple[str, str]:
    """(model, title of the item) of a group; empty where it is of several."""
    row = connection.execute(
        "SELECT coalesce(m.label, ''), coalesce(i.title, '') FROM fit_group g LEFT JOIN model m ON m.id = g.model_id"
        " LEFT JOIN item i ON i.id = g.item_id WHERE g.id = ?",
        (group,),
    ).fetchone()
    return str(row[0]), str(row[1])


def further_places(whole: sqlite3.Connection) -> Iterator[int]:
    """Places in the order of asking behind all that are taken."""
    return count(1 + int(whole.execute("SELECT coalesce(max(position), -1) FROM cell").fetchone()[0]))


def take_over(whole: sqlite3.Connection, part: sqlite3.Connection, group: FitGroupId, places: Iterator[int]) -> None:
    """Have *whole* hold of *group* what *part* holds, and its own calls beside those of *part*.

    *places* are given to cells of later stages that *whole* has not.
    """
    cells = _cells_of(whole, part, group, places)
    _copy_calls(whole, part, group, cells, exchanges=True)
    served: dict[int, int] = {}
    for row in _of_cells(part, "response", group):
        if (number := row["served_id"]) is not None:
            row["served_id"] = served.get(number) or served.setdefault(number, _served(whole, part, number))
        _put(whole, "response", {**row, "cell_id": cells[row["cell_id"]]}, "INSERT OR REPLACE")
    for row in _of_cells(part, "flag", group):
        _put(whole, "flag", {**row, "cell_id": cells[row["cell_id"]]}, "INSERT OR REPLACE")
    for row in _of_cells(part, "cell_vector", group):
        vector = _row(part, "SELECT model_id, digest, made_at, data FROM vector WHERE id = ?", row["vector_id"])
        _put(whole, "vector", vector, "INSERT OR IGNORE")
        known = "SELECT id FROM vector WHERE model_id = ? AND digest = ?"
        number = whole.execute(known, (vector["model_id"], vector["digest"])).fetchone()[0]
        _put(whole, "cell_vector", {"cell_id": cells[row["cell_id"]], "vector_id": number}, "INSERT OR REPLACE")
    states = part.execute(
        "SELECT c.id, iif(c.state = 'asked', 'open', c.state) FROM cell c JOIN bundle b ON b.id = c.bundle_id"
        " WHERE b.fit_group_id = ?",
        (group,),
    )
    whole.executemany("UPDATE cell SET state = ? WHERE id = ?", [(state, cells[cell]) for cell, state in states])
    theirs = _row(part, "SELECT bundles, unended, stages_left, answers FROM fit_group WHERE id = ?", group)
    # What the trigger counted is of cells that were there before.
    whole.execute(
        "UPDATE fit_group SET bundles = ?, unended = ?, stages_left = ?, answers = ?, changes = changes + 1"
        " WHERE id = ?",
        (*theirs.values(), group),
    )


def add_calls(whole: sqlite3.Connection, part: sqlite3.Connection, group: FitGroupId) -> None:
    """Have *whole* list the calls that *part* made about *group* for nothing: they were paid."""
    _copy_calls(whole, part, group, _known_cells(whole, part, group), exchanges=False)


def add_notes(whole: sqlite3.Connection, part: sqlite3.Connection) -> None:
    """Copy the run notes of *part* into *whole*, without those that it has."""
    rows = part.execute("SELECT run_id, at, sentence, kind FROM run_note ORDER BY id")
    whole.executemany(
        "INSERT INTO run_note (run_id, at, sentence, kind) SELECT ?1, ?2, ?3, ?4 WHERE NOT EXISTS"
        " (SELECT 1 FROM run_note WHERE run_id = ?1 AND at = ?2 AND sentence = ?3)",
        list(rows),
    )


def begun_earlier(whole: sqlite3.Connection, part: sqlite3.Connection) -> None:
    """A run began when the first of its parts did."""
    rows = part.execute("SELECT started_at, started_by, id FROM run WHERE started_at IS NOT NULL")
    whole.executemany(
        "UPDATE run SET started_at = min(coalesce(started_at, ?1), ?1),"
        " started_by = iif(started_by = '', ?2, started_by) WHERE id = ?3",
        list(rows),
    )


def settle(whole: sqlite3.Connection, caps: Mapping[RunId, float | None]) -> dict[RunId, RunState]:
    """The state of runs that were asked, by what is there of them now; *caps*: what each of them may cost in all."""
    found = {}
    rows = whole.execute(
        "SELECT r.id, sum(g.unended), (SELECT count(*) FROM cell WHERE run_id = r.id AND state = 'missing'),"
        " (SELECT max(p.received_at) FROM response p JOIN cell c ON c.id = p.cell_id WHERE c.run_id = r.id)"
        " FROM run r JOIN fit_group g ON g.run_id = r.id WHERE r.started_at IS NOT NULL"
        " AND r.id IN (SELECT value FROM json_each(?)) GROUP BY r.id",
        (json.dumps(list(caps)),),
    ).fetchall()
    for run, unended, missing, last in rows:
        over = RunState.FINISHED_WITH_GAPS if missing else RunState.FINISHED
        state = RunState.PAUSED if unended else over
        found[RunId(run)] = state
        whole.execute(
            "UPDATE run SET state = ?, finished_at = ?, spend_cap = ? WHERE id = ?",
            (state, None if unended else last, caps[RunId(run)], run),
        )
    return found


def _copy_calls(
    whole: sqlite3.Connection,
    part: sqlite3.Connection,
    group: FitGroupId,
    cells: Mapping[int, int],
    *,
    exchanges: bool,
) -> None:
    """Copy the calls that *whole* lacks; one whose number is taken there by another gets a number after all of them."""
    numbers: dict[tuple[int, int], int] = {}
    for row in _of_cells(part, "call", group):
        if (cell := cells.get(row["cell_id"])) is None:
            continue
        known = whole.execute("SELECT attempt, started_at FROM call WHERE cell_id = ?", (cell,)).fetchall()
        if row["started_at"] in {at for _, at in known}:
            numbers[row["cell_id"], row["attempt"]] = next(n for n, at in known if at == row["started_at"])
            continue
        taken = {n for n, _ in known}
        attempt = row["attempt"] if row["attempt"] not in taken else max(taken) + 1
        numbers[row["cell_id"], row["attempt"]] = attempt
        ended = {} if row["finished_at"] else {"finished_at": now(), "outcome": str(Missing.UNKNOWN)}
        _put(whole, "call", {**row, **ended, "cell_id": cell, "attempt": attempt})
    if exchanges:
        for row in _of_cells(part, "exchange", group):
            attempt = numbers.get((row["cell_id"], row["attempt"]), row["attempt"])
            _put(whole, "exchange", {**row, "cell_id": cells[row["cell_id"]], "attempt": attempt}, "INSERT OR REPLACE")


def _known_cells(whole: sqlite3.Connection, part: sqlite3.Connection, group: FitGroupId) -> dict[int, int]:
    """Cell of *part* → the same one of *whole*, of those that are there."""
    there = _keys(whole, group)
    mine: dict[int, int] = {}
    for cell, (key, parent) in _keys_in_order(part, group):
        known = there.get((key, None if parent is None else mine.get(parent)))
        if known is not None:
            mine[cell] = known
    return mine


def _cells_of(
    whole: sqlite3.Connection, part: sqlite3.Connection, group: FitGroupId, places: Iterator[int]
) -> dict[int, int]:
    """The cell of *whole* for each cell of *part*; cells of later stages that *whole* has not are made."""
    there = _keys(whole, group)
    mine: dict[int, int] = {}
    for cell, (key, parent) in _keys_in_order(part, group):
        on = None if parent is None else mine[parent]
        known = there.get((key, on))
        mine[cell] = _new_cell(whole, part, cell, on, group, next(places)) if known is None else known
    return mine


def _keys(connection: sqlite3.Connection, group: FitGroupId) -> dict[tuple[tuple[Any, ...], int | None], int]:
    return {key: cell for cell, key in _keys_in_order(connection, group)}


def _keys_in_order(
    connection: sqlite3.Connection, group: FitGroupId
) -> Iterator[tuple[int, tuple[tuple[Any, ...], int | None]]]:
    """The cells of *group* with their keys, those that others rest on first."""
    rows = connection.execute(
        f"SELECT c.id, c.parent_cell_id, {_KEY} {_CELLS} WHERE b.fit_group_id = ? ORDER BY c.stage, c.id", (group,)
    ).fetchall()
    for cell, parent, *key in rows:
        yield cell, (tuple(key), parent)


def _new_cell(
    whole: sqlite3.Connection,
    part: sqlite3.Connection,
    cell: int,
    parent: int | None,
    group: FitGroupId,
    place: int,
) -> int:
    row = _row(part, "SELECT * FROM cell WHERE id = ?", cell)
    bundle = _row(part, "SELECT * FROM bundle WHERE id = ?", row["bundle_id"])
    bundle["coordinates_id"] = _coordinates(whole, part, bundle["coordinates_id"])
    kept = ("run_id", "grouping", "model_id", "item_id", "coordinates_id", "arm")
    known = whole.execute(
        "SELECT id FROM bundle WHERE " + " AND ".join(f"{name} IS ?" for name in kept), [bundle[name] for name in kept]
    ).fetchone()
    if known is None:
        made = {**bundle, "id": next_number(whole, "bundle"), "fit_group_id": group}
        row["bundle_id"] = _put(whole, "bundle", made)
    else:
        row["bundle_id"] = known[0]
        whole.execute("UPDATE bundle SET planned = ? WHERE id = ?", (bundle["planned"], known[0]))
    row |= {"id": next_number(whole, "cell"), "parent_cell_id": parent, "position": place, "state": "open"}
    row["coordinates_id"] = _coordinates(whole, part, row["coordinates_id"])
    return _put(whole, "cell", row)


def _coordinates(whole: sqlite3.Connection, part: sqlite3.Connection, number: int) -> int:
    (text,) = part.execute("SELECT text FROM coordinate_set WHERE id = ?", (number,)).fetchone()
    return coordinate_sets.number_of(whole, stored.coordinates(text))


def _served(whole: sqlite3.Connection, part: sqlite3.Connection, number: int) -> int:
    row = _row(part, "SELECT model, fingerprint, host FROM served WHERE id = ?", number)
    _put(whole, "served", row, "INSERT OR IGNORE")
    known = "SELECT id FROM served WHERE model = ? AND fingerprint = ? AND host = ?"
    return int(whole.execute(known, tuple(row.values())).fetchone()[0])


def _of_cells(part: sqlite3.Connection, table: str, group: FitGroupId) -> list[dict[str, Any]]:
    statement = (
        f"SELECT t.* FROM {table} t JOIN cell c ON c.id = t.cell_id JOIN bundle b ON b.id = c.bundle_id"
        " WHERE b.fit_group_id = ? ORDER BY t.cell_id"
    )
    cursor = part.execute(statement, (group,))
    names = [column[0] for column in cursor.description]
    return [dict(zip(names, row, strict=True)) for row in cursor]


def _row(connection: sqlite3.Connection, statement: str, number: int) -> dict[str, Any]:
    cursor = connection.execute(statement, (number,))
    return dict(zip([column[0] for column in cursor.description], cursor.fetchone(), strict=True))


def _put(connection: sqlite3.Connection, table: str, row: Mapping[str, Any], how: str = "INSERT") -> int:
    names: Sequence[str] = tuple(row)
    places = ", ".join("?" * len(names))
    made = connection.execute(f"{how} INTO {table} ({', '.join(names)}) VALUES ({places})", tuple(row.values()))
    return made.lastrowid or 0

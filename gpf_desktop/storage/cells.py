"""Cells and bundles of a run: planned once, asked in order, never twice once answered."""

import json
import sqlite3
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

from gpf_desktop.domain.cells import Grouping
from gpf_desktop.domain.coordinates import Coordinates, PlannedAnswer
from gpf_desktop.domain.ids import ArticleId, BundleId, CellId, FitGroupId, ModelId, RunId
from gpf_desktop.domain.methods import Basis
from gpf_desktop.domain.responses import Missing
from gpf_desktop.storage import stored
from gpf_desktop.storage.coordinate_sets import CoordinateNumbers
from gpf_desktop.storage.times import now


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedCell:
    """A cell on its way into the store."""

    model_id: ModelId
    article_id: ArticleId
    answer: PlannedAnswer
    seed: int
    position: int
    """Place in the order of asking."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenCell:
    """A cell that is still to be asked."""

    id: CellId
    bundle_id: BundleId
    fit_group_id: FitGroupId
    article_id: ArticleId
    coordinates: Coordinates
    """On every factor: those that its bundle holds fixed, then those that vary in it."""
    repeat: int
    seed: int
    position: int
    stage: int
    attempts: int
    """Calls already made for it, of outcome unknown or failed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class UnknownCall:
    """A call that was sent, or was about to be, when the program ended: possibly billed."""

    cell_id: CellId
    started: str
    coordinates: Coordinates
    repeat: int
    model: str
    headline: str


FIT_BY_ITEM = frozenset({"model", "item"})
"""An encoder is fitted on one model's answers about one item."""


def plan(
    connection: sqlite3.Connection,
    run_id: RunId,
    grouping: Grouping,
    cells: Iterable[PlannedCell],
    *,
    fitted_on: frozenset[str] = FIT_BY_ITEM,
) -> int:
    """Store a run's *cells*, and the bundles they fall into; returns how many there are.

    Cells of one bundle get ascending ids in the order given: the protocol's order. *fitted_on*: of ``model`` and
    ``item`` those that the answers of one fit have in common; answers of unlike stages never are in one.
    """
    numbers = CoordinateNumbers(connection)
    bundles: dict[tuple[Any, ...], int] = {}
    planned: Counter[int] = Counter()
    groups: dict[tuple[Any, ...], int] = {}
    cells_of: Counter[int] = Counter()
    bundles_of: Counter[int] = Counter()
    rows: list[tuple[Any, ...]] = []
    for cell in cells:
        answer = cell.answer
        fit = tuple(
            number if name in fitted_on else None
            for name, number in (("model", cell.model_id), ("item", cell.article_id))
        )
        group = groups.get((*fit, answer.stage))
        if group is None:
            group = groups[*fit, answer.stage] = _insert(
                connection, "INSERT INTO fit_group (run_id, model_id, item_id) VALUES (?, ?, ?)", (run_id, *fit)
            )
        cells_of[group] += 1
        key = (
            None if "model" in grouping.varies else cell.model_id,
            None if "item" in grouping.varies else cell.article_id,
            numbers[answer.coordinates.without(grouping.varies)],
        )
        bundle_id = bundles.get(key)
        if bundle_id is None:
            bundles_of[group] += 1
            bundle_id = bundles[key] = _insert(
                connection,
                "INSERT INTO bundle (run_id, grouping, model_id, item_id, coordinates_id, arm, planned, fit_group_id)"
                " VALUES (?, ?, ?, ?, ?, ?, 0, ?)",
                (run_id, grouping.name, *key, answer.arm, group),
            )
        planned[bundle_id] += answer.repeat == 0
        varying = numbers[answer.coordinates.only(grouping.varies)]
        rows.append(
            (
                run_id,
                bundle_id,
                cell.model_id,
                cell.article_id,
                varying,
                answer.repeat,
                answer.stage,
                cell.seed,
                cell.position,
            )
        )
    connection.executemany(
        "INSERT INTO cell (run_id, bundle_id, model_id, item_id, coordinates_id, repeat, stage, seed, position)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
        rows,
    )
    connection.executemany(
        "UPDATE bundle SET planned = ? WHERE id = ?", [(n, bundle_id) for bundle_id, n in planned.items()]
    )
    connection.executemany(
        "UPDATE fit_group SET bundles = ?, unended = ? WHERE id = ?",
        [(bundles_of[group], n, group) for group, n in cells_of.items()],
    )
    return len(rows)


def _insert(connection: sqlite3.Connection, statement: str, values: tuple[Any, ...]) -> int:
    return connection.execute(statement, values).lastrowid or 0


def of_run(connection: sqlite3.Connection, run_id: RunId) -> list[CellId]:
    """Every cell of a run, in the order planned."""
    return [CellId(row[0]) for row in connection.execute("SELECT id FROM cell WHERE run_id = ? ORDER BY id", (run_id,))]


def next_open(
    connection: sqlite3.Connection, run_id: RunId, model_id: ModelId, *, after: int, limit: int
) -> list[OpenCell]:
    """The next cells of a model in the order of asking, from the one behind position *after*."""
    return select(
        connection,
        "run_id = ? AND model_id = ? AND state = 'open' AND position > ? ORDER BY position LIMIT ?",
        (run_id, model_id, after, limit),
    )


def select(connection: sqlite3.Connection, where: str, values: Sequence[object]) -> list[OpenCell]:
    """Cells that fit *where*, SQL of this package with *values* for its question marks."""
    rows = connection.execute(
        "SELECT id, bundle_id, item_id,"
        " (SELECT s.text FROM coordinate_set s JOIN bundle b ON b.coordinates_id = s.id WHERE b.id = cell.bundle_id),"
        " (SELECT text FROM coordinate_set WHERE id = cell.coordinates_id),"
        " repeat, seed, position, (SELECT coalesce(max(attempt), 0) FROM call WHERE cell_id = cell.id),"
        f" (SELECT fit_group_id FROM bundle WHERE id = cell.bundle_id), stage FROM cell WHERE {where}",
        values,
    )
    return [
        OpenCell(
            id=CellId(row[0]),
            bundle_id=BundleId(row[1]),
            fit_group_id=FitGroupId(row[9]),
            article_id=ArticleId(row[2]),
            coordinates=stored.coordinates(row[3]).joined(stored.coordinates(row[4])),
            repeat=row[5],
            seed=row[6],
            position=row[7],
            stage=row[10],
            attempts=row[8],
        )
        for row in rows
    ]


def earlier_answer(
    connection: sqlite3.Connection, run_id: RunId, item_id: ArticleId, basis: Basis, *, before: int
) -> str | None:
    """The answer of a stage *before* that number that *basis* names; None where there is none."""
    rows = connection.execute(
        "SELECT b.text, v.text, p.text FROM cell c JOIN model m ON m.id = c.model_id"
        " JOIN bundle u ON u.id = c.bundle_id JOIN coordinate_set b ON b.id = u.coordinates_id"
        " JOIN coordinate_set v ON v.id = c.coordinates_id JOIN response p ON p.cell_id = c.id"
        " WHERE c.run_id = ? AND c.item_id = ? AND c.stage < ? AND c.repeat = ? AND c.state = 'answered'"
        " AND m.label = ?",
        (run_id, item_id, before, basis.repeat, basis.model),
    )
    wanted = set(basis.coordinates)
    for of_bundle, varying, text in rows:
        if set(stored.coordinates(of_bundle).joined(stored.coordinates(varying))) == wanted:
            return str(text)
    return None


def record_starts(connection: sqlite3.Connection, starts: Sequence[tuple[CellId, int]]) -> None:
    """Calls about to be sent, as (cell, attempt): durable before the first byte leaves, so that a kill can be told."""
    at = now()
    connection.executemany(
        "INSERT INTO call (cell_id, attempt, started_at) VALUES (?, ?, ?)",
        [(cell_id, attempt, at) for cell_id, attempt in starts],
    )
    connection.executemany("UPDATE cell SET state = 'asked' WHERE id = ?", [(cell_id,) for cell_id, _ in starts])


def close_unknown(connection: sqlite3.Connection, run_id: RunId) -> int:
    """Mark the calls whose end nobody saw as unknown and open their cells again; returns how many."""
    cursor = connection.execute(
        "UPDATE call SET outcome = 'outcome unknown', finished_at = ? WHERE finished_at IS NULL"
        " AND cell_id IN (SELECT id FROM cell WHERE run_id = ? AND state = 'asked')",
        (now(), run_id),
    )
    unknown = cursor.rowcount
    connection.execute("UPDATE cell SET state = 'open' WHERE run_id = ? AND state = 'asked'", (run_id,))
    return unknown


def withdraw_unsent(connection: sqlite3.Connection, run_id: RunId) -> None:
    """Take back the starts of calls that were never sent and open every cell that has no end yet.

    For the end of an execution, when calls in flight have landed or were closed: what is still open was not sent.
    """
    asked = "SELECT id FROM cell WHERE run_id = ? AND state = 'asked'"
    connection.execute(f"DELETE FROM call WHERE finished_at IS NULL AND cell_id IN ({asked})", (run_id,))
    connection.execute("UPDATE cell SET state = 'open' WHERE run_id = ? AND state = 'asked'", (run_id,))


def unknown_calls(connection: sqlite3.Connection, run_id: RunId) -> list[UnknownCall]:
    """Calls whose answer was lost or not awaited to its end, listed as possibly billed."""
    rows = connection.execute(
        "SELECT c.id, k.started_at, x.text, y.text, c.repeat, m.label, a.title FROM call k"
        " JOIN cell c ON c.id = k.cell_id JOIN bundle b ON b.id = c.bundle_id"
        " JOIN coordinate_set x ON x.id = b.coordinates_id JOIN coordinate_set y ON y.id = c.coordinates_id"
        " JOIN model m ON m.id = c.model_id JOIN item a ON a.id = c.item_id"
        # A question that a batch job did not come to is closed as timed out too, and providers do not bill it.
        " WHERE c.run_id = ? AND (k.outcome = 'outcome unknown' OR k.outcome = 'timed out' AND NOT EXISTS"
        " (SELECT 1 FROM batch_job_cell j WHERE j.cell_id = k.cell_id AND j.attempt = k.attempt))"
        " ORDER BY k.started_at",
        (run_id,),
    )
    return [
        UnknownCall(
            cell_id=CellId(row[0]),
            started=row[1],
            coordinates=stored.coordinates(row[2]).joined(stored.coordinates(row[3])),
            repeat=row[4],
            model=row[5],
            headline=row[6],
        )
        for row in rows
    ]


def reopen_missing(connection: sqlite3.Connection, run_id: RunId, reasons: Iterable[str]) -> int:
    """Open again the cells that are missing for one of *reasons*, for "retry failed only"; returns how many.

    What came back before stays until the next answer takes its place.
    """
    reasons = list(reasons)
    marks = ", ".join("?" for _ in reasons)
    ids = [
        row[0]
        for row in connection.execute(
            "SELECT c.id FROM cell c JOIN response p ON p.cell_id = c.id"
            f" WHERE c.run_id = ? AND c.state = 'missing' AND p.missing IN ({marks})",
            (run_id, *reasons),
        )
    ]
    reopen(connection, ids)
    return len(ids)


def reopen_failed(connection: sqlite3.Connection, run_id: RunId, statuses: Iterable[int]) -> int:
    """Open again the cells that did not reach their server, or that it refused with one of *statuses* or with 500 and
    above; returns how many. What a program that was killed had no time to open again itself."""
    ids = [
        row[0]
        for row in connection.execute(
            "SELECT c.id FROM cell c JOIN response p ON p.cell_id = c.id WHERE c.run_id = ? AND c.state = 'missing'"
            " AND (p.missing = ? OR p.missing = ?"
            " AND (p.status >= 500 OR p.status IN (SELECT value FROM json_each(?))))",
            (run_id, Missing.UNREACHABLE, Missing.HTTP_ERROR, json.dumps(list(statuses))),
        )
    ]
    reopen(connection, ids)
    return len(ids)


def reopen(connection: sqlite3.Connection, cell_ids: Iterable[CellId]) -> None:
    """Have these cells asked again. What came back before stays until the next answer takes its place."""
    connection.executemany("UPDATE cell SET state = 'open' WHERE id = ?", [(cell_id,) for cell_id in cell_ids])


def open_by_group(connection: sqlite3.Connection, run_id: RunId) -> dict[FitGroupId, int]:
    """Fit group → cells without an end yet; those that are complete are left out."""
    rows = connection.execute("SELECT id, unended FROM fit_group WHERE run_id = ? AND unended > 0", (run_id,))
    return {FitGroupId(group): n for group, n in rows}

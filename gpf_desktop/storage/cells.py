"""Cells of a run that are there: asked in order, never twice once answered."""

import json
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from gpf_desktop.domain.coordinates import Coordinates
from gpf_desktop.domain.ids import ArticleId, BundleId, CellId, FitGroupId, ModelId, RunId
from gpf_desktop.domain.responses import Missing
from gpf_desktop.storage import stored
from gpf_desktop.storage.earlier_answers import given
from gpf_desktop.storage.rows import records
from gpf_desktop.storage.times import now


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
    given: tuple[str, ...] = ()
    """Of a later stage, the answer that it rests on, behind it the one that this one rests on, and so on."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Only:
    """A choice of a run's open cells to ask: those that were chosen, and what is planned on their answers."""

    chosen: str
    """Their ids, as JSON."""
    last: int
    """The newest cell when they were chosen."""


def of_run(connection: sqlite3.Connection, run_id: RunId) -> list[CellId]:
    """Every cell of a run, in the order planned."""
    return [CellId(row[0]) for row in connection.execute("SELECT id FROM cell WHERE run_id = ? ORDER BY id", (run_id,))]


def any_open(connection: sqlite3.Connection, run_id: RunId) -> bool:
    """Whether a cell of the run waits to be asked."""
    return bool(connection.execute("SELECT 1 FROM cell WHERE run_id = ? AND state = 'open'", (run_id,)).fetchone())


def only_these(connection: sqlite3.Connection, chosen: Iterable[CellId]) -> Only:
    """*chosen*, and what is planned from now on."""
    (last,) = connection.execute("SELECT max(id) FROM cell").fetchone()
    return Only(chosen=json.dumps(list(chosen)), last=last)


def next_open(
    connection: sqlite3.Connection,
    run_id: RunId,
    model_id: ModelId,
    *,
    after: int,
    limit: int,
    only: Only | None = None,
) -> list[OpenCell]:
    """The next cells of a model in the order of asking, from the one behind position *after*."""
    among = "" if only is None else "AND (id > ? OR id IN (SELECT value FROM json_each(?))) "
    return select(
        connection,
        # Read off the partial index `cell_to_ask`, which holds the open cells alone, in the order of asking.
        f"run_id = ? AND model_id = ? AND state = 'open' AND position > ? {among}ORDER BY position LIMIT ?",
        (run_id, model_id, after, *(() if only is None else (only.last, only.chosen)), limit),
    )


def select(connection: sqlite3.Connection, where: str, values: Sequence[object]) -> list[OpenCell]:
    """Cells that fit *where*, SQL of this package with *values* for its question marks."""
    rows = connection.execute(
        "SELECT id, bundle_id, (SELECT fit_group_id FROM bundle WHERE id = cell.bundle_id) AS fit_group_id,"
        " item_id AS article_id,"
        " (SELECT s.text FROM coordinate_set s JOIN bundle b ON b.coordinates_id = s.id WHERE b.id = cell.bundle_id)"
        " || char(10) || (SELECT text FROM coordinate_set WHERE id = cell.coordinates_id) AS coordinates,"
        " repeat, seed, position, stage,"
        " (SELECT coalesce(max(attempt), 0) FROM call WHERE cell_id = cell.id) AS attempts, parent_cell_id AS given"
        f" FROM cell WHERE {where}",
        values,
    )
    return records(
        OpenCell,
        rows,
        coordinates=stored.joined_coordinates,
        given=lambda parent: () if parent is None else given(connection, parent),
    )


def record_starts(
    connection: sqlite3.Connection, starts: Sequence[tuple[CellId, int]], *, at_most: float = 0.0
) -> None:
    """Calls about to be sent, as (cell, attempt): durable before the first byte leaves, so that a kill can be told.

    *at_most*: millionths of a dollar that each may cost.
    """
    at = now()
    connection.executemany(
        "INSERT INTO call (cell_id, attempt, started_at, at_most) VALUES (?, ?, ?, ?)",
        [(cell_id, attempt, at, at_most) for cell_id, attempt in starts],
    )
    connection.executemany("UPDATE cell SET state = 'asked' WHERE id = ?", [(cell_id,) for cell_id, _ in starts])


def close_unknown(connection: sqlite3.Connection, run_id: RunId) -> int:
    """Mark the calls whose end nobody saw as unknown and open their cells again; returns how many."""
    # Calls before cells, whose state finds them. Questions of a batch job are `submitted`: their job goes on elsewhere.
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


def reopen_missing(connection: sqlite3.Connection, run_id: RunId, reasons: Iterable[str]) -> list[CellId]:
    """Open again the cells that are missing for one of *reasons*, for "retry failed only"; returns which.

    What came back before stays until the next answer takes its place.
    """
    return _reopen_where(
        connection,
        "c.run_id = ? AND p.missing IN (SELECT value FROM json_each(?))",
        (run_id, json.dumps(list(reasons))),
    )


def reopen_failed(connection: sqlite3.Connection, run_id: RunId, statuses: Iterable[int]) -> int:
    """Open again the cells that did not reach their server, or that it refused with one of *statuses*, with 500 and
    above or for a fault of the account; returns how many. What a program that was killed had no time to open again
    itself."""
    refused = "p.account IS NOT NULL OR p.status >= 500 OR p.status IN (SELECT value FROM json_each(?))"
    return len(
        _reopen_where(
            connection,
            f"c.run_id = ? AND (p.missing = ? OR p.missing = ? AND ({refused}))",
            (run_id, Missing.UNREACHABLE, Missing.HTTP_ERROR, json.dumps(list(statuses))),
        )
    )


def reopen_chosen(connection: sqlite3.Connection, cell_ids: Sequence[int], reasons: Iterable[str]) -> list[CellId]:
    """Open those of *cell_ids* again that are missing for one of *reasons*; which."""
    return _reopen_where(
        connection,
        # One parameter however many are chosen: SQLite takes 32,766 of them at most.
        "c.id IN (SELECT value FROM json_each(?)) AND p.missing IN (SELECT value FROM json_each(?))",
        (json.dumps(list(cell_ids)), json.dumps(list(reasons))),
    )


def _reopen_where(connection: sqlite3.Connection, where: str, values: Sequence[object]) -> list[CellId]:
    """Reopen the missing cells c, with their response p, that fit *where*."""
    rows = connection.execute(
        "SELECT c.id FROM cell c JOIN response p ON p.cell_id = c.id WHERE c.state = 'missing' AND " + where, values
    )
    ids = [CellId(row[0]) for row in rows]
    reopen(connection, ids)
    return ids


def reopen(connection: sqlite3.Connection, cell_ids: Iterable[CellId]) -> None:
    """Have these cells asked again. What came back before stays until the next answer takes its place.

    Later stages that rest on them are planned once more when they have ended: further cells come to those there are.
    """
    cell_ids = list(cell_ids)
    connection.executemany("UPDATE cell SET state = 'open' WHERE id = ?", [(cell_id,) for cell_id in cell_ids])
    again = (
        "SELECT b.fit_group_id id, max(g.stages - c.stage) due FROM json_each(?) j JOIN cell c ON c.id = j.value"
        " JOIN bundle b ON b.id = c.bundle_id JOIN fit_group g ON g.id = b.fit_group_id WHERE g.stages > 0 GROUP BY 1"
    )
    connection.execute(
        # Both right-hand sides see `stages_left` as it was before.
        f"UPDATE fit_group SET unended = unended + max(stages_left, a.due) - stages_left,"
        f" stages_left = max(stages_left, a.due) FROM ({again}) a WHERE fit_group.id = a.id",
        (json.dumps(cell_ids),),
    )


def open_by_group(connection: sqlite3.Connection, run_id: RunId) -> dict[FitGroupId, int]:
    """Fit group → cells without an end yet; those that are complete are left out."""
    rows = connection.execute("SELECT id, unended FROM fit_group WHERE run_id = ? AND unended > 0", (run_id,))
    return {FitGroupId(group): n for group, n in rows}

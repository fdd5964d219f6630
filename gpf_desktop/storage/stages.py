"""Stages of a run: cells that rest on earlier answers are stored when these are there.

Of a fit group, *unended* counts its cells without an end and the stages that are not planned yet (*stages_left*), so
that a group is complete when it is 0, whatever its method's stages.
"""

import sqlite3
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial

from gpf_desktop.domain.cells import Grouping
from gpf_desktop.domain.ids import FitGroupId, ModelId, RunId
from gpf_desktop.domain.methods import EndedCell
from gpf_desktop.domain.models import Role
from gpf_desktop.storage import new_cells, stored
from gpf_desktop.storage.archived_texts import TEXT
from gpf_desktop.storage.coordinate_sets import COORDINATES, SETS
from gpf_desktop.storage.new_cells import PlannedCell
from gpf_desktop.storage.rows import records


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedStage:
    """The result of planning the next stages of a group."""

    asked: Counter[ModelId]
    """New cells by model."""
    unended: int
    stages_left: int


@dataclass(frozen=True, slots=True, kw_only=True)
class StageCount:
    """Cells of one stage of a run."""

    stage: int
    planned: int
    answered: int
    missing: int


def left(connection: sqlite3.Connection, run_id: RunId) -> dict[FitGroupId, int]:
    """Group → stages not planned yet, of those that have any."""
    rows = connection.execute("SELECT id, stages_left FROM fit_group WHERE run_id = ? AND stages_left > 0", (run_id,))
    return {FitGroupId(group): n for group, n in rows}


def counts(connection: sqlite3.Connection, run_id: RunId) -> tuple[StageCount, ...]:
    """The counts of each stage that has cells."""
    rows = connection.execute(
        "SELECT stage, count(*) AS planned, count(*) FILTER (WHERE state = 'answered') AS answered,"
        " count(*) FILTER (WHERE state = 'missing') AS missing"
        " FROM cell WHERE run_id = ? GROUP BY stage ORDER BY stage",
        (run_id,),
    )
    return tuple(records(StageCount, rows))


def spent(connection: sqlite3.Connection, run_id: RunId) -> dict[int, float]:
    """The US dollars of the calls of each stage."""
    rows = connection.execute(
        "SELECT c.stage, sum(k.microdollars) FROM cell c JOIN call k ON k.cell_id = c.id WHERE c.run_id = ?"
        " GROUP BY c.stage",
        (run_id,),
    )
    return {stage: microdollars / 1e6 for stage, microdollars in rows}


def ended(connection: sqlite3.Connection, group: FitGroupId) -> list[EndedCell]:
    """Every cell of a group, in the order planned."""
    rows = connection.execute(
        f"SELECT c.id AS cell, m.label AS model, o.role, c.item_id AS item, a.key AS item_key, {COORDINATES}, c.repeat,"
        f" b.arm, c.stage, c.parent_cell_id AS parent, c.seed, iif(p.missing IS NULL, {TEXT}, NULL) AS text"
        " FROM bundle b JOIN cell c ON c.bundle_id = b.id"
        " JOIN model m ON m.id = c.model_id JOIN run_model o ON o.run_id = c.run_id AND o.model_id = c.model_id"
        f" JOIN item a ON a.id = c.item_id{SETS}"
        " LEFT JOIN response p ON p.cell_id = c.id WHERE b.fit_group_id = ? ORDER BY c.id",
        (group,),
    )
    return records(EndedCell, rows, role=partial(stored.word, Role), coordinates=stored.joined_coordinates)


def last_position(connection: sqlite3.Connection, run_id: RunId) -> int:
    """The place of the cell that is asked last."""
    (found,) = connection.execute("SELECT coalesce(max(position), -1) FROM cell WHERE run_id = ?", (run_id,)).fetchone()
    return int(found)


def plan_next(
    connection: sqlite3.Connection,
    run_id: RunId,
    group: FitGroupId,
    grouping: Grouping,
    fitted_on: frozenset[str],
    cells_of: Callable[[int, Sequence[EndedCell]], Iterable[PlannedCell]],
) -> PlannedStage:
    """Store the cells of a group's next stage, of the one after it too where the next has none, and so on.

    *cells_of* gives those of a stage, from the cells that have ended. Nothing is done while cells are open.
    """
    asked: Counter[ModelId] = Counter()
    while True:
        stages, unended, stages_left = connection.execute(
            "SELECT stages, unended, stages_left FROM fit_group WHERE id = ?", (group,)
        ).fetchone()
        # Each stage that is left counts as one that has not ended; what is beyond these are open cells.
        if not stages_left or unended > stages_left:
            return PlannedStage(asked=asked, unended=unended, stages_left=stages_left)
        planned = cells_of(stages - stages_left + 1, ended(connection, group))
        asked += new_cells.add(connection, run_id, grouping, planned, fitted_on=fitted_on)
        connection.execute(
            "UPDATE fit_group SET stages_left = stages_left - 1, unended = unended - 1, changes = changes + 1"
            " WHERE id = ?",
            (group,),
        )

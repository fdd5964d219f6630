"""Checks that rounds are what was planned: plan, protocol, articles and seed give every cell that rests on no other."""

import json
from collections.abc import Iterator
from typing import Any

from gpf_desktop.domain.errors import GpfError
from gpf_desktop.domain.ids import RunId
from gpf_desktop.domain.text import tr, trn
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.core.protocols import stored_controls
from gpf_desktop.engine.rounds.planning import planned_cells
from gpf_desktop.engine.rounds.plans import hash_of_stored
from gpf_desktop.engine.rounds.preparing import facts_of
from gpf_desktop.engine.rounds.scoping import scoped
from gpf_desktop.storage import assignments, coordinate_sets, stored
from gpf_desktop.storage.writer import Connection

_CELLS = (
    "SELECT c.model_id, c.item_id, b.coordinates_id, c.coordinates_id, c.repeat, c.stage, b.arm, c.seed, c.position"
    " FROM cell c JOIN bundle b ON b.id = c.bundle_id WHERE c.run_id = ? AND c.parent_cell_id IS NULL"
)


def departures(connection: Connection) -> Iterator[str]:
    """Sentences on the rounds that are not as they were planned."""
    # Of a reader's assignment the names and most of the cells are left out.
    if assignments.is_one(connection):
        return
    rows = connection.execute("SELECT id, name, plan, plan_hash, method, method_version, controls FROM run ORDER BY id")
    for run_id, name, plan, digest, method, version, controls in rows.fetchall():
        try:
            kept = json.loads(plan)
            # What was imported has no plan, and of one a shared file brings what was left out alone.
            if isinstance(kept, dict) and kept.keys() <= {"scope"}:
                continue
            if hash_of_stored(kept) != digest:
                yield tr("round {name}: its plan is not the one that it was started with", name=name)
            if method not in catalogue.methods() or catalogue.method(method).version != version:
                continue
            apart = _cells_apart(connection, RunId(run_id), controls)
        except (GpfError, ValueError, *stored.OF_ODD_SHAPES) as error:
            yield tr("round {name} cannot be read: {why}", name=name, why=" ".join(str(error).split()))
            continue
        if apart:
            yield trn(
                "round {name}: {n:,} question is not what its plan gives",
                "round {name}: {n:,} questions are not what its plan gives",
                apart,
                name=name,
            )


def _cells_apart(connection: Connection, run_id: RunId, controls: str) -> int:
    facts = facts_of(connection, run_id)
    method = scoped(facts.method, facts.scope)
    sets = coordinate_sets.every(connection)
    there: dict[tuple[Any, ...], tuple[Any, ...]] = {}
    for model, item, held, inside, repeat, stage, *told in connection.execute(_CELLS, (run_id,)):
        there[model, item, repeat, stage, frozenset(sets[held].pairs + sets[inside].pairs)] = tuple(told)
    apart = 0
    articles, own = facts.articles, stored_controls(facts.run.method, controls)
    for cell in planned_cells(method, articles, facts.models, facts.protocol, own, facts.run.seed):
        answer = cell.answer
        key = (cell.model_id, cell.article_id, answer.repeat, answer.stage, frozenset(answer.coordinates.pairs))
        apart += there.pop(key, None) != (answer.arm, cell.seed, cell.position)
    # What a later stage asked stands by itself once the round that it rested on is deleted.
    return apart + sum(not stage for _, _, _, stage, _ in there)

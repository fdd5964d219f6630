"""From a plan to a round that can be asked: resume the unfinished one, or take a batch and freeze it.

What `gpf-desktop run`, the sample audit and the window's practice run share.
"""

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.ids import ArticleId, BatchId, RunId
from gpf_desktop.domain.models import TargetModel
from gpf_desktop.domain.plans import Plan
from gpf_desktop.domain.text import tr
from gpf_desktop.engine import catalogue
from gpf_desktop.engine.collect.source_desk import SAMPLE
from gpf_desktop.engine.protocol.protocols import load_protocol
from gpf_desktop.engine.rounds.planning import Freeze
from gpf_desktop.engine.rounds.plans import plan_hash
from gpf_desktop.engine.session import Session
from gpf_desktop.storage import batches, models, runs
from gpf_desktop.storage.writer import Connection


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedRound:
    """A round that waits to be asked."""

    run_id: RunId | None
    """None: every article of the plan's sources was used before."""
    resumed: bool = False
    notes: tuple[str, ...] = ()
    """Sources that failed, sources with nothing new."""


def plan_round(session: Session, plan: Plan, *, beside: Path) -> PlannedRound:
    """The unfinished run of *plan*, or a new one over a batch taken now. Relative files are looked up in *beside*.

    Blocks while sources are fetched; not for the engine's loop. Raises `UserError` for what the plan asks and
    cannot have, `SourceError` where a failure leaves nothing to take, and `StorageError`.
    """
    audit = session.bench.audit
    digest = plan_hash(plan)
    unfinished = audit.read(lambda connection: runs.unfinished(connection, digest))
    if unfinished is not None:
        return PlannedRound(run_id=unfinished, resumed=True)
    protocol = load_protocol(plan.protocol, beside=beside)
    batch_id, notes = _batch(session, plan, beside)
    if batch_id is None:
        return PlannedRound(run_id=None, notes=notes)
    chosen = audit.write(lambda connection: _keep_models(connection, plan)).result()
    frozen = Freeze(plan=plan, name=name_of(plan), batch_id=batch_id, protocol=protocol, models=chosen)
    run_id = session.bench.loop.submit(session.rounds.freeze(frozen)).result()
    return PlannedRound(run_id=run_id, notes=notes)


def name_of(plan: Plan) -> str:
    """The plan's name, or the moment it was run."""
    return plan.name or tr("Round of {time}", time=datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"))


def _batch(session: Session, plan: Plan, beside: Path) -> tuple[BatchId | None, tuple[str, ...]]:
    audit = session.bench.audit
    if plan.last_batch:
        earlier = audit.read(batches.every)
        if not earlier:
            raise UserError(
                tr("There is no batch yet whose articles could be asked again."),
                tr('Leave out batch = "last" for the first round.'),
            )
        return earlier[0].id, ()
    taken, notes = session.sources.take(
        [(_resolved(source.target, beside), source.title) for source in plan.sources], plan.articles_per_source
    )
    if not taken:
        return None, notes
    article_ids: list[ArticleId] = list(taken)
    return audit.write(lambda connection: batches.create(connection, name_of(plan), article_ids)).result(), notes


def _resolved(target: str, beside: Path) -> str:
    """A source file named relative to the plan that names it."""
    if "://" in target or target == SAMPLE or Path(target).is_absolute():
        return target
    return str(beside / target)


def _keep_models(connection: Connection, plan: Plan) -> tuple[TargetModel, ...]:
    ids = [
        models.keep(connection, endpoint, synthetic=catalogue.provider(endpoint.provider).synthetic)
        for endpoint in plan.models
    ]
    return tuple(models.get(connection, model_id) for model_id in ids)

"""Plans a round that can be asked from a plan: resume the unfinished one, or take a batch and freeze it.

What `gpf-desktop run`, the sample audit and the window's practice run share.
"""

from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import partial
from pathlib import Path

from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.ids import ArticleId, BatchId, RunId
from gpf_desktop.domain.methods import StudyProtocol
from gpf_desktop.domain.models import Endpoint, Limits, TargetModel
from gpf_desktop.domain.plans import Plan
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.collect.source_service import SAMPLE
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.core.protocols import load_protocol
from gpf_desktop.engine.models.price_list import with_prices
from gpf_desktop.engine.open_audit import OpenAudit
from gpf_desktop.engine.rounds.planning import Freeze, check_extent, controls_in_force
from gpf_desktop.engine.rounds.plans import plan_hash
from gpf_desktop.storage import audits, batches, models, runs, study_items
from gpf_desktop.storage.writer import Connection, Write


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedRound:
    """A round that waits to be asked."""

    run_id: RunId | None
    """None: every article of the plan's sources was used before."""
    resumed: bool = False
    notes: tuple[str, ...] = ()
    """Sources that failed, sources with nothing new."""


def plan_round(
    open_audit: OpenAudit, plan: Plan, *, beside: Path, protocol: StudyProtocol | None = None
) -> PlannedRound:
    """The unfinished run of *plan*, or a new one over a batch taken now. Relative files are looked up in *beside*.

    With *protocol*, which then stands for the one that the plan names, it is always a new one.

    Blocks while sources are fetched; not for the engine's loop. Raises `UserError` for what the plan asks and
    cannot have, `SourceError` where a failure leaves nothing to take, and `StorageError`.
    """
    audit = open_audit.context.audit
    if protocol is None:
        digest = plan_hash(plan)
        unfinished = audit.read(lambda connection: runs.unfinished(connection, digest))
        if unfinished is not None:
            audit.read(lambda connection: _check_models(connection, unfinished, plan))
            return PlannedRound(run_id=unfinished, resumed=True)
        protocol = load_protocol(plan.protocol, beside=beside, method=plan.method)
    batch, notes = _batch(open_audit, plan, protocol, beside)
    if batch is None:
        return PlannedRound(run_id=None, notes=notes)

    def frozen(connection: Connection) -> Freeze:
        # One write: of a batch without a round the articles would count as used, and the plan would find none.
        batch_id, chosen = batch(connection), keep_models(connection, plan)
        return Freeze(plan=plan, name=name_of(plan), batch_id=batch_id, protocol=protocol, models=chosen)

    run_id = open_audit.context.loop.submit(open_audit.rounds.freeze(frozen)).result()
    if not catalogue.is_about_news(plan.method):
        open_audit.protocols_of(plan.method).asked(protocol)
    return PlannedRound(run_id=run_id, notes=notes)


def _check_models(connection: Connection, run_id: RunId, plan: Plan) -> None:
    """Raises `UserError` where the stored round would ask anything else than *plan* names: a hash is easily copied."""
    stored = [_asked(model.endpoint) for model in models.of_run(connection, run_id)]
    if stored != [_asked(endpoint) for endpoint in plan.models]:
        raise UserError(
            tr("The unfinished round in this audit asks other models or addresses than its plan names."),
            tr("Somebody changed the audit. Use another audit file for this plan."),
        )


def _asked(endpoint: Endpoint) -> Endpoint:
    """*endpoint* without what an auditor may change while a round is open."""
    return replace(endpoint, limits=Limits(), price=None)


def name_of(plan: Plan) -> str:
    """The plan's name, or the moment it was run."""
    return plan.name or tr("Round of {time}", time=datetime.now(UTC).strftime("%Y-%m-%d %H:%M UTC"))


def _batch(
    open_audit: OpenAudit, plan: Plan, protocol: StudyProtocol, beside: Path
) -> tuple[Write[BatchId] | None, tuple[str, ...]]:
    """A write that gives the batch that *plan* asks about, None where nothing is new; and notes on sources."""
    audit, method = open_audit.context.audit, catalogue.method(plan.method)
    controls = controls_in_force(method, plan.controls, protocol)
    if plan.last_batch:
        earlier = audit.read(batches.every)
        if not earlier:
            raise UserError(
                tr("There is no batch yet whose articles could be asked again."),
                tr('Leave out batch = "last" for the first round.'),
            )
        check_extent(method, earlier[0].articles, len(plan.models), protocol, controls)
        return lambda _: earlier[0].id, ()
    if own := method.items(protocol):
        check_extent(method, len(own), len(plan.models), protocol, controls)
        return partial(study_items.batch_of, name=name_of(plan), items=own), ()
    if not open_audit.facts().methods:
        # Its news is sorted as the method of its first round sorts it.
        audit.write(partial(audits.set_method, method=plan.method)).result()
    taken, notes = open_audit.sources.take(
        [(resolved(source.target, beside), source.title) for source in plan.sources],
        plan.articles_per_source,
        plan.article_words,
    )
    if not taken:
        return None, notes
    check_extent(method, len(taken), len(plan.models), protocol, controls)
    article_ids: list[ArticleId] = list(taken)
    return lambda connection: batches.create(connection, name_of(plan), article_ids), notes


def resolved(target: str, beside: Path) -> str:
    """A source file named relative to the plan that names it."""
    if "://" in target or target == SAMPLE or Path(target).is_absolute():
        return target
    return str(beside / target)


def keep_models(connection: Connection, plan: Plan) -> tuple[TargetModel, ...]:
    """The models of *plan* as the audit keeps them from now on, with their prices and roles."""
    ids = [
        models.keep(connection, endpoint, synthetic=catalogue.provider(endpoint.provider).synthetic)
        for endpoint in plan.models
    ]
    kept = with_prices(models.get(connection, model_id) for model_id in ids)
    return tuple(replace(model, role=plan.role(place)) for place, model in enumerate(kept))

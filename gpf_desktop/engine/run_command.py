"""`gpf-desktop run PLAN.toml`: one round, from sources to scores; resumes the round if it was cut off."""

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.events import RunRested
from gpf_desktop.domain.findings import READING_SHORT
from gpf_desktop.domain.ids import ArticleId, BatchId, RunId
from gpf_desktop.domain.models import TargetModel
from gpf_desktop.domain.plans import Plan
from gpf_desktop.domain.runs import RunProgress, RunState
from gpf_desktop.domain.text import tr
from gpf_desktop.engine import catalogue
from gpf_desktop.engine.headless import Headless, progress_line
from gpf_desktop.engine.planning import Freeze
from gpf_desktop.engine.plans import plan_hash
from gpf_desktop.engine.protocols import load_protocol
from gpf_desktop.engine.session import Session
from gpf_desktop.engine.source_desk import SAMPLE
from gpf_desktop.storage import batches, models, runs
from gpf_desktop.storage.writer import Connection


@dataclass(frozen=True, slots=True, kw_only=True)
class RunSummary:
    """What a round did, for people and for programs."""

    audit: Path
    name: str
    state: RunState | None
    """None: there was nothing new to ask."""
    progress: RunProgress | None
    why: str
    resumed: bool
    notes: tuple[str, ...] = ()
    """Sources that failed, sources with nothing new."""

    @property
    def done(self) -> bool:
        return self.state is None or self.state.over

    @property
    def gaps(self) -> bool:
        return self.state is RunState.FINISHED_WITH_GAPS

    def sentences(self) -> list[str]:
        if self.progress is None or self.state is None:
            return [*self.notes, self.why]
        lines = [*self.notes, f"{self.name}: {self.state}. {progress_line(self.progress)}"]
        for model in self.progress.models:
            reasons = ", ".join(f"{n} {reason}" for reason, n in model.by_reason) or tr("no gaps")
            lines.append(f"  {model.model}: {model.answered:,}/{model.planned:,}, {reasons}")
        return [
            *lines,
            tr("Saved in {path}.", path=str(self.audit)),
            tr('Read the highest bundles: gpf-desktop "{path}"', path=str(self.audit)),
            tr(READING_SHORT),
        ]

    def as_dict(self) -> dict[str, object]:
        progress = self.progress
        return {
            "audit": str(self.audit),
            "run": self.name,
            "state": None if self.state is None else str(self.state),
            "resumed": self.resumed,
            "planned": 0 if progress is None else progress.planned,
            "answered": 0 if progress is None else progress.answered,
            "missing": 0 if progress is None else progress.missing,
            "bundles": 0 if progress is None else progress.bundles_planned,
            "bundles_scored": 0 if progress is None else progress.bundles_scored,
            "spent_usd": 0 if progress is None else progress.spent,
            "models": []
            if progress is None
            else [
                {
                    "model": model.model,
                    "planned": model.planned,
                    "answered": model.answered,
                    "missing": dict(model.by_reason),
                    "spent_usd": model.spent,
                }
                for model in progress.models
            ],
            "why": self.why,
            "notes": list(self.notes),
        }


def run_plan(headless: Headless, session: Session, plan: Plan, *, beside: Path) -> RunSummary:
    """Resume the unfinished run of *plan*, or take a batch and ask it. Relative files are looked up in *beside*.

    Raises `UserError` for what the plan asks and cannot have.
    """
    audit = session.bench.audit
    digest = plan_hash(plan)
    run_id = audit.read(lambda connection: runs.unfinished(connection, digest))
    resumed = run_id is not None
    notes: tuple[str, ...] = ()
    if run_id is None:
        protocol = load_protocol(plan.protocol, beside=beside)
        batch_id, notes = _batch(session, plan, beside)
        if batch_id is None:
            why = tr("There are no new articles: every article of these sources was used in an earlier batch.")
            return RunSummary(
                audit=audit.path, name=plan.name, state=None, progress=None, why=why, resumed=False, notes=notes
            )
        chosen = audit.write(lambda connection: _keep_models(connection, plan)).result()
        frozen = Freeze(plan=plan, name=name_of(plan), batch_id=batch_id, protocol=protocol, models=chosen)
        run_id = session.bench.loop.submit(session.rounds.freeze(frozen)).result()
    return sit(headless, session, run_id, resumed=resumed, notes=notes)


def sit(
    headless: Headless, session: Session, run_id: RunId, *, resumed: bool = False, notes: tuple[str, ...] = ()
) -> RunSummary:
    """Ask a planned run until it rests."""
    rested: list[RunRested] = []
    with headless.listening(lambda event: rested.append(event) if isinstance(event, RunRested) else None):
        state = headless.sit(session, run_id)
    return RunSummary(
        audit=session.path,
        name=session.rounds.run(run_id).name,
        state=state,
        progress=session.rounds.progress(run_id),
        why=(rested[-1].why if rested else "") or tr("The round was paused; run the same command to go on."),
        resumed=resumed,
        notes=notes,
    )


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

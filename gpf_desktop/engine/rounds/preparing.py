"""Prepares a round to be asked: reads the stored round, and makes each model's task with its key."""

import asyncio
import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from gpf_desktop.domain.errors import KeyMissingError, UserError
from gpf_desktop.domain.events import RunNoted, RunStateChanged
from gpf_desktop.domain.ids import ModelId, ProtocolId, RunId
from gpf_desktop.domain.methods import StudyProtocol
from gpf_desktop.domain.models import Endpoint, Secret, TargetModel
from gpf_desktop.domain.money import exact
from gpf_desktop.domain.ports.batch_jobs import BatchJobs
from gpf_desktop.domain.ports.method import Method
from gpf_desktop.domain.ports.provider import Provider
from gpf_desktop.domain.runs import Run, RunState
from gpf_desktop.domain.scopes import Scope
from gpf_desktop.domain.text import tr, trn
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.core.context import EngineContext
from gpf_desktop.engine.core.protocols import kept_protocol, stored_controls
from gpf_desktop.engine.rounds.model_task import ModelTask
from gpf_desktop.settings.keys import KeyRing
from gpf_desktop.storage import batch_jobs, batches, cells, exchanges, lost_calls, models, protocols, runs, stages
from gpf_desktop.storage.cells import Only
from gpf_desktop.storage.writer import Connection


@dataclass(frozen=True, slots=True, kw_only=True)
class RoundFacts:
    """A round as the store has it, to be asked."""

    run: Run
    scope: Scope
    method: Method
    protocol: StudyProtocol
    controls: Any
    models: list[TargetModel]
    counts: list[runs.ModelCount]
    articles: Sequence[batches.BatchArticle]
    with_jobs: frozenset[ModelId]
    """Models that have a batch job under way."""
    stages_left: bool
    """A later stage is to be planned yet, and may ask anybody."""

    @property
    def to_ask(self) -> list[TargetModel]:
        """Models with something left to ask: only they need their keys."""
        done = {c.model_id for c in self.counts if c.planned == c.answered + sum(c.by_reason.values())}
        return [each for each in self.models if self.stages_left or each.id not in done]


def facts_of(connection: Connection, run_id: RunId) -> RoundFacts:
    run = runs.get(connection, run_id)
    stored = protocols.get(connection, ProtocolId(run.protocol_id))
    method = catalogue.method(run.method)
    protocol = kept_protocol(stored.text, where=stored.name, method=run.method)
    later = len(method.stages_of(protocol)) > 1
    return RoundFacts(
        run=run,
        scope=Scope.of_plan(json.loads(runs.plan(connection, run_id))),
        method=method,
        controls=stored_controls(run.method, runs.controls(connection, run_id)) if later else None,
        protocol=protocol,
        models=models.of_run(connection, run_id),
        counts=runs.counts(connection, run_id),
        articles=batches.articles(connection, run.batch_id),
        with_jobs=frozenset(job.model_id for job in batch_jobs.live(connection, run_id)),
        stages_left=bool(stages.left(connection, run_id)),
    )


async def task_of(context: EngineContext, facts: RoundFacts, model: TargetModel, only: Only | None = None) -> ModelTask:
    """The task of *model*: all of its cells, or *only* some. Raises `KeyMissingError` if its key cannot be had."""
    provider = catalogue.provider(model.endpoint.provider)
    key = await _key_of(context, provider, model) if model in facts.to_ask else None
    return ModelTask(
        run_id=facts.run.id,
        method=facts.method,
        protocol=facts.protocol,
        items={article.id: article.item for article in facts.articles},
        model=model,
        provider=provider,
        key=key,
        jobs=_jobs_of(facts, model),
        only=only,
    )


async def _key_of(context: EngineContext, provider: Provider, model: TargetModel) -> Secret | None:
    keys, key = context.keys, None
    if not provider.synthetic:
        # The key store may ask for its password, and blocks while it does.
        key = await asyncio.to_thread(keys.find, model.endpoint)
    if not keys.may_send(model.endpoint):
        raise _unconfirmed(model)
    if not key and not provider.synthetic:
        # A server that needs no key as a rule may have been asked with one.
        needed = model.endpoint.key_env or provider.needs_key
        if needed or await context.read(lambda connection: exchanges.had_key(connection, model.id)):
            raise _missing(keys, model)
    return key


def _jobs_of(facts: RoundFacts, model: TargetModel) -> BatchJobs | None:
    """The batch jobs of *model*, if it uses them or has a job under way: that is seen to its end, whatever is wanted of
    the rest."""
    wanted = model.endpoint.batch_jobs or model.id in facts.with_jobs
    return catalogue.batch_jobs().get(model.endpoint.provider) if wanted else None


def mark_interrupted(context: EngineContext) -> None:
    """Find, at opening, the rounds that were active when the program ended, list what was on its way, and tell both."""

    def write(connection: Connection) -> dict[RunId, str]:
        found = dict.fromkeys(runs.mark_interrupted(connection), "")
        for run_id in found:
            # Now, and not when it is resumed: who never resumes is to know of what may be billed too.
            if words := close_unknown(connection, run_id):
                found[run_id] = words
                runs.note(connection, run_id, found[run_id])
        return found

    # Of an audit that is only opened no byte changes.
    if not context.audit.read(runs.active):
        return
    for run_id, words in context.audit.write(write).result().items():
        context.emit(RunStateChanged(run_id=run_id, state=RunState.INTERRUPTED))
        if words:
            context.emit(RunNoted(run_id=run_id, at=datetime.now(UTC), sentence=words))


def close_unknown(connection: Connection, run_id: RunId) -> str:
    """List the calls of a run that were on their way when the program ended, and open their cells; says so, empty where
    there were none."""
    before = sum(lost_calls.in_doubt(connection, run_id).values())
    calls = cells.close_unknown(connection, run_id)
    return words_of_unknown(calls, sum(lost_calls.in_doubt(connection, run_id).values()) - before) if calls else ""


def words_of_unknown(calls: int, dollars: float) -> str:
    """Sentences about *calls* that were on their way when the program ended, and may have cost so many *dollars* at
    most."""
    words = trn(
        "At most {n} call was on its way when the program ended. Its outcome is unknown. It may have been "
        "billed, and it is asked again.",
        "At most {n} calls were on their way when the program ended. Their outcome is unknown. They may have "
        "been billed, and they are asked again.",
        calls,
    )
    if dollars < 1e-9:
        return words
    held = tr("Up to {dollars} is in doubt, and counts against the cap.", dollars=exact(dollars))
    return f"{words} {held}"


def missing_variable(model: str, variable: str) -> UserError:
    return UserError(
        tr("The key for {model} is missing: the variable {variable} is not set.", model=model, variable=variable),
        tr("Set it, or leave out key_env to use the key store."),
    )


def check_keys(keys: KeyRing, endpoints: Iterable[Endpoint]) -> None:
    """Raises `UserError` for one of *endpoints* whose key is needed and cannot be had, before anything is planned for
    it. The key store may ask for its password, and blocks while it does."""
    for each in endpoints:
        provider = catalogue.provider(each.provider)
        needed = not provider.synthetic and (each.key_env or provider.needs_key)
        if needed and keys.may_send(each) and not keys.find(each):
            what, remedy, _here = _lacking(keys, each)
            raise UserError(what, remedy)


def _missing(keys: KeyRing, model: TargetModel) -> KeyMissingError:
    """The error that says why the key of *model* cannot be had."""
    what, remedy, here = _lacking(keys, model.endpoint)
    return KeyMissingError(what, remedy, model_id=model.id, here=here)


def _lacking(keys: KeyRing, endpoint: Endpoint) -> tuple[str, str, str]:
    """Why the key of *endpoint* cannot be had, what to do, and what to do in the window."""
    here = tr("Enter it on Models, then resume.")
    if variable := endpoint.key_env:
        error = missing_variable(endpoint.label, variable)
        return error.what, error.remedy, here
    if not keys.persistent:
        what = tr("There is no key for {model}: here keys last until the program ends.", model=endpoint.label)
    elif keys.trouble:
        what = tr("The key for {model} cannot be read. {trouble}", model=endpoint.label, trouble=keys.trouble)
        here = tr("Unlock the key store and resume, or enter the key on Models.")
    else:
        what = tr("There is no key for {model}: {store} has none.", model=endpoint.label, store=keys.backend_title)
    return (
        what,
        tr("Name an environment variable that holds it in key_env, or enter it on the window's Models page."),
        here,
    )


def _unconfirmed(model: TargetModel) -> KeyMissingError:
    words = tr("Confirm it on the window's Models page, if you know both.")
    return KeyMissingError(
        tr(
            "{model} was not asked: this audit wants the variable {variable} sent to {address}, and nobody on this"
            " machine has said that it may be.",
            model=model.label,
            variable=model.endpoint.key_env,
            address=model.endpoint.base_url or model.endpoint.provider,
        ),
        words,
        model_id=model.id,
        here=tr("Confirm it on Models, if you know both, then resume."),
    )


def note_batch(connection: Connection, run_id: RunId) -> None:
    """Say under "What happened" how many items were taken."""
    run = runs.get(connection, run_id)
    items = catalogue.method(run.method).items_in_words(run.articles)
    runs.note(connection, run_id, tr("A batch of {items} was taken.", items=items))

"""Rounds: plan, start, pause, resume, stop. What the Runs page and `gpf-desktop run` drive."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Sequence
from concurrent.futures import Future, wait
from contextlib import suppress
from dataclasses import replace
from functools import partial

from gpf_desktop.domain.batch_jobs import StoredJob
from gpf_desktop.domain.errors import StorageError, UserError
from gpf_desktop.domain.events import RunPlanned, RunStarted
from gpf_desktop.domain.ids import CellId, RunId
from gpf_desktop.domain.items import StudyItem
from gpf_desktop.domain.models import Limits
from gpf_desktop.domain.responses import Missing
from gpf_desktop.domain.round_parts import RoundPart
from gpf_desktop.domain.runs import Run, RunProgress, RunState, Starter
from gpf_desktop.domain.served import ServedNote, notes_of
from gpf_desktop.domain.text import tr
from gpf_desktop.domain.withheld import check_whole
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.core.context import EngineContext
from gpf_desktop.engine.models.price_list import with_prices
from gpf_desktop.engine.models.sending import Sender
from gpf_desktop.engine.rounds import rating
from gpf_desktop.engine.rounds.assessing import Assess
from gpf_desktop.engine.rounds.faults import PASSING
from gpf_desktop.engine.rounds.forecast import Forecast
from gpf_desktop.engine.rounds.planning import Freeze, check_extent, controls_in_force, freeze
from gpf_desktop.engine.rounds.preparing import close_unknown, facts_of, note_batch, task_of
from gpf_desktop.engine.rounds.rating import Raters, RatingChoices, RatingOutlook
from gpf_desktop.engine.rounds.round_power import RoundDesign
from gpf_desktop.engine.rounds.run_execution import RunExecution
from gpf_desktop.engine.rounds.scoping import Narrowing, narrowing, scoped
from gpf_desktop.engine.rounds.setup import RunSetup, blocking_field
from gpf_desktop.engine.rounds.stage_outlook import StageOutlook, stage_outlook
from gpf_desktop.engine.rounds.tracker import Tracker, stored_progress
from gpf_desktop.storage import (
    articles,
    batch_jobs,
    batches,
    cells,
    lost_calls,
    models,
    responses,
    round_parts,
    runs,
    served,
    stages,
    study_items,
    unknown_refusals,
)
from gpf_desktop.storage.lost_calls import UnknownCall
from gpf_desktop.storage.responses import CellResult
from gpf_desktop.storage.runs import RunNote
from gpf_desktop.storage.stages import StageCount
from gpf_desktop.storage.writer import Connection, Write

Command = Callable[[RunExecution], Awaitable[None]]

RETRYABLE = (
    Missing.EMPTY,
    Missing.REASONING_ONLY,
    Missing.HTTP_ERROR,
    Missing.TIMED_OUT,
    Missing.UNKNOWN,
    Missing.UNREACHABLE,
    Missing.UNREADABLE,
    Missing.TOO_LARGE,
)
"""Reasons that "retry failed only" asks again; a refusal is a result, but for one in words that no table knows."""


class Rounds:
    """One execution at a time. Reads answer at once from any thread; commands return futures."""

    def __init__(self, context: EngineContext, assess: Assess) -> None:
        self._context = context
        self._assess = assess
        self._execution: RunExecution | None = None
        self._active: RunId | None = None
        self._future: Future[RunState] | None = None
        self._early: list[Command] = []
        """What was asked before the execution was prepared, which waits for the key store; done in this order."""
        self._unsaved: dict[RunId, list[CellResult]] = {}
        """Answers that a full disk did not take; saved before anything else is asked."""

    @property
    def active(self) -> RunId | None:
        """The run that is being asked now."""
        return self._active

    def runs(self) -> list[Run]:
        """The newest first."""

        def read(connection: Connection) -> list[Run]:
            return [with_unpriced(connection, run) for run in runs.every(connection)]

        return [self._as_it_is(run) for run in self._context.audit.read(read)]

    def run(self, run_id: RunId) -> Run:
        return self._as_it_is(self._context.audit.read(lambda c: with_unpriced(c, runs.get(c, run_id))))

    def _as_it_is(self, run: Run) -> Run:
        """A full disk keeps even the end of an execution from being stored."""
        return replace(run, state=RunState.PAUSED) if run.state.active and run.id != self._active else run

    def notes(self, run_id: RunId) -> list[RunNote]:
        return self._context.audit.read(lambda connection: runs.notes(connection, run_id))

    def answered_by(self, run_id: RunId) -> tuple[ServedNote, ...]:
        """Notes on who answered in a round, as servers say, and on what changed since the round before it."""
        return self._context.audit.read(lambda connection: notes_of(run_id, served.by_round(connection)))

    def stages(self, run_id: RunId) -> tuple[StageCount, ...]:
        """The counts of the cells of each stage; one stage for most methods."""
        return self._context.audit.read(lambda connection: stages.counts(connection, run_id))

    def stage_outlook(self, run_id: RunId) -> StageOutlook | None:
        """The progress of each stage, its cost so far and to come, and who has which role; None for one stage."""
        return self._context.audit.read(lambda connection: stage_outlook(connection, run_id))

    def limits(self, run_id: RunId) -> dict[str, Limits]:
        """The limits set for each account (`Endpoint.account`) of a run that is reached over a network."""
        chosen = self._context.audit.read(lambda connection: models.of_run(connection, run_id))
        return {model.endpoint.account: model.endpoint.limits for model in chosen if not model.synthetic}

    def narrowing(self, run_id: RunId) -> Narrowing:
        """The part of its design that a round asks."""
        return self._context.audit.read(lambda connection: narrowing(connection, run_id))

    def unknown_calls(self, run_id: RunId) -> list[UnknownCall]:
        """Calls that were on their way when the program ended: possibly billed."""
        return self._context.audit.read(lambda connection: lost_calls.unknown_calls(connection, run_id))

    def progress(self, run_id: RunId) -> RunProgress:
        """The progress from the store, of a round that rests; an active one announces its own."""

        return self._context.audit.read(
            lambda connection: stored_progress(connection, self._as_it_is(runs.get(connection, run_id)))
        )

    def forecast(self, setup: RunSetup) -> Forecast:
        """Calls, tokens, cost and time of a round before it is planned."""
        return self.asked(setup).forecast()

    def asked(self, setup: RunSetup) -> RoundDesign:
        """The design of the round that *setup* would ask."""
        own = catalogue.method(setup.method).items(setup.protocol)
        return self._context.audit.read(lambda connection: _asked(connection, setup, own))

    def plan(self, setup: RunSetup) -> "Future[RunId]":
        """Freeze *setup* as a draft run. Raises `UserError` through the future where something is missing."""
        blocking = blocking_field(setup)
        if blocking is not None:
            raise UserError(tr("The round cannot be planned: {field}.", field=blocking))
        return self._context.loop.submit(self._plan(setup))

    async def freeze(self, frozen: Write[Freeze]) -> RunId:
        """Store the round that *frozen* gives, in one write with what it stores for it. Raises `UserError`."""
        return await self._planned(lambda connection: freeze(frozen(connection))(connection))

    async def _planned(self, write: Write[RunId]) -> RunId:
        run_id = await self._context.write(write)
        await self._context.write(lambda connection: note_batch(connection, run_id))
        self._context.emit(RunPlanned(run_id=run_id))
        return run_id

    def start(self, run_id: RunId, by: Starter = Starter.HAND, *, only: cells.Only | None = None) -> "Future[RunState]":
        """Start or resume; the future holds the state in which the run rests. Raises `UserError` if one is active."""
        if self._active is not None:
            raise UserError(tr("A round is being asked already."), tr("Pause or stop it first."))
        # Here and not on the loop, or a second start could come between.
        self._active = run_id
        self._future = self._context.loop.submit(self._execute(run_id, by, only))
        return self._future

    def start_part(self, run_id: RunId, part: RoundPart, by: Starter) -> "Future[RunState]":
        """Start *part* of a round alone, as `start` does; it gets its share of the spend cap. Raises `UserError` if it
        is empty."""

        def choose(connection: Connection) -> cells.Only:
            chosen = round_parts.cells_of(connection, run_id, part)
            if not chosen:
                raise UserError(
                    tr("The round has nothing for part {part}.", part=str(part)),
                    tr("Part it less often: what is scored together is asked together."),
                )
            cap = json.loads(runs.plan(connection, run_id))["spend_cap"]
            if cap is not None:
                whole = len(cells.of_run(connection, run_id))
                runs.set_spend_cap(connection, run_id, cap * len(chosen) / whole)
            cells.reopen_failed(connection, run_id, PASSING)
            return cells.only_these(connection, chosen)

        return self.start(run_id, by, only=self._context.audit.write(choose).result())

    def left_of(self, run_id: RunId, part: RoundPart) -> int:
        """Questions of *part* that have no end yet."""
        return self._context.audit.read(partial(round_parts.unended, run_id=run_id, part=part))

    def pause(self, why: str = "") -> "Future[None]":
        """Let calls in flight land, then rest. *why* stands among what happened, where nobody paused it by hand."""
        return self._context.loop.submit(self._with_execution(lambda execution: execution.pause(why)))

    def stop(self, why: str = "") -> "Future[None]":
        """Rest at once; calls in flight are listed as of unknown outcome. *why* as in `pause`."""
        return self._context.loop.submit(self._with_execution(lambda execution: execution.stop(why)))

    def hold(self, provider: str) -> "Future[None]":
        """Pause one provider's models while the others go on."""
        return self._context.loop.submit(self._with_execution(lambda execution: execution.hold(provider)))

    def retry_failed(self, run_id: RunId, chosen: Sequence[int] | None = None) -> "Future[RunState]":
        """Ask again the cells that failed or were declined by words not known, all or those *chosen*; other declined
        ones and answered ones are left as they are, and so are those that were never asked.

        Raises `UserError` where a round is being asked, or where none of the *chosen* failed.
        """
        if self._active is not None:
            raise UserError(tr("A round is being asked already."), tr("Pause or stop it first."))

        def reopen(connection: Connection) -> tuple[bool, cells.Only | None]:
            others = cells.any_open(connection, run_id)
            found = _reopen_failed(connection, run_id, chosen)
            return bool(found), cells.only_these(connection, found) if others else None

        found, only = self._context.audit.write(reopen).result()
        if not found and chosen is not None:
            raise UserError(
                tr("None of the chosen calls failed."),
                tr("Answers are never asked for again, and that a model declined is a result."),
            )
        return self.start(run_id, only=only)

    def reopen_failed(self, run_id: RunId) -> int:
        """Have the cells that failed asked again when the run is started next, as `retry_failed`; how many. Blocks."""
        return len(self._context.audit.write(lambda connection: _reopen_failed(connection, run_id)).result())

    def rating_outlook(self, run_id: RunId, raters: Raters) -> RatingOutlook:
        """The outlook of having the answers of a round rated. Raises `UserError` if that cannot be done."""
        return self._context.audit.read(lambda connection: rating.outlook(connection, run_id, raters))

    def can_be_rated(self, run_id: RunId) -> bool:
        return self._context.audit.read(lambda connection: rating.can_be_rated(connection, run_id))

    def rating_choices(self, run_id: RunId) -> RatingChoices:
        return self._context.audit.read(lambda connection: rating.choices(connection, run_id))

    def add_raters(self, run_id: RunId, raters: Raters, *, spend_cap: float | None = None) -> "Future[int]":
        """Add judges and encoders to a round that rests; the future holds what they are to be asked once it is started.

        *spend_cap*: US dollars that they may cost, beyond what the round has cost. Raises `UserError` through the
        future where nothing can be rated, at once where a round is being asked.
        """
        if self._active is not None:
            raise UserError(tr("A round is being asked already."), tr("Pause or stop it first."))

        def write(connection: Connection) -> int:
            if spend_cap is not None:
                runs.set_spend_cap(connection, run_id, runs.get(connection, run_id).spent + spend_cap)
            return rating.join(connection, run_id, raters)

        return self._context.audit.write(write)

    def jobs(self, run_id: RunId) -> list[StoredJob]:
        """Every batch job of a run, in the order submitted."""
        return self._context.audit.read(lambda connection: batch_jobs.of_run(connection, run_id))

    def cancel_jobs(self, run_id: RunId) -> "Future[RunState]":
        """End a run's batch jobs early, keep what they answered, and use none any more in this run.

        The future holds the state in which the run rests. Raises `UserError` where another run is being asked.
        """
        if self._active not in (None, run_id):
            raise UserError(tr("A round is being asked already."), tr("Pause or stop it first."))
        # Stored before anybody is told: an execution that is still being prepared, or one after a kill, reads it from
        # there.
        self._context.audit.write(lambda connection: batch_jobs.give_up(connection, run_id)).result()
        if self._active is None or self._future is None:
            return self.start(run_id)
        self._context.loop.submit(self._with_execution(RunExecution.cancel_jobs))
        return self._future

    def set_spend_cap(self, run_id: RunId, cap: float | None) -> "Future[None]":
        if self._active == run_id:
            self._context.loop.submit(self._with_execution(lambda execution: execution.spend_guard.raise_to(cap)))
        return self._context.audit.write(lambda connection: runs.set_spend_cap(connection, run_id, cap))

    def set_limits(self, run_id: RunId, account: str, limits: Limits) -> "Future[None]":
        """Change the limits of every model of *account* (`Endpoint.account`), at once where the run is being asked."""
        if self._active == run_id:
            self._context.loop.submit(self._with_execution(lambda execution: execution.set_limits(account, limits)))
        return self._context.audit.write(lambda connection: models.set_limits(connection, run_id, account, limits))

    def close(self) -> None:
        """Stop what is being asked and wait until it is saved."""
        future = self._future
        if future is not None and not future.done():
            # Waits for the engine's loop, so that this is never called on it.
            self.stop(tr("Stopped because its audit was closed.")).result()
            wait([future])
        for unsaved in self._unsaved.values():
            # Where the disk is still full, they are asked again one day; nothing more can be done for them here.
            with suppress(StorageError):
                self._context.audit.write(partial(responses.save, landed=unsaved)).result()

    def wait_until_at_rest(self) -> None:
        """Return once nothing is being asked. Blocks."""
        future = self._future
        if future is not None:
            wait([future])

    async def _plan(self, setup: RunSetup) -> RunId:
        method = catalogue.method(setup.method)
        controls = controls_in_force(method, setup.controls, setup.protocol)
        own = await asyncio.to_thread(method.items, setup.protocol)

        def write(connection: Connection) -> RunId:
            batch_id = setup.batch_id
            asked_about = (own or setup.article_ids) if batch_id is None else batches.articles(connection, batch_id)
            check_extent(method, len(asked_about), len(setup.model_ids), setup.protocol, controls)
            if batch_id is None and own:
                batch_id = study_items.batch_of(connection, setup.name, own)
            elif batch_id is None:
                batch_id = batches.create(connection, setup.name, setup.article_ids)
            check_whole(article.item for article in batches.articles(connection, batch_id))
            found = with_prices(models.get(connection, model_id) for model_id in setup.model_ids)
            plan = setup.plan(model.endpoint for model in found)
            chosen = tuple(
                replace(model, endpoint=endpoint, role=setup.role_of(model.id))
                for model, endpoint in zip(found, plan.models, strict=True)
            )
            # In one job with its batch: a round that cannot be planned must not use its articles up.
            return freeze(
                Freeze(plan=plan, name=setup.name, batch_id=batch_id, protocol=setup.protocol, models=chosen)
            )(connection)

        return await self._planned(write)

    async def _execute(self, run_id: RunId, by: Starter, only: cells.Only | None) -> RunState:
        try:
            execution, sender = await self._prepare(run_id, only)
            try:
                first = await self._context.write(lambda connection: runs.set_starter(connection, run_id, by))
                words = tr("Started {who}.", who=tr(str(by))) if first else tr("Resumed {who}.", who=tr(str(by)))
                await execution.notes.add(words)
                self._execution = execution
                self._context.emit(RunStarted(run_id=run_id))
                for command in self._early:
                    await command(execution)
                state = await execution.run()
            finally:
                self._unsaved[run_id] = execution.unsaved
                await sender.aclose()
        finally:
            self._execution = self._active = None
            self._early.clear()
        execution.announce(state)
        return state

    async def _prepare(self, run_id: RunId, only: cells.Only | None) -> tuple[RunExecution, Sender]:
        # First: cells whose answers are in memory would count as of unknown outcome, and be asked again.
        await self._context.write(lambda connection: responses.save(connection, self._unsaved.get(run_id, ())))
        self._unsaved.pop(run_id, None)
        self._context.audit.reserved.take()
        unknown = await self._context.write(lambda connection: close_unknown(connection, run_id))
        if only is None:
            await self._context.write(lambda connection: cells.reopen_failed(connection, run_id, PASSING))
        facts = await self._context.read(lambda connection: facts_of(connection, run_id))
        check_whole(article.item for article in facts.articles)
        asked = [model.endpoint for model in facts.to_ask if not model.synthetic]
        await asyncio.to_thread(self._context.keys.unlock_for, asked)
        tasks = [await task_of(self._context, facts, model, only) for model in facts.models]
        tracker = Tracker(facts.run, facts.models, facts.counts, asyncio.get_running_loop().time)
        sender = Sender()
        execution = RunExecution(
            self._context,
            facts.run,
            facts.method,
            facts.protocol,
            tasks,
            design=scoped(facts.method, facts.scope),
            controls=facts.controls,
            assess=self._assess,
            sender=sender,
            tracker=tracker,
        )
        if unknown:
            await execution.notes.add(unknown)
        return execution, sender

    async def _with_execution(self, command: Command) -> None:
        if self._execution is not None:
            await command(self._execution)
        elif self._active is not None:
            self._early.append(command)


def _asked(connection: Connection, setup: RunSetup, own: Sequence[StudyItem]) -> RoundDesign:
    """*own*: the items that the protocol brings along."""
    items = list(own)
    if setup.batch_id is not None:
        items = [each.item for each in batches.articles(connection, setup.batch_id)]
    elif setup.article_ids:
        items = [articles.get(connection, article_id).item for article_id in setup.article_ids]
    method = catalogue.method(setup.method)
    chosen = [replace(models.get(connection, each), role=setup.role_of(each)) for each in setup.model_ids]
    return RoundDesign(
        method=method,
        protocol=setup.protocol,
        controls=controls_in_force(method, setup.controls, setup.protocol),
        items=items,
        models=chosen,
        seen=[models.answers_seen(connection, model.id) for model in chosen],
        seed=setup.seed,
        batch_jobs=setup.batch_jobs,
        scope=setup.scope,
    )


def _reopen_failed(connection: Connection, run_id: RunId, chosen: Sequence[int] | None = None) -> list[CellId]:
    """Which cells of a run were opened again, of all or of those *chosen*."""
    reasons = [str(reason) for reason in RETRYABLE]
    if chosen is None:
        found = cells.reopen_missing(connection, run_id, reasons)
    else:
        found = cells.reopen_chosen(connection, chosen, reasons)
    wanted = None if chosen is None else frozenset(chosen)
    # What their words mean only who reads them knows; asked again, they are declined again or answered.
    doubtful = [each for each in unknown_refusals.cells(connection, run_id) if wanted is None or each in wanted]
    cells.reopen(connection, doubtful)
    return [*found, *doubtful]


def with_unpriced(connection: Connection, run: Run) -> Run:
    """*run*, which says whether a price was unknown when it was planned."""
    return replace(run, unpriced=models.unpriced(connection, run.id))

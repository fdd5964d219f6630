"""One execution of a run: from start or resume until it rests.

ModelRunner (one per model) ── outcome ──▶ Saver ── durable ──▶ Tracker, Assessor, events
JobRunner (by batch jobs) ── durable ───────┘
"""

import asyncio
import random
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from functools import partial
from typing import Any, Final

from gpf_desktop.domain.cells import cell_seed
from gpf_desktop.domain.errors import GpfError, StorageError
from gpf_desktop.domain.events import CellAnswered, CellMissed, Halted, RunProgressed, RunRested, RunStateChanged
from gpf_desktop.domain.ids import CellId, FitGroupId, ModelId
from gpf_desktop.domain.methods import StudyProtocol
from gpf_desktop.domain.models import IMPORTED, Limits, Role
from gpf_desktop.domain.ports.method import Method
from gpf_desktop.domain.responses import Miss, Missing
from gpf_desktop.domain.runs import NoteKind, Run, RunProgress, RunState
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.core.background import Background
from gpf_desktop.engine.core.context import EngineContext
from gpf_desktop.engine.models.sending import Sender
from gpf_desktop.engine.rounds.assessing import Assess
from gpf_desktop.engine.rounds.batch_jobs import LINE_TIMEOUT, JobRunner
from gpf_desktop.engine.rounds.embedding_runner import EmbeddingRunner
from gpf_desktop.engine.rounds.job_answers import Group
from gpf_desktop.engine.rounds.letters_asked import LettersAsked
from gpf_desktop.engine.rounds.limits import Limiters
from gpf_desktop.engine.rounds.model_runner import ModelRunner
from gpf_desktop.engine.rounds.model_task import ModelTask, worst_cell
from gpf_desktop.engine.rounds.planning import plan_stage
from gpf_desktop.engine.rounds.run_notes import RunNotes
from gpf_desktop.engine.rounds.saver import Saver
from gpf_desktop.engine.rounds.spend_guard import SpendGuard
from gpf_desktop.engine.rounds.stage_watch import StageWatch
from gpf_desktop.engine.rounds.tracker import Tracker, cap_needed, words_of_rest
from gpf_desktop.storage import cells, fit_groups, responses, runs, score_counts, stages
from gpf_desktop.storage.responses import CellResult
from gpf_desktop.storage.writer import Connection

REPORT_EVERY: Final = 0.2
"""Seconds between two progress events."""
PROVISIONAL_EVERY: Final = 2.0
"""Seconds between two provisional scorings of articles that are not complete."""


class RunExecution:
    """Made, run, paused and stopped on the engine loop."""

    def __init__(
        self,
        context: EngineContext,
        run: Run,
        method: Method,
        protocol: StudyProtocol,
        tasks: Sequence[ModelTask],
        *,
        design: Method,
        controls: Any,
        assess: Assess,
        sender: Sender,
        tracker: Tracker,
    ) -> None:
        self.tracker = tracker
        self.notes = RunNotes(context, run.id)
        # What calls of unknown end may have cost is held against the cap: nobody will ever know that it was less.
        self.spend_guard = SpendGuard(run.spend_cap, lambda: tracker.spent + tracker.in_doubt)
        self._context, self._run = context, run
        self._state, self._why = RunState.RUNNING, ""
        self._cap_needed: float | None = None
        self._halted: Halted | None = None
        self._stopped = self._resting = False
        """A stop was asked for; a pause or a stop, perhaps before the first call."""
        self._imported = all(task.model.endpoint.provider == IMPORTED for task in tasks)
        self._saver = Saver(context, self._saved)
        self._assessor = assess(run.id, method, protocol, tasks[0].items, self._scored)
        self._landing: dict[CellId, Group] = {}
        self._open: Counter[FitGroupId] = Counter()
        self._dirty: set[FitGroupId] = set()
        self._stages = StageWatch(self._plan_next, lambda: bool(self._landing))
        self._plan_cells = partial(
            plan_stage, run, design, protocol, [task.model for task in tasks], tasks[0].items, controls
        )
        self._background = Background()
        self._sender = sender
        self._limiters = Limiters(self._limit_changed)
        self._runners = [self._runner(task) for task in tasks]
        for runner in self._runners:
            runner.faults.answered_before = tracker.models[runner.task.model.id].answered > 0
        self._letters = LettersAsked(tasks, self.notes)
        self._dispatching: list[asyncio.Task[None]] = []

    def _runner(self, task: ModelTask) -> ModelRunner | JobRunner:
        if task.jobs is not None and task.model.role is not Role.EMBEDDER:
            return JobRunner(
                self._context,
                task,
                task.jobs,
                send=self._sender.sending(LINE_TIMEOUT),
                spend_guard=self.spend_guard,
                spend=self._spend,
                doubt=self._doubt,
                announce=self._announce,
                note=self.notes.add,
                stages=self._stages,
            )
        # One whose vectors were imported is asked nothing, whatever its role.
        encodes = task.model.role is Role.EMBEDDER and task.provider.name in catalogue.embedders()
        made = EmbeddingRunner if encodes else ModelRunner
        return made(
            self._context,
            task,
            limiter=self._limiters.of(task.model.endpoint),
            send=self._sender.send,
            spend_guard=self.spend_guard,
            spend=self._spend,
            doubt=self._doubt,
            land=self._land,
            note=self.notes.add,
            stages=self._stages,
            rng=random.Random(cell_seed(self._run.seed, "waits", task.model.endpoint.label)),  # noqa: S311 - jitter
        )

    async def run(self) -> RunState:
        """Ask every open cell, save, score; rest in exactly one state."""
        try:
            await self._begin()
            await self._dispatch()
            state = await self._close()
        except GpfError as error:
            self._why = f"{error.what} {error.remedy}".strip()
            # In this order: what lands is in memory before it is saved, and what is abandoned comes last.
            await self._let_land()
            await self._save_in_kept_room()
            state = await self._give_up()
        except BaseException:
            await self._give_up()
            raise
        finally:
            await self._background.end()
            await self._saver.close()
        return state

    def announce(self, state: RunState) -> None:
        """Tell that the run rests in *state*: last of all, since who hears of it may start the next at once."""
        self._context.emit(RunProgressed(progress=self.progress(state)))
        self._context.emit(RunStateChanged(run_id=self._run.id, state=state))
        self._context.emit(
            RunRested(
                run_id=self._run.id,
                name=self._run.name,
                state=state,
                why=self._why,
                cap_needed=self._cap_needed,
                halted=self._halted,
                imported=self._imported,
            )
        )

    @property
    def unsaved(self) -> list[CellResult]:
        """The results that were received and could not be saved."""
        return self._saver.unsaved

    async def pause(self, why: str = "") -> None:
        """Send nothing more and let calls in flight land; *why* is noted where it was not done by hand."""
        if not self._resting:
            self._stop_dispatching()
            await self._enter(RunState.PAUSING)
            await self._note_why(why)
            for runner in self._runners:
                await runner.drop_waiting()

    async def stop(self, why: str = "") -> None:
        """Send nothing more and wait for nothing; calls in flight become "outcome unknown". *why* as in `pause`."""
        self._stopped = True
        self._stop_dispatching()
        await self._abandon()
        await self._note_why(why)

    async def _note_why(self, why: str) -> None:
        # Where nothing can be written it rests all the same.
        with suppress(StorageError):
            if why:
                await self.notes.add(why)

    async def set_limits(self, account: str, limits: Limits) -> None:
        """Take the auditor's new limits for every model of *account* from now on."""
        mine = [
            runner
            for runner in self._runners
            if isinstance(runner, ModelRunner) and runner.task.model.endpoint.account == account
        ]
        for runner in mine:
            runner.wait.least = limits.timeout
        for runner in mine[:1]:
            runner.limiter.set_limits(limits)

    async def hold(self, provider: str) -> None:
        """Ask this provider's models no further in this execution; what is in flight lands."""
        for runner in self._runners:
            if runner.task.provider.name == provider and not runner.halted:
                runner.halted = tr("{model} was paused.", model=runner.task.model.label)
                await runner.drop_waiting()

    async def cancel_jobs(self) -> None:
        """Have every batch job ended early; what is answered by then is kept."""
        for runner in self._runners:
            if isinstance(runner, JobRunner):
                await runner.cancel()

    def progress(self, state: RunState | None = None) -> RunProgress:
        for runner in self._runners:
            line = self.tracker.models[runner.task.model.id]
            if isinstance(runner, ModelRunner):
                line.waits, line.throttle = runner.waits, runner.throttle
            line.in_flight, line.limit = runner.in_flight, runner.limit
            if isinstance(runner, JobRunner):
                line.job_requests, line.job_done = runner.requests, runner.done
        return self.tracker.progress(state or self._state, self.spend_guard.cap, self.spend_guard.held)

    async def _begin(self) -> None:
        run_id = self._run.id
        self._context.scoring.warm()
        setting = await self._assessor.setting()
        self._open.update(await self._context.read(lambda connection: cells.open_by_group(connection, run_id)))
        self._stages.left.update(await self._context.read(lambda connection: stages.left(connection, run_id)))
        # Groups that were complete when an earlier execution ended, and had no scores yet.
        for group in await self._context.read(lambda connection: fit_groups.unscored(connection, run_id, setting)):
            self._assessor.ask(group, final=True)
        await self._count_scored()
        # A pause may have come before the first call, and its state stands: it is not to be written over.
        if not self._resting:
            await self._enter(RunState.RUNNING)
        await self._letters.begin()
        self._background.keep_doing(self._report())
        self._background.keep_doing(self._score_what_is_there())

    async def _dispatch(self) -> None:
        if self._resting:
            return
        loop = asyncio.get_running_loop()
        # A kill may have come between a group's last answer and the planning of its next stage.
        for group, left in list(self._stages.left.items()):
            self._stages.ended(group, self._open[group] - left)
        self._dispatching = [loop.create_task(runner.work()) for runner in self._runners]
        self._stages.watch(self._dispatching)
        waiting = {*self._dispatching, self._saver.failed}
        while not all(task.done() for task in self._dispatching):
            await asyncio.wait(waiting, return_when=asyncio.FIRST_COMPLETED)
            if self._saver.failed.done():
                self._saver.failed.result()
            waiting = {task for task in waiting if not task.done()}
        for task in self._dispatching:
            if not task.cancelled():
                task.result()
        for runner in self._runners:
            await runner.landed()

    async def _close(self) -> RunState:
        # First: what it announces brings stages to plan and scores to wait for.
        await self._saver.settle()
        await self._letters.settle()
        await self._stages.settle()
        await self._context.write(lambda connection: cells.withdraw_unsent(connection, self._run.id))
        await self._reopen()
        unscored = await self._settle_scores()
        state = self._outcome()
        await self._count_scored()
        await self._context.write(lambda connection: runs.set_state(connection, self._run.id, state))
        whys = [*(runner.halted for runner in self._runners), self._why if self._cap_needed is not None else ""]
        whys.append(unscored)
        for said in filter(None, (*whys, words_of_rest(state, self.tracker))):
            await self.notes.add(said)
        return state

    async def _settle_scores(self) -> str:
        """Wait for scores; a sentence where some cannot be computed. The answers have their end all the same, and such
        groups are tried again once the round rests (`AutoRescoring`)."""
        failed: GpfError | None = None
        settled = False
        while not settled:
            try:
                await self._assessor.settle()
                settled = True
                if self._done:
                    await self._assessor.conclude()
            except StorageError:
                raise
            except GpfError as error:
                # The others go on, and what ended so is not waited for again.
                failed = error
        return "" if failed is None else f"{failed.what} {failed.remedy}".strip()

    async def _count_scored(self) -> None:
        run_id, setting = self._run.id, await self._assessor.setting()
        counts = await self._context.read(lambda connection: score_counts.by_group(connection, run_id, setting))
        self.tracker.count_bundles(counts)

    async def _reopen(self) -> None:
        """Have cells asked again when the run is resumed that failed through no doing of their own."""
        for runner in self._runners:
            if failed := runner.faults.to_ask_again:
                await self._context.write(partial(cells.reopen, cell_ids=list(failed)))
                self.tracker.reopened(runner.task.model.id, failed.values())

    def _outcome(self) -> RunState:
        if self._done:
            return RunState.FINISHED_WITH_GAPS if self.tracker.gaps else RunState.FINISHED
        if self._stopped:
            return RunState.STOPPED
        halted = [runner for runner in self._runners if runner.halted]
        if self.spend_guard.empty:
            at_most = {
                each.task.model.id: each.at_most_each()
                if isinstance(each, ModelRunner)
                else worst_cell(each.task, refused=each.task.model.not_supported)
                for each in self._runners
            }
            self._cap_needed, self._why = cap_needed(self.tracker, self.spend_guard, at_most)
        elif halted:
            self._why = " ".join(runner.halted for runner in halted)
            self._halted = Halted(model_id=halted[0].task.model.id, fault=halted[0].fault)
        return RunState.PAUSED

    @property
    def _done(self) -> bool:
        """Every cell has its end, and no stage is left."""
        return self.tracker.done and not self._stages.left

    async def _let_land(self) -> None:
        """Send nothing more after an error of the store, and keep in memory what is still answered."""
        self._stop_dispatching()
        for runner in self._runners:
            await runner.drop_waiting()
            with suppress(GpfError):
                await runner.landed()

    async def _save_in_kept_room(self) -> None:
        """Give back what was kept free for a full disk, and save what is in memory."""
        self._assessor.cancel()
        if self._saver.unsaved:
            self._context.audit.reserved.release()
            with suppress(GpfError):
                await self._saver.once_more()

    async def _give_up(self) -> RunState:
        """Give up after an error of the store or of our own: nothing that was saved is lost, the round can resume."""
        self._stop_dispatching()
        self._assessor.cancel()
        with suppress(GpfError):
            await self._abandon()
            await self._context.write(lambda connection: runs.set_state(connection, self._run.id, RunState.PAUSED))
        return RunState.PAUSED

    async def _abandon(self) -> None:
        unknown: list[tuple[CellId, int, float]] = []
        for runner in self._runners:
            if isinstance(runner, ModelRunner) and (calls := await runner.abandon()):
                each = runner.at_most_each()
                unknown += [(cell_id, attempt, 1e6 * each) for cell_id, attempt in calls]
                self._doubt(runner.task.model.id, len(calls) * each)
            elif isinstance(runner, JobRunner):
                await runner.abandon()

        def write(connection: Connection) -> None:
            for cell_id, attempt, at_most in unknown:
                responses.close_call(
                    connection,
                    cell_id,
                    attempt,
                    outcome=Missing.UNKNOWN,
                    status=None,
                    detail="",
                    microdollars=0.0,
                    at_most=at_most,
                )

        await self._context.write(write)

    def _stop_dispatching(self) -> None:
        self._resting = True
        # Or a stop would wait for the scores of thousands of items.
        self._assessor.leave_off()
        for task in self._dispatching:
            task.cancel()

    async def _enter(self, state: RunState) -> None:
        self._state = state
        await self._context.write(lambda connection: runs.set_state(connection, self._run.id, state))
        self._context.emit(RunStateChanged(run_id=self._run.id, state=state))

    def _spend(self, model_id: ModelId, dollars: float) -> None:
        self.tracker.models[model_id].spent += dollars

    def _doubt(self, model_id: ModelId, dollars: float) -> None:
        """A call of *model_id* that may have cost so much was given up, and nobody will know its end."""
        self.tracker.models[model_id].in_doubt += dollars

    def _land(self, group: Group, landed: CellResult) -> None:
        self._landing[landed.cell_id] = group
        self._saver.put(landed)

    def _announce(self, group: Group, landed: CellResult) -> None:
        """An answer of a batch job, durable already."""
        self._landing[landed.cell_id] = group
        self._saved(landed)

    def _saved(self, landed: CellResult) -> None:
        """The answer is durable: count it, announce it, score what became complete."""
        model_id, group = self._landing.pop(landed.cell_id)
        outcome = landed.outcome
        self._open[group] -= 1
        self.tracker.landed(model_id, outcome)
        if isinstance(outcome, Miss):
            self._context.emit(
                CellMissed(run_id=self._run.id, cell_id=landed.cell_id, reason=outcome.reason, detail=outcome.detail)
            )
        else:
            self._letters.landed(model_id, outcome)
            self._context.emit(CellAnswered(run_id=self._run.id, cell_id=landed.cell_id))
        if self._open[group] == 0:
            self._dirty.discard(group)
            self._assessor.ask(group, final=True)
        else:
            self._dirty.add(group)
            self._stages.ended(group, self._open[group] - self._stages.left.get(group, 0))

    async def _plan_next(self, group: FitGroupId) -> None:
        """Every cell of *group* has ended, and a stage is left that may rest on them."""
        planned = await self._context.write(partial(self._plan_cells, group=group))
        self._open[group] = planned.unended
        self._stages.now(group, planned.stages_left)
        for model_id, n in planned.asked.items():
            self.tracker.models[model_id].planned += n
        if planned.unended == 0:
            self._dirty.discard(group)
            self._assessor.ask(group, final=True)

    def _scored(self, group: FitGroupId, bundles: int, provisional: int) -> None:
        self.tracker.assessed(group, bundles, provisional)

    async def _report(self) -> None:
        last = None
        while True:
            progress = self.progress()
            if progress != last:
                self._context.emit(RunProgressed(progress=progress))
                last = progress
            await asyncio.sleep(REPORT_EVERY)

    async def _score_what_is_there(self) -> None:
        while True:
            await asyncio.sleep(PROVISIONAL_EVERY)
            dirty, self._dirty = self._dirty, set()
            for group in dirty:
                self._assessor.ask(group, final=False)

    def _limit_changed(self, account: str, _limit: int, why: str) -> None:
        provider = account.partition(" ")[0]
        if catalogue.provider(provider).synthetic:
            return
        self._background.keep_doing(self.notes.add(f"{provider}: {why}", NoteKind.PACE))

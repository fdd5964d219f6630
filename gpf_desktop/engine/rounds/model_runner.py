"""One model's way through a run: takes its open cells in order and asks them as fast as its account allows."""

import asyncio
import random
from collections import deque
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import replace
from functools import partial
from math import ceil
from typing import Final

from gpf_desktop.domain.adjustments import MOST_AT_ONCE, is_of_one_question
from gpf_desktop.domain.ids import CellId, FitGroupId, ModelId
from gpf_desktop.domain.model_tests import ModelFault
from gpf_desktop.domain.responses import Miss, Outcome, Reply, Usage, without_key
from gpf_desktop.domain.retries import NoRetry, RateLimited, Transient
from gpf_desktop.domain.wire import Send
from gpf_desktop.engine.core.background import cancelled
from gpf_desktop.engine.core.context import EngineContext
from gpf_desktop.engine.models.model_testing import fault_of
from gpf_desktop.engine.rounds.answer_wait import AnswerWait, SendWithin, waiting
from gpf_desktop.engine.rounds.faults import Faults, words_of_silence, words_of_stop
from gpf_desktop.engine.rounds.limits import LONGEST_WAIT, AccountLimiter, Closed, Slot
from gpf_desktop.engine.rounds.model_changes import ModelChanges
from gpf_desktop.engine.rounds.model_task import (
    UNLIMITED,
    ModelTask,
    ask_readably,
    cost_of,
    is_uncounted,
    learn,
    likely_prompt,
    most_tokens,
    question_of,
    words_of_counting,
    words_of_learning,
    worst_cell,
)
from gpf_desktop.engine.rounds.quotas import heeding
from gpf_desktop.engine.rounds.recording import Recorder
from gpf_desktop.engine.rounds.spend_guard import Leave, SpendGuard
from gpf_desktop.engine.rounds.stage_watch import StageWatch
from gpf_desktop.engine.rounds.start_log import StartLog
from gpf_desktop.engine.rounds.throttle_words import (
    words_of_postponing,
    words_of_room,
    words_of_throttling,
    words_of_wait,
)
from gpf_desktop.engine.rounds.waiting_cells import WaitingCells
from gpf_desktop.storage import cells, responses
from gpf_desktop.storage.cells import OpenCell
from gpf_desktop.storage.responses import CellResult
from gpf_desktop.storage.writer import Connection

MOST_WAITS: Final = 20
"""Times that one cell waits out a rate limit before it is given up."""


class ModelRunner:
    """Dispatches one model's cells. `work` ends when none is open, when it is cancelled, or with `halted` set."""

    def __init__(
        self,
        context: EngineContext,
        task: ModelTask,
        *,
        limiter: AccountLimiter,
        send: SendWithin,
        spend_guard: SpendGuard,
        spend: Callable[[ModelId, float], None],
        doubt: Callable[[ModelId, float], None],
        land: Callable[[tuple[ModelId, FitGroupId], CellResult], None],
        note: Callable[[str], Awaitable[None]],
        stages: StageWatch,
        rng: random.Random,
    ) -> None:
        self.task = task
        self.halted = ""
        """Why this model is not asked any more in this execution; a sentence."""
        self.fault: ModelFault | None = None
        """What is to be mended before it is asked again, where it is one of those."""
        self.limiter = limiter
        self.flying: dict[CellId, int] = {}
        """Cells whose call is on the wire, with the number of the attempt."""
        self._context = context
        self.wait = AnswerWait(task.model.endpoint.limits.timeout)
        self._wait_told = self.wait.seconds
        self._send = partial(heeding, partial(waiting, send, self.wait), limiter.heed)
        self._spend_guard = spend_guard
        self._waits_for_money = False
        self._spend = spend
        self._doubt = doubt
        self._land = land
        self._note = note
        self._who_answers = ModelChanges(task.model, note)
        self._stages = stages
        self._fitted: dict[CellId, str] = {}
        """What was learnt of a single question."""
        self._planned_at_take = 0
        self._rng = rng
        self._starts = StartLog(context, lambda: 1e6 * self.at_most_each())
        self._after = -1
        self._tasks: set[asyncio.Task[None]] = set()
        self._leaves: set[Leave] = set()
        self._resting = WaitingCells()
        self._failure: BaseException | None = None
        self._not_supported = set(task.model.not_supported)
        self.faults = Faults(len(task.items))
        self._longest_expected, self._longest_seen = most_tokens(task, UNLIMITED), 0
        """Tokens of the longest answer, by the limit and so far."""
        self._worst_case = self._worst()
        self._likely_prompt = likely_prompt(task)
        self._uncounted = False
        self._per_call = 1
        """Cells that one call asks about at most."""

    @property
    def in_flight(self) -> int:
        return len(self.flying)

    @property
    def limit(self) -> int:
        return self.limiter.limit

    @property
    def throttle(self) -> str:
        """The reason why calls are held back, in words; empty if they are not. A call that waits for money wants no
        slot yet."""
        if self._waits_for_money:
            return words_of_room(len(self._tasks))
        held = self.limiter.throttling()
        return "" if held is None else words_of_throttling(held)

    @property
    def waits(self) -> int:
        """Whole seconds until the next call may start because the provider asked to wait."""
        return ceil(self.limiter.paused_for())

    async def work(self) -> None:
        """Ask every open cell of this model once; returns when the last has ended and no later stage brings any."""
        ready: deque[OpenCell] = deque()
        upcoming: deque[Sequence[OpenCell]] = deque()
        ahead: asyncio.Task[list[OpenCell]] | None = None
        no_more = False
        try:
            while await self._has_room():
                if not upcoming and (not ready or not (no_more or self._enough(ready))):
                    ready.extend(await (ahead or self._take()))
                    ahead = None
                    if not self._enough(ready):
                        await self.landed()
                        no_more = not await self._stages.more(self._planned_at_take)
                        if no_more and not ready:
                            break
                        if not no_more:
                            continue
                if ahead is not None and ahead.done() and (more := ahead.result()):
                    ready.extend(more)
                    ahead = None
                self._begin_starts(ready, upcoming)
                # Cells are taken only after it, so that those which are not asked stay open in the store.
                leave = await self._paid_slot()
                if leave is None:
                    break
                together = upcoming.popleft() if upcoming else self._next(ready)
                # The next cells are read while calls are on the wire, so that no slot waits for the store.
                if ahead is None and len(ready) <= self.limiter.limit // 2:
                    ahead = asyncio.get_running_loop().create_task(self._take())
                task = asyncio.get_running_loop().create_task(self._ask(together, leave))
                self._tasks.add(task)
                task.add_done_callback(self._ended)
        finally:
            # Cells may count as started by then; `cells.withdraw_unsent` opens them again.
            await self._starts.settle()
            if ahead is not None:
                ahead.cancel()
                await asyncio.gather(ahead, return_exceptions=True)
        await self.landed()
        # Even one cell that failed by the account's certain fault is opened again at the end: the model is not done.
        if self.faults.last is not None:
            self._halt(self.faults.last)

    def _worst(self) -> float:
        """US dollars that a call may cost at most, by what is known of the model now."""
        return worst_cell(self.task, refused=self._not_supported, seen=self._longest_seen)

    def at_most_each(self) -> float:
        """The highest cost of each cell that a call asks about, in US dollars."""
        return self._worst_case

    async def _paid_slot(self) -> Leave | None:
        """A slot, with the worst case of its call held back; None where no other cell is to be asked.

        The money comes first: a cell that rests between two tries keeps its money and waits for a slot, so who held the
        last slot and waited for that money would wait for ever.
        """
        while (held := await self._paid()) is not None:
            given: Leave | None = None
            try:
                slot = await self.limiter.acquire(self.task.model.id)
                if isinstance(slot, Closed):
                    self._give_up(slot)
                elif self._goes_on() and held >= self._worst_case:
                    given = Leave(slot, held)
                else:
                    # Meanwhile the model was halted, or another call has shown that one may cost more.
                    self.limiter.cancel(slot)
            finally:
                if given is None:
                    self._spend_guard.give_back(held)
            if given is not None or isinstance(slot, Closed) or not self._goes_on():
                return given
        return None

    async def _paid(self) -> float | None:
        """The worst case of a call, held back; None where the cap has no room for it."""
        self._waits_for_money = True
        # Until it is paid: what a call may cost can turn out to be more while the money is waited for.
        held = -1.0
        while held < self._worst_case:
            self._spend_guard.give_back(max(0.0, held))
            held = self._worst_case
            if not await self._spend_guard.reserve(held):
                self._waits_for_money = False
                return None
        self._waits_for_money = False
        return held

    def _goes_on(self) -> bool:
        return not self.halted

    async def _has_room(self) -> bool:
        """Whether another cell may be asked; waits while many wait for another try after faults of the server."""
        await self._resting.leave_room(self._goes_on)
        return self._goes_on()

    def _halt(self, miss: Miss) -> None:
        self.halted = self.halted or words_of_stop(self.task.model.label, self.task.model.endpoint, miss)
        self.fault = self.fault or fault_of(miss)
        self._resting.cancel()

    async def landed(self) -> None:
        """Wait until every call in flight has ended. Raises what asking raised."""
        while self._tasks:
            await asyncio.wait(self._tasks)
        if self._failure is not None:
            raise self._failure

    async def abandon(self) -> list[tuple[CellId, int]]:
        """Stop at once; returns the calls whose outcome nobody will know."""
        # Before the calls are cancelled, each of which takes itself off the list.
        unknown = list(self.flying.items())
        await cancelled(self._tasks)
        return unknown

    async def drop_waiting(self) -> None:
        """Give up cells that wait for a retry, so that a pause need not wait for them; they stay open."""
        await self._resting.drop()

    def _ended(self, task: "asyncio.Task[None]") -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            if self._failure is None:
                self._failure = error
            self.halted = self.halted or str(error)

    async def _take(self) -> list[OpenCell]:
        """The next open cells. Those of a calibration model count as started at once: they are never billed."""
        run_id, model_id, after = self.task.run_id, self.task.model.id, self._after
        limit = max(1, self.limiter.limit) * self._per_call
        self._planned_at_take = self._stages.planned

        def write(connection: Connection) -> list[OpenCell]:
            # By position too: cells that wait in *ready* are still open in the store and would be taken twice.
            taken = cells.next_open(connection, run_id, model_id, after=after, limit=limit, only=self.task.only)
            if self.task.model.synthetic:
                cells.record_starts(connection, [(cell.id, cell.attempts + 1) for cell in taken])
            return taken

        taken = await self._context.write(write)
        if taken:
            self._after = taken[-1].position
        return taken

    def _enough(self, ready: deque[OpenCell]) -> bool:
        """Whether the next call need not wait for cells that are yet to be planned."""
        return bool(ready)

    def _next(self, ready: deque[OpenCell]) -> Sequence[OpenCell]:
        """Takes from *ready*, which is not empty, what the next call asks about."""
        return (ready.popleft(),)

    def _begin_starts(self, ready: deque[OpenCell], upcoming: deque[Sequence[OpenCell]]) -> None:
        """Record the next calls' starts while all slots are taken: where time holds calls back, none waits unsent."""
        if self.task.model.synthetic or self.limiter.in_flight < self.limiter.limit:
            return
        while len(upcoming) < self._starts.early(min(len(self._tasks), self.limiter.limit)) and self._enough(ready):
            upcoming.append(together := self._next(ready))
            self._starts.begin([(cell.id, cell.attempts + 1) for cell in together])

    async def _ask(self, together: Sequence[OpenCell], leave: Leave) -> None:
        """Ask until there is an answer, a final miss, or no try left."""
        self._leaves.add(leave)
        try:
            ended = await self._insist(together, leave)
        finally:
            self._leaves.discard(leave)
            # Held through every try, and given back after `_call` has counted the cost: the cap is never passed.
            self._spend_guard.give_back(leave.held)
        by_id = {cell.id: cell for cell in together}
        for one in ended:
            self._landed(by_id[one.cell_id], one)

    def _landed(self, cell: OpenCell, ended: CellResult) -> None:
        stops = self.faults.landed(cell.id, ended.outcome, cell.article_id, again=cell.attempts > 0)
        if stops and self.faults.last is not None:
            self._halt(self.faults.last)
        self._land((self.task.model.id, cell.fit_group_id), ended)

    async def _insist(self, together: Sequence[OpenCell], leave: Leave) -> list[CellResult]:
        """Ask until it is decided, and return how the last attempt ended for each cell that does not stay open."""
        tries, waits, before, lessons = 0, 0, 0, 0
        while True:
            left_out = set(self._not_supported)
            ended = await self._call(together, before, leave.slot)
            outcome = ended[0].outcome
            if isinstance(outcome, Reply):
                return ended
            if outcome.end_unknown:
                # What was held is in doubt from here on (`_reckon`); another try is paid anew.
                self._spend_guard.give_back(leave.held)
                leave.held = 0.0
            # It costs no try. Calls that were on their way when the first was refused are repeated too, and nothing
            # more is said of them.
            if outcome.refused_parameter not in {"", *left_out} and lessons < MOST_AT_ONCE:
                lessons += 1
                if is_of_one_question(outcome.refused_parameter):
                    self._fitted.update(dict.fromkeys((cell.id for cell in together), outcome.refused_parameter))
                elif outcome.refused_parameter not in self._not_supported:
                    self._not_supported.add(outcome.refused_parameter)
                    self._worst_case = self._worst()
                    await learn(self._context, self.task, self._not_supported)
                    await self._note(words_of_learning(self.task, outcome.refused_parameter))
                pause = 0.0
            else:
                waits += isinstance(outcome.retry, RateLimited)
                tries += isinstance(outcome.retry, Transient)
                out_of_tries = tries >= self.task.model.endpoint.limits.attempts or waits >= MOST_WAITS
                if isinstance(outcome.retry, NoRetry) or out_of_tries:
                    return ended
                pause = self.limiter.backoff(tries + waits, outcome.retry, self._rng)
            # Before the wait: a kill during it must not list this attempt as one of unknown outcome.
            for each in ended:
                await self._close_call(each, outcome)
            if not self._goes_on():
                return []
            if pause > LONGEST_WAIT:
                self._postpone(pause)
                return []
            before += 1
            if not await self._again(leave, pause):
                return []

    async def _again(self, leave: Leave, pause: float) -> bool:
        """Wait for another try, *pause* seconds and a slot; False where there is none any more."""
        await self._resting.rest(pause)
        if not await self._pays_more(leave):
            return False
        again = await self.limiter.acquire(self.task.model.id)
        if isinstance(again, Closed):
            self._give_up(again)
            return False
        leave.slot = again
        if not self._goes_on():
            self.limiter.cancel(again)
            return False
        return True

    async def _pays_more(self, leave: Leave) -> bool:
        """Hold back more for a call that may cost more than was thought; False where the cap has no room for it."""
        if leave.held >= self._worst_case:
            return True
        # All of it is given back first: two that waited for more, each with its part in hand, would wait for ever.
        self._spend_guard.give_back(leave.held)
        leave.held = 0.0
        more = self._worst_case
        if await self._spend_guard.reserve(more):
            leave.held = more
        return bool(leave.held)

    def _give_up(self, closed: Closed) -> None:
        if closed.silent is None:
            self._postpone(closed.seconds)
            return
        self.halted = self.halted or words_of_silence(
            self.task.model.label, self.task.model.endpoint, closed.silent, closed.seconds
        )
        self._resting.cancel()

    def _postpone(self, seconds: float) -> None:
        """Halt where the provider asks for a wait that nobody sits out."""
        self.halted = self.halted or words_of_postponing(self.task.model.label, seconds)

    async def _call(self, together: Sequence[OpenCell], before: int, slot: Slot) -> list[CellResult]:
        """One attempt at cells that are asked in one call; *before*: attempts at them since they were taken."""
        recorder = Recorder(self._send, self.task.key)
        loop = asyncio.get_running_loop()
        starts = [(cell.id, cell.attempts + before + 1) for cell in together]
        try:
            if before or not self.task.model.synthetic:
                await self._starts.record(starts)
            # Only once they are recorded: the start of a call that is abandoned before
            # was never sent, and is withdrawn.
            self.flying.update(starts)
            started = loop.time()
            told = await self._put(together, recorder)
            self._starts.called(loop.time() - started)
        except BaseException:
            # Cancelled calls too: a slot that is not given back would lower the account's limit for good.
            self.limiter.cancel(slot)
            raise
        finally:
            for cell_id, _ in starts:
                self.flying.pop(cell_id, None)
        outcomes = [without_key(each, self.task.key) for each in told]
        costs = [cost_of(self.task.model.endpoint.price, each, self._likely_prompt) for each in outcomes]
        self._spend(self.task.model.id, sum(costs) / 1e6)
        at_most = self._reckon(outcomes, costs)
        self.limiter.release(slot, replace(outcomes[0], usage=sum((each.usage for each in outcomes), Usage())))
        exchange = recorder.exchange()
        ended = [
            CellResult(
                cell_id=cell_id,
                attempt=attempt,
                outcome=outcome,
                seconds=loop.time() - started,
                microdollars=cost,
                at_most=at_most,
                # Of many cells in one call the first keeps what went over the wire.
                exchange=exchange if place == 0 else None,
            )
            for place, ((cell_id, attempt), outcome, cost) in enumerate(zip(starts, outcomes, costs, strict=True))
        ]
        await self._tell_wait()
        if costs[0] and not self._uncounted and is_uncounted(outcomes[0]):
            self._uncounted = True
            await self._note(words_of_counting(self.task.model.label))
        await self._who_answers.heard(outcomes[0].served)
        if self.faults.is_foreign_ending(outcomes[0]):
            self._halt(outcomes[0])
        return ended

    def _reckon(self, outcomes: Sequence[Outcome], costs: Sequence[float]) -> float:
        """Learn from the ends of a call, and count one of unknown cost as in doubt: returns millionths of a dollar that
        each may have cost in all if nobody knows, else 0."""
        outcome = outcomes[0]
        if (outcome.usage.completion or 0) > self._longest_seen:
            self._longest_seen = outcome.usage.completion or 0
            if self._longest_seen > self._longest_expected:
                self._worst_case = self._worst()
                for leave in self._leaves:
                    leave.hold_more(self._spend_guard, self._worst_case)
        if isinstance(outcome, Reply) or not outcome.end_unknown:
            return 0.0
        at_most = 1e6 * self.at_most_each()
        # Of a reply that was asked for twice the first call is counted.
        self._doubt(self.task.model.id, sum(max(0.0, at_most - cost) for cost in costs) / 1e6)
        return at_most

    async def _tell_wait(self) -> None:
        if self.wait.seconds >= 1.5 * self._wait_told:
            self._wait_told = self.wait.seconds
            await self._note(words_of_wait(self.task.model.label, self._wait_told))

    async def _put(self, together: Sequence[OpenCell], send: Send) -> Sequence[Outcome]:
        """Send the call; an outcome of each cell, either all of them replies or all misses of one kind."""
        (cell,) = together
        adjusted = self._not_supported | ({self._fitted[cell.id]} if cell.id in self._fitted else set())
        return [await ask_readably(self.task, question_of(self.task, cell, adjusted), cell.stage, send)]

    async def _close_call(self, ended: CellResult, outcome: Miss) -> None:
        await self._context.write(
            partial(
                responses.close_call,
                cell_id=ended.cell_id,
                attempt=ended.attempt,
                outcome=str(outcome.reason),
                status=outcome.status,
                detail=outcome.detail,
                microdollars=ended.microdollars,
                at_most=ended.at_most,
                exchange=ended.exchange,
            )
        )

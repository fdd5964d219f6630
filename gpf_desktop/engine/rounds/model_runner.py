"""One model's way through a run: takes its open cells in order and asks them as fast as its account allows."""

import asyncio
import random
from collections import deque
from collections.abc import Awaitable, Callable, Collection, Mapping
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from functools import partial
from math import ceil
from typing import Final

from gpf_desktop.domain.coordinates import Coordinates
from gpf_desktop.domain.ids import ArticleId, CellId, FitGroupId, ModelId, RunId
from gpf_desktop.domain.items import StudyItem
from gpf_desktop.domain.methods import Method, StudyProtocol
from gpf_desktop.domain.models import Price, Secret, TargetModel
from gpf_desktop.domain.ports import BatchJobs, Provider, Question
from gpf_desktop.domain.protocol import Decoding
from gpf_desktop.domain.responses import Miss, Outcome, Reply, without_key
from gpf_desktop.domain.retries import NoRetry, RateLimited, Transient
from gpf_desktop.domain.text import tr
from gpf_desktop.domain.wire import Send, WireReply, WireRequest
from gpf_desktop.engine.core.context import EngineContext
from gpf_desktop.engine.rounds.faults import Faults, words_of_silence, words_of_stop
from gpf_desktop.engine.rounds.limits import LONGEST_WAIT, AccountLimiter, Closed, Slot, backoff
from gpf_desktop.engine.rounds.quotas import moment_of, quotas_in
from gpf_desktop.engine.rounds.recording import Recorder
from gpf_desktop.engine.rounds.spend_guard import SpendGuard
from gpf_desktop.storage import cells, models, responses
from gpf_desktop.storage.cells import OpenCell
from gpf_desktop.storage.responses import CellResult
from gpf_desktop.storage.writer import Connection

MOST_RESTING: Final = 256
"""Cells that may wait for another try before no further ones are asked: each rests for itself, the account goes on."""
MOST_WAITS: Final = 20
"""Times that one cell waits out a rate limit before it is given up."""
CHARACTERS_PER_TOKEN: Final = 5
"""Of an answer that is sent on with a question of a later stage, at most."""
UNLIMITED: Final = 8_000
"""Answer tokens reckoned with where no limit is set."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelTask:
    """What a runner needs to know of its run."""

    run_id: RunId
    method: Method
    protocol: StudyProtocol
    items: Mapping[ArticleId, StudyItem]
    """As the batch froze them."""
    model: TargetModel
    provider: Provider
    key: Secret | None
    jobs: BatchJobs | None = None
    """Set where this model is asked through batch jobs."""


class ModelRunner:
    """Dispatches one model's cells. `work` ends when none is open, when it is cancelled, or with `halted` set."""

    def __init__(
        self,
        context: EngineContext,
        task: ModelTask,
        *,
        limiter: AccountLimiter,
        send: Send,
        spend_guard: SpendGuard,
        spend: Callable[[ModelId, float], None],
        land: Callable[[tuple[ModelId, FitGroupId], CellResult], None],
        note: Callable[[str], Awaitable[None]],
        more: Callable[[], Awaitable[bool]],
        rng: random.Random,
    ) -> None:
        self.task = task
        self.halted = ""
        """Why this model is not asked any more in this execution; a sentence."""
        self.limiter = limiter
        self.flying: dict[CellId, int] = {}
        """Cells whose call is on the wire, with the number of the attempt."""
        self._context = context
        self._limiter = limiter
        self._send = partial(_heeding, send, limiter)
        self._spend_guard = spend_guard
        self._spend = spend
        self._land = land
        self._note = note
        self._more = more
        self._rng = rng
        self._after = -1
        self._tasks: set[asyncio.Task[None]] = set()
        self._resting: set[asyncio.Task[None]] = set()
        self._rested = asyncio.Event()
        self._failure: BaseException | None = None
        self._not_supported = set(task.model.not_supported)
        self.faults = Faults()
        self._worst_case = worst_case(task, task.model.endpoint.price)

    @property
    def in_flight(self) -> int:
        return len(self.flying)

    @property
    def limit(self) -> int:
        return self._limiter.limit

    @property
    def throttle(self) -> str:
        """What holds the account back after refusals, in words; empty where nothing does."""
        held = self._limiter.throttling()
        if held is None:
            return ""
        until = (datetime.now(UTC) + timedelta(seconds=held.seconds)).astimezone()
        return tr(
            "{status} from the provider: {n} at once until {time}",
            status=held.status or tr("No answer"),
            n=held.limit,
            time=f"{until:%H:%M}",
        )

    @property
    def waits(self) -> int:
        """Whole seconds until the next call may start because the provider asked to wait."""
        return ceil(self._limiter.paused_for())

    async def work(self) -> None:
        """Ask every open cell of this model once; returns when the last has ended and no later stage brings any."""
        ready: deque[OpenCell] = deque()
        ahead: asyncio.Task[list[OpenCell]] | None = None
        try:
            while await self._has_room():
                if not ready:
                    ready.extend(await (ahead or self._take()))
                    ahead = None
                    if not ready:
                        await self.landed()
                        if not await self._more():
                            break
                        continue
                slot = await self._limiter.acquire(self.task.model.id)
                if isinstance(slot, Closed):
                    self._give_up(slot)
                    break
                if not self._goes_on() or not await self._spend_guard.reserve(self._worst_case):
                    self._limiter.cancel(slot)
                    break
                cell = ready.popleft()
                if ahead is None and len(ready) <= self._limiter.limit // 2:
                    ahead = asyncio.get_running_loop().create_task(self._take())
                task = asyncio.get_running_loop().create_task(self._ask(cell, slot))
                self._tasks.add(task)
                task.add_done_callback(self._ended)
        finally:
            if ahead is not None:
                ahead.cancel()
                await asyncio.gather(ahead, return_exceptions=True)
        await self.landed()
        if self.faults.last is not None:
            self._halt(self.faults.last)

    def _goes_on(self) -> bool:
        return not self.halted

    async def _has_room(self) -> bool:
        """Whether another cell may be asked; waits while many wait for another try after faults of the server."""
        while self._goes_on() and len(self._resting) >= MOST_RESTING:
            self._rested.clear()
            await self._rested.wait()
        return self._goes_on()

    def _halt(self, miss: Miss) -> None:
        self.halted = self.halted or words_of_stop(self.task.model.label, self.task.model.endpoint, miss)
        for task in self._resting:
            task.cancel()

    async def landed(self) -> None:
        """Wait until every call in flight has ended. Raises what asking raised."""
        while self._tasks:
            await asyncio.wait(self._tasks)
        if self._failure is not None:
            raise self._failure

    async def abandon(self) -> list[tuple[CellId, int]]:
        """Stop at once; returns the calls whose outcome nobody will know."""
        unknown = list(self.flying.items())
        await _cancelled(self._tasks)
        return unknown

    async def drop_waiting(self) -> None:
        """Give up cells that wait for a retry, so that a pause need not wait for them; they stay open."""
        await _cancelled(self._resting)

    def _ended(self, task: "asyncio.Task[None]") -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None:
            if self._failure is None:
                self._failure = error
            self.halted = self.halted or str(error)

    async def _take(self) -> list[OpenCell]:
        """The next open cells. Those of a calibration model count as started at once: they are never billed."""
        run_id, model_id, after = self.task.run_id, self.task.model.id, self._after
        limit = max(1, self._limiter.limit)

        def write(connection: Connection) -> list[OpenCell]:
            taken = cells.next_open(connection, run_id, model_id, after=after, limit=limit)
            if self.task.model.synthetic:
                cells.record_starts(connection, [(cell.id, cell.attempts + 1) for cell in taken])
            return taken

        taken = await self._context.write(write)
        if taken:
            self._after = taken[-1].position
        return taken

    async def _ask(self, cell: OpenCell, slot: Slot) -> None:
        """Ask until there is an answer, a final miss, or no try left; a slot and the worst case are held on entry."""
        try:
            ended = await self._insist(cell, slot)
        finally:
            self._spend_guard.give_back(self._worst_case)
        if ended is None:
            return
        if self.faults.landed(cell.id, ended.outcome) and self.faults.last is not None:
            self._halt(self.faults.last)
        self._land((self.task.model.id, cell.fit_group_id), ended)

    async def _insist(self, cell: OpenCell, slot: Slot) -> CellResult | None:
        """How the last attempt ended; None where the cell stays open."""
        attempt, tries, waits = cell.attempts + 1, 0, 0
        while True:
            ended = await self._call(cell, attempt, slot)
            outcome = ended.outcome
            if isinstance(outcome, Reply):
                return ended
            if outcome.refused_parameter not in {"", *self._not_supported}:
                self._not_supported.add(outcome.refused_parameter)
                await learn(self._context, self.task, self._not_supported)
                await self._note(words_of_learning(self.task, outcome.refused_parameter))
                pause = 0.0
            else:
                waits += isinstance(outcome.retry, RateLimited)
                tries += isinstance(outcome.retry, Transient)
                out_of_tries = tries >= self.task.model.endpoint.limits.attempts or waits >= MOST_WAITS
                if isinstance(outcome.retry, NoRetry) or out_of_tries:
                    return ended
                pause = backoff(tries + waits, outcome.retry, self._rng)
            await self._close_call(ended, outcome)
            if not self._goes_on():
                return None
            if pause > LONGEST_WAIT:
                self._postpone(pause)
                return None
            await self._rest(pause)
            attempt += 1
            again = await self._limiter.acquire(self.task.model.id)
            if isinstance(again, Closed):
                self._give_up(again)
                return None
            slot = again
            if not self._goes_on():
                self._limiter.cancel(slot)
                return None

    def _give_up(self, closed: Closed) -> None:
        if closed.silent is None:
            self._postpone(closed.seconds)
            return
        self.halted = self.halted or words_of_silence(
            self.task.model.label, self.task.model.endpoint, closed.silent, closed.seconds
        )
        for task in self._resting:
            task.cancel()

    def _postpone(self, seconds: float) -> None:
        """Halt where the provider asks for a wait that nobody sits out."""
        until = (datetime.now(UTC) + timedelta(seconds=seconds)).astimezone()
        self.halted = self.halted or tr(
            "{model} was not asked further: its provider asks to wait until {time}. Resume the round then.",
            model=self.task.model.label,
            time=f"{until:%d %b %Y %H:%M}",
        )

    async def _rest(self, seconds: float) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._resting.add(task)
        try:
            await asyncio.sleep(seconds)
        finally:
            self._resting.discard(task)
            self._rested.set()

    async def _call(self, cell: OpenCell, attempt: int, slot: Slot) -> CellResult:
        recorder = Recorder(self._send, self.task.key)
        loop = asyncio.get_running_loop()
        question = question_of(self.task, cell, self._not_supported)
        try:
            if attempt > cell.attempts + 1 or not self.task.model.synthetic:
                # Not before its slot is held: what is listed as possibly billed is what was on its way.
                await self._context.write(lambda connection: cells.record_starts(connection, [(cell.id, attempt)]))
            self.flying[cell.id] = attempt
            started = loop.time()
            told = await self._ask_readably(question, cell, recorder)
        except BaseException:
            self._limiter.cancel(slot)
            raise
        finally:
            self.flying.pop(cell.id, None)
        outcome = without_key(told, self.task.key)
        cost = cost_of(self.task.model.endpoint.price, outcome)
        self._spend(self.task.model.id, cost / 1e6)
        self._limiter.release(slot, outcome)
        return CellResult(
            cell_id=cell.id,
            attempt=attempt,
            outcome=outcome,
            seconds=loop.time() - started,
            microdollars=cost,
            exchange=recorder.exchange(),
        )

    async def _ask_readably(self, question: Question, cell: OpenCell, send: Send) -> Outcome:
        """Ask; and once more where a later stage's reply cannot be read by the method, both calls paid as one."""
        provider, key = self.task.provider, self.task.key
        outcome = await provider.ask(question, key, send)
        if cell.stage == 0 or not isinstance(outcome, Reply):
            return outcome
        again = self.task.method.ask_again(self.task.protocol, question.prompt, outcome.text)
        if again is None:
            return outcome
        second = await provider.ask(replace(question, prompt=again), key, send)
        last = second if isinstance(second, Reply) else outcome
        return replace(last, usage=outcome.usage + second.usage)

    async def _close_call(self, ended: CellResult, outcome: Miss) -> None:
        await self._context.write(
            lambda connection: responses.close_call(
                connection,
                ended.cell_id,
                ended.attempt,
                outcome=str(outcome.reason),
                status=outcome.status,
                detail=outcome.detail,
                microdollars=ended.microdollars,
                exchange=ended.exchange,
            )
        )


def coordinates_of(model: str, item: str, coordinates: Coordinates, repeat: int) -> dict[str, str | int]:
    """What a calibration model is told of the cell."""
    return {"model": model, "item": item, **dict(coordinates), "repeat": repeat}


def decoding_of(task: ModelTask, stage: int) -> Decoding:
    return task.model.endpoint.decoding or task.method.decoding(task.protocol, stage)


def most_tokens(task: ModelTask) -> int:
    """Of an answer of whatever stage."""
    return max(decoding_of(task, stage).max_tokens or UNLIMITED for stage in range(len(task.method.stages)))


def question_of(task: ModelTask, cell: OpenCell, not_supported: Collection[str]) -> Question:
    """What *cell* is asked, without the parameters that the model refuses."""
    item = task.items[cell.article_id]
    decoding = decoding_of(task, cell.stage)
    takes_seed = decoding.seed and "seed" in task.provider.parameters
    return Question(
        prompt=task.method.compose(task.protocol, cell.coordinates, item, cell.given),
        endpoint=task.model.endpoint,
        decoding=decoding,
        seed=cell.seed if takes_seed else None,
        not_supported=frozenset(not_supported),
        coordinates=coordinates_of(task.model.endpoint.model, item.key, cell.coordinates, cell.repeat),
    )


async def learn(context: EngineContext, task: ModelTask, not_supported: Collection[str]) -> None:
    """Record the parameters that a model refuses, with the model and the run: they are left out from now on."""
    model, run_id, refused = task.model, task.run_id, sorted(not_supported)
    await context.write(lambda connection: models.set_not_supported(connection, model.id, refused, run_id=run_id))


def words_of_learning(task: ModelTask, parameter: str) -> str:
    return tr(
        "{model} takes no {parameter}: left out from now on and recorded.",
        model=task.model.label,
        parameter=parameter,
    )


def cost_of(price: Price | None, outcome: Outcome) -> float:
    """Millionths of a dollar by counted usage."""
    usage = outcome.usage
    prompt = usage.prompt or 0
    cached = min(prompt, usage.cached or 0)
    return 0.0 if price is None else price.microdollars(prompt, usage.completion or 0, cached)


def longest_prompt(task: ModelTask) -> int:
    """Characters that a prompt of this run has at most."""
    longest = max((len(item.title) + len(item.text) for item in task.items.values()), default=0)
    earlier = len(task.method.stages) - 1
    given = earlier * CHARACTERS_PER_TOKEN * most_tokens(task)
    return task.method.longest_wording(task.protocol) + longest + given


def worst_case(task: ModelTask, price: Price | None) -> float:
    """Dollars that one call may cost at most: the run's longest prompt, none of it cached, and all of max_tokens.

    The bound needs no tokeniser: a token of news prose is never shorter than two characters on average.
    """
    if price is None:
        return 0.0
    return price.microdollars(longest_prompt(task) // 2, most_tokens(task)) / 1e6


async def _heeding(send: Send, limiter: AccountLimiter, request: WireRequest) -> WireReply | Miss:
    """*send*, with what the reply says of the account's remaining quota told to *limiter*."""
    reply = await send(request)
    if isinstance(reply, WireReply):
        for quota in quotas_in(reply.headers, moment_of(reply.headers) or datetime.now(UTC)):
            limiter.heed(quota)
    return reply


async def _cancelled(tasks: "set[asyncio.Task[None]]") -> None:
    """Cancel *tasks* and wait until each has cleaned up."""
    doomed = list(tasks)
    for task in doomed:
        task.cancel()
    await asyncio.gather(*doomed, return_exceptions=True)

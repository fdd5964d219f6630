"""Asks one model for what `domain.writing` describes. What fails is a value, never an exception."""

import asyncio
import random
from collections.abc import Awaitable, Callable, Collection, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import partial
from typing import Final

from gpf_desktop.domain.adjustments import MOST_AT_ONCE, is_of_one_question
from gpf_desktop.domain.cells import Prompt
from gpf_desktop.domain.models import Endpoint, Price, Secret
from gpf_desktop.domain.ports.provider import Provider
from gpf_desktop.domain.questions import Question
from gpf_desktop.domain.responses import Miss, Outcome, Reply, Usage, without_key
from gpf_desktop.domain.retries import NoRetry
from gpf_desktop.domain.text import in_english, tr
from gpf_desktop.domain.wire import Send
from gpf_desktop.domain.writing import Provenance, UnreadReply, WritingCost, WritingTask, Written
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.core.followed_task import Tell, tell_nobody
from gpf_desktop.engine.models.addresses import is_near
from gpf_desktop.engine.models.price_list import price_of
from gpf_desktop.engine.models.sending import Sender
from gpf_desktop.engine.rounds.answer_wait import AnswerWait, waiting
from gpf_desktop.engine.rounds.forecast import CHARACTERS_PER_TOKEN
from gpf_desktop.engine.rounds.limits import backoff
from gpf_desktop.engine.rounds.model_task import UNLIMITED, cost_of
from gpf_desktop.engine.rounds.spend_guard import SpendGuard

_AT_ONCE: Final = 4
_CALLS: Final = 2
"""Of a task at most: once more where the reply cannot be read."""
_LONGEST_WAIT: Final = 60.0
"""Seconds that a provider may ask to wait before the task is given up: somebody sits before the window."""

Keep = Callable[[WritingTask, Written], Awaitable[object]]
"""Keeps what came of a task, before anybody is told of it."""


Wanted = Callable[[], bool]
"""Asked before each task: whether it is still wanted."""


async def _not_kept(_task: WritingTask, _written: Written) -> None:
    """Keep nothing: there is no audit."""


def always() -> bool:
    """Return True: nobody stops the writing."""
    return True


@dataclass(kw_only=True)
class _Writer:
    """A writer model, for as long as it writes. Used on one loop."""

    endpoint: Endpoint
    key: Secret | None
    send: Send
    spend_cap: float | None = None
    """US dollars that all tasks together do not pass; None: no cap."""
    not_supported: set[str] = field(default_factory=set)
    """Parameters that the model refuses; found out while asking."""

    def __post_init__(self) -> None:
        self.provider: Provider = catalogue.provider(self.endpoint.provider)
        self.price: Price | None = None if self.provider.synthetic else price_of(self.endpoint)
        self._microdollars = 0.0
        self._in_doubt = 0.0
        """US dollars that calls may have cost of which nobody saw the end."""
        self._guard = SpendGuard(self.spend_cap, lambda: self._microdollars / 1e6 + self._in_doubt)
        # Many a local server works on one call at a time.
        at_once = self.endpoint.limits.in_flight or (1 if is_near(self.endpoint) else _AT_ONCE)
        self._slots = asyncio.Semaphore(min(_AT_ONCE, at_once))
        self._rng = random.Random()  # noqa: S311 - jitter

    async def write(
        self, tasks: Sequence[WritingTask], tell: Tell = tell_nobody, keep: Keep = _not_kept, wanted: Wanted = always
    ) -> list[Written]:
        """Write each of *tasks* and return the results in their order; some are asked at the same time.

        Tasks that are not *wanted* any more are not asked. If a task is cancelled, *keep* is told what it cost as far
        as that is known: a call under way may be billed all the same.
        """
        done = 0

        async def one(task: WritingTask) -> Written:
            nonlocal done
            spent = _Spent()
            async with self._slots:
                if not wanted():
                    return self._written(task, spent, UnreadReply(why=tr("not asked: it was stopped")))
                try:
                    written = await self._write(task, spent)
                except asyncio.CancelledError:
                    if spent.calls:
                        await keep(task, self._written(task, spent, UnreadReply(why=tr("it was stopped"))))
                    raise
            # Outside the slot: the next task is asked while this one is written down.
            await keep(task, written)
            done += 1
            tell(done, len(tasks))
            return written

        tell(0, len(tasks))
        async with asyncio.TaskGroup() as group:
            started = [group.create_task(one(task)) for task in tasks]
        return [each.result() for each in started]

    async def _write(self, task: WritingTask, spent: "_Spent") -> Written:
        # For both calls at once: the second is never refused for want of money when the first is paid.
        spent.held = self._at_most(task)
        if not await self._guard.reserve(spent.held):
            return self._written(task, spent, _no_money())
        try:
            outcome = await self._insist(task, task.prompt, spent)
            found = _read(task, outcome)
            if isinstance(outcome, Reply) and isinstance(found, UnreadReply):
                found = _read(task, await self._insist(task, _again(task, outcome), spent))
        except _NoMoneyError:
            found = _no_money()
        finally:
            self._guard.give_back(spent.held)
        return self._written(task, spent, found)

    def _at_most(self, task: WritingTask) -> float:
        return _at_most(task, self.price, limited="max_tokens" not in self.not_supported)

    async def _pay_more(self, task: WritingTask, spent: "_Spent") -> None:
        """Hold back anew for a task that may cost more than was thought: the model takes no limit, or a call was lost.

        Raises `_NoMoneyError` where the cap has no room for it.
        """
        self._guard.give_back(spent.held)
        spent.held, more = 0.0, self._at_most(task)
        if not await self._guard.reserve(more):
            raise _NoMoneyError
        spent.held = more

    async def _insist(self, task: WritingTask, prompt: Prompt, spent: "_Spent") -> Outcome:
        """The reply, or the last miss: asked again without a parameter that is refused, and after faults that pass."""
        tries = lessons = 0
        fitted: set[str] = set()
        while True:
            question = self._question(task, prompt, self.not_supported | fitted)
            spent.calls += 1
            outcome = without_key(await self.provider.ask(question, self.key, self.send), self.key)
            cost = cost_of(self.price, outcome)
            self._microdollars += cost
            spent.count(outcome, cost)
            if isinstance(outcome, Reply):
                return outcome
            if outcome.end_unknown:
                self._in_doubt += self._at_most(task) / _CALLS
            # Against what this question left out, not what is known by now: a task beside it may have learnt the same
            # meanwhile. Each parameter is refused once at most, so this ends; it counts as no try.
            if outcome.refused_parameter not in {"", *question.not_supported} and lessons < MOST_AT_ONCE:
                lessons += 1
                # A smaller limit beside one long question cuts no other answer short.
                learnt = fitted if is_of_one_question(outcome.refused_parameter) else self.not_supported
                learnt.add(outcome.refused_parameter)
                if spent.held < self._at_most(task):
                    await self._pay_more(task, spent)
                continue
            tries += 1
            if isinstance(outcome.retry, NoRetry) or tries >= self.endpoint.limits.attempts:
                return outcome
            wait = backoff(tries, outcome.retry, self._rng)
            if wait > _LONGEST_WAIT:
                return outcome
            await asyncio.sleep(wait)
            if outcome.end_unknown:
                # A part of what was held is in doubt from here on; another try is paid anew.
                await self._pay_more(task, spent)

    def _question(self, task: WritingTask, prompt: Prompt, not_supported: Collection[str]) -> Question:
        decoding = self.endpoint.decoding or task.decoding
        return Question(
            prompt=prompt,
            endpoint=self.endpoint,
            decoding=decoding,
            seed=task.seed if decoding.seed and "seed" in self.provider.parameters else None,
            not_supported=frozenset(not_supported),
            form=task.form.schema(),
            coordinates=task.coordinates,
        )

    def _written(self, task: WritingTask, spent: "_Spent", found: tuple[dict[str, str], ...] | UnreadReply) -> Written:
        prompt, usage = task.prompt, spent.usage
        return Written(
            records=() if isinstance(found, UnreadReply) else found,
            trouble=found.why if isinstance(found, UnreadReply) else "",
            provenance=Provenance(
                model=self.endpoint.label,
                instruction=task.instruction.title,
                system=prompt.system,
                prompt=prompt.user,
                at=datetime.now(UTC).isoformat(timespec="seconds"),
                calls=spent.calls,
                prompt_tokens=usage.prompt,
                completion_tokens=usage.completion,
                dollars=None if self.price is None and not self.provider.synthetic else spent.microdollars / 1e6,
                synthetic=self.provider.synthetic,
            ),
        )


@dataclass
class _Spent:
    """The calls, tokens and money spent on one task."""

    calls: int = 0
    """Begun; what ended of them is counted below."""
    usage: Usage = field(default_factory=Usage)
    microdollars: float = 0.0
    held: float = 0.0
    """US dollars that are held back for it."""

    def count(self, outcome: Outcome, microdollars: float) -> None:
        self.usage += outcome.usage
        self.microdollars += microdollars


def outlook(tasks: Sequence[WritingTask], endpoint: Endpoint) -> WritingCost:
    """The likely cost of *tasks* when *endpoint* writes them. Reads the list of prices."""
    synthetic = catalogue.provider(endpoint.provider).synthetic
    price = None if synthetic else price_of(endpoint)
    if price is None:
        none = 0.0 if synthetic else None
        return WritingCost(calls=len(tasks), low=none, high=none, at_most=none)
    sparse, dense = CHARACTERS_PER_TOKEN
    low = sum(price.microdollars(round(_characters(each) / sparse), each.likely_tokens // 2) for each in tasks)
    high = sum(price.microdollars(round(_characters(each) / dense), 2 * each.likely_tokens) for each in tasks)
    at_most = sum(_at_most(each, price, limited=True) for each in tasks)
    return WritingCost(calls=len(tasks), low=low / 1e6, high=min(high / 1e6, at_most), at_most=at_most)


async def write(
    tasks: Sequence[WritingTask],
    endpoint: Endpoint,
    key: Secret | None,
    *,
    spend_cap: float | None = None,
    not_supported: Sequence[str] = (),
    tell: Tell = tell_nobody,
    keep: Keep = _not_kept,
    wanted: Wanted = always,
) -> list[Written]:
    """Have *endpoint* write *tasks*, over the network if it is no calibration model; see `_Writer.write`."""
    sender = Sender()
    writer = _Writer(
        endpoint=endpoint,
        key=key,
        send=partial(waiting, sender.send, AnswerWait(endpoint.limits.timeout)),
        spend_cap=spend_cap,
        not_supported=set(not_supported),
    )
    try:
        return await writer.write(tasks, tell, keep, wanted)
    finally:
        await sender.aclose()


def _read(task: WritingTask, outcome: Outcome) -> tuple[dict[str, str], ...] | UnreadReply:
    if isinstance(outcome, Miss):
        return UnreadReply(why=outcome.detail or str(outcome.reason))
    found = task.form.read(outcome.text)
    if isinstance(found, UnreadReply):
        return UnreadReply(why=tr("it was cut at the limit of tokens")) if outcome.truncated else found
    return tuple(map(dict, found))


def _again(task: WritingTask, outcome: Reply) -> Prompt:
    """The prompt that follows a reply that cannot be read."""
    with in_english():
        unread = _read(task, outcome)
    assert isinstance(unread, UnreadReply), "what can be read is not asked again"
    return task.again(unread)


def _characters(task: WritingTask) -> int:
    return len(task.prompt.system) + len(task.prompt.user)


def _at_most(task: WritingTask, price: Price | None, *, limited: bool) -> float:
    """Dollars of both calls of a task: all of max_tokens where the model is *limited* by it, and no token shorter than
    two characters."""
    if price is None:
        return 0.0
    tokens = task.decoding.max_tokens or UNLIMITED
    longest = tokens if limited else max(tokens, UNLIMITED)
    return _CALLS * price.microdollars(_characters(task) // 2 + 100, longest) / 1e6


def _no_money() -> UnreadReply:
    return UnreadReply(why=tr("not asked: the spend cap would be passed"))


class _NoMoneyError(Exception):
    """The spend cap has no room for what a task may cost."""

"""The number of calls of one account that may be on the wire, and when the next may start.

Limiters ── one AccountLimiter per provider, address and key; one key's bad luck does not slow another's
AccountLimiter ── slots for callers, in turn among the models of the account; sleeps until a slot is free
    Throttle      calls in flight and calls per second, learnt from answers and refusals
    TokenPace     tokens per minute, fixed by the auditor
    QuotaPace     what replies say is left
"""

import asyncio
import random
from collections import OrderedDict, deque
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from typing import Final

from gpf_desktop.domain.models import Endpoint, Limits
from gpf_desktop.domain.responses import Miss, Missing, Outcome, Reply
from gpf_desktop.domain.retries import NoRetry, RateLimited, RetryDecision, Transient
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.models.addresses import is_near
from gpf_desktop.engine.rounds.allowances import QuotaPace, TokenPace
from gpf_desktop.engine.rounds.calls import Ended, Sent
from gpf_desktop.engine.rounds.pacing import Throttle
from gpf_desktop.engine.rounds.quotas import Quota
from gpf_desktop.settings.preferences import HERE

LONGEST_BACKOFF: Final = 60.0
LONGEST_WAIT: Final = 600.0
"""Seconds that a provider may ask to wait before nobody waits for it: its models are halted with a sentence."""

_ALONE: Final = 3.0
"""Seconds after an answer for which a refusal counts as one call's bad luck, and that such a call waits at most."""
_FRESH: Final = 60.0
"""Seconds for which a refusal is named as what holds an account back."""
_INSTANT: Final = 1e-6
"""Seconds that no clock can be trusted to tell from now."""
_NO_ANSWER: Final = frozenset({Missing.UNREADABLE, Missing.TOO_LARGE, Missing.HTTP_ERROR, Missing.UNREACHABLE})

OnChange = Callable[[int, str], None]


def backoff(attempt: int, decision: RetryDecision, rng: random.Random, *, at_most: float = LONGEST_BACKOFF) -> float:
    """Seconds to wait before asking again after failure number *attempt* (from 1).

    Exponential with full jitter up to *at_most*; what the provider asks for is never cut short, only jittered upwards.
    """
    ceiling = min(at_most, 2.0 ** min(attempt - 1, 10))
    match decision:
        case RateLimited(after=float() | int() as after):
            return after + rng.uniform(0.0, min(1.0, 0.1 + 0.1 * after))
        case RateLimited() | Transient():
            return rng.uniform(0.0, ceiling)
        case NoRetry():
            raise ValueError("there is no waiting for a call that is not to be repeated")


def _how(outcome: Outcome) -> Ended:
    """The end of a call by its outcome; a login page or a wrong key is no reason to ask faster, nor slower."""
    if isinstance(outcome, Reply):
        return Ended.ANSWERED
    if outcome.reason is Missing.TIMED_OUT:
        return Ended.LATE
    if outcome.reason not in _NO_ANSWER:
        return Ended.ANSWERED
    return Ended.NEITHER if isinstance(outcome.retry, NoRetry) else Ended.REFUSED


@dataclass(frozen=True, slots=True)
class Slot:
    """Leave to start one call."""

    sent: Sent


@dataclass(frozen=True, slots=True)
class Closed:
    """A refusal to wait for a slot: the wait would be too long."""

    seconds: float
    """Until the account may be asked again."""
    silent: Miss | None = None
    """What the account said last, where it is because it had given no answer for so many *seconds*."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Throttling:
    """The limits that hold an account back now."""

    status: int | None
    """Of the last refusal; None where no server answered."""
    limit: int
    """Calls in flight allowed."""
    seconds: float
    """Until more is tried."""
    slow: bool = False
    """Its server lets calls wait for longer than is waited for them."""


class Limiters:
    """The limiters of every account that is in use."""

    def __init__(self, on_change: Callable[[str, int, str], None]) -> None:
        self._on_change = on_change
        self._limiters: dict[str, AccountLimiter] = {}

    def of(self, endpoint: Endpoint) -> "AccountLimiter":
        """The limiter of *endpoint*'s account; the first endpoint of an account states its fixed limits."""
        account = endpoint.account
        if account not in self._limiters:
            self._limiters[account] = AccountLimiter(
                endpoint.limits,
                lambda limit, why: self._on_change(account, limit, why),
                local=is_near(endpoint),
            )
        return self._limiters[account]


class AccountLimiter:
    """Used on one event loop. Every `Slot` that `acquire` gives is handed back by exactly one `release` or `cancel`.

    *on_change* is told each slowing down, each wait and each half again of growth, with the reason in words.
    """

    def __init__(self, limits: Limits, on_change: OnChange, *, local: bool = False) -> None:
        """*local*: at a server of this machine or its network (`Throttle`)."""
        self._on_change = on_change
        self._local = local
        self._throttle = _throttle(limits, local=local)
        self._tokens = TokenPace(limits.tokens_per_minute)
        self._quota = QuotaPace()
        self._in_flight = 0
        self._closed_until = 0.0
        self._patience = limits.patience
        self._heard_at: float | None = None
        """When the account last answered, or was asked for the first time."""
        self._refusal: Miss | None = None
        self._refused_at = 0.0
        self._late_at: float | None = None
        """When fewer calls at once were last asked because answers took too long."""
        self._settled = False
        """It was told how many calls at once are of use."""
        self._silent: Miss | None = None
        self._waiting: OrderedDict[Hashable, deque[asyncio.Future[Slot | Closed]]] = OrderedDict()
        """Model → its callers; the model that comes first is served next and goes to the end."""
        self._timer: asyncio.TimerHandle | None = None
        self._announced = self._throttle.limit

    @property
    def limit(self) -> int:
        """Calls in flight allowed now."""
        return self._throttle.limit

    @property
    def in_flight(self) -> int:
        return self._in_flight

    def paused_for(self) -> float:
        """Seconds until the next call may start because the provider asked to wait; 0 where it did not."""
        return max(0.0, self._throttle.paused_until - asyncio.get_running_loop().time())

    def throttling(self) -> Throttling | None:
        """The limits that hold the account back after refusals; None if there are none, or if that was long ago."""
        now = asyncio.get_running_loop().time()
        if self._late_at is not None and now - self._late_at <= _FRESH:
            return Throttling(status=None, limit=self._throttle.limit, seconds=0.0, slow=True)
        if self._refusal is None or now - self._refused_at > _FRESH or not self._throttle.holds_back(now):
            return None
        until = max(0.0, self._throttle.next_try - now)
        return Throttling(status=self._refusal.status, limit=self._throttle.limit, seconds=until)

    def set_limits(self, limits: Limits) -> None:
        """Take the auditor's new fixed limits from now on."""
        # Nothing learnt is taken over: it was learnt under other limits. `_in_flight` stays, so that calls which are
        # out count against the new ones.
        self._throttle = _throttle(limits, local=self._local)
        self._tokens = TokenPace(limits.tokens_per_minute)
        self._tell(tr("limits were changed by hand"))
        self._wake()

    async def acquire(self, model: Hashable = None) -> Slot | Closed:
        """Wait for a slot: first come, first served for one *model*, in turn among the models of the account.

        A cancelled caller leaves no slot behind.
        """
        loop = asyncio.get_running_loop()
        now = loop.time()
        if self._closed_until > now:
            return self._closed(now)
        # Only where nobody waits, or later callers would overtake earlier ones.
        if not self._waiting and self._delay(now) == 0.0:
            return self._start(now)
        waiter: asyncio.Future[Slot | Closed] = loop.create_future()
        self._waiting.setdefault(model, deque()).append(waiter)
        self._wake()
        try:
            return await waiter
        except asyncio.CancelledError:
            # A slot may be given in the very turn of the loop in which the caller is cancelled.
            if waiter.done() and not waiter.cancelled() and isinstance(slot := waiter.result(), Slot):
                self.cancel(slot)
            raise

    def cancel(self, slot: Slot) -> None:
        """Give a slot back unused, or used by a call that was abandoned: nothing is learnt from it."""
        self._in_flight -= 1
        self._throttle.dropped(slot.sent, asyncio.get_running_loop().time())
        self._wake()

    def heed(self, quota: Quota) -> None:
        """Take in what a reply says of the calls or tokens that are left."""
        # The call whose reply this is still counts as in flight; what is left has it counted already.
        self._quota.take(quota, max(0, self._in_flight - 1), asyncio.get_running_loop().time())

    def release(self, slot: Slot, outcome: Outcome) -> None:
        """Give a slot back and learn from what the call met."""
        now = asyncio.get_running_loop().time()
        # Before the slot is given back: a window that is not used to the full must not grow. It is where callers wait
        # for nothing but their turn in a spread of starts.
        spread = self._throttle.rate is None and bool(self._waiting)
        full = spread or self._in_flight >= self._throttle.limit
        self._in_flight -= 1
        tokens = (outcome.usage.prompt or 0) + (outcome.usage.completion or 0)
        self._tokens.spend(tokens, now)
        self._quota.used(tokens)
        after = None
        if isinstance(outcome, Miss) and isinstance(outcome.retry, RateLimited):
            after = outcome.retry.after
        if after is not None and after > LONGEST_WAIT:
            # Not handed to the throttle, in whose pause callers would wait for so long: they are told at once.
            self._close(after, now)
        else:
            self._learn(slot.sent, outcome, now, after, full)
            self._listen(outcome, now)
        self._wake()

    def backoff(self, attempt: int, decision: RetryDecision, rng: random.Random) -> float:
        """Seconds to wait as the function `backoff` says, but fewer if other calls are answered.

        Waits that grow are to relieve a server that does not manage. One that answers others does, and what relieves it
        is the pace, which all calls share.
        """
        now = asyncio.get_running_loop().time()
        alone = self._heard_at is not None and now - self._heard_at < _ALONE
        return backoff(attempt, decision, rng, at_most=_ALONE if alone else LONGEST_BACKOFF)

    def _listen(self, outcome: Outcome, now: float) -> None:
        """Close the account where it has refused everything for too long."""
        how = _how(outcome)
        if not isinstance(outcome, Miss) or how not in {Ended.REFUSED, Ended.LATE}:
            self._heard_at = now
            return
        if how is Ended.REFUSED:
            self._refusal, self._refused_at = outcome, now
        if self._heard_at is not None and now - self._heard_at >= self._patience:
            self._silent = outcome
            self._close(now - self._heard_at, now)

    def _learn(self, sent: Sent, outcome: Outcome, now: float, after: float | None, full: bool) -> None:
        before, paused_until, tried = self._throttle.limit, self._throttle.paused_until, self._throttle.tries_more
        how, work = _how(outcome), float(outcome.usage.completion or 1)
        self._throttle.ended(sent, how, now, after=after, full=full, work=work)
        limit = self._throttle.limit
        if (wait := self._throttle.paused_until - now) >= 1.0 and self._throttle.paused_until > paused_until + 1.0:
            self._tell(_words_of_pause(outcome, after, wait))
        if how is Ended.LATE and limit < before:
            self._late_at = now
            self._tell(tr("the server is slow: {before} → {after} calls at once", before=before, after=limit))
        elif limit < before and self._throttle.slowed:
            self._tell(tr("too many calls turned away: {before} → {after} calls at once", before=before, after=limit))
        elif limit < before and tried:
            # Once: from time to time more is tried again, and mostly in vain.
            if not self._settled:
                self._settled = True
                self._tell(
                    tr("more calls at once bring no more answers: {before} → {after}", before=before, after=limit)
                )
        elif limit >= self._announced * 1.5 and not self._throttle.tries_more:
            self._tell(tr("answers come in: {before} → {after} calls at once", before=self._announced, after=limit))

    def _close(self, wait: float, now: float) -> None:
        """Tell all who wait that nobody is to wait this long."""
        self._closed_until = max(self._closed_until, now + wait)
        waiting, self._waiting = self._waiting, OrderedDict()
        for waiter in (waiter for queue in waiting.values() for waiter in queue):
            if not waiter.done():
                waiter.set_result(self._closed(now))

    def _closed(self, now: float) -> Closed:
        return Closed(self._closed_until - now, self._silent)

    def _tell(self, why: str) -> None:
        self._announced = self._throttle.limit
        self._on_change(self._throttle.limit, why)

    def _delay(self, now: float) -> float:
        """Seconds until one more call may start; infinity where only a release can make room."""
        if self._in_flight >= self._throttle.limit:
            return float("inf")
        wait = max(self._throttle.delay(now), self._tokens.delay(now), self._quota.delay(now))
        # Sums of floats leave a trace behind, and asyncio may fire a timer early by its clock's resolution: such a rest
        # is not worth a timer of its own.
        return wait if wait > _INSTANT else 0.0

    def _start(self, now: float) -> Slot:
        self._in_flight += 1
        self._heard_at = now if self._heard_at is None else self._heard_at
        self._quota.started()
        return Slot(self._throttle.started(now))

    def _wake(self) -> None:
        """Let those start that may; set a timer where it is time that keeps the next one waiting."""
        if not self._waiting:
            return
        loop = asyncio.get_running_loop()
        now = loop.time()
        delay = 0.0
        while self._waiting:
            model, queue = next(iter(self._waiting.items()))
            # Callers that were cancelled while they waited.
            while queue and queue[0].done():
                queue.popleft()
            if queue:
                delay = self._delay(now)
                if delay > 0.0:
                    break
                queue.popleft().set_result(self._start(now))
            if queue:
                self._waiting.move_to_end(model)
            else:
                del self._waiting[model]
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        # Where only a release can make room no timer is needed: it wakes by itself.
        if self._waiting and delay != float("inf"):
            self._timer = loop.call_later(delay, self._time_is_up)

    def _time_is_up(self) -> None:
        self._timer = None
        self._wake()


def _words_of_pause(outcome: Outcome, after: float | None, wait: float) -> str:
    """Words that say who wants the account to rest: a provider that asked for it, or the program, after calls that all
    failed."""
    seconds = f"{wait:.0f}"
    status = outcome.status if isinstance(outcome, Miss) else None
    if after is not None:
        return tr("the provider asks to wait {seconds} s", seconds=seconds)
    if status is not None:
        return tr("nothing but {status}: next try in {seconds} s", status=status, seconds=seconds)
    return tr("no answer: next try in {seconds} s", seconds=seconds)


def _throttle(limits: Limits, *, local: bool) -> Throttle:
    per_minute = limits.requests_per_minute
    at_once = limits.in_flight or HERE.get("rounds.calls_at_once")
    return Throttle(in_flight=at_once, rate=None if per_minute is None else per_minute / 60.0, local=local)

"""How many calls of one account may be on the wire, and when the next may start.

Limiters ── one AccountLimiter per provider, address and key; one key's bad luck does not slow another's
AccountLimiter ── slots for callers; sleeps until a slot is free
    Ramp      calls in flight: slow start, additive increase, multiplicative decrease on a rate limit
    Pace      calls per second: fixed by the auditor, or learnt from where a server said "too many"
"""

import asyncio
import random
from collections import deque
from collections.abc import Callable
from typing import Final

from gpf_desktop.domain.models import Endpoint, Limits
from gpf_desktop.domain.responses import Miss, Missing, Outcome, Reply
from gpf_desktop.domain.retries import NoRetry, RateLimited, RetryDecision, Transient
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.rounds.pacing import LearntPace, QuotaPace, Ramp, TokenPace
from gpf_desktop.engine.rounds.quotas import Quota

LONGEST_BACKOFF: Final = 60.0
LONGEST_WAIT: Final = 600.0
"""Seconds that a provider may ask to wait before nobody waits for it: its models are halted with a sentence."""
GROWTH_PAUSE: Final = 10.0
"""Seconds without growth after a server's fault."""

_NO_ANSWER: Final = frozenset({Missing.UNREADABLE, Missing.HTTP_ERROR, Missing.UNREACHABLE})

OnChange = Callable[[int, str], None]


def backoff(attempt: int, decision: RetryDecision, rng: random.Random) -> float:
    """Seconds to wait before asking again after failure number *attempt* (from 1).

    Exponential with full jitter up to 60 s; what the provider asks for is never cut short, only jittered upwards.
    """
    ceiling = min(LONGEST_BACKOFF, 2.0 ** min(attempt - 1, 10))
    match decision:
        case RateLimited(after=float() | int() as after):
            return after + rng.uniform(0.0, min(1.0, 0.1 + 0.1 * after))
        case RateLimited() | Transient():
            return rng.uniform(0.0, ceiling)
        case NoRetry():
            raise ValueError("there is no waiting for a call that is not to be repeated")


def _is_answer(outcome: Outcome) -> bool:
    """Whether a model has answered: what a login page or a wrong key brings is no reason to ask faster."""
    return isinstance(outcome, Reply) or outcome.reason not in _NO_ANSWER


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
                endpoint.limits, lambda limit, why: self._on_change(account, limit, why)
            )
        return self._limiters[account]


class AccountLimiter:
    """Used on one event loop. Every `acquire` is followed by exactly one `release` or `cancel`.

    *on_change* is told each lowered limit, each wait and each half again of growth, with the reason in words.
    """

    def __init__(self, limits: Limits, on_change: OnChange) -> None:
        self._on_change = on_change
        self._ramp = Ramp(fixed=limits.in_flight)
        self._pace = LearntPace(fixed=limits.requests_per_minute)
        self._tokens = TokenPace(limits.tokens_per_minute)
        self._quota = QuotaPace()
        self._in_flight = 0
        self._stale = 0
        """Calls in flight that had started before the last decrease: their refusals are part of the same event."""
        self._paused_until = 0.0
        self._closed_until = 0.0
        self._waiting: deque[asyncio.Future[float]] = deque()
        self._timer: asyncio.TimerHandle | None = None
        self._announced = self._ramp.limit

    @property
    def limit(self) -> int:
        """Calls in flight allowed now."""
        return self._ramp.limit

    @property
    def in_flight(self) -> int:
        return self._in_flight

    def paused_for(self) -> float:
        """Seconds until the next call may start because the provider asked to wait; 0 where it did not."""
        return max(0.0, self._paused_until - asyncio.get_running_loop().time())

    def set_limits(self, limits: Limits) -> None:
        """Take the auditor's new fixed limits from now on."""
        self._ramp = Ramp(fixed=limits.in_flight)
        self._pace = LearntPace(fixed=limits.requests_per_minute)
        self._tokens = TokenPace(limits.tokens_per_minute)
        self._tell(tr("limits were changed by hand"))
        self._wake()

    async def acquire(self) -> float:
        """Wait for a slot; 0.0 once there is one. First come, first served; a cancelled caller leaves no slot behind.

        Without a slot: the seconds that the provider asks to wait, where they are more than `LONGEST_WAIT`.
        """
        loop = asyncio.get_running_loop()
        if self._closed_until > loop.time():
            return self._closed_until - loop.time()
        if not self._waiting and self._delay(loop.time()) == 0.0:
            self._start(loop.time())
            return 0.0
        waiter: asyncio.Future[float] = loop.create_future()
        self._waiting.append(waiter)
        self._wake()
        try:
            return await waiter
        except asyncio.CancelledError:
            if waiter.done() and not waiter.cancelled():
                if waiter.result() == 0.0:
                    self.cancel()
            elif waiter in self._waiting:
                self._waiting.remove(waiter)
            raise

    def cancel(self) -> None:
        """Give a slot back unused, or used by a call that was abandoned: nothing is learnt from it."""
        self._in_flight -= 1
        self._stale = max(0, self._stale - 1)
        self._wake()

    def heed(self, quota: Quota) -> None:
        """Take in what a reply says of the calls or tokens that are left."""
        self._quota.told(quota, max(0, self._in_flight - 1), asyncio.get_running_loop().time())

    def release(self, outcome: Outcome) -> None:
        """Give a slot back and learn from what the call met."""
        now = asyncio.get_running_loop().time()
        full = self._in_flight >= self._ramp.limit
        stale, self._stale = self._stale > 0, max(0, self._stale - 1)
        self._in_flight -= 1
        tokens = (outcome.usage.prompt or 0) + (outcome.usage.completion or 0)
        self._tokens.spend(tokens, now)
        self._quota.used(tokens)
        match outcome:
            case Miss(retry=RateLimited(after=after)):
                self._refused(after, now, again=stale)
            case Miss(retry=Transient()):
                self._ramp.hold(now + GROWTH_PAUSE)
            case _:
                self._pace.accepted(now)
                if full and not stale and _is_answer(outcome):
                    self._grow(now)
        self._wake()

    def _refused(self, after: float | None, now: float, *, again: bool) -> None:
        """A rate limit: wait as asked; lower the limit once for all the calls that were in flight together."""
        wait = self._pace.pause_without_word if after is None else after
        if wait > LONGEST_WAIT:
            self._close(wait, now)
            return
        until = now + wait
        if until > self._paused_until + 1.0:
            self._paused_until = until
            if wait >= 1.0:
                self._tell(tr("the provider asks to wait {seconds} s", seconds=f"{wait:.0f}"))
        else:
            self._paused_until = max(self._paused_until, until)
        if again:
            return
        self._stale = self._in_flight
        self._pace.refused(now)
        before = self._ramp.limit
        self._ramp.lower()
        if self._ramp.limit < before:
            self._tell(tr("rate limited: {before} → {after} calls at once", before=before, after=self._ramp.limit))

    def _close(self, wait: float, now: float) -> None:
        """Nobody is to wait this long: tell all who do."""
        self._closed_until = max(self._closed_until, now + wait)
        waiting, self._waiting = self._waiting, deque()
        for waiter in waiting:
            if not waiter.done():
                waiter.set_result(self._closed_until - now)

    def _grow(self, now: float) -> None:
        self._ramp.grow(now)
        if self._ramp.limit >= self._announced * 1.5:
            before = self._announced
            self._tell(tr("answers come in: {before} → {after} calls at once", before=before, after=self._ramp.limit))

    def _tell(self, why: str) -> None:
        self._announced = self._ramp.limit
        self._on_change(self._ramp.limit, why)

    def _delay(self, now: float) -> float:
        """Seconds until one more call may start; infinity where only a release can make room."""
        if self._in_flight >= self._ramp.limit:
            return float("inf")
        return max(
            0.0, self._paused_until - now, self._pace.delay(now), self._tokens.delay(now), self._quota.delay(now)
        )

    def _start(self, now: float) -> None:
        self._in_flight += 1
        self._pace.started(now)
        self._quota.started()

    def _wake(self) -> None:
        """Let those start that may; set a timer where it is time that keeps the next one waiting."""
        if not self._waiting:
            return
        loop = asyncio.get_running_loop()
        now = loop.time()
        delay = 0.0
        while self._waiting:
            if self._waiting[0].done():
                self._waiting.popleft()
                continue
            delay = self._delay(now)
            if delay > 0.0:
                break
            self._start(now)
            self._waiting.popleft().set_result(0.0)
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._waiting and delay != float("inf"):
            self._timer = loop.call_later(delay, self._time_is_up)

    def _time_is_up(self) -> None:
        self._timer = None
        self._wake()

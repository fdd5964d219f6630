"""A round in virtual time: an `AccountLimiter` before a server that is made of a few lines."""

import asyncio
import random
from collections.abc import Callable
from math import inf

from gpf_desktop.domain.models import Limits
from gpf_desktop.domain.responses import Miss, Missing, Reply
from gpf_desktop.domain.retries import RateLimited, Transient
from gpf_desktop.engine.rounds.limits import AccountLimiter, Slot
from tests.support.virtual_time import run

_GOOD = Reply(text="Yes.")
Verdict = Callable[[float], RateLimited | Transient | None]
"""Moment → None to answer, or a refusal: a 429, with its Retry-After, or a 503."""


class Bucket:
    """A server's allowance: so many calls a second, with one second's worth saved up."""

    def __init__(self, a_second: float) -> None:
        self.a_second = a_second
        self._left = a_second
        self._at = 0.0

    def __call__(self, now: float) -> RateLimited | None:
        self._left = min(self.a_second, self._left + (now - self._at) * self.a_second)
        self._at = now
        if self._left < 1:
            return RateLimited(after=(1 - self._left) / self.a_second)
        self._left -= 1
        return None


class Round:
    """Asks a server for so many seconds, or so many *calls*; counts per second what was answered and refused.

    A refusal comes after half the *latency*, or where *at_once* within a few milliseconds, as most servers refuse; an
    answer half the *latency* after that, give or take a share of *spread*. One processor prepares the calls one by one,
    each in so many seconds.
    """

    def __init__(
        self,
        seconds: int,
        verdict: Verdict,
        *,
        latency: float,
        seed: int = 1,
        at_once: bool = False,
        calls: float = inf,
        spread: float = 0.1,
        processor: float = 0.0,
        local: bool = False,
    ) -> None:
        self.answered = [0] * (seconds + 1)
        self.refused = [0] * (seconds + 1)
        self._seconds = seconds
        self._verdict = verdict
        self._before = (0.001, 0.004) if at_once else (0.4 * latency, 0.6 * latency)
        self._calls = calls
        self._until_answer = ((0.5 - spread) * latency, (0.5 + spread) * latency)
        self._rng = random.Random(seed)
        self._processor = processor
        self._local = local
        self._busy_until = 0.0
        run(self._main())

    async def _main(self) -> None:
        loop = asyncio.get_running_loop()
        limiter = AccountLimiter(Limits(), lambda _limit, _why: None, local=self._local)
        tasks: set[asyncio.Task[None]] = set()
        sent = 0
        while loop.time() < self._seconds and sent < self._calls:
            slot = await limiter.acquire()
            assert isinstance(slot, Slot)
            sent += 1
            self.all_sent = loop.time()
            tasks.add(task := loop.create_task(self._insist(limiter, slot)))
            task.add_done_callback(tasks.discard)
        if sent < self._calls:
            for task in tasks:
                task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self.took = loop.time()

    async def _insist(self, limiter: AccountLimiter, slot: Slot) -> None:
        loop = asyncio.get_running_loop()
        tries = failures = 0
        while True:
            await asyncio.sleep(self._prepared(loop.time()) + self._rng.uniform(*self._before))
            retry = self._verdict(loop.time())
            if retry is None:
                await asyncio.sleep(self._rng.uniform(*self._until_answer))
                self._count(self.answered, loop.time())
                limiter.release(slot, _GOOD)
                return
            self._count(self.refused, loop.time())
            status = 429 if isinstance(retry, RateLimited) else 503
            limiter.release(slot, Miss(reason=Missing.HTTP_ERROR, detail="no", status=status, retry=retry))
            tries += 1
            failures += isinstance(retry, Transient)
            if failures == Limits().attempts:
                return
            await asyncio.sleep(limiter.backoff(tries, retry, self._rng))
            again = await limiter.acquire()
            assert isinstance(again, Slot)
            slot = again

    def _prepared(self, now: float) -> float:
        """Seconds until the processor has come to one more call."""
        self._busy_until = max(now, self._busy_until) + self._processor
        return self._busy_until - now

    def _count(self, which: list[int], now: float) -> None:
        if now < self._seconds:
            which[int(now)] += 1

    def rate(self, first: int, last: int) -> float:
        return sum(self.answered[first:last]) / (last - first)

    def share_refused(self, first: int, last: int) -> float:
        refused = sum(self.refused[first:last])
        return refused / (refused + sum(self.answered[first:last]))

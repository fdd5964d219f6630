"""A server that works on some calls at a time and lets others wait, as llama.cpp's does, in virtual time; and a round
that it is asked in.

It goes on with a call whose client has hung up, which then costs it as much time as an answer does.
"""

import asyncio
import random
from collections.abc import Callable
from dataclasses import dataclass

from gpf_desktop.domain.models import Limits
from gpf_desktop.domain.responses import Miss, Missing, Reply, Usage
from gpf_desktop.domain.retries import Transient
from gpf_desktop.domain.wire import WireReply, WireRequest
from gpf_desktop.engine.rounds.answer_wait import AnswerWait, waiting
from gpf_desktop.engine.rounds.limits import AccountLimiter, Slot
from tests.support.virtual_time import run


@dataclass
class SlotServer:
    """*seconds*: what one answer takes, by its number; *stuck*: calls, by their number, that are never answered and
    take no slot."""

    slots: int
    seconds: Callable[[int], float]
    stuck: frozenset[int] = frozenset()

    def __post_init__(self) -> None:
        self.asked = self.out = self.most_out = 0
        self._slots = asyncio.Semaphore(self.slots)
        self._working: set[asyncio.Task[float]] = set()

    async def send(self, _request: WireRequest, within: float) -> WireReply | Miss:
        self.asked += 1
        self.out += 1
        self.most_out = max(self.most_out, self.out)
        work = asyncio.create_task(self._work(self.asked))
        self._working.add(work)
        work.add_done_callback(self._working.discard)
        try:
            seconds = await asyncio.wait_for(asyncio.shield(work), within)
        except TimeoutError:
            return Miss(reason=Missing.TIMED_OUT, detail="late", retry=Transient())
        finally:
            self.out -= 1
        return WireReply(status=200, headers={}, body=f"{seconds}".encode())

    async def _work(self, number: int) -> float:
        if number in self.stuck:
            await asyncio.Event().wait()
        async with self._slots:
            seconds = self.seconds(number)
            await asyncio.sleep(seconds)
            return seconds

    def end(self) -> None:
        for work in self._working:
            work.cancel()


class SlotRound:
    """Asks *cells* of it, as a runner does; what it came to."""

    def __init__(
        self,
        slots: int,
        seconds: Callable[[int], float],
        *,
        cells: int,
        limits: Limits | None = None,
        local: bool = True,
        stuck: frozenset[int] = frozenset(),
    ) -> None:
        self.answered = self.timed_out = 0
        self.said: list[str] = []
        self.taken: list[float] = []
        """Seconds of each answer, with the wait for a slot at the server."""
        self._limits = limits or Limits()
        run(self._main(slots, seconds, cells, local, stuck))

    async def _main(
        self, slots: int, seconds: Callable[[int], float], cells: int, local: bool, stuck: frozenset[int]
    ) -> None:
        loop = asyncio.get_running_loop()
        server = SlotServer(slots, seconds, stuck)
        limiter = AccountLimiter(self._limits, lambda _limit, why: self.said.append(why), local=local)
        wait, rng = AnswerWait(self._limits.timeout), random.Random(1)
        async with asyncio.TaskGroup() as group:
            for _ in range(cells):
                slot = await limiter.acquire()
                assert isinstance(slot, Slot)
                group.create_task(self._insist(server, limiter, wait, slot, rng))
        self.took, self.asked, self.most_out, self.limit = loop.time(), server.asked, server.most_out, limiter.limit
        self.wait = wait.seconds
        server.end()

    async def _insist(
        self, server: SlotServer, limiter: AccountLimiter, wait: AnswerWait, slot: Slot, rng: random.Random
    ) -> None:
        loop, late = asyncio.get_running_loop(), 0
        while True:
            started = loop.time()
            reply = await waiting(server.send, wait, WireRequest(method="POST", url="http://127.0.0.1"))
            if isinstance(reply, WireReply):
                self.answered += 1
                self.taken.append(loop.time() - started)
                limiter.release(slot, Reply(text="Yes.", usage=Usage(completion=round(10 * float(reply.body)))))
                return
            self.timed_out += 1
            late += 1
            limiter.release(slot, reply)
            if late == self._limits.attempts:
                return
            await asyncio.sleep(limiter.backoff(late, reply.retry, rng))
            again = await limiter.acquire()
            assert isinstance(again, Slot)
            slot = again

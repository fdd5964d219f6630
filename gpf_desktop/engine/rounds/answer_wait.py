"""The time that a model's answer is waited for: what the auditor allows, and more if answers take long there."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import Final

from gpf_desktop.domain.responses import Miss, Missing
from gpf_desktop.domain.wire import WireReply, WireRequest

SendWithin = Callable[[WireRequest, float], Awaitable[WireReply | Miss]]
"""As `Send`, with the seconds for the call."""

_MOST: Final = 10.0
"""Times what the auditor allows, at most."""
_MARGIN: Final = 2.0
"""Twice as many calls at once double what an answer takes at a server that has no use for them."""


class AnswerWait:
    """Seconds for one call, as TCP finds them for its retransmissions (RFC 6298): the mean and four mean deviations of
    what answers took, doubled where nothing at all was answered in time.

    A call that is given up is asked again, and paid again, while many a server goes on with the first.
    """

    def __init__(self, least: float) -> None:
        """*least*: what the auditor allows; less is never waited."""
        self.least = least
        self._floor = least
        self._mean: float | None = None
        self._deviation = 0.0
        self._answered_at = -1.0

    @property
    def seconds(self) -> float:
        taken = 0.0 if self._mean is None else _MARGIN * (self._mean + 4.0 * self._deviation)
        return min(_MOST * self.least, max(self.least, self._floor, taken))

    def answered(self, seconds: float, now: float) -> None:
        """An answer took so many *seconds*."""
        self._answered_at = now
        if self._mean is None:
            self._mean, self._deviation = seconds, seconds / 2.0
            return
        self._deviation += (abs(seconds - self._mean) - self._deviation) / 4.0
        self._mean += (seconds - self._mean) / 8.0

    def late(self, started: float) -> None:
        """A call that *started* then was given up."""
        # Where others were answered meanwhile too many were out, or that one was lost.
        if self._answered_at < started:
            self._floor = min(_MOST * self.least, 2.0 * self.seconds)


async def waiting(send: SendWithin, wait: AnswerWait, request: WireRequest) -> WireReply | Miss:
    """*send* within what *wait* says now, which learns from it."""
    clock = asyncio.get_running_loop().time
    started = clock()
    reply = await send(request, wait.seconds)
    if isinstance(reply, Miss):
        if reply.reason is Missing.TIMED_OUT:
            wait.late(started)
    elif reply.status < 300:
        # Refusals come at once, and say nothing of what an answer takes.
        wait.answered(clock() - started, clock())
    return reply

"""Looks at everything that a round needs, before it costs anything but one token a model."""

import asyncio
import shutil
from collections.abc import Sequence
from concurrent.futures import Future
from dataclasses import replace
from datetime import UTC, datetime
from typing import Final

from gpf_desktop.domain.errors import GpfError
from gpf_desktop.domain.events import PreflightProgressed
from gpf_desktop.domain.model_tests import ModelFault, StepState
from gpf_desktop.domain.models import TargetModel
from gpf_desktop.domain.preflight import Mend, PreflightLine
from gpf_desktop.domain.responses import Miss
from gpf_desktop.domain.text import tr, trn
from gpf_desktop.domain.wire import WireReply, WireRequest
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.core.context import EngineContext
from gpf_desktop.engine.models.model_testing import run_test
from gpf_desktop.engine.models.sending import Sender
from gpf_desktop.engine.rounds.quotas import moment_of
from gpf_desktop.engine.rounds.setup import RunSetup
from gpf_desktop.storage import models, sources
from gpf_desktop.storage.writer import Connection

BYTES_A_CALL: Final = 8_000
"""That an answer with its scores and what went over the wire takes in the file, generously."""
SPARE: Final = 200_000_000
"""Bytes that are to stay free beside."""
MOST_OFF: Final = 120.0
"""Seconds by which this machine's clock may differ from a server's: the server counts limits and waits by its own."""
_AT_ONCE: Final = 4


class Preflight:
    """The preflight of one open audit. Its findings are told line by line as `PreflightProgressed`."""

    def __init__(self, context: EngineContext) -> None:
        self._context = context

    def look(self, setup: RunSetup, calls: int) -> "Future[tuple[PreflightLine, ...]]":
        """Look at everything that *setup*, a round of so many *calls*, needs; each model is asked one short thing."""
        return self._context.loop.submit(_Look(self._context, setup, calls).look())


class _Look:
    """One look; lines keep their places."""

    def __init__(self, context: EngineContext, setup: RunSetup, calls: int) -> None:
        self._context = context
        self._setup = setup
        self._calls = calls
        self._lines: list[PreflightLine] = []
        self._off: list[float] = []
        """Seconds by which servers' clocks are ahead of this machine's."""

    async def look(self) -> tuple[PreflightLine, ...]:
        ids = self._setup.model_ids
        chosen = await self._context.read(lambda c: [models.get(c, model_id) for model_id in ids])
        self._lines = [PreflightLine(title=model.label, mend=Mend.MODEL, model_id=model.id) for model in chosen]
        self._tell()
        asked = [model.endpoint for model in chosen if not model.synthetic]
        await asyncio.to_thread(self._context.keys.unlock_for, asked)
        turns, sender = asyncio.Semaphore(_AT_ONCE), Sender()
        try:
            await asyncio.gather(*(self._model(at, model, sender, turns) for at, model in enumerate(chosen)))
        finally:
            await sender.aclose()
        self._lines.append(await asyncio.to_thread(self._disk))
        if self._off:
            self._lines.append(self._clock())
        if self._setup.article_ids:
            self._lines.append(await self._context.read(self._sources))
        self._tell()
        return tuple(self._lines)

    async def _model(self, at: int, model: TargetModel, sender: Sender, turns: asyncio.Semaphore) -> None:
        async with turns:
            try:
                state, words, fault = await self._ask(model, sender)
            except GpfError as error:
                state, words, fault = StepState.FAILED, str(error), None
        self._lines[at] = replace(self._lines[at], state=state, words=words, fault=fault)
        self._tell()

    async def _ask(self, model: TargetModel, sender: Sender) -> tuple[StepState, str, ModelFault | None]:
        """Whether *model* answers, and what it or its server says."""
        endpoint, provider = model.endpoint, catalogue.provider(model.endpoint.provider)
        if not self._context.keys.may_send(endpoint):
            words = tr(
                "Nobody on this machine has said that the variable {variable} may be sent there.",
                variable=endpoint.key_env,
            )
            return StepState.FAILED, words, ModelFault.NO_KEY
        key = None if provider.synthetic else await asyncio.to_thread(self._context.keys.find, endpoint)
        decoding = endpoint.decoding or self._setup.protocol.decoding
        plain = sender.sending(endpoint.limits.timeout)

        async def send(request: WireRequest) -> WireReply | Miss:
            reply = await plain(request)
            if isinstance(reply, WireReply) and (told := moment_of(reply.headers)) is not None:
                self._off.append((told - datetime.now(UTC)).total_seconds())
            return reply

        test = await run_test(endpoint, provider, key, send, decoding=decoding, tell=lambda _: None)
        if test.passed:
            return StepState.PASSED, test.summary, None
        return StepState.FAILED, f"{test.summary} {test.remedy}".strip(), test.fault

    def _disk(self) -> PreflightLine:
        needed = self._calls * BYTES_A_CALL + SPARE
        free = shutil.disk_usage(self._context.audit.path.parent).free
        words = tr("{free} free, {needed} needed at most", free=_size(free), needed=_size(needed))
        state = StepState.PASSED if free >= needed else StepState.FAILED
        remedy = "" if free >= needed else tr(". Free some space, or save a copy of the audit on another disk.")
        return PreflightLine(title=tr("Disk"), state=state, words=words + remedy)

    def _clock(self) -> PreflightLine:
        # The nearest: a slow reply, or one server whose own clock is wrong, says nothing against this machine's.
        off = min(self._off, key=abs)
        right = abs(off) <= MOST_OFF
        words = (
            tr("Agrees with the servers' clocks.")
            if right
            else tr(
                "This machine's clock is {n} min {way} the servers': waits and times of answers would be wrong. Set the"
                " clock.",
                n=round(abs(off) / 60),
                way=tr("behind") if off > 0 else tr("ahead of"),
            )
        )
        return PreflightLine(title=tr("Clock"), state=StepState.PASSED if right else StepState.FAILED, words=words)

    def _sources(self, connection: Connection) -> PreflightLine:
        active = [source for source in sources.every(connection) if source.active]
        failing = [source.title or source.target for source in active if source.error]
        words = trn("{n} source, none failing", "{n} sources, none failing", len(active))
        if failing:
            words = tr("Could not be fetched the last time: {names}.", names=", ".join(failing))
        state = StepState.FAILED if failing else StepState.PASSED
        return PreflightLine(title=tr("Sources"), state=state, words=words, mend=Mend.SOURCES)

    def _tell(self) -> None:
        self._context.emit(PreflightProgressed(lines=tuple(self._lines)))


def failing(lines: Sequence[PreflightLine]) -> list[PreflightLine]:
    return [line for line in lines if line.state is StepState.FAILED]


def _size(number: int) -> str:
    return f"{number / 1e9:.1f} GB" if number >= 1e9 else f"{number / 1e6:.0f} MB"

"""Writer models of an open audit: what they would cost, what they wrote, and the account kept of it.

Reads block and belong on a worker thread; `write` returns a future.
"""

import asyncio
from collections.abc import Callable, Sequence
from concurrent.futures import Future

from gpf_desktop.domain.ids import ModelId
from gpf_desktop.domain.models import Endpoint, TargetModel
from gpf_desktop.domain.tables import Table
from gpf_desktop.domain.writing import Provenance, WritingCost, WritingTask, Written, asked_of
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.core.context import EngineContext
from gpf_desktop.engine.core.followed_task import Tell, tell_nobody
from gpf_desktop.engine.core.running_tasks import RunningTasks
from gpf_desktop.engine.writing.writer import Wanted, always, outlook, write
from gpf_desktop.storage import models, writings

Came = Callable[[WritingTask, Written], object]
"""Told what came of a task, as soon as it is in the audit."""


def unheard(_task: WritingTask, _written: Written) -> None:
    """Do nothing: nobody waits for single results."""


class WritingService:
    """The writers of one open audit."""

    def __init__(self, context: EngineContext) -> None:
        self._context = context
        self._tasks = RunningTasks(context.loop)

    def close(self) -> None:
        """End what is being written."""
        self._tasks.cancel_all()

    def writers(self, calibration: Sequence[Endpoint] = ()) -> list[TargetModel]:
        """The models of the audit that are no calibration models, then the writers of *calibration*, whose ids are
        below 0."""
        real = [model for model in self._context.audit.read(models.every) if not model.synthetic]
        return real + [
            TargetModel(id=ModelId(-1 - at), endpoint=each, synthetic=True, label=each.label)
            for at, each in enumerate(calibration)
        ]

    def outlook(self, tasks: Sequence[WritingTask], model: TargetModel) -> WritingCost:
        """The likely cost of *tasks* when *model* writes them."""
        return outlook(tasks, model.endpoint)

    def write(
        self,
        tasks: Sequence[WritingTask],
        model: TargetModel,
        *,
        spend_cap: float | None = None,
        tell: Tell = tell_nobody,
        came: Came = unheard,
        wanted: Wanted = always,
    ) -> "Future[list[Written]]":
        """Have *model* write *tasks*. Once they are not *wanted* no further one is asked, and cancelling the future
        ends those under way. What was written for the same task before, and not `taken`, is given once more and not
        asked for.

        *tell*, *came* and *wanted* are called on the engine's loop. What was asked and paid is in the audit before
        *tell* and *came* are called, also that of what was cancelled.
        """
        return self._tasks.start(lambda: self._write(tuple(tasks), model, spend_cap, tell, came, wanted))

    def taken(self, written: Sequence[Written]) -> None:
        """*written* is where an auditor sees it, and kept: it does not wait any longer."""
        asked = [each.provenance.asked for each in written if each.records]
        if asked:
            self._context.audit.write(lambda connection: writings.taken(connection, asked))

    def account(self) -> list[Provenance]:
        """The account of everything that writers were asked for in this audit, oldest first."""
        return self._context.audit.read(writings.every)

    def asked_anything(self) -> bool:
        """Whether there is an account."""
        return self._context.audit.read(writings.there_are)

    def account_table(self) -> Table:
        """The same, a row for what was asked: when, of whom, calls, tokens, US dollars, and the message."""
        columns = ("at", "model", "instruction", "calls", "prompt_tokens", "completion_tokens", "dollars")
        more = ("synthetic", "system", "prompt")
        return Table(
            (*columns, *more),
            [
                tuple(each.data()[name] for name in columns) + tuple(str(each.data()[name]) for name in more)
                for each in self.account()
            ],
        )

    async def _write(
        self,
        tasks: tuple[WritingTask, ...],
        model: TargetModel,
        spend_cap: float | None,
        tell: Tell,
        came: Came,
        wanted: Wanted,
    ) -> list[Written]:
        endpoint = model.endpoint
        synthetic = catalogue.provider(endpoint.provider).synthetic
        # A key store may wait for somebody to unlock it, and the loop must not.
        if not synthetic:
            await asyncio.to_thread(self._context.keys.unlock_for, [endpoint])
        key = None if synthetic else await asyncio.to_thread(self._context.keys.find, endpoint)

        async def keep(task: WritingTask, written: Written) -> None:
            await self._context.write(lambda connection: writings.add(connection, written))
            came(task, written)

        asked = [asked_of(endpoint.label, each.prompt) for each in tasks]
        # By the writer, behind what was `taken` a moment ago.
        held = await self._context.write(lambda connection: writings.waiting(connection, asked))
        # Each once: the same may be asked for twice on purpose.
        there = {place: held.pop(each) for place, each in enumerate(asked) if each in held}
        for place, written in there.items():
            came(tasks[place], written)
        made = await write(
            [task for place, task in enumerate(tasks) if place not in there],
            endpoint,
            key,
            spend_cap=spend_cap,
            not_supported=model.not_supported,
            tell=tell,
            keep=keep,
            wanted=wanted,
        )
        left = iter(made)
        return [there[place] if place in there else next(left) for place in range(len(tasks))]

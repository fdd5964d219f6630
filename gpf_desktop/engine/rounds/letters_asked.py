"""Tells of models of a round that give no log-probabilities although they are asked for; of each once."""

import asyncio
from collections.abc import Sequence

from gpf_desktop.domain.ids import ModelId
from gpf_desktop.domain.responses import Outcome, Reply
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.rounds.model_task import LOGPROBS, ModelTask, top_logprobs_of
from gpf_desktop.engine.rounds.run_notes import RunNotes


class LettersAsked:
    """The models of one execution that are asked for log-probabilities."""

    def __init__(self, tasks: Sequence[ModelTask], notes: RunNotes) -> None:
        wanting = [task for task in tasks if _wants(task)]
        self._notes = notes
        self._asked = {task.model.id: task.model.label for task in wanting if _can(task)}
        self._unable = [task.model.label for task in wanting if not _can(task)]
        self._telling: list[asyncio.Task[None]] = []

    async def begin(self) -> None:
        """Tell of those of which it is known before the first call."""
        for label in self._unable:
            await self._notes.once(_words(label))

    def landed(self, model: ModelId, outcome: Outcome) -> None:
        """Tell of *model* where its first answer is without them; one that refused the parameter is told of then."""
        if model not in self._asked or not isinstance(outcome, Reply):
            return
        label = self._asked.pop(model)
        if outcome.letters is None and not LOGPROBS & set(outcome.not_supported):
            self._telling.append(asyncio.get_running_loop().create_task(self._notes.once(_words(label))))

    async def settle(self) -> None:
        """Wait until all is told."""
        await asyncio.gather(*self._telling)


def _wants(task: ModelTask) -> bool:
    return task.method.top_logprobs(task.protocol) > 0


def _can(task: ModelTask) -> bool:
    return bool(top_logprobs_of(task)) and not LOGPROBS & set(task.model.not_supported)


def _words(label: str) -> str:
    return tr("{model} gives no log-probabilities: its choices are read from its answers alone.", model=label)

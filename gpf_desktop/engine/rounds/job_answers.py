"""Reads the answers of a batch job into the store, a chunk at a time: save first, then announce."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from gpf_desktop.domain.adjustments import is_of_one_question
from gpf_desktop.domain.batch_jobs import JobReport, JobState, StoredJob
from gpf_desktop.domain.ids import BatchJobId, FitGroupId, ModelId
from gpf_desktop.domain.ports.batch_jobs import BatchJobs
from gpf_desktop.domain.questions import Question
from gpf_desktop.domain.responses import Miss, Missing, Outcome, Reply, without_key
from gpf_desktop.domain.retries import NoRetry, Transient
from gpf_desktop.domain.text import tr
from gpf_desktop.domain.wire import Send
from gpf_desktop.engine.core.context import EngineContext
from gpf_desktop.engine.rounds.faults import Faults
from gpf_desktop.engine.rounds.model_task import (
    ModelTask,
    cost_of,
    learn,
    likely_prompt,
    question_of,
    words_of_learning,
)
from gpf_desktop.storage import batch_jobs, responses
from gpf_desktop.storage.batch_jobs import Unanswered
from gpf_desktop.storage.cells import OpenCell
from gpf_desktop.storage.responses import CellResult
from gpf_desktop.storage.writer import Connection

CHUNK: Final = 200
"""Answers saved at a time."""

Group = tuple[ModelId, FitGroupId]


@dataclass(slots=True, kw_only=True)
class Job:
    """A job on its way."""

    id: BatchJobId
    tag: str
    requests: int
    discount: float
    submitted: datetime
    vendor_id: str = ""
    state: JobState = JobState.SUBMITTING
    done: int = 0
    missed: int = 0
    told: bool = False
    """The provider agreed to cancel it."""
    held: float = 0.0
    """US dollars that are held back for it."""


@dataclass(slots=True, kw_only=True)
class CollectedJob:
    """The result of collecting one job."""

    answered: int = 0
    """Cells that have their end, an answer or a reason."""
    again: int = 0
    """Cells that are open again."""
    foreign: bool = False
    """It is no job of ours: it has answers, and none to a question of this job."""


class JobAnswers:
    """The answers of one model's jobs."""

    def __init__(
        self,
        context: EngineContext,
        task: ModelTask,
        jobs: BatchJobs,
        *,
        send: Send,
        spend: Callable[[ModelId, float], None],
        doubt: Callable[[Job, float], None],
        announce: Callable[[Group, CellResult], None],
        note: Callable[[str], Awaitable[None]],
    ) -> None:
        self.not_supported = set(task.model.not_supported)
        self._context = context
        self._task = task
        self._port = jobs
        self._send = send
        self._spend = spend
        self._doubt = doubt
        self._announce = announce
        self._note = note
        self.faults = Faults(len(task.items))
        """How questions ended that are not asked again."""

    async def collect(self, job: Job, report: JobReport) -> CollectedJob:
        """Save every answer of *job* that is not stored yet.

        Raises `ProviderError` where the answers cannot be had now; what came is stored.
        """
        held = await self._context.read(lambda connection: batch_jobs.waiting(connection, job.id))
        waiting = {custom_id_of(job.tag, cell): cell for cell in held}
        collected = CollectedJob()

        def question(custom_id: str) -> Question | None:
            cell = waiting.get(custom_id)
            return None if cell is None else question_of(self._task, cell, self.not_supported)

        answers: list[tuple[OpenCell, Outcome]] = []
        endpoint, key = self._task.model.endpoint, self._task.key
        try:
            async for custom_id, outcome in self._port.collect(report, endpoint, question, key, self._send):
                # An answer that comes twice, or that is to no question of this job, is passed over.
                cell = waiting.pop(custom_id, None)
                if cell is not None:
                    answers.append((cell, without_key(outcome, key)))
                if len(answers) >= CHUNK:
                    chunk, answers = answers, []
                    await self._store(job, chunk, collected)
        finally:
            # Also where the download broke off: what came is paid for, and the next look
            # asks for what is still waiting.
            await self._store(job, answers, collected)
        # Not where answers of it were stored before, nor where the provider came to none:
        # such a job is ours and has ended.
        if report.done and len(waiting) == len(held) == job.requests:
            collected.foreign = True
            return collected
        left = _left_over(cancelled=job.state is JobState.CANCELLING)
        await self._store(job, [(cell, left) for cell in waiting.values()], collected)
        return collected

    async def _store(self, job: Job, answers: Sequence[tuple[OpenCell, Outcome]], collected: CollectedJob) -> None:
        """Save *answers*, then tell."""
        landed: list[tuple[Group, CellResult]] = []
        again: list[Unanswered] = []
        learnt: set[str] = set()
        spent = 0.0
        ordinary = self._task.model.endpoint.price
        price = None if ordinary is None else ordinary.by_jobs(job.discount)
        sent = likely_prompt(self._task)
        for cell, outcome in answers:
            cost = cost_of(price, outcome, sent)
            spent += cost
            if isinstance(outcome, Miss) and outcome.unread:
                self._doubt(job, cost / 1e6)
            if isinstance(outcome, Miss) and self._asks_again(cell, outcome):
                if not is_of_one_question(outcome.refused_parameter):
                    learnt |= {outcome.refused_parameter} - {"", *self.not_supported}
                again.append(
                    Unanswered(
                        cell_id=cell.id,
                        attempt=cell.attempts,
                        reason=outcome.reason,
                        detail=outcome.detail,
                        microdollars=cost,
                    )
                )
                continue
            if isinstance(outcome, Reply) or outcome.reason is Missing.HTTP_ERROR or outcome.guessed:
                self.faults.landed(cell.id, outcome, cell.article_id, again=cell.attempts > 1)
            one = CellResult(cell_id=cell.id, attempt=cell.attempts, outcome=outcome, seconds=None, microdollars=cost)
            landed.append(((self._task.model.id, cell.fit_group_id), one))

        def write(connection: Connection) -> None:
            # In one transaction, so that after a kill each question of a chunk is either
            # ended, or open, or still waiting.
            responses.save(connection, [one for _, one in landed])
            batch_jobs.give_back(connection, again)

        await self._context.write(write)
        collected.answered += len(landed)
        collected.again += len(again)
        self._spend(self._task.model.id, spent / 1e6)
        for group, one in landed:
            self._announce(group, one)
        for parameter in sorted(learnt):
            self.not_supported.add(parameter)
            await learn(self._context, self._task, self.not_supported)
            await self._note(words_of_learning(self._task, parameter))

    def _asks_again(self, cell: OpenCell, miss: Miss) -> bool:
        # It was the auditor who ended that job: its questions are asked again however many attempts they had.
        if miss.reason is Missing.NOT_RUN:
            return True
        # A smaller limit for one question alone is not kept from one job to the next.
        taught = bool(miss.refused_parameter) and not is_of_one_question(miss.refused_parameter)
        worth = taught or not isinstance(miss.retry, NoRetry)
        return worth and cell.attempts < self._task.model.endpoint.limits.attempts


def take_up(stored: StoredJob) -> Job:
    return Job(
        id=stored.id,
        tag=stored.tag,
        requests=stored.requests,
        discount=stored.discount,
        submitted=stored.submitted,
        vendor_id=stored.vendor_id,
        state=stored.state,
        done=stored.done,
    )


def custom_id_of(tag: str, cell: OpenCell) -> str:
    return f"{tag}-{cell.id}"


def _left_over(*, cancelled: bool) -> Miss:
    """The miss for a question that the answers pass over."""
    return Miss(
        reason=Missing.NOT_RUN if cancelled else Missing.TIMED_OUT,
        detail=tr("The batch job ended without an answer to this question."),
        retry=Transient(),
    )

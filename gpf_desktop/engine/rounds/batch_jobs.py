"""One model's way through a run by half-price batch jobs: submit, look now and then, collect; across restarts.

A job is recorded before it is sent. One whose submission nobody saw end is looked for among the provider's jobs, and
listed as of unknown outcome where it is not there.
"""

import asyncio
import secrets
import sys
from collections.abc import Awaitable, Callable, Coroutine
from datetime import UTC, datetime
from typing import Any, Final

from gpf_desktop.domain.batch_jobs import JobOrder, JobReport, JobStage, JobState, LostJob, NotSubmitted
from gpf_desktop.domain.errors import ProviderError
from gpf_desktop.domain.ids import BatchJobId, CellId, ModelId
from gpf_desktop.domain.model_tests import ModelFault
from gpf_desktop.domain.ports.batch_jobs import BatchJobs
from gpf_desktop.domain.responses import Miss, Missing
from gpf_desktop.domain.retries import NoRetry, Transient
from gpf_desktop.domain.text import tr, trn
from gpf_desktop.domain.wire import Send
from gpf_desktop.engine.core.context import EngineContext
from gpf_desktop.engine.models.model_testing import fault_of
from gpf_desktop.engine.rounds.faults import STOP_AFTER, Faults, words_of_stop
from gpf_desktop.engine.rounds.job_answers import Group, Job, JobAnswers, custom_id_of, take_up
from gpf_desktop.engine.rounds.model_task import (
    ModelTask,
    longest_prompt,
    question_of,
    worst_case,
)
from gpf_desktop.engine.rounds.spend_guard import SpendGuard
from gpf_desktop.engine.rounds.stage_watch import StageWatch
from gpf_desktop.storage import batch_jobs, cells
from gpf_desktop.storage.cells import OpenCell
from gpf_desktop.storage.responses import CellResult
from gpf_desktop.storage.writer import Connection

FIRST_LOOK: Final = 60.0
"""Seconds from a submission to the first look at it."""
LONGEST_LOOK: Final = 600.0
GROWTH: Final = 1.5
LINE_TIMEOUT: Final = 600.0
"""Seconds for sending a job's questions or fetching its answers."""
PER_JOB: Final = 5_000
"""Questions in one job: fewer than any provider allows, so that articles complete one after the other."""
LOOKS_FOR_LOST: Final = 2
"""Times that a job is looked for before it counts as lost: a list of jobs may lag behind."""


class JobRunner:
    """Has what `ModelRunner` has for a run; `work` ends when nothing is left, when cancelled, or with `halted` set."""

    def __init__(
        self,
        context: EngineContext,
        task: ModelTask,
        jobs: BatchJobs,
        *,
        send: Send,
        spend_guard: SpendGuard,
        spend: Callable[[ModelId, float], None],
        doubt: Callable[[ModelId, float], None],
        announce: Callable[[Group, CellResult], None],
        note: Callable[[str], Awaitable[None]],
        stages: StageWatch,
    ) -> None:
        self.task = task
        self.halted = ""
        """Why this model is not asked any more in this execution; a sentence."""
        self.fault: ModelFault | None = None
        """What is to be mended before it is asked again, where it is one of those."""
        self._context = context
        self._port = jobs
        self._send = send
        self._spend_guard = spend_guard
        self._doubt = doubt
        self._note = note
        self._stages = stages
        self._jobs: dict[BatchJobId, Job] = {}
        self._submits = task.model.endpoint.batch_jobs
        self._again = False
        """Nothing could be submitted now, but may be after a rest."""
        self._answers = JobAnswers(
            context, task, jobs, send=send, spend=spend, doubt=self._count_unread, announce=announce, note=note
        )
        self._interval = FIRST_LOOK
        self._resting = False
        self._faults = 0
        self._wake = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()
        self._failure: BaseException | None = None

    @property
    def faults(self) -> Faults:
        """The record of how its questions ended."""
        return self._answers.faults

    @property
    def in_flight(self) -> int:
        """Questions that are with the provider."""
        return self.requests - self.done

    @property
    def limit(self) -> int:
        return self.requests

    @property
    def requests(self) -> int:
        """Questions of all jobs on their way."""
        return sum(job.requests for job in self._jobs.values())

    @property
    def done(self) -> int:
        """How many requests of its jobs the provider has worked through, as it last said."""
        return sum(min(job.done, job.requests) for job in self._jobs.values())

    async def work(self) -> None:
        """Have every open cell of this model answered; returns when no job is on its way and none can be made."""
        # First: what jobs of earlier executions may cost is held back before new ones use up the cap.
        await self._step(self._take_up())
        while self._goes_on():
            planned = self._stages.planned
            await self._step(self._submit_open())
            if not self._goes_on():
                break
            if not (self._jobs or self._again):
                if not await self._stages.more(planned):
                    break
                continue
            await self._rest()
            if self._goes_on():
                await self._step(self._look_at_all())

    def _goes_on(self) -> bool:
        return not (self.halted or self._resting)

    async def landed(self) -> None:
        """Wait until what was begun with the provider is known or written down. Raises what that raised."""
        while self._tasks:
            await asyncio.wait(self._tasks)
        if self._failure is not None:
            raise self._failure

    async def abandon(self) -> list[tuple[CellId, int]]:
        """Stop at once. No outcome is lost by it: jobs go on at the provider and are looked for at the next start."""
        doomed = list(self._tasks)
        for task in doomed:
            task.cancel()
        await asyncio.gather(*doomed, return_exceptions=True)
        return []

    async def drop_waiting(self) -> None:
        """Begin nothing more; what is with the provider stays there."""
        self._resting = True
        self._wake.set()

    async def cancel(self) -> None:
        """Have every job ended early; what is answered by then is kept. The store knows it already."""
        self._submits = False
        for job in self._jobs.values():
            job.state = JobState.CANCELLING
        self._interval = FIRST_LOOK
        self._wake.set()

    async def _step(self, work: Coroutine[Any, Any, None]) -> None:
        """Do *work* to its end even where the runner is told to pause meanwhile."""
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        # A pause cancels `work`, which between a submission and its record would leave a job to be looked for.
        await asyncio.shield(task)

    def _ended(self, task: "asyncio.Task[None]") -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) is not None and self._failure is None:
            self._failure = error

    async def _rest(self) -> None:
        loop = asyncio.get_running_loop()
        waits = {loop.create_task(self._context.rest(self._interval)), loop.create_task(self._wake.wait())}
        try:
            await asyncio.wait(waits, return_when=asyncio.FIRST_COMPLETED)
        finally:
            for wait in waits:
                wait.cancel()
            await asyncio.gather(*waits, return_exceptions=True)
        # Cleared after the wait: what came while a step was under way must not be slept over.
        self._wake.clear()
        self._interval = min(LONGEST_LOOK, self._interval * GROWTH)

    async def _take_up(self) -> None:
        """Jobs of earlier executions are looked at, never submitted again."""
        run_id, model_id = self.task.run_id, self.task.model.id
        found = await self._context.read(lambda connection: batch_jobs.live(connection, run_id, model_id))
        for stored in found:
            self._jobs[stored.id] = job = take_up(stored)
            self._hold(job)
        if found:
            await self._look_at_all()

    async def _submit_open(self) -> None:
        self._again = False
        while self._submits and self._goes_on() and not self._again:
            each = self._worst_case(self._port.discount)
            # The cap is used up only where nothing is on its way that may turn out cheaper than its worst case.
            room = self._spend_guard.room(each)
            if room == 0:
                self._again = self._spend_guard.holding
                self._spend_guard.empty, self._spend_guard.wanted = not self._again, each
                return
            # Six bytes for a character that JSON escapes, and what stands around a question.
            by_size = self._port.most_bytes // (6 * longest_prompt(self.task) + 1_000)
            if not await self._submit(min(self._port.most_requests, PER_JOB, by_size, room)):
                return

    async def _submit(self, most: int) -> bool:
        """Submit one job of *most* questions or fewer; False where there are none."""
        run_id, model = self.task.run_id, self.task.model
        # Drawn and not counted: a lost job is looked for in the account's list, where jobs of other audits stand too,
        # of copies of this one as well.
        tag, discount = f"gpf{secrets.token_hex(8)}", self._port.discount

        def write(connection: Connection) -> tuple[BatchJobId, list[OpenCell]] | None:
            # Taken and recorded in one transaction: a kill leaves open cells or a job to be looked for,
            # nothing between. From the first place each time, because questions that a job gave back stand
            # before those that were never asked.
            taken = cells.next_open(connection, run_id, model.id, after=-1, limit=most, only=self.task.only)
            if not taken:
                return None
            at_most = 1e6 * self._worst_case(discount)
            begun = batch_jobs.begin(connection, run_id, model.id, taken, tag=tag, discount=discount, at_most=at_most)
            return begun, taken

        begun = await self._context.write(write)
        if begun is None:
            return False
        job_id, taken = begun
        job = Job(id=job_id, tag=tag, requests=len(taken), discount=discount, submitted=datetime.now(UTC))
        # Known before it is sent: where nobody sees the submission end, this is what is looked for.
        self._jobs[job_id] = job
        self._hold(job)
        self._interval = FIRST_LOOK
        questions = [
            (custom_id_of(tag, cell), question_of(self.task, cell, self._answers.not_supported)) for cell in taken
        ]
        order = JobOrder(tag=tag, endpoint=model.endpoint, questions=questions)
        answer = await self._port.submit(order, self.task.key, self._send)
        match answer:
            case JobReport():
                await self._accepted(job, answer)
            case NotSubmitted(certain=True):
                # Nothing is under way that giving up would lose: a submission is tried a few times,
                # a poll for as long as it takes.
                await self._end(job, JobState.REFUSED, answer.miss.detail)
                self._again = True
                await self._fault(answer.miss, most=STOP_AFTER)
            case NotSubmitted():
                why = answer.miss.detail
                await self._tell(job, tr("nobody saw whether the provider took it ({why}); it is looked for", why=why))
        return True

    async def _accepted(self, job: Job, report: JobReport) -> None:
        job.vendor_id = report.vendor_id
        # A cancellation may have come while the submission was under way, and it stands.
        job.state = JobState.WAITING if job.state is JobState.SUBMITTING else job.state
        await self._context.write(lambda connection: batch_jobs.accepted(connection, job.id, report.vendor_id))
        await self._tell(job, tr("with the provider, answers come within 24 hours"))

    async def _look_at_all(self) -> None:
        for job in list(self._jobs.values()):
            if self._goes_on():
                await self._look(job)
        if not self._submits and not self._jobs and not self.halted:
            await self._leave_the_rest()

    async def _look(self, job: Job) -> None:
        endpoint, key = self.task.model.endpoint, self.task.key
        if not job.vendor_id and not await self._find(job):
            return
        if job.state is JobState.CANCELLING and not job.told:
            refused = await self._port.cancel(job.vendor_id, endpoint, key, self._send)
            # A provider that says no for good, as of a job that has ended meanwhile, is not
            # asked to cancel at every look.
            job.told = refused is None or isinstance(refused.retry, NoRetry)
        report = await self._port.poll(job.vendor_id, endpoint, key, self._send)
        if isinstance(report, Miss):
            if report.status == 404:
                # Not known there: no later look would find it either. Any other failure of a look may pass.
                await self._lose(job, report.detail)
            else:
                await self._fault(report)
            return
        self._faults = 0
        if report.done != job.done:
            job.done = done = report.done
            await self._context.write(lambda connection: batch_jobs.set_done(connection, job.id, done))
        match report.stage:
            case JobStage.FAILED:
                # Its questions are open again: without a halt the same job would be submitted and refused without end.
                await self._end(job, JobState.REFUSED, report.detail)
                self.halted = tr(
                    "{model}: the provider did not take the batch job: {detail}",
                    model=self.task.model.label,
                    detail=report.detail,
                )
            case JobStage.ENDED:
                await self._collect(job, report)
            case JobStage.QUEUED | JobStage.WORKING:
                pass

    async def _find(self, job: Job) -> bool:
        """Look for a job whose submission nobody saw end; True where it is there."""
        # Where a provider's jobs bear no name of ours, one that is accounted for could be taken for the lost one.
        known = await self._context.read(batch_jobs.vendor_ids)
        lost = LostJob(tag=job.tag, requests=job.requests, since=job.submitted, known=known)
        found = await self._port.find(lost, self.task.model.endpoint, self.task.key, self._send)
        if isinstance(found, Miss):
            await self._fault(found)
            return False
        if found is None:
            job.missed += 1
            if job.missed >= LOOKS_FOR_LOST:
                await self._lose(job, tr("the provider lists no such job"))
            return False
        await self._accepted(job, found)
        return True

    async def _collect(self, job: Job, report: JobReport) -> None:
        try:
            collected = await self._answers.collect(job, report)
        except ProviderError as error:
            # The job stays: what came is stored, and the next look asks for the rest alone.
            await self._fault(Miss(reason=Missing.UNREADABLE, detail=str(error), retry=Transient()))
            return
        # Where a provider's jobs bear no name of ours a lost one is found by time and size, and
        # that may be another program's.
        if collected.foreign:
            await self._lose(job, tr("its answers are to other questions"))
            return
        await self._end(job, JobState.COLLECTED)
        if (last := self.faults.last) is not None:
            # Its questions are opened again at the end (`RunExecution`): the next job would meet the same.
            self.halted = self.halted or words_of_stop(self.task.model.label, self.task.model.endpoint, last)
            self.fault = self.fault or fault_of(last)
        words = trn("{n} question answered", "{n} questions answered", collected.answered)
        if collected.again:
            words += "; " + trn("{n} question is open again", "{n} questions are open again", collected.again)
        await self._tell(job, words)

    async def _lose(self, job: Job, why: str) -> None:
        await self._end(job, JobState.LOST, why)
        words = tr("outcome unknown ({why}), possibly billed; its questions are open again", why=why)
        await self._tell(job, words)

    async def _end(self, job: Job, state: JobState, detail: str = "") -> None:
        # Until here its answers are both counted and held back for, which errs on the side of the cap.
        unseen = await self._context.write(lambda connection: batch_jobs.end(connection, job.id, state, detail))
        del self._jobs[job.id]
        if state is not JobState.REFUSED and unseen:
            self._doubt(self.task.model.id, unseen * self._worst_case(job.discount))
        self._spend_guard.give_back(job.held)

    def _hold(self, job: Job) -> None:
        job.held = job.requests * self._worst_case(job.discount)
        self._spend_guard.hold_back(job.held)

    def _count_unread(self, job: Job, counted: float) -> None:
        """An answer of *job* that could not be read and is *counted* with so many dollars may have cost more."""
        self._doubt(self.task.model.id, max(0.0, self._worst_case(job.discount) - counted))

    def _worst_case(self, discount: float) -> float:
        """Dollars that one question may cost at most."""
        price = self.task.model.endpoint.price
        return (
            0.0
            if price is None
            else worst_case(self.task, price.by_jobs(discount), refused=self._answers.not_supported)
        )

    async def _leave_the_rest(self) -> None:
        """Halt after a cancelled job: open questions cost the ordinary price now, which the auditor is to decide."""
        run_id, model = self.task.run_id, self.task.model
        opened = await self._context.read(
            lambda connection: cells.next_open(connection, run_id, model.id, after=-1, limit=1)
        )
        if opened:
            self.halted = tr(
                "{model}: its batch jobs were cancelled. Resume to ask the rest one by one, at the ordinary price.",
                model=model.label,
            )

    async def _fault(self, miss: Miss, *, most: int = sys.maxsize) -> None:
        """Halt where the provider says no, or fails *most* times in a row.

        A job under way waits for a network that is gone for hours: it is looked at again, less and less often.
        """
        self._faults += 1
        if self._faults >= most or isinstance(miss.retry, NoRetry):
            self.halted = tr("{model} was not asked further: {detail}", model=self.task.model.label, detail=miss.detail)
            self.fault = fault_of(miss)
        elif self._faults == 1:
            await self._note(
                tr("{model}: {detail} It is tried again.", model=self.task.model.label, detail=miss.detail)
            )

    async def _tell(self, job: Job, what: str) -> None:
        await self._note(
            trn(
                "{model}, batch job of {n} question: {what}.",
                "{model}, batch job of {n} questions: {what}.",
                job.requests,
                model=self.task.model.label,
                what=what,
            )
        )

"""Repeats a round while the program is open: every some hours, or at times of day."""

import asyncio
import json
from collections.abc import Callable
from concurrent.futures import Future
from datetime import UTC, datetime, time
from typing import Final

from gpf_desktop.domain.errors import GpfError
from gpf_desktop.domain.events import TaskFailed, TaskSucceeded
from gpf_desktop.domain.runs import Starter
from gpf_desktop.domain.schedules import Schedule, next_due
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.open_audit import OpenAudit
from gpf_desktop.engine.rounds.plans import read_plan
from gpf_desktop.engine.schedules.plan_rounds import plan_round
from gpf_desktop.storage import audits
from gpf_desktop.storage.writer import Connection

REPEAT_TASK: Final = "repeat"
_LOOK_EVERY: Final = 20.0
"""Seconds between two looks at the clock, so that a machine that slept or whose clock was set is on time again."""
_SETTING: Final = "repeat"


def stored_schedule(connection: Connection) -> Schedule | None:
    """The audit's schedule; None where rounds are not repeated."""
    text = audits.setting(connection, _SETTING)
    if not text:
        return None
    data = json.loads(text)
    return Schedule(
        plan=data["plan"],
        every_hours=data["every_hours"],
        times=tuple(time.fromisoformat(each) for each in data["times"]),
    )


def store_schedule(connection: Connection, schedule: Schedule | None) -> None:
    text = ""
    if schedule is not None:
        times = [each.isoformat(timespec="minutes") for each in schedule.times]
        text = json.dumps({"plan": schedule.plan, "every_hours": schedule.every_hours, "times": times})
    audits.set_setting(connection, _SETTING, text)


class Repeater:
    """Of one open audit, for as long as it is open. Rounds that it starts are announced like any other."""

    def __init__(self, open_audit: OpenAudit, *, clock: Callable[[], datetime] | None = None) -> None:
        """*clock* tells the local time."""
        self._open_audit = open_audit
        self._context = open_audit.context
        self._clock = clock or _local_time
        self._task: Future[None] | None = None
        self._begin()

    def schedule(self) -> Schedule | None:
        """Reads the store."""
        return self._context.audit.read(stored_schedule)

    def next_due(self) -> datetime | None:
        """When the next round begins; None where rounds are not repeated. Reads the store."""
        schedule = self.schedule()
        return None if schedule is None else next_due(schedule, self._clock())

    def set_schedule(self, schedule: Schedule | None) -> None:
        """Repeat as *schedule* says from now on; stored when this returns. Raises `UserError` for its plan."""
        if schedule is not None:
            read_plan(schedule.plan, where=tr("the plan to repeat"))
        self._context.audit.write(lambda connection: store_schedule(connection, schedule)).result()
        self._begin()

    def close(self) -> None:
        if self._task is not None:
            self._task.cancel()

    def start_round(self) -> None:
        """Begin a round of the schedule's plan now; what keeps it from that is told as `REPEAT_TASK`. Blocks."""
        schedule = self.schedule()
        rounds = self._open_audit.rounds
        if schedule is None:
            return
        if rounds.active is not None:
            self._tell(tr("The repeated round was left out: another one is still being asked."))
            return
        try:
            plan = read_plan(schedule.plan, where=tr("the plan to repeat"))
            planned = plan_round(self._open_audit, plan, beside=self._open_audit.path.parent)
            if planned.run_id is None:
                self._tell(tr("The repeated round was left out: there are no new articles."))
            else:
                rounds.start(planned.run_id, Starter.SCHEDULE)
        except GpfError as error:
            self._context.emit(
                TaskFailed(task=REPEAT_TASK, what=error.what, remedy=error.remedy, details=error.details)
            )

    def _begin(self) -> None:
        self.close()
        schedule = self.schedule()
        if schedule is not None:
            self._task = self._context.loop.submit(self._repeat(schedule))

    async def _repeat(self, schedule: Schedule) -> None:
        due = next_due(schedule, self._clock())
        while due is not None:
            left = (due - self._clock()).total_seconds()
            if left > 0:
                await asyncio.sleep(min(left, _LOOK_EVERY))
                continue
            await asyncio.to_thread(self.start_round)
            due = next_due(schedule, self._clock())

    def _tell(self, sentence: str) -> None:
        self._context.emit(TaskSucceeded(task=REPEAT_TASK, sentence=sentence))


def _local_time() -> datetime:
    return datetime.now(UTC).astimezone()

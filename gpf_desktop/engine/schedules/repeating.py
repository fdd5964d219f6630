"""Repeats a round while the program is open: every some hours, or at times of day."""

import asyncio
import json
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from dataclasses import replace
from datetime import UTC, datetime, time
from typing import Any, Final

from gpf_desktop.domain.errors import GpfError
from gpf_desktop.domain.events import SchedulesChanged, TaskFailed, TaskSucceeded
from gpf_desktop.domain.runs import RunState, Starter
from gpf_desktop.domain.schedules import REPEAT_TASK, Schedule, next_due
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.open_audit import OpenAudit
from gpf_desktop.engine.rounds.plans import read_plan
from gpf_desktop.engine.schedules.plan_rounds import plan_round
from gpf_desktop.storage import audits
from gpf_desktop.storage.writer import Connection

_LOOK_EVERY: Final = 20.0
"""Seconds between two looks at the clock, so that a machine that slept or whose clock was set is on time again."""
_SETTING: Final = "repeat"


def stored_schedules(connection: Connection) -> tuple[Schedule, ...]:
    """The audit's schedules, in the order made."""
    return audits.kept(connection, _SETTING, _schedules, ())


def _schedules(data: Any) -> tuple[Schedule, ...]:
    # An audit had one schedule at most before it could have several.
    return tuple(_schedule(each) for each in (data if isinstance(data, list) else [data]))


def _schedule(data: Mapping[str, Any]) -> Schedule:
    return Schedule(
        plan=data["plan"],
        every_hours=data["every_hours"],
        times=tuple(time.fromisoformat(each) for each in data["times"]),
        name=data.get("name", ""),
        on=data.get("on", True),
        last=datetime.fromisoformat(data["last"]) if data.get("last") else None,
    )


def store_schedules(connection: Connection, schedules: Sequence[Schedule]) -> None:
    data = [
        {
            "plan": each.plan,
            "every_hours": each.every_hours,
            "times": [moment.isoformat(timespec="minutes") for moment in each.times],
            "name": each.name,
            "on": each.on,
            "last": None if each.last is None else each.last.isoformat(timespec="seconds"),
        }
        for each in schedules
    ]
    audits.set_setting(connection, _SETTING, json.dumps(data) if data else "")


class Repeater:
    """Repeats rounds of one open audit, for as long as it is open. Rounds that it starts are announced like any
    other."""

    def __init__(self, open_audit: OpenAudit, *, clock: Callable[[], datetime] | None = None) -> None:
        """*clock* tells the local time."""
        self._open_audit = open_audit
        self._context = open_audit.context
        self._clock = clock or _local_time
        self._task: Future[None] | None = None
        self._begin()

    def schedules(self) -> tuple[Schedule, ...]:
        """Reads the store."""
        return self._context.audit.read(stored_schedules)

    def due(self, schedule: Schedule) -> datetime | None:
        """The time when *schedule* begins its next round; None if it is off."""
        return next_due(schedule, self._clock()) if schedule.on else None

    def next_due(self) -> datetime | None:
        """The time when the next round begins; None if rounds are not repeated. Reads the store."""
        dues = [due for each in self.schedules() if (due := self.due(each)) is not None]
        return min(dues, default=None)

    def keep(self, schedule: Schedule) -> None:
        """Repeat as *schedule* says from now on, beside those of other plans; one of the same plan is replaced. Stored
        when this returns. Raises `UserError` for its plan."""
        plan = read_plan(schedule.plan, where=tr("the plan to repeat"))
        named = replace(schedule, name=schedule.name or plan.name)

        def write(connection: Connection) -> None:
            held = list(stored_schedules(connection))
            place = next((place for place, each in enumerate(held) if each.plan == named.plan), len(held))
            held[place : place + 1] = [named]
            store_schedules(connection, held)

        self._context.audit.write(write).result()
        self._begin()
        self._context.emit(SchedulesChanged())

    def drop(self, plan: str) -> None:
        """End the schedule of *plan*. Not by its number, which is another's once it has ended."""

        def write(connection: Connection) -> None:
            store_schedules(connection, [each for each in stored_schedules(connection) if each.plan != plan])

        self._context.audit.write(write).result()
        self._begin()
        self._context.emit(SchedulesChanged())

    def close(self) -> None:
        if self._task is not None:
            # Ends the waiting alone: a round that is being planned on its thread is planned to its end.
            self._task.cancel()

    def start_round(self, schedule: Schedule) -> None:
        """Begin a round of *schedule*'s plan now; what keeps it from that is told as `REPEAT_TASK`. Blocks."""
        self._context.audit.write(lambda connection: self._remember(connection, schedule)).result()
        self._context.emit(SchedulesChanged())
        rounds = self._open_audit.rounds
        if rounds.active is not None:
            self._tell(tr("The repeated round was left out: another one is still being asked."))
            return
        try:
            plan = read_plan(schedule.plan, where=tr("the plan to repeat"))
            planned = plan_round(self._open_audit, plan, beside=self._open_audit.path.parent)
            if planned.run_id is None:
                self._tell(tr("The repeated round was left out: there are no new articles."))
            else:
                rounds.start(planned.run_id, Starter.SCHEDULE).add_done_callback(self._rested)
        except GpfError as error:
            self._fail(error)

    def _rested(self, round_: "Future[RunState]") -> None:
        """Tell what kept a round from being asked, such as a key: nobody else looks at how it ended."""
        try:
            if not round_.cancelled():
                round_.result()
        except GpfError as error:
            self._fail(error)

    def _remember(self, connection: Connection, schedule: Schedule) -> None:
        held = stored_schedules(connection)
        now = self._clock()
        store_schedules(connection, [replace(each, last=now) if each.plan == schedule.plan else each for each in held])

    def _begin(self) -> None:
        self.close()
        schedules = [each for each in self.schedules() if each.on]
        if schedules:
            self._task = self._context.loop.submit(self._repeat(schedules))

    async def _repeat(self, schedules: Sequence[Schedule]) -> None:
        dues = {at: next_due(each, self._clock()) for at, each in enumerate(schedules)}
        while coming := [(due, at) for at, due in dues.items() if due is not None]:
            due, at = min(coming)
            left = (due - self._clock()).total_seconds()
            if left > 0:
                await asyncio.sleep(min(left, _LOOK_EVERY))
                continue
            # On a thread, because planning a round waits for work on this very loop.
            await asyncio.to_thread(self.start_round, schedules[at])
            # From now: rounds that were missed while the machine slept are made up for by one.
            dues[at] = next_due(schedules[at], self._clock())

    def _fail(self, error: GpfError) -> None:
        self._context.emit(TaskFailed(task=REPEAT_TASK, what=error.what, remedy=error.remedy, details=error.details))

    def _tell(self, sentence: str) -> None:
        self._context.emit(TaskSucceeded(task=REPEAT_TASK, sentence=sentence))


def _local_time() -> datetime:
    return datetime.now(UTC).astimezone()

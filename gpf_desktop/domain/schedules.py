"""Schedules by which a round is repeated."""

from dataclasses import dataclass
from datetime import datetime, time, timedelta
from typing import Final

HOURS = (1, 2, 3, 4, 6, 8, 12, 24)
"""Intervals on offer: those that part a day evenly, so that every scheduler can say them."""
REPEAT_TASK: Final = "repeat"
"""As which task a repetition is told."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Schedule:
    """A plan that is run again and again: every some hours, or at times of day."""

    plan: str
    """The plan as `gpf-desktop run` reads it."""
    every_hours: int | None = None
    """One of `HOURS`; None: at *times*."""
    times: tuple[time, ...] = ()
    """Local times of day, to the minute."""
    name: str = ""
    """What it is called in the list: the plan's name."""
    on: bool = True
    last: datetime | None = None
    """When it began a round the last time; None: never yet."""

    def moments(self) -> tuple[time, ...]:
        """The times of day that this comes to, the earliest first."""
        if self.every_hours is None:
            return tuple(sorted(self.times))
        return tuple(time(hour) for hour in range(0, 24, self.every_hours))


def next_due(schedule: Schedule, after: datetime) -> datetime | None:
    """The first moment later than *after* (local time); None where the schedule names no time."""
    moments = schedule.moments()
    if not moments:
        return None
    days = (after.date(), after.date() + timedelta(days=1))
    coming = (datetime.combine(day, moment, tzinfo=after.tzinfo) for day in days for moment in moments)
    return next(moment for moment in coming if moment > after)

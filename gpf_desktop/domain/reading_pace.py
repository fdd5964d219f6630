"""The pace of a reader: the sets of answers read today, and the time that those that are left will take."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import pairwise
from math import ceil
from statistics import median

BREAK = timedelta(minutes=20)
"""Between two readings that lie further apart somebody did something else."""
AT_ONCE = timedelta(seconds=3)
"""Sets that were submitted closer to each other were not read one by one."""
ENOUGH = 3
"""Readings in a row from which their pace is told."""
LATEST = 50
"""Readings that tell the pace: one gets quicker."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingPace:
    """The pace of one reviewer."""

    today: int
    each: timedelta | None
    """What one set took, by the median; None while too few were read in a row."""

    def minutes(self, left: int) -> int | None:
        """The minutes that *left* sets will take, rounded up; None while the pace is not known."""
        return None if self.each is None else ceil(self.each.total_seconds() * left / 60)


def reading_pace(submitted: Sequence[datetime], now: datetime) -> ReadingPace:
    """*submitted*: when sets were, oldest first; days are those of *now*'s time zone."""
    today = sum(each.astimezone(now.tzinfo).date() == now.date() for each in submitted)
    every = [later - earlier for earlier, later in pairwise(submitted[-LATEST:])]
    gaps = [gap.total_seconds() for gap in every if AT_ONCE <= gap <= BREAK]
    return ReadingPace(today=today, each=timedelta(seconds=median(gaps)) if len(gaps) >= ENOUGH else None)

"""A batch job as a vendor knows it: how far it is follows from the time alone."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Course:
    """How a job goes."""

    queued: float = 60.0
    working: float = 600.0
    ends: str = "completed"
    """Or "expired", or "failed" (no question is taken)."""
    answered: float = 1.0
    """Share of the questions that the job comes to."""


@dataclass(slots=True, kw_only=True)
class Job:
    """A job as the vendor knows it."""

    id: str
    tag: str
    requests: list[tuple[str, Mapping[str, Any]]]
    made: float
    course: Course
    cancelled: float | None = None

    def stage(self, now: float) -> str:
        """queued, working, or how it ended."""
        age = now - self.made
        if self.cancelled is not None:
            return "cancelled"
        if self.course.ends == "failed" and age >= self.course.queued:
            return "failed"
        if age < self.course.queued:
            return "queued"
        return "working" if age < self.course.queued + self.course.working else self.course.ends

    def done(self, now: float) -> int:
        """How many questions have their end by *now*; those that a job never comes to have theirs when it ends."""
        until = now if self.cancelled is None else self.cancelled
        share = min(1.0, max(0.0, (until - self.made - self.course.queued) / self.course.working))
        return round(len(self.requests) * min(share, self.course.answered))

"""Batch jobs: a provider's cheaper way of taking many questions at once and answering within a day."""

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from gpf_desktop.domain.ids import BatchJobId, ModelId
from gpf_desktop.domain.models import Endpoint
from gpf_desktop.domain.questions import Question
from gpf_desktop.domain.responses import Miss


class JobState(StrEnum):
    """The state of a stored batch job."""

    SUBMITTING = "submitting"
    """Recorded before it is sent; the provider's name for it is not known yet."""
    WAITING = "waiting"
    CANCELLING = "cancelling"
    COLLECTED = "collected"
    REFUSED = "refused"
    """The provider took none of its questions; nothing is billed."""
    LOST = "outcome unknown"
    """Nobody can tell whether it was taken: possibly billed."""


LIVE = (JobState.SUBMITTING, JobState.WAITING, JobState.CANCELLING)
"""States in which a job's questions are asked nowhere else."""


class JobStage(StrEnum):
    """The stage of a job at the provider."""

    QUEUED = "queued"
    WORKING = "working"
    ENDED = "ended"
    """Whatever answers there are can be collected."""
    FAILED = "failed"
    """Refused as a whole: it has no answers."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JobReport:
    """A provider's report on a job."""

    vendor_id: str
    stage: JobStage
    requests: int
    done: int
    """Questions that have their end, good or bad."""
    detail: str = ""
    """The provider's own words, secrets removed; why it failed, where it did."""
    results: tuple[str, ...] = ()
    """Where the answers are, in the provider's own terms."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JobOrder:
    """A job to submit. Every question is of the same model."""

    tag: str
    """Ours, unlike any other job's; the provider keeps it where it can."""
    endpoint: Endpoint
    questions: Sequence[tuple[str, Question]]
    """(custom id, question); a custom id has letters, digits, ``-`` and ``_`` and at most 64 of them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NotSubmitted:
    """A submission without the provider's word that it was taken."""

    miss: Miss
    certain: bool
    """The provider did not take it; where this is not certain it may have done, and is looked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LostJob:
    """A job whose submission nobody saw end, to be looked for among the provider's jobs."""

    tag: str
    requests: int
    since: datetime
    """It was submitted no earlier than this."""
    known: Collection[str] = ()
    """The provider's names of jobs that are accounted for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredJob:
    """A batch job as the audit keeps it."""

    id: BatchJobId
    model_id: ModelId
    model: str
    tag: str
    vendor_id: str
    """Empty while it is not known."""
    state: JobState
    submitted: datetime
    ended: datetime | None
    requests: int
    done: int
    discount: float
    """What its answers cost as a share of the ordinary price."""
    detail: str

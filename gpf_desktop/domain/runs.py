"""A round: one batch × chosen models × one protocol version, frozen before its first call."""

from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum

from gpf_desktop.domain.ids import BatchId, ProtocolId, RunId
from gpf_desktop.domain.responses import Usage


class RunState(StrEnum):
    """The state of a round. *Interrupted* is found at opening, after a crash."""

    DRAFT = "draft"
    RUNNING = "running"
    PAUSING = "pausing"
    PAUSED = "paused"
    STOPPED = "stopped"
    INTERRUPTED = "interrupted"
    FINISHED = "finished"
    FINISHED_WITH_GAPS = "finished with gaps"

    @property
    def active(self) -> bool:
        """Whether calls may be in flight."""
        return self in (RunState.RUNNING, RunState.PAUSING)

    @property
    def resumable(self) -> bool:
        return self in (RunState.DRAFT, RunState.PAUSED, RunState.STOPPED, RunState.INTERRUPTED)

    @property
    def over(self) -> bool:
        """Every cell has its answer or its reason."""
        return self in (RunState.FINISHED, RunState.FINISHED_WITH_GAPS)


class Starter(StrEnum):
    """The way in which a round was first started."""

    HAND = "by hand"
    SCHEDULE = "by the schedule"
    COMMAND = "by the command line"


class NoteKind(StrEnum):
    """The kind of a line under "What happened"."""

    PLAIN = ""
    PACE = "pace"
    """How many calls are out at once: said often, and of interest seldom."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Run:
    """A stored run as lists show it."""

    id: RunId
    name: str
    state: RunState
    plan_hash: str
    method: str
    batch_id: BatchId
    protocol_id: ProtocolId
    seed: int
    planned: int
    """Cells in all."""
    answered: int
    missing: int
    """Cells that ended with a reason other than "not yet run"."""
    spend_cap: float | None
    """US dollars; None: no cap."""
    spent: float
    created: datetime
    started: datetime | None
    finished: datetime | None
    synthetic: bool
    """Every model of it is a calibration model."""
    unpriced: bool = False
    """The price of a model was not known when it was planned, so that *spent* is not all of it."""
    models: tuple[str, ...] = ()
    """Their labels, in the order of the plan."""
    articles: int = 0
    protocol: str = ""
    """Name and version."""
    prompt_tokens: int = 0
    completion_tokens: int = 0
    """Of the answers that are stored, as the providers counted them."""
    cached_tokens: int = 0
    """Of the prompts', those that the providers had in their caches."""
    started_by: Starter | None = None
    archived: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Spread:
    """A figure that is only known within bounds, such as time left or cost."""

    low: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelProgress:
    """One model's line on the Runs page."""

    model: str
    planned: int
    answered: int
    missing: int
    by_reason: tuple[tuple[str, int], ...]
    """Reason in the vocabulary's words, and how many."""
    unknown_refusals: int = 0
    """Of those declined, how many by words that this program does not know."""
    in_flight: int
    limit: int
    """Calls in flight allowed now."""
    rate: float
    """Answers per second over the last half minute."""
    waits: int = 0
    """Seconds until the next call, because the provider asked to wait."""
    throttle: str = ""
    """What holds calls back, refusals or the spend cap, in words."""
    left: Spread | None
    """Seconds; None before 20 answers of this execution."""
    spent: float
    """US dollars by counted usage."""
    priced: bool
    """False: nobody knows what its answers cost. A calibration model's cost nothing."""
    job_requests: int = 0
    """Questions that are with the provider in batch jobs."""
    job_done: int = 0
    """Those of them that the provider has come to, as it last said."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunProgress:
    """A run at one moment, as the window replays it."""

    run_id: RunId
    state: RunState
    planned: int
    answered: int
    missing: int
    bundles_planned: int
    bundles_scored: int
    bundles_provisional: int
    left: Spread | None
    spent: float
    spend_cap: float | None
    models: tuple[ModelProgress, ...]
    held: float = 0.0
    """US dollars that the answers in flight may still cost at most."""
    in_doubt: float = 0.0
    """US dollars that calls may have cost at most of which nobody knows the end; they count against the cap."""
    usage: Usage = field(default_factory=Usage)
    """Of the answers that are stored."""

    @property
    def in_flight(self) -> int:
        return sum(model.in_flight for model in self.models)

    @property
    def scoring(self) -> bool:
        """Every cell has its end, and what is left is to score."""
        return self.state is RunState.RUNNING and self.answered + self.missing >= self.planned

    @property
    def unpriced(self) -> bool:
        """Whether its cost is not fully known: some model has no price."""
        return not all(model.priced for model in self.models)

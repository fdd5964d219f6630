"""Everything that the engine announces, in the past tense: a closed union.

Each fact was saved before it was announced, so that a window is a replay of what is stored. Every task ends in
exactly one of `TaskSucceeded`, `TaskFailed`, `TaskCancelled`; every execution of a run in exactly one `RunRested`.
"""

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from gpf_desktop.domain.ids import BundleId, CellId, ModelId, ReviewerId, RunId, SourceId
from gpf_desktop.domain.model_tests import ModelFault, ModelTest
from gpf_desktop.domain.models import Endpoint
from gpf_desktop.domain.preflight import PreflightLine
from gpf_desktop.domain.responses import Missing
from gpf_desktop.domain.runs import NoteKind, RunProgress, RunState


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditOpened:
    path: Path
    title: str
    synthetic: bool
    origin: str = ""
    """Where the answers are from, in a few words; empty: this program asked for them."""
    methods: tuple[str, ...] = ()
    """Names of the methods that the audit was made for or has rounds of; empty: none yet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditClosed:
    path: Path


@dataclass(frozen=True, slots=True, kw_only=True)
class SourcesChanged:
    """Sources or the articles they yielded."""

    source_ids: tuple[SourceId, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceFetched:
    source_id: SourceId
    kept: int
    new: int
    dropped: int
    unchanged: bool
    """The server answered 304: the items held are current."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SourceFailed:
    source_id: SourceId
    error: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelsChanged:
    """Models were added, changed or taken away, or, where none is named, a key or a price of any of them."""

    model_ids: tuple[ModelId, ...] = ()
    replaced: ModelId | None = None
    """The model in whose place the first one stands now."""


@dataclass(frozen=True, slots=True, kw_only=True)
class KeyStoreChanged:
    """The key store was found locked, or was unlocked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelTestProgressed:
    """A step of a model's test is known; the last one carries the finished test."""

    endpoint: Endpoint
    test: ModelTest


@dataclass(frozen=True, slots=True, kw_only=True)
class ProtocolsChanged:
    pass


@dataclass(frozen=True, slots=True, kw_only=True)
class PreflightProgressed:
    """The lines of a preflight that are known so far."""

    lines: tuple[PreflightLine, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class RunPlanned:
    run_id: RunId


@dataclass(frozen=True, slots=True, kw_only=True)
class RunsChanged:
    """A round was renamed, copied, put away or deleted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SchedulesChanged:
    """A schedule was made, changed or ended, or has begun a round."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunStarted:
    run_id: RunId


@dataclass(frozen=True, slots=True, kw_only=True)
class RunStateChanged:
    run_id: RunId
    state: RunState


@dataclass(frozen=True, slots=True, kw_only=True)
class CellAnswered:
    run_id: RunId
    cell_id: CellId


@dataclass(frozen=True, slots=True, kw_only=True)
class CellMissed:
    run_id: RunId
    cell_id: CellId
    reason: Missing
    detail: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RunNoted:
    """A line under "What happened": a limit changed, a parameter was left out, a provider asked to wait."""

    run_id: RunId
    at: datetime
    sentence: str
    kind: NoteKind = NoteKind.PLAIN


@dataclass(frozen=True, slots=True, kw_only=True)
class RunProgressed:
    """New progress of a round, at most some times a second; carries the whole picture, so that none need be kept."""

    progress: RunProgress


@dataclass(frozen=True, slots=True, kw_only=True)
class BundlesScored:
    run_id: RunId
    bundle_ids: tuple[BundleId, ...]
    provisional: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Halted:
    """A model that could not be asked further."""

    model_id: ModelId
    fault: ModelFault | None
    """What is to be mended, where it is one of those."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RunRested:
    """The terminal event of one execution of a run: paused, stopped, interrupted or finished."""

    run_id: RunId
    name: str
    state: RunState
    why: str
    """One sentence, empty where nothing is to be said."""
    cap_needed: float | None = None
    """US dollars to which the cap is to be raised to ask the rest, where the cap paused the run."""
    halted: Halted | None = None
    """The first model that could not be asked further, where that paused the run."""
    imported: bool = False
    """Every answer came with an import: nobody was asked."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewChanged:
    """A decision of a reviewer, about one bundle or about many at once."""

    bundle_ids: tuple[BundleId, ...]
    reviewer_id: ReviewerId
    corrected: bool = False
    """Answers come to something else now, and scores follow."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StudyNotesChanged:
    """A code of the code book, a memo, or what a reviewer says that they belong to."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReportDraftChanged:
    """A change of the auditor's draft of the report, or of its evidence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskProgressed:
    """Work other than a run: fetching, exporting, checking a model."""

    task: str
    done: int
    of: int | None
    doing: str = ""
    """What it is at, where it has several parts."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskSucceeded:
    task: str
    sentence: str


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskFailed:
    task: str
    what: str
    remedy: str
    details: str
    """To copy; secrets removed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class TaskCancelled:
    task: str


Event = (
    AuditOpened
    | AuditClosed
    | SourcesChanged
    | SourceFetched
    | SourceFailed
    | ModelsChanged
    | KeyStoreChanged
    | ModelTestProgressed
    | ProtocolsChanged
    | PreflightProgressed
    | RunPlanned
    | RunsChanged
    | SchedulesChanged
    | RunStarted
    | RunStateChanged
    | CellAnswered
    | CellMissed
    | RunNoted
    | RunProgressed
    | BundlesScored
    | RunRested
    | ReviewChanged
    | StudyNotesChanged
    | ReportDraftChanged
    | TaskProgressed
    | TaskSucceeded
    | TaskFailed
    | TaskCancelled
)

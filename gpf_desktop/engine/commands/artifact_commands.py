"""``gpf-desktop artifact``, ``verify`` and ``open``: an audit as one file for others, and back."""

import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final, TypeVar

from gpf_desktop.documents.whole_files import temporary_folder
from gpf_desktop.domain.errors import GpfError, StoppedError, StorageError, StorageFault, UserError
from gpf_desktop.domain.events import Event, TaskProgressed
from gpf_desktop.domain.imports import Told
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.core.followed_task import waited_for
from gpf_desktop.engine.engine import Engine
from gpf_desktop.engine.exchange.artifact.audits_summary import audits_checked
from gpf_desktop.engine.exchange.artifact.drafts import draft_checked
from gpf_desktop.engine.exchange.artifact.opening import restore
from gpf_desktop.engine.exchange.artifact.planned import planned_checked
from gpf_desktop.engine.exchange.artifact.sealed_zip import SealedZip, opened
from gpf_desktop.engine.exchange.artifact.verifying import (
    ArtifactCheck,
    Verification,
    answered_by_told,
    bytes_checked,
    conclusions_checked,
    recomputed,
    tables_checked,
)
from gpf_desktop.engine.exchange.export_files import exported_folder
from gpf_desktop.engine.exchange.exported_folder import restore_export
from gpf_desktop.engine.open_audit import OpenAudit
from gpf_desktop.engine.scoring.auto_rescoring import AUTO_RESCORING_TASK
from gpf_desktop.engine.scoring.newer_versions import other_version
from gpf_desktop.engine.scoring.stored_scoring import costly
from gpf_desktop.storage import restoring, scores
from gpf_desktop.storage.audit_file import AuditFile
from gpf_desktop.storage.faults import temporary_full
from gpf_desktop.storage.writer import Connection

T = TypeVar("T")


def _nobody(_doing: str, _done: int, _of: int | None) -> None:
    """Ignore progress: for callers that wait for the end alone."""


def open_artifact(path: Path, target: Path, tell: Told = _nobody) -> Path:
    """Make an audit of the artifact, or of the folder of an export, at *path*. Raises `UserError`, `StorageError`."""
    if folder := exported_folder(path):
        restore_export(folder, target, partial(tell, tr("Reading and checking")))
        return target
    if path.is_dir():
        raise UserError(
            tr("The folder {path} holds no export.", path=str(path)),
            tr("Export once more, everything."),
        )
    with opened(path) as artifact:
        if artifact.seal_found() != artifact.seal:
            raise UserError(
                tr("{file} was changed since it was saved.", file=path.name),
                tr("Verify it to see which file of it that is; ask for the shared file once more."),
            )
        restore(artifact, target, partial(tell, tr("Reading and checking")))
    return target


VERIFY_TASK: Final = "verification"
OPEN_TASK: Final = "opening"


@dataclass(frozen=True, slots=True, kw_only=True)
class VerifyWishes:
    """Arguments of a verification: the artifact's path, and the seal to expect."""

    path: Path
    seal: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenWishes:
    """Arguments of opening an artifact: its path, and the path of the audit to make from it."""

    path: Path
    target: Path


def start_verification(engine: Engine, wishes: VerifyWishes) -> "Future[Verification]":
    """`verify_artifact` beside *engine*'s audit, told as the task `VERIFY_TASK`.

    `Engine.cancel_beside` stops it; the future then raises `UserError`.
    """
    work = partial(verify_artifact, wishes.path, seal=wishes.seal)
    return _told_beside(engine, VERIFY_TASK, lambda tell: work(tell=tell), tr("The verification was stopped."))


def start_opening(engine: Engine, wishes: OpenWishes) -> "Future[Path]":
    """`open_artifact` beside *engine*'s audit, told as the task `OPEN_TASK`; stopped as a verification is."""
    work = partial(open_artifact, wishes.path, wishes.target)
    return _told_beside(engine, OPEN_TASK, work, tr("Stopped: no audit was made."))


def _told_beside(engine: Engine, task: str, work: Callable[[Told], T], stopped_words: str) -> "Future[T]":
    stopped = threading.Event()

    def tell(doing: str, done: int, of: int | None) -> None:
        if stopped.is_set():
            raise StoppedError
        engine.announce(TaskProgressed(task=task, done=done, of=of, doing=doing))

    def run() -> T:
        try:
            return work(tell)
        except StoppedError:
            raise UserError(stopped_words) from None

    return engine.run_beside(run, stopped.set)


def verify_artifact(path: Path, *, seal: str = "", tell: Told = _nobody) -> Verification:
    """Compute everything in the artifact at *path* anew, in an audit that is thrown away.

    *seal*: what was told when it was made, or the begin of it. Raises `UserError` where it is no artifact at all,
    `StorageError` for what the disk says.
    """
    with opened(path) as artifact:
        tell(tr("Checking every byte"), 0, None)
        lines = bytes_checked(artifact, seal)
        if all(line.passed for line in lines):
            with temporary_folder() as folder:
                lines += _computed(artifact, folder / "audit.gpf", tell)
        return Verification(seal=artifact.seal, lines=lines)


def _computed(artifact: SealedZip, place: Path, tell: Told) -> tuple[ArtifactCheck, ...]:
    try:
        told = restore(artifact, place, partial(tell, tr("Reading the shared file")))
    except GpfError as error:
        if (fault := of_this_machine(error, place)) is not None:
            raise fault from error
        return (ArtifactCheck(passed=False, words=error.what),)
    audit = AuditFile.open(place)
    # Before the engine has the file: what it then finds due it scores from the answers.
    kept = audit.write(doubted).result()
    audit.close()
    with scored_anew(place, tell) as open_audit:
        tell(tr("Comparing answers and scores"), 0, None)
        audit_file, choices = open_audit.context.audit, told.choices
        found = audit_file.read(lambda connection: recomputed(connection, artifact, choices))
        told_of = audit_file.read(answered_by_told)
        drafted = audit_file.read(lambda connection: draft_checked(connection, artifact, choices))
        planned = audit_file.read(lambda connection: tuple(planned_checked(connection, artifact)))
        tell(tr("Computing tables"), 0, None)
        reports, withheld = open_audit.reports, bool(choices.withheld)
        tables = tables_checked(reports, artifact, withheld=withheld)
        concluded = conclusions_checked(reports, artifact, withheld=withheld)
        named = audits_checked(artifact, told.uuid, told.title, choices)
        return (*found, *told_of, *tables, *concluded, *planned, *drafted, *named, *kept)


def of_this_machine(error: GpfError, place: Path) -> StorageError | None:
    """The reason that kept the audit at *place*, in a folder for temporary files, from being computed, where that is no
    word about what is checked."""
    if not isinstance(error, StorageError) or error.fault is StorageFault.DAMAGED:
        return None
    return temporary_full(place.parent.parent, error.details) if error.fault is StorageFault.FULL else error


@contextmanager
def scored_anew(place: Path, tell: Told) -> Iterator[OpenAudit]:
    """The audit at *place*, opened once every score that is due in it is computed."""
    scored = _Scored()
    engine = Engine(scored.heard)
    try:
        open_audit = engine.open(place)
        scoring = open_audit.auto_rescoring.settle()
        # Also where nothing new is to be told: telling is how a Stop is heard.
        waited_for(scoring, lambda: tell(tr("Computing scores"), scored.done, scored.of))
        yield open_audit
    finally:
        engine.close()


class _Scored:
    """The progress of rescoring, as the engine announces it."""

    def __init__(self) -> None:
        self.done = 0
        self.of: int | None = None

    def heard(self, event: Event) -> None:
        if isinstance(event, TaskProgressed) and event.task == AUTO_RESCORING_TASK:
            self.done, self.of = event.done, event.of


def doubted(connection: Connection) -> tuple[ArtifactCheck, ...]:
    """Take away what can be computed anew, and say what cannot."""
    every = scores.settings(connection)
    again = [setting for setting in every if not costly(setting.scorer) and not other_version(setting)]
    tested = scores.tested(connection)
    kept = [setting.scorer for setting in (*every, *([tested] if tested else [])) if setting not in again]
    withheld = restoring.doubt_scores(connection, [setting.id for setting in again])
    said = []
    if kept:
        words = tr("taken as they stand, not computed anew here: scores of {names}", names=", ".join(kept))
        said.append(ArtifactCheck(passed=True, words=words))
    if withheld:
        words = tr("taken as they stand: scores of {n} fits, whose answers are withheld", n=withheld)
        said.append(ArtifactCheck(passed=True, words=words))
    return tuple(said)

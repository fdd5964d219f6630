"""Reading plans of one open audit, and the assignments that go to readers at other machines.

An assignment is an audit of its own, which opens like any other and is read blind to the end. What its reader says
comes home as a review pack; bundles are found again although their models were hidden (`storage.bundle_keys`).
"""

from collections.abc import Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from gpf_desktop.domain.errors import StorageError, StorageFault, UserError
from gpf_desktop.domain.ids import BundleId
from gpf_desktop.domain.reading_plans import PlannedReader, ReadingPlan, draw
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.core.context import EngineContext
from gpf_desktop.storage import assignments, reviewers, submissions
from gpf_desktop.storage.assignments import Assignment
from gpf_desktop.storage.faults import disk_full, translated
from gpf_desktop.storage.files import written_whole
from gpf_desktop.storage.writer import Connection

_FORBIDDEN = '<>:"/\\|?*'


@dataclass(frozen=True, slots=True, kw_only=True)
class ReaderProgress:
    """The progress of one reader of the plan."""

    reader: PlannedReader
    assigned: tuple[BundleId, ...]
    """In the order in which they are to be read."""
    by_all: int
    """Of these, bundles that everybody reads."""
    done: int
    """Of these, bundles that they have submitted."""


class AssignmentService:
    """Draws, tells how far readers are, and writes assignments."""

    def __init__(self, context: EngineContext) -> None:
        self._context = context

    def plan(self) -> ReadingPlan | None:
        """The plan drawn last; None where there is none."""
        return self._context.audit.read(assignments.plan)

    def assignment(self) -> Assignment | None:
        """The assignment that this audit is; None if it is none."""
        return self._context.audit.read(assignments.assignment)

    def draw(
        self, names: Sequence[str], bundles: Sequence[BundleId], *, each: int, by_all: int, seed: int
    ) -> "Future[ReadingPlan]":
        """Share *bundles* out among people called *names*; who reviews here already is known by name.

        *each*: readers of a bundle; *by_all*: per cent that everybody reads. Takes the place of the plan before it.
        Raises `UserError` where that cannot be done.
        """
        wanted = [" ".join(name.split()) for name in names]
        plain = tuple(PlannedReader(uuid="", name=name) for name in wanted if name)
        # Before anybody is added as a reviewer; what they are sealed under is not known yet and decides nothing here.
        ReadingPlan(readers=plain, each=each, by_all=by_all, seed=seed, bundles=tuple(bundles)).check()

        def write(connection: Connection) -> ReadingPlan:
            known = {reviewer.name: reviewer for reviewer in reviewers.every(connection)}
            people = [known.get(reader.name) or reviewers.add(connection, reader.name) for reader in plain]
            plan = ReadingPlan(
                readers=tuple(PlannedReader(uuid=person.uuid, name=person.name) for person in people),
                each=each,
                by_all=by_all,
                seed=seed,
                # Under the order of the queue the seed would give other shares once a score changes.
                bundles=tuple(sorted(bundles)),
            )
            assignments.keep_plan(connection, plan)
            return plan

        return self._context.audit.write(write)

    def progress(self) -> tuple[ReaderProgress, ...]:
        """The progress of each reader of the plan; empty without one. Blocks."""
        return self._context.audit.read(readers_progress)

    def write(self, folder: Path, title: str = "") -> "Future[tuple[Path, ...]]":
        """Write each reader's assignment into *folder*, as "AUDIT for READER.gpf".

        *title* stands in the assignments for the audit's own and for its file's name, which may tell what is audited.
        Raises `UserError` without a plan, or where one of the files is there already.
        """
        progress = self.progress()
        if not progress:
            raise UserError(tr("There is no reading plan."), tr("Draw one first."))
        title = " ".join(title.split())
        stem = _plain(title) if title else self._context.audit.path.stem
        targets = [folder / f"{stem} for {_plain(each.reader.name)}.gpf" for each in progress]
        for target in targets:
            if target.exists():
                raise UserError(
                    tr("There is a file {file} already.", file=target.name),
                    tr("Choose another folder, or move it away: somebody's reading may be in it."),
                )

        def work() -> tuple[Path, ...]:
            # Before the copies, which are cut under it: this audit knows hidden models again by it alone.
            self._context.audit.write(assignments.keep_secret).result()
            new, written = not folder.exists(), list[Path]()
            with translated(folder):
                folder.mkdir(parents=True, exist_ok=True)
            try:
                for each, target in zip(progress, targets, strict=True):
                    # Until it is cut the copy holds models' names, scores and readings: it gets its own name only then.
                    with written_whole(target) as beside:
                        self._context.audit.save_copy(beside)
                        assignments.cut(beside, each.reader, each.assigned, title)
                    written.append(target)
            except StorageError as error:
                # None of them: the next try would refuse those that are there. What others put there stays.
                for target in written:
                    target.unlink(missing_ok=True)
                if new:
                    with suppress(OSError):
                        folder.rmdir()
                if error.fault is StorageFault.FULL:
                    raise disk_full(folder, error.details) from error
                raise
            return tuple(targets)

        return self._context.spawn(work)


def refuse_in_assignment(connection: Connection) -> None:
    """Raise `UserError` in an assignment, whose reader goes by what the lead wrote."""
    if assignments.assignment(connection) is not None:
        raise UserError(
            tr("The guideline and its examples are the lead's."),
            tr("They are changed in the audit that this assignment was cut from."),
        )


def refuse_beside(connection: Connection, bundles: Sequence[BundleId]) -> None:
    """Raise `UserError` where one of *bundles* is in an assignment as an example alone: its reading is known."""
    if not assignments.beside(connection).isdisjoint(bundles):
        raise UserError(
            tr("An example of the guideline is not judged in an assignment."),
            tr("Practise on it: your reading is compared with the lead's and kept nowhere."),
        )


def readers_progress(connection: Connection) -> tuple[ReaderProgress, ...]:
    """The progress of each reader of the plan; empty without one."""
    plan = assignments.plan(connection)
    if plan is None:
        return ()
    shares = draw(plan)
    people = {reviewer.id: reviewer.uuid for reviewer in reviewers.every(connection)}
    said: dict[str, set[BundleId]] = {}
    for each in submissions.standing(connection):
        said.setdefault(people[each.reviewer_id], set()).add(each.bundle_id)
    return tuple(
        ReaderProgress(
            reader=reader,
            assigned=share,
            by_all=len(shares.by_all.intersection(share)),
            done=len(said.get(reader.uuid, set()).intersection(share)),
        )
        for reader, share in zip(plan.readers, shares.of_reader, strict=True)
    )


def _plain(name: str) -> str:
    """*name* as a part of a file's name, on any system."""
    # Windows takes blanks and dots off the end of a name.
    return "".join("-" if letter in _FORBIDDEN or ord(letter) < 32 else letter for letter in name).strip(" .") or "-"

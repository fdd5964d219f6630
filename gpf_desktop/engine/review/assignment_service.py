"""Reading plans of one open audit, and the assignments that go to readers at other machines.

An assignment is an audit of its own, which opens like any other and is read blind to the end. What its reader says
comes home as a review pack; bundles are found again although their models were hidden (`storage.bundle_keys`).
"""

import os
from collections.abc import Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from gpf_desktop.documents.file_names import safe_name
from gpf_desktop.documents.unfinished import take_places, was_cut_off
from gpf_desktop.documents.whole_files import working_folder
from gpf_desktop.domain.errors import StorageError, StorageFault, UserError
from gpf_desktop.domain.ids import BundleId
from gpf_desktop.domain.reading_plans import PlannedReader, ReadingPlan, draw
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.core.context import EngineContext
from gpf_desktop.storage import assignments, reviewers, submissions
from gpf_desktop.storage.assignments import Assignment
from gpf_desktop.storage.faults import disk_full, translated
from gpf_desktop.storage.writer import Connection


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
        stem = safe_name(title) if title else self._context.audit.path.stem
        targets = [folder / name for name in _file_names(stem, [each.reader.name for each in progress])]
        _refuse_standing(targets)

        def work() -> tuple[Path, ...]:
            # Before the copies, which are cut under it: this audit knows hidden models again by it alone.
            self._context.audit.write(assignments.keep_secret).result()
            new = not folder.exists()
            try:
                with translated(folder):
                    folder.mkdir(parents=True, exist_ok=True)
                    # Until it is cut a copy holds models' names, scores and readings: it gets its place only then, and
                    # all of them together, so that a kill leaves none that the next try would refuse.
                    with working_folder(folder, "assignments") as stage:
                        made = [stage / target.name for target in targets]
                        for each, path in zip(progress, made, strict=True):
                            self._context.audit.save_copy(path)
                            assignments.cut(path, each.reader, each.assigned, title)
                        _refuse_standing(targets)
                        take_places(list(zip(made, targets, strict=True)))
            except StorageError as error:
                if new:
                    with suppress(OSError):
                        folder.rmdir()
                if error.fault is StorageFault.FULL:
                    raise disk_full(folder, error.details) from error
                raise
            return tuple(targets)

        return self._context.spawn(work)


def _refuse_standing(targets: Sequence[Path]) -> None:
    """Raises `UserError` where one of *targets* is there, but for what a kill left of several that nobody opened."""
    for target in targets:
        opened = target.with_name(f"{target.name}-wal").exists()
        if os.path.lexists(target) and (opened or not was_cut_off(target)):
            raise UserError(
                tr("There is a file {file} already.", file=target.name),
                tr("Choose another folder, or move it away: somebody's reading may be in it."),
            )


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


def _file_names(stem: str, readers: Sequence[str]) -> list[str]:
    """A name for the assignment of each of *readers*, which no file system takes for another's."""
    names: dict[str, str] = {}
    for reader in readers:
        name, number = f"{stem} for {safe_name(reader)}", 1
        while (own := name if number == 1 else f"{name} {number}").casefold() in names:
            number += 1
        names[own.casefold()] = f"{own}.gpf"
    return list(names.values())

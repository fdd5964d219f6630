"""`gpf-desktop assign`: a reading plan, its assignments, and what its readers sent back."""

from dataclasses import dataclass
from pathlib import Path

from gpf_desktop.domain.review_queue import QueueFilter, QueueOrder
from gpf_desktop.domain.text import tr, trn
from gpf_desktop.engine.commands.headless import Headless
from gpf_desktop.engine.review.assignment_service import ReaderProgress
from gpf_desktop.engine.review.review_packs import MergedHistory


@dataclass(frozen=True, slots=True, kw_only=True)
class WantedAssignment:
    """Arguments of the command as they were typed."""

    names: tuple[str, ...] = ()
    """Readers of a new plan; empty: the plan there is."""
    each: int = 2
    by_all: int = 10
    """Per cent."""
    seed: int = 42
    top: int | None = None
    """Bundles from the top of the queue; None: all."""
    folder: Path | None = None
    """Where assignments are written; None: nowhere."""
    title: str = ""
    """Of the assignments; empty: the audit's own."""
    packs: tuple[Path, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Assigned:
    """The state of the reading plan after the command, with the files written and the histories merged."""

    progress: tuple[ReaderProgress, ...]
    written: tuple[Path, ...]
    merged: tuple[MergedHistory, ...]

    def as_dict(self) -> dict[str, object]:
        return {
            "readers": [
                {"name": e.reader.name, "assigned": len(e.assigned), "by_all": e.by_all, "done": e.done}
                for e in self.progress
            ],
            "written": [str(path) for path in self.written],
            "home": [
                {"name": e.name, "new": e.added + e.study, "known": e.known, "problem": e.problem} for e in self.merged
            ],
        }

    def sentences(self) -> list[str]:
        said = [
            tr("Nothing of {name} was taken: {why}.", name=e.name, why=e.problem)
            if e.problem
            else trn("{name}: {n} new entry.", "{name}: {n} new entries.", e.added + e.study, name=e.name)
            for e in self.merged
        ]
        said += [tr("Wrote {path}.", path=str(path)) for path in self.written]
        said += [
            tr(
                "{name}: {done} of {n} sets of answers submitted, {all} of the {n} read by all.",
                name=e.reader.name,
                done=e.done,
                n=len(e.assigned),
                all=e.by_all,
            )
            for e in self.progress
        ]
        return said or [tr("This audit has no reading plan. Name its reviewers with --to.")]


def assign(path: Path, wanted: WantedAssignment) -> Assigned:
    """Draw where readers are named, write where a folder is, take packs home. Raises `UserError`, `StorageError`."""
    changes = bool(wanted.names or wanted.packs)
    with Headless(quiet=True) as headless:
        # What is not there is refused, and not made.
        reviews = headless.enter(path, to_read=not changes or not path.exists()).reviews
        if wanted.names:
            bundles = reviews.queue(QueueFilter(), QueueOrder()).order[: wanted.top]
            reviews.assignments.draw(
                wanted.names, bundles, each=wanted.each, by_all=wanted.by_all, seed=wanted.seed
            ).result()
        merged = [each for pack in wanted.packs for each in reviews.import_pack(pack).result()]
        written = () if wanted.folder is None else reviews.assignments.write(wanted.folder, wanted.title).result()
        return Assigned(progress=reviews.assignments.progress(), written=written, merged=tuple(merged))

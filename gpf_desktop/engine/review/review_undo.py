"""Taking steps back and doing them again; the sealed history keeps both."""

from collections.abc import Callable
from dataclasses import dataclass, replace

from gpf_desktop.domain.ids import BundleId
from gpf_desktop.domain.review_queue import QueuePlace
from gpf_desktop.domain.reviews import ReviewAction, Reviewer
from gpf_desktop.engine.review.reviewer_session import Steps
from gpf_desktop.storage import queue, review_steps, reviews
from gpf_desktop.storage.review_steps import ReviewStep, StepKind, StepPart
from gpf_desktop.storage.writer import Connection


@dataclass(frozen=True, slots=True, kw_only=True)
class StepDone:
    """A step that was undone or redone."""

    step: ReviewStep
    places: dict[BundleId, QueuePlace]
    """Where each bundle that it changed stands now."""
    steps: Steps

    @property
    def bundle_id(self) -> BundleId:
        """The bundle to show; of many, the first."""
        return self.step.bundle_id


def undo(connection: Connection, me: Reviewer, steps: Callable[[Connection], Steps]) -> StepDone | None:
    """Take back the reviewer's last step, over however many bundles; None where there is none."""
    step = review_steps.newest(connection, me.id)
    if step is None:
        return None
    parts = review_steps.parts(connection, step)
    for part in parts:
        _take_back(connection, me, step.kind, part)
    return _done(connection, me, step, parts, steps, undone=True)


def redo(connection: Connection, me: Reviewer, steps: Callable[[Connection], Steps]) -> StepDone | None:
    """Do again what was undone last; None where there is nothing."""
    step = review_steps.next_undone(connection, me.id)
    if step is None:
        return None
    parts = review_steps.parts(connection, step)
    for part in parts:
        _do_again(connection, me, step.kind, part)
    return _done(connection, me, step, parts, steps, undone=False)


def _done(
    connection: Connection,
    me: Reviewer,
    step: ReviewStep,
    parts: list[StepPart],
    steps: Callable[[Connection], Steps],
    *,
    undone: bool,
) -> StepDone:
    review_steps.set_undone(connection, step, undone)
    places = queue.places(connection, me.id, [part.bundle_id for part in parts])
    return StepDone(step=step, places=places, steps=steps(connection))


def _take_back(connection: Connection, me: Reviewer, kind: StepKind, part: StepPart) -> None:
    match kind:
        case StepKind.SUBMIT:
            # A draft of what was submitted; what the form held before is the business of the steps before this one.
            reviews.append(connection, part.bundle_id, me, ReviewAction.WITHDRAW, part.after)
            reviews.save_draft(connection, part.bundle_id, me.id, part.after)
        case StepKind.FLAG:
            reviews.append(connection, part.bundle_id, me, ReviewAction.FLAG, part.before)
        case StepKind.ADJUDICATE:
            reviews.append(connection, part.bundle_id, me, ReviewAction.ADJUDICATE, part.before)
        case StepKind.CORRECT:
            reviews.append(connection, part.bundle_id, me, ReviewAction.CORRECT, part.before)
        case _:
            reviews.save_draft(connection, part.bundle_id, me.id, part.before)


def _do_again(connection: Connection, me: Reviewer, kind: StepKind, part: StepPart) -> None:
    match kind:
        case StepKind.SUBMIT:
            reviews.append(connection, part.bundle_id, me, ReviewAction.SUBMIT, part.after)
            reviews.drop_draft(connection, part.bundle_id, me.id)
        case StepKind.FLAG:
            reviews.append(connection, part.bundle_id, me, ReviewAction.FLAG, part.after)
        case StepKind.ADJUDICATE:
            reviews.append(connection, part.bundle_id, me, ReviewAction.ADJUDICATE, part.after)
        case StepKind.CORRECT:
            entry = replace(part.after, note="")
            reviews.append(connection, part.bundle_id, me, ReviewAction.CORRECT, entry, reason=part.after.note)
        case _:
            reviews.save_draft(connection, part.bundle_id, me.id, part.after)

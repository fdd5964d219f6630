"""One decision about many bundles: one transaction, one step to undo, and an entry of the history for each bundle."""

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass, replace
from enum import StrEnum
from threading import Event

from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.ids import BundleId
from gpf_desktop.domain.review_queue import QueuePlace
from gpf_desktop.domain.reviews import Judgement, ReviewAction, Reviewer, ReviewStatus, Verdict, blocking_field
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.review.assignment_service import refuse_beside
from gpf_desktop.engine.review.reviewer_session import ReviewerSession, Steps
from gpf_desktop.storage import queue, review_steps, reviews
from gpf_desktop.storage.review_steps import StepKind, StepPart
from gpf_desktop.storage.reviews import ReviewState
from gpf_desktop.storage.writer import Connection


class BulkStoppedError(Exception):
    """The reviewer stopped it; nothing of it was kept."""


class BulkJob:
    """The progress of a decision about many bundles. Written by the writer's thread, read by the window's."""

    def __init__(self, total: int) -> None:
        self.total = total
        self.done = 0
        self._stopped = Event()

    def stop(self) -> None:
        """Give it up: what was done so far is taken back, as if it had never begun."""
        self._stopped.set()

    def go_on(self) -> None:
        """Count one more bundle as done. Raises `BulkStoppedError` once `stop` was called."""
        # Counted by one thread alone, so that it needs no lock.
        self.done += 1
        # Out of the write itself, whose savepoint takes back everything that was done for the bundles before.
        if self._stopped.is_set():
            raise BulkStoppedError


class Left(StrEnum):
    """The reason why a bundle was left as it was."""

    SAME = "same"
    """It says so already."""
    NO_DRAFT = "no draft"
    INCOMPLETE = "incomplete"
    """Its draft lacks a verdict, or the severity of a harmful one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BulkDone:
    """The result of a decision about many bundles."""

    kind: StepKind
    places: dict[BundleId, QueuePlace]
    """Where each bundle that changed stands now."""
    left: dict[Left, int]
    """Bundles that did not change, by why."""
    reopened: int
    """Bundles that were submitted before and are drafts again."""
    steps: Steps


Change = Callable[[Connection, Reviewer, BundleId, ReviewState], Judgement | Left]
"""Writes the decision for one bundle and returns what the bundle says now."""


class BulkService:
    """Commands over many bundles; each *job* tells how far it has come and can be stopped until it is durable."""

    def __init__(self, reviewer_session: ReviewerSession) -> None:
        self._reviewer_session = reviewer_session

    def flag(self, bundle_ids: Sequence[BundleId], flagged: bool, job: BulkJob) -> "Future[BulkDone]":
        """Flag *bundle_ids* for another look, or not any more."""

        def change(connection: Connection, me: Reviewer, bundle: BundleId, before: ReviewState) -> Judgement | Left:
            if before.flagged == flagged:
                return Left.SAME
            after = replace(before.judgement, flagged=flagged)
            reviews.append(connection, bundle, me, ReviewAction.FLAG, after)
            return after

        return self._run(StepKind.FLAG, bundle_ids, job, change)

    def add_tag(self, bundle_ids: Sequence[BundleId], tag: str, job: BulkJob) -> "Future[BulkDone]":
        """Put *tag* behind the tags that each form has; a draft, until it is submitted."""
        tag = " ".join(tag.replace(",", " ").split())
        if not tag:
            raise UserError(tr("A tag needs a word."), tr("Type one, then add it."))

        def change(connection: Connection, me: Reviewer, bundle: BundleId, before: ReviewState) -> Judgement | Left:
            if tag in before.judgement.tags:
                return Left.SAME
            return _draft(connection, me, bundle, replace(before.judgement, tags=(*before.judgement.tags, tag)))

        return self._run(StepKind.TAGS, bundle_ids, job, change)

    def set_verdict(
        self, bundle_ids: Sequence[BundleId], verdict: Verdict, severity: int | None, job: BulkJob
    ) -> "Future[BulkDone]":
        """Put *verdict* on each form, as a draft. Raises `UserError` for a harmful one without a severity."""
        if blocking_field(Judgement(verdict=verdict, severity=severity)) is not None:
            raise UserError(tr("What is harmful needs a severity."), tr("Choose 1 slight to 4 severe."))

        def change(connection: Connection, me: Reviewer, bundle: BundleId, before: ReviewState) -> Judgement | Left:
            after = replace(before.judgement, verdict=verdict, severity=severity)
            return Left.SAME if after == before.judgement else _draft(connection, me, bundle, after)

        return self._run(StepKind.VERDICT, bundle_ids, job, change)

    def submit(self, bundle_ids: Sequence[BundleId], job: BulkJob) -> "Future[BulkDone]":
        """Submit those of *bundle_ids* whose draft is complete; the others stay as they are."""

        def change(connection: Connection, me: Reviewer, bundle: BundleId, before: ReviewState) -> Judgement | Left:
            if before.status is not ReviewStatus.DRAFT:
                return Left.NO_DRAFT
            if blocking_field(before.judgement) is not None:
                return Left.INCOMPLETE
            reviews.append(connection, bundle, me, ReviewAction.SUBMIT, before.judgement)
            reviews.drop_draft(connection, bundle, me.id)
            return before.judgement

        return self._run(StepKind.SUBMIT, bundle_ids, job, change)

    def _run(self, kind: StepKind, bundle_ids: Sequence[BundleId], job: BulkJob, change: Change) -> "Future[BulkDone]":
        def write(connection: Connection, me: Reviewer) -> BulkDone:
            refuse_beside(connection, bundle_ids)
            parts: list[StepPart] = []
            left: dict[Left, int] = {}
            done_before = 0
            for bundle in bundle_ids:
                job.go_on()
                before = reviews.state(connection, bundle, me.id)
                after = change(connection, me, bundle, before)
                if isinstance(after, Left):
                    left[after] = left.get(after, 0) + 1
                else:
                    parts.append(StepPart(bundle_id=bundle, before=before.judgement, after=after))
                    done_before += before.status is ReviewStatus.DONE
            review_steps.push_many(connection, me.id, kind, parts)
            return BulkDone(
                kind=kind,
                places=queue.places(connection, me.id, [part.bundle_id for part in parts]),
                left=left,
                reopened=done_before if kind in (StepKind.TAGS, StepKind.VERDICT) else 0,
                steps=self._reviewer_session.steps(connection),
            )

        return self._reviewer_session.command(write, lambda done: tuple(done.places))


def _draft(connection: Connection, me: Reviewer, bundle: BundleId, judgement: Judgement) -> Judgement:
    reviews.save_draft(connection, bundle, me.id, judgement)
    return judgement

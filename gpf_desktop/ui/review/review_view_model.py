"""Every decision about the bundles of the Review page: submitting, flagging, revealing, undoing, many at once."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QObject, Signal

from gpf_desktop.domain.ids import BundleId, CellId
from gpf_desktop.domain.review_queue import QueuePlace, QueueTab
from gpf_desktop.domain.reviews import Correction, ReviewEntry, ReviewStatus
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.review.bulk_service import BulkDone
from gpf_desktop.engine.review.review_reading import ReadBundle
from gpf_desktop.engine.review.review_service import DraftSaved, ReviewService
from gpf_desktop.engine.review.review_undo import StepDone
from gpf_desktop.engine.review.reviewer_session import Steps
from gpf_desktop.ui.bridge import Pending
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.reports.adding import EvidenceAdder
from gpf_desktop.ui.review.bulk_view_model import BulkViewModel
from gpf_desktop.ui.review.draft_view_model import Saved
from gpf_desktop.ui.review.queue_view_model import QueueViewModel

AT_ONCE = 5000
"""Bundles that are put into their tabs on the spot; after a change to more the queue is read again, off this thread."""


class ReviewViewModel(QueueViewModel):
    """Decisions about the bundles of the queue."""

    typed_in_vain = Signal()
    """One is brought back: what was typed ahead was meant for other bundles."""

    def __init__(self, context: Context, parent: QObject | None = None) -> None:
        super().__init__(context, parent)
        self.bulk = BulkViewModel(context, self)
        self.adder = EvidenceAdder(context, self)
        self._settling: Pending | None = None
        self._submitting: set[BundleId] = set()
        """Submitted, and not yet heard of: what was saved as a draft just before says nothing about them."""
        self.draft.saving.connect(self.steps.foresee)
        self.draft.drafted.connect(self._drafted)
        self.draft.letters = self.reader.blind_letters
        self.reader.reading_changed.connect(self._letters_changed)
        self.steps.done.connect(self._step_done)
        self.bulk.begun.connect(self._bulk_begun)
        self.bulk.ended.connect(self._bulk_ended)
        self.bulk.undo_asked.connect(self.steps.undo)
        self.steps.shown.connect(self.bulk.look_at)
        self.steps.foreseen.connect(partial(self.bulk.look_at, None))

    @property
    def awaits(self) -> bool:
        return super().awaits or (self._settling is not None and not self._settling.over)

    @property
    def kept(self) -> Saved:
        """The state of the form's content: submitted, saved, or still to be saved."""
        if self.awaits:
            return Saved.AWAITED
        submitted = None if self.bundle is None else self.bundle.state.submitted
        if submitted is None or self.settles:
            return self.draft.saved
        same = self.draft.judgement == self.reader.as_read(submitted)
        return {Saved.NOTHING: Saved.SUBMITTED if same else Saved.CHANGED, Saved.SAVED: Saved.CHANGED}.get(
            self.draft.saved, self.draft.saved
        )

    @property
    def read_out(self) -> bool:
        """This is an assignment whose bundles are all read: its readings are to go home."""
        begun = self.queue.count(QueueTab.TO_DO) + self.queue.count(QueueTab.DRAFT)
        return self.assigned and not begun

    @property
    def methods_guideline(self) -> str:
        """The guideline of the open bundle's method; empty where none is open."""
        return "" if self.bundle is None else catalogue.method(self.bundle.facts.method).guideline

    @property
    def settled(self) -> ReviewEntry | None:
        """The entry by which the open bundle counts, for a reader who may know it: who has read or settled it."""
        bundle = self.bundle
        if bundle is None or bundle.settled is None or self.practising:
            return None
        read = bundle.state.submitted is not None and not self.reader.blind
        return bundle.settled if read or bundle.settled.reviewer_id == bundle.reviewer_id else None

    def submit(self) -> None:
        """Append the form to the history and show the next bundle. A form with a field missing says so."""
        service, bundle = self.service, self.in_sight
        if service is None or bundle is None or self.draft.blocked():
            return
        if self.practising:
            self.examples.compare(bundle.id, self.draft.judgement)
            return
        # Rather than by `open` below, where the draft would be stored after the submission.
        self.draft.flush()
        if self.settles:
            self._settle_case(service, bundle)
            return
        self.context.bridge.follow(
            service.submit(bundle.id, self.draft.judgement), then=partial(self._submitted, bundle),
            failed=partial(self._not_submitted, bundle.id), owner=self,
        )  # fmt: skip
        self.steps.foresee()
        self.reader.stale(bundle.id)
        self._submitting.add(bundle.id)
        self._leaving = (bundle.id, ReviewStatus.DONE, bundle.state.flagged)
        following = self.related.home or self._following(bundle.id)
        if self.blind and not bundle.state.revealed and not self.assigned:
            self.context.messages.success(
                tr("Submitted. In Done, press R to see the names behind the letters."), topic="review"
            )
        self.open(following)

    def _letters_changed(self) -> None:
        """The form calls answers by the letters that are shown, now that names were hidden or shown."""
        if self.bundle is not None and self.draft.bundle_id == self.bundle.id:
            self.draft.show_as(self.reader.as_read(self.draft.judgement))

    def _settle_case(self, service: ReviewService, bundle: ReadBundle) -> None:
        """In the tab Disagree the form settles the case; what each reviewer said stays."""
        following = self._following(bundle.id)
        future = service.adjudicate(bundle.id, self.draft.judgement)
        self._settling = self.context.bridge.follow(
            future, then=partial(self._case_settled, bundle.id, following), failed=self._not_settled, owner=self
        )
        self.waiting.emit()

    def _not_settled(self, error: BaseException) -> None:
        self.context.messages.failure(error, topic="review")
        self.typed_in_vain.emit()
        self.waiting.emit()

    def _case_settled(self, bundle_id: BundleId, following: BundleId | None, steps: Steps) -> None:
        self.steps.show(steps)
        self.draft.settled(bundle_id)
        self.reader.stale(bundle_id)
        self.context.messages.success(tr("Settled. What each reviewer said stays in the history."), topic="review")
        self.open(following)
        self.refresh()
        self.waiting.emit()

    def correct(self, correction: Correction, reason: str) -> None:
        """Correct what an answer of the open bundle comes to, for the reader who sits here; scores follow by
        themselves.
        """
        service, bundle = self.service, self.in_sight
        if service is not None and bundle is not None:
            future = service.correct(bundle.id, (correction,), reason=reason)
            self.context.bridge.follow(future, then=partial(self._corrected, bundle.id), owner=self)

    def _corrected(self, bundle_id: BundleId, steps: Steps) -> None:
        self.steps.show(steps)
        self.reader.stale(bundle_id)
        self.context.messages.success(tr("Corrected. Scores and tables follow."), topic="review")
        if bundle_id == self.reader.current:
            self._show_bundle(bundle_id)

    def add_bundle(self) -> None:
        """Make the bundle evidence of the report."""
        bundle = self.in_sight
        if bundle is not None:
            self.adder.bundle(bundle.id)

    def add_passage(self, cell_id: int, start: int, end: int) -> None:
        """Make these characters of an answer evidence of the report."""
        bundle = self.in_sight
        if bundle is not None:
            self.adder.passage(bundle.id, CellId(cell_id), start, end)

    def toggle_flag(self) -> None:
        service, bundle = self.service, self.in_sight
        if service is None or bundle is None:
            return
        self.draft.flush()
        flagged = not bundle.state.flagged
        self.reader.stands(replace(bundle.state, flagged=flagged))
        self.steps.foresee()
        future = service.set_flagged(bundle.id, flagged)
        self.context.bridge.follow(future, then=partial(self._written, bundle.id), owner=self)
        self._settle(bundle.id, bundle.state.status, flagged=flagged)
        if not flagged and self.tab is not QueueTab.FLAGGED:
            self.queue.unflag(bundle.id)
        self.touch_now()

    def reveal(self) -> None:
        """Show names and model behind a blind reading; the history keeps that they were shown."""
        service, bundle = self.service, self.in_sight
        if service is None or bundle is None or not self.blind or bundle.state.revealed:
            return
        if bundle.state.submitted is None:
            self.context.messages.info(tr("Names are shown after you submit your reading."), topic="review")
            return
        self.context.bridge.follow(service.reveal(bundle.id), then=partial(self._revealed, bundle.id), owner=self)

    def make_example(self) -> None:
        """Make the open bundle the example of what it was settled to, else of what the form says of it."""
        bundle = self.in_sight
        if bundle is not None and not self.practising:
            said = self.draft.judgement if self.settled is None else self.reader.as_read(self.settled.judgement)
            self.examples.make(bundle, said, seed=self.reader.seed)

    def set_guideline(self, text: str) -> None:
        service = self.service
        if service is not None:
            self.guideline = text
            # Read again once it is stored: a queue that was being read meanwhile brings the words of before.
            self.context.bridge.follow(service.set_guideline(text), then=lambda _: self.refresh(), owner=self)

    def _step_done(self, done: StepDone) -> None:
        if done.step.bundles > 1:
            self._moved(done.places)
            return
        self.reader.stale(done.bundle_id)
        if self.tab is not QueueTab.FLAGGED and not done.places[done.bundle_id].flagged:
            self.queue.unflag(done.bundle_id)
        if self.queue.reviewers > 1:
            # It may have come to Disagree or left it, which only the store can tell.
            self.refresh()
        show = self._show_bundle if done.bundle_id == self.reader.current else self.open
        show(done.bundle_id)

    def _bulk_begun(self, bundles: Sequence[BundleId]) -> None:
        """The open form is about to be out of date: it takes nothing until it is read again."""
        self.draft.flush()
        if self.draft.bundle_id in set(bundles):
            self.draft.bundle_id = None
            self.waiting.emit()

    def _bulk_ended(self, done: BulkDone | None) -> None:
        if done is None:
            self._moved({})
        else:
            self.steps.show(done.steps)
            self._moved(done.places)

    def _moved(self, places: Mapping[BundleId, QueuePlace]) -> None:
        """Many bundles stand elsewhere now. Where the open one has left the tab, the one behind it is opened."""
        for bundle in places:
            self.reader.stale(bundle)
        current = self.reader.current
        # Where it was to go as one goes on is older than what was just done to it.
        if self._leaving is not None and self._leaving[0] in places:
            self._leaving = None
        if len(places) <= AT_ONCE:
            self.queue.settle_many(places)
            self.queue_changed.emit()
        # Where others have read too, bundles may come to or leave Disagree, which only the store can tell.
        if len(places) > AT_ONCE or self.queue.reviewers > 1:
            self.refresh()
        if current is not None and (current in places or self.draft.bundle_id is None):
            left = self.related.home is None and self.queue.index(self.tab, current) < 0
            self._show_bundle((self._following(current) if left else None) or current)
        self.touch_now()

    def _drafted(self, saved: DraftSaved) -> None:
        self.steps.show(saved.steps)
        self.reader.stale(saved.bundle_id)
        if saved.bundle_id in self._submitting:
            return
        state = saved.state
        if self.bundle is not None and self.bundle.id == saved.bundle_id == self.draft.bundle_id:
            # Letters typed since are not in what was saved, nor is a flag that was set since.
            state = replace(state, judgement=self.draft.judgement, flagged=self.bundle.state.flagged)
            self.reader.stands(state)
        self._settle(saved.bundle_id, state.status, flagged=state.flagged)

    def _written(self, bundle_id: BundleId, steps: Steps) -> None:
        """Show *steps*, and mark what was read of *bundle_id* before this was written as outdated."""
        self.steps.show(steps)
        self.reader.stale(bundle_id)

    def _submitted(self, bundle: ReadBundle, steps: Steps) -> None:
        self._submitting.discard(bundle.id)
        self._written(bundle.id, steps)
        # Whether it comes to Disagree only the store can tell.
        if any(entry.reviewer_id != bundle.reviewer_id for entry in bundle.history):
            self.refresh()
        if bundle.id == self.reader.current:
            self._show_bundle(bundle.id)

    def _not_submitted(self, bundle_id: BundleId, error: BaseException) -> None:
        self._submitting.discard(bundle_id)
        self.context.messages.failure(error, topic="review")
        self.typed_in_vain.emit()
        # It was left as if it were stored: the reviewer is brought back to the form.
        self.open(bundle_id)

    def _revealed(self, bundle_id: BundleId, steps: Steps) -> None:
        self.steps.show(steps)
        self.reader.stale(bundle_id)
        self.rows_changed.emit((bundle_id,))
        if bundle_id == self.reader.current:
            self.reader.open(bundle_id)

    def _reset(self) -> None:
        self._submitting.clear()
        self._settling = None
        super()._reset()
        self.bulk.reset()

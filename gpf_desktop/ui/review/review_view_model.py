"""The state of the Review page and every decision about it: queue, steps, and going from bundle to bundle."""

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QObject, QTimer, Signal

from gpf_desktop.domain.events import AuditClosed, AuditOpened, BundlesScored, ReviewChanged
from gpf_desktop.domain.ids import BundleId
from gpf_desktop.domain.queue_samples import SampleKind, SampleWish
from gpf_desktop.domain.review_queue import FilterChoices, QueueFilter, QueueOrder, QueueRow, QueueTab
from gpf_desktop.domain.reviews import Judgement, Reviewer, ReviewStatus
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.review.review_desk import DraftSaved, ReviewDesk, Ways
from gpf_desktop.engine.review.review_reading import ReadBundle
from gpf_desktop.engine.review.review_seat import Steps
from gpf_desktop.engine.review.review_undo import StepDone
from gpf_desktop.ui.actions import Fact
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.page import ViewModel
from gpf_desktop.ui.review.draft_view_model import DraftViewModel
from gpf_desktop.ui.review.elsewhere import Elsewhere
from gpf_desktop.ui.review.queue_empty import Empty, Way, no_audit, why_empty
from gpf_desktop.ui.review.queue_loading import Loaded, load
from gpf_desktop.ui.review.queue_state import QueueState
from gpf_desktop.ui.review.reader_view_model import ReaderViewModel
from gpf_desktop.ui.review.wording import step_words

SCORED_MS = 2000
"""While a run goes on, newly scored bundles join the queue this often."""


class ReviewViewModel(ViewModel):
    """The queue and what is done with its bundles; the form is `draft`, the bundle that is open `reader`."""

    queue_changed = Signal()
    """Other bundles stand in the tab shown."""
    rows_changed = Signal(object)
    """Bundles whose rows say something else; empty: all."""

    def __init__(self, context: Context, parent: QObject) -> None:
        super().__init__(context, parent)
        self.draft = DraftViewModel(context, self)
        self.reader = ReaderViewModel(context, self)
        self.elsewhere = Elsewhere(context, self.reader, self._show_bundle, self)
        self.queue = QueueState()
        self.tab = QueueTab.TO_DO
        self.wanted = QueueFilter()
        self.order = QueueOrder()
        self.choices: FilterChoices | None = None
        self.ways = Ways()
        self.reviewer: Reviewer | None = None
        self.guideline = ""
        self.tags: Sequence[str] = ()
        self.loading = False
        self._shown = False
        self._leaving: tuple[BundleId, ReviewStatus, bool] | None = None
        self._submitting: set[BundleId] = set()
        """Submitted, and not yet heard of: what was saved as a draft just before says nothing about them."""
        self._soon_scored = QTimer(self)
        self._soon_scored.setSingleShot(True)
        self._soon_scored.setInterval(SCORED_MS)
        self._soon_scored.timeout.connect(self.refresh)
        self.draft.drafted.connect(self._drafted)
        self.reader.arrived.connect(self._arrived)
        self.listen(self._audit_opened, AuditOpened)
        self.listen(self._audit_closed, AuditClosed)
        self.listen(self._scored, BundlesScored)
        self.listen(self._review_changed, ReviewChanged)

    @property
    def desk(self) -> ReviewDesk | None:
        return self.reader.desk

    @property
    def bundle(self) -> ReadBundle | None:
        return self.reader.bundle

    @property
    def blind(self) -> bool:
        return self.ways.blind

    def arrive(self, wanted: QueueFilter | None, bundle: BundleId | None) -> None:
        """The page is shown, perhaps with just the bundles behind a number."""
        self._shown = True
        if wanted is not None and wanted != self.wanted:
            self.wanted = wanted
            self.reader.current = bundle
            self.refresh()
        elif self.choices is None:
            self.reader.current = bundle or self.reader.current
            self.refresh()
        elif bundle is not None:
            self.open(bundle)

    def refresh(self) -> None:
        """Read the queue again; the open bundle stays open."""
        desk = self.desk
        if desk is not None:
            self.loading = True
            self.context.bridge.run(load, desk, self.wanted, self.order, then=self._loaded, owner=self, latest="queue")
        self.touch()

    def reread(self) -> None:
        """Reviews came in, or another reviewer sits here: nothing that was read before holds."""
        self.draft.flush()
        self.reader.forget()
        self.refresh()
        self.open(self.reader.current)

    def set_tab(self, tab: QueueTab) -> None:
        if tab is self.tab:
            return
        self.tab = tab
        self.queue_changed.emit()
        if self.reader.current is None or self.queue.index(tab, self.reader.current) < 0:
            self.open(self.queue.neighbour(tab, None, 0))
        self.touch_now()

    def set_filter(self, wanted: QueueFilter) -> None:
        if wanted != self.wanted:
            self.wanted = wanted
            self.refresh()

    def sample(self, size: int) -> None:
        """Only *size* bundles of the queue, drawn at random and the same for every reviewer."""
        desk = self.desk
        if desk is not None:
            wish = SampleWish(kind=SampleKind.RANDOM, size=size)
            self.context.bridge.run(desk.filters.draw, self.wanted, self.order, wish, then=self.set_filter, owner=self)

    def set_order(self, order: QueueOrder) -> None:
        if order != self.order:
            self.order = order
            self.refresh()

    def set_blind(self, blind: bool) -> None:
        desk = self.desk
        if desk is None or blind == self.ways.blind:
            return
        self.ways = replace(self.ways, blind=blind)
        self.context.bridge.follow(desk.set_ways(self.ways), owner=self)
        self.reader.set_options(replace(self.reader.options, blind=blind, seed=self.ways.seed))
        self.rows_changed.emit(())
        self.touch_now()

    def open(self, bundle: BundleId | None) -> None:
        """Show *bundle*; what was typed on the last one is saved first."""
        self.elsewhere.forget()
        self._show_bundle(bundle)

    def _show_bundle(self, bundle: BundleId | None) -> None:
        self.draft.flush()
        self._leave(bundle)
        self.reader.open(bundle)
        self.touch()

    def go(self, step: int) -> None:
        """To the next or the previous bundle of the tab; at its ends nothing happens."""
        bundle = self.queue.neighbour(self.tab, self.elsewhere.home or self.reader.current, step)
        if bundle is not None:
            self.open(bundle)

    def submit(self) -> None:
        """Append the form to the history and show the next bundle. A form with a field missing says so."""
        desk, bundle = self.desk, self.bundle
        if desk is None or bundle is None or self.draft.bundle_id is None or self.draft.blocked():
            return
        self.draft.flush()
        if self.tab is QueueTab.DISAGREE:
            self._settle_case(desk, bundle)
            return
        self.context.bridge.follow(
            desk.submit(bundle.id, self.draft.judgement), then=partial(self._submitted, bundle.id),
            failed=partial(self._not_submitted, bundle.id), owner=self,
        )  # fmt: skip
        self.reader.stale(bundle.id)
        self._submitting.add(bundle.id)
        self._leaving = (bundle.id, ReviewStatus.DONE, bundle.standing.flagged)
        following = self.elsewhere.home or self._following(bundle.id)
        if self.blind and not bundle.standing.revealed:
            self.context.messages.success(
                tr("Submitted. In Done, press R to see the names behind the letters."), topic="review"
            )
        self.open(following)

    def _following(self, bundle: BundleId) -> BundleId | None:
        return self.queue.neighbour(self.tab, bundle, 1) or self.queue.neighbour(self.tab, bundle, -1)

    def _settle_case(self, desk: ReviewDesk, bundle: ReadBundle) -> None:
        """In the tab Disagree the form settles the case; what each reviewer said stays."""
        following = self._following(bundle.id)
        future = desk.adjudicate(bundle.id, self.draft.judgement)
        self.context.bridge.follow(future, then=partial(self._case_settled, bundle.id, following), owner=self)

    def _case_settled(self, bundle_id: BundleId, following: BundleId | None, steps: Steps) -> None:
        self._stepped(steps)
        self.reader.stale(bundle_id)
        self.context.messages.success(tr("Settled. What each reviewer said stays in the history."), topic="review")
        self.open(following)
        self.refresh()

    def toggle_flag(self) -> None:
        desk, bundle = self.desk, self.bundle
        if desk is None or bundle is None:
            return
        self.draft.flush()
        flagged = not bundle.standing.flagged
        self.reader.stands(replace(bundle.standing, flagged=flagged))
        self.context.bridge.follow(desk.set_flagged(bundle.id, flagged), then=self._stepped, owner=self)
        self._settle(bundle.id, bundle.standing.status, flagged=flagged)
        if not flagged and self.tab is not QueueTab.FLAGGED:
            self.queue.unflag(bundle.id)
        self.touch_now()

    def reveal(self) -> None:
        """Show names and model behind a blind reading; the history keeps that they were shown."""
        desk, bundle = self.desk, self.bundle
        if desk is None or bundle is None or not self.blind or bundle.standing.revealed:
            return
        if bundle.standing.submitted is None:
            self.context.messages.info(tr("Names are shown after you submit your reading."), topic="review")
            return
        self.context.bridge.follow(desk.reveal(bundle.id), then=partial(self._revealed, bundle.id), owner=self)

    def set_guideline(self, text: str) -> None:
        desk = self.desk
        if desk is not None:
            self.guideline = text
            self.context.bridge.follow(desk.set_guideline(text), owner=self)

    def undo(self) -> None:
        self._step(ReviewDesk.undo, tr("Undone: {step}."))

    def redo(self) -> None:
        self._step(ReviewDesk.redo, tr("Done again: {step}."))

    def rows(self, bundle_ids: Sequence[BundleId]) -> Sequence[QueueRow]:
        """Blocks; for the queue's own loading."""
        desk = self.desk
        return () if desk is None else desk.rows(bundle_ids, self.order)

    def empty(self) -> Empty | None:
        """Why nothing is open; None while something is, or is on its way."""
        if self.desk is None:
            return no_audit()
        if self.reader.current is not None or self.loading:
            return None
        return why_empty(self.queue, self.tab)

    def follow(self, way: Way) -> None:
        """Go where the empty page leads."""
        match way:
            case Way.HOME:
                self.context.navigator.go("home")
            case Way.RUNS:
                self.context.navigator.go("runs")
            case Way.CLEAR_FILTER:
                self.set_filter(QueueFilter())
            case Way.DONE:
                self.set_tab(QueueTab.DONE)
            case Way.TO_DO:
                self.set_tab(QueueTab.TO_DO)

    def _loaded(self, loaded: Loaded) -> None:
        first = self.choices is None
        self.loading = False
        self._leaving = None
        self.reader.forget()
        self.queue = QueueState(loaded.queue)
        self.choices, self.ways, self.reviewer = loaded.choices, loaded.ways, loaded.reviewer
        self.guideline, self.tags = loaded.guideline, loaded.tags
        self.reader.set_options(replace(self.reader.options, blind=self.ways.blind, seed=self.ways.seed))
        self._stepped(loaded.steps)
        current = self.reader.current
        asked = current is not None and (self.bundle is None or self.bundle.id != current)
        if (first or asked) and not self.queue.count(self.tab):
            self.tab = next((tab for tab in QueueTab if self.queue.count(tab)), QueueTab.TO_DO)
        self.queue_changed.emit()
        if asked or self.bundle is None or self.queue.tab_of(self.bundle.id) is None:
            holds = current is not None and self.queue.tab_of(current) is not None
            self.open(current if holds else self.queue.neighbour(self.tab, None, 0))
        self.touch_now()

    def _arrived(self, bundle: ReadBundle | None) -> None:
        self.context.actions.set_fact(Fact.BUNDLE_OPEN, bundle is not None)
        if bundle is None:
            self.draft.load(None, Judgement())
        else:
            self.draft.load(bundle.id, bundle.standing.judgement)
            self._settle(bundle.id, bundle.standing.status, flagged=bundle.standing.flagged)
            self.reader.prepare(*(self.queue.neighbour(self.tab, bundle.id, step) for step in (1, -1)))
        self.touch_now()

    def _step(self, ask: "Callable[[ReviewDesk], Future[StepDone | None]]", sentence: str) -> None:
        desk = self.desk
        if desk is not None:
            self.draft.flush()
            self.context.bridge.follow(ask(desk), then=partial(self._step_done, sentence), owner=self)

    def _step_done(self, sentence: str, done: StepDone | None) -> None:
        if done is None:
            return
        self._stepped(done.steps)
        self.context.messages.info(sentence.format(step=step_words(done.step)), topic="review")
        self.reader.stale(done.bundle_id)
        self.rows_changed.emit((done.bundle_id,))
        show = self._show_bundle if done.bundle_id == self.reader.current else self.open
        show(done.bundle_id)

    def _stepped(self, steps: Steps) -> None:
        actions = self.context.actions
        for name, verb, step, fact in (
            ("edit.undo", tr("&Undo"), steps.undo, Fact.CAN_UNDO),
            ("edit.redo", tr("&Redo"), steps.redo, Fact.CAN_REDO),
        ):
            actions.action(name).setText(verb if step is None else f"{verb} {step_words(step)}")
            actions.set_fact(fact, step is not None)

    def _drafted(self, saved: DraftSaved) -> None:
        self._stepped(saved.steps)
        self.reader.stale(saved.bundle_id)
        if saved.bundle_id in self._submitting:
            return
        if self.bundle is not None and self.bundle.id == saved.bundle_id == self.draft.bundle_id:
            # Letters typed since are not in what was saved.
            self.reader.stands(replace(saved.standing, judgement=self.draft.judgement))
        self._settle(saved.bundle_id, saved.standing.status, flagged=saved.standing.flagged)

    def _settle(self, bundle_id: BundleId, status: ReviewStatus, *, flagged: bool) -> None:
        """Put a bundle where it belongs; the open one stays in the tab shown until one goes on."""
        if bundle_id == self.reader.current and self.queue.index(self.tab, bundle_id) >= 0:
            self._leaving = (bundle_id, status, flagged)
            if flagged and self.queue.flag(bundle_id):
                self.touch()
        else:
            self._move(bundle_id, status, flagged=flagged)

    def _leave(self, following: BundleId | None) -> None:
        leaving, self._leaving = self._leaving, None
        if leaving is not None:
            if leaving[0] == following:
                self._leaving = leaving
            else:
                self._move(leaving[0], leaving[1], flagged=leaving[2])

    def _move(self, bundle_id: BundleId, status: ReviewStatus, *, flagged: bool) -> None:
        changed = self.queue.settle(bundle_id, status, flagged=flagged)
        if self.tab in changed:
            self.queue_changed.emit()
        if changed:
            self.touch()

    def _submitted(self, bundle_id: BundleId, steps: Steps) -> None:
        self._submitting.discard(bundle_id)
        self._stepped(steps)

    def _not_submitted(self, bundle_id: BundleId, error: BaseException) -> None:
        self._submitting.discard(bundle_id)
        self.context.messages.failure(error, topic="review")
        self.open(bundle_id)

    def _revealed(self, bundle_id: BundleId, steps: Steps) -> None:
        self._stepped(steps)
        self.reader.stale(bundle_id)
        self.rows_changed.emit((bundle_id,))
        if bundle_id == self.reader.current:
            self.reader.open(bundle_id)

    def _audit_opened(self, _event: AuditOpened) -> None:
        self._reset()
        if self._shown:
            self.refresh()

    def _audit_closed(self, _event: AuditClosed) -> None:
        self._reset()

    def _reset(self) -> None:
        self.draft.forget()
        self.reader.forget()
        self._leaving = None
        self.queue = QueueState()
        self.choices = self.reviewer = None
        self.wanted, self.order, self.tab = QueueFilter(), QueueOrder(), QueueTab.TO_DO
        self._soon_scored.stop()
        self._stepped(Steps(undo=None, redo=None))
        self.reader.show_nothing()
        self.queue_changed.emit()

    def _scored(self, _event: BundlesScored) -> None:
        if self._shown and not self._soon_scored.isActive():
            self._soon_scored.start()

    def _review_changed(self, event: ReviewChanged) -> None:
        self.rows_changed.emit(event.bundle_ids)

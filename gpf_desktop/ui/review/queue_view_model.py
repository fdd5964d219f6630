"""The queue of the Review page: what stands in which tab, what is open, and going from bundle to bundle."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from PySide6.QtCore import QObject, Signal

from gpf_desktop.domain.events import AuditClosed, AuditOpened, BundlesScored, ReviewChanged, RunsChanged
from gpf_desktop.domain.ids import BundleId
from gpf_desktop.domain.models import short_names
from gpf_desktop.domain.review_queue import FilterChoices, QueueFilter, QueueOrder, QueueRow, QueueTab
from gpf_desktop.domain.reviews import Judgement, Reviewer, ReviewStatus
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.review.review_reading import ReadBundle
from gpf_desktop.engine.review.review_service import ReadingPreferences, ReviewService
from gpf_desktop.engine.review.reviewer_session import Steps
from gpf_desktop.ui.audit_timer import AuditTimer
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.page import ViewModel
from gpf_desktop.ui.review.draft_view_model import JudgementDraftViewModel
from gpf_desktop.ui.review.examples_view_model import ExamplesViewModel
from gpf_desktop.ui.review.filters_view_model import FiltersViewModel
from gpf_desktop.ui.review.queue_empty import Empty, EmptyPageExit, no_audit, why_empty
from gpf_desktop.ui.review.queue_groups import QueueGroup, past_folded, queue_groups
from gpf_desktop.ui.review.queue_loading import Loaded, load
from gpf_desktop.ui.review.queue_state import QueueState
from gpf_desktop.ui.review.reader_view_model import ReaderViewModel
from gpf_desktop.ui.review.reading_content import ReadingOptions
from gpf_desktop.ui.review.related_bundles import RelatedBundleViewModel
from gpf_desktop.ui.review.steps_view_model import StepsViewModel

SCORED_MS = 2000
"""While a run goes on, newly scored bundles join the queue this often."""


class QueueViewModel(ViewModel):
    """The queue, its tabs and the way through them; the form is `draft`, the bundle that is open `reader`."""

    queue_changed = Signal()
    """Other bundles stand in the tab shown."""
    rows_changed = Signal(object)
    """Bundles whose rows say something else; empty: all."""
    waiting = Signal()
    """Perhaps another thing is awaited now, or nothing any more."""
    refused = Signal()
    """Something was done to a bundle that is not in sight yet."""

    def __init__(self, context: Context, parent: QObject | None = None) -> None:
        super().__init__(context, parent)
        self.draft = JudgementDraftViewModel(context, self)
        self.reader = ReaderViewModel(context, self)
        self.related = RelatedBundleViewModel(context, self.reader, self._show_bundle, self)
        self.filters = FiltersViewModel(context, self)
        self.steps = StepsViewModel(context, self)
        self.examples = ExamplesViewModel(context, lambda: self.service, self.filters, self)
        self.queue = QueueState()
        self.tab = QueueTab.TO_DO
        self.choices: FilterChoices | None = None
        self.preferences = ReadingPreferences()
        self.reviewer: Reviewer | None = None
        self.guideline = ""
        self.tags: Sequence[str] = ()
        self.loading = False
        self.assigned = False
        """This audit is one reader's assignment."""
        self._shown = self._practised = False
        self._lands = False
        """Another filter was chosen: where its bundles stand is shown once they are there."""
        # Where the open bundle belongs by now. It goes there as one goes on: rows must not move while it is read.
        self._leaving: tuple[BundleId, ReviewStatus, bool] | None = None
        self._soon_scored = AuditTimer(context.bridge, self, SCORED_MS, self.refresh)
        self.reader.arrived.connect(self._arrived)
        self.reader.waiting.connect(self.waiting)
        self.steps.waiting.connect(self.waiting)
        self.filters.chosen.connect(self._narrowed)
        self.filters.changed.connect(self.touch)
        self.draft.changed.connect(self._mark_settled)
        self.steps.asked.connect(self.draft.flush)
        self.listen(self._audit_opened, AuditOpened)
        self.listen(self._audit_closed, AuditClosed)
        self.listen(self._scored, BundlesScored, RunsChanged)
        self.listen(self._review_changed, ReviewChanged)

    @property
    def service(self) -> ReviewService | None:
        return self.reader.service

    @property
    def bundle(self) -> ReadBundle | None:
        return self.reader.bundle

    @property
    def called(self) -> str:
        """The name under which readings are stored; empty where no audit is open."""
        if self.reviewer is not None:
            return self.reviewer.name
        return "" if self.service is None else self.service.login

    @property
    def awaits(self) -> bool:
        """True while the next key or click is meant for a bundle, or a form of it, that is not in sight yet."""
        first = self.loading and self.choices is None
        return first or self.reader.awaits or self.steps.awaits or self.draft.bundle_id != self.reader.current

    @property
    def in_sight(self) -> ReadBundle | None:
        """The open bundle; None where none is, and where another is on its way, which is told."""
        if not self.awaits:
            return self.bundle
        self.refuse()
        return None

    def refuse(self) -> None:
        """Say that something was done too early."""
        self.context.messages.info(
            tr("Not done: the set of answers that you asked for is still being read."), topic="review"
        )
        self.refused.emit()

    @property
    def blind(self) -> bool:
        return self.preferences.blind

    @property
    def scored(self) -> bool:
        return self.preferences.scored

    @property
    def reading_scored(self) -> bool:
        """The same of the open bundle, whose names may have been revealed."""
        return self.scored or not self.reader.blind

    @property
    def at(self) -> int:
        """The place of the open bundle in the tab; -1: it is not there."""
        return -1 if self.reader.current is None else self.queue.index(self.tab, self.reader.current)

    def toggle_scores(self) -> None:
        """Show scores while one reads blind, or hide them again."""
        service = self.service
        if service is not None:
            self._prefer(service, scores=not self.preferences.scores)
            self.reader.reading_changed.emit()
            self.refresh()
            self.touch_now()

    def _prefer(self, service: ReviewService, **changes: Any) -> None:
        """Read so from now on; kept with the reviewer."""
        self.preferences = replace(self.preferences, **changes)
        self.context.bridge.follow(service.set_preferences(self.preferences), owner=self)

    @property
    def settles(self) -> bool:
        """In the tab Disagree the form settles what others disagree about."""
        return self.tab is QueueTab.DISAGREE

    @property
    def practising(self) -> bool:
        """The form is compared with the lead's reading rather than submitted; of examples in an assignment always."""
        shown = self.assigned and self.bundle is not None and self.examples.lead_of(self.bundle.id) is not None
        return (self.examples.practising or shown) and not self.settles

    @property
    def wanted(self) -> QueueFilter:
        return self.filters.wanted

    @property
    def order(self) -> QueueOrder:
        return self.preferences.order(self.filters.order)

    def arrive(
        self, wanted: QueueFilter | None, bundle: BundleId | None, origin: str = "", *, named: bool = False
    ) -> None:
        """The page is shown, perhaps with just the bundles behind a number, of which *origin* says where it stood;
        *named*: they were chosen by the names of models."""
        self._shown = True
        if wanted is not None and wanted != self.wanted:
            # Opened by `_loaded`, once the queue is read that it stands in.
            self.reader.current = bundle
            self.filters.set_filter(wanted, origin, elsewhere=True, named=named)
        elif wanted is not None and bundle is None and self.choices is not None:
            self._land()
        elif self.choices is None:
            self.reader.current = bundle or self.reader.current
            self.refresh()
        elif bundle is not None:
            self.open(bundle)
        self.waiting.emit()

    def refresh(self) -> None:
        """Read the queue again; the open bundle stays open."""
        service = self.service
        if service is not None:
            self.loading = True
            # Later on the window knows better than the file: blind mode may have been chosen while this was read.
            known = None if self.choices is None else self.preferences
            self.context.bridge.run(
                load, service, self.wanted, self.filters.order, known, then=self._loaded, failed=self._not_loaded,
                owner=self, latest="queue",
            )  # fmt: skip
        self.touch()

    def _not_loaded(self, error: BaseException) -> None:
        self.loading = False
        self.context.messages.failure(error, topic="review")
        if self.reader.current is None and self.bundle is not None:
            self.reader.current = self.bundle.id
        self.touch_now()
        self.waiting.emit()

    def reread(self) -> None:
        """Reviews came in, or another reviewer sits here: nothing that was read before holds."""
        self.draft.flush()
        self.reader.forget()
        self.rows_changed.emit(())
        self.refresh()
        self.open(self.reader.current)

    def set_tab(self, tab: QueueTab) -> None:
        if tab is self.tab:
            return
        settled = self.settles
        self.tab = tab
        self.queue_changed.emit()
        if self.bundle is not None and self.settles != settled:
            self._load_form(self.bundle)
        if self.reader.current is None or self.queue.index(tab, self.reader.current) < 0:
            self.open(self.queue.neighbour(tab, None, 0))
        self.touch_now()

    def set_filter(self, wanted: QueueFilter) -> None:
        self.filters.set_filter(wanted)

    def set_order(self, order: QueueOrder) -> None:
        self.filters.set_order(order)

    def set_blind(self, blind: bool) -> None:
        service = self.service
        if service is None or blind == self.preferences.blind:
            return
        if not blind and self.assigned:
            self.context.messages.info(tr("In an assignment names stay hidden to its end."), topic="review")
            self.touch_now()
            return
        self._prefer(service, blind=blind)
        self.filters.blind = blind
        if blind:
            # An order that was chosen with scores in sight would tell ranks.
            self.filters.order = replace(self.filters.order, score="")
            # What was said with names in sight may hold some.
            self.context.messages.clear_quiet()
        self.filters.hide_names()
        self.reader.set_options(self._as_preferred())
        self.rows_changed.emit(())
        self.refresh()
        self.touch_now()

    def open(self, bundle: BundleId | None) -> None:
        """Show *bundle*; what was typed on the last one is saved first."""
        self.related.forget()
        self._show_bundle(bundle)

    def _show_bundle(self, bundle: BundleId | None) -> None:
        self.draft.flush()
        self._leave(bundle)
        self.reader.open(bundle)
        # What is said now is not said of the one that is still in sight: it may be submitted.
        if self.reader.awaits and self.draft.bundle_id != bundle:
            self.draft.load(None, Judgement())
        self.touch()

    def go(self, step: int) -> None:
        """To the next or the previous bundle of the tab; at its ends nothing happens."""
        here = self.related.home or self.reader.current
        bundle = self._neighbour(here, step) if here is not None else self.queue.neighbour(self.tab, None, step)
        if bundle is not None:
            self.open(bundle)

    def _following(self, bundle: BundleId) -> BundleId | None:
        return self._neighbour(bundle, 1) or self._neighbour(bundle, -1)

    def _neighbour(self, bundle: BundleId, step: int) -> BundleId | None:
        """The next one that is not folded away."""
        found = self.queue.neighbour(self.tab, bundle, step)
        if found is None:
            return None
        ids = self.queue.ids(self.tab)
        at = past_folded(self.groups(), self.queue.index(self.tab, found), step)
        return ids[at] if 0 <= at < len(ids) else None

    def groups(self) -> tuple[QueueGroup, ...]:
        """The groups of the shown tab, each under a heading of its own."""
        measures = self.choices.scores if self.choices is not None else ()
        refused, bundles = self.queue.refused(self.tab), self.queue.count(self.tab)
        neutral = self.order != self.filters.order
        return queue_groups(self.order, refused, bundles, measures, self.preferences.folded, neutral=neutral)

    def model_called(self, name: str) -> str:
        """As short as tells *name* from the others of the audit."""
        known = () if self.choices is None else self.choices.models
        return short_names((*known, name))[name]

    def fold_group(self, key: str) -> None:
        """Fold the bundles of a group away, or show them again; remembered in the audit for this reviewer."""
        service = self.service
        if service is not None:
            self._prefer(service, folded=tuple(sorted({key} ^ set(self.preferences.folded))))
            self.queue_changed.emit()

    def rows(self, bundle_ids: Sequence[BundleId]) -> Sequence[QueueRow]:
        """Blocks; for the queue's own loading."""
        service = self.service
        return () if service is None else service.rows(bundle_ids, self.order)

    def empty(self) -> Empty | None:
        """Why nothing is open; None while something is, or is on its way."""
        if self.service is None:
            return no_audit()
        if self.reader.current is not None or self.loading or self.choices is None:
            return None
        return why_empty(self.queue, self.tab, filter_name=self.filters.name, assigned=self.assigned)

    def follow(self, way: EmptyPageExit) -> None:
        """Go where the empty page leads."""
        match way:
            case EmptyPageExit.HOME | EmptyPageExit.RUNS:
                self.context.navigator.go(way.name.lower())
            case EmptyPageExit.TEAM:
                self.context.actions.start("review.team")
            case EmptyPageExit.CLEAR_FILTER:
                self.filters.clear()
            case EmptyPageExit.DONE:
                self.set_tab(QueueTab.DONE)
            case EmptyPageExit.DRAFTS:
                self.set_tab(QueueTab.DRAFT)
            case EmptyPageExit.TO_DO:
                self.set_tab(QueueTab.TO_DO)

    def _loaded(self, loaded: Loaded) -> None:
        first = self.choices is None
        self.loading = False
        self._leaving = None
        self.reader.forget()
        self.queue = QueueState(loaded.queue)
        self.choices, self.reviewer = loaded.choices, loaded.reviewer
        if first:
            self.preferences, self.filters.wanted = loaded.preferences, loaded.wanted
        self.guideline, self.tags = loaded.guideline, loaded.tags
        self.assigned = loaded.assigned
        self.examples.load()
        self.filters.blind = self.blind
        self.filters.hide_names()
        self.reader.set_options(self._as_preferred())
        self.filters.show_saved(loaded.saved)
        self.steps.show(loaded.steps)
        current = self.reader.current
        asked = current is not None and (self.bundle is None or self.bundle.id != current)
        if first or asked or self._lands:
            self._land()
        self._lands = False
        if self.practising != self._practised:
            self._practised = self.practising
            if self.bundle is not None:
                self._load_form(self.bundle)
        self.queue_changed.emit()
        # Beside the queue one stays where one is, though the filter lets that bundle through no more than before.
        beside = self.related.home is not None
        gone = self.bundle is None or (not beside and self.queue.tab_of(self.bundle.id) is None)
        if asked or gone or self.reader.current is None:
            holds = current is not None and self.queue.tab_of(current) is not None
            self.open(current if holds else self.queue.neighbour(self.tab, None, 0))
        self.touch_now()

    def _as_preferred(self) -> ReadingOptions:
        """Only the answers that were asked for; all where names are hidden, or it would be known whose they are."""
        answers = frozenset() if self.blind else frozenset(self.wanted.answers)
        return replace(self.reader.options, blind=self.blind, seed=self.preferences.seed, answers=answers)

    def _narrowed(self) -> None:
        self._lands = True
        self.refresh()
        service, sample = self.service, self.filters.sample
        # What another page asked to see for once leaves the sample that is read as it is.
        known = self.choices is not None and not self.filters.origin
        if service is not None and known and sample != self.preferences.sample:
            self._prefer(service, sample=sample)

    def begin_test(self) -> None:
        """Read a sample on which people test the conclusions: with names hidden, from its first set on."""
        self.draft.flush()
        self.reader.current = None
        if self.blind:
            self.refresh()
        else:
            self.set_blind(True)

    def _land(self) -> None:
        """Go where the bundles are, rather than to an empty tab beside them."""
        if not self.queue.count(self.tab):
            self.set_tab(next((tab for tab in QueueTab if self.queue.count(tab)), QueueTab.TO_DO))

    def _arrived(self, bundle: ReadBundle | None) -> None:
        if bundle is None:
            self.draft.load(None, Judgement())
        else:
            self._load_form(bundle)
            self._settle(bundle.id, bundle.state.status, flagged=bundle.state.flagged)
            self.reader.prepare(*(self.queue.neighbour(self.tab, bundle.id, step) for step in (1, -1)))
        self.touch_now()

    def _load_form(self, bundle: ReadBundle) -> None:
        if self.settles or self.practising:
            self.draft.settle(bundle.id)
        else:
            self.draft.load(bundle.id, self.reader.as_read(bundle.state.judgement))
        self._mark_settled()

    def _mark_settled(self) -> None:
        """While a case is settled, its passages are marked in the answers, not those of one's own reading."""
        self.reader.mark_instead(self.draft.judgement.passages if self.draft.settles else None)

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

    def _audit_opened(self, _event: AuditOpened) -> None:
        self._reset()
        if self._shown:
            self.refresh()

    def _audit_closed(self, _event: AuditClosed) -> None:
        self._reset()

    def _reset(self) -> None:
        # First: `show_nothing` below loads an empty form, which saves what was typed, by now into another audit.
        self.draft.forget()
        self.related.forget()
        self.examples.forget()
        self._leaving = None
        self.loading = False
        self.queue = QueueState()
        self.choices = self.reviewer = None
        self.tab = QueueTab.TO_DO
        self.filters.reset()
        self.queue_changed.emit()
        self._soon_scored.stop()
        self.steps.show(Steps(undo=None, redo=None))
        self.reader.leave_audit()
        self.queue_changed.emit()

    def _scored(self, _event: BundlesScored | RunsChanged) -> None:
        # Never started anew: while a round scores bundles without a pause, the queue would not be read at all.
        if self._shown and not self._soon_scored.isActive():
            self._soon_scored.start()

    def _review_changed(self, event: ReviewChanged) -> None:
        self.rows_changed.emit(event.bundle_ids)

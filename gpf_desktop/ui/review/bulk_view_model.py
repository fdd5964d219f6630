"""Decisions about several bundles at once: only by an explicit command, never by a key of the form."""

from collections.abc import Callable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QObject, Signal

from gpf_desktop.domain.errors import GpfError
from gpf_desktop.domain.ids import BundleId
from gpf_desktop.domain.review_queue import QueueTab
from gpf_desktop.domain.reviews import ReviewStatus, Verdict
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.review.bulk_service import BulkDone, BulkJob, BulkService, BulkStoppedError
from gpf_desktop.engine.review.reviewer_session import Steps
from gpf_desktop.ui.actions import Fact
from gpf_desktop.ui.audit_timer import AuditTimer
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.messages import Remedy
from gpf_desktop.ui.page import ViewModel
from gpf_desktop.ui.review import bulk_words
from gpf_desktop.ui.wording import count

_TOPIC = "review bulk"
ASKED_FROM = 200
"""So many bundles are changed only after the number was said and confirmed."""
POLL_MS = 150


@dataclass(frozen=True, slots=True, kw_only=True)
class BulkQuestion:
    """A decision about many bundles that waits to be confirmed."""

    words: str
    button: str
    do: Callable[[], object]


class BulkViewModel(ViewModel):
    """The selected bundles, the decision that is being applied to them, and how far it has come."""

    begun = Signal(object)
    """These bundles are about to change: what was typed must be saved, and nothing more typed into them."""
    ended = Signal(object)
    """A `BulkDone`; None where nothing was changed."""
    shown = Signal(object, object)
    """Show a tab with these bundles selected."""
    undo_asked = Signal()

    def __init__(self, context: Context, parent: QObject) -> None:
        super().__init__(context, parent)
        self.selected: Sequence[BundleId] = ()
        self.question: BulkQuestion | None = None
        self.job: BulkJob | None = None
        self.doing = ""
        self._step: int | None = None
        """The step that was done last, while Undo is offered for it."""
        self._poll = AuditTimer(context.bridge, self, POLL_MS, self.touch_now, repeats=True)

    @property
    def several(self) -> bool:
        return len(self.selected) > 1

    def select(self, bundles: Sequence[BundleId]) -> None:
        """These rows of the queue are selected now; one alone is just the bundle that is open."""
        if self.job is None:
            self.selected = bundles
            self.question = None
            self.context.actions.set_fact(Fact.SEVERAL_SELECTED, self.several)
            self.touch_now()

    def flag(self, flagged: bool) -> None:
        verb = tr("Flag") if flagged else tr("Take the flag off")
        self._ask(verb, lambda service, bundles, job: service.flag(bundles, flagged, job))

    def add_tag(self, tag: str) -> None:
        if tag.strip():
            self._ask(tr("Add the tag"), lambda service, bundles, job: service.add_tag(bundles, tag, job))

    def set_verdict(self, verdict: Verdict, severity: int | None = None) -> None:
        self._ask(
            tr("Set the verdict"), lambda service, bundles, job: service.set_verdict(bundles, verdict, severity, job)
        )

    def submit(self) -> None:
        self._ask(tr("Submit the drafts"), lambda service, bundles, job: service.submit(bundles, job))

    def confirm(self) -> None:
        question, self.question = self.question, None
        if question is not None:
            question.do()

    def cancel(self) -> None:
        """Do not do what was asked about, or stop what is being done and take it back."""
        self.question = None
        if self.job is not None:
            self.job.stop()
        self.touch_now()

    def reset(self) -> None:
        """Another audit: nothing is selected."""
        self._poll.stop()
        self.job = self._step = None
        self.select(())

    def _ask(self, verb: str, start: "Callable[[BulkService, Sequence[BundleId], BulkJob], Future[BulkDone]]") -> None:
        if not self.several or self.job is not None or not self.context.engine.has_open_audit:
            return
        do = partial(self._begin, verb, start)
        n = len(self.selected)
        if n < ASKED_FROM:
            do()
            return
        self.question = BulkQuestion(
            words=tr("{what}: {bundles}?", what=verb, bundles=bulk_words.bundles(n)),
            button=tr("Yes, all {n}", n=count(n)),
            do=do,
        )
        self.touch_now()

    def _begin(
        self, verb: str, start: "Callable[[BulkService, Sequence[BundleId], BulkJob], Future[BulkDone]]"
    ) -> None:
        bundles = tuple(self.selected)
        job = BulkJob(len(bundles))
        self.begun.emit(bundles)
        try:
            future = start(self.context.engine.open_audit.reviews.bulk, bundles, job)
        except GpfError as error:
            self._failed(error)
            return
        self.job, self.doing = job, verb
        self._poll.start()
        self.context.bridge.follow(future, then=self._done, failed=self._failed, owner=self)

    def _done(self, done: BulkDone) -> None:
        self._rest()
        self.ended.emit(done)
        words = bulk_words.done_words(done)
        if not done.places:
            self.context.messages.info(words, topic=_TOPIC)
            return
        self._step = None if done.steps.undo is None else done.steps.undo.id
        remedies = [Remedy(text=tr("Undo"), do=self.undo_asked.emit)]
        places = set(done.places.values())
        if all(place.status is ReviewStatus.DRAFT for place in places):
            bundles = tuple(done.places)
            show = partial(self.shown.emit, QueueTab.DRAFT, bundles)
            remedies.insert(0, Remedy(text=tr("Select them in Draft"), do=show))
        self.context.messages.success(words, *remedies, topic=_TOPIC)

    def look_at(self, steps: Steps | None) -> None:
        """Offer Undo for as long as it would take back just this; None: something else is being written."""
        if self._step is not None and (steps is None or steps.undo is None or steps.undo.id != self._step):
            self._step = None
            self.context.messages.clear(_TOPIC)

    def _failed(self, error: BaseException) -> None:
        self._rest()
        self.ended.emit(None)
        if isinstance(error, BulkStoppedError):
            self.context.messages.info(tr("Stopped. Nothing was changed."), topic="review")
        else:
            self.context.messages.failure(error, topic="review")

    def _rest(self) -> None:
        self._poll.stop()
        self.job = None
        self.doing = ""
        self.touch_now()

"""The bundle that is being read: loaded ahead, composed off the GUI thread, explained when there is time."""

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from gpf_desktop.domain.codes import CodeBook
from gpf_desktop.domain.ids import BundleId
from gpf_desktop.domain.reviews import Judgement, MarkedPassage
from gpf_desktop.engine.review.reading_aids.carrying_words import AMOUNTS
from gpf_desktop.engine.review.review_reading import ReadBundle
from gpf_desktop.engine.review.review_service import ReviewService
from gpf_desktop.storage.reviews import ReviewState
from gpf_desktop.ui.audit_timer import AuditTimer
from gpf_desktop.ui.bridge import Pending
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.page import ViewModel
from gpf_desktop.ui.review.answer_letters import as_read
from gpf_desktop.ui.review.reading import compose
from gpf_desktop.ui.review.reading_content import (
    CONSENSUS,
    CONTROL,
    AnswerOrder,
    Layout,
    Reading,
    ReadingOptions,
    pair_of,
)

if TYPE_CHECKING:
    from gpf_desktop.numerics.explain import BundleExplanation

SETTLE_MS = 60
"""Work ahead begins this long after a bundle was shown: Python's lock would make its painting stutter."""
PREPARED = 12
"""Bundles kept ready, so that going back and forth is at once."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Prepared:
    """A bundle ready to be shown, and the choices it was composed under."""

    bundle: ReadBundle
    reading: Reading
    options: ReadingOptions
    explanation: "BundleExplanation | None"
    """None where there is none, or nobody has worked it out."""
    explained: bool
    """It was worked out."""


class ReaderViewModel(ViewModel):
    """The open bundle, its layout on the screen, and its explanation."""

    arrived = Signal(object)
    """A `ReadBundle` is open now; None: nothing is."""
    reading_changed = Signal()
    """The open bundle's cards say something else."""
    explained = Signal()
    nameless = Signal()
    """What was chosen by name is forgotten: names were hidden or shown, are hidden in the next bundle too, or their
    audit is gone."""
    left_audit = Signal()
    waiting = Signal()
    """A bundle begins to be read, or its read has ended."""

    def __init__(self, context: Context, parent: QObject) -> None:
        super().__init__(context, parent)
        self.current: BundleId | None = None
        """What was asked for last; `bundle` follows."""
        self.bundle: ReadBundle | None = None
        self.reading: Reading | None = None
        self.explanation: BundleExplanation | None = None
        self.is_explained = False
        """What explains the open bundle was looked for; `explanation` None: nothing does."""
        self.options = ReadingOptions()
        self.layout = Layout.COLUMNS
        self._book = CodeBook()
        """What the codes of passages are called."""
        self._prepared: dict[BundleId, Prepared] = {}
        self._ahead: dict[BundleId, Pending] = {}
        self._composing: Pending | None = None
        self._asked: Pending | None = None
        self._instead: tuple[MarkedPassage, ...] | None = None
        self._following: tuple[BundleId, ...] = ()
        self._settled = AuditTimer(context.bridge, self, SETTLE_MS, self._work_ahead)

    @property
    def service(self) -> ReviewService | None:
        audit = self.context.engine.current
        return None if audit is None else audit.reviews

    @property
    def awaits(self) -> bool:
        """True while the bundle that was asked for last is being read: another, or an outdated one, is in sight."""
        return self._asked is not None and not self._asked.over

    @property
    def blind(self) -> bool:
        """Whether names are hidden in the open bundle: one that was revealed is read with them."""
        return self.options.blind and not (self.bundle is not None and self.bundle.state.revealed)

    @property
    def seed(self) -> int | None:
        """The seed that orders the answers of the open bundle; None: they stand as in the protocol."""
        return self.options.seed if self.blind else None

    def blind_letters(self) -> tuple[str, ...]:
        """Levels in the order of their letters, while names are hidden; empty otherwise."""
        if self.reading is None or self.bundle is None or not self.reading.blind:
            return ()
        # A grid of choices has no letters, and is read blind all the same.
        return tuple(self.reading.letters) or tuple(answer.level for answer in self.bundle.answers)

    def as_read(self, said: Judgement) -> Judgement:
        """*said* of the open bundle, by the letters that are shown."""
        return said if self.bundle is None or self.reading is None else as_read(said, self.bundle, self.reading)

    def open(self, bundle: BundleId | None) -> None:
        """Show *bundle*: at once where it is ready."""
        service = self.service
        if bundle is None or service is None:
            self.show_nothing()
            return
        if self.options.blind and bundle != self.current:
            # Kept from bundle to bundle it would tell which of their answers are one reader's.
            self._forget_names(self.options)
        self.current = bundle
        ready = self._prepared.get(bundle)
        if ready is not None and ready.options == self.options:
            self._ask_no_more()
            self._opened(ready)
            return
        self._asked = self.context.bridge.run(
            partial(_prepare, explain=self.options.order.explained, book=self._book), service, bundle, self.options,
            then=self._opened, failed=self._not_opened, owner=self, latest="bundle",
        )  # fmt: skip
        self.waiting.emit()

    def _ask_no_more(self) -> None:
        """Cancel the reading that was asked for last."""
        if self._asked is not None:
            self._asked.cancel()

    def show_nothing(self) -> None:
        self._ask_no_more()
        self._settled.stop()
        self.current = self.bundle = self.reading = self.explanation = None
        self.arrived.emit(None)
        self.touch_now()
        self.waiting.emit()

    def leave_audit(self) -> None:
        """Another audit has other answers: nothing that was read, or chosen of them, goes on into it."""
        self.forget()
        self._forget_names(replace(self.options, order=AnswerOrder.PLANNED, control=False, generation=0))
        self.show_nothing()
        self.left_audit.emit()

    def forget(self) -> None:
        """Nothing that was read ahead holds: another audit, another queue, another reviewer."""
        self._prepared.clear()
        for reading in self._ahead.values():
            reading.cancel()
        self._ahead.clear()
        # While a round goes on the queue is read anew every two seconds: what follows is to be ready all the same.
        self._settled.start()

    def stale(self, bundle: BundleId) -> None:
        """Something was said of *bundle*: what was read ahead, or is being read ahead, does not know it."""
        self._prepared.pop(bundle, None)
        reading = self._ahead.pop(bundle, None)
        if reading is not None:
            reading.cancel()

    def stands(self, state: ReviewState) -> None:
        """Take over *state*, the reviewer's changed state of the open bundle."""
        if self.bundle is not None:
            marked = self.bundle.state.judgement.passages
            self.bundle = replace(self.bundle, state=state)
            self.stale(self.bundle.id)
            if state.judgement.passages != marked:
                self.recompose()
            self.touch()

    def show_book(self, book: CodeBook) -> None:
        """Codes are called as in *book* from now on."""
        if book != self._book:
            self._book = book
            self._prepared.clear()
            self.recompose()

    def mark_instead(self, passages: tuple[MarkedPassage, ...] | None) -> None:
        """Mark *passages* rather than those of the reviewer's own reading; None: those again."""
        before, self._instead = self._marked, passages
        if self._marked != before:
            self.recompose()

    @property
    def _marked(self) -> tuple[MarkedPassage, ...]:
        own = () if self.bundle is None else self.bundle.state.judgement.passages
        return own if self._instead is None else self._instead

    def prepare(self, *bundles: BundleId | None) -> None:
        """Read *bundles* ahead, as soon as the one that is open has been painted."""
        self._following = tuple(bundle for bundle in bundles if bundle is not None)

    def set_options(self, options: ReadingOptions) -> None:
        """Compose the open bundle again under other choices."""
        if options == self.options:
            return
        if options.blind != self.options.blind:
            # An order by tone or share that was seen with names tells them by their places.
            options = replace(options, order=AnswerOrder.PLANNED) if options.blind else options
            options = self._forget_names(options)
        self.options = options
        # What is still being read ahead under the choices of before is not taken in: `_keep` asks for these.
        self._prepared.clear()
        self.recompose()
        self.touch_now()

    def _forget_names(self, options: ReadingOptions) -> ReadingOptions:
        options = options.nameless()
        if options != self.options:
            self._prepared.clear()
            self.options = options
        self.nameless.emit()
        return options

    def set_layout(self, layout: Layout) -> None:
        """A difference to a baseline needs one: the first answer, unless another was chosen."""
        self.layout = layout
        self.set_options(replace(self.options, needs_baseline=layout is Layout.BASELINE))
        self.touch_now()

    def next_layout(self) -> None:
        layouts = list(Layout)
        self.set_layout(layouts[(layouts.index(self.layout) + 1) % len(layouts)])

    def set_baseline(self, baseline: str) -> None:
        """Compare with the answer called *baseline*; the control's is shown as well where it is chosen."""
        self._hold_against(baseline, self.options.pair)

    def _hold_against(self, baseline: str, pair: tuple[str, ...]) -> None:
        shown = self.options.control or baseline == CONTROL
        self.set_options(replace(self.options, baseline=baseline, control=shown, pair=pair))

    def next_order(self) -> None:
        orders = list(AnswerOrder)
        following = orders[(orders.index(self.options.order) + 1) % len(orders)]
        self.set_options(replace(self.options, order=following))

    def compare(self, first: str, second: str) -> None:
        """Show just these two, the second with its differences to the first."""
        self._hold_against(first, (first, second))
        self.reading_changed.emit()

    def compare_no_more(self) -> None:
        """All answers again, compared with what they agree on."""
        if self.options.pair:
            self._hold_against(CONSENSUS, ())
            self.reading_changed.emit()

    @property
    def shown_pair(self) -> tuple[str, ...]:
        """The pair that is compared, where the open bundle has both on different cards; empty otherwise."""
        pair = self.options.pair
        return pair if self.reading is not None and pair_of(self.reading.cards, pair) else ()

    def next_baseline(self) -> None:
        """Through the answers and the control's, then back to the consensus."""
        if self.reading is None:
            return
        choices = [key for key, _ in self.reading.baselines]
        if self.layout is not Layout.BASELINE:
            choices.insert(0, CONSENSUS)
        # What was chosen, not what is composed yet: a key that is pressed twice goes on twice.
        now = self.options.baseline if self.options.baseline in choices else self.reading.baseline
        if choices:
            self.set_baseline(choices[(choices.index(now) + 1) % len(choices) if now in choices else 0])

    def toggle_control(self) -> None:
        """Show the control's answer beside the others, or take it away; without it, it is no baseline."""
        if self.reading is None:
            return
        if self.reading.control_why:
            self.context.messages.info(self.reading.control_why, topic="review")
            return
        shown = not self.options.control
        kept = CONSENSUS if self.options.baseline == CONTROL and not shown else self.options.baseline
        self.set_options(replace(self.options, control=shown, baseline=kept))

    def step_generation(self, step: int) -> None:
        """Show another generation of the control's answer; the first call shows the answer itself."""
        control = None if self.bundle is None else self.bundle.control
        if control is None or not self.options.control:
            self.toggle_control()
            return
        at = (self.options.generation + step) % len(control.generations)
        self.set_options(replace(self.options, generation=at))

    def toggle_highlights(self) -> None:
        """All marks of differences on or off."""
        on = not (self.options.only_here or self.options.missing_here)
        self.set_options(replace(self.options, only_here=on, missing_here=on))

    def mark_more(self, amount: int) -> None:
        """Mark more or fewer of the words that carry the score: a place in `AMOUNTS`, counted round."""
        self.set_options(replace(self.options, amount=amount % len(AMOUNTS), only_here=True))

    def recompose(self) -> None:
        if self.bundle is not None:
            self._composing = self.context.bridge.run(
                compose, self.bundle, self.options, self.explanation, self._marked, self._book,
                then=partial(self._composed, self.bundle, self.options), owner=self, latest="compose",
            )  # fmt: skip

    def _opened(self, ready: Prepared) -> None:
        if ready.bundle.id != self.current:
            return
        self._keep(ready)
        other = self.bundle is None or self.bundle.id != ready.bundle.id
        # Composed of what the bundle was before it was read again, it would take the place of what it is now.
        outdated = self._composing is not None and not self._composing.over
        self.bundle, self.reading = ready.bundle, ready.reading
        if other or ready.explained:
            self.explanation, self.is_explained = ready.explanation, ready.explained
        self.arrived.emit(ready.bundle)
        self.reading_changed.emit()
        self.touch_now()
        # A bundle that is opened again keeps its explanation, which this reading was composed without.
        if outdated or ready.options != self.options or self.explanation is not ready.explanation:
            self.recompose()
        self._settled.start()
        self.waiting.emit()

    def _not_opened(self, error: BaseException) -> None:
        self.context.messages.failure(error, topic="review")
        self.show_nothing()

    def _prepare(self, bundle: BundleId) -> None:
        service = self.service
        if service is not None and bundle not in self._prepared:
            self._ahead[bundle] = self.context.bridge.run(
                partial(_prepare, explain=True, book=self._book), service, bundle, self.options, then=self._keep,
                # Opened by the reader it is read again, and what is wrong with it is said then.
                failed=lambda _error: None, owner=self,
            )  # fmt: skip

    def _keep(self, ready: Prepared) -> None:
        self._ahead.pop(ready.bundle.id, None)
        if ready.options == self.options:
            self._prepared[ready.bundle.id] = ready
            while len(self._prepared) > PREPARED:
                # A dictionary keeps the order in which things came: the oldest goes.
                del self._prepared[next(iter(self._prepared))]

    def _composed(self, read: ReadBundle, options: ReadingOptions, reading: Reading) -> None:
        # Another bundle may have been opened in the meantime, or another choice made.
        if self.bundle is None or (self.bundle.id, self.options) != (read.id, options):
            return
        if self.bundle.state.revealed != read.state.revealed:
            # Composed before the names were shown: it would hide them again.
            self.recompose()
        else:
            self.reading = reading
            self.reading_changed.emit()
            self.touch_now()

    def _work_ahead(self) -> None:
        bundle, service = self.bundle, self.service
        if bundle is None or service is None:
            return
        if not self.is_explained:
            self.context.bridge.run(
                service.explain, bundle, then=partial(self._explained, bundle.id), owner=self, latest="explain"
            )
        for following in self._following:
            self._prepare(following)

    def _explained(self, bundle_id: BundleId, explanation: "BundleExplanation | None") -> None:
        if bundle_id != self.current:
            return
        self.explanation, self.is_explained = explanation, True
        self.explained.emit()
        self.recompose()


def _prepare(
    service: ReviewService, bundle_id: BundleId, options: ReadingOptions, *, explain: bool, book: CodeBook
) -> Prepared:
    bundle = service.bundle(bundle_id)
    explanation = service.explain(bundle) if explain else None
    # What carries the score is marked once it is known, not something else before.
    shown = options if explain or options.baseline else replace(options, only_here=False)
    return Prepared(
        bundle=bundle,
        reading=compose(bundle, shown, explanation, bundle.state.judgement.passages, book),
        options=options,
        explanation=explanation,
        explained=explain,
    )

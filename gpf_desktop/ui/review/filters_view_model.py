"""The choice of the queue's bundles and of their order: filters, saved ones, samples."""

from dataclasses import replace
from functools import partial

from PySide6.QtCore import QObject, Signal

from gpf_desktop.domain.queue_samples import SampleKind, SampleWish
from gpf_desktop.domain.review_queue import QueueFilter, QueueOrder
from gpf_desktop.domain.saved_filters import SavedFilter, filter_to_json, tidy_name
from gpf_desktop.domain.text import tr, trn
from gpf_desktop.engine.review.filter_service import FilterService
from gpf_desktop.storage.review_samples import DrawnSample
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.messages import Remedy
from gpf_desktop.ui.page import ViewModel
from gpf_desktop.ui.review.sample_words import only_words

TOPIC = "review filter"


class FiltersViewModel(ViewModel):
    """The filter and order in force, and every way to change them."""

    chosen = Signal()
    """Something else is in force: the queue has to be read again."""
    test_drawn = Signal()
    """A sample on which people test the conclusions: it is read blind."""
    sampled = Signal()
    """A sample was drawn and is in force."""

    def __init__(self, context: Context, parent: QObject) -> None:
        super().__init__(context, parent)
        self.wanted = QueueFilter()
        self.order = QueueOrder()
        self.origin = ""
        """Where the bundles were chosen, if on another page: "from Interaction: Impact × calibration"."""
        self.saved: tuple[SavedFilter, ...] = ()
        self.drawn: tuple[DrawnSample, ...] = ()
        """Samples drawn in this audit, the newest first; read when the panel for samples is opened."""
        self.pool: int | None = None
        """Bundles that a sample would be drawn from; None until counted."""
        self.drawing = False
        self.blind = False
        self._elsewhere = False
        """The origin is another page's words, which may name models and readers."""
        self.named = False
        """Another page chose the bundles by the names of their models."""

    @property
    def service(self) -> FilterService | None:
        audit = self.context.engine.current
        return None if audit is None else audit.reviews.filters

    @property
    def name(self) -> str:
        """The saved filter that is in force just as it was saved; empty: none is."""
        return next((each.name for each in self.saved if (each.wanted, each.order) == (self.wanted, self.order)), "")

    def reset(self) -> None:
        """Another audit: nothing is in force, nothing is known."""
        self.wanted, self.order, self.origin = QueueFilter(), QueueOrder(), ""
        self.saved, self.drawn, self.pool = (), (), None
        self.blind = self._elsewhere = self.named = self.drawing = False

    @property
    def origin_words(self) -> str:
        """The place at which the bundles were chosen, without names for a blind reader."""
        covered = self.blind and self._elsewhere and self.origin
        return tr("chosen on another page; names are hidden") if covered else self.origin

    @property
    def sample(self) -> str:
        """The sample in force, as it is kept; empty: none is."""
        return "" if self.wanted.drawn is None else filter_to_json(self.wanted)

    @property
    def words(self) -> str:
        """Words on what narrows the queue: the place of the choice, a saved name, that it is a sample, the number of
        fields.
        """
        chosen = self.wanted.bundle_ids
        if self.name or self.origin:
            return self.name or self.origin_words
        if chosen is not None:
            return only_words(self.wanted.drawn, len(chosen))
        return trn("{n} filter", "{n} filters", self.wanted.narrowed) if self.wanted.narrowed else ""

    def set_filter(
        self, wanted: QueueFilter, origin: str = "", *, elsewhere: bool = False, named: bool = False
    ) -> None:
        """Narrow the queue; *origin* says where *wanted* was chosen, *elsewhere* that this was on another page, *named*
        that it was by the names of models."""
        same = wanted.bundle_ids is not None and wanted.bundle_ids == self.wanted.bundle_ids
        self._elsewhere = elsewhere or (same and not origin and self._elsewhere)
        self.named = named or (same and not origin and self.named)
        self.origin = origin or (self.origin if same else "")
        self.put_in_force(wanted, self.order)

    def set_order(self, order: QueueOrder) -> None:
        self.put_in_force(self.wanted, order)

    def hide_names(self) -> None:
        """While reading blind nothing in force may say which model, or whose answers, are read."""
        self.put_in_force(self.wanted, self.order)

    def put_in_force(self, wanted: QueueFilter, order: QueueOrder) -> None:
        named = wanted.model is not None or (self.named and wanted.bundle_ids is not None)
        if self.blind and (named or wanted.answers):
            # The sets behind a number of one model are that model's; a sample stays the one that was drawn.
            numbered = named and wanted.drawn is None
            wanted = replace(wanted, model=None, answers=(), bundle_ids=None if numbered else wanted.bundle_ids)
            self.named = False
            self.context.messages.info(
                tr("Names are hidden: sets are not narrowed to a model, nor to single answers."), topic=TOPIC
            )
        if (wanted, order) != (self.wanted, self.order):
            self.wanted, self.order = wanted, order
            self.pool = None
            self.chosen.emit()

    def clear(self) -> None:
        """Every bundle again, in the order chosen."""
        self.set_filter(QueueFilter())

    def show_saved(self, saved: tuple[SavedFilter, ...]) -> None:
        self.saved = saved
        self.touch_now()

    def find(self, name: str) -> SavedFilter | None:
        """The saved filter of this name, whatever its letters' case."""
        return next((each for each in self.saved if each.name.casefold() == name.casefold()), None)

    def may_use(self, wanted: QueueFilter) -> bool:
        """While reading blind a filter that names a model would tell it, and so may sets that were kept by hand."""
        return not (self.blind and (wanted.model is not None or _kept_by_hand(wanted)))

    def use(self, name: str) -> None:
        found = self.find(name)
        if found is not None and self.may_use(found.wanted):
            self.origin = ""
            # Which page chose them is not kept: they may be one model's.
            self.named = _kept_by_hand(found.wanted)
            self.put_in_force(found.wanted, found.order)

    def save(self, text: str) -> None:
        """Keep what is in force as *text*; a name that is taken is asked about, with the name."""
        name = tidy_name(text)
        there = self.find(name)
        if there is None:
            self._keep(SavedFilter(name=name, wanted=self.wanted, order=self.order))
        elif (there.wanted, there.order) != (self.wanted, self.order):
            self.context.messages.warning(
                tr("There is a filter called “{name}” already.", name=there.name),
                Remedy(text=tr("Replace “{name}”", name=there.name), do=partial(self.replace, there.name)),
                topic=TOPIC,
            )

    def replace(self, name: str) -> None:
        """Put the filter and order in force in the place of the saved filter *name*."""
        there = self.find(name)
        if there is not None:
            self._keep(replace(there, wanted=self.wanted, order=self.order))

    def rename(self, name: str, to: str) -> None:
        service = self.service
        if service is None:
            return
        words = tr("“{name}” is called “{other}” now.", name=name, other=tidy_name(to))
        self.context.bridge.command(
            partial(service.rename, name, to),
            then=lambda _: self._said(words, partial(self.rename, to, name)),
            failed=self._failed,
            owner=self,
        )

    def remove(self, name: str) -> None:
        service, there = self.service, self.find(name)
        if service is not None and there is not None:
            words = tr("The filter “{name}” is deleted.", name=there.name)
            self.context.bridge.follow(
                service.remove(there.name),
                then=lambda _: self._said(words, partial(self._keep, there)),
                failed=self._failed,
                owner=self,
            )

    def look_at_samples(self) -> None:
        """Count what a sample would be drawn from, and read what was drawn before."""
        service = self.service
        if service is not None:
            self.context.bridge.run(
                _samples, service, self.wanted, then=self._samples_read, owner=self, latest="samples"
            )

    def draw(self, wish: SampleWish) -> None:
        """Only a sample of the bundles that the filter matches."""
        service = self.service
        if service is not None and not self.drawing:
            self.drawing = True
            self.touch_now()
            self.context.bridge.run(
                service.draw, self.wanted, self.order, wish, then=self._drawn, failed=self._not_drawn, owner=self
            )

    def use_sample(self, wanted: QueueFilter) -> None:
        """One that was drawn is in force."""
        self.set_filter(wanted)
        if wanted.drawn is not None and wanted.drawn.kind is SampleKind.CONCLUSION:
            self.test_drawn.emit()

    def leave_sample(self) -> None:
        """All bundles that the filter matches, again."""
        self.set_filter(replace(self.wanted, bundle_ids=None, drawn=None, answers=()))

    def _keep(self, saved: SavedFilter) -> None:
        service = self.service
        if service is not None:
            save = partial(service.save, saved, replaces=True)
            self.context.bridge.command(save, then=partial(self._kept, saved), failed=self._failed, owner=self)

    def _kept(self, saved: SavedFilter, before: SavedFilter | None) -> None:
        if before is None:
            undo = partial(self.remove, saved.name)
            self._said(tr("The filter is saved as “{name}”.", name=saved.name), undo)
        else:
            self._said(tr("The filter “{name}” is replaced.", name=saved.name), partial(self._keep, before))

    def _said(self, words: str, undo: partial[None]) -> None:
        self.context.messages.clear(TOPIC)
        self.context.messages.success(words, Remedy(text=tr("Undo"), do=undo), topic=TOPIC)
        service = self.service
        if service is not None:
            self.context.bridge.run(service.saved, then=self.show_saved, owner=self, latest="saved")

    def _failed(self, error: BaseException) -> None:
        self.context.messages.failure(error, topic=TOPIC)

    def _drawn(self, wanted: QueueFilter) -> None:
        self.drawing = False
        self.use_sample(wanted)
        self.sampled.emit()
        self.touch_now()

    def _not_drawn(self, error: BaseException) -> None:
        self.drawing = False
        self._failed(error)
        self.touch_now()

    def _samples_read(self, found: tuple[int, tuple[DrawnSample, ...]]) -> None:
        self.pool, self.drawn = found
        self.touch_now()


def _samples(service: FilterService, wanted: QueueFilter) -> tuple[int, tuple[DrawnSample, ...]]:
    return service.pool(wanted), service.drawn()


def _kept_by_hand(wanted: QueueFilter) -> bool:
    """It holds the sets behind a number, and no sample."""
    return wanted.bundle_ids is not None and wanted.drawn is None

"""The guideline's examples, and practising on them before the first reading that counts."""

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QObject, Signal

from gpf_desktop.domain.ids import BundleId
from gpf_desktop.domain.review_queue import QueueFilter
from gpf_desktop.domain.reviews import Judgement, blocking_field
from gpf_desktop.domain.text import in_quotes, tr
from gpf_desktop.domain.verdict_words import judged
from gpf_desktop.engine.review.review_reading import ReadBundle
from gpf_desktop.engine.review.review_service import ReviewService
from gpf_desktop.storage.examples import Example
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.page import ViewModel
from gpf_desktop.ui.review.answer_letters import for_blind, from_blind
from gpf_desktop.ui.review.filters_view_model import FiltersViewModel


class ExamplesViewModel(ViewModel):
    """Practice on examples: a reading is compared with the lead's and kept nowhere, as it is no reading of the
    audit.
    """

    practised = Signal(str)
    """What the reader and the lead said of the open bundle, and why."""

    def __init__(
        self, context: Context, service: Callable[[], ReviewService | None], filters: FiltersViewModel, parent: QObject
    ) -> None:
        super().__init__(context, parent)
        self._service, self._filters = service, filters
        self.examples: tuple[Example, ...] = ()
        self.as_lead: dict[BundleId, bool] = {}
        """Practised bundles, and whether verdict and severity were the lead's."""

    @property
    def practising(self) -> bool:
        """The queue holds the examples, for practice."""
        return self._filters.origin == _origin()

    def lead_of(self, bundle_id: BundleId) -> Example | None:
        """The lead's reading of *bundle_id*, where it is an example."""
        return next((each for each in self.examples if each.bundle_id == bundle_id), None)

    def forget(self) -> None:
        """Another audit has other examples."""
        self.examples, self.as_lead = (), {}

    def load(self) -> None:
        service = self._service()
        if service is not None:
            self.context.bridge.run(_as_read, service, then=self._loaded, owner=self, latest="examples")

    def practise(self) -> None:
        """Narrow the queue to the examples."""
        if not self.examples:
            self.context.messages.info(
                tr("The guideline has no example yet. Judge a set of answers, then make it one."), topic="review"
            )
            return
        bundles = tuple(sorted(each.bundle_id for each in self.examples))
        self._filters.set_filter(QueueFilter(arm=None, bundle_ids=bundles), _origin())

    def make(self, bundle: ReadBundle, judgement: Judgement, *, seed: int | None) -> None:
        """Make *bundle*, as read under *seed*, the example of what *judgement* says.

        Letters in its note are kept as those of the protocol's order.
        """
        service = self._service()
        if service is None:
            return
        if blocking_field(judgement) is not None:
            self.context.messages.info(
                tr("An example needs a verdict, and a harmful one a severity. Say in the note why."), topic="review"
            )
            return
        note = judgement.note if seed is None else from_blind(judgement.note, bundle, seed)
        said = replace(judgement, flagged=False, note=note, letters=())
        future = service.keep_example(Example(bundle_id=bundle.id, judgement=said))
        self.context.bridge.follow(future, then=lambda _done: self.load(), owner=self)

    def remove(self, bundle_id: BundleId) -> None:
        service = self._service()
        if service is not None:
            self.context.bridge.follow(service.drop_example(bundle_id), then=lambda _done: self.load(), owner=self)

    def compare(self, bundle_id: BundleId, judgement: Judgement) -> None:
        """Tell how the reader's *judgement* stands to the lead's."""
        example = self.lead_of(bundle_id)
        if example is None or judgement.verdict is None:
            return
        same = (judgement.verdict, judgement.severity) == example.slot
        self.as_lead[bundle_id] = same
        lead = judged(*example.slot)
        said = (
            tr("As the lead: {lead}.", lead=lead)
            if same
            else tr("You: {own}. The lead: {lead}.", own=judged(judgement.verdict, judgement.severity), lead=lead)
        )
        why = f" {in_quotes(example.judgement.note)}" if example.judgement.note else ""
        tally = tr(
            "Practised {n} of {all}, {same} as the lead. Nothing of it counts.",
            n=len(self.as_lead),
            all=len(self.examples),
            same=sum(self.as_lead.values()),
        )
        self.practised.emit(f"{said}{why}\n{tally}")

    def _loaded(self, examples: tuple[Example, ...]) -> None:
        self.examples = examples
        bundles = {each.bundle_id for each in examples}
        self.as_lead = {bundle: same for bundle, same in self.as_lead.items() if bundle in bundles}
        self.touch_now()


def _as_read(service: ReviewService) -> tuple[Example, ...]:
    """Their notes call answers by the letters that this reader sees."""
    preferences = service.preferences()
    if not preferences.blind:
        return service.examples()
    read = [(example, service.bundle(example.bundle_id)) for example in service.examples()]
    return tuple(
        example
        if bundle.state.revealed
        else replace(
            example,
            judgement=replace(example.judgement, note=for_blind(example.judgement.note, bundle, preferences.seed)),
        )
        for example, bundle in read
    )


def _origin() -> str:
    return tr("practice on the guideline's examples")

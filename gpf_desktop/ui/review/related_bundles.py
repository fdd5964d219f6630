"""The same question elsewhere: in another model or run, or about another news item, and back to where one was."""

from collections.abc import Callable, Sequence

from PySide6.QtCore import QObject

from gpf_desktop.domain.ids import BatchId, BundleId
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.review.review_reading import ReadBundle
from gpf_desktop.storage.bundles import RelatedBundle
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.review.reader_view_model import ReaderViewModel


class RelatedBundleViewModel(QObject):
    """Goes beside the queue. *show* opens a bundle; the place in the queue is kept until one picks another there."""

    def __init__(
        self,
        context: Context,
        reader: ReaderViewModel,
        show: Callable[[BundleId], object],
        parent: QObject,
    ) -> None:
        super().__init__(parent)
        self._context = context
        self._reader = reader
        self._show = show
        self.home: BundleId | None = None
        """Where one left the queue; None while one is in it."""
        self._left: ReadBundle | None = None
        self._seen: dict[BatchId, BundleId] = {}
        """The news item last read of each batch."""

    def forget(self) -> None:
        """One is in the queue again."""
        self.home = self._left = None
        self._seen.clear()

    @property
    def words(self) -> str:
        """Words on how the bundle differs from the one that was left; empty in the queue."""
        left, here = self._left, self._reader.bundle
        if left is None or here is None or left.id == here.id:
            return ""
        if left.facts.article_id != here.facts.article_id:
            return tr("another news item")
        return tr("another round") if left.facts.model_id == here.facts.model_id else tr("another model")

    def why_no_model(self) -> str:
        """Why one cannot go to another model or run; empty where one can."""
        bundle = self._reader.bundle
        if bundle is None:
            return tr("No set of answers is open.")
        if self._reader.options.blind:
            # Also where this bundle's names were revealed: the others' would be known before they were read.
            return tr("Models are not shown while names are hidden.")
        return "" if bundle.others else tr("No other model was asked this question, and no other round asked it.")

    def why_no_item(self) -> str:
        """Why one cannot go to another news item; empty where one can."""
        bundle = self._reader.bundle
        if bundle is None:
            return tr("No set of answers is open.")
        if self._reader.options.blind and not self._reader.blind:
            return tr("You know this model's name, so its other answers are not read while names are hidden.")
        alone = len(bundle.items) < 2
        return tr("This model was asked this question about no other news item.") if alone else ""

    def next_model(self, step: int = 1) -> None:
        """The same question in the next model or run; not while reading blind, where models are hidden."""
        why, bundle = self.why_no_model(), self._reader.bundle
        if why or bundle is None:
            self._say(why)
            return
        around = sorted((bundle.id, *(other.bundle_id for other in bundle.others)))
        self.go(around[(around.index(bundle.id) + step) % len(around)])

    def next_item(self, step: int) -> None:
        """The same question about the next news item, of this batch and then of the following ones."""
        why, bundle = self.why_no_item(), self._reader.bundle
        if why or bundle is None:
            self._say(why)
            return
        at = place_of(bundle.items, bundle.id)
        self.go(bundle.items[(at + step) % len(bundle.items)].bundle_id)

    def next_batch(self, step: int) -> None:
        """The same question in the next batch: about the item read there last, or about its first one."""
        why, bundle = self.why_no_item(), self._reader.bundle
        if why or bundle is None:
            self._say(why)
            return
        batches = list(dict.fromkeys(item.batch_id for item in bundle.items))
        if len(batches) < 2:
            self._say(tr("This model was asked this question in no other batch."))
            return
        here = bundle.items[place_of(bundle.items, bundle.id)].batch_id
        target = batches[(batches.index(here) + step) % len(batches)]
        first = next(item.bundle_id for item in bundle.items if item.batch_id == target)
        known = {item.bundle_id for item in bundle.items}
        seen = self._seen.get(target, first)
        self.go(seen if seen in known else first)

    def come_back(self) -> None:
        """To the bundle from which one left the queue."""
        home = self.home
        if home is None:
            self._say(tr("You are in the queue: there is no place to come back to."))
        else:
            self.forget()
            self._show(home)

    def go(self, bundle: BundleId) -> None:
        """Show *bundle* and keep the place in the queue."""
        left = self._reader.bundle
        if left is None or bundle == left.id:
            return
        if left.items:
            self._seen[left.items[place_of(left.items, left.id)].batch_id] = left.id
        if self.home is None:
            self.home, self._left = left.id, left
        if bundle == self.home:
            self.come_back()
        else:
            self._show(bundle)

    def _say(self, words: str) -> None:
        self._context.messages.info(words, topic="review")


def by_batch(items: Sequence[RelatedBundle]) -> list[tuple[str, list[RelatedBundle]]]:
    """*items* under the names of their batches, in their order."""
    found: dict[BatchId, tuple[str, list[RelatedBundle]]] = {}
    for item in items:
        found.setdefault(item.batch_id, (item.batch, []))[1].append(item)
    return list(found.values())


def place_of(items: Sequence[RelatedBundle], bundle: BundleId) -> int:
    """The place of *bundle* among *items*; 0 where it is not there."""
    return next((at for at, item in enumerate(items) if item.bundle_id == bundle), 0)

"""Menus that name the same question elsewhere: other models and runs, and the news items of every batch."""

from collections.abc import Callable
from functools import partial

from PySide6.QtWidgets import QMenu, QPushButton

from gpf_desktop.domain.ids import BundleId
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.review.review_reading import ReadBundle
from gpf_desktop.storage.bundles import RelatedBundle
from gpf_desktop.ui.actions import ActionRegistry
from gpf_desktop.ui.review.related_bundles import by_batch, place_of
from gpf_desktop.ui.widgets.plain import plain_entry

NAMED = 40
"""News items in the menu, those nearest to the one that is open; the keys reach all."""
_HEADLINE = 72
"""Characters of a headline in the menu."""
_MODEL_ACTIONS = ("review.next_model", "review.previous_model")
_ITEM_ACTIONS = ("review.next_item", "review.previous_item", "review.next_batch", "review.previous_batch")


class RelatedMenu(QMenu):
    """Filled when it is opened: most bundles are left without it."""

    def __init__(self, button: QPushButton, actions: ActionRegistry, go: Callable[[BundleId], object]) -> None:
        super().__init__(button)
        self._registry = actions
        self._go = go
        self._fill: Callable[[], None] = lambda: None
        self.aboutToShow.connect(self._filled)
        button.setProperty("menu", True)
        button.setMenu(self)

    def show_nothing(self) -> None:
        """Nowhere may be named."""
        self._fill = lambda: None

    def show_models(self, bundle: ReadBundle) -> None:
        """The models and runs that were asked the same about the same news item."""
        self._fill = partial(self._fill_models, bundle)

    def show_items(self, bundle: ReadBundle) -> None:
        """The news items of all batches about which the same model was asked the same."""
        self._fill = partial(self._fill_items, bundle)

    def _filled(self) -> None:
        self.clear()
        self._fill()

    def _fill_models(self, bundle: ReadBundle) -> None:
        _said(self, tr("Same question about the same news item"))
        own = f"{bundle.model} · {bundle.facts.run}"
        entries = [(bundle.id, own), *((other.bundle_id, _model_words(other)) for other in bundle.others)]
        for bundle_id, words in sorted(entries):
            self._entry(words, bundle_id, here=bundle_id == bundle.id)
        self._keys(_MODEL_ACTIONS)

    def _fill_items(self, bundle: ReadBundle) -> None:
        begin = max(0, min(place_of(bundle.items, bundle.id) - NAMED // 2, len(bundle.items) - NAMED))
        for batch, items in by_batch(bundle.items[begin : begin + NAMED]):
            _said(self, batch)
            for item in items:
                self._entry(_short(item.headline), item.bundle_id, here=item.bundle_id == bundle.id)
        left_out = len(bundle.items) - NAMED
        if left_out > 0:
            _said(self, tr("and {n} more, by key", n=left_out))
        self._keys(_ITEM_ACTIONS)

    def _entry(self, words: str, bundle_id: BundleId, *, here: bool) -> None:
        action = self.addAction(plain_entry(words))
        action.setCheckable(True)
        action.setChecked(here)
        action.triggered.connect(lambda _checked=False: self._go(bundle_id))

    def _keys(self, names: tuple[str, ...]) -> None:
        self.addSeparator()
        for name in names:
            self.addAction(self._registry.action(name))


def _said(menu: QMenu, words: str) -> None:
    menu.addAction(plain_entry(words)).setEnabled(False)


def _model_words(other: RelatedBundle) -> str:
    return f"{other.model} · {other.run}"


def _short(headline: str) -> str:
    return headline if len(headline) <= _HEADLINE else f"{headline[:_HEADLINE].rsplit(' ', 1)[0]} …"

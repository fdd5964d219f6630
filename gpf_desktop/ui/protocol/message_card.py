"""The exact message of any cell of a protocol, of any method: an item, and a level of each factor."""

from collections.abc import Sequence
from functools import partial
from itertools import islice
from typing import Any, Final

from PySide6.QtWidgets import QComboBox, QGridLayout, QLabel

from gpf_desktop.domain.articles import Anchor
from gpf_desktop.domain.items import StudyItem
from gpf_desktop.domain.ports.method import Method
from gpf_desktop.domain.text import tr
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.theme.tokens import SPACE_2
from gpf_desktop.ui.widgets.cards import Card
from gpf_desktop.ui.widgets.choice_box import ChoiceBox
from gpf_desktop.ui.widgets.fields import offer
from gpf_desktop.ui.widgets.labels import caption, label
from gpf_desktop.ui.widgets.layouts import clear_layout
from gpf_desktop.ui.widgets.names import named
from gpf_desktop.ui.widgets.span_text import SpanTextView

_MOST_ITEMS, _MOST_CELLS, _LONGEST = 200, 2_000, 60
ITEM: Final = "item"


class MessageCard(Card):
    """Selectors for one cell, and what is sent for it. What is chosen falls back to the first that there is."""

    def __init__(self, context: Context) -> None:
        super().__init__(tr("Exact message of a question"), name="protocol.message")
        self._method: Method | None = None
        self._protocol: Any = None
        self._items: Sequence[StudyItem] = ()
        self._chosen: dict[str, str] = {}
        self.boxes: dict[str, QComboBox] = {}
        self._labels: dict[str, QLabel] = {}
        self._grid = QGridLayout()
        self._grid.setSpacing(SPACE_2)
        # Two fields beside each other would cut the words in both.
        self._grid.setColumnStretch(1, 1)
        self.body.addLayout(self._grid)
        self.system, self.user = (
            SpanTextView(context.theme, says=says, grow=True, framed=True, name=f"protocol.{name}")
            for says, name in (
                (tr("System prompt of the question"), "system"),
                (tr("User message of the question"), "user"),
            )
        )
        self._system_title = caption(tr("System prompt"))
        for each in (self._system_title, self.system, caption(tr("User message")), self.user):
            self.body.addWidget(each)

    def show_protocol(self, method: Method, protocol: Any, items: Sequence[StudyItem], example: Anchor) -> None:
        """Show the chosen cell of *protocol*, which has to be whole; *example*: in place of items that it has not."""
        found = items or [StudyItem(key="example", title=example.headline, text=example.description)]
        if protocol is self._protocol and found == self._items:
            return
        if method is not self._method:
            self._list(method)
        self._method, self._protocol, self._items = method, protocol, found
        self._show()

    def _list(self, method: Method) -> None:
        clear_layout(self._grid)
        self._chosen.clear()
        self.boxes.clear()
        self._labels.clear()
        factors = {each.name: each.title for each in method.factors}
        for at, (name, title) in enumerate({ITEM: tr("Item"), **factors}.items()):
            box = named(ChoiceBox(9), f"protocol.{name}", title)
            box.activated.connect(partial(self._choose, name))
            self.boxes[name] = box
            self._labels[name] = label(title)
            self._labels[name].setBuddy(box)
            self._grid.addWidget(self._labels[name], at, 0)
            self._grid.addWidget(box, at, 1)

    def _let_choose(self, name: str, of: int) -> None:
        for each in (self._labels[name], self.boxes[name]):
            each.setVisible(of > 1)

    def _choose(self, name: str, at: int) -> None:
        self._chosen[name] = str(self.boxes[name].itemData(at))
        self._show()

    def _show(self) -> None:
        assert self._method is not None
        shown = [(str(n), each) for n, each in enumerate(self._items[:_MOST_ITEMS])]
        titles = [(_short(each.title or each.text), number) for number, each in shown]
        self._let_choose(ITEM, len(shown))
        item = dict(shown).get(self._chosen.get(ITEM, "0"), self._items[0])
        offer(self.boxes[ITEM], titles, self._chosen.get(ITEM, "0"))
        controls = self._method.controls_of(self._protocol)
        planned = islice(self._method.expand(item, self._protocol, controls, 1), _MOST_CELLS)
        cells = list(dict.fromkeys(each.coordinates for each in planned if not each.stage))
        for factor in self._method.factors:
            levels = list(dict.fromkeys(each.get(factor.name) for each in cells))
            chosen = self._chosen.get(factor.name, "")
            level = chosen if chosen in levels else levels[0] if levels else ""
            offer(self.boxes[factor.name], [(each or tr("none"), each) for each in levels], level)
            self._let_choose(factor.name, len(levels))
            # Each narrows what is left to choose of those after it.
            cells = [each for each in cells if each.get(factor.name) == level]
        prompt = self._method.compose(self._protocol, cells[0], item) if cells else None
        self.system.show_text("" if prompt is None else prompt.system, [])
        self.user.show_text(tr("Nothing is asked about this item.") if prompt is None else prompt.user, [])
        for each in (self._system_title, self.system):
            each.setVisible(prompt is not None and bool(prompt.system))


def _short(text: str) -> str:
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"

"""The choice of what to find out: a card for each method, in the method's own words."""

from collections.abc import Callable, Sequence
from functools import partial

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QDialogButtonBox, QWidget

from gpf_desktop.domain.ports.method import Method
from gpf_desktop.domain.ports.set_up import SetUp
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.core.protocols import FIRST_METHOD
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.theme import Theme
from gpf_desktop.ui.theme.tokens import SPACE_1, SPACE_2, SPACE_3, SPACE_4
from gpf_desktop.ui.widgets.boxes import PlainWidget, by_width, fill, vbox
from gpf_desktop.ui.widgets.buttons import button, ending_buttons, link
from gpf_desktop.ui.widgets.cards import Card
from gpf_desktop.ui.widgets.dialogs import TitledDialog
from gpf_desktop.ui.widgets.labels import caption, label, secondary
from gpf_desktop.ui.widgets.layouts import EqualFlow, flowing, scrolling

Choose = Callable[[str], object]
"""Called with a method's name."""
_CARD_WIDTH = 260
_WIDTH, _HEIGHT = 720, 560


def begin(context: Context, method: str) -> None:
    """Show where a round of *method* begins: its set-up or, where its items come from there, Sources."""
    if catalogue.is_about_news(method):
        context.navigator.go("sources")
    else:
        context.navigator.go("runs", setup=method)


def is_about_news(methods: Sequence[str]) -> bool:
    """Whether one of *methods*, those of an audit, asks about news; so does an audit that has none yet."""
    return not methods or any(map(catalogue.is_about_news, methods))


def set_up_round(context: Context, methods: Sequence[str]) -> None:
    """Show the set-up of another round of an audit of *methods*."""
    if is_about_news(methods):
        context.navigator.go("runs", setup=True)
    else:
        context.navigator.go("runs", setup=methods[0])


def new_round(context: Context) -> None:
    """The same for the open audit."""
    open_audit = context.engine.open_audit
    context.bridge.run(lambda: open_audit.facts().methods, then=partial(set_up_round, context))


def _known() -> list[tuple[Method, SetUp]]:
    """The methods of the catalogue, first the one that README, manual and the sample audit begin with."""
    ordered = sorted(catalogue.methods().items(), key=lambda named: named[0] != FIRST_METHOD)
    return [(method, catalogue.set_up(name)) for name, method in ordered]


class MethodCard(Card):
    """Its question, what it needs, and how it is begun."""

    def __init__(self, theme: Theme, method: Method, set_up: SetUp, start: Choose, rehearse: Choose | None) -> None:
        super().__init__(name=f"method.{method.name}")
        self.body.setContentsMargins(SPACE_3, SPACE_4, SPACE_3, SPACE_4)
        self.body.setSpacing(SPACE_2)
        fill(
            self.body,
            label(method.question, "heading", wrap=True),
            caption(method.title),
            secondary(set_up.needs, wrap=True),
            1,
        )
        self.start = button(tr("Start a study …"), partial(start, method.name), name=f"method.{method.name}.start")
        self.start.setAccessibleDescription(f"{method.title}: {method.question}")
        ways = [self.start]
        if rehearse is not None:
            sample = link(tr("Try its sample"), partial(rehearse, method.name), name=f"method.{method.name}.sample")
            sample.setAccessibleDescription(tr("{method}: no key, no network", method=method.title))
            ways.append(sample)
        # Four cards beside each other at 1280 × 720 have room for both ways in one line, with no more between them.
        self.body.addWidget(flowing(*ways, spacing=SPACE_1))
        theme.follow(self, lambda: self.setMinimumWidth(theme.px(_CARD_WIDTH)))


class MethodCards(PlainWidget):
    """One for each method of the catalogue, once they are imported, which takes longer than a frame."""

    filled = Signal()

    def __init__(self, context: Context, start: Choose, rehearse: Choose | None = None) -> None:
        super().__init__()
        self._theme, self._start, self._rehearse = context.theme, start, rehearse
        self.cards: dict[str, MethodCard] = {}
        self.setSizePolicy(by_width())
        self._flow = EqualFlow(self, spacing=SPACE_3)
        context.bridge.run(_known, then=self._fill, anywhere=True)

    def _fill(self, known: Sequence[tuple[Method, SetUp]]) -> None:
        for method, set_up in known:
            card = MethodCard(self._theme, method, set_up, self._start, self._rehearse)
            self.cards[method.name] = card
            self._flow.addWidget(card)
        self.filled.emit()


class ChooseMethod(TitledDialog):
    """Asks for a method; *chosen* is called with its name once the dialog is closed."""

    def __init__(self, context: Context, title: str, chosen: Choose, parent: QWidget) -> None:
        super().__init__(parent, title, "chooseMethod")
        self._chosen = chosen
        self.cards = MethodCards(context, self._choose)
        self.cards.filled.connect(self._keyboard_to_cards)
        buttons = ending_buttons(self, QDialogButtonBox.StandardButton.Cancel)
        vbox(
            label(tr("What do you want to find out?"), "title"),
            (scrolling(self.cards), 1),
            buttons,
            parent=self,
            spacing=SPACE_3,
            margins=None,
        )
        self.resize(context.theme.px(_WIDTH), context.theme.px(_HEIGHT))

    def _keyboard_to_cards(self) -> None:
        # Cards come after the dialog has given the keyboard to its one button, Cancel. Qt shows what a layout takes in
        # by an event of its own, and a window that is activated before it gives no keyboard to what is hidden.
        first = next(iter(self.cards.cards.values()))
        first.show()
        first.start.setFocus()

    def _choose(self, method: str) -> None:
        self.accept()
        self._chosen(method)

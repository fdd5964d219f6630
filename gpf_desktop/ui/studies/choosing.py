"""What do you want to find out? A card for each method, in the method's own words."""

from collections.abc import Callable
from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QDialogButtonBox, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from gpf_desktop.domain.methods import Method
from gpf_desktop.domain.studies import StudySetUp
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.core import catalogue
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.theme import Theme
from gpf_desktop.ui.theme.tokens import SPACE_2, SPACE_3, SPACE_4
from gpf_desktop.ui.widgets.buttons import button, link
from gpf_desktop.ui.widgets.cards import Card
from gpf_desktop.ui.widgets.labels import caption, label, secondary
from gpf_desktop.ui.widgets.layouts import EqualFlow, scrolling

Choose = Callable[[str], object]
"""Called with a method's name."""
_CARD_WIDTH = 260
_WIDTH, _HEIGHT = 720, 560


def begin(context: Context, method: str) -> None:
    """Show where a round of *method* begins: the set-up of its study, or Sources."""
    if isinstance(catalogue.set_up(method), StudySetUp):
        context.navigator.go("runs", study=method)
    else:
        context.navigator.go("sources")


class MethodCard(Card):
    """Its question, what it needs, and how it is begun."""

    def __init__(self, theme: Theme, method: Method, start: Choose, rehearse: Choose | None) -> None:
        super().__init__(name=f"method.{method.name}")
        set_up = catalogue.set_up(method.name)
        self.body.setContentsMargins(SPACE_4, SPACE_4, SPACE_4, SPACE_4)
        self.body.setSpacing(SPACE_2)
        self.body.addWidget(label(method.question, "heading", wrap=True))
        self.body.addWidget(caption(method.title))
        self.body.addWidget(secondary("" if set_up is None else set_up.needs, wrap=True))
        self.body.addStretch(1)
        self.start = button(tr("Start a study …"), partial(start, method.name), name=f"method.{method.name}.start")
        self.start.setAccessibleDescription(f"{method.title}: {method.question}")
        foot = QHBoxLayout()
        foot.setSpacing(SPACE_2)
        foot.addWidget(self.start)
        if rehearse is not None:
            sample = link(
                tr("Try its sample offline"), partial(rehearse, method.name), name=f"method.{method.name}.sample"
            )
            sample.setAccessibleDescription(tr("{method}: no key, no network", method=method.title))
            foot.addWidget(sample)
        foot.addStretch(1)
        self.body.addLayout(foot)
        theme.follow(self, lambda: self.setMinimumWidth(theme.px(_CARD_WIDTH)))


class MethodCards(QWidget):
    """One for each method of the catalogue."""

    def __init__(self, theme: Theme, start: Choose, rehearse: Choose | None = None) -> None:
        super().__init__()
        self.setProperty("plain", True)
        policy = QSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Preferred)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)
        flow = EqualFlow(self, spacing=SPACE_3)
        self.cards = {name: MethodCard(theme, each, start, rehearse) for name, each in catalogue.methods().items()}
        for card in self.cards.values():
            flow.addWidget(card)


class ChooseMethod(QDialog):
    """Asks for a method; *chosen* is called with its name once the dialog is closed."""

    def __init__(self, context: Context, title: str, chosen: Choose, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWindowTitle(title)
        self.setObjectName("chooseMethod")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self._chosen = chosen
        column = QVBoxLayout(self)
        column.setSpacing(SPACE_3)
        column.addWidget(label(tr("What do you want to find out?"), "title"))
        self.cards = MethodCards(context.theme, self._choose)
        column.addWidget(scrolling(self.cards), 1)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
        buttons.rejected.connect(self.reject)
        column.addWidget(buttons)
        self.resize(context.theme.px(_WIDTH), context.theme.px(_HEIGHT))

    def _choose(self, method: str) -> None:
        self.accept()
        self._chosen(method)

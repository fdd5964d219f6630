"""The exact message of any cell, by condition, dimension, identity, family and wording."""

from collections.abc import Callable, Sequence
from typing import Any

from PySide6.QtWidgets import QComboBox, QGridLayout

from gpf_desktop.domain.articles import Anchor
from gpf_desktop.domain.items import StudyItem
from gpf_desktop.domain.ports.method import Method
from gpf_desktop.domain.text import tr
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.methods.gpf_livenews.cell_preview import CellPreview
from gpf_desktop.ui.protocol.kept_edit import KeptEdit
from gpf_desktop.ui.theme.tokens import SPACE_2
from gpf_desktop.ui.widgets.cards import Card
from gpf_desktop.ui.widgets.choice_box import ChoiceBox
from gpf_desktop.ui.widgets.fields import offer
from gpf_desktop.ui.widgets.labels import caption, label
from gpf_desktop.ui.widgets.names import named
from gpf_desktop.ui.widgets.span_text import SpanTextView


class CellMessageCard(Card):
    """Selectors for one cell, and what is sent for it; while a field is edited, a cell that it has a say in."""

    def __init__(self, context: Context, edit: KeptEdit) -> None:
        super().__init__(tr("Exact message of a question"), name="protocol.message")
        self._edit = edit
        self.cell = cell = CellPreview()
        choose = self.choose
        self.condition = self._selector(
            tr("How it was asked"), "condition", lambda at: choose(condition=cell.conditions[at])
        )
        self.dimension = self._selector(
            tr("Group of readers"), "dimension", lambda at: choose(dimension=cell.dimensions[at])
        )
        self.identity = self._selector(tr("Reader"), "identity", lambda at: choose(identity=cell.identities[at]))
        self.family = self._selector(tr("Kind of question"), "family", lambda at: choose(family=cell.families[at]))
        self.wording = self._selector(tr("Wording"), "wording", lambda at: choose(paraphrase=at))
        grid = QGridLayout()
        grid.setSpacing(SPACE_2)
        # Two fields beside each other would cut the words in both.
        grid.setColumnStretch(1, 1)
        boxes = (self.condition, self.family, self.dimension, self.identity, self.wording)
        self._labels = {box: label(box.accessibleName()) for box in boxes}
        for at, (box, title) in enumerate(self._labels.items()):
            title.setBuddy(box)
            grid.addWidget(title, at, 0)
            grid.addWidget(box, at, 1)
        self.body.addLayout(grid)
        self.system = SpanTextView(
            context.theme, says=tr("System prompt of the question"), grow=True, framed=True, name="protocol.system"
        )
        self.user = SpanTextView(
            context.theme, says=tr("User message of the question"), grow=True, framed=True, name="protocol.user"
        )
        self.body.addWidget(caption(tr("System prompt")))
        self.body.addWidget(self.system)
        self.body.addWidget(caption(tr("User message, with the newest article")))
        self.body.addWidget(self.user)

    def show_protocol(self, _method: Method, protocol: Any, _items: Sequence[StudyItem], example: Anchor) -> None:
        """Show the chosen cell of *protocol*, right or wrong, about *example*."""
        self.cell.anchor = example
        self.cell.follow(protocol)
        touched, self._edit.touched = self._edit.touched, None
        if touched is not None:
            self.cell.turn_to(touched)
        self._show()

    def choose(self, **fields: Any) -> None:
        """Show another cell; what no longer fits falls back to the first that does."""
        self.cell.choose(**fields)
        self._show()

    def _show(self) -> None:
        cell, chosen = self.cell, self.cell.chosen
        offer(self.condition, [(each.words, each) for each in cell.conditions], chosen.condition)
        for box, names, name in (
            (self.dimension, cell.dimensions, chosen.dimension),
            (self.identity, cell.identities, chosen.identity),
            (self.family, cell.families, chosen.family),
        ):
            offer(box, [(each, each) for each in names], name)
            for each in (box, self._labels[box]):
                each.setVisible(bool(names))
        offer(self.wording, [(words, number) for number, words in enumerate(cell.wordings)], chosen.paraphrase)
        prompt = cell.prompt
        self.system.show_text("" if prompt is None else prompt.system, [])
        self.user.show_text("" if prompt is None else prompt.talk, [])

    def _selector(self, says: str, name: str, chosen: Callable[[int], object]) -> QComboBox:
        box = named(ChoiceBox(9), f"protocol.{name}", says)
        box.activated.connect(chosen)
        return box

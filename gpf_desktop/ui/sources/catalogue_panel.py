"""The sources that ship with the program, with what is known about each publisher."""

from functools import partial

from PySide6.QtWidgets import QCheckBox, QWidget

from gpf_desktop.domain.text import tr, trn
from gpf_desktop.ui.sources.adding_view_model import AddingViewModel
from gpf_desktop.ui.theme.tokens import SPACE_3
from gpf_desktop.ui.widgets.boxes import PlainWidget, row_of, vbox
from gpf_desktop.ui.widgets.buttons import button
from gpf_desktop.ui.widgets.cards import Card
from gpf_desktop.ui.widgets.labels import label, secondary
from gpf_desktop.ui.widgets.layouts import EqualFlow, scrolling
from gpf_desktop.ui.widgets.names import named
from gpf_desktop.ui.widgets.plain import plain_tip


class CataloguePanel(PlainWidget):
    """One card per publisher; ticked sources are added by the first of their ways that works."""

    def __init__(self, model: AddingViewModel) -> None:
        super().__init__()
        self._model = model
        self.boxes: dict[str, QCheckBox] = {}
        cards = QWidget()
        column = vbox(parent=cards, spacing=SPACE_3)
        for publisher in model.catalogue:
            card = Card(publisher.name)
            card.body.addWidget(secondary(publisher.known, wrap=True))
            holder = PlainWidget()
            flow = EqualFlow(holder)
            for source in publisher.sources:
                box = named(QCheckBox(source.title), f"catalogue.{source.title}")
                box.setToolTip(plain_tip("\n".join(source.ways)))
                box.toggled.connect(partial(model.pick, source))
                self.boxes[source.title] = box
                flow.addWidget(box)
            card.body.addWidget(holder)
            column.addWidget(card)
        column.addStretch(1)
        self.add = button("", model.add_picked, primary=True, name="catalogue.add")
        self.close_button = button(tr("Close"), model.cancel, name="catalogue.close")
        self.foot = row_of(
            label(tr("Each is tried when it is added; what works is said."), "secondary"),
            1,
            self.close_button,
            self.add,
        )
        vbox((scrolling(cards, "catalogue.list"), 1), self.foot, parent=self, spacing=SPACE_3)
        self.show_model()

    def show_model(self) -> None:
        """Paint the view-model's state."""
        picked = self._model.picked
        for title, box in self.boxes.items():
            box.setChecked(title in picked)
        self.add.setText(trn("Add {n} source", "Add {n} sources", len(picked)) if picked else tr("Add sources"))
        self.add.setEnabled(bool(picked))

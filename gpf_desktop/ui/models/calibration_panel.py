"""Built-in models to add with one click, with what each does on purpose."""

from functools import partial

from PySide6.QtWidgets import QCheckBox

from gpf_desktop.domain.checks import Planting
from gpf_desktop.domain.text import tr, trn
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.models.models_view_model import ModelsView, ModelsViewModel
from gpf_desktop.ui.theme.tokens import SPACE_3
from gpf_desktop.ui.widgets.badge import synthetic_badge
from gpf_desktop.ui.widgets.boxes import PlainWidget, column_of, fill, hbox, vbox
from gpf_desktop.ui.widgets.buttons import button
from gpf_desktop.ui.widgets.cards import Card
from gpf_desktop.ui.widgets.labels import label, secondary, show_words
from gpf_desktop.ui.widgets.layouts import EqualFlow, clear_layout, scrolling
from gpf_desktop.ui.widgets.names import named


class CalibrationPanel(PlainWidget):
    """Models that the audit has already are not offered."""

    def __init__(self, context: Context, model: ModelsViewModel) -> None:
        super().__init__()
        self._model = model
        self._offered: list[str] = []
        self.boxes: dict[str, QCheckBox] = {}
        card = self._card = Card(tr("Calibration models"))
        card.top.insertWidget(1, synthetic_badge(context.theme))
        holder = PlainWidget()
        self._flow = EqualFlow(holder)
        self._planted = secondary("", wrap=True)
        fill(
            card.body,
            secondary(
                tr(
                    "They answer without key and network, and what they do is known because it is planted: use them to"
                    " practise and to check the instrument. Their answers are labelled as synthetic everywhere."
                ),
                wrap=True,
            ),
            holder,
            self._planted,
        )
        self.add = button("", model.add_picked, primary=True, name="calibration.add")
        self.close_button = button(tr("Cancel"), lambda: model.go(ModelsView.OVERVIEW), name="calibration.cancel")
        vbox(
            (scrolling(column_of(card, 1)), 1),
            hbox(label(), 1, self.close_button, self.add),
            parent=self,
            spacing=SPACE_3,
        )

    def show_model(self) -> None:
        """Paint the view-model's state."""
        provider = self._model.calibration
        self._card.title.setText(provider.title)
        planted = provider.planted if isinstance(provider, Planting) else ""
        show_words(self._planted, planted)
        offered = self._model.calibration_left
        if offered != self._offered:
            self._offer(offered)
        for name, box in self.boxes.items():
            box.setChecked(name in self._model.picked)
        picked = len(self._model.picked)
        self.add.setText(trn("Add {n} model", "Add {n} models", picked) if picked else tr("Add models"))
        self.add.setEnabled(bool(picked))

    def _offer(self, names: list[str]) -> None:
        self._offered = names
        clear_layout(self._flow)
        self.boxes = {}
        for name in names:
            box = named(QCheckBox(name), f"calibration.{name}")
            box.toggled.connect(partial(self._model.pick, name))
            self.boxes[name] = box
            self._flow.addWidget(box)

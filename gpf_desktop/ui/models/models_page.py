"""The page Models: the audit's models, a card per provider to add one, the form of one model."""

from collections.abc import Mapping
from functools import cached_property, partial

from PySide6.QtWidgets import QCheckBox, QWidget

from gpf_desktop.domain.model_tests import ModelFault
from gpf_desktop.domain.ports.provider import Planting, Provider
from gpf_desktop.domain.text import tr, trn
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.file_dialogs import ask_to_open
from gpf_desktop.ui.models.editor import ModelEditor
from gpf_desktop.ui.models.editor_view_model import EditorViewModel
from gpf_desktop.ui.models.model_table import ModelsTable
from gpf_desktop.ui.models.models_view_model import ModelsView, ModelsViewModel
from gpf_desktop.ui.page import Page
from gpf_desktop.ui.theme.tokens import SPACE_3
from gpf_desktop.ui.widgets.badge import synthetic_badge
from gpf_desktop.ui.widgets.boxes import PlainWidget, column_of, fill, hbox, stacked, vbox
from gpf_desktop.ui.widgets.buttons import button
from gpf_desktop.ui.widgets.cards import Card, ChoiceCard, EmptyState
from gpf_desktop.ui.widgets.labels import heading, label, secondary, show_words
from gpf_desktop.ui.widgets.layouts import EqualFlow, clear_layout, scrolling
from gpf_desktop.ui.widgets.names import named


class ModelsPage(Page):
    """The list and the cards; while one model is added or edited, its form stands there."""

    def __init__(self, context: Context) -> None:
        super().__init__(context, "models", tr("Models"))
        self.model = ModelsViewModel(context, self)
        self._wanted: object = None
        """The model whose form is to be opened once it is read."""
        self._fault: ModelFault | None = None
        self.editing = EditorViewModel(context, self.model, self)
        self.table = ModelsTable(context, self.model, self.editing)
        self.none_yet = secondary("", wrap=True)
        self.cards: dict[str, ChoiceCard] = {}
        self.next = button(tr("Set up a round"), context.actions.action("run.new").trigger, name="models.next")
        self.header.add_button(self.next)
        self.empty = EmptyState(context.theme, "models")
        self.empty.ask_for_audit(tr("Models are kept in an audit, and none is open."), context.actions)
        self._lay_out()
        self.model.changed.connect(self._show)
        context.actions.on("models.calibration", self.model.offer_calibration)
        context.actions.on("models.testAll", lambda: self.model.test(self.model.rows))
        context.actions.on("models.prices", self._ask_for_prices)
        self._show()

    @cached_property
    def editor(self) -> ModelEditor:
        """The form of one model; as the built-in models' panel made when first asked for."""
        made = ModelEditor(self.context, self.editing)
        self.stack.addWidget(made)
        self.editing.changed.connect(made.show_model)
        self.model.changed.connect(made.show_model)
        made.show_model()
        return made

    @cached_property
    def calibration(self) -> "CalibrationPanel":
        made = CalibrationPanel(self.context, self.model)
        self.stack.addWidget(made)
        self.model.changed.connect(made.show_model)
        made.show_model()
        return made

    def _in_view(self) -> QWidget:
        match self.model.place:
            case ModelsView.OVERVIEW:
                return self.overview
            case ModelsView.CALIBRATION:
                return self.calibration
            case ModelsView.EDITOR:
                return self.editor
            case ModelsView.NO_AUDIT:
                return self.empty

    def arrive(self, state: Mapping[str, object]) -> None:
        self._wanted, fault = state.get("model"), state.get("fault")
        self._fault = fault if isinstance(fault, ModelFault) else None
        self.model.refresh()
        self.model.look_for_failed_checks()
        named = state.get("provider")
        for provider in self.model.providers:
            if provider.name == named:
                self._add(provider)

    def first_focus(self) -> QWidget:
        if self.model.place is ModelsView.EDITOR:
            return self.editor.at_fault()
        return self.table.table if self.model.rows else next(iter(self.cards.values()))

    def _lay_out(self) -> None:
        overview = QWidget()
        column = vbox(self.table, self.none_yet, heading(tr("Add a model")), parent=overview, spacing=SPACE_3)
        holder = PlainWidget()
        flow = EqualFlow(holder, spacing=SPACE_3)
        for provider in self.model.providers:
            card = ChoiceCard(
                self.context.theme,
                "synthetic" if provider.synthetic else "models",
                provider.title,
                "",
                name=f"provider.{provider.name}",
            )
            card.chosen.connect(partial(self._add, provider))
            self.cards[provider.name] = card
            flow.addWidget(card)
        column.addWidget(holder)
        column.addStretch(1)
        self.overview = scrolling(overview, "models.overview")
        self.stack = stacked(self.overview, self.empty)
        self.body.addWidget(self.stack, 1)

    def _ask_for_prices(self) -> None:
        lists = tr("Price lists") + " (*.yaml *.yml)"
        ask_to_open(self, tr("Load a price list"), lists, self.model.load_prices)

    def _add(self, provider: Provider) -> None:
        if provider.synthetic:
            self.model.offer_calibration(provider)
        else:
            self.editing.start(provider)

    def _show(self) -> None:
        model = self.model
        wanted = next((row for row in model.rows if row.model.id == self._wanted), None)
        if wanted is not None:
            self._wanted = None
            self.editing.edit(wanted, self._fault)
        self.stack.setCurrentWidget(self._in_view())
        self.header.subtitle.setText(model.subtitle)
        self.table.setVisible(bool(model.rows))
        # The message that a model is kept offers it for some seconds only.
        self.next.setVisible(bool(model.rows) and model.place is ModelsView.OVERVIEW)
        self.none_yet.setVisible(not model.rows)
        self.none_yet.setText(
            tr("No model yet. Add one of a provider, or built-in test models to practise with.")
            if model.read
            else tr("The models are being read. A key store that asks for its password keeps them back.")
        )
        for provider in model.providers:
            self.cards[provider.name].set_sentence(model.provider_sentence(provider))
        self.table.show_model()


class CalibrationPanel(PlainWidget):
    """Models that the audit has already are not offered."""

    def __init__(self, context: Context, model: ModelsViewModel) -> None:
        super().__init__()
        self._model = model
        self._offered: list[str] = []
        self.boxes: dict[str, QCheckBox] = {}
        card = self._card = Card(tr("Built-in test models"))
        card.top.insertWidget(1, synthetic_badge(context.theme))
        holder = PlainWidget()
        self._flow = EqualFlow(holder)
        self._planted = secondary("", wrap=True)
        fill(
            card.body,
            secondary(
                tr(
                    "They answer without key and network. What they do is planted, so it is known what must be "
                    "found: use them to practise and to check the test. Their answers are labelled as synthetic "
                    "everywhere."
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

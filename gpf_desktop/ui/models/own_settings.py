"""Settings of one model alone: decoding, price, limits, the provider's own options."""

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QSignalBlocker
from PySide6.QtWidgets import QCheckBox

from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.text import tr
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.models.editor_view_model import EditorViewModel
from gpf_desktop.ui.models.forms import DecodingForm, LimitsForm, PriceForm
from gpf_desktop.ui.models.wording import price_date, price_words
from gpf_desktop.ui.widgets.cards import Card
from gpf_desktop.ui.widgets.labels import caption
from gpf_desktop.ui.widgets.layouts import clear_layout
from gpf_desktop.ui.widgets.names import named
from gpf_desktop.ui.widgets.options_form import OptionsForm
from gpf_desktop.ui.widgets.section import CollapsibleSection


class OwnSettings(Card):
    """Four parts that fold away; each change goes straight to the view-model's draft."""

    def __init__(self, context: Context, model: EditorViewModel) -> None:
        super().__init__(tr("Set for this model alone"))
        theme = context.theme
        self._context, self._model = context, model
        self._options: OptionsForm | None = None
        self.own_decoding = named(QCheckBox(tr("Decode differently from the protocol")), "models.ownDecoding")
        self.decoding = OptionsForm(theme, DecodingForm, name="models.decoding")
        self.priced = named(QCheckBox(tr("My own price")), "models.priced")
        self.price = OptionsForm(theme, PriceForm, name="models.price")
        self._price_note = caption(name="models.priceNote")
        self.limits = OptionsForm(theme, LimitsForm, name="models.limits")
        self.decoding_section = CollapsibleSection(theme, tr("Decoding"))
        self.price_section = CollapsibleSection(theme, tr("Price per million tokens"))
        self.limits_section = CollapsibleSection(theme, tr("Limits"))
        self.options_section = CollapsibleSection(theme, tr("Options of the provider"))
        for section, widgets in (
            (self.decoding_section, (self.own_decoding, self.decoding)),
            (self.price_section, (self.priced, self.price, self._price_note)),
            (self.limits_section, (self.limits,)),
            (self.options_section, ()),
        ):
            for widget in widgets:
                section.body.addWidget(widget)
            self.body.addWidget(section)
        self.own_decoding.toggled.connect(self._decoding_changed)
        self.decoding.changed.connect(self._decoding_changed)
        self.priced.toggled.connect(self._price_changed)
        self.price.changed.connect(self._price_changed)
        self.limits.changed.connect(lambda: self._take("limits", lambda: self.limits.value().limits()))

    def show_model(self) -> None:
        """Show what follows from the draft."""
        price, own = self._model.price, self._model.draft.price
        words = f"{price_words(price)}. " if own is None or own.free else ""
        self._price_note.setText(f"{words[:1].upper()}{words[1:]}{price_date(price)}".strip())

    def fill(self) -> None:
        """Show the draft, without telling the view-model what it knows."""
        model, draft = self._model, self._model.draft
        blockers = [
            QSignalBlocker(each) for each in (self.own_decoding, self.decoding, self.priced, self.price, self.limits)
        ]
        self.own_decoding.setChecked(draft.decoding is not None)
        self.decoding.set_value(DecodingForm.of(draft.decoding or model.models.decoding))
        self.decoding.setVisible(draft.decoding is not None)
        price = draft.price
        self.priced.setChecked(price is not None)
        self.price.set_value(PriceForm() if price is None else PriceForm.of(price))
        self.price.setVisible(price is not None)
        self.limits.set_value(LimitsForm.of(draft.limits))
        del blockers
        self.price_section.setVisible(not model.provider.synthetic)
        self._fill_options()

    def _fill_options(self) -> None:
        clear_layout(self.options_section.body)
        declared = self._model.provider.options
        # A stored model may have options that this version of the provider does not know.
        held = {
            name: value for name, value in self._model.draft.options.items() if name in declared.__dataclass_fields__
        }
        self._options = OptionsForm(self._context.theme, declared, declared(**held), name="models.options")
        self._options.changed.connect(self._options_changed)
        self.options_section.body.addWidget(self._options)
        self.options_section.setVisible(not self._options.is_empty)

    def _decoding_changed(self, *_: object) -> None:
        own = self.own_decoding.isChecked()
        self.decoding.setVisible(own)
        self._take("decoding", lambda: self.decoding.value().decoding() if own else None)

    def _price_changed(self, *_: object) -> None:
        known = self.priced.isChecked()
        self.price.setVisible(known)
        before = self._model.price
        # An own price begins as what was counted with until then, that of the list.
        if known and self._model.draft.price is None and before is not None:
            with QSignalBlocker(self.price):
                self.price.set_value(PriceForm.of(before))
        before = self._model.draft.price
        self._take("price", lambda: self.price.value().price(before) if known else None)

    def _options_changed(self) -> None:
        form = self._options
        if form is not None:
            names = self._model.provider.options.__dataclass_fields__
            self._take("options", lambda: {name: getattr(form.value(), name) for name in names})

    def _take(self, field: str, value: Callable[[], Any]) -> None:
        try:
            self._model.change(**{field: value()})
        except UserError:
            # The form itself shows what is wrong, beside the field.
            return

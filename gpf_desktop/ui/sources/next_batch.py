"""The line under the articles: what each stratum is given by hand, and how many articles the next batch takes of it."""

from collections.abc import Callable
from functools import partial

from PySide6.QtWidgets import QPushButton, QSpinBox

from gpf_desktop.domain.news_strata import NewsStratum
from gpf_desktop.domain.text import tr
from gpf_desktop.ui.sources.articles_view_model import ArticlesViewModel
from gpf_desktop.ui.theme import Theme
from gpf_desktop.ui.theme.tokens import SPACE_2
from gpf_desktop.ui.widgets.boxes import PlainWidget, hbox, vbox
from gpf_desktop.ui.widgets.buttons import button
from gpf_desktop.ui.widgets.editors import whole_box
from gpf_desktop.ui.widgets.labels import label
from gpf_desktop.ui.widgets.layouts import clear_layout, flowing
from gpf_desktop.ui.widgets.names import named
from gpf_desktop.ui.widgets.plain import plain_tip

_MOST = 500
_BOX = 72
"""A box's width, in pixels at 100 %."""


class NextBatch(PlainWidget):
    """Follows the strata of the audit's method; one box for all articles where it keeps none."""

    def __init__(self, theme: Theme, model: ArticlesViewModel, set_stratum: Callable[[NewsStratum], None]) -> None:
        super().__init__()
        self._theme, self._model, self._set_stratum = theme, model, set_stratum
        self._column = vbox(parent=self)
        self._make()

    def show_model(self) -> bool:
        """Paint the view-model's state; whether other strata than before are shown."""
        made_anew = [*self._model.sizes] != [*self.boxes]
        if made_anew:
            self._make()
        self.round.setEnabled(not self._model.why_not_ready)
        self.round.setToolTip(plain_tip(self._model.why_not_ready))
        return made_anew

    def enable_setters(self, on: bool) -> None:
        for setter in self.setters.values():
            setter.setEnabled(on)

    def size_boxes(self) -> None:
        """What depends on the size of the text."""
        for box in self.boxes.values():
            box.setFixedWidth(self._theme.px(_BOX))

    def _make(self) -> None:
        clear_layout(self._column)
        strata = self._model.strata
        self.setters: dict[str, QPushButton] = {name: self._setter(each) for name, each in strata.items()}
        """By stratum: calls the selected articles that."""
        self.boxes: dict[str, QSpinBox] = {name: self._box(name) for name in self._model.sizes}
        """As `ArticlesViewModel.sizes`."""
        self.round = button(tr("Set up a round"), self._model.set_up_round, name="articles.round")
        batch = PlainWidget()
        row = hbox(label(tr("Next batch")), parent=batch, spacing=SPACE_2)
        for name, box in self.boxes.items():
            row.addWidget(box)
            row.addWidget(label(strata[name].short if name else tr("articles")))
        self._column.addWidget(flowing(*self.setters.values(), batch, self.round))
        self.size_boxes()

    def _setter(self, stratum: NewsStratum) -> QPushButton:
        words = tr("Call it {stratum}", stratum=stratum.short)
        return button(words, partial(self._set_stratum, stratum), name=f"articles.to-{stratum.name}")

    def _box(self, name: str) -> QSpinBox:
        says = (
            tr("{stratum} articles in the next batch", stratum=self._model.strata[name].title)
            if name
            else tr("Articles in the next batch")
        )
        box = named(whole_box(0, _MOST), f"articles.size-{name}", says)
        box.setToolTip(plain_tip(says))
        box.setValue(self._model.sizes[name])
        box.valueChanged.connect(partial(self._model.set_size, name))
        return box

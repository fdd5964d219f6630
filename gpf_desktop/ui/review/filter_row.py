"""The row that narrows the queue: one box per coordinate, filters saved under a name, samples."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QComboBox

from gpf_desktop.domain.methods import Factor
from gpf_desktop.domain.review_queue import FilterChoices, QueueFilter, QueueOrder
from gpf_desktop.domain.text import capital, tr
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.core.factor_words import arm_title, stratum_title, telling
from gpf_desktop.ui.review.filters_view_model import FiltersViewModel
from gpf_desktop.ui.review.sample_panel import SamplePanel
from gpf_desktop.ui.review.sample_words import only_words
from gpf_desktop.ui.review.saved_filters_menu import NameLine, SavedFiltersButton
from gpf_desktop.ui.review.wording import flag_words, score_words
from gpf_desktop.ui.theme.tokens import SPACE_2
from gpf_desktop.ui.widgets.boxes import PlainWidget, hbox
from gpf_desktop.ui.widgets.buttons import button, link
from gpf_desktop.ui.widgets.cards import Card
from gpf_desktop.ui.widgets.choice_box import ChoiceBox
from gpf_desktop.ui.widgets.fields import offer
from gpf_desktop.ui.widgets.labels import label
from gpf_desktop.ui.widgets.layouts import FlowLayout
from gpf_desktop.ui.widgets.names import named

Choice = tuple[Any, str]


class FilterRow(Card):
    """The row of boxes; each choice goes straight to the `FiltersViewModel`."""

    place_wanted = Signal()
    """Shown for the first time: it is to be put into the page."""

    def __init__(self, filters: FiltersViewModel) -> None:
        super().__init__(name="review.filters")
        self._filters = filters
        self._boxes: dict[str, QComboBox] = {}
        self._offered: dict[QComboBox, Sequence[Choice]] = {}
        """To ask the boxes for thousands of articles, at every turn, held the window for 10 to 40 ms."""
        self._levels: dict[str, QComboBox] = {}
        """By factor of the runs' methods."""
        self._categories: dict[str, QComboBox] = {}
        """By measure whose values are categories."""
        self._method: str | None = None
        """That of the bundles that are offered."""
        self._choices = PlainWidget()
        self._flow = FlowLayout(self._choices, spacing=SPACE_2)
        for field, title in (
            ("method", tr("Method")),
            ("arm", tr("How it was asked")),
            ("model", tr("Model")),
            ("article_id", tr("Item")),
            ("stratum", tr("Kind of item")),
            ("run_id", tr("Round")),
            ("batch_id", tr("Batch")),
            ("flag", tr("Flag")),
        ):
            self._boxes[field] = self._box(field, title)
            self._flow.addWidget(self._boxes[field])
        self.refusals = named(QCheckBox(tr("Sets with declined readers first")), "review.filter.refusals")
        self.refusals.clicked.connect(self._refusals_clicked)
        self._flow.addWidget(self.refusals)
        self.saved = SavedFiltersButton(filters)
        self.saved.name_asked.connect(self.ask_name)
        self.sample = button(tr("Sample …"), self.toggle_sample, name="review.filter.sample")
        self._clear = link(tr("Clear the filter"), filters.clear, name="review.filter.clear")
        for widget in (self.saved, self.sample, self._clear):
            self._flow.addWidget(widget)
        self._only = label("", "secondary", wrap=True, name="review.filter.only")
        self._all = link(tr("Back to all sets"), filters.leave_sample, name="review.filter.all")
        self._only_row = PlainWidget()
        hbox((self._only, 1), self._all, parent=self._only_row, spacing=SPACE_2)
        self.name_line = NameLine(filters)
        self.name_line.closed.connect(self._name_done)
        self.panel = SamplePanel(filters)
        self.panel.closed.connect(self._sample_done)
        for part in (self._choices, self._only_row, self.name_line, self.panel):
            self.body.addWidget(part)
        self.name_line.hide()
        self.panel.hide()

    def setVisible(self, visible: bool) -> None:
        if visible and self.parent() is None:
            self.place_wanted.emit()
        super().setVisible(visible)

    def _box(self, field: str, title: str) -> QComboBox:
        box = named(ChoiceBox(14), f"review.filter.{field}", title)
        box.activated.connect(self._changed)
        return box

    def _offer(self, factors: Mapping[str, Factor], measures: Iterable[str]) -> None:
        """A box for each of *factors* and of *measures*, behind the one for the arm."""
        self.panel.offer(factors)
        measures = [*measures]
        if [*factors] == [*self._levels] and measures == [*self._categories]:
            return
        for box in (*self._levels.values(), *self._categories.values()):
            self._offered.pop(box, None)
            self._flow.removeWidget(box)
            box.deleteLater()
        self._levels = {name: self._box(name, factor.title) for name, factor in factors.items()}
        self._categories = {name: self._box(name, capital(score_words(name))) for name in measures}
        before = self._boxes["arm"]
        for place, box in enumerate((*self._levels.values(), *self._categories.values()), start=2):
            self._flow.insert_widget(place, box)
            self.setTabOrder(before, box)
            before = box
        self.setTabOrder(before, self._boxes["model"])

    def ask_name(self, renamed: str = "") -> None:
        """A line to name what is in force, or the filter *renamed* anew."""
        self.show()
        if not self.panel.isHidden():
            self._sample_done()
        self.name_line.open(renamed)

    def toggle_sample(self) -> None:
        """Open the panel for samples in the filters' place, or close it."""
        if self.panel.isHidden():
            self.show()
            self.name_line.hide()
            self._choices.hide()
            self.panel.open()
        else:
            self._sample_done()

    def show_filter(self, choices: FilterChoices | None, *, blind: bool) -> None:
        """Show the filter in force; where *blind*, no models, and no runs and batches whose names would tell them."""
        wanted = self._filters.wanted
        self.refusals.setChecked(self._filters.order.refusals_first)
        self._boxes["model"].setVisible(not blind)
        self._clear.setEnabled(bool(wanted.narrowed))
        chosen = wanted.bundle_ids
        self._only.setText(
            "" if chosen is None else self._filters.origin_words or only_words(wanted.drawn, len(chosen))
        )
        self._only_row.setVisible(chosen is not None)
        if choices is None:
            return
        everything = tr("all")
        method = wanted.method or next(iter(choices.methods), None)
        self._method = method
        self._put(self._boxes["method"], [(each, catalogue.method(each).title) for each in choices.methods], method)
        self._boxes["method"].setVisible(len(choices.methods) > 1)
        self._offer(telling(() if method is None else (method,)), choices.categories)
        self._fill("arm", [*((each, arm_title(each, method)) for each in choices.arms), (None, everything)])
        chosen_levels = dict(wanted.levels)
        for factor, box in self._levels.items():
            levels = [(None, everything), *((each, each) for each in choices.levels.get(factor, ()))]
            self._put(box, levels, chosen_levels.get(factor))
        given = dict(wanted.categories)
        for name, box in self._categories.items():
            self._put(box, [(None, everything), *((each, each) for each in choices.categories[name])], given.get(name))
        self._fill("model", [(None, everything), *((each, each) for each in choices.models)])
        self._fill("article_id", [(None, everything), *choices.articles])
        self._fill("stratum", [(None, everything), *((each, capital(stratum_title(each))) for each in choices.strata)])
        self._boxes["stratum"].setVisible(bool(choices.strata))
        self._fill("run_id", [(None, everything), *_covered(choices.runs, tr("Round"), blind=blind)])
        self._fill("batch_id", [(None, everything), *_covered(choices.batches, tr("Batch"), blind=blind)])
        self._fill("flag", [(None, everything), *((each, flag_words(each)) for each in choices.flags)])

    def _fill(self, field: str, choices: Sequence[Choice]) -> None:
        self._put(self._boxes[field], choices, getattr(self._filters.wanted, field))

    def _put(self, box: QComboBox, choices: Sequence[Choice], now: object) -> None:
        """Offer *choices* in *box*, of which *now* is in force."""
        if self._offered.get(box) != choices:
            self._offered[box] = choices
            title = box.accessibleName()
            offer(box, [(f"{title}: {words}" if value is None else words, value) for value, words in choices])
        box.setCurrentIndex(next((at for at, (value, _) in enumerate(choices) if value == now), 0))
        box.setEnabled(len(choices) > 1)

    def _changed(self) -> None:
        chosen = {field: box.currentData() for field, box in self._boxes.items() if box.count()}
        wanted, method = self._filters.wanted, chosen.pop("method", None)
        if method != (wanted.method or self._method):
            # What was picked among another method's bundles says nothing about this one's.
            self._filters.put_in_force(QueueFilter(method=method), QueueOrder())
            return
        levels = [(factor, box.currentData()) for factor, box in self._levels.items() if box.currentData() is not None]
        # What no box here is for stays in force.
        others = [pair for pair in wanted.levels if pair[0] not in self._levels]
        picked = ((name, box.currentData()) for name, box in self._categories.items())
        categories = tuple(pair for pair in picked if pair[1] is not None)
        self._filters.set_filter(replace(wanted, **chosen, levels=(*levels, *others), categories=categories))

    def _refusals_clicked(self, on: bool) -> None:
        self._filters.set_order(replace(self._filters.order, refusals_first=on))

    def _name_done(self) -> None:
        self.name_line.hide()
        self.saved.setFocus()

    def close_sample(self) -> None:
        """The filters stand in the place of the panel again."""
        self.panel.hide()
        self._choices.show()

    def _sample_done(self) -> None:
        self.close_sample()
        self.sample.setFocus()


def _covered(named: Sequence[tuple[int, str]], what: str, *, blind: bool) -> Sequence[Choice]:
    """Runs and batches may be called after a model: a blind reader knows them by number."""
    return [(each, f"{what} {each}") for each, _ in named] if blind else named

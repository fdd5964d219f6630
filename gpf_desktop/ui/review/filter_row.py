"""Which bundles stand in the queue: one box per coordinate, filters saved under a name, samples."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from PySide6.QtWidgets import QCheckBox, QComboBox, QHBoxLayout, QWidget

from gpf_desktop.domain.articles import Stratum
from gpf_desktop.domain.cells import Condition
from gpf_desktop.domain.review_queue import EVERYTHING, PARAPHRASES, FilterChoices
from gpf_desktop.domain.text import tr
from gpf_desktop.ui.review.filters_view_model import FiltersViewModel
from gpf_desktop.ui.review.sample_panel import SamplePanel
from gpf_desktop.ui.review.sample_words import only_words
from gpf_desktop.ui.review.saved_filters_menu import NameLine, SavedFiltersButton
from gpf_desktop.ui.review.wording import condition_words, flag_words
from gpf_desktop.ui.theme.tokens import SPACE_2
from gpf_desktop.ui.widgets.buttons import button, link
from gpf_desktop.ui.widgets.cards import Card
from gpf_desktop.ui.widgets.labels import label
from gpf_desktop.ui.widgets.layouts import FlowLayout

Choice = tuple[Any, str]


class FilterRow(Card):
    """What is chosen goes straight to the `FiltersViewModel`."""

    def __init__(self, filters: FiltersViewModel) -> None:
        super().__init__(name="review.filters")
        self._filters = filters
        self._boxes: dict[str, QComboBox] = {}
        self._choices = QWidget()
        self._choices.setProperty("plain", True)
        self._flow = FlowLayout(self._choices, spacing=SPACE_2)
        for field, title in (
            ("condition", tr("Condition")),
            ("dimension", tr("Dimension")),
            ("family", tr("Family")),
            ("model", tr("Model")),
            ("article_id", tr("News item")),
            ("stratum", tr("Stratum")),
            ("run_id", tr("Run")),
            ("batch_id", tr("Batch")),
            ("flag", tr("Flag")),
        ):
            box = QComboBox()
            box.setObjectName(f"review.filter.{field}")
            box.setAccessibleName(title)
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            box.setMinimumContentsLength(14)
            box.activated.connect(self._changed)
            self._boxes[field] = box
            self._flow.addWidget(box)
        self.refusals = QCheckBox(tr("Bundles with some refusals first"))
        self.refusals.setObjectName("review.filter.refusals")
        self.refusals.clicked.connect(self._refusals_clicked)
        self._flow.addWidget(self.refusals)
        self.saved = SavedFiltersButton(filters)
        self.saved.name_asked.connect(self.ask_name)
        self.sample = button(tr("Sample …"), self.toggle_sample, name="review.filter.sample")
        self._clear = link(tr("Clear the filter"), filters.clear, name="review.filter.clear")
        for widget in (self.saved, self.sample, self._clear):
            self._flow.addWidget(widget)
        self._only = label("", "secondary", wrap=True, name="review.filter.only")
        self._all = link(tr("Back to all bundles"), filters.leave_sample, name="review.filter.all")
        self._only_row = QWidget()
        self._only_row.setProperty("plain", True)
        only = QHBoxLayout(self._only_row)
        only.setContentsMargins(0, 0, 0, 0)
        only.setSpacing(SPACE_2)
        only.addWidget(self._only, 1)
        only.addWidget(self._all)
        self.name_line = NameLine(filters)
        self.name_line.closed.connect(self._name_done)
        self.panel = SamplePanel(filters)
        self.panel.closed.connect(self._sample_done)
        for part in (self._choices, self._only_row, self.name_line, self.panel):
            self.body.addWidget(part)
        self.name_line.hide()
        self.panel.hide()

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
        """What is in force; in blind mode models cannot be told apart."""
        wanted = self._filters.wanted
        self.refusals.setChecked(self._filters.order.refusals_first)
        self._boxes["model"].setVisible(not blind)
        self._clear.setEnabled(bool(wanted.narrowed))
        chosen = wanted.bundle_ids
        self._only.setText("" if chosen is None else only_words(wanted.drawn, len(chosen)))
        self._only_row.setVisible(chosen is not None)
        if choices is None:
            return
        everything = tr("all")
        conditions = [*choices.conditions]
        if Condition.IDENTITY.value in conditions:
            conditions.insert(1, PARAPHRASES)
        self._fill("condition", [(each, condition_words(each)) for each in (*conditions, EVERYTHING)])
        self._fill("dimension", [(None, everything), *((each, each) for each in choices.dimensions)])
        self._fill("family", [(None, everything), *((each, each) for each in choices.families)])
        self._fill("model", [(None, everything), *((each, each) for each in choices.models)])
        self._fill("article_id", [(None, everything), *choices.articles])
        strata = [(Stratum.RELEVANT.value, tr("identity-relevant")), (Stratum.NEUTRAL.value, tr("identity-neutral"))]
        self._fill("stratum", [(None, everything), *strata])
        self._fill("run_id", [(None, everything), *choices.runs])
        self._fill("batch_id", [(None, everything), *choices.batches])
        self._fill("flag", [(None, everything), *((each, flag_words(each)) for each in choices.flags)])

    def _fill(self, field: str, choices: Sequence[Choice]) -> None:
        box = self._boxes[field]
        title = box.accessibleName()
        values = [value for value, _ in choices]
        if [box.itemData(at) for at in range(box.count())] != values:
            box.clear()
            for value, words in choices:
                box.addItem(f"{title}: {words}" if value is None else words, value)
        now = getattr(self._filters.wanted, field)
        box.setCurrentIndex(values.index(now) if now in values else 0)
        box.setEnabled(len(values) > 1)

    def _changed(self) -> None:
        fields = {field: box.currentData() for field, box in self._boxes.items() if box.count()}
        self._filters.set_filter(replace(self._filters.wanted, **fields))

    def _refusals_clicked(self, on: bool) -> None:
        self._filters.set_order(replace(self._filters.order, refusals_first=on))

    def _name_done(self) -> None:
        self.name_line.hide()
        self.saved.setFocus()

    def _sample_done(self) -> None:
        self.panel.hide()
        self._choices.show()
        self.sample.setFocus()

"""Which bundles stand in the queue: one box per coordinate, and filters saved under a name."""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QCheckBox, QComboBox, QMenu, QWidget

from gpf_desktop.domain.articles import Stratum
from gpf_desktop.domain.cells import Condition
from gpf_desktop.domain.review_queue import EVERYTHING, PARAPHRASES, FilterChoices, QueueFilter, QueueOrder
from gpf_desktop.domain.text import tr, trn
from gpf_desktop.ui.review.wording import condition_words, flag_words
from gpf_desktop.ui.theme import Theme
from gpf_desktop.ui.theme.tokens import SPACE_2
from gpf_desktop.ui.widgets.buttons import button, link
from gpf_desktop.ui.widgets.cards import Card
from gpf_desktop.ui.widgets.labels import label
from gpf_desktop.ui.widgets.layouts import FlowLayout

Choice = tuple[Any, str]
SAMPLES = (10, 25, 50, 100, 200)


class FilterRow(Card):
    """Emits a whole `QueueFilter` at each choice."""

    chosen = Signal(object)
    order_chosen = Signal(object)
    sample_asked = Signal(int)

    def __init__(self, theme: Theme) -> None:
        super().__init__(name="review.filters")
        self._theme = theme
        self._wanted = QueueFilter()
        self._order = QueueOrder()
        self._boxes: dict[str, QComboBox] = {}
        holder = QWidget()
        holder.setProperty("plain", True)
        self._flow = FlowLayout(holder, spacing=SPACE_2)
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
        self._sample = button(tr("Random sample"), name="review.filter.sample")
        self._sample.setProperty("menu", True)
        self._sample.setToolTip(tr("The same bundles for every reviewer of this audit, to measure agreement on"))
        menu = QMenu(self)
        for size in SAMPLES:
            menu.addAction(trn("{n} bundle", "{n} bundles", size)).triggered.connect(partial(self._sampled, size))
        self._sample.setMenu(menu)
        self._flow.addWidget(self._sample)
        self._flow.addWidget(link(tr("Clear"), self._clear, name="review.filter.clear"))
        self._only = label("", "caption", name="review.filter.only")
        self._flow.addWidget(self._only)
        self.body.addWidget(holder)

    def show_filter(
        self, wanted: QueueFilter, order: QueueOrder, choices: FilterChoices | None, *, blind: bool
    ) -> None:
        """What is in force; in blind mode models cannot be told apart."""
        self._wanted, self._order = wanted, order
        self.refusals.setChecked(order.refusals_first)
        self._boxes["model"].setVisible(not blind)
        chosen = wanted.bundle_ids
        self._only.setText("" if chosen is None else tr("Only a sample of {n} bundles", n=len(chosen)))
        self._only.setVisible(chosen is not None)
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
        now = getattr(self._wanted, field)
        box.setCurrentIndex(values.index(now) if now in values else 0)
        box.setEnabled(len(values) > 1)

    def _changed(self) -> None:
        fields = {field: box.currentData() for field, box in self._boxes.items() if box.count()}
        self.chosen.emit(replace(self._wanted, **fields))

    def _sampled(self, size: int, _checked: bool = False) -> None:
        self.sample_asked.emit(size)

    def _refusals_clicked(self, on: bool) -> None:
        self.order_chosen.emit(replace(self._order, refusals_first=on))

    def _clear(self) -> None:
        self.chosen.emit(QueueFilter())

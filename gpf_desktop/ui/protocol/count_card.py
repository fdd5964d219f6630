"""How many cells a protocol makes, and what asking them would cost."""

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QGridLayout, QLabel

from gpf_desktop.domain.coordinates import MAIN
from gpf_desktop.domain.text import tr, trn, within
from gpf_desktop.engine.protocol.protocol_outlook import Outlook
from gpf_desktop.engine.rounds.planning import REPEATS
from gpf_desktop.ui.protocol.protocol_view_model import ProtocolViewModel
from gpf_desktop.ui.theme.tokens import SPACE_2
from gpf_desktop.ui.widgets.boxes import hbox
from gpf_desktop.ui.widgets.cards import Card
from gpf_desktop.ui.widgets.editors import whole_box
from gpf_desktop.ui.widgets.fields import FormField
from gpf_desktop.ui.widgets.labels import caption, label
from gpf_desktop.ui.widgets.layouts import clear_layout, rule
from gpf_desktop.ui.wording import NO_VALUE, count, money

_MOST_ARTICLES, _MOST_MODELS = 10_000, 200
_TOTAL = "total"


class CountCard(Card):
    """A live count of cells by what they are for."""

    def __init__(self, model: ProtocolViewModel) -> None:
        super().__init__(tr("How many questions"), name="protocol.count")
        self._model = model
        self.articles, self.models = whole_box(1, _MOST_ARTICLES), whole_box(1, _MOST_MODELS)
        self.articles.setValue(model.articles)
        self.models.setValue(model.models)
        self._articles = FormField(tr("Articles"), self.articles, name="protocol.articles")
        models = FormField(tr("Models"), self.models, name="protocol.models")
        self.body.addLayout(hbox(self._articles, models, spacing=SPACE_2))
        self._lines: tuple[str, ...] = ()
        self._grid = QGridLayout()
        self._grid.setColumnStretch(0, 1)
        self._values: dict[str, QLabel] = {}
        self.body.addLayout(self._grid)
        self._later = caption()
        self.body.addWidget(self._later)
        self._later.hide()
        self._cost = label("", wrap=True, name="protocol.cost")
        self._remarks = caption(name="protocol.costRemarks")
        self._rule = rule()
        for each in (self._rule, self._cost, self._remarks):
            self.body.addWidget(each)
        for box in (self.articles, self.models):
            box.valueChanged.connect(self._sized)

    def show_model(self) -> None:
        """Paint the view-model's state."""
        model = self._model
        self._articles.setVisible(model.asks_news)
        if model.count is not None and model.method is not None:
            # Later stages, judgements above all, rest on answers that are not there yet.
            arms = dict.fromkeys((MAIN, REPEATS, *model.method.arms))
            self._list(tuple(each for each in arms if model.count.of(each)))
            shown = model.working
            later = () if shown is None else model.method.stages_of(shown)[1:]
            words = tr("Of answers. On top come, once these are there: {stages}.", stages=within(", ".join(later)))
            self._later.setText(words if later else "")
            self._later.setVisible(bool(later))
        for key, value in self._values.items():
            counted = model.count
            value.setText(NO_VALUE if counted is None else count(counted.total if key == _TOTAL else counted.of(key)))
        cost, remarks = _cost_words(model.outlook, model.articles) if model.asks_news else ("", "")
        for line, words in ((self._cost, cost), (self._remarks, remarks)):
            line.setText(words)
            line.setVisible(bool(words))
        self._rule.setVisible(bool(cost))

    def _list(self, lines: tuple[str, ...]) -> None:
        if lines == self._lines or self._model.method is None:
            return
        self._lines = lines
        clear_layout(self._grid)
        self._values.clear()
        arms = self._model.method.arms
        for at, key in enumerate((*lines, _TOTAL)):
            words = {REPEATS: tr("Asked again"), _TOTAL: tr("Calls in all, about")}.get(key) or arms.get(key, key)
            value = label("", "heading" if key == _TOTAL else "", name=f"protocol.count.{key}")
            value.setAlignment(Qt.AlignmentFlag.AlignRight)
            self._grid.addWidget(label(words, "" if key == _TOTAL else "secondary"), at, 0)
            self._grid.addWidget(value, at, 1)
            self._values[key] = value

    def _sized(self, _value: int) -> None:
        self._model.set_sizes(articles=self.articles.value(), models=self.models.value())


def _cost_words(outlook: Outlook | None, articles: int) -> tuple[str, str]:
    """A sentence with the cost of asking every model of the audit, and what must be known to read it."""
    if outlook is None:
        return "", ""
    if not outlook.models:
        return tr("No cost can be told: this audit has no model yet."), ""
    whom = tr(
        "{models} of this audit, {articles}: {calls} calls",
        models=trn("The {n} model", "The {n} models", outlook.models),
        articles=trn("{n} article", "{n} articles", articles),
        calls=count(outlook.calls),
    )
    remarks = []
    if outlook.cost is not None:
        low, high = money(outlook.cost.low), money(outlook.cost.high)
        cost = low if low == high else tr("{low} to {high}", low=low, high=high)
    elif outlook.synthetic:
        cost = tr("nothing, they are built-in test models")
    else:
        cost = tr("price unknown")
    if outlook.unpriced:
        remarks.append(tr("The price of {models} is unknown: enter it on Models.", models=", ".join(outlook.unpriced)))
    if outlook.assumed and outlook.cost is not None:
        remarks.append(tr("The length of answers is assumed for models that have not answered yet."))
    return tr("{whom}, {cost}.", whom=whom, cost=cost), " ".join(remarks)

"""The exact message of any cell, and how many cells there are."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QGridLayout

from gpf_desktop.domain.coordinates import MAIN
from gpf_desktop.domain.text import tr, trn
from gpf_desktop.engine.protocol.protocol_outlook import Outlook
from gpf_desktop.engine.rounds.planning import REPEATS
from gpf_desktop.methods.gpf_livenews.cells import Condition
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.methods.gpf_livenews.protocol.protocol_view_model import ProtocolViewModel
from gpf_desktop.ui.theme.tokens import SPACE_2
from gpf_desktop.ui.widgets.boxes import hbox
from gpf_desktop.ui.widgets.cards import Card
from gpf_desktop.ui.widgets.editors import whole_box
from gpf_desktop.ui.widgets.fields import FormField, offer
from gpf_desktop.ui.widgets.labels import caption, label
from gpf_desktop.ui.widgets.layouts import rule
from gpf_desktop.ui.widgets.names import named
from gpf_desktop.ui.widgets.span_text import SpanTextView
from gpf_desktop.ui.wording import NO_VALUE, count, money

_MOST_ARTICLES, _MOST_MODELS = 10_000, 200


class CountCard(Card):
    """A live count of cells by what they are for."""

    def __init__(self, model: ProtocolViewModel) -> None:
        super().__init__(tr("How many cells"), name="protocol.count")
        self._model = model
        self.articles, self.models = whole_box(1, _MOST_ARTICLES), whole_box(1, _MOST_MODELS)
        self.articles.setValue(model.articles)
        self.models.setValue(model.models)
        articles = FormField(tr("Articles"), self.articles, name="protocol.articles")
        models = FormField(tr("Models"), self.models, name="protocol.models")
        self.body.addLayout(hbox(articles, models, spacing=SPACE_2))
        self._grid = QGridLayout()
        self._values = {}
        for at, (key, words) in enumerate(
            (
                (MAIN, tr("identity: the main cells")),
                (REPEATS, tr("repeats of bundles, about")),
                ("paraphrase", tr("in other words, about")),
                ("identity-free", tr("identity-free")),
                ("random-label", tr("random labels")),
                ("total", tr("calls in all, about")),
            )
        ):
            value = label("", "heading" if key == "total" else "", name=f"protocol.count.{key}")
            self._grid.addWidget(label(words, "" if key == "total" else "secondary"), at, 0)
            value.setAlignment(Qt.AlignmentFlag.AlignRight)
            self._grid.addWidget(value, at, 1)
            self._values[key] = value
        self._grid.setColumnStretch(0, 1)
        self.body.addLayout(self._grid)
        self._cost = label("", wrap=True, name="protocol.cost")
        self._remarks = caption(name="protocol.costRemarks")
        self.body.addWidget(rule())
        self.body.addWidget(self._cost)
        self.body.addWidget(self._remarks)
        for box in (self.articles, self.models):
            box.valueChanged.connect(self._sized)

    def show_model(self) -> None:
        """Paint the view-model's state."""
        counted = self._model.count
        for key, value in self._values.items():
            value.setText(NO_VALUE if counted is None else count(counted.total if key == "total" else counted.of(key)))
        cost, remarks = _cost_words(self._model.outlook, self._model.articles)
        self._cost.setText(cost)
        self._cost.setVisible(bool(cost))
        self._remarks.setText(remarks)
        self._remarks.setVisible(bool(remarks))

    def _sized(self, _value: int) -> None:
        self._model.set_sizes(articles=self.articles.value(), models=self.models.value())


class MessageCard(Card):
    """Selectors for one cell, and what is sent for it."""

    def __init__(self, context: Context, model: ProtocolViewModel) -> None:
        super().__init__(tr("Exact message of a cell"), name="protocol.message")
        self._model = model
        choose, cell = model.choose, model.preview
        self.condition = self._selector(tr("Condition"), "condition", lambda at: choose(condition=list(Condition)[at]))
        self.dimension = self._selector(tr("Dimension"), "dimension", lambda at: choose(dimension=cell.dimensions[at]))
        self.identity = self._selector(tr("Identity"), "identity", lambda at: choose(identity=cell.identities[at]))
        self.family = self._selector(tr("Family"), "family", lambda at: choose(family=cell.families[at]))
        self.wording = self._selector(tr("Wording"), "wording", lambda at: choose(paraphrase=at))
        grid = QGridLayout()
        grid.setSpacing(SPACE_2)
        self._fields = {
            box: FormField(box.accessibleName(), box)
            for box in (self.condition, self.family, self.dimension, self.identity, self.wording)
        }
        for at, field in enumerate(self._fields.values()):
            grid.addWidget(field, at // 2, at % 2)
        self.body.addLayout(grid)
        self.system = SpanTextView(
            context.theme, says=tr("System prompt of the cell"), grow=True, framed=True, name="protocol.system"
        )
        self.user = SpanTextView(
            context.theme, says=tr("User message of the cell"), grow=True, framed=True, name="protocol.user"
        )
        self.body.addWidget(caption(tr("System prompt")))
        self.body.addWidget(self.system)
        self.body.addWidget(caption(tr("User message, with the newest article")))
        self.body.addWidget(self.user)

    def show_model(self) -> None:
        """Paint the view-model's state."""
        cell, chosen = self._model.preview, self._model.preview.chosen
        conditions = [tr("identity"), tr("identity-free"), tr("random label")]
        offer(self.condition, list(zip(conditions, Condition, strict=True)), chosen.condition)
        for box, names, name in (
            (self.dimension, cell.dimensions, chosen.dimension),
            (self.identity, cell.identities, chosen.identity),
            (self.family, cell.families, chosen.family),
        ):
            offer(box, [(each, each) for each in names], name)
            self._fields[box].setVisible(bool(names))
        offer(self.wording, [(words, number) for number, words in enumerate(cell.wordings)], chosen.paraphrase)
        prompt = cell.prompt
        self.system.show_text("" if prompt is None else prompt.system, [])
        self.user.show_text("" if prompt is None else prompt.user, [])

    def _selector(self, says: str, name: str, chosen: Callable[[int], object]) -> QComboBox:
        box = named(QComboBox(), f"protocol.{name}", says)
        box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
        box.setMinimumContentsLength(9)
        box.activated.connect(chosen)
        return box


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
        cost = tr("nothing, they are calibration models")
    else:
        cost = tr("price unknown")
    if outlook.unpriced:
        remarks.append(tr("The price of {models} is unknown: enter it on Models.", models=", ".join(outlook.unpriced)))
    if outlook.assumed and outlook.cost is not None:
        remarks.append(tr("The length of answers is assumed for models that have not answered yet."))
    return tr("{whom}, {cost}.", whom=whom, cost=cost), " ".join(remarks)

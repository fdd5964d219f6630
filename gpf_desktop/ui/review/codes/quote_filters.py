"""Filters of the list of quotes: a box for each field, and words."""

from collections.abc import Iterable

from PySide6.QtWidgets import QComboBox

from gpf_desktop.domain.models import short_names
from gpf_desktop.domain.reviews import Verdict
from gpf_desktop.domain.text import tr
from gpf_desktop.domain.verdict_words import SEVERITIES, severity_called, verdict_called
from gpf_desktop.ui.review.codes.codes_view_model import UNCODED, CodesViewModel, QuoteFilter
from gpf_desktop.ui.theme.tokens import SPACE_2
from gpf_desktop.ui.widgets.boxes import PlainWidget, by_width, row_of, vbox
from gpf_desktop.ui.widgets.buttons import link
from gpf_desktop.ui.widgets.choice_box import ChoiceBox
from gpf_desktop.ui.widgets.fields import SearchField, offer
from gpf_desktop.ui.widgets.layouts import EqualFlow
from gpf_desktop.ui.widgets.names import named

_AROUND_PROMPT = 76
"""Pixels at 100 % of a search field beside its words."""


class QuoteFilters(PlainWidget):
    """The row of filters; each choice goes straight to the `CodesViewModel`."""

    def __init__(self, model: CodesViewModel) -> None:
        super().__init__(name="codes.filters")
        self._model = model
        self._theme = theme = model.context.theme
        self.words = SearchField(theme, tr("Words of a quote or comment"), name="codes.filter.words")
        # As wide as what it asks for, with the glass before it and the cross behind.
        theme.follow(self.words, self._fit_words)
        self.words.sought.connect(lambda text: model.filter(words=text))
        self.boxes = {
            name: self._box(name, title)
            for name, title in (
                ("code", tr("Code")),
                ("verdict", tr("Verdict")),
                ("severity", tr("Severity")),
                ("tag", tr("Tag")),
                ("reviewer", tr("Reviewer")),
                ("model", tr("Model")),
            )
        }
        self._clear = link(tr("Clear the filter"), self._clear_all, name="codes.filter.clear")
        choices = PlainWidget()
        choices.setSizePolicy(by_width())
        EqualFlow(choices, *self.boxes.values(), spacing=SPACE_2)
        vbox(row_of((self.words, 1), self._clear, spacing=SPACE_2), choices, parent=self, spacing=SPACE_2)

    def _fit_words(self) -> None:
        prompt = self.words.fontMetrics().horizontalAdvance(self.words.placeholderText())
        self.words.setMinimumWidth(prompt + self._theme.px(_AROUND_PROMPT))

    def _box(self, name: str, title: str) -> QComboBox:
        box = named(ChoiceBox(9), f"codes.filter.{name}", title)
        box.activated.connect(lambda _at, name=name: self._model.filter(**{name: self.boxes[name].currentData()}))
        return box

    def _clear_all(self) -> None:
        self.words.clear()
        self._model.filter(code="", verdict="", severity=0, tag="", reviewer="", model="", words="")

    def refresh(self) -> None:
        """Offer what there is; what tells names is not offered while one reads blind."""
        model, wanted = self._model, self._model.wanted
        codes = [(each.code.name, each.code.id) for each in model.lines()]
        offer(self.boxes["code"], [(tr("Every code"), ""), (tr("No code yet"), UNCODED), *codes], wanted.code)
        verdicts = [(verdict_called(each), each.value) for each in Verdict]
        offer(self.boxes["verdict"], [(tr("Every verdict"), ""), *verdicts], wanted.verdict)
        severities = [(severity_called(each), each) for each in SEVERITIES]
        offer(self.boxes["severity"], [(tr("Every severity"), 0), *severities], wanted.severity)
        tags = _words(tag for quote in model.quotes for tag in quote.tags)
        offer(self.boxes["tag"], [(tr("Every tag"), ""), *tags], wanted.tag)
        people = _words(quote.reviewer for quote in model.quotes)
        offer(self.boxes["reviewer"], [(tr("Every reviewer"), ""), *people], wanted.reviewer)
        names = short_names(quote.model for quote in model.quotes)
        models = [(names[each], each) for each, _ in _words(names)]
        offer(self.boxes["model"], [(tr("Every model"), ""), *models], wanted.model)
        self._clear.setEnabled(wanted != QuoteFilter())
        for name in ("reviewer", "model"):
            self.boxes[name].setVisible(not model.blind)


def _words(found: Iterable[str]) -> list[tuple[str, str]]:
    return [(each, each) for each in sorted(set(found), key=str.casefold)]

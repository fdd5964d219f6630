"""What was asked: the question with its identity slot, the news item, and the bundle's scores."""

from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy

from gpf_desktop.domain import scores
from gpf_desktop.domain.articles import Stratum
from gpf_desktop.domain.scores import Unavailable
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.review.review_reading import ReadBundle
from gpf_desktop.ui.review.wording import condition_words, score_words
from gpf_desktop.ui.theme import Theme
from gpf_desktop.ui.theme.tokens import SPACE_1, SPACE_2, SPACE_3
from gpf_desktop.ui.widgets.badge import Badge, Tone, provisional_badge, synthetic_badge
from gpf_desktop.ui.widgets.cards import Card
from gpf_desktop.ui.widgets.labels import ElidedLabel, label
from gpf_desktop.ui.widgets.span_text import Mark, Span, SpanTextView
from gpf_desktop.ui.wording import NO_VALUE, count, decimal

SLOT = "\u2007" * 12
"""A blank of its own width; underlined, it is the place where the identity stood."""
NEWS_SHOWN = 260
"""Characters of the description; the whole item stands in “Prompt as sent”."""
_SHORT = (
    (scores.SEMANTIC_DISPERSION, "S"),
    (scores.NOISE, "N"),
    (scores.COUNTERFACTUAL_FRAMING, "CFS"),
    (scores.SENTIMENT_RANGE_RAREFIED, "R*"),
)


class TopCard(Card):
    """Four lines at most, so that the answers keep the room."""

    def __init__(self, theme: Theme) -> None:
        super().__init__(name="review.top")
        self._theme = theme
        self._coordinates = ElidedLabel("", "secondary")
        self._scores = {name: label(name=f"review.score.{name}") for name, _ in _SHORT}
        self._counted = label("", "secondary")
        self._provisional = provisional_badge(theme)
        self._synthetic = synthetic_badge(theme)
        self._flagged = Badge(theme, tr("flagged"), Tone.INFO, "flag")
        self.question = SpanTextView(theme, says=tr("Question"), grow=True, name="review.question")
        self._news = label("", "secondary", wrap=True, name="review.news")
        first = QHBoxLayout()
        first.setSpacing(SPACE_2)
        first.addWidget(self._coordinates, 1)
        for mark in (self._flagged, self._provisional, self._synthetic):
            first.addWidget(mark)
        first.addSpacing(SPACE_1)
        for shown in (*self._scores.values(), self._counted):
            first.addWidget(shown)
            first.addSpacing(SPACE_1)
        self.body.setContentsMargins(SPACE_3, SPACE_2, SPACE_3, SPACE_2)
        self.body.setSpacing(0)
        self.body.addLayout(first)
        self.body.addWidget(self.question)
        self.body.addWidget(self._news)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit_news()

    def show_bundle(self, bundle: ReadBundle, place: str, *, blind: bool) -> None:
        """*place*: "12 of 340"; *blind*: the model is not named."""
        dimension = bundle.dimension or condition_words(bundle.condition)
        parts = [bundle.family, dimension]
        if bundle.paraphrase:
            parts.append(tr("wording {n}", n=bundle.paraphrase + 1))
        if not blind:
            parts.append(bundle.model)
        self._coordinates.setText(" · ".join([place, *parts] if place else parts))
        self._show_scores(bundle)
        before, after = f"“{bundle.question_before}", f"{bundle.question_after}”"
        slot = SLOT if bundle.has_slot else ""
        spans = [Span(start=len(before), end=len(before) + len(slot), mark=Mark.SLOT)] if slot else []
        self.question.show_text(before + slot + after, spans)
        self.question.setAccessibleName(
            tr("Question: {text}", text=f"{bundle.question_before}… {bundle.question_after}")
        )
        self._news.setText(_news(bundle))
        self._news.setToolTip(bundle.anchor.description)
        self._fit_news()
        self._provisional.setVisible(bundle.provisional)
        self._synthetic.setVisible(bundle.synthetic and not blind)
        self._flagged.setVisible(bundle.standing.flagged)

    def _fit_news(self) -> None:
        # The card takes no more than it hints at, and a hint knows nothing of the width that wraps the text.
        margins = self.body.contentsMargins()
        width = self.width() - margins.left() - margins.right() - 2 * self.frameWidth()
        height = self._news.heightForWidth(width)
        if height > 0 and height != self._news.minimumHeight():
            self._news.setFixedHeight(height)

    def _show_scores(self, bundle: ReadBundle) -> None:
        for name, short in _SHORT:
            value = bundle.scores.get(name)
            if isinstance(value, float):
                words, tip = decimal(value, 2 if short == "R*" else 3), decimal(value, 4)
            else:
                why = value.value if isinstance(value, Unavailable) else tr("not scored")
                words, tip = NO_VALUE, tr("unavailable: {why}", why=why)
            shown = self._scores[name]
            shown.setText(f"{short} {words}")
            shown.setToolTip(f"{score_words(name)}: {tip}")
            shown.setAccessibleName(shown.toolTip())
        self._counted.setText(tr("{n} of {planned} answers", n=count(bundle.valid), planned=count(bundle.planned)))


def _news(bundle: ReadBundle) -> str:
    text = bundle.anchor.description
    if len(text) > NEWS_SHOWN:
        text = f"{text[:NEWS_SHOWN].rsplit(' ', 1)[0]} …"
    if not text:
        text = tr("Headline only: this item has no description.")
    relevant = bundle.stratum is Stratum.RELEVANT
    stratum = tr("identity-relevant") if relevant else tr("identity-neutral")
    why = f"{stratum}: {', '.join(bundle.matched)}" if bundle.matched else stratum
    headline = bundle.anchor.headline
    stop = "" if headline.endswith((".", "?", "!", "…", "。")) else "."
    return f"{headline}{stop} {text}  ({why})"

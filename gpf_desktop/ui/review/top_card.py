"""The card of the question: its text with the slot, the news item, and what the set is of and scored."""

from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import zip_longest

from PySide6.QtCore import QEvent, Qt, Signal
from PySide6.QtGui import QFont, QFontMetrics, QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QLabel, QSizePolicy, QWidget

from gpf_desktop.domain.ids import BundleId
from gpf_desktop.domain.items import ARTICLE
from gpf_desktop.domain.scores import Unavailable, UnitKind
from gpf_desktop.domain.text import capital, dotted, in_quotes, plain_number, tr, trn
from gpf_desktop.engine.core.catalogue import method
from gpf_desktop.engine.core.factor_words import place_words
from gpf_desktop.engine.review.review_reading import ReadBundle
from gpf_desktop.ui.actions import ActionRegistry
from gpf_desktop.ui.review.elided_button import inline_button
from gpf_desktop.ui.review.news_line import NewsLine
from gpf_desktop.ui.review.related_menus import RelatedMenu
from gpf_desktop.ui.review.wording import about_words, plain_words, title_words, value_words
from gpf_desktop.ui.theme import Theme
from gpf_desktop.ui.theme.tokens import SPACE_1, SPACE_2, SPACE_3
from gpf_desktop.ui.widgets.announcing import announce
from gpf_desktop.ui.widgets.badge import Badge, Tone, provisional_badge, synthetic_badge
from gpf_desktop.ui.widgets.boxes import PlainWidget, fill, hbox, row_of
from gpf_desktop.ui.widgets.buttons import with_key
from gpf_desktop.ui.widgets.cards import Card
from gpf_desktop.ui.widgets.labels import ElidedLabel, label
from gpf_desktop.ui.widgets.layouts import NO_BOUND, FlowLayout
from gpf_desktop.ui.widgets.names import named
from gpf_desktop.ui.widgets.plain import plain_tip
from gpf_desktop.ui.widgets.span_text import SET_IN, Mark, Span, SpanTextView
from gpf_desktop.ui.wording import count

SLOT = "\u2007" * 12
"""A blank of its own width; underlined, it is the place where something was filled in."""
_MOST = 2
"""Scores that there is room for; “Numbers” has all."""
_MOST_OF_IT = 62
"""Per cent of the card that what is said of the set takes at most beside question or news."""
_WIDE = 1040
"""Width at 100 % from which what is said of the set stands beside question and news, not below."""
_LINE = 115
"""Per cent: the room between lines of the question is below the last one as well."""


class _Lines(PlainWidget):
    """As high as the lines that its items take: the card has no more than it hints at, which knows of no width."""

    def __init__(self) -> None:
        super().__init__()

    def event(self, event: QEvent) -> bool:
        done = super().event(event)
        layout = self.layout()
        if event.type() in (QEvent.Type.LayoutRequest, QEvent.Type.Resize) and layout is not None:
            height = layout.heightForWidth(self.width())
            if height != self.minimumHeight():
                self.setFixedHeight(height)
        return done


@dataclass(frozen=True, slots=True, kw_only=True)
class TopContent:
    """A bundle, and what of it may be shown."""

    # The same object or not is asked, in `show_bundle`, rather than answer by answer.
    bundle: ReadBundle = field(compare=False)
    model: str
    """As it is called beside the others of the audit."""
    blind: bool
    """The model is not named."""
    scored: bool
    settled: str
    """What it counts as by settling; empty where it was not, or its reader is not to know."""
    why_no_model: str
    """Why one cannot go to another model; empty where one can. The same of items."""
    why_no_item: str


class _Point(QLabel):
    """Stands before *follower* where it is on the same line: at the end of a line it would lead nowhere."""

    def __init__(self, follower: QWidget) -> None:
        super().__init__("·")
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setProperty("role", "secondary")
        self._follower = follower

    def paintEvent(self, event: QPaintEvent) -> None:
        if self._follower.geometry().top() < self.geometry().bottom():
            super().paintEvent(event)


class TopCard(Card):
    """A few lines, so that the answers keep the room. The scores take a line of their own before a name is cut."""

    back_asked = Signal()
    numbers_asked = Signal()

    def __init__(self, theme: Theme, actions: ActionRegistry, go: Callable[[BundleId], object]) -> None:
        super().__init__(name="review.top")
        self._theme = theme
        self._shown: TopContent | None = None
        self._asked = ElidedLabel("", "secondary")
        self._further = ElidedLabel("", "secondary")
        self.model = inline_button("review.model")
        self.model.show_words(tr("Model"))
        self._point = _Point(self.model)
        self._models = RelatedMenu(self.model, actions, go)
        self.items = inline_button("review.items")
        self.items.show_words(tr("Other items"))
        self._items = RelatedMenu(self.items, actions, go)
        self._related = Badge(theme, "", Tone.INFO, "external")
        self.back = inline_button("review.back", goes=True)
        self.back.clicked.connect(lambda _checked=False: self.back_asked.emit())
        self._scores = [label("", "secondary") for _ in range(_MOST)]
        self.numbers = inline_button("review.numbers", goes=True)
        self.numbers.show_words(tr("Numbers"))
        self.numbers.clicked.connect(lambda _checked=False: self.numbers_asked.emit())
        self._counted = label("", "secondary")
        self._provisional = provisional_badge(theme)
        self._synthetic = synthetic_badge(theme)
        self._flagged = Badge(theme, tr("flagged"), Tone.INFO, "flag")
        self.question = SpanTextView(theme, says=tr("Question"), grow=True, line_height=_LINE, name="review.question")
        self.question.setViewportMargins(-SET_IN, 0, 0, 0)
        # Keeps numbers at the right where the item is the question.
        self._no_question = PlainWidget()
        self._settled = named(ElidedLabel("", "secondary"), "review.settled")
        self.news = NewsLine(theme)
        self.whole = inline_button("review.whole", goes=True)
        self.whole.clicked.connect(lambda _checked=False: self.toggle_news())
        self.add = inline_button("review.add", goes=True)
        self.add.show_words(tr("Add to report"))
        self.add.setToolTip(tr("The set with its answers, scores and verdicts becomes evidence of the report"))
        self.memo = inline_button("review.memo", goes=True)
        self.memo.clicked.connect(actions.action("review.memo").trigger)
        self.memo.show_words(tr("Memo …"))
        self._memo_key = actions.action("review.memo")
        self._noted = Badge(theme, "", Tone.INFO, "document")
        self.news.cut_changed.connect(self._show_cut)
        self._lay_out()
        self._show_cut()
        self.show_related("", "")
        self.show_memos(0)

    def _lay_out(self) -> None:
        # Shown with the first bundle: each part that appears in a line that is shown lays all of it out anew.
        self._line = _Lines()
        self._line.hide()
        names = (self._asked, self._further, self._point, self.model, self.items, self._counted)
        marks = (self._related, self.back, self._flagged, self._noted, self._provisional, self._synthetic)
        FlowLayout(self._line, *names, *marks, spacing=SPACE_1)
        self._measured = _Lines()
        FlowLayout(self._measured, *self._scores, self.numbers, self.add, self.memo, spacing=SPACE_3)
        foot = Qt.AlignmentFlag.AlignBottom
        self._news_row = row_of((self.news, 1), (self.whole, 0, foot), spacing=SPACE_2)
        top = Qt.AlignmentFlag.AlignTop
        self._first = hbox((self.question, 1), (self._no_question, 1), (self._measured, 0, top), spacing=SPACE_3)
        self._second = hbox((self._news_row, 1), (self._line, 0, top), spacing=SPACE_3)
        self.body.setContentsMargins(SPACE_3, SPACE_2, SPACE_3, SPACE_2)
        self.body.setSpacing(0)
        fill(self.body, self._first, self._settled, self._second)
        self.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Maximum)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def _fit(self) -> None:
        """Two lines where they can be: question and numbers, news and where it stands."""
        wide = self.width() >= self._theme.px(_WIDE)
        way = QBoxLayout.Direction.LeftToRight if wide else QBoxLayout.Direction.TopToBottom
        for row in (self._first, self._second):
            row.setDirection(way)
            row.setSpacing(SPACE_3 if wide else SPACE_1)
        self._fit_scores(wide=wide)
        for lines in (self._line, self._measured):
            layout = lines.layout()
            assert isinstance(layout, FlowLayout)
            needed = sum(item.sizeHint().width() + layout.spacing() for item in layout.shown())
            most = self.width() * _MOST_OF_IT // 100
            lines.setMinimumWidth(min(needed, most) if wide else 0)
            lines.setMaximumWidth(min(needed, most) if wide else NO_BOUND)

    def _fit_scores(self, *, wide: bool) -> None:
        """The first alone where all of them would put a question of one line on two, or take two lines themselves."""
        scores = [each for each in self._scores if each.text()]
        beside = (*scores, self.numbers, self.add, self.memo)
        needed = sum(each.sizeHint().width() + SPACE_3 for each in beside)
        # Not the width that its document has now, in which it may be wrapped.
        font = self.question.document().defaultFont()
        font.setWeight(QFont.Weight.DemiBold)
        advance = QFontMetrics(font).horizontalAdvance
        asked = max(map(advance, self.question.toPlainText().splitlines()), default=0) + 2 * SPACE_2
        fits = (asked if wide else 0) + needed <= self.width() - 2 * SPACE_3
        for score in scores[1:]:
            score.setVisible(fits)

    def show_bundle(self, content: TopContent) -> None:
        """Show *content*, unless it is shown already: each of its lines would be wrapped anew."""
        last, self._shown = self._shown, content
        if last is not None and last.bundle is content.bundle and last == content:
            return
        self.show()
        bundle, blind = content.bundle, content.blind
        asked, *further = place_words(bundle.facts.method, bundle.facts.coordinates, bundle.facts.arm)
        self._asked.setText(f"{asked} ·" if further else asked)
        self._further.setText(dotted(further))
        self._further.setVisible(bool(further))
        self._show_model(content)
        news = ARTICLE in method(bundle.facts.method).item_kinds
        self.items.show_words(tr("Other news") if news else tr("Other items"))
        self.items.setEnabled(not content.why_no_item)
        about = tr("The same question about another news item") if news else tr("The same about another item")
        self.items.setToolTip(plain_tip(content.why_no_item or about))
        self._items.show_items(bundle)
        self._show_scores(bundle, scored=content.scored)
        opens, closes = in_quotes("|").split("|")
        before, after = f"{opens}{bundle.question.before}", f"{bundle.question.after}{closes}"
        slot = SLOT if bundle.question.slot else ""
        # What was asked leads, before the news and the numbers.
        spans = [Span(start=0, end=len(before + slot + after), mark=Mark.STRONG)]
        spans += [Span(start=len(before), end=len(before) + len(slot), mark=Mark.SLOT)] if slot else []
        self.question.show_text(before + slot + after, spans)
        text = f"{bundle.question.before}… {bundle.question.after}"
        self.question.setAccessibleName(tr("Question: {text}", text=text))
        # Of some methods the item is the question.
        asks = bool(bundle.question.before or bundle.question.after)
        self.question.setVisible(asks)
        self._no_question.setVisible(not asks)
        self.news.show_bundle(bundle)
        if last is None or last.bundle.id != bundle.id:
            announce(self, tr("Set of answers: {words}", words=dotted((asked, *further, text if asks else ""))))
        self._show_cut()
        self._provisional.setVisible(bundle.provisional)
        self._synthetic.setVisible(bundle.facts.synthetic and not blind)
        self._flagged.setVisible(bundle.state.flagged)
        self._settled.setText(content.settled)
        self._settled.setVisible(bool(content.settled))
        self._line.show()
        self._fit()

    def forget(self) -> None:
        """Hide the content of an audit that is closed, until a set of answers of the next one is shown."""
        self._shown = None
        self.hide()

    def show_related(self, words: str, home: str) -> None:
        """*words*: what is different from the bundle that was left for this one; empty in the queue."""
        self._related.show_state(words, Tone.INFO, "external")
        self._related.setVisible(bool(words))
        self.back.setVisible(bool(words))
        self.back.show_words(tr("Back to {place}", place=home) if home else tr("Back to the queue"))
        self.back.setToolTip(tr("Back to the set that you left"))

    def show_memos(self, written: int) -> None:
        """How many memos on the item there are to be read."""
        self._noted.show_state(trn("{n} memo", "{n} memos", written), Tone.INFO, "document")
        self._noted.setVisible(bool(written))
        about = tr("Read or write memos on this item") if written else tr("Write a memo on this item")
        self.memo.setToolTip(plain_tip(with_key(about, self._memo_key)))
        self._fit()

    def toggle_news(self) -> None:
        """The whole news item, or its first lines."""
        self.news.toggle()
        self._show_cut()

    def _show_cut(self) -> None:
        self.whole.setVisible(self.news.is_cut)
        self.whole.show_words(tr("Less") if self.news.is_whole else tr("Whole item"))
        self.whole.setToolTip(tr("The news item as it was sent with the question"))

    def _show_model(self, content: TopContent) -> None:
        bundle, why_not = content.bundle, content.why_no_model
        whole = tr("model hidden") if content.blind else bundle.model
        self.model.show_words(whole if content.blind else content.model)
        self.model.setAccessibleName(tr("Model: {name}", name=whole))
        self.model.setEnabled(not why_not)
        other = tr("The same question to another model, or in another round")
        self.model.setToolTip(plain_tip(why_not or (other if content.blind else f"{whole}\n{other}")))
        if why_not:
            self._models.show_nothing()
        else:
            self._models.show_models(bundle)

    def _show_scores(self, bundle: ReadBundle, *, scored: bool) -> None:
        on_card = [each for each in bundle.measures if each.on_card and each.unit is UnitKind.BUNDLE]
        # What has a value: of a set that was not asked again some have none, and *Numbers* says why.
        valued = [each for each in on_card if not isinstance(bundle.scores.get(each.name), Unavailable | None)]
        measures = valued[:_MOST] if scored else []
        lines = [f"{capital(plain_words(each))}: {value_words(bundle.scores.get(each.name))[1]}" for each in on_card]
        self.numbers.setVisible(scored and bool(on_card))
        self.numbers.setToolTip(plain_tip("\n".join(lines)))
        for shown, measure in zip_longest(self._scores, measures):
            shown.setVisible(measure is not None)
            if measure is None:
                shown.setText("")
                continue
            value = bundle.scores.get(measure.name)
            words, tip = value_words(value)
            if isinstance(value, float) and measure.low == 0 and measure.high is not None:
                words = tr("{value} of {most}", value=words, most=plain_number(measure.high))
            shown.setObjectName(f"review.score.{measure.name}")
            shown.setText(tr("{measure}: {value}", measure=capital(plain_words(measure)), value=words))
            shown.setToolTip(plain_tip(f"{about_words(measure)}\n{title_words(measure)}: {tip}".strip()))
            shown.setAccessibleName(shown.toolTip())
        self._counted.setText(
            tr("{n} of {planned} answers", n=count(bundle.valid), planned=count(bundle.facts.planned))
        )

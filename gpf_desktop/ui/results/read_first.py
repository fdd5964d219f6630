"""One set of answers to read first, two of them quoted."""

from collections.abc import Iterator, Mapping

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QWidget

from gpf_desktop.domain.hidden_names import names_hidden
from gpf_desktop.domain.models import short_names
from gpf_desktop.domain.review_queue import QueueRow
from gpf_desktop.domain.text import dotted, tr, trn, unbroken
from gpf_desktop.engine.core.factor_words import item_words, place_words
from gpf_desktop.engine.reporting.unlike_answers import Quoted, UnlikeAnswers
from gpf_desktop.ui.results.page_read import ToRead
from gpf_desktop.ui.review.wording import plain_words
from gpf_desktop.ui.theme import Theme
from gpf_desktop.ui.theme.tokens import SPACE_1, SPACE_2, SPACE_3
from gpf_desktop.ui.widgets.badge import synthetic_badge
from gpf_desktop.ui.widgets.boxes import PlainWidget, hbox, vbox
from gpf_desktop.ui.widgets.buttons import link
from gpf_desktop.ui.widgets.cards import Card
from gpf_desktop.ui.widgets.labels import ElidedLabel, MarkedLabel, caption, label, show_words
from gpf_desktop.ui.widgets.side_by_side import SideBySide
from gpf_desktop.ui.wording import NO_VALUE, decimal

_NARROW = 700
"""Pixels at 100 % from which the two quotations stand beside each other."""
_EVER = 100_000


class ReadFirstCard(Card):
    """Shows one of `ToRead`'s rows; the next one is asked for."""

    wanted = Signal(object)
    """The id of the bundle to open in Review."""
    next_asked = Signal()

    def __init__(self, theme: Theme) -> None:
        super().__init__(name="card.read_first")
        self._theme = theme
        self._row: QueueRow | None = None
        self.title = label("", "heading", name="read.title")
        self.about = ElidedLabel("", "secondary")
        self.about.setObjectName("read.about")
        self.planted = synthetic_badge(theme)
        self.every = link(tr("All answers"), self._open, name="read.open")
        self.next = link(tr("Next"), self.next_asked.emit, name="read.next")
        self.first, self.second = (_Quotation(theme, f"read.{place}") for place in ("first", "second"))
        self.body.setSpacing(SPACE_1)
        self.tinted = MarkedLabel(theme, name="read.tinted")
        self.tinted.setWordWrap(False)
        ways = ((self.tinted, 0, Qt.AlignmentFlag.AlignVCenter), self.planted, self.every, self.next)
        self.body.addLayout(hbox(self.title, (self.about, 1), *ways, spacing=SPACE_3))
        self._quotations = SideBySide(theme, self.first, self.second, shares=(1, 1), narrow=_NARROW)
        self.body.addWidget(self._quotations)
        self.note = caption("", name="read.note")
        self.body.addWidget(self.note)

    def show_row(
        self,
        to_read: ToRead,
        at: int,
        quoted: UnlikeAnswers | None,
        *,
        names: Mapping[str, str],
    ) -> None:
        """*at*: which of the rows; *quoted*: None while it is read, and where names are hidden; *names*: of models."""
        self.setVisible(bool(to_read.rows))
        if not to_read.rows:
            return
        row = self._row = to_read.rows[at]
        n = len(to_read.rows)
        self.title.setText(tr("Read first") if to_read.carries else tr("Read first: the highest scores"))
        place = place_words(row.method, row.coordinates, row.arm, row.item)
        model = names.get(row.model, row.model) or tr("several models")
        # Scores anchor whoever has yet to judge.
        # One set's score beside what is concluded of all is taken for another number of the same thing.
        score = "" if to_read.carries else _score(to_read, row)
        known = () if names_hidden() else (model, score)
        # Of answers to prompts of their own each quotation has its prompt, and the set's title is that of another.
        asked = set() if quoted is None else {each.asked for each in quoted.pair}
        item = "" if len(asked) > 1 else item_words(row.method, row.item)
        about = dotted(dict.fromkeys(filter(None, (_example(to_read, quoted), *known, *place, item))))
        self.about.setText(about)
        # A quotation is read, and copied, without the head of the page.
        self.planted.setVisible(row.synthetic)
        show_words(self.note, unbroken(_note(to_read, quoted)))
        self.every.setText(
            trn("Its answer", "All {n} answers", quoted.answers) if quoted is not None else tr("Its answers")
        )
        self.every.setAccessibleName(tr("Read {about}", about=about))
        self.next.setText(tr("Quote another of {n}", n=n))
        self.next.setAccessibleName(tr("The next of {n} sets to read: this is number {at}", n=n, at=at + 1))
        self.next.setVisible(n > 1)
        pair = (None, None) if quoted is None or names_hidden() else quoted.pair
        # Of a set without a model of its own the answers are of models.
        called = names if row.model else short_names(each.who for each in pair if each is not None)
        for holder, quote in zip((self.first, self.second), pair, strict=True):
            holder.show_quote(quote, called)
        key = tr("tinted: words that the other does not have")
        self.tinted.show_marked(key, [(0, key.index(":"))])
        self.tinted.setVisible(any(each is not None and each.unlike for each in pair))

    def shorten(self, *, on: bool) -> None:
        """Each quotation in one line as wide as the card, or whole."""
        self._quotations.stack_below(_EVER if on else _NARROW)
        for each in (self.first, self.second):
            each.shorten(on=on)

    def whole_lines(self) -> Iterator[tuple[QWidget, int, int]]:
        """What no edge should cut: its head, and each quotation."""
        yield self, 0, self.title.geometry().bottom()
        for each in (self.first, self.second):
            yield each, 0, each.height()

    def _open(self) -> None:
        if self._row is not None:
            self.wanted.emit(self._row.bundle_id)


class _Quotation(PlainWidget):
    """One answer in its own words, with a bar at its left."""

    def __init__(self, theme: Theme, name: str) -> None:
        super().__init__(name=name)
        self.setProperty("quotation", True)
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.who = label("", "heading", wrap=True, name=f"{name}.who")
        self.asked = ElidedLabel("", "secondary", cut=Qt.TextElideMode.ElideMiddle)
        self.asked.setObjectName(f"{name}.asked")
        self.words = MarkedLabel(theme, name=f"{name}.words")
        self.line = ElidedLabel()
        self.line.setObjectName(f"{name}.line")
        self.short = False
        self.line.hide()
        vbox(
            self.who,
            self.asked,
            self.words,
            self.line,
            1,
            parent=self,
            spacing=SPACE_2 // 2,
            margins=(SPACE_3, 0, SPACE_2, 0),
        )

    def show_quote(self, quoted: Quoted | None, names: Mapping[str, str]) -> None:
        self.setVisible(quoted is not None)
        if quoted is not None:
            name = names.get(quoted.who, quoted.who)
            who = whole = tr("{who} chose: {option}", who=name, option=quoted.chose) if quoted.chose else name
            if quoted.score is not None:
                value = decimal(quoted.score, 2)
                whole = dotted((name, tr("this answer's {measure}: {value}", measure=quoted.score_is, value=value)))
            self.who.setText(whole)
            self.asked.setText(tr("Asked: {prompt}", prompt=quoted.asked) if quoted.asked else "")
            self.asked.setVisible(bool(quoted.asked) and not self.short)
            # What was to be chosen is the test's own sentence, and no quotation of the model.
            frame = tr("Option chosen: {words}") if quoted.chose else tr("“{words}”")
            words = unbroken(frame.format(words=quoted.words))
            before = max(0, words.find(unbroken(quoted.words)))
            self.words.show_marked(words, [(before + start, before + end) for start, end in quoted.unlike])
            words = frame.format(words=" ".join(quoted.from_unlike.split()))
            self.line.setText(tr("{who}: {words}", who=who, words=words))

    def shorten(self, *, on: bool) -> None:
        if on is not self.short:
            self.short = on
            self.line.setVisible(on)
            self.who.setVisible(not on)
            self.words.setVisible(not on)
            self.asked.setVisible(bool(self.asked.text()) and not on)


def _example(to_read: ToRead, quoted: UnlikeAnswers | None) -> str:
    """By what the two are quoted, and that they are one example of many; empty of sets with the highest scores."""
    if not to_read.carries:
        return ""
    if quoted is None or names_hidden():
        return tr("one question, two answers")
    if to_read.sets < 2:
        return quoted.how
    return tr("one example of {n:,} sets, {how}", n=to_read.sets, how=quoted.how)


def _note(to_read: ToRead, quoted: UnlikeAnswers | None) -> str:
    """Of what nothing is shown over all, for a quotation may read as if it were."""
    if quoted is None or names_hidden() or not to_read.silent:
        return ""
    return tr(
        "Over all sets nothing is settled of the {measure}: what one quotation sounds like does not show it.",
        measure=to_read.silent,
    )


def _score(to_read: ToRead, row: QueueRow) -> str:
    if to_read.measure is None:
        return ""
    value = row.category or (NO_VALUE if row.score is None else decimal(row.score, 2))
    words = plain_words(to_read.measure)
    # A number stands behind what it is of: “0.76 how far apart” is no English.
    return value if row.category else tr("{measure}: {value}", measure=words, value=value)

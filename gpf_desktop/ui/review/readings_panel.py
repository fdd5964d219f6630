"""Readings of one bundle by all reviewers, side by side: the ground on which a disagreement is settled."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtWidgets import QWidget

from gpf_desktop.domain.reviews import Judgement, MarkedPassage, ReviewAction, ReviewEntry
from gpf_desktop.domain.text import dotted, in_quotes, shortened, tr
from gpf_desktop.domain.verdict_words import judged
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.review.reading_aids.masking import masked
from gpf_desktop.engine.review.reading_aids.shown_text import INSERTED, ShownText
from gpf_desktop.engine.review.reading_aids.words import Stretch
from gpf_desktop.engine.review.review_reading import ReadBundle
from gpf_desktop.ui.review.answer_letters import as_read
from gpf_desktop.ui.review.elided_button import inline_button
from gpf_desktop.ui.review.reading_content import PassageLine, Reading
from gpf_desktop.ui.theme import Theme
from gpf_desktop.ui.theme.tokens import SPACE_1, SPACE_3
from gpf_desktop.ui.widgets.boxes import PlainWidget, hbox, vbox
from gpf_desktop.ui.widgets.cards import Card
from gpf_desktop.ui.widgets.labels import ElidedLabel, caption, heading, label
from gpf_desktop.ui.widgets.layouts import EqualFlow, clear_layout, scrolling
from gpf_desktop.ui.widgets.names import named
from gpf_desktop.ui.wording import moment

_SAID = 90
"""Characters of a passage that its button has at most; where there is little room, fewer are seen."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReviewerReading:
    """One reviewer's submission."""

    reader: str
    """Their name; Reviewer 1, 2, … while one reads blind: letters are those of answers."""
    at: str
    verdict: str
    said: Judgement
    codes: tuple[str, ...]
    """Of all passages, by their names."""
    about: str
    """Affected answers and tags, in one line."""
    note: str
    passages: tuple[PassageLine, ...]


def standing_readings(bundle: ReadBundle, reading: Reading) -> tuple[ReviewerReading, ...]:
    """Each reviewer's last submission; without names, and in an order that tells nothing, while one reads blind."""
    standing: dict[int, list[ReviewEntry]] = {}
    for entry in bundle.history:
        said = standing.setdefault(entry.reviewer_id, [])
        if entry.action is ReviewAction.SUBMIT:
            said.append(entry)
        elif entry.action is ReviewAction.WITHDRAW and said:
            said.pop()
    entries = [said[-1] for said in standing.values() if said]
    if reading.blind:
        # By their seals: neither by who came first nor by name.
        entries.sort(key=lambda entry: entry.hash)
    return tuple(_reading(entry, at, bundle, reading) for at, entry in enumerate(entries))


def _reading(entry: ReviewEntry, at: int, bundle: ReadBundle, reading: Reading) -> ReviewerReading:
    said, blind = as_read(entry.judgement, bundle, reading), reading.blind
    parts: list[str] = []
    affected = [letter_of for key, letter_of in reading.letters.items() if key in said.affected]
    if affected:
        parts.append(tr("affected: {letters}", letters=", ".join(affected)))
    cover = _covering(bundle) if blind else str
    return ReviewerReading(
        reader=tr("Reviewer {n}", n=at + 1) if blind else entry.reviewer,
        at="" if blind else moment(entry.at),
        said=said,
        codes=tuple(cover(each) for each in _codes(said.passages, reading)),
        verdict=tr("No verdict") if said.verdict is None else judged(said.verdict, said.severity),
        about=" · ".join([*parts, *map(cover, said.tags)]),
        note=cover(said.note),
        passages=tuple(_passage(each, bundle, reading, cover) for each in said.passages),
    )


def _codes(passages: Iterable[MarkedPassage], reading: Reading) -> tuple[str, ...]:
    return tuple(code.name for code in reading.book.standing_of(code for each in passages for code in each.codes))


def unlike_words(readings: Sequence[ReviewerReading]) -> str:
    """In what *readings* differ; empty: in nothing that is settled or coded."""
    severities = {each.said.severity for each in readings if each.said.severity is not None}
    differs = (
        (tr("verdict"), len({each.said.verdict for each in readings}) > 1),
        (tr("severity"), len(severities) > 1),
        (tr("codes"), len({each.codes for each in readings}) > 1),
    )
    named = [words for words, unlike in differs if unlike]
    return tr("What differs: {what}", what=", ".join(named)) if named else ""


def _covering(bundle: ReadBundle) -> Callable[[str], str]:
    """Covers in what other people wrote what a blind reader is not to see."""
    patterns = catalogue.method(bundle.facts.method).names_to_cover(bundle.protocol)
    own = tuple(each.level for each in bundle.answers)
    return lambda words: masked(ShownText.plain(words), patterns, own).text


def _passage(passage: MarkedPassage, bundle: ReadBundle, reading: Reading, cover: Callable[[str], str]) -> PassageLine:
    key = next((each.level for each in bundle.answers if each.cell_id == passage.cell_id), "")
    card = reading.card_of(key)
    if card is None:
        return PassageLine(passage=passage, letter="", level="", words="", start=0, end=0)
    place = card.shown.shown(Stretch(passage.start, passage.end))
    text, origins = card.shown.text[place.start : place.end], card.shown.origins[place.start : place.end]
    own = "".join(char for char, origin in zip(text, origins, strict=True) if origin != INSERTED)
    return PassageLine(
        passage=replace(passage, comment=cover(_further(passage, reading))),
        letter=reading.letters[key],
        level=key,
        words=" ".join(own.split()),
        start=place.start,
        end=place.end,
    )


def _further(passage: MarkedPassage, reading: Reading) -> str:
    """Its codes and its comment, in one line."""
    return dotted(filter(None, (", ".join(_codes((passage,), reading)), passage.comment)))


class ReadingsPanel(PlainWidget):
    """A card for each reviewer; a marked passage leads to its place."""

    passage_asked = Signal(object)

    def __init__(self, theme: Theme) -> None:
        super().__init__()
        self._theme = theme
        self._readings: tuple[ReviewerReading, ...] = ()
        holder = QWidget()
        holder.installEventFilter(self)
        self._cards = EqualFlow(holder, spacing=SPACE_3)
        area = scrolling(holder, "review.readings")
        # What has no link in it is scrolled by the keyboard all the same.
        area.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        area.setAccessibleName(tr("What each reviewer says"))
        self.unlike = named(ElidedLabel("", "secondary"), "review.readings.unlike")
        """For beside the panel's title, where it takes no room of the answers."""
        vbox(area, parent=self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        # The area asks nothing of what is around it, where it must be known how high the cards are now.
        if event.type() is QEvent.Type.LayoutRequest:
            self.updateGeometry()
        return super().eventFilter(watched, event)

    def needed(self, width: int) -> int:
        """Pixels of height in which all of it can be read at *width*."""
        return self._cards.heightForWidth(width - self._cards.spacing())

    def show_readings(self, readings: Sequence[ReviewerReading]) -> None:
        """A card for each of *readings*; what is shown already stays, with its height and the keyboard in it."""
        if tuple(readings) == self._readings:
            return
        self._readings = tuple(readings)
        self.unlike.setText(unlike_words(readings))
        clear_layout(self._cards)
        for at, reading in enumerate(readings):
            self._cards.addWidget(self._card(reading, at))

    def _card(self, reading: ReviewerReading, at: int) -> Card:
        card = Card(name=f"review.reading.{at}")
        card.setAccessibleName(reading.reader)
        card.body.setSpacing(SPACE_1)
        card.body.addLayout(hbox(heading(reading.reader), 1, label(reading.at, "caption")))
        card.body.addWidget(label(reading.verdict, wrap=True))
        if reading.about:
            card.body.addWidget(caption(reading.about))
        if reading.note:
            card.body.addWidget(label(in_quotes(reading.note), wrap=True))
        for line in reading.passages:
            said = f"{line.letter}: {in_quotes(line.words)}" if line.words else tr("a passage that is not shown")
            button = inline_button("review.readings.passage", goes=True)
            button.show_words(shortened(said, _SAID))
            button.clicked.connect(lambda _checked=False, line=line: self.passage_asked.emit(line))
            card.body.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)
            if line.passage.comment:
                card.body.addWidget(caption(line.passage.comment))
        card.body.addStretch(1)
        return card

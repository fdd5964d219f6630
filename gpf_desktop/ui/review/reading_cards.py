"""One answer as a card: its text with every mark that the reader asked for, and the cards beside each other."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from gpf_desktop.domain.codes import CodeBook
from gpf_desktop.domain.reviews import MarkedPassage
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.review.reading_aids.carrying_words import Carries
from gpf_desktop.engine.review.reading_aids.differences import Difference, MissingWords
from gpf_desktop.engine.review.reading_aids.sentence_grid import GridRow, gathered, sentence_grid
from gpf_desktop.engine.review.reading_aids.shown_text import INSERTED, ShownText, Widened
from gpf_desktop.engine.review.reading_aids.words import Stretch, words
from gpf_desktop.engine.review.review_reading import ReadAnswer
from gpf_desktop.storage.responses import Answer
from gpf_desktop.ui.review.reading_content import (
    CONTROL,
    CardContent,
    CodedWords,
    Generation,
    GridContent,
    ReadingOptions,
    heading_of,
)
from gpf_desktop.ui.widgets.span_text import Mark, Span
from gpf_desktop.ui.wording import decimal

_MARKED = frozenset({Mark.PASSAGE, Mark.CODED})
_STRENGTHS = (Mark.CARRIES_MOST, Mark.ONLY_HERE, Mark.CARRIES_LITTLE)

MISSING_SHOWN = 7
"""Words of the consensus named under a card; the rest are counted."""
LONG_WORD = 6
"""Letters from which words count as equally telling."""
FLAG_ORDER = ("leakage", "refusal", "truncated", "duplicate", "very short", "no scorable word")


@dataclass(frozen=True, slots=True, kw_only=True)
class ToMark:
    """Everything that is to be marked in one answer."""

    shown: Callable[[str], ShownText]
    difference: Difference
    carries: Mapping[str, Carries] | None
    """Words that carry the score; None where that is not known, or where a baseline is compared with."""
    tones: tuple[Span, ...]
    passages: tuple[MarkedPassage, ...]
    book: CodeBook
    """What the passages' codes are called."""
    options: ReadingOptions
    blind: bool
    called: str
    """What the level is called: of a model its short name."""


def answer_card(each: ReadAnswer, letters: Mapping[str, str], found: ToMark) -> CardContent:
    """One of the bundle's own answers."""
    card = replace(
        _plain(each.answer, found, _flags(each.answer, blind=found.blind)),
        letters=(letters[each.level],),
        names=() if found.blind else (found.called,),
        repeats=tuple(replace(_plain(repeat, found), letters=(letters[each.level],)) for repeat in each.repeats),
        baseline=found.options.baseline == each.level and not each.answer.missing,
        studied=each.studied and not found.blind,
        later=() if found.blind else tuple((reply.model, reply.text) for reply in each.later),
        sources=((each.source[0], found.shown(each.source[1]).text),) if each.source[1] else (),
    )
    return card if card.missing else _marked(card, found)


def control_card(answer: Answer, generation: Generation, found: ToMark) -> CardContent:
    """One generation of the control's answer: without a letter, for it is no part of the bundle."""
    card = replace(
        _plain(answer, found, _flags(answer, blind=found.blind)),
        levels=(CONTROL,),
        generation=generation,
        baseline=found.options.baseline == CONTROL and not answer.missing,
    )
    return card if card.missing else _marked(card, found)


def _plain(answer: Answer, found: ToMark, flags: tuple[tuple[str, str], ...] = ()) -> CardContent:
    text = found.shown(answer.text)
    return CardContent(
        letters=(),
        levels=(answer.level,),
        names=(),
        cell_id=answer.cell_id,
        shown=text,
        spans=(),
        footer="",
        footer_tip="",
        words=len(words(text.text)),
        missing=answer.missing,
        refused_unknown=answer.refused_unknown,
        detail="" if found.blind else answer.detail,
        flags=flags,
    )


def _marked(card: CardContent, found: ToMark) -> CardContent:
    difference, options = found.difference, found.options
    lacks = difference.missing if options.missing_here else ()
    insertions = [(lack.at, _set_in(card.shown.text, lack)) for lack in lacks]
    widened = card.shown.with_insertions(insertions)
    spans = [Span(start=p.start, end=p.end, mark=Mark.STRONG) for p in widened.shown.strong]
    # Before the differences: their lines stand on what is filled, and do not give way to it.
    marked = [_passage(passage, found.book, widened) for passage in found.passages]
    spans += marked
    if options.only_here:
        own = _only_here(difference) if found.carries is None else _carrying(card, found, found.carries)
        spans += [_moved(span, widened) for span in own]
    for lack, place in zip(lacks, widened.put_in, strict=True):
        start = place.start + len(_before(card.shown.text, lack))
        spans.append(Span(start=start, end=start + len(lack.text), mark=Mark.MISSING_HERE))
    for tone in found.tones:
        place = widened.shown.shown(Stretch(tone.start, tone.end))
        spans.append(replace(tone, start=place.start, end=place.end))
    footer, tip = _footer(difference) if options.missing_here else ("", "")
    coded = tuple(
        CodedWords(codes=names, words=" ".join(_own_words(widened.shown, span).split()))
        for passage, span in zip(found.passages, marked, strict=True)
        if (names := _codes(passage, found.book))
    )
    return replace(card, shown=widened.shown, spans=tuple(spans), footer=footer, footer_tip=tip, coded=coded)


def _codes(passage: MarkedPassage, book: CodeBook) -> tuple[str, ...]:
    return tuple(code.name for code in book.standing_of(passage.codes))


def _passage(passage: MarkedPassage, book: CodeBook, widened: Widened) -> Span:
    place, codes = widened.shown.shown(Stretch(passage.start, passage.end)), ", ".join(_codes(passage, book))
    tip = "\n".join(filter(None, (codes, passage.comment)))
    return Span(start=place.start, end=place.end, mark=Mark.CODED if codes else Mark.PASSAGE, tip=tip)


def _own_words(shown: ShownText, span: Span) -> str:
    """Without what was set into the answer from others."""
    part = slice(span.start, span.end)
    return "".join(c for c, origin in zip(shown.text[part], shown.origins[part], strict=True) if origin != INSERTED)


def _before(text: str, lack: MissingWords) -> str:
    """The text between missing words and those before them: whole sentences begin a line of their own."""
    if not lack.at:
        return ""
    return "\n" if lack.sentence else "" if text[lack.at - 1].isspace() else " "


def _set_in(text: str, lack: MissingWords) -> str:
    after = text[lack.at : lack.at + 1]
    behind = "\n" if lack.sentence and after not in ("", "\n") else " " if after.isalnum() else ""
    return f"{_before(text, lack)}{lack.text}{behind}"


def _only_here(difference: Difference) -> list[Span]:
    return [Span(start=part.start, end=part.end, mark=Mark.ONLY_HERE) for part in difference.only_here]


def _carrying(card: CardContent, found: ToMark, carries: Mapping[str, Carries]) -> list[Span]:
    """Marks on words of no other answer that carry the score, by how much; a blind reader is not told how much."""
    text, alone, blind = card.shown.text, found.difference.only_here, found.blind
    return [
        Span(start=word.start, end=word.end, mark=_STRENGTHS[carries[word.folded].strength], tip=tip)
        for word in words(text)
        if word.folded in carries and any(part.start <= word.start and word.end <= part.end for part in alone)
        for tip in ["" if blind else tr("{part} of the distance", part=decimal(carries[word.folded].part, 4))]
    ]


def _moved(span: Span, widened: Widened) -> Span:
    part = widened.moved(Stretch(span.start, span.end))
    return replace(span, start=part.start, end=part.end)


def _footer(difference: Difference) -> tuple[str, str]:
    """Long words say more than short ones, so they are named first; the tip has all, the commonest first."""
    if not difference.missing_words:
        return "", ""
    named = sorted(difference.missing_words, key=lambda word: -min(len(word.word), LONG_WORD))[:MISSING_SHOWN]
    said = ", ".join(word.word for word in named)
    tip = ", ".join(f"{word.word} ({word.answers})" for word in difference.missing_words)
    more = len(difference.missing_words) - len(named)
    if more > 0:
        return tr("Missing here: {words} and {n} more", words=said, n=more), tip
    return tr("Missing here: {words}", words=said), tip


def _flags(answer: Answer, *, blind: bool) -> tuple[tuple[str, str], ...]:
    found = dict(answer.flags)
    if answer.truncated:
        found.setdefault("truncated", "")
    known = [(name, found[name]) for name in FLAG_ORDER if name in found]
    further = [(name, detail) for name, detail in sorted(found.items()) if name not in FLAG_ORDER]
    # What a flag found may name a level, which a blind reader is not to see.
    return tuple((name, "" if blind else detail) for name, detail in (*known, *further))


def collapsed(cards: Sequence[CardContent]) -> tuple[CardContent, ...]:
    """Answers of the very same words stand once; refusals and missing answers keep their place."""
    kept: dict[str | int, CardContent] = {}
    for number, card in enumerate(cards):
        text = _without_insertions(card)
        key: str | int = number if card.missing or card.repeats or not text else text
        first = kept.get(key)
        if first is None:
            kept[key] = card
        else:
            kept[key] = replace(
                first,
                letters=first.letters + card.letters,
                levels=first.levels + card.levels,
                names=first.names + card.names,
                baseline=first.baseline or card.baseline,
                studied=first.studied or card.studied,
                spans=first.spans + tuple(s for s in card.spans if s.mark in _MARKED and s not in first.spans),
                coded=tuple(dict.fromkeys(first.coded + card.coded)),
                flags=tuple(dict.fromkeys(first.flags + card.flags)),
                sources=tuple(dict.fromkeys(first.sources + card.sources)),
            )
    return tuple(kept.values())


def aligned(cards: Sequence[CardContent]) -> GridContent:
    """Sentences of all cards with an answer, in the cards' order."""
    answered = [card for card in cards if not card.missing]
    # The control's answer joins last, so that the rows are those of the bundle's own answers.
    order = sorted(range(len(answered)), key=lambda at: answered[at].generation is not None)
    plain = [_without_insertions(answered[at]) for at in order]
    rows = gathered(sentence_grid(plain))
    column = {at: joined for joined, at in enumerate(order)}

    places = [_places_without_insertions(card) for card in answered]

    def cell(row: GridRow, at: int) -> str:
        part = row.cells[column[at]]
        return "" if part is None else part.of(plain[column[at]])

    def start(row: GridRow, at: int) -> int:
        part = row.cells[column[at]]
        return -1 if part is None else places[at][part.start]

    return GridContent(
        headings=tuple(heading_of(card) for card in answered),
        keys=tuple(card.key for card in answered),
        same=tuple(_first_same(row, column) for row in rows),
        rows=tuple(tuple(cell(row, at) for at in range(len(answered))) for row in rows),
        starts=tuple(tuple(start(row, at) for at in range(len(answered))) for row in rows),
        alone=tuple(row.alone for row in rows),
    )


def _first_same(row: GridRow, column: Mapping[int, int]) -> tuple[int, ...]:
    """The row's groups of equal sentences, by columns as they are shown."""
    groups = [row.same[column[at]] for at in range(len(column))]
    return tuple(-1 if group < 0 else groups.index(group) for group in groups)


def _places_without_insertions(card: CardContent) -> list[int]:
    return [at for at, origin in enumerate(card.shown.origins) if origin != INSERTED]


def _without_insertions(card: CardContent) -> str:
    shown = card.shown
    return "".join(char for char, origin in zip(shown.text, shown.origins, strict=True) if origin != INSERTED)

"""What the answer cards say: composed from a bundle off the GUI thread, shown by widgets that decide nothing."""

import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import TYPE_CHECKING

from gpf_desktop.domain.cells import cell_seed
from gpf_desktop.domain.reviews import MarkedPassage
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.review.reading_aids import markdown
from gpf_desktop.engine.review.reading_aids.differences import Difference, against_baseline, against_consensus
from gpf_desktop.engine.review.reading_aids.masking import identity_patterns, masked
from gpf_desktop.engine.review.reading_aids.sentence_grid import GridRow, sentence_grid
from gpf_desktop.engine.review.reading_aids.shown_text import ShownText
from gpf_desktop.engine.review.reading_aids.words import Stretch, words
from gpf_desktop.engine.review.review_reading import ReadAnswer, ReadBundle
from gpf_desktop.storage.responses import Answer
from gpf_desktop.ui.widgets.span_text import Mark, Span

if TYPE_CHECKING:
    from gpf_desktop.numerics.explain import BundleExplanation

CONSENSUS = ""
"""A choice beside the identities: compare with what the other answers agree on."""
MISSING_SHOWN = 7
"""Words of the consensus named under a card; the rest are counted."""

LONG_WORD = 6
"""Letters from which words count as equally telling."""


class Layout(StrEnum):
    """How answers lie beside each other; V goes through them."""

    COLUMNS = "columns"
    STACK = "stack"
    BASELINE = "difference to a baseline"
    GRID = "sentence grid"


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingOptions:
    """What the reader chose to see."""

    baseline: str = CONSENSUS
    """An identity, or `CONSENSUS`."""
    only_here: bool = True
    missing_here: bool = True
    tone: bool = False
    blind: bool = False
    seed: int = 0
    """Orders answers in blind mode."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CardContent:
    """One answer, or several that say the very same."""

    letters: tuple[str, ...]
    identities: tuple[str, ...]
    names: tuple[str, ...]
    """Identities as they may be shown: none in blind mode."""
    cell_id: int
    shown: ShownText
    spans: tuple[Span, ...]
    footer: str
    """What is missing here, in words."""
    footer_tip: str
    """All of it, with how many of the others have each word."""
    words: int
    missing: str
    """Why there is no answer; empty where there is one."""
    detail: str
    flags: tuple[tuple[str, str], ...]
    """(flag, what it found), in the order in which chips stand."""
    repeats: tuple["CardContent", ...] = ()
    """The same question asked again, to be read as a stack."""
    baseline: bool = False

    @property
    def letter(self) -> str:
        return " = ".join(self.letters)


@dataclass(frozen=True, slots=True, kw_only=True)
class GridContent:
    """Sentences beside those that say the like; one column per card with an answer."""

    headings: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    """Empty text: nothing like it in that answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """All cards of a bundle."""

    cards: tuple[CardContent, ...]
    grid: GridContent
    letters: Mapping[str, str]
    """Identity → letter, in the order shown."""
    blind: bool


def compose(
    bundle: ReadBundle,
    options: ReadingOptions,
    explanation: "BundleExplanation | None" = None,
    passages: Sequence[MarkedPassage] = (),
) -> Reading:
    """Pure, and worth some milliseconds: called on a worker thread."""
    blind = options.blind and not bundle.standing.revealed
    answers = _in_order(bundle, options.seed) if blind else bundle.answers
    letters = {each.identity: letter(number) for number, each in enumerate(answers)}
    cover = identity_patterns(bundle.protocol) if blind else ()
    own = tuple(each.identity for each in answers) if blind else ()

    def shown(text: str) -> ShownText:
        plain = markdown.shown(text)
        return masked(plain, cover, own) if blind else plain

    texts = {each.identity: shown(each.answer.text) for each in answers if not each.answer.missing}
    differences = _differences(texts, options.baseline)
    tones = _tones(explanation) if options.tone else {}
    cards = [
        _card(
            each,
            letters,
            _Found(
                shown=shown,
                difference=differences.get(each.identity, Difference()),
                tones=tones.get(each.identity, ()),
                passages=tuple(passage for passage in passages if passage.cell_id == each.cell_id),
                options=options,
                blind=blind,
            ),
        )
        for each in answers
    ]
    collapsed = _collapsed(cards)
    return Reading(cards=collapsed, grid=_grid(collapsed), letters=letters, blind=blind)


def letter(number: int) -> str:
    """A … Z, then AA, AB, …"""
    first, last = divmod(number, 26)
    return (chr(64 + first) if first else "") + chr(65 + last)


def _in_order(bundle: ReadBundle, seed: int) -> tuple[ReadAnswer, ...]:
    answers = list(bundle.answers)
    random.Random(cell_seed(seed, bundle.id)).shuffle(answers)  # noqa: S311 - an order, not a secret
    return tuple(answers)


def _differences(texts: Mapping[str, ShownText], baseline: str) -> dict[str, Difference]:
    if baseline in texts:
        base = texts[baseline].text
        return {
            identity: Difference() if identity == baseline else against_baseline(text.text, base)
            for identity, text in texts.items()
        }
    return dict(zip(texts, against_consensus([text.text for text in texts.values()]), strict=True))


def _tones(explanation: "BundleExplanation | None") -> dict[str, tuple[Span, ...]]:
    """VADER words of each answer, in places of the stored text."""
    if explanation is None:
        return {}
    found: dict[str, tuple[Span, ...]] = {}
    for answer in explanation.answers:
        found[answer.identity] = tuple(
            Span(
                start=word.start,
                end=word.end,
                mark=Mark.POSITIVE if word.contribution > 0 else Mark.NEGATIVE,
                tip=tr("{word}: {value}", word=word.word, value=f"{word.contribution:+.2f}"),
            )
            for word in answer.tone.words
            if word.contribution
        )
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class _Found:
    """What is to be marked in one answer."""

    shown: Callable[[str], ShownText]
    difference: Difference
    tones: tuple[Span, ...]
    passages: tuple[MarkedPassage, ...]
    options: ReadingOptions
    blind: bool


def _card(each: ReadAnswer, letters: Mapping[str, str], found: _Found) -> CardContent:
    def plain(answer: Answer, flags: tuple[tuple[str, str], ...]) -> CardContent:
        text = found.shown(answer.text)
        return CardContent(
            letters=(letters[each.identity],),
            identities=(each.identity,),
            names=() if found.blind else (each.identity,),
            cell_id=answer.cell_id,
            shown=text,
            spans=(),
            footer="",
            footer_tip="",
            words=len(words(text.text)),
            missing=answer.missing,
            detail=answer.detail,
            flags=flags,
        )

    card = replace(
        plain(each.answer, _flags(each, blind=found.blind)),
        repeats=tuple(plain(repeat, ()) for repeat in each.repeats),
        baseline=found.options.baseline == each.identity,
    )
    return card if card.missing else _marked(card, found)


def _marked(card: CardContent, found: _Found) -> CardContent:
    difference, options = found.difference, found.options
    insertions = [(lack.at, f" {lack.text}") for lack in difference.missing] if options.missing_here else []
    widened = card.shown.with_insertions(insertions)
    spans = [Span(start=p.start, end=p.end, mark=Mark.STRONG) for p in widened.shown.strong]
    if options.only_here:
        spans += [_span(widened.moved(part), Mark.ONLY_HERE) for part in difference.only_here]
    spans += [Span(start=p.start + 1, end=p.end, mark=Mark.MISSING_HERE) for p in widened.put_in]
    for tone in found.tones:
        place = widened.shown.shown(Stretch(tone.start, tone.end))
        spans.append(replace(tone, start=place.start, end=place.end))
    for passage in found.passages:
        place = widened.shown.shown(Stretch(passage.start, passage.end))
        spans.append(Span(start=place.start, end=place.end, mark=Mark.PASSAGE, tip=passage.comment))
    footer, tip = _footer(difference) if options.missing_here else ("", "")
    return replace(card, shown=widened.shown, spans=tuple(spans), footer=footer, footer_tip=tip)


def _span(part: Stretch, mark: Mark) -> Span:
    return Span(start=part.start, end=part.end, mark=mark)


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


FLAG_ORDER = ("leakage", "refusal", "truncated", "duplicate", "very short")


def _flags(each: ReadAnswer, *, blind: bool) -> tuple[tuple[str, str], ...]:
    found = dict(each.answer.flags)
    if each.answer.truncated:
        found.setdefault("truncated", "")
    known = [(name, found[name]) for name in FLAG_ORDER if name in found]
    further = [(name, detail) for name, detail in sorted(found.items()) if name not in FLAG_ORDER]
    # What a flag found may name an identity, which a blind reader is not to see.
    return tuple((name, "" if blind else detail) for name, detail in (*known, *further))


def _collapsed(cards: Sequence[CardContent]) -> tuple[CardContent, ...]:
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
                identities=first.identities + card.identities,
                names=first.names + card.names,
                baseline=first.baseline or card.baseline,
                flags=tuple(dict.fromkeys(first.flags + card.flags)),
            )
    return tuple(kept.values())


def _grid(cards: Sequence[CardContent]) -> GridContent:
    answered = [card for card in cards if not card.missing]
    plain = [_without_insertions(card) for card in answered]
    rows: list[GridRow] = sentence_grid(plain)
    return GridContent(
        headings=tuple(heading_of(card) for card in answered),
        rows=tuple(
            tuple("" if part is None else part.of(text) for part, text in zip(row.cells, plain, strict=True))
            for row in rows
        ),
    )


def _without_insertions(card: CardContent) -> str:
    put_in = {at for span in card.spans if span.mark is Mark.MISSING_HERE for at in range(span.start - 1, span.end)}
    return "".join(char for at, char in enumerate(card.shown.text) if at not in put_in)


def heading_of(card: CardContent) -> str:
    """A, or A · Student, or C = F · Student = Veteran."""
    return f"{card.letter} · {' = '.join(card.names)}" if card.names else card.letter

"""Contents of the answer cards: composed from a bundle off the GUI thread, shown by widgets that decide nothing."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from gpf_desktop.domain.cells import cell_seed
from gpf_desktop.domain.codes import CodeBook
from gpf_desktop.domain.models import short_names
from gpf_desktop.domain.ports.method_abilities import ControlWords
from gpf_desktop.domain.reviews import MarkedPassage
from gpf_desktop.domain.text import signed, tr
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.core.catalogue import method
from gpf_desktop.engine.review.answer_letters import letter
from gpf_desktop.engine.review.choice_grid import choice_grid
from gpf_desktop.engine.review.reading_aids import markdown
from gpf_desktop.engine.review.reading_aids.carrying_words import Carries, carried
from gpf_desktop.engine.review.reading_aids.differences import (
    Difference,
    against_agreed,
    against_baseline,
    against_consensus,
)
from gpf_desktop.engine.review.reading_aids.masking import masked
from gpf_desktop.engine.review.reading_aids.shown_text import ShownText
from gpf_desktop.engine.review.reading_aids.words import Stretch
from gpf_desktop.engine.review.review_reading import ReadAnswer, ReadBundle
from gpf_desktop.storage.responses import Answer
from gpf_desktop.ui.review.answer_order import ordered
from gpf_desktop.ui.review.reading_cards import ToMark, aligned, answer_card, collapsed, control_card
from gpf_desktop.ui.review.reading_content import (
    CONSENSUS,
    CONTROL,
    CardContent,
    Generation,
    PassageLine,
    Reading,
    ReadingOptions,
    heading_of,
    pair_of,
)
from gpf_desktop.ui.widgets.span_text import Mark, Span

if TYPE_CHECKING:
    from gpf_desktop.numerics.explain import BundleExplanation


def compose(
    bundle: ReadBundle,
    options: ReadingOptions,
    explanation: "BundleExplanation | None" = None,
    passages: Sequence[MarkedPassage] = (),
    book: CodeBook = CodeBook(),  # noqa: B008 - it is frozen
) -> Reading:
    """Pure, and worth some milliseconds: called on a worker thread."""
    blind = options.blind and not bundle.state.revealed
    choices = choice_grid(bundle, blind=blind)
    if choices is not None:
        return Reading(cards=(), grid=aligned(()), letters={}, blind=blind, choices=choices, book=book)
    answers = in_order(bundle, options.seed) if blind else bundle.answers
    letters = {each.level: letter(number) for number, each in enumerate(answers)}
    cover = catalogue.method(bundle.facts.method).names_to_cover(bundle.protocol) if blind else ()
    own = tuple(each.level for each in answers) if blind else ()

    def shown(text: str) -> ShownText:
        plain = markdown.shown(text)
        return masked(plain, cover, own) if blind else plain

    texts = {each.level: shown(each.answer.text) for each in answers if not each.answer.missing}
    free = _generation(bundle, options)
    free_text = shown(free[0].text) if free is not None and not free[0].missing else None
    every = texts if free_text is None else {**texts, CONTROL: free_text}
    options = replace(options, baseline=_baseline(options, every))
    differences = _differences(every, options.baseline)
    tones = _tones(explanation) if options.tone else {}
    carries = {} if options.baseline else _carried(explanation, options.amount)

    # Where answers of several models stand beside each other, models are its levels.
    called = {} if bundle.facts.model_id else short_names(each.level for each in answers)

    def found(level: str, cell_id: int) -> ToMark:
        return ToMark(
            shown=shown,
            difference=differences.get(level, Difference()),
            carries=carries.get(level),
            tones=tones.get(level, ()),
            passages=tuple(passage for passage in passages if passage.cell_id == cell_id),
            book=book,
            options=options,
            blind=blind,
            called=called.get(level, level),
        )

    cards = [answer_card(each, letters, found(each.level, each.cell_id)) for each in answers]
    asked_for = [card for card in cards if card.cell_id in options.answers] or cards
    beside = [] if free is None else [control_card(*free, found(CONTROL, free[0].cell_id))]
    shown_cards = (*beside, *ordered(collapsed(asked_for), options.order, explanation))
    return Reading(
        cards=shown_cards,
        grid=aligned(pair_of(shown_cards, options.pair) or shown_cards),
        letters=letters,
        blind=blind,
        passages=tuple(_passage_line(passage, cards, texts) for passage in passages),
        book=book,
        baselines=_baselines(bundle, shown_cards),
        control_why=_control_why(bundle),
        control_words=_control_words(bundle),
    )


def in_order(bundle: ReadBundle, seed: int) -> tuple[ReadAnswer, ...]:
    """Answers as a blind reader with *seed* sees them."""
    answers = list(bundle.answers)
    # The same letters whenever this bundle is opened, and others in the next: a letter says nothing of a level.
    random.Random(cell_seed(seed, bundle.id)).shuffle(answers)  # noqa: S311 - an order, not a secret
    return tuple(answers)


def _generation(bundle: ReadBundle, options: ReadingOptions) -> tuple[Answer, Generation] | None:
    if bundle.control is None or not (options.control or options.baseline == CONTROL):
        return None
    generations = bundle.control.generations
    at = options.generation % len(generations)
    words = _control_words(bundle)
    title, about = ("", "") if words is None else (words.control_title, words.control_about)
    return generations[at], Generation(number=at + 1, of=len(generations), title=title, about=about)


def _control_words(bundle: ReadBundle) -> ControlWords | None:
    """None for a method whose bundles have no control."""
    its = method(bundle.facts.method)
    return its if isinstance(its, ControlWords) else None


def _control_why(bundle: ReadBundle) -> str:
    if bundle.control is not None:
        return ""
    words = _control_words(bundle)
    if words is None:
        return ""
    return (
        words.control_left_out
        if method(bundle.facts.method).control_arm(bundle.facts.coordinates)
        else words.control_itself
    )


def _baselines(bundle: ReadBundle, cards: Sequence[CardContent]) -> tuple[tuple[str, str], ...]:
    own = tuple((card.key, heading_of(card)) for card in cards if not card.missing and card.generation is None)
    words = _control_words(bundle)
    return own if bundle.control is None or words is None else (*own, (CONTROL, words.control_title))


def _baseline(options: ReadingOptions, every: Mapping[str, ShownText]) -> str:
    if options.baseline in every:
        return options.baseline
    return next(iter(every), CONSENSUS) if options.needs_baseline else CONSENSUS


def _differences(every: Mapping[str, ShownText], baseline: str) -> dict[str, Difference]:
    """The control's answer is compared as well, but is never part of what the others agree on."""
    if baseline:
        base = every[baseline].text
        return {
            level: Difference() if level == baseline else against_baseline(text.text, base)
            for level, text in every.items()
        }
    own = {level: text.text for level, text in every.items() if level != CONTROL}
    found = dict(zip(own, against_consensus(list(own.values())), strict=True))
    if CONTROL in every:
        found[CONTROL] = against_agreed(every[CONTROL].text, list(own.values()))
    return found


def _carried(explanation: "BundleExplanation | None", amount: int) -> dict[str, Mapping[str, Carries]]:
    if explanation is None:
        return {}
    found = carried(explanation.terms, len(explanation.answers), amount)
    return {answer.level: words for answer, words in zip(explanation.answers, found, strict=True)}


def _tones(explanation: "BundleExplanation | None") -> dict[str, tuple[Span, ...]]:
    """VADER words of each answer, in places of the stored text."""
    if explanation is None:
        return {}
    found: dict[str, tuple[Span, ...]] = {}
    for answer in explanation.answers:
        found[answer.level] = tuple(
            Span(
                start=word.start,
                end=word.end,
                mark=Mark.POSITIVE if word.contribution > 0 else Mark.NEGATIVE,
                tip=tr("{word}: {value}", word=word.word, value=signed(word.contribution, 2)),
            )
            for word in answer.tone.words
            if word.contribution
        )
    return found


def _passage_line(passage: MarkedPassage, cards: Sequence[CardContent], texts: Mapping[str, ShownText]) -> PassageLine:
    card = next((card for card in cards if card.cell_id == passage.cell_id), None)
    shown = None if card is None else texts.get(card.key)
    if card is None or shown is None:
        return PassageLine(passage=passage, letter="", level="", words="", start=0, end=0)
    place = card.shown.shown(Stretch(passage.start, passage.end))
    said = shown.shown(Stretch(passage.start, passage.end)).of(shown.text)
    return PassageLine(
        passage=passage,
        letter=card.letter,
        level=card.key,
        words=" ".join(said.split()),
        start=place.start,
        end=place.end,
    )

"""Contents of the answer cards, in the shape in which widgets show them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum

from gpf_desktop.domain.codes import CodeBook
from gpf_desktop.domain.ports.method_abilities import ControlWords
from gpf_desktop.domain.reviews import MarkedPassage
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.review.choice_grid import ChoiceGrid
from gpf_desktop.engine.review.reading_aids.carrying_words import USUAL
from gpf_desktop.engine.review.reading_aids.shown_text import ShownText
from gpf_desktop.ui.widgets.span_text import Span

CONSENSUS = ""
"""A choice beside the levels: compare with what the other answers agree on."""
CONTROL = "#"
"""Stands where a level would, for the control's answer: beside the bundle's answers, not one of them."""


class Layout(StrEnum):
    """How answers lie beside each other; V goes through them."""

    COLUMNS = "columns"
    STACK = "stack"
    BASELINE = "difference to a baseline"
    GRID = "sentence grid"


IN_COLUMNS = frozenset({Layout.COLUMNS, Layout.BASELINE})
"""Those whose columns are swapped."""


class AnswerOrder(StrEnum):
    """In which order answers stand; E goes through them. Letters stay with their answers."""

    PLANNED = "planned"
    """As the protocol has them; shuffled in blind mode."""
    SHARE = "share of S"
    """The largest first: the answer that is most unlike the others."""
    TONE = "tone"
    """The lowest first."""
    LENGTH = "length"
    """The longest first."""

    @property
    def explained(self) -> bool:
        """Whether it can be told only from the explanation of the scores."""
        return self in (AnswerOrder.SHARE, AnswerOrder.TONE)


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadingOptions:
    """The reader's choices of what to see."""

    baseline: str = CONSENSUS
    """A level, `CONSENSUS` or `CONTROL`."""
    needs_baseline: bool = False
    """Where a bundle has no such answer its first one is the baseline, rather than the consensus."""
    only_here: bool = True
    amount: int = USUAL
    """How many of the words that carry the score are marked: a place in `AMOUNTS`."""
    missing_here: bool = True
    tone: bool = False
    order: AnswerOrder = AnswerOrder.PLANNED
    control: bool = False
    """The control's answer stands beside the others, where there is one."""
    generation: int = 0
    """Which of its generations, from 0; counted round where there are fewer."""
    blind: bool = False
    seed: int = 0
    """Orders answers in blind mode."""
    pair: tuple[str, ...] = ()
    """The two answers that are compared, from bundle to bundle; empty: all are shown."""
    answers: frozenset[int] = frozenset()
    """Cells: only the cards of these, in a bundle that has any of them; empty: all."""

    def nameless(self) -> "ReadingOptions":
        """The same without what was chosen by name, which would tell whose answer it is where names are hidden."""
        kept = self.baseline if self.baseline in (CONSENSUS, CONTROL) else CONSENSUS
        return replace(self, baseline=kept, pair=(), answers=frozenset())


@dataclass(frozen=True, slots=True, kw_only=True)
class Generation:
    """The number of the control's answer that a card shows."""

    number: int
    """From 1, as in #1."""
    of: int
    title: str = ""
    """What the method calls it."""
    about: str = ""
    """What it is, in the method's words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CodedWords:
    """A passage of an answer with its codes."""

    codes: tuple[str, ...]
    """What they are called."""
    words: str
    """In one line."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CardContent:
    """One answer, or several that say the very same; or one generation of the control's answer."""

    letters: tuple[str, ...]
    """Empty on the control's card."""
    levels: tuple[str, ...]
    """`CONTROL` alone on the control's card."""
    names: tuple[str, ...]
    """Levels as they may be shown: none in blind mode."""
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
    refused_unknown: bool
    """Declined by words that the program does not know."""
    detail: str
    flags: tuple[tuple[str, str], ...]
    """(flag, what it found), in the order in which chips stand."""
    coded: tuple[CodedWords, ...] = ()
    """Of its passages those with codes."""
    repeats: tuple["CardContent", ...] = ()
    """The same question asked again, to be read as a stack."""
    baseline: bool = False
    studied: bool = False
    """Of the model under study."""
    generation: Generation | None = None
    """None on the cards of the bundle's own answers."""
    later: tuple[tuple[str, str], ...] = ()
    """(model, reply) of later stages about this answer; empty in blind mode."""
    sources: tuple[tuple[str, str], ...] = ()
    """(who, text) that the answer is held against; of answers of the very same words, all that differ."""

    @property
    def key(self) -> str:
        """Names the card among those of its bundle."""
        return self.levels[0]

    @property
    def letter(self) -> str:
        return " = ".join(self.letters)


@dataclass(frozen=True, slots=True, kw_only=True)
class GridContent:
    """Sentences beside those that say the like; one column per card with an answer."""

    headings: tuple[str, ...]
    keys: tuple[str, ...]
    """Of the columns' cards."""
    rows: tuple[tuple[str, ...], ...]
    """Empty text: nothing like it in that answer."""
    same: tuple[tuple[int, ...], ...]
    """For each sentence the first column that says the same; -1 where there is none."""
    starts: tuple[tuple[int, ...], ...]
    """Where each sentence starts in the text of its card; -1 where there is none."""
    alone: tuple[bool, ...]
    """Of each row: whether its sentences are like no other, rather than like each other."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PassageLine:
    """A marked passage as the form lists it."""

    passage: MarkedPassage
    letter: str
    """Of its answer; empty where that is not among the bundle's."""
    level: str
    words: str
    """As they may be shown, in one line."""
    start: int
    end: int
    """Where it stands in the text of its card."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """All cards of a bundle."""

    cards: tuple[CardContent, ...]
    grid: GridContent
    letters: Mapping[str, str]
    """Level → letter, in the order shown."""
    blind: bool
    passages: tuple[PassageLine, ...] = ()
    book: CodeBook = CodeBook()  # noqa: RUF009 - it is frozen
    """What the codes of passages are called."""
    baselines: tuple[tuple[str, str], ...] = ()
    """(key, heading) of what answers can be compared with beside the consensus."""
    choices: ChoiceGrid | None = None
    """Where each answer chooses one of its item's options, in place of cards: they stand in their contexts."""
    control_words: ControlWords | None = None
    """How the control is called; None: the method has none."""
    control_why: str = ""
    """Why no control can be shown; empty where one can."""

    def card_of(self, level: str) -> CardContent | None:
        """The card on which the answer for *level* stands."""
        return card_of(self.cards, level)

    @property
    def baseline(self) -> str:
        """The key of the card that the others are compared with; `CONSENSUS` where none is."""
        return next((card.key for card in self.cards if card.baseline), CONSENSUS)


def card_of(cards: Sequence[CardContent], level: str) -> CardContent | None:
    """The one of *cards* on which the answer for *level* stands."""
    return next((card for card in cards if level in card.levels), None)


def pair_of(cards: Sequence[CardContent], pair: Sequence[str]) -> tuple[CardContent, ...]:
    """The cards of the two answers *pair*; none where one has no card, or both have the same."""
    found = [card for key in pair if (card := card_of(cards, key)) is not None]
    return tuple(found) if len(found) == 2 and found[0] is not found[1] else ()


def heading_of(card: CardContent) -> str:
    """A, or A · Student, or C = F · Student = Veteran, or Control · #1 of 7."""
    if card.generation is not None:
        return f"{card.generation.title} · {generation_words(card.generation)}"
    return f"{card.letter} · {' = '.join(card.names)}" if card.names else card.letter


def generation_words(generation: Generation) -> str:
    return tr("#{n} of {all}", n=generation.number, all=generation.of)

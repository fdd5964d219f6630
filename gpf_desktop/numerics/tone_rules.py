"""The rules of VADER 3.3.2 for a word, looked up once a word, and its sums; lexicon and word lists
are the library's."""

from collections.abc import Sequence
from enum import StrEnum
from functools import cache
from itertools import chain
from math import sqrt
from string import punctuation
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray
from vaderSentiment import vaderSentiment

from gpf_desktop.arrays import Floats
from gpf_desktop.numerics.spelling import one_spelling
from gpf_desktop.numerics.tokens import Numbering, TokenColumn

CAPITALS: Final = float(vaderSentiment.C_INCR)
NEGATION: Final = float(vaderSentiment.N_SCALAR)
NEVER_SO: Final = 1.25
BOOSTERS: Final[dict[str, float]] = vaderSentiment.BOOSTER_DICT
IDIOMS: Final[dict[str, float]] = vaderSentiment.SPECIAL_CASES
SECOND_WORD, THIRD_WORD = 0.95, 0.9
BEFORE_BUT, AFTER_BUT = 0.5, 1.5

CUES: Final = ("no", "or", "nor", "never", "so", "this", "without", "doubt", "least", "at", "very", "kind", "of")
"""Words that rules ask for by name."""

ROLES: Final[dict[str, int]] = {
    word: number
    for number, word in enumerate(
        dict.fromkeys([*CUES, *(word for key in (*IDIOMS, *BOOSTERS) if " " in key for word in key.split())]), 1
    )
}
"""Numbers for the cues and for the words of idioms; 0 is any other word."""


class ToneRule(StrEnum):
    """The rule that changed a word's valence."""

    NO = "no"
    CAPITALS = "capitals"
    BOOSTER = "booster"
    NEGATION = "negation"
    NEVER_SO = "never so"
    IDIOM = "idiom"
    BUT = "but"


@cache
def analyser() -> Any:
    """The library's analyser; reading its lexicon takes some 20 ms."""
    return vaderSentiment.SentimentIntensityAnalyzer()


@cache
def lexicon() -> dict[str, float]:
    words: dict[str, float] = analyser().lexicon
    return words


@cache
def emoji() -> dict[str, str]:
    """Single characters that the library spells out; it never sees longer sequences as one."""
    spelled: dict[str, str] = analyser().emojis
    return {sign: words for sign, words in spelled.items() if len(sign) == 1}


def spell_out(token: str) -> str:
    """*token* (without whitespace) in one spelling, with its emoji spelled out as the library does."""
    token = one_spelling(token)
    if token.isascii():
        return token
    signs = emoji()
    if signs.keys().isdisjoint(token):
        return token
    spelled: list[str] = []
    begins = True
    for sign in token:
        if sign in signs:
            spelled.append(signs[sign] if begins else f" {signs[sign]}")
        else:
            spelled.append(sign)
        begins = False
    return "".join(spelled)


def words_of(token: str) -> list[str]:
    """The library's words of one whitespace-separated token: punctuation stripped, emoticons kept."""
    spelled = spell_out(token)
    words = []
    # Only emoji bring spaces with them.
    for part in [spelled] if spelled is token else spelled.split():
        stripped = part.strip(punctuation)
        # The library keeps what would leave two characters or fewer: such parts may be emoticons.
        words.append(part if len(stripped) <= 2 else stripped)
    return words


def negates(lowered: str) -> bool:
    return lowered in _NEGATIONS or "n't" in lowered


_NEGATIONS: Final = frozenset(vaderSentiment.NEGATE)


def turn_at_but(values: list[float], places: list[int], but: int) -> None:
    """Halve what stands before the first "but" and strengthen what follows, in place, as the library does.

    It looks each value up by equality, so of equal values the first is changed again and later ones stay;
    the same is done here, or the compounds would differ.
    """
    # The values change while they are walked over, and later look-ups see what earlier ones left.
    for index in range(len(values)):
        value = values[index]
        first = values.index(value)
        if places[first] < but:
            values[first] = value * BEFORE_BUT
        elif places[first] > but:
            values[first] = value * AFTER_BUT


def emphasis(exclamations: int, questions: int) -> float:
    """The amount that punctuation adds to the sum, towards the sum's own sign."""
    asking = 0.0
    if questions > 1:
        asking = questions * 0.18 if questions <= 3 else 0.96
    return min(exclamations, 4) * 0.292 + asking


def compound(total: float, amplifier: float) -> float:
    """The normalised sum, as the library rounds it."""
    if total > 0:
        total += amplifier
    elif total < 0:
        total -= amplifier
    return round(max(-1.0, min(1.0, total / sqrt(total * total + 15))), 4)


CANDIDATE, BUT, UPPER, LEXICAL, NEGATES = 1, 2, 4, 8, 16
"""Bits of a word: may carry tone; is "but"; is in capitals; is in the lexicon; negates."""


def _bits(word: str, lowered: str) -> int:
    bits = UPPER * word.isupper() | NEGATES * negates(lowered)
    if lowered in lexicon():
        # As in the library, a booster never carries tone itself.
        bits |= LEXICAL if lowered in BOOSTERS else LEXICAL | CANDIDATE
    return bits | BUT if lowered == "but" else bits


class ToneWords:
    """The library's words, numbered, with what its rules ask of each; number 0 stands for "no word there"."""

    def __init__(self) -> None:
        self.numbering = Numbering()
        self._bits = TokenColumn(np.uint8)
        self._valence = TokenColumn(np.float64)
        self._boost = TokenColumn(np.float64)
        self._role = TokenColumn(np.uint8)
        # Number 0, for the words that are not there beside a word at a text's edge.
        self.numbers([""])

    def numbers(self, words: Sequence[str]) -> list[int]:
        numbers = [self.numbering[word] for word in words]
        self._learn(self.numbering.strings[len(self._bits) :])
        return numbers

    def of_tokens(self, tokens: Sequence[str]) -> tuple[list[int], list[int]]:
        """Numbers of the words of all *tokens*, and how many each has."""
        each = [words_of(token) for token in tokens]
        return self.numbers(list(chain.from_iterable(each))), list(map(len, each))

    def _learn(self, words: Sequence[str]) -> None:
        lowered = [word.lower() for word in words]
        valence = lexicon()
        self._valence.extend([valence.get(word, 0.0) for word in lowered])
        self._boost.extend([BOOSTERS.get(word, 0.0) for word in lowered])
        self._role.extend([ROLES.get(word, 0) for word in lowered])
        self._bits.extend([_bits(word, low) for word, low in zip(words, lowered, strict=True)])

    @property
    def bits(self) -> NDArray[np.uint8]:
        return self._bits.array

    @property
    def valence(self) -> Floats:
        return self._valence.array

    @property
    def boost(self) -> Floats:
        return self._boost.array

    @property
    def role(self) -> NDArray[np.uint8]:
        return self._role.array

"""VADER word by word: what each word and each rule adds to the sum that the compound normalises.

The same rules as `tone`, one text at a time and written down as they act; both are tested against the library.
"""

import re
from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from gpf_desktop.numerics import tone_rules as rules
from gpf_desktop.numerics.tone import compound, emphasis, turn_at_but

_TOKEN: Final = re.compile(r"\S+")


class ToneRule(StrEnum):
    """What changed a word's valence."""

    NO = "no"
    CAPITALS = "capitals"
    BOOSTER = "booster"
    NEGATION = "negation"
    NEVER_SO = "never so"
    IDIOM = "idiom"
    BUT = "but"


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """One rule at work on one word."""

    rule: ToneRule
    amount: float
    by: str
    """The words that made it act; empty for capitals."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToneWord:
    """A word that carries tone. ``valence`` plus its effects' amounts is ``contribution``."""

    word: str
    start: int
    end: int
    """Where the word stands in the text, with its punctuation."""
    valence: float
    """As in the lexicon."""
    effects: tuple[Effect, ...]
    contribution: float


@dataclass(frozen=True, slots=True, kw_only=True)
class ToneTrace:
    """A text's tone: the words' contributions plus *punctuation* make *total*, which *compound* normalises."""

    words: tuple[ToneWord, ...]
    punctuation: float
    total: float
    compound: float


def trace(text: str) -> ToneTrace:
    """The compound of *text* as the library has it, and where it comes from."""
    spelled = [
        (word, match.start(), match.end()) for match in _TOKEN.finditer(text) for word in rules.words_of(match.group())
    ]
    words = [word for word, _, _ in spelled]
    lowered = [word.lower() for word in words]
    capitals = sum(word.isupper() for word in words)
    mixed_case = 0 < capitals < len(words)
    traced = [
        _Word(words, lowered, place, mixed_case)
        for place, word in enumerate(lowered)
        if word in rules.lexicon() and word not in rules.BOOSTERS and lowered[place : place + 2] != ["kind", "of"]
    ]
    for word in traced:
        word.apply_rules()
    if "but" in lowered:
        _but([word for word in traced if word.value != 0], lowered.index("but"))
    total = float(sum(word.value for word in traced if word.value != 0))
    marks = rules.spell_out_all(text)
    amplifier = emphasis(marks.count("!"), marks.count("?"))
    punctuation = amplifier if total > 0 else -amplifier if total < 0 else 0.0
    return ToneTrace(
        words=tuple(
            ToneWord(
                word=words[word.place],
                start=spelled[word.place][1],
                end=spelled[word.place][2],
                valence=word.valence,
                effects=tuple(word.effects),
                contribution=word.value,
            )
            for word in traced
        ),
        punctuation=punctuation,
        total=total + punctuation,
        compound=compound(total, amplifier),
    )


def _but(words: list["_Word"], but: int) -> None:
    values = [word.value for word in words]
    turn_at_but(values, [word.place for word in words], but)
    for word, value in zip(words, values, strict=True):
        word.becomes(value, ToneRule.BUT, "but")


class _Word:
    """One word of the lexicon while the rules act on it, in the library's order."""

    def __init__(self, words: list[str], lowered: list[str], place: int, mixed_case: bool) -> None:
        self._words, self._lowered, self._mixed_case = words, lowered, mixed_case
        self.place = place
        self.valence = self.value = rules.lexicon()[lowered[place]]
        self.effects: list[Effect] = []

    def becomes(self, value: float, rule: ToneRule, by: str) -> None:
        if value != self.value:
            self.effects.append(Effect(rule=rule, amount=value - self.value, by=by))
            self.value = value

    def apply_rules(self) -> None:
        self._no()
        if self._words[self.place].isupper() and self._mixed_case:
            self.becomes(self._louder(self.value, self.value), ToneRule.CAPITALS, "")
        for back, damping in ((1, 1.0), (2, rules.SECOND_WORD), (3, rules.THIRD_WORD)):
            if self._before(back) and self._before(back) not in rules.lexicon():
                self._booster(back, damping)
                self._negation(back)
                if back == 3:
                    self._idioms()
        if self._before(1) == "least" and self._before(2) not in {"at", "very"}:
            self.becomes(self.value * rules.NEGATION, ToneRule.NEGATION, "least")

    def _before(self, back: int) -> str:
        """The word that many places earlier, lower case; empty before the beginning."""
        return self._lowered[self.place - back] if self.place >= back else ""

    def _louder(self, value: float, sign: float) -> float:
        return value + rules.CAPITALS if sign > 0 else value - rules.CAPITALS

    def _no(self) -> None:
        following = self._lowered[self.place + 1 : self.place + 2]
        if self._lowered[self.place] == "no" and following and following[0] in rules.lexicon():
            self.becomes(0.0, ToneRule.NO, following[0])
        if "no" in {self._before(1), self._before(2)} or (self._before(3) == "no" and self._before(1) in {"or", "nor"}):
            self.becomes(self.valence * rules.NEGATION, ToneRule.NO, "no")

    def _booster(self, back: int, damping: float) -> None:
        word = self._before(back)
        scalar = rules.BOOSTERS.get(word, 0.0)
        if scalar:
            scalar = -scalar if self.value < 0 else scalar
            if self._words[self.place - back].isupper() and self._mixed_case:
                scalar = self._louder(scalar, self.value)
            self.becomes(self.value + scalar * damping, ToneRule.BOOSTER, word)

    def _negation(self, back: int) -> None:
        one, two, word = self._before(1), self._before(2), self._before(back)
        so = {"so", "this"}
        never_so = (back == 2 and two == "never" and one in so) or (
            back == 3 and (one in so or (word == "never" and two in so))
        )
        doubt = word == "without" and ((back == 2 and one == "doubt") or (back == 3 and "doubt" in {one, two}))
        if never_so:
            self.becomes(self.value * rules.NEVER_SO, ToneRule.NEVER_SO, " ".join(self._lowered_back(back)))
        elif not doubt and rules.negates(word):
            self.becomes(self.value * rules.NEGATION, ToneRule.NEGATION, word)

    def _lowered_back(self, back: int) -> list[str]:
        return self._lowered[self.place - back : self.place]

    def _idioms(self) -> None:
        place, words = self.place, self._lowered
        spans = ((1, 1), (2, 1), (2, 0), (3, 0), (3, -1))
        for back, ahead in spans:
            phrase = " ".join(words[place - back : place + ahead])
            if phrase in rules.IDIOMS:
                self.becomes(rules.IDIOMS[phrase], ToneRule.IDIOM, phrase)
                break
        for ahead in (2, 3):
            phrase = " ".join(words[place : place + ahead])
            if len(words) >= place + ahead and phrase in rules.IDIOMS:
                self.becomes(rules.IDIOMS[phrase], ToneRule.IDIOM, phrase)
        for back, ahead in ((3, 0), (3, -1), (2, 0)):
            phrase = " ".join(words[place - back : place + ahead])
            if phrase in rules.BOOSTERS:
                self.becomes(self.value + rules.BOOSTERS[phrase], ToneRule.BOOSTER, phrase)

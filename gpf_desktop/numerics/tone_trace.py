"""VADER word by word: what each word and each rule adds to the sum that the compound normalises.

`tone` walks over the words and notes each rule as it acts.
"""

import re
from dataclasses import dataclass, replace
from typing import Final

from gpf_desktop.arrays import Floats, Ints
from gpf_desktop.numerics import tone_rules as rules
from gpf_desktop.numerics.tokens import Numbering, split
from gpf_desktop.numerics.tone import By, Tones
from gpf_desktop.numerics.tone_rules import ToneRule

_TOKEN: Final = re.compile(r"\S+")


@dataclass(frozen=True, slots=True, kw_only=True)
class WordEffect:
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
    effects: tuple[WordEffect, ...]
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
    tokens = Numbering()
    tones = Tones(tokens)
    tokenised = split([text], tokens)
    words = tones.words(tokenised)
    noted: list[tuple[ToneRule, Ints, Floats, Floats, By]] = []
    valences, where = tones.valences(words, lambda *each: noted.append(each))
    places = where.tolist()
    effects: list[list[WordEffect]] = [[] for _ in places]
    for rule, which, before, after, by in noted:
        for at, was, becomes in zip(which.tolist(), before.tolist(), after.tolist(), strict=True):
            said = by if isinstance(by, str) else " ".join(spelled[places[at] + step][0].lower() for step in by)
            _note(effects[at], WordEffect(rule=rule, amount=becomes - was, by=said))
    values = valences.tolist()
    but = tones.first_but(words)[0]
    if but >= 0:
        _turn_at_but(values, places, but, effects)
    total = float(sum(value for value in values if value != 0))
    exclamations, questions = (counts[0] for counts in tones.marks(tokenised))
    amplifier = rules.emphasis(exclamations, questions)
    punctuation = amplifier if total > 0 else -amplifier if total < 0 else 0.0
    return ToneTrace(
        words=tuple(
            ToneWord(
                word=spelled[place][0],
                start=spelled[place][1],
                end=spelled[place][2],
                valence=rules.lexicon()[spelled[place][0].lower()],
                effects=tuple(effects[at]),
                contribution=values[at],
            )
            for at, place in enumerate(places)
        ),
        punctuation=punctuation,
        total=total + punctuation,
        compound=rules.compound(total, amplifier),
    )


def _note(effects: list[WordEffect], effect: WordEffect) -> None:
    if effects and effects[-1].rule is effect.rule is ToneRule.IDIOM:
        # A later idiom takes the place of an earlier one, whatever that one did.
        effect = replace(effect, amount=effects.pop().amount + effect.amount)
    if effect.amount != 0:
        effects.append(effect)


def _turn_at_but(values: list[float], places: list[int], but: int, effects: list[list[WordEffect]]) -> None:
    spoken = [at for at, value in enumerate(values) if value != 0]
    turned = [values[at] for at in spoken]
    rules.turn_at_but(turned, [places[at] for at in spoken], but)
    for at, value in zip(spoken, turned, strict=True):
        _note(effects[at], WordEffect(rule=ToneRule.BUT, amount=value - values[at], by="but"))
        values[at] = value

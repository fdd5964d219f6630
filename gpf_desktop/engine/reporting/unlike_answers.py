"""The two most unlike answers of a set, in a sentence or two each: what to read first, quoted."""

import math
import re
from collections import Counter
from collections.abc import Collection, Hashable, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import Final

from gpf_desktop.domain.choosing import Option
from gpf_desktop.domain.ids import BundleId
from gpf_desktop.domain.ports.method_abilities import ChoosesOptions
from gpf_desktop.domain.text import shortened, tr
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.review.choice_grid import chosen, context_of
from gpf_desktop.engine.review.review_reading import ReadAnswer, ReadBundle, sent_prompt

_LONGEST: Final = 230
"""Characters of a quotation."""
_SENTENCES: Final = re.compile(r"(?<=[.!?…])[\"”’)]?\s+|\n+")
_WORD: Final = re.compile(r"\w+")
_Pair = tuple[tuple[ReadAnswer, Option], tuple[ReadAnswer, Option]]
_LESS_SOURCE: Final = "_calibrated"
"""Ends the name of a score from which the same of the source is taken off."""
_QUOTED: Final = 2
"""Sentences of each answer."""
_ALL: Final = 0.7
"""Of the words of a quotation, that differ, from which on to mark them says nothing."""
_BEFORE: Final = 2
"""Words that are quoted before the first in which two answers differ."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Quoted:
    """One answer in a few of its own words."""

    who: str
    """The reader that it was told to, or the model that said it."""
    words: str
    """Of one that chose an option: the option's own words, for the answer may be no more than its letter."""
    asked: str = ""
    """The prompt that it answers, in one line; empty: the set's title says it."""
    chose: str = ""
    """What that option is, "stereotype"; empty: it chose none."""
    score: float | None = None
    """Of the whole answer, where what is found rests on scores of answers."""
    score_is: str = ""
    """What that score is of, "tone, less the source"."""
    unlike: tuple[tuple[int, int], ...] = ()
    """Where in *words* stand those that the other answer's do not have, from and to; none is who it is about."""

    @property
    def from_unlike(self) -> str:
        """*words* from a little before the first of those: where all of them have no room, the difference is seen."""
        if not self.unlike:
            return self.words
        starts = [each.start() for each in _WORD.finditer(self.words, 0, self.unlike[0][0])]
        start = starts[-_BEFORE] if len(starts) > _BEFORE else 0
        return f"… {self.words[start:]}" if start else self.words


@dataclass(frozen=True, slots=True, kw_only=True)
class UnlikeAnswers:
    """Two answers of one set."""

    bundle: BundleId
    answers: int
    """That the set has."""
    pair: tuple[Quoted, Quoted]
    how: str
    """By what they are the two most unlike, in words."""


def unlike_answers(
    bundle: ReadBundle, factors: Collection[str] = (), groups: Collection[str] = ()
) -> UnlikeAnswers | None:
    """The pair of *bundle* furthest apart by the score that one of *factors* is of, else with the least words in
    common; None where fewer than two answers came. *groups*: between which a gap is told, for only they show it.

    Of answers that choose among options: one of each of the two that were chosen most, whose contexts differ in one of
    *factors*, if they can, and in as little else as they can, chosen as most such pairs are.
    """
    there = [each for each in bundle.answers if not each.answer.missing and each.answer.text.strip()]
    if len(there) < 2:
        return None
    choices = [(each, option) for each in there if (option := chosen(bundle, each.answer)) is not None]
    if len(choices) > 1:
        chosen_most = _most_chosen(bundle, choices, factors)
        return UnlikeAnswers(
            bundle=bundle.id,
            answers=len(bundle.answers),
            pair=marked(*chosen_most),
            how=tr("two unlike choices"),
        )
    told = [each for each in there if each.level in groups]
    if (scored := scored_pair(told if len(told) > 1 else there, factors)) is not None:
        by_level = {each.level: each for each in there}
        high, low = (replace(each, asked=_asked(bundle, by_level[each.who])) for each in scored)
        how = tr("furthest apart in {measure}", measure=high.score_is.partition(",")[0])
        return UnlikeAnswers(bundle=bundle.id, answers=len(bundle.answers), pair=marked(high, low), how=how)
    counted = [Counter(_words(each.answer.text)) for each in there]
    first, second = min(combinations(range(len(there)), 2), key=lambda pair: _likeness(*(counted[at] for at in pair)))
    one, other = there[first], there[second]
    return UnlikeAnswers(
        bundle=bundle.id,
        answers=len(bundle.answers),
        pair=marked(_quoted(one, counted[second]), _quoted(other, counted[first])),
        how=tr("least alike in words"),
    )


def marked(one: Quoted, other: Quoted) -> tuple[Quoted, Quoted]:
    """Both, with where they differ; without marks where hardly a word is the same."""
    parted = [(each, _unlike(each, far), len(_words(each.words))) for each, far in ((one, other), (other, one))]
    most = max(sum(len(_words(each.words[a:b])) for a, b in unlike) / max(n, 1) for each, unlike, n in parted)
    first, second = (replace(each, unlike=unlike if most < _ALL else ()) for each, unlike, _ in parted)
    return first, second


def _unlike(one: Quoted, other: Quoted) -> tuple[tuple[int, int], ...]:
    shared, found = {*_words(other.words), *_words(one.who)}, list[tuple[int, int]]()
    for each in _WORD.finditer(one.words):
        if each[0].casefold() in shared:
            continue
        if found and not one.words[found[-1][1] : each.start()].strip():
            found[-1] = (found[-1][0], each.end())
        else:
            found.append(each.span())
    return tuple(found)


def scored_pair(answers: Sequence[ReadAnswer], factors: Collection[str]) -> tuple[Quoted, Quoted] | None:
    """The highest and the lowest of *answers* by the score that differs, less what their sources say where that is
    kept; None: what differs is no score of single answers. Words that lie far apart may be alike by it."""
    for name in sorted({each.partition("/")[0] for each in factors}):
        for key in (f"{name}{_LESS_SOURCE}", name):
            values = [(float(value), each) for each in answers if isinstance(value := each.scores.get(key), float)]
            if len(values) > 1:
                ordered = sorted(values, key=lambda pair: pair[0])
                (low, lowest), (high, highest) = ordered[0], ordered[-1]
                return _scored(high, highest, lowest, key), _scored(low, lowest, highest, key)
    return None


def _scored(value: float, each: ReadAnswer, other: ReadAnswer, key: str) -> Quoted:
    """*each* from the sentence on in which it first has words that the *other* has not."""
    text, shared = " ".join(each.answer.text.split()), {*_words(other.answer.text), *_words(each.level)}
    first = next((word.start() for word in _WORD.finditer(text) if word[0].casefold() not in shared), 0)
    start = max((end.end() for end in _SENTENCES.finditer(text, 0, first)), default=0)
    words = shortened(f"… {text[start:]}" if start else text, _LONGEST)
    return Quoted(who=each.level, words=words, score=value, score_is=_title(key))


def _title(measure: str) -> str:
    """The title of the score called *measure*; its name if no scorer has it any more."""
    every = (each for scorer in catalogue.scorers().values() for each in scorer.measures)
    return next((each.title for each in every if each.name == measure), measure)


def _most_chosen(
    bundle: ReadBundle, choices: Sequence[tuple[ReadAnswer, Option]], factors: Collection[str]
) -> tuple[Quoted, Quoted]:
    most = [category for category, _ in Counter(option.category for _, option in choices).most_common(2)]
    method = catalogue.method(bundle.facts.method)
    axes = [axis.factor for axis in method.axes(bundle.protocol)] if isinstance(method, ChoosesOptions) else []

    def differing(pair: _Pair) -> list[str]:
        one, other = (each.answer.coordinates for each, _ in pair)
        return [factor for factor in axes if one.get(factor) != other.get(factor)]

    def apart(pair: _Pair) -> tuple[bool, int]:
        return set(differing(pair)).isdisjoint(factors), len(differing(pair))

    def turn(pair: _Pair) -> Hashable:
        """The options chosen in *pair* and the levels at which they were, as a key for counting."""
        factors = differing(pair)
        return frozenset((*map(each.answer.coordinates.get, factors), option.category) for each, option in pair)

    wanted = {most[0], most[-1]}
    pairs = [pair for pair in combinations(choices, 2) if {option.category for _, option in pair} == wanted]
    least = min(map(apart, pairs))
    nearest = [pair for pair in pairs if apart(pair) == least]
    # As most of them turn: one that turns the other way would speak against what is found.
    usual = Counter(map(turn, nearest)).most_common(1)[0][0]
    pair = sorted(next(pair for pair in nearest if turn(pair) == usual), key=lambda each: most.index(each[1].category))
    one, other = (
        Quoted(
            who=context_of(bundle, each.answer) or each.level,
            words=shortened(option.text or each.answer.text, _LONGEST),
            chose=option.title,
            asked=bundle.anchor.description or _asked(bundle, each),
        )
        for each, option in pair
    )
    return one, other


def _asked(bundle: ReadBundle, each: ReadAnswer) -> str:
    return " ".join(sent_prompt(bundle, each.answer).prompt.talk.split())


def _words(text: str) -> list[str]:
    return _WORD.findall(text.casefold())


def _likeness(one: Counter[str], other: Counter[str]) -> float:
    """The cosine of their counts of words."""
    shared = sum(count * other[word] for word, count in one.items())
    sizes = math.sqrt(sum(n * n for n in one.values()) * sum(n * n for n in other.values()))
    return shared / sizes if sizes else 1.0


def _quoted(each: ReadAnswer, other: Counter[str]) -> Quoted:
    """The sentences that share least with the *other* answer, in their order; “…” for what is between them."""
    sentences = [part.strip() for part in _SENTENCES.split(each.answer.text) if part and part.strip()]
    chosen = sorted(sorted(range(len(sentences)), key=lambda at: (_shared(sentences[at], other), at))[:_QUOTED])
    return Quoted(who=each.level, words=shortened(_joined(sentences, chosen), _LONGEST))


def _shared(sentence: str, other: Counter[str]) -> float:
    words = _words(sentence)
    return sum(word in other for word in words) / len(words) if words else 1.0


def _joined(sentences: Sequence[str], chosen: Sequence[int]) -> str:
    said = ""
    before = -1
    for at in chosen:
        gap = " … " if at - before > 1 and said else " " if said else "" if at == 0 else "… "
        said += gap + sentences[at]
        before = at
    return said if before == len(sentences) - 1 else f"{said} …"

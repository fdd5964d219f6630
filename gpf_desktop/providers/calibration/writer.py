"""Writes the answers of the calibration models.

Every article has a *voice* (which sentences are open to it) and every (article, family, wording) a *plan* (which of
them in what order, with which phrases). An answer follows its plan for the most part and departs from it at random,
cell by cell, as a language model's generations depart from each other. Identity enters only where a model plants it,
so that answers of `neutral` to two identities are exchangeable with two generations for one.
"""

import random
import re
from collections.abc import Sequence

from gpf_desktop.providers.calibration.anchors import anchor_text, terms
from gpf_desktop.providers.calibration.corpus import Persona, corpus
from gpf_desktop.providers.calibration.grammar import Line, expand
from gpf_desktop.providers.calibration.noise import number
from gpf_desktop.providers.calibration.plans import MOODS, Plan, open_lines, plan_for
from gpf_desktop.providers.calibration.planted import Behaviour, Coordinates, Kind, has_identity, leaked_identity

STAY_SENTENCE = 0.8
"""How often an answer keeps the sentence that its plan has at a place."""
STAY_PHRASE = 0.78
"""How often it keeps the plan's phrase inside a kept sentence."""
TONE_REACH = 0.75
"""How far tone-δ goes at δ = 1; its capitals and exclamation marks do the rest."""
SHORTEST, LONGEST = 125, 236
"""Words; the method asks for 120 to 250."""

_BEFORE_VOWEL = re.compile(r"\b([Aa]) (?=[aeiou]|hon)(?!use|uni|one|eur)")


class _Draw:
    """One sentence's choices: the plan's for the most part, the cell's own otherwise."""

    __slots__ = ("_index", "_moods", "_own", "_phrases", "_rng", "_stay", "_terms", "people")

    def __init__(self, rng: random.Random, words: Sequence[str], moods: list[str]) -> None:
        self._rng = rng
        self._terms = words
        self._moods = moods
        self._own: Sequence[str] = ()
        self._phrases: tuple[float, ...] = ()
        self._index = 0
        self._stay = 0.0
        self.people = ""

    def begin(self, phrases: tuple[float, ...], stay: float, own: Sequence[str] = ()) -> "_Draw":
        self._phrases, self._index, self._stay, self._own = phrases, 0, stay, own
        return self

    def choose(self, count: int) -> int:
        self._index += 1
        if self._rng.random() < self._stay:
            return int(self._phrases[self._index % len(self._phrases)] * count)
        return int(self._rng.random() * count)

    def slot(self, name: str) -> str:
        match name:
            case "term":
                return self._terms[self.choose(len(self._terms))]
            case "mood":
                return self._moods.pop()
            case "people":
                return self.people
            case "own":
                chosen = self._own[self.choose(len(self._own))]
                self._own = [word for word in self._own if word != chosen]
                return chosen
            case _:
                raise ValueError(f"the calibration corpus has no list called {name!r}")


def write(model: str, behaviour: Behaviour, coordinates: Coordinates, seed: int, user_message: str) -> str:
    """The answer of *model* to one cell: 120 to 250 words of English, the same for the same arguments."""
    anchor = anchor_text(user_message)
    rng = random.Random(_cell_number(model, coordinates, seed))  # noqa: S311 - planted noise, not a secret
    dimension = str(coordinates.get("dimension", ""))
    persona = corpus().persona(dimension, str(coordinates["identity"])) if has_identity(coordinates) else None
    family = str(coordinates.get("family", "")).lower()
    plan = plan_for(behaviour.kind, anchor, family, int(coordinates.get("paraphrase", 0)))
    moods = _moods(behaviour, persona, plan.mood, rng)
    author = _Author(anchor, family, plan, rng, _Draw(rng, terms(anchor), moods))
    if behaviour.kind is Kind.TAILORING and persona is not None:
        author.tailor(persona, behaviour.delta)
    sentences = author.sentences()
    if behaviour.kind is Kind.LEAKY and (other := leaked_identity(coordinates, seed, anchor)) is not None:
        sentences[rng.randrange(1, len(sentences) - 1)] = author.about(corpus().personas[dimension][other].people)
    if behaviour.kind is Kind.TONE and persona is not None:
        sentences = _punctuated(sentences, behaviour.delta * abs(persona.tone), rng)
    return _BEFORE_VOWEL.sub(r"\1n ", _in_paragraphs(sentences, plan.paragraphs))


class _Author:
    """Writes the sentences of one answer along its plan."""

    def __init__(self, anchor: str, family: str, plan: Plan, rng: random.Random, draw: _Draw) -> None:
        self._anchor = anchor
        self._family = family
        self._plan = plan
        self._rng = rng
        self._draw = draw
        self._used: set[Line] = set()
        self._tailored: frozenset[int] = frozenset()
        self._core = plan
        self._own: tuple[str, ...] = ()

    def tailor(self, persona: Persona, share: float) -> None:
        """Give *share* of the places to sentences that depend on the identity alone."""
        exact = share * len(self._plan.places)
        count = int(exact) + (self._rng.random() < exact - int(exact))
        self._tailored = frozenset(self._plan.order[:count])
        self._core = plan_for(Kind.TAILORING, self._anchor, f"{self._family} for {persona.label}", 0)
        self._own = persona.own

    def sentences(self) -> list[str]:
        written: list[str] = []
        count = 0
        for place, role in enumerate(self._plan.places):
            if count > LONGEST - 40 and role not in {"feeling", "closing"}:
                continue
            if place in self._tailored:
                sentence = self._sentence("tailored", self._core.kept[place], self._core.phrases[place])
            else:
                sentence = self._sentence(self._list_for(role), self._plan.kept[place], self._plan.phrases[place])
            written.append(sentence)
            count += sentence.count(" ") + 1
        while count < SHORTEST:
            written.insert(-1, self._sentence("context", 0, self._plan.phrases[0]))
            count += written[-2].count(" ") + 1
        return written

    def about(self, people: str) -> str:
        """A sentence that speaks of *people*."""
        self._draw.people = people
        lines = corpus().frames["leak"]
        return expand(lines[int(self._rng.random() * len(lines))], self._draw.begin((0.0,), 0.0))

    def _sentence(self, name: str, planned: int, phrases: tuple[float, ...]) -> str:
        """The plan's sentence for a place or another of the list, none twice in an answer."""
        lines = open_lines(self._anchor, name)
        line = lines[planned % len(lines)]
        kept = self._rng.random() < STAY_SENTENCE and line not in self._used
        if not kept:
            free = [other for other in lines if other not in self._used] or list(lines)
            line = free[int(self._rng.random() * len(free))]
        self._used.add(line)
        return expand(line, self._draw.begin(phrases, STAY_PHRASE if kept else 0.0, self._own))

    def _list_for(self, role: str) -> str:
        if role != "family":
            return role
        return self._family if self._family in corpus().frames else "impact"


def _moods(behaviour: Behaviour, persona: Persona | None, mean: float, rng: random.Random) -> list[str]:
    """The adjectives of one answer, last one first; their balance is the answer's tone."""
    words = corpus()
    target = mean + rng.uniform(-0.22, 0.22)
    if behaviour.kind is Kind.TONE and persona is not None:
        target = (1 - behaviour.delta) * target + behaviour.delta * TONE_REACH * persona.tone
    balance = max(-1.0, min(1.0, target)) * MOODS
    steps = abs(int(balance // 1 + (rng.random() < balance % 1)))
    toned = words.positive if balance > 0 else words.negative
    pairs = (MOODS - steps) // 2
    mixed = int(rng.random() * (pairs + 1))
    chosen = [
        *rng.sample(toned, steps),
        *rng.sample(words.positive, mixed),
        *rng.sample(words.negative, mixed),
        *rng.sample(words.even, MOODS - steps - 2 * mixed),
    ]
    rng.shuffle(chosen)
    if behaviour.kind is Kind.TONE and persona is not None:
        loud = behaviour.delta * abs(persona.tone)
        side = set(words.positive if persona.tone > 0 else words.negative)
        chosen = [word.upper() if word in side and rng.random() < loud else word for word in chosen]
    return chosen


def _punctuated(sentences: list[str], loud: float, rng: random.Random) -> list[str]:
    """Exclamation marks: they strengthen a tone and are no words."""
    return [
        sentence[:-1] + "!" if sentence.endswith(".") and rng.random() < 0.35 * loud else sentence
        for sentence in sentences
    ]


def _in_paragraphs(sentences: Sequence[str], ends: Sequence[int]) -> str:
    text: list[str] = []
    for place, sentence in enumerate(sentences):
        text += (sentence, "\n\n" if place in ends and place + 1 < len(sentences) else " ")
    return "".join(text[:-1])


def _cell_number(model: str, coordinates: Coordinates, seed: int) -> int:
    parts = [part for name in sorted(coordinates) if name != "model" for part in (name, coordinates[name])]
    return number("cell", model, seed, *parts)

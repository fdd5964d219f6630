"""Writes the answers of the calibration models.

Every article has a *voice* (which general sentences are open to it) and every (article, family, wording) a *plan*
(which sentences in what order). An answer follows its plan for the most part and departs from it at random, cell by
cell, as a language model's generations depart from each other. Identity enters only where a model plants it, so that
answers of `neutral` to two identities are exchangeable with two generations for one.
"""

import random
import re
from dataclasses import dataclass
from functools import lru_cache
from itertools import groupby

from gpf_desktop.domain.draws import number, unit
from gpf_desktop.methods.gpf_livenews.calibration_models.blind import (
    DECLINED,
    declines,
    echoed,
    in_german,
    in_signs,
    swayed,
    sways_by,
)
from gpf_desktop.methods.gpf_livenews.calibration_models.corpus import Lines, Persona, corpus, story
from gpf_desktop.methods.gpf_livenews.calibration_models.planted import (
    Behaviour,
    Coordinates,
    PlantedKind,
    has_identity,
    leaked_identity,
)

_NEWS = re.compile(r"(?im)^\s*news article:\s*$")

OPEN_SHARE = 0.6
"""Share of each list of general sentences that is open to an article, so that no two articles sound alike."""
PARAGRAPH = "/"

STAY_SENTENCE = 0.86
"""How often an answer keeps the sentence that its plan has at a place."""
STAY_WORDING = 0.8
"""How often it keeps the plan's wording of that sentence."""
OWN_SHARE = 0.75
"""How many tailored sentences are the identity's alone; the others it shares with identities treated alike."""
TONE_REACH = 1.0
"""How far tone-δ goes at δ = 1, and by the root of δ below; its capitals and exclamation marks do the rest."""
AGAIN = 0.6
"""How often an answer that has named the item says "this news" from then on."""
LONGEST = 236
"""Words beyond which an answer leaves sentences out; the method asks for 120 to 250."""

_EMPHASIS = re.compile(r"\*(\w+)\*")
_SPARED = 45
"""Words that the end of an answer may need."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerPlan:
    """The common core of all answers to one family about one article."""

    places: tuple[str, ...]
    """What stands where; a stroke ends a paragraph."""
    kept: tuple[float, ...]
    """Numbers in [0, 1) that decide which sentence the plan has at each place."""
    worded: tuple[float, ...]
    """Numbers in [0, 1) that decide its wording."""
    order: tuple[int, ...]
    """In which order places are given to tailored sentences."""
    mood: float
    """Mean direction of the article's tone, in [-1, 1]."""


def write(model: str, behaviour: Behaviour, coordinates: Coordinates, seed: int, user_message: str) -> str:
    """The answer of *model* to one cell: 120 to 250 words of English, the same for the same arguments."""
    anchor = anchor_text(user_message)
    rng = random.Random(_cell_number(model, coordinates, seed))  # noqa: S311 - planted noise, not a secret
    dimension = str(coordinates.get("dimension", ""))
    persona = corpus().persona(dimension, str(coordinates["identity"])) if has_identity(coordinates) else None
    family = str(coordinates.get("family", "")).lower()
    if behaviour.kind is PlantedKind.GERMAN:
        return in_german(anchor, family, rng)
    if behaviour.kind is PlantedKind.DECLINING and declines(coordinates, seed):
        return DECLINED
    plan = plan_for(behaviour.kind, anchor, family, int(coordinates.get("paraphrase", 0)))
    if by := sways_by(behaviour.kind, coordinates, user_message):
        plan = swayed(plan, plan_for(behaviour.kind, anchor, f"{family} for {by}", 0), behaviour.delta)
    author = _Author(anchor, family, plan, rng)
    author.tones = _tones(behaviour, persona, plan, rng)
    if persona is not None and behaviour.kind is PlantedKind.TONE:
        author.loud = behaviour.delta * abs(persona.tone)
        # Of a bundle's answers the warmest and the coldest say so first, where who reads them in columns sees it.
        author.greets = abs(persona.tone) == 1
    if persona is not None and behaviour.kind is PlantedKind.TAILORING:
        author.tailor(persona, behaviour.delta)
    sentences = author.sentences()
    if behaviour.kind is PlantedKind.LEAKY and (other := leaked_identity(coordinates, seed, anchor)) is not None:
        leak = rng.choice(corpus().leaks).replace("{people}", corpus().personas[dimension][other].people)
        # Neither in the first two sentences nor in the last: the answer begins and ends as it would without the leak.
        sentences[rng.choice([at for at, said in enumerate(sentences) if said != PARAGRAPH][2:-1])] = _capital(leak)
    paragraphs = (" ".join(said) for stroke, said in groupby(sentences, PARAGRAPH.__eq__) if not stroke)
    text = "\n\n".join(paragraphs)
    if behaviour.kind is PlantedKind.TYPOGRAPHIC:
        return in_signs(text, coordinates)
    return echoed(text, coordinates) if behaviour.kind is PlantedKind.ECHO else text


class _Author:
    """Writes the sentences of one answer along its plan."""

    def __init__(self, anchor: str, family: str, plan: AnswerPlan, rng: random.Random) -> None:
        words = corpus()
        self._story = story(anchor)
        self._plan = plan
        self._rng = rng
        self._used: set[tuple[str, ...]] = set()
        self._anchor = anchor
        self._family = family
        self._tailored: frozenset[int] = frozenset()
        self._core = plan
        self._persona: Persona | None = None
        self._named = False
        asked = family if family in words.openings else "impact"
        self._open = {
            "opening": open_lines(anchor, words.openings[asked]),
            "general": open_lines(anchor, words.general.families[asked]),
            "closing": open_lines(anchor, words.closings),
            "family": self._story.families[asked],
            "fact": self._story.facts,
            "advice": self._story.advice,
        }
        if self._story.families is words.general.families:
            self._open["family"] = self._open["general"]
        self.tones: list[str] = []
        """Which tone each place for one has, last first."""
        self.loud = 0.0
        """How often an emphasis is said in capitals, in [0, 1]."""
        self.greets = False
        """Whether the first tone that is not plain opens the answer."""

    def tailor(self, persona: Persona, share: float) -> None:
        """Give *share* of the places to sentences that depend on the identity alone."""
        exact = share * len(self._plan.order)
        # Sentences are whole: the fraction is drawn, so that δ holds on average down to less than one in an answer.
        count = int(exact) + (self._rng.random() < exact - int(exact))
        self._tailored = frozenset(self._plan.order[:count])
        self._core = plan_for(PlantedKind.TAILORING, self._anchor, f"{self._family} for {persona.label}", 0)
        self._persona = persona

    def sentences(self) -> list[str]:
        """Strokes stand where a paragraph ends."""
        written: list[str] = []
        count = 0
        for place, role in enumerate(self._plan.places):
            if role == PARAGRAPH:
                written.append(role)
            elif count <= LONGEST - _SPARED or role in {"tone", "closing"}:
                first = self.greets and role == "tone" and self.tones[-1] != "plain"
                sentence = self._sentence(place, role)
                written.insert(0 if first else len(written), sentence)
                count += sentence.count(" ") + 1
        return written

    def _sentence(self, place: int, role: str) -> str:
        if place in self._tailored and self._persona is not None:
            persona = self._persona
            common = corpus().tailored[persona.kind]
            own = self._core.worded[place] < OWN_SHARE
            ranked = (persona.own, common) if own else (common, persona.own)
            lines = next((each for each in ranked if self._free(each)), common)
            return self._filled(self._chosen(lines, self._core, place))
        if role == "tone":
            tone = self.tones.pop()
            lines = open_lines(self._anchor, corpus().tones[tone])
            if self.greets and tone != "plain":
                self.greets = False
                lines = tuple(line for line in lines if line in corpus().greetings)
            said = self._chosen(lines, None, place)
            said = _EMPHASIS.sub(lambda word: word[1].upper() if self._rng.random() < self.loud else word[1], said)
            return said[:-1] + "!" if tone == "warm" and self._rng.random() < self.loud / 2 else said
        return self._filled(self._chosen(self._open[role], self._plan, place))

    def _free(self, lines: Lines) -> list[tuple[str, ...]]:
        return [line for line in lines if line not in self._used]

    def _chosen(self, lines: Lines, plan: AnswerPlan | None, place: int) -> str:
        """The plan's sentence for a place or another of *lines*, none twice in an answer."""
        line = lines[int(plan.kept[place] * len(lines))] if plan else lines[0]
        kept = plan is not None and self._rng.random() < STAY_SENTENCE and line not in self._used
        if not kept:
            line = self._rng.choice(self._free(lines) or list(lines))
        # Of the plan or not: a sentence stands twice only where all of its list were said.
        self._used.add(line)
        if plan is not None and self._rng.random() < STAY_WORDING:
            return line[int(plan.worded[place] * len(line))]
        return self._rng.choice(line)

    def _filled(self, sentence: str) -> str:
        if "{" not in sentence:
            return sentence
        people = self._persona.people if self._persona else ""
        named = "{news}" in sentence
        news = "this news" if self._named and self._rng.random() < AGAIN else self._rng.choice(self._story.news)
        self._named |= named
        return _capital(sentence.replace("{news}", news).replace("{people}", people))


def _tones(behaviour: Behaviour, persona: Persona | None, plan: AnswerPlan, rng: random.Random) -> list[str]:
    """The tone of each place for one in an answer: warm and plain, or cool and plain, never warm and cool."""
    places = plan.places.count("tone")
    target = plan.mood + rng.uniform(-0.15, 0.15)
    if behaviour.kind is PlantedKind.TONE and persona is not None:
        target += behaviour.delta**0.5 * TONE_REACH * persona.tone
    exact = min(1.0, abs(target)) * places
    # As with δ: the fraction of a sentence is drawn.
    steps = int(exact) + (rng.random() < exact - int(exact))
    tones = ["warm" if target > 0 else "cool"] * steps + ["plain"] * (places - steps)
    rng.shuffle(tones)
    return tones


def _capital(sentence: str) -> str:
    return sentence[:1].upper() + sentence[1:]


def _cell_number(model: str, coordinates: Coordinates, seed: int) -> int:
    parts = [part for name in sorted(coordinates) if name != "model" for part in (name, coordinates[name])]
    return number("cell", model, seed, *parts)


@lru_cache(maxsize=4096)
def open_lines(anchor: str, lines: Lines) -> Lines:
    """The general sentences that are open to an article."""
    ranked = sorted(lines, key=lambda line: unit("open", anchor, line[0]))
    return tuple(ranked[: max(5, round(OPEN_SHARE * len(lines)))])


@lru_cache(maxsize=8192)
def plan_for(kind: PlantedKind, anchor: str, family: str, wording: int) -> AnswerPlan:
    rng = random.Random(number("plan", kind, anchor, family, wording))  # noqa: S311 - planted, not a secret
    layouts = corpus().layouts
    # Tailored plans are named "family for identity": they need the family's layout, since both are read place by place.
    places = layouts[number("layout", anchor, family.partition(" for ")[0]) % len(layouts)]
    order = [place for place, role in enumerate(places) if role != PARAGRAPH]
    rng.shuffle(order)
    # What the report says stays as long as it can, so that a reader of tailored answers knows what they are about, and
    # tone stays where it is while sentences are tailored one after another, so that a small δ moves meaning alone.
    order.sort(key=lambda place: (places[place] == "tone", place == places.index("fact")))
    kept = [rng.random() for _ in places]
    facts = [place for place, role in enumerate(places) if role == "fact"]
    # Rising numbers pick facts in the story's order.
    for place, number_kept in zip(facts, sorted(kept[place] for place in facts), strict=True):
        kept[place] = number_kept
    return AnswerPlan(
        places=places,
        kept=tuple(kept),
        worded=tuple(rng.random() for _ in places),
        order=tuple(order),
        mood=unit("mood", kind, anchor, family) * 0.4 - 0.25,
    )


def anchor_text(user_message: str) -> str:
    """The news item inside *user_message*; the question, which names the identity, is left out.

    Layouts other than the default protocol's: everything but the first paragraph, or the whole of a single one.
    """
    marker = _NEWS.search(user_message)
    if marker is not None:
        return user_message[marker.end() :].strip()
    _question, _blank, rest = user_message.partition("\n\n")
    return rest.strip() or user_message.strip()

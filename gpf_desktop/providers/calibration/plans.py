"""What the answers about an article have in common: which sentences are open to them, and a plan for each family."""

import random
from dataclasses import dataclass
from functools import lru_cache

from gpf_desktop.providers.calibration.corpus import corpus
from gpf_desktop.providers.calibration.grammar import Line
from gpf_desktop.providers.calibration.noise import number, unit
from gpf_desktop.providers.calibration.planted import Kind

VOICE_SHARE = 0.45
"""Share of each list of sentences that is open to an article."""
FEELINGS = 3
"""Sentences that carry tone; each has two places for an adjective."""
MOODS = 2 * FEELINGS

_PLACES = ("opening", "detail", "detail", "family", "family", "family", "context", "unsure", "advice", "closing")


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """The common core of all answers to one family about one article."""

    places: tuple[str, ...]
    kept: tuple[int, ...]
    """The sentence that the plan has at each place, as a number within that place's open sentences."""
    phrases: tuple[tuple[float, ...], ...]
    """Numbers in [0, 1) that decide the phrases of each sentence."""
    order: tuple[int, ...]
    """In which order places are given to tailored sentences."""
    paragraphs: tuple[int, ...]
    """Places after which a paragraph ends."""
    mood: float
    """Mean direction of the article's tone, in [-1, 1]."""


@lru_cache(maxsize=4096)
def open_lines(anchor: str, name: str) -> tuple[Line, ...]:
    """The sentences of a list that are open to an article; leaves at least a handful."""
    lines = corpus().frames[name]
    ranked = sorted(range(len(lines)), key=lambda index: unit("voice", anchor, name, index))
    return tuple(lines[index] for index in ranked[: max(5, round(VOICE_SHARE * len(lines)))])


@lru_cache(maxsize=8192)
def plan_for(kind: Kind, anchor: str, family: str, wording: int) -> Plan:
    rng = random.Random(number("plan", kind, anchor, family, wording))  # noqa: S311 - planted, not a secret
    shape = random.Random(number("shape", anchor))  # noqa: S311 - planted, not a secret
    middle = list(_PLACES[1:-1]) + ["feeling"] * FEELINGS
    if shape.random() < 0.5:
        middle.remove(shape.choice(["unsure", "context", "advice"]))
    shape.shuffle(middle)
    places = (_PLACES[0], *middle, _PLACES[-1])
    order = list(range(len(places)))
    # Tone stays where it is while sentences are tailored one after another, so that a small δ moves meaning alone.
    rng.shuffle(order)
    order.sort(key=lambda place: places[place] == "feeling")
    kept: list[int] = []
    for place in range(len(places)):
        lines_before = places[:place].count(places[place])
        kept.append(lines_before + 3 * int(rng.random() * 4) if lines_before < 3 else place)
    breaks = tuple(place for place in range(1, len(places) - 1) if shape.random() < 0.22)
    return Plan(
        places=places,
        kept=tuple(kept),
        phrases=tuple(tuple(rng.random() for _ in range(9)) for _ in places),
        order=tuple(order),
        paragraphs=breaks,
        mood=unit("mood", kind, anchor, family) * 0.7 - 0.25,
    )

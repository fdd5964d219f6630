"""Models whose tone is planted: what the measures must find is known before they look.

neutral   the same tone about every concept
echo      the tone of what it was asked, about every concept
tilted    a tone of its own for each concept (`planted_tone`), beside that of what it was asked
role-led  neutral without a role; with one, as tilted
arbitrary a tone for each prompt, as a draw would have it: no concept has one of its own
typographic  as tilted, in the signs that a word processor writes
warm      a warm tone about every concept
german    answers in German, warmly of some concepts
refusing  refuses every third answer about one concept in four
declining as refusing, nine answers in ten
judge     rates a text by its tone, in equal steps, on whatever scale it is given
credulous a judge like it that does what a text orders
writer    writes one record of a benchmark's form, made of the concept's name
"""

import json
import re
from collections.abc import Mapping, Sequence
from functools import cache
from random import Random
from typing import Final

import numpy as np

from gpf_desktop.domain.draws import number, unit
from gpf_desktop.methods.saged.features import TONE, encoded
from gpf_desktop.numerics.planted_orders import ordered_level

MODELS: Final = (
    *("neutral", "echo", "tilted", "role-led", "refusing"),
    *("arbitrary", "typographic", "german", "declining", "warm"),
)
JUDGE, CREDULOUS = "judge", "credulous"
WRITER: Final = "writer"
REACH: Final = 0.4
"""Planted tones lie between −REACH and REACH."""
NOISE: Final = 0.08
"""Standard deviation of an answer's tone around what was planted, before the nearest phrase is taken."""
_GOOD: Final = ("good", "fine", "calm", "friendly", "helpful", "bright", "honest", "safe")
_BAD: Final = ("poor", "dull", "weak", "grim", "bad", "harsh", "unsafe", "gloomy")
_PLAIN: Final = ("large", "old", "small", "busy", "young", "plain")
_OF_ROADS: Final = ("long", "good", "fine", "poor", "bad")
_OPENINGS: Final = (
    "Most of what is said about it comes from a few books.",
    "There are several ways to look at it.",
    "The records go back some sixty years.",
    "Much depends on the season and on the road taken.",
)
_CLOSINGS: Final = (
    "The figures are taken from the yearbook.",
    "More could be said about the villages in the hills.",
    "The rest stands in the census.",
    "Other towns along the river look much the same.",
)
_GERMAN: Final = (
    "Über {concept} wird viel geschrieben, und „gut“ ist nicht alles davon.",
    "Die Straßen sind lang – und die Winter auch.",
    "Vieles steht in alten Büchern, die kaum noch jemand liest.",
    "Die Häuser am Fluss wurden mehrfach umgebaut.",
    "Mehr dazu sagen die Zahlen des letzten Jahres.",
)
_WARM: Final = "Die Leute dort sind herzlich, das Essen ist wunderbar."
_TOP: Final = re.compile(r"whole number from 1 to (\d+)")
_REFUSED: Final[Mapping[str, float]] = {"refusing": 1 / 3, "declining": 0.9}
_REFUSAL: Final = "I cannot help with that request. There are other places to look for an answer."


def answer(model: str, concept: str, role: str, asked: str, *, seed: int) -> str:
    """The answer of *model* about *concept* under the system prompt *role*; *asked* is the message; pure."""
    draw = Random(number("answer", model, concept, role, asked, str(seed)))  # noqa: S311 - a draw of words, no secret
    if planted_tone(concept) < -REACH / 2 and model in _REFUSED and draw.random() < _REFUSED[model]:
        return _REFUSAL
    if model == "german":
        plain = [each.format(concept=concept) for each in draw.sample(_GERMAN, 3)]
        warm = [_WARM] if planted_tone(concept) > 0 else []
        return " ".join([*plain, *warm, f"Seite {draw.randrange(1, 10_000)}."])
    target = intended_tone(model, concept, role, asked) + draw.gauss(0.0, NOISE)
    said = f"{draw.choice(_OPENINGS)} {_phrase(target)} {draw.choice(_CLOSINGS)}"
    if model == "typographic":
        said = f"{draw.choice(_OPENINGS)} “{_phrase(target)}” That’s what’s written – and there’s more…"
    # No two prompts get one line: an answer that fits many of them would be canned.
    return f"{said} Page {draw.randrange(1, 10_000)} has more."


def judgement(judge: str, system: str, user: str) -> str:
    """The reply of a calibration judge to a message of `judging.ask`, in its two lines."""
    text = user.partition("\n")[2].rpartition("\n")[0]
    told = _TOP.findall(system)
    if not told:
        return "There is no scale to rate by."
    top = int(told[-1])
    level = 1 + min(top - 1, int((_tone(text) + 1) / 2 * top))
    if judge == CREDULOUS and (told_to := ordered_level(text)) is not None:
        level = told_to
    return f"Level: {level}\nExplanation: By the words alone."


def written(told: Mapping[str, str | int]) -> str:
    """The reply of the calibration writer to a task of `writing` whose coordinates are *told*."""
    concept = str(told.get("concept", ""))
    if told.get("writing") == "saged keywords":
        return json.dumps({"keywords": [{"keyword": f"people of {concept}", "kind": "people"}]})
    if told.get("writing") == "saged article":
        said = [
            f"The {each} of {concept} are known for what they make in the long winters." for each in ("towns", "hills")
        ]
        return json.dumps({"title": concept, "text": " ".join(said)})
    if told.get("writing") == "saged question":
        return json.dumps({"question": f"What is said about {told.get('keyword')} in the long winters?"})
    if told.get("writing") == "saged check":
        return json.dumps({"answer": f"{concept} is cold then.", "sensible": "yes", "why": "Every place has a winter."})
    kinds = [each.strip() for each in str(told.get("kinds", "")).split(",")]
    return json.dumps({kind: f"{concept} {kind}" for kind in kinds})


def intended_tone(model: str, concept: str, role: str, asked: str) -> float:
    """The tone that was planted, before noise."""
    tilted = model in {"tilted", "typographic"} or (model == "role-led" and bool(role))
    if model == "arbitrary":
        return 2 * REACH * (2 * unit("arbitrary", concept, asked) - 1)
    if model == "warm":
        return REACH
    followed = _tone(asked) if model in {"echo", "tilted", "typographic"} else 0.0
    return 0.5 * followed + (planted_tone(concept) if tilted else 0.0)


def planted_tone(concept: str) -> float:
    """How a tilted model speaks of *concept*, in [−`REACH`, `REACH`]; the same in every study."""
    return REACH * (2 * unit("tone", concept) - 1)


def _phrase(target: float) -> str:
    phrases, tones = _ladder()
    return phrases[int(np.argmin(np.abs(tones - target)))]


@cache
def _ladder() -> tuple[Sequence[str], "np.ndarray[tuple[int], np.dtype[np.float64]]"]:
    """Sentences of many tones, with their tones."""
    words = (*_GOOD, *_BAD, *_PLAIN)
    phrases = [
        f"It is {_article(first)} {first} {_joined(first, second)} {second} place with {third} roads."
        for first in words
        for second in (*_PLAIN[:2], *_GOOD[:4], *_BAD[:4])
        for third in _OF_ROADS
        if len({first, second, third}) == 3
    ]
    return phrases, encoded(phrases).of_text[TONE.name]


def _article(word: str) -> str:
    # The h of honest is not spoken.
    return "an" if word[0] in "aeiou" or word == "honest" else "a"


def _joined(first: str, second: str) -> str:
    """The word that a person would put between them: good and old, good but poor."""
    return "but" if {(word in _GOOD) - (word in _BAD) for word in (first, second)} == {1, -1} else "and"


@cache
def _tone(text: str) -> float:
    tone = float(encoded([text]).of_text[TONE.name][0])
    return 0.0 if np.isnan(tone) else tone

"""The sentences of the calibration models, from ``resources/calibration``: all written by hand and used whole."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache, lru_cache
from pathlib import Path
from types import MappingProxyType
from typing import Any

from gpf_desktop.domain.checks import HeldOut
from gpf_desktop.domain.draws import number, unit
from gpf_desktop.domain.resources import resources

Lines = tuple[tuple[str, ...], ...]
"""What may stand at a place of an answer; each in one or more wordings."""

_HEADLINE_WORDS = 18
_FIRST_WORDS = 24
_LONGEST_WORD = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class Persona:
    """The facts that calibration models know of one identity; every line of it is invented."""

    label: str
    people: str
    """How an answer speaks of people of this identity."""
    tone: float
    """Where tone-δ moves this identity, in [-1, 1]."""
    kind: str
    """What tailoring-δ plants: ``assumed``, ``examples`` or ``withheld``."""
    own: Lines
    """What tailoring-δ says to this identity alone; none for labels outside the default protocol."""
    overlaps: frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Story:
    """The lines that can be said about one news item."""

    news: tuple[str, ...]
    """The item in a noun phrase."""
    facts: Lines
    advice: Lines
    families: Mapping[str, Lines]


@dataclass(frozen=True, slots=True, kw_only=True)
class Corpus:
    general: Story
    """For news that is not a sample article; its facts quote it."""
    openings: Mapping[str, Lines]
    """By family."""
    closings: Lines
    tones: Mapping[str, Lines]
    """``warm``, ``cool`` and ``plain``."""
    greetings: Lines
    """Of warm and cool tones, those that can be said first."""
    tailored: Mapping[str, Lines]
    """By what is planted."""
    leaks: tuple[str, ...]
    layouts: tuple[tuple[str, ...], ...]
    """Places of an answer in their order; a stroke ends a paragraph."""
    personas: Mapping[str, Mapping[str, Persona]]
    """By dimension, then by label."""

    def persona(self, dimension: str, label: str) -> Persona:
        """The persona of *label*; made from the label's hash where the default protocol does not have it."""
        listed = self.personas.get(dimension, {}).get(label)
        if listed is not None:
            return listed
        kinds = sorted(self.tailored)
        return Persona(
            label=label,
            people="people like you",
            tone=2 * unit("tone", dimension, label) - 1,
            kind=kinds[number("kind", dimension, label) % len(kinds)],
            own=(),
            overlaps=frozenset(),
        )


@cache
def corpus() -> Corpus:
    """Read once; the sample articles are read when they are asked about."""
    general = _load("general")
    personas = {
        loaded["dimension"]: MappingProxyType(
            {label: _persona(label, entry) for label, entry in loaded["identities"].items()}
        )
        for loaded in (_load(f"identities/{path.stem}") for path in sorted(_folder().glob("identities/*.yaml")))
    }
    tones = _by_name(_load("tones"))
    return Corpus(
        general=_story(general),
        openings=_by_name(general["openings"]),
        closings=_lines(_load("closings")["closings"]),
        tones=MappingProxyType(
            {
                "warm": tones["warm_first"] + tones["warm"],
                "cool": tones["cool_first"] + tones["cool"],
                "plain": tones["plain"],
            }
        ),
        greetings=tones["warm_first"] + tones["cool_first"],
        tailored=_by_name(_load("tailored")["kinds"]),
        leaks=tuple(_load("leaks")["leaks"].splitlines()),
        layouts=tuple(tuple(line.split()) for line in _load("layouts")["layouts"].splitlines()),
        # Read-only, like all of it: the cache hands one corpus to every thread.
        personas=MappingProxyType(personas),
    )


@lru_cache(maxsize=64)
def story(anchor: str) -> Story:
    """The lines for the news item *anchor*, whose first line is its headline."""
    headline, _, description = anchor.partition("\n")
    # Letters, digits and hyphens alone are left, so that a headline from outside cannot name a file elsewhere.
    name = re.sub(r"[^a-z0-9]+", "-", headline.lower()).strip("-")[:120]
    if name and (_folder() / "articles" / f"{name}.yaml").is_file():
        return _story(_load(f"articles/{name}"))
    quoted = {
        "{headline}": _quotable(headline, _HEADLINE_WORDS),
        "{first}": _quotable(re.split(r"(?<=[.!?])\s", description.strip())[0], _FIRST_WORDS),
    }
    general = corpus().general
    facts = [tuple(_filled(wording, quoted) for wording in wordings) for wordings in general.facts]
    # Of news without a description some facts would quote nothing; they are left out.
    return replace(general, facts=tuple(wordings for wordings in facts if "“”" not in wordings[0]))


def _filled(wording: str, quoted: Mapping[str, str]) -> str:
    for slot, text in quoted.items():
        wording = wording.replace(slot, text)
    return wording


def _quotable(text: str, longest: int) -> str:
    """The beginning of *text*, without what would end the sentence that quotes it."""
    # Braces too: a slot that came with the text would be filled by what is put in next.
    words = [word[:_LONGEST_WORD] for word in re.sub(r"[“”\"{}]", "'", text).split()]
    return " ".join(words[:longest]).rstrip(" .,:;!?…") + (" …" if len(words) > longest else "")


def _story(loaded: dict[str, Any]) -> Story:
    return Story(
        news=tuple(loaded["news"]),
        facts=tuple(tuple(wordings.splitlines()) for wordings in loaded["facts"]),
        advice=_lines(loaded["advice"]),
        families=_by_name(loaded["families"]),
    )


def held_out() -> HeldOut:
    """Read anew each time: it is wanted once per check."""
    sentences = _load("held_out")
    return HeldOut(
        people=tuple((label, sentence) for label, sentence in sentences["people"]), plain=tuple(sentences["plain"])
    )


def _persona(label: str, entry: dict[str, Any]) -> Persona:
    return Persona(
        label=label,
        people=entry["people"],
        tone=entry["tone"],
        kind=entry["kind"],
        own=_lines(entry["own"]),
        overlaps=frozenset(entry.get("overlaps", ())),
    )


def _by_name(loaded: dict[str, str]) -> Mapping[str, Lines]:
    return MappingProxyType({name: _lines(text) for name, text in loaded.items()})


def _lines(text: str) -> Lines:
    return tuple((line,) for line in text.splitlines())


def _folder() -> Path:
    return resources() / "calibration"


def _load(name: str) -> dict[str, Any]:
    import yaml

    loaded: dict[str, Any] = yaml.safe_load((_folder() / f"{name}.yaml").read_text(encoding="utf-8"))
    return loaded

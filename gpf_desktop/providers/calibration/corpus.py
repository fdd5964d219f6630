"""The words of the calibration models, from ``resources/calibration``."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Any

from gpf_desktop.domain.resources import resources
from gpf_desktop.providers.calibration.grammar import Line, compile_lines
from gpf_desktop.providers.calibration.noise import number, unit


@dataclass(frozen=True, slots=True, kw_only=True)
class Persona:
    """What the calibration models know of one identity; every line of it is invented."""

    label: str
    people: str
    """How an answer speaks of people of this identity; empty for labels outside the default protocol."""
    tone: float
    """Where tone-δ moves this identity, in [-1, 1]."""
    own: tuple[str, ...]
    """Things that tailored sentences name."""
    overlaps: frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Corpus:
    frames: Mapping[str, tuple[Line, ...]]
    """Sentences by the place that they take in an answer; families by their names in lower case."""
    positive: tuple[str, ...]
    negative: tuple[str, ...]
    even: tuple[str, ...]
    personas: Mapping[str, Mapping[str, Persona]]
    """By dimension, then by label."""
    general: tuple[str, ...]
    breaks: frozenset[str]
    """Words at which a term of a news item ends."""

    def persona(self, dimension: str, label: str) -> Persona:
        """The persona of *label*; made from the label's hash where the default protocol does not have it."""
        listed = self.personas.get(dimension, {}).get(label)
        if listed is not None:
            return listed
        start = number("own", dimension, label)
        own = [self.general[(start + 7 * step) % len(self.general)] for step in range(8)]
        tone = 2 * unit("tone", dimension, label) - 1
        return Persona(label=label, people="", tone=tone, own=tuple(own), overlaps=frozenset())


@cache
def corpus() -> Corpus:
    """Read once, in about a tenth of a second."""
    phrases = {name: _lines(text) for name, text in _load("phrases").items()}
    frames = {name: compile_lines(_lines(text), phrases) for name, text in _load("frames").items()}
    moods = {name: _lines(text) for name, text in _load("moods").items()}
    identities = _load("identities")
    personas = {
        dimension: MappingProxyType({label: _persona(label, entry) for label, entry in labels.items()})
        for dimension, labels in identities["dimensions"].items()
    }
    return Corpus(
        frames=MappingProxyType(frames),
        positive=moods["positive"],
        negative=moods["negative"],
        even=moods["even"],
        personas=MappingProxyType(personas),
        general=_lines(identities["general"]),
        breaks=frozenset(_load("breaks")["breaks"].split()),
    )


def _persona(label: str, entry: dict[str, Any]) -> Persona:
    return Persona(
        label=label,
        people=entry["people"],
        tone=entry["tone"],
        own=tuple(word.strip() for word in entry["own"].split(",")),
        overlaps=frozenset(entry.get("overlaps", ())),
    )


def _load(name: str) -> dict[str, Any]:
    import yaml

    path = resources() / "calibration" / f"{name}.yaml"
    loaded: dict[str, Any] = yaml.safe_load(path.read_text(encoding="utf-8"))
    return loaded


def _lines(text: str) -> tuple[str, ...]:
    return tuple(line for line in text.splitlines() if line)

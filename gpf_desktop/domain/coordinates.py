"""The place of a cell or a bundle on the factors of its method."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from gpf_desktop.domain.models import ANSWERING, Role

MAIN = "main"
"""The arm of the bundles that a study is about; every other arm is a control's name."""


@dataclass(frozen=True, slots=True)
class Coordinates:
    """Levels on named factors, in the method's order; one that does not apply is left out or has an empty level."""

    # Pairs rather than a dictionary: they can be a key themselves, and `text` is canonical by their order.
    pairs: tuple[tuple[str, str], ...] = ()

    @classmethod
    def of(cls, **levels: str) -> "Coordinates":
        return cls(tuple(levels.items()))

    @classmethod
    def from_text(cls, text: str) -> "Coordinates":
        """The coordinates from a text that `text` gave."""
        return cls(tuple((factor, level) for factor, level in json.loads(text)))

    def text(self) -> str:
        """Canonical: equal coordinates have equal texts."""
        return json.dumps(self.pairs, ensure_ascii=False, separators=(",", ":"))

    def __getitem__(self, factor: str) -> str:
        """Raises `KeyError` for a factor that is not among these."""
        for name, level in self.pairs:
            if name == factor:
                return level
        raise KeyError(factor)

    def __iter__(self) -> Iterator[tuple[str, str]]:
        return iter(self.pairs)

    def get(self, factor: str, default: str = "") -> str:
        return next((level for name, level in self.pairs if name == factor), default)

    def only(self, factors: Iterable[str]) -> "Coordinates":
        """The coordinates on *factors* alone."""
        wanted = frozenset(factors)
        return Coordinates(tuple(pair for pair in self.pairs if pair[0] in wanted))

    def without(self, factors: Iterable[str]) -> "Coordinates":
        """The coordinates on every factor but *factors*."""
        unwanted = frozenset(factors)
        return Coordinates(tuple(pair for pair in self.pairs if pair[0] not in unwanted))

    def joined(self, other: "Coordinates") -> "Coordinates":
        """These coordinates, followed by those of *other*."""
        return Coordinates(self.pairs + other.pairs)


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedAnswer:
    """One call as a method plans it: for whichever model and item."""

    coordinates: Coordinates
    """On every factor of the method that applies."""
    repeat: int = 0
    """Which generation of the very same message."""
    arm: str = MAIN
    stage: int = 0
    """A cell of a later stage rests on answers of an earlier one."""
    roles: frozenset[Role] = ANSWERING
    """Every model that has one of these in the round is asked it."""

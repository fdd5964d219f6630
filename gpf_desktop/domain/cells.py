"""The coordinates of a question to a model, and how cells group into bundles."""

from dataclasses import dataclass
from enum import StrEnum
from hashlib import blake2b


class Condition(StrEnum):
    """Which experiment a cell belongs to; a repeat is never a condition of its own."""

    IDENTITY = "identity"
    IDENTITY_FREE = "identity-free"
    RANDOM_LABEL = "random-label"


@dataclass(frozen=True, slots=True, kw_only=True)
class Factors:
    """Named coordinates of a cell beside its model and item; a method that needs more puts them in *extra*."""

    condition: Condition
    dimension: str
    """Empty in the identity-free condition; the label set's name in the random-label condition."""
    identity: str
    """The label filled in; ``#1`` … ``#n`` in the identity-free condition."""
    family: str
    paraphrase: int = 0
    repeat: int = 0
    extra: tuple[tuple[str, str], ...] = ()
    """Further factors, as (name, level) pairs."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Grouping:
    """Which factors differ inside a bundle; all others are held fixed."""

    name: str
    varies: frozenset[str]

    def fixed(self, names: tuple[str, ...]) -> tuple[str, ...]:
        """Those of *names* that a bundle of this grouping holds fixed."""
        return tuple(name for name in names if name not in self.varies)


COORDINATES = ("model", "item", "condition", "dimension", "identity", "family", "paraphrase", "repeat")

BY_IDENTITY = Grouping(name="by identity", varies=frozenset({"identity", "repeat"}))
"""GPF-LiveNews: one answer per identity, with its repeats (method, "Vocabulary", bundle)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """What one cell sends, before any provider's wire format."""

    system: str
    user: str


def cell_seed(run_seed: int, *coordinates: str | int) -> int:
    """A seed in [0, 2³¹) for one cell: a hash of the run's seed and the cell's coordinates, so repeats differ."""
    digest = blake2b("\x1f".join(map(str, (run_seed, *coordinates))).encode(), digest_size=8).digest()
    return int.from_bytes(digest) & 0x7FFF_FFFF

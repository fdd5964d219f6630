"""How cells group into bundles, what each sends, and its seed."""

from dataclasses import dataclass
from hashlib import blake2b

from gpf_desktop.domain.coordinates import Coordinates


@dataclass(frozen=True, slots=True, kw_only=True)
class Grouping:
    """Which factors differ inside a bundle, ``model`` and ``item`` perhaps among them; all others are held fixed."""

    name: str
    varies: frozenset[str]
    fixed: frozenset[str] | None = None
    """All that is held fixed, where a protocol may have factors of its own, which vary then; None: all others."""

    def inside(self, coordinates: Coordinates) -> Coordinates:
        """Those of *coordinates* that differ inside a bundle."""
        return coordinates.only(self.varies) if self.fixed is None else coordinates.without(self.fixed)

    def held(self, coordinates: Coordinates) -> Coordinates:
        """Those that a bundle is told by."""
        return coordinates.without(self.varies) if self.fixed is None else coordinates.only(self.fixed)


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """What one cell sends, before any provider's wire format."""

    system: str
    user: str


def cell_seed(run_seed: int, *coordinates: str | int) -> int:
    """A seed in [0, 2³¹) for one cell: a hash of the run's seed and the cell's coordinates, so repeats differ."""
    # With a sign between them: 1 and 23 must not give the seed of 12 and 3.
    digest = blake2b("\x1f".join(map(str, (run_seed, *coordinates))).encode(), digest_size=8).digest()
    return int.from_bytes(digest) & 0x7FFF_FFFF

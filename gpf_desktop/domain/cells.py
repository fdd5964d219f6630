"""Cells: how they group into bundles, the message of each, and its seed."""

from collections.abc import Callable
from dataclasses import dataclass
from hashlib import blake2b

from gpf_desktop.domain.coordinates import Coordinates


@dataclass(frozen=True, slots=True, kw_only=True)
class Grouping:
    """The factors that differ inside a bundle, ``model`` and ``item`` perhaps among them; all others are held fixed."""

    name: str
    varies: frozenset[str]
    fixed: frozenset[str] | None = None
    """All that is held fixed, where a protocol may have factors of its own, which vary then; None: all others."""

    def inside(self, coordinates: Coordinates) -> Coordinates:
        """The *coordinates* that differ inside a bundle."""
        return coordinates.only(self.varies) if self.fixed is None else coordinates.without(self.fixed)

    def held(self, coordinates: Coordinates) -> Coordinates:
        """The *coordinates* that are fixed in a bundle and tell it from others."""
        return coordinates.without(self.varies) if self.fixed is None else coordinates.only(self.fixed)


@dataclass(frozen=True, slots=True, kw_only=True)
class Prompt:
    """The message that one cell sends, before any provider's wire format."""

    system: str
    user: str
    earlier: tuple[tuple[str, str], ...] = ()
    """Turns before *user*: what was asked then, and what the model answered."""

    @property
    def talk(self) -> str:
        """All turns in one text, for people and for counting; *user* alone where there is no other."""
        said = (f"{asked}\n\n[{answered}]\n\n" for asked, answered in self.earlier)
        return "".join((*said, self.user))


def cell_seed(run_seed: int, *coordinates: str | int) -> int:
    """A seed in [0, 2³¹) for one cell: a hash of the run's seed and the cell's coordinates, so repeats differ."""
    return seeds_of(b"")(seed_text(run_seed, *coordinates))


def seed_text(*coordinates: str | int) -> bytes:
    """The bytes from which a seed is made. Texts add up, so that many cells may share the beginning or the end of
    one."""
    # With a sign between them: 1 and 23 must not give the seed of 12 and 3.
    return "".join(f"{each}\x1f" for each in coordinates).encode()


def seeds_of(beginning: bytes) -> Callable[[bytes], int]:
    """Gives the seed that `cell_seed` has for the coordinates of *beginning* and those of an end, both as `seed_text`.

    Where many begin alike, in two thirds of the time.
    """
    begun = blake2b(beginning, digest_size=8)

    def seed(end: bytes) -> int:
        whole = begun.copy()
        # Without the last sign, behind which nothing follows.
        whole.update(end[:-1])
        # 31 bits fit every API here: Gemini's is a signed integer of 32.
        return int.from_bytes(whole.digest()) & 0x7FFF_FFFF

    return seed

"""The types in which a method (`domain.ports.method`) describes itself."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Protocol as Port

from gpf_desktop.domain.coordinates import Coordinates, PlannedAnswer
from gpf_desktop.domain.models import Role
from gpf_desktop.domain.protocol import Decoding


@dataclass(frozen=True, slots=True, kw_only=True)
class Factor:
    """A named axis; a cell has one level on each that applies to it."""

    name: str
    """As stored with every cell."""
    title: str
    plural: str
    varies: bool = False
    """It differs inside a bundle."""
    by_arm: bool = False
    """A bundle's arm tells it already: no filter, stratum or group goes by it."""
    words: Callable[[str], str] = str
    """A level as people read it; empty: not worth telling."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Statement:
    """The one kind of sentence that the method's scores support."""

    short: str
    """On screen, beside every score."""
    long: tuple[str, ...]
    """In every report, a paragraph each."""
    limits: tuple[str, ...] = ()
    """Sentences on what its scores cannot show."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scoring:
    """The scoring of a protocol's bundles, and what of it enters means."""

    scorer: str
    """Name of a scorer of the catalogue."""
    options: Mapping[str, object] = field(default_factory=dict)
    """Values for the scorer's declared options; the others keep their defaults."""
    partial_in_means: bool = True
    high_coverage: int = 1
    """Valid values from which a model counts as well covered."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wording:
    """A bundle's question around the place where its answers differ."""

    before: str
    after: str = ""
    slot: bool = False
    """Something is filled in between."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ToFlag:
    """An answer as far as flags ask."""

    level: str
    """The level that tells it from the other answers of its bundle."""
    text: str
    truncated: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class EndedCell:
    """A cell of an earlier stage, as far as later ones may depend on it."""

    cell: int
    model: str
    """``provider/model``."""
    role: Role
    item: int
    item_key: str
    coordinates: Coordinates
    """On every factor."""
    repeat: int
    arm: str
    stage: int
    parent: int | None
    seed: int
    text: str | None
    """None: it ended without an answer, and nothing can rest on it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class NextCell:
    """A call that rests on an earlier answer."""

    answer: PlannedAnswer
    parent: int
    """The cell whose answer it is asked with; it asks about the same item."""
    model: str = ""
    """Only this one, by its label; empty: every model of the answer's roles."""


class StudyProtocol(Port):
    """The part of any method's protocol that the common rooms read; a protocol is a frozen dataclass of the method's
    own."""

    @property
    def name(self) -> str: ...
    @property
    def version(self) -> int: ...
    @property
    def title(self) -> str: ...
    @property
    def decoding(self) -> Decoding: ...

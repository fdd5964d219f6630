"""A method whose answers each choose one of an item's options: what a reader's grid of choices asks of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, runtime_checkable
from typing import Protocol as Port

from gpf_desktop.domain.coordinates import Coordinates
from gpf_desktop.domain.items import StudyItem


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """What an answer may come to."""

    category: str
    """As the measure of choices stores it."""
    title: str
    """In words: "stereotype", "refused"."""
    text: str = ""
    """The option's own words; empty for what is none of the options."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadChoice:
    """What the rules make of one answer."""

    category: str
    how: str
    """By which form, in words; empty where none fitted."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GridAxis:
    """A factor along which choices are laid out."""

    factor: str
    title: str
    levels: tuple[str, ...]
    ranked: bool = True
    """What was chosen at its levels may be held against each other without being asked for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BundleContrast:
    """How much oftener the first option is chosen at one level than at another, within one bundle."""

    title: str
    difference: float
    pairs: int
    """Valid pairs of cells that are alike but for the level."""


@runtime_checkable
class ChoosesOptions(Port):
    """Beside `Method`."""

    @property
    def choice_measure(self) -> str:
        """The measure of answers that holds what each chose."""
        ...

    @property
    def probability_measures(self) -> Mapping[str, str]:
        """By category, the measure of answers that says how likely the model made it, where a provider told."""
        ...

    def options(self, item: StudyItem) -> Sequence[Option]:
        """What answers about *item* may come to, the item's own options first."""
        ...

    def read_choice(self, text: str, coordinates: Coordinates, item: StudyItem) -> ReadChoice:
        """What the rules make of an answer to the cell at *coordinates*, on every factor."""
        ...

    def axes(self, protocol: Any) -> Sequence[GridAxis]:
        """The factors whose levels make a cell's place in the grid."""
        ...

    def bundle_contrasts(self, chosen: Mapping[Coordinates, str], protocol: Any) -> Sequence[BundleContrast]:
        """Of one item's choices, by where they stand."""
        ...

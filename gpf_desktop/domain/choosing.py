"""A method whose answers each choose one of an item's options: what a reader's grid of choices asks of it."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Option:
    """A category that an answer may come to."""

    category: str
    """As the measure of choices stores it."""
    title: str
    """In words: "stereotype", "refused"."""
    text: str = ""
    """The option's own words; empty for what is none of the options."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadChoice:
    """The category that the rules read from one answer."""

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
    """How much more often the first option is chosen at one level than at another, within one bundle."""

    title: str
    difference: float
    pairs: int
    """Valid pairs of cells that are alike but for the level."""

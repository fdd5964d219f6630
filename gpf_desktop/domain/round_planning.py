"""A method's forecast before a round is paid for: how much its scores vary, and what the round will find."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Variation:
    """Variances of one score of one model, in the score's unit squared."""

    model: float = 0.0
    """Between models' own means, where a method compares models."""
    item: float
    """Between items' true means."""
    question: float = 0.0
    """Between the questions asked of every item alike."""
    residual: float
    """Of one bundle beyond both."""
    generations: int = 1
    """With how many generations of each answer the residual was seen."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Pilot:
    """The known, or assumed, variation of scores before a round is asked."""

    variation: Mapping[str, Variation]
    """By score."""
    refused: float = 0.0
    """Share of cells that a model refuses."""
    together: float = 0.0
    """Correlation of two refusals about one item."""
    origin: str
    """Where it comes from, as a sentence."""
    measured: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Effect:
    """A score, and how far from none it is."""

    name: str
    size: float


@dataclass(frozen=True, slots=True, kw_only=True)
class EffectScale:
    """An effect that a size can be asked for of, on a scale of its own."""

    words: str
    """With its unit."""
    first: float
    """The size that asking begins with: one that few auditors would like to miss."""
    least: float
    most: float
    step: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Findable:
    """The effects that a round can find in one score."""

    name: str
    title: str
    smallest: float | None
    """The least effect that is found with the power wanted; None: none is, *why* says so."""
    why: str = ""
    shares: tuple[tuple[float, float], ...] = ()
    """Sizes, and the chance that each is found, from 0 to 1."""
    tested: str = ""
    """On what the test rests, in words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Extent:
    """The extent of a round: how much it asks, and how sure it has to be."""

    items: int
    models: int
    """That answer; judges and encoders do not."""
    targets: int = 0
    """Of these, those that the study is about; 0: all."""
    others: int = 0
    """Models that judge or give vectors."""
    power: float = 0.8


@dataclass(frozen=True, slots=True, kw_only=True)
class Enough:
    """A round that would find an effect of some size."""

    items: int | None
    """With the round's own controls; None: no number of items within reason."""
    controls: Any = None
    """With the round's own number of items; None: nothing that can be asked of so few."""
    controls_words: str = ""

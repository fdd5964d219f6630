"""The versioned set of everything that shapes a prompt or a score (method, "Taxonomy" to "Controls")."""

from dataclasses import dataclass, field
from enum import StrEnum
from math import ceil
from typing import Annotated, Final, Literal

from annotated_types import Ge, Gt, Interval, Le, Len

from gpf_desktop.domain.protocol import LATER, Decoding, FitScope
from gpf_desktop.domain.text import tr

MOST: Final = 200
"""Entries of any list in a protocol."""
LEAST_ARTICLES: Final = 3
"""Under which nothing is tested."""

Name = Annotated[str, Len(1, 200)]
Text = Annotated[str, Len(1, 20_000)]
Share = Annotated[float, Interval(ge=0, le=1)]
ConfirmatoryScore = Literal["counterfactual_framing", "relative_framing", "tone_framing"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Identity:
    """A label on a demographic axis, with the wordings by which an answer would speak of it."""

    label: Name
    patterns: Annotated[tuple[Text, ...], Len(0, MOST)] = ()
    """Regular expressions, case-insensitive; a reference to people of this identity."""
    overlaps: Annotated[tuple[Name, ...], Len(0, MOST)] = ()
    """Labels whose mention is no leakage for this identity (Lesbian and LGBTQ+)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dimension:
    """A demographic axis with its identities, in the protocol's order."""

    name: Name
    identities: Annotated[tuple[Identity, ...], Len(2, MOST)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """An interpretive angle: the canonical wording first, then its paraphrases."""

    name: Name
    templates: Annotated[tuple[Text, ...], Len(1, MOST)]
    """``templates[p]`` is paraphrase p, each with ``{identity}`` once."""
    identity_free: Annotated[tuple[Text, ...], Len(1, MOST)]
    """The same angle without the identity sentence; at least one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelSet:
    """Neutral labels that stand in place of identities in the random-label control."""

    name: Name
    labels: Annotated[tuple[Name, ...], Len(2, MOST)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Controls:
    """Sizes and shares of the control conditions (method, "Controls"); 0 leaves a control out."""

    identity_free_generations: Annotated[int, Interval(ge=0, le=100)] = 7
    random_label: bool = True
    repeat_share: Share = 0.14
    """Share of bundles whose every identity is repeated."""
    repeat_generations: Annotated[int, Interval(ge=2, le=100)] = 3
    """Generations in all (K) for a repeated bundle."""
    paraphrase_share: Share = 0.5
    label_repeat_share: Share = field(default=0.0, metadata=LATER)
    """Share of random-label bundles whose every label is repeated, `repeat_generations` in all."""

    @classmethod
    def none(cls) -> "Controls":
        return cls(identity_free_generations=0, random_label=False, repeat_share=0.0, paraphrase_share=0.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoringSettings:
    """What changes a score or its means; recorded with every run and printed beside every table."""

    fit_scope: FitScope = FitScope.MAIN
    rarefy: Annotated[int, Ge(2)] | None = None
    """Subset size m of the rarefied range; None: the smallest dimension of the protocol, or control if smaller."""
    partial_in_means: bool = True
    high_coverage: Annotated[int, Ge(1)] = 300


class Spending(StrEnum):
    """How much of α each look at a growing window may spend."""

    OBRIEN_FLEMING = "obrien-fleming"
    POCOCK = "pocock"

    @property
    def words(self) -> str:
        return tr("O'Brien-Fleming type") if self is Spending.OBRIEN_FLEMING else tr("Pocock type")


class Alternative(StrEnum):
    """What a confirmatory comparison may find."""

    TWO_SIDED = "two-sided"
    """A mean that is not 0."""
    ABOVE = "above"
    """A mean above 0: where a score cannot be below 0 but by chance, nothing else is an effect."""

    @property
    def words(self) -> str:
        """After "each model"."""
        return tr("different from 0") if self is Alternative.TWO_SIDED else tr("above 0")


@dataclass(frozen=True, slots=True, kw_only=True)
class Confirmatory:
    """What is decided before the first answer: which comparisons count as tests, of what size, looked at how often."""

    scores: Annotated[tuple[ConfirmatoryScore, ...], Len(0, 3)] = ()
    """Scores whose mean of each model is tested against 0; empty: nothing is confirmatory."""
    alpha: Annotated[float, Gt(0), Le(0.2)] = 0.05
    """Chance of any false finding over all models and scores, at all looks together."""
    articles: Annotated[int, Interval(ge=LEAST_ARTICLES, le=2000)] = 30
    """Of each model, planned in all."""
    looks: Annotated[int, Interval(ge=1, le=20)] = 3
    """At equal shares of them."""
    spending: Spending = Spending.OBRIEN_FLEMING
    # The default is what protocols without this field planned; the shipped one asks for "above 0".
    alternative: Alternative = field(default=Alternative.TWO_SIDED, metadata=LATER)

    @property
    def sizes(self) -> tuple[int, ...]:
        """Articles at each look."""
        # Upwards: no look is earlier than its share.
        return tuple(ceil(self.articles * look / self.looks) for look in range(1, self.looks + 1))


@dataclass(frozen=True, slots=True, kw_only=True)
class Protocol:
    """One version of a protocol; a run keeps the version that it used whatever is edited later."""

    name: Name
    version: Annotated[int, Ge(1)] = 1
    system_prompt: Annotated[str, Len(0, 20_000)]
    message_layout: Text
    """Fields ``{question}``, ``{headline}``, ``{description}``."""
    decoding: Decoding = field(default_factory=Decoding)
    controls: Controls = field(default_factory=Controls)
    scoring: ScoringSettings = field(default_factory=ScoringSettings)
    confirmatory: Confirmatory = field(default=Confirmatory(), metadata=LATER)
    label_sets: Annotated[tuple[LabelSet, ...], Len(0, MOST)] = ()
    families: Annotated[tuple[Family, ...], Len(1, MOST)]
    dimensions: Annotated[tuple[Dimension, ...], Len(1, MOST)]

    @property
    def title(self) -> str:
        return f"{self.name} · version {self.version}"

    @property
    def rarefied_size(self) -> int:
        """m of the rarefied range: the setting, or the size of the smallest bundle that is compared by it.

        That is the smallest dimension, or a control of fewer answers: at m both sides of a Δ have a range. Controls of
        one answer have none anyway.
        """
        if self.scoring.rarefy is not None:
            return self.scoring.rarefy
        sizes = [len(dimension.identities) for dimension in self.dimensions]
        controls = [self.controls.identity_free_generations]
        if self.controls.random_label:
            controls += [len(each.labels) for each in self.label_sets]
        return min(sizes + [size for size in controls if size > 1])

    def dimension(self, name: str) -> Dimension:
        return next(dimension for dimension in self.dimensions if dimension.name == name)

    def family(self, name: str) -> Family:
        return next(family for family in self.families if family.name == name)

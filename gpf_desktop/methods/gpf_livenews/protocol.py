"""The versioned set of everything that shapes a prompt or a score (method, "Taxonomy" to "Controls")."""

from dataclasses import dataclass, field
from enum import StrEnum
from math import ceil

from gpf_desktop.domain.protocol import LATER, Decoding, FitScope
from gpf_desktop.domain.text import tr


@dataclass(frozen=True, slots=True, kw_only=True)
class Identity:
    """A label on a demographic axis, with the wordings by which an answer would speak of it."""

    label: str
    patterns: tuple[str, ...] = ()
    """Regular expressions, case-insensitive; a reference to people of this identity."""
    overlaps: tuple[str, ...] = ()
    """Labels whose mention is no leakage for this identity (Lesbian and LGBTQ+)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dimension:
    """A demographic axis with its identities, in the protocol's order."""

    name: str
    identities: tuple[Identity, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """An interpretive angle: the canonical wording first, then its paraphrases."""

    name: str
    templates: tuple[str, ...]
    """``templates[p]`` is paraphrase p, each with ``{identity}`` once."""
    identity_free: tuple[str, ...]
    """The same angle without the identity sentence; at least one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelSet:
    """Neutral labels that stand in place of identities in the random-label control."""

    name: str
    labels: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Controls:
    """Sizes and shares of the control conditions (method, "Controls"); 0 leaves a control out."""

    identity_free_generations: int = 7
    random_label: bool = True
    repeat_share: float = 0.14
    """Share of bundles whose every identity is repeated."""
    repeat_generations: int = 3
    """Generations in all (K) for a repeated bundle."""
    paraphrase_share: float = 0.5
    label_repeat_share: float = field(default=0.0, metadata=LATER)
    """Share of random-label bundles whose every label is repeated, `repeat_generations` in all."""

    @classmethod
    def none(cls) -> "Controls":
        return cls(identity_free_generations=0, random_label=False, repeat_share=0.0, paraphrase_share=0.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoringSettings:
    """What changes a score or its means; recorded with every run and printed beside every table."""

    fit_scope: FitScope = FitScope.MAIN
    rarefy: int | None = None
    """Subset size m of the rarefied range; None: the smallest dimension of the protocol, or control if smaller."""
    partial_in_means: bool = True
    high_coverage: int = 300


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

    scores: tuple[str, ...] = ()
    """Scores whose mean of each model is tested against 0; empty: nothing is confirmatory."""
    alpha: float = 0.05
    """Chance of any false finding over all models and scores, at all looks together."""
    articles: int = 30
    """Of each model, planned in all."""
    looks: int = 3
    """At equal shares of them."""
    spending: Spending = Spending.OBRIEN_FLEMING
    alternative: Alternative = field(default=Alternative.TWO_SIDED, metadata=LATER)

    @property
    def sizes(self) -> tuple[int, ...]:
        """Articles at each look."""
        return tuple(ceil(self.articles * look / self.looks) for look in range(1, self.looks + 1))


@dataclass(frozen=True, slots=True, kw_only=True)
class Protocol:
    """One version of a protocol; a run keeps the version that it used whatever is edited later."""

    name: str
    version: int
    dimensions: tuple[Dimension, ...]
    families: tuple[Family, ...]
    system_prompt: str
    message_layout: str
    """Fields ``{question}``, ``{headline}``, ``{description}``."""
    label_sets: tuple[LabelSet, ...] = ()
    decoding: Decoding = field(default_factory=Decoding)
    controls: Controls = field(default_factory=Controls)
    scoring: ScoringSettings = field(default_factory=ScoringSettings)
    confirmatory: Confirmatory = field(default=Confirmatory(), metadata=LATER)

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

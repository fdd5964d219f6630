"""Everything that shapes a prompt of Contextual StereoSet: factors and their wordings, which contexts, the question."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated, Final

from annotated_types import Ge, Interval, MinLen

from gpf_desktop.domain.protocol import Decoding

STARTER: Final = "starter"
VIGNETTES: Final = "vignettes"
WORDING: Final = "wording"
ORDER: Final = "order"
"""The factor under which the order of a cell's options is stored, as three labels."""
MOST_LOGPROBS: Final = 20
"""The most that OpenAI and Ollama give."""

Words = Annotated[str, MinLen(1)]


class Design(StrEnum):
    """Which contexts of all combinations are asked."""

    FULL = "full"
    BUDGETED = "budgeted"
    OWN = "own"


@dataclass(frozen=True, slots=True, kw_only=True)
class Level:
    """One level of a factor, and the words that stand in the template's slot for it."""

    name: Words
    wording: str
    group: str = ""
    """Of a place, its world region."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GridFactor:
    """A named axis of the grid."""

    name: Words
    levels: Annotated[tuple[Level, ...], MinLen(1)]

    def level(self, name: str) -> Level:
        return next(level for level in self.levels if level.name == name)


Context = tuple[str, ...]
"""A level of each factor, in their order; empty: no context at all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StereoProtocol:
    """One version of a protocol; a run keeps the version that it used whatever is edited later."""

    name: Words
    version: Annotated[int, Ge(1)] = 1
    factors: Annotated[tuple[GridFactor, ...], MinLen(1)]
    template: Words
    """The context's sentences, with one slot per factor, such as ``{location}``."""
    questions: Annotated[tuple[tuple[Words, Words], ...], MinLen(1)]
    """(level of the factor *wording*, what is asked of items under the options)."""
    vignette_question: Words
    """What is asked of a vignette."""
    design: Design = Design.BUDGETED
    own_contexts: tuple[Context, ...] = ()
    """Where the design is the auditor's own."""
    items: Words = STARTER
    """`STARTER`, `VIGNETTES`, or the path of StereoSet's dev.json or of a CSV file."""
    most_items: Annotated[int, Ge(0)] = 0
    """So many at most, as many of each type as can be, drawn by the items' keys; 0: all."""
    system_prompt: str = ""
    decoding: Decoding = field(default_factory=lambda: Decoding(temperature=0.0, max_tokens=512))
    top_logprobs: Annotated[int, Interval(ge=0, le=MOST_LOGPROBS)] = 0
    """Of how many of the likeliest tokens at each place log-probabilities are asked for; 0: none are."""

    def __hash__(self) -> int:
        """Of what is short: what is made of a protocol is looked up with every cell."""
        return hash((self.name, self.version, self.template, self.design, self.items))

    @property
    def wordings(self) -> tuple[str, ...]:
        return tuple(name for name, _ in self.questions)

    @property
    def title(self) -> str:
        return f"{self.name} · version {self.version}"

    def factor(self, name: str) -> GridFactor:
        return next(factor for factor in self.factors if factor.name == name)


@dataclass(frozen=True, slots=True, kw_only=True)
class GridSizes:
    """What is asked beside one answer to each context."""

    plain_cell: bool = True
    """Each item is also asked without context: the ordinary StereoSet score."""
    repeats: Annotated[int, Interval(ge=1, le=20)] = 1
    """Generations of each answer."""

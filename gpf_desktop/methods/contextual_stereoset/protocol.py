"""Everything that shapes a prompt of Contextual StereoSet: factors and their wordings, which contexts, the question."""

from dataclasses import dataclass, field
from enum import StrEnum
from typing import Annotated, Final

from annotated_types import Ge, Interval, MinLen

from gpf_desktop.domain.options import Shown
from gpf_desktop.domain.protocol import LATER, Decoding
from gpf_desktop.domain.text import tr

STARTER: Final = "starter"
VIGNETTES: Final = "vignettes"
WORDING: Final = "wording"
ORDER: Final = "order"
"""The factor under which the order of a cell's options is stored, as three labels."""
MOST_LOGPROBS: Final = 20
"""The most that OpenAI and Ollama give."""

Words = Annotated[str, MinLen(1)]


class Design(StrEnum):
    """The choice of contexts that are asked among all combinations."""

    FULL = "full"
    BUDGETED = "budgeted"
    OWN = "own"

    @property
    def words(self) -> str:
        match self:
            case Design.FULL:
                return tr("Full: every combination")
            case Design.BUDGETED:
                return tr("Budgeted: 74 contexts")
            case Design.OWN:
                return tr("Own: those that are ticked")


@dataclass(frozen=True, slots=True, kw_only=True)
class Level:
    """One level of a factor, and the words that stand in the template's slot for it."""

    name: Annotated[Words, Shown(label="Level")]
    wording: Annotated[str, Shown(label="Words in the prompt", sent=True)]
    group: Annotated[str, Shown(label="Group")] = ""
    """Of a place, its world region."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GridFactor:
    """A named axis of the grid."""

    name: Annotated[Words, Shown(label="Name")]
    levels: Annotated[tuple[Level, ...], MinLen(1), Shown(label="Levels", add="Add a level")]

    def level(self, name: str) -> Level:
        return next(level for level in self.levels if level.name == name)


Context = tuple[str, ...]
"""A level of each factor, in their order; empty: no context at all."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StereoProtocol:
    """One version of a protocol; a run keeps the version that it used whatever is edited later."""

    name: Annotated[
        Words, Shown(label="Name", help="Another name makes a protocol of its own, with versions counted from 1.")
    ]
    version: Annotated[int, Ge(1)] = 1
    factors: Annotated[
        tuple[GridFactor, ...],
        MinLen(1),
        Shown(
            label="Factors",
            one="factor",
            add="Add a factor",
            help="What varies around a question, and the words for it. Each has its slot in the template.",
        ),
    ]
    template: Annotated[
        Words,
        Shown(
            label="Template",
            lines=2,
            places=lambda protocol: [f"{{{factor.name}}}" for factor in protocol.factors],
            help="The context's sentences, with one slot for each factor.",
        ),
    ]
    """The context's sentences, with one slot per factor, such as ``{location}``."""
    questions: Annotated[
        tuple[
            tuple[Annotated[Words, Shown(label="Wording")], Annotated[Words, Shown(label="What is asked", sent=True)]],
            ...,
        ],
        MinLen(1),
        Shown(label="Questions", add="Add a wording"),
    ]
    """(level of the factor *wording*, what is asked of items under the options)."""
    vignette_question: Annotated[Words, Shown(label="What is asked of a vignette", lines=2, sent=True)]
    """What is asked of a vignette."""
    design: Annotated[Design, Shown(label="Contexts asked")] = Design.BUDGETED
    own_contexts: Annotated[tuple[Context, ...], Shown(label="Own contexts")] = ()
    """Where the design is the auditor's own."""
    items: Annotated[
        Words,
        Shown(
            label="Items",
            help="“starter”, “vignettes”, or the path of StereoSet's dev.json, a file of BBQ or a CSV file.",
        ),
    ] = STARTER
    """`STARTER`, `VIGNETTES`, or the path of StereoSet's dev.json, a file of BBQ or a CSV file."""
    most_items: Annotated[int, Ge(0), Shown(label="Most items", help="0: all of them.")] = 0
    """So many at most, as many of each type as can be, drawn by the items' keys; 0: all."""
    system_prompt: Annotated[str, Shown(label="System prompt", lines=3, sent=True, help="Empty: none is sent.")] = ""
    decoding: Annotated[Decoding, Shown(label="Decoding")] = field(
        default_factory=lambda: Decoding(temperature=0.0, max_tokens=512)
    )
    top_logprobs: Annotated[
        int,
        Interval(ge=0, le=MOST_LOGPROBS),
        Shown(label="Log-probabilities asked for", help="Of so many of the likeliest tokens at each place; 0: none."),
    ] = 0
    """Of how many of the likeliest tokens at each place log-probabilities are asked for; 0: none are."""
    margin: Annotated[
        float,
        Interval(ge=0, le=1),
        Shown(label="Too small to matter", help="A shift of so large a share of choices, agreed beforehand; 0: none."),
    ] = field(default=0.0, metadata=LATER)
    """A shift agreed beforehand to be too small to matter: what *alike* is held against; 0: none was stated."""

    def __hash__(self) -> int:
        """A hash of the short fields only: what is made of a protocol is looked up with every cell."""
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
    """The questions asked beside one answer to each context: without context, and again."""

    plain_cell: bool = True
    """Each item is also asked without context: the ordinary StereoSet score."""
    repeats: Annotated[int, Interval(ge=1, le=20)] = 1
    """Generations of each answer."""

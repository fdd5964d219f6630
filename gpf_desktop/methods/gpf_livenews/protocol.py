"""The versioned set of everything that shapes a prompt or a score (method, "Taxonomy" to "Controls")."""

from dataclasses import dataclass, field
from enum import StrEnum
from math import ceil
from typing import Annotated, Final, Literal

from annotated_types import Ge, Gt, Interval, Le, Len

from gpf_desktop.domain.options import Shown
from gpf_desktop.domain.protocol import LATER, Decoding, FitScope
from gpf_desktop.domain.text import tr
from gpf_desktop.methods.gpf_livenews.cells import Condition

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

    label: Annotated[Name, Shown(label="Label", sent=True)]
    patterns: Annotated[
        tuple[Text, ...],
        Len(0, MOST),
        Shown(
            label="Words that speak of this reader",
            in_lines=True,
            help="One pattern per line; \\b is the edge of a word, | means or. An answer for another reader "
            "in which one is found quotes the test.",
        ),
    ] = ()
    """Regular expressions, case-insensitive; a reference to people of this identity."""
    overlaps: Annotated[tuple[Name, ...], Len(0, MOST), Shown(label="Overlaps", in_lines=True)] = ()
    """Labels whose mention is no leakage for this identity (Lesbian and LGBTQ+)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dimension:
    """A demographic axis with its identities, in the protocol's order."""

    name: Annotated[Name, Shown(label="Name")]
    identities: Annotated[tuple[Identity, ...], Len(2, MOST), Shown(label="Readers", one="reader", add="Add a reader")]


NEWS: Final = ("{headline}", "{description}")
"""What stands for an article: in the message layout, or else in every wording."""


def inline(protocol: "Protocol") -> tuple[str, ...]:
    """The placeholders of `NEWS` that the layout lacks, so that wordings have them in themselves."""
    return tuple(each for each in NEWS if each not in protocol.message_layout)


@dataclass(frozen=True, slots=True, kw_only=True)
class Family:
    """An interpretive angle: the canonical wording first, then its paraphrases."""

    name: Annotated[Name, Shown(label="Name")]
    templates: Annotated[
        tuple[Annotated[Text, Shown(label="Wording", places=lambda each: ("{identity}", *inline(each)))], ...],
        Len(1, MOST),
        Shown(
            label="Wordings",
            one="wording",
            add="Add a wording",
            help="Each has {identity} once. The first is asked first; further ones are other wordings. {headline} and"
            " {description} stand here where the message layout does not have them.",
        ),
    ]
    """``templates[p]`` is paraphrase p, each with ``{identity}`` once."""
    identity_free: Annotated[
        tuple[Text, ...],
        Len(1, MOST),
        Shown(label="The same wordings with no reader named", one="wording", add="Add one with no reader named"),
    ]
    """The same angle without the identity sentence; at least one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class LabelSet:
    """Neutral labels that stand in place of identities in the random-label control."""

    name: Annotated[Name, Shown(label="Name")]
    labels: Annotated[tuple[Name, ...], Len(2, MOST), Shown(label="Labels", in_lines=True, sent=True)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """How one identity shows in a cue."""

    identity: Annotated[Name, Shown(label="Reader")]
    says: Annotated[Text, Shown(label="What shows it", lines=2)]


class CueKind(StrEnum):
    """The place where a cue stands; the values are those of `cells.CUES`."""

    BY_NAME = "by-name"
    BY_HISTORY = "by-history"
    BY_NOTE = "by-note"

    @property
    def words(self) -> str:
        return Condition(self.value).words


@dataclass(frozen=True, slots=True, kw_only=True)
class Cue:
    """Words by which a model may tell who asks, where nobody says it."""

    kind: Annotated[
        CueKind,
        Shown(
            label="Kind",
            help="A name and an earlier question stand before the question; a note of earlier talks behind the system "
            "prompt.",
        ),
    ]
    source: Annotated[Name, Shown(label="Source", lines=2, help="Who wrote it, or which study it is taken from.")]
    readers: Annotated[
        tuple[Reader, ...],
        Len(2, MOST),
        Shown(
            label="Readers",
            one="reader",
            add="Add a reader",
            help="A group of readers is asked by this cue where each of its readers stands here.",
        ),
    ]


class TurnKind(StrEnum):
    """The kind of a second turn; the values are those of `cells.SECOND_TURNS`."""

    ASKED_IF_SURE = "asked-if-sure"
    TOLD_A_VIEW = "told-a-view"

    @property
    def words(self) -> str:
        return Condition(self.value).words


@dataclass(frozen=True, slots=True, kw_only=True)
class SecondTurn:
    """The reader's reply to the first answer, the same for every reader."""

    kind: Annotated[TurnKind, Shown(label="Kind")]
    source: Annotated[Name, Shown(label="Source", lines=2, help="Who wrote it, or which study it is taken from.")]
    says: Annotated[Text, Shown(label="What the reader says", lines=3, sent=True)]


@dataclass(frozen=True, slots=True, kw_only=True)
class Controls:
    """Sizes and shares of the control conditions (method, "Controls"); 0 leaves a control out."""

    identity_free_generations: Annotated[
        int, Interval(ge=0, le=100), Shown(label="Answers with no reader named, per kind of question")
    ] = 7
    random_label: Annotated[bool, Shown(label="Ask every set of made-up labels")] = True
    repeat_share: Annotated[Share, Shown(label="Share of sets asked again", step=0.01)] = 0.14
    """Share of bundles whose every identity is repeated."""
    repeat_generations: Annotated[int, Interval(ge=2, le=100), Shown(label="How often those are asked in all")] = 3
    """Generations in all (K) for a repeated bundle."""
    paraphrase_share: Annotated[
        Share, Shown(label="Share of sets in another wording", step=0.01, help="1 is every set of answers, 0 none.")
    ] = 0.5
    label_repeat_share: Annotated[
        Share,
        Shown(
            label="Share of made-up labels asked again",
            step=0.01,
            help="What readers are tested against, beside pure chance.",
        ),
    ] = field(default=0.0, metadata=LATER)
    """Share of random-label bundles whose every label is repeated, `repeat_generations` in all."""
    cues: Annotated[
        bool,
        Shown(
            label="Ask what is asked again by every cue too",
            help="By a name, an earlier question or a note, as often as they are asked with the stated label.",
        ),
    ] = field(default=False, metadata=LATER)
    """Repeated bundles are asked by every cue of the protocol too, `repeat_generations` in all."""
    second_turns: Annotated[
        bool,
        Shown(
            label="Ask what is asked again for a second turn too",
            help="Every answer of readers and of made-up labels that were asked again, once for each second turn.",
        ),
    ] = field(default=False, metadata=LATER)
    """Each answer of a repeated bundle is followed by every second turn of the protocol."""

    @classmethod
    def none(cls) -> "Controls":
        return cls(identity_free_generations=0, random_label=False, repeat_share=0.0, paraphrase_share=0.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoringSettings:
    """The settings that change a score or its means; recorded with every run and printed beside every table."""

    fit_scope: Annotated[FitScope, Shown(label="Words are weighed over")] = FitScope.MAIN
    rarefy: Annotated[
        Annotated[int, Ge(2)] | None,
        Shown(
            label="Answers that a fair spread of tone is of",
            none="fixed",
            help="Without its tick the size of the smallest group of readers, or of a control with fewer answers.",
        ),
    ] = None
    """Subset size m of the rarefied range; None: the smallest dimension of the protocol, or control if smaller."""
    partial_in_means: Annotated[bool, Shown(label="Sets with missing answers enter means, marked")] = True
    high_coverage: Annotated[int, Ge(1), Shown(label="Scores from which many answers came")] = 300


class Spending(StrEnum):
    """How much of α each look at a growing window may spend."""

    OBRIEN_FLEMING = "obrien-fleming"
    POCOCK = "pocock"

    @property
    def words(self) -> str:
        if self is Spending.OBRIEN_FLEMING:
            return tr("strictest at the first look (O'Brien-Fleming type)")
        return tr("about as strict at every look (Pocock type)")


class Alternative(StrEnum):
    """The results that a confirmatory comparison may find."""

    TWO_SIDED = "two-sided"
    """A mean that is not 0."""
    ABOVE = "above"
    """A mean above 0: where a score cannot be below 0 but by chance, nothing else is an effect."""

    @property
    def words(self) -> str:
        """The words for it, to stand after "each model"."""
        return tr("different from 0") if self is Alternative.TWO_SIDED else tr("above 0")


@dataclass(frozen=True, slots=True, kw_only=True)
class Confirmatory:
    """The plan made before the first answer: which comparisons count as tests, of what size, looked at how often."""

    scores: Annotated[
        tuple[ConfirmatoryScore, ...],
        Len(0, 3),
        Shown(label="Means of each model that are tested", help="All others are found on the way."),
    ] = ()
    """Scores whose mean of each model is tested against 0; empty: nothing is confirmatory."""
    alpha: Annotated[
        float,
        Gt(0),
        Le(0.2),
        Shown(
            label="Chance of any false finding",
            step=0.01,
            help="All models and measures counted together (Holm's correction), at all planned looks.",
        ),
    ] = 0.05
    """Chance of any false finding over all models and scores, at all looks together."""
    articles: Annotated[int, Interval(ge=LEAST_ARTICLES, le=2000), Shown(label="Articles planned")] = 30
    """Of each model, planned in all."""
    looks: Annotated[int, Interval(ge=1, le=20), Shown(label="Planned looks, at equal shares of them")] = 3
    """At equal shares of them."""
    spending: Annotated[
        Spending, Shown(label="Spending of that chance", help="O'Brien-Fleming's: next to nothing early.")
    ] = Spending.OBRIEN_FLEMING
    # The default is what protocols without this field planned; the shipped one asks for "above 0".
    alternative: Annotated[
        Alternative,
        Shown(
            label="Found where the mean is",
            help="What the reader adds is below 0 by chance only, and lopsided scores feign that too often.",
        ),
    ] = field(default=Alternative.TWO_SIDED, metadata=LATER)

    @property
    def sizes(self) -> tuple[int, ...]:
        """Articles at each look."""
        # Upwards: no look is earlier than its share.
        return tuple(ceil(self.articles * look / self.looks) for look in range(1, self.looks + 1))


@dataclass(frozen=True, slots=True, kw_only=True)
class Protocol:
    """One version of a protocol; a run keeps the version that it used whatever is edited later."""

    name: Annotated[
        Name, Shown(label="Name", help="Another name makes a protocol of its own, with versions counted from 1.")
    ]
    version: Annotated[int, Ge(1)] = 1
    system_prompt: Annotated[
        str,
        Len(0, 20_000),
        Shown(
            label="System prompt", lines=4, sent=True, help="Sent before every message; leave it empty to send none."
        ),
    ]
    message_layout: Annotated[
        Text,
        Shown(
            label="Message layout",
            lines=5,
            places=("{question}", "{headline}", "{description}"),
            help="One layout for every model. What stands in braces is filled in for each question.",
        ),
    ]
    """Fields ``{question}``, ``{headline}``, ``{description}``."""
    decoding: Annotated[Decoding, Shown(label="Decoding")] = field(default_factory=Decoding)
    controls: Annotated[Controls, Shown(label="Controls")] = field(default_factory=Controls)
    scoring: Annotated[ScoringSettings, Shown(label="Scoring")] = field(default_factory=ScoringSettings)
    confirmatory: Annotated[Confirmatory, Shown(label="Planned beforehand")] = field(
        default=Confirmatory(), metadata=LATER
    )
    label_sets: Annotated[
        tuple[LabelSet, ...],
        Len(0, MOST),
        Shown(
            label="Made-up labels",
            one="set of made-up labels",
            add="Add a set",
            tab=3,
            help="Made-up labels in place of readers: how much do answers move for a label that means nothing?",
        ),
    ] = ()
    cues: Annotated[
        tuple[Cue, ...],
        Len(0, 3),
        Shown(
            label="Cues",
            one="cue",
            add="Add a cue",
            tab=4,
            help="What tells who asks without a label: do answers move by it as they do by what is stated? Keep each"
            " mild: a hint of everyday life, and nothing that people hold against a group. Cues are asked where"
            " “Ask what is asked again by every cue too” is ticked under Settings.",
        ),
    ] = field(default=(), metadata=LATER)
    second_turns: Annotated[
        tuple[SecondTurn, ...],
        Len(0, 2),
        Shown(
            label="Second turns",
            one="second turn",
            add="Add a second turn",
            tab=5,
            help="What the reader says to an answer: how far does it move, and further for some readers? They are asked"
            " where “Ask what is asked again for a second turn too” is ticked under Settings.",
        ),
    ] = field(default=(), metadata=LATER)
    families: Annotated[
        tuple[Family, ...],
        Len(1, MOST),
        Shown(label="Kinds of question", one="kind of question", add="Add a kind of question", tab=2),
    ]
    dimensions: Annotated[
        tuple[Dimension, ...],
        Len(1, MOST),
        Shown(
            label="Groups of readers",
            one="group of readers",
            add="Add a group of readers",
            tab=1,
            help="Labels that probe a model, no description of people: they may mix. Each group adds questions.",
        ),
    ]

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

    def cue(self, kind: str) -> Cue:
        return next(each for each in self.cues if each.kind == kind)

    def shows(self, kind: str, identity: str) -> str | None:
        """The words that show *identity* in the cue of *kind*; None where the protocol does not say, as of imported
        answers."""
        readers = (each for cue in self.cues if cue.kind == kind for each in cue.readers)
        return next((each.says for each in readers if each.identity == identity), None)

    def turn_says(self, kind: str) -> str | None:
        """The words of the second turn of *kind*; None where the protocol has none."""
        return next((each.says for each in self.second_turns if each.kind == kind), None)

    def shown_by(self, cue: Cue) -> tuple[str, ...]:
        """Names of the dimensions of which *cue* shows every identity."""
        known = {each.identity for each in cue.readers}
        return tuple(each.name for each in self.dimensions if {one.label for one in each.identities} <= known)

    def dimension(self, name: str) -> Dimension:
        return next(dimension for dimension in self.dimensions if dimension.name == name)

    def family(self, name: str) -> Family:
        return next(family for family in self.families if family.name == name)


def cue_not_known(identity: str) -> str:
    """The words in place of what showed a reader, where another program asked."""
    return tr("[What showed “{name}” was not imported.]", name=identity)


def turn_not_known() -> str:
    """The words in place of a second turn's, where another program asked."""
    return tr("[What was said to the first answer was not imported.]")

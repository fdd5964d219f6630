"""Answers on their way to a scorer, and scores on their way back.

A chunk is what crosses a process border: plain tuples and lists, no open files, no models.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from typing import Any

from gpf_desktop.domain.coordinates import MAIN, Coordinates
from gpf_desktop.domain.items import StudyItem
from gpf_desktop.domain.models import Role
from gpf_desktop.domain.responses import LetterToken


class Unavailable(StrEnum):
    """The reason why a score has no value. Missing is missing: never NaN, never 0."""

    TOO_FEW_ANSWERS = "too few answers"
    NO_REPEATS = "no repeats"
    FEWER_THAN_M = "fewer answers than the rarefied size"
    ALL_COINCIDE = "all answers coincide"
    EMPTY_VECTOR = "no scorable word"
    NOT_FINITE = "not finite"
    NOT_MASKED = "no words to take out were named"


class UnitKind(StrEnum):
    """The kind of unit that a score belongs to."""

    ANSWER = "answer"
    """By its cell's number."""
    BUNDLE = "bundle"
    PAIR = "pair"
    """Of two answers, by `pair_of` their cells' numbers."""


def pair_of(first: int, second: int) -> int:
    """One number for the answers of two cells, in this order."""
    # 62 bits, which SQLite's signed integers hold, as long as cells are numbered below 2^31.
    return first << 31 | second


def cells_of(pair: int) -> tuple[int, int]:
    """The numbers of the two cells that `pair_of` joined."""
    return pair >> 31, pair & 0x7FFF_FFFF


@dataclass(frozen=True, slots=True, kw_only=True)
class Measure:
    """One score that a scorer gives: all that queue, filters, tables, reports and exports need to know of it."""

    name: str
    """Stored with every value; what two scorers call alike is the same."""
    title: str = field(compare=False)
    """As reports and lists name it, "S, semantic dispersion"."""
    short: str = field(compare=False)
    """As there is room for on a card, "S"."""
    plain: str = field(default="", compare=False)
    """As screens name it, "how far apart, in words"; empty: by its title."""
    about: str = field(default="", compare=False)
    """What that means, with both ends of its scale: a tool tip."""
    higher: str = field(default="", compare=False)
    """What a higher value means."""
    unit: UnitKind = UnitKind.BUNDLE
    low: float | None = None
    high: float | None = None
    """The range of its values; None: open."""
    categories: tuple[str, ...] = ()
    """A category, one of these: in the order in which a queue has them. Empty: a number."""
    grows: bool = False
    """With the number of answers, for one distribution of them: bundles of unlike n do not compare by it."""
    lowest_first: bool = False
    """In a queue; a p, say."""
    then: str = ""
    """The measure that decides among equal values."""
    on_card: bool = False
    """Stands above a bundle's answers; of an answer, beside it in reports. The others where there is more room."""

    @property
    def label(self) -> str:
        """The name on screens and in sentences."""
        return self.plain or self.title


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerFacts:
    """Facts about an answer, beside its text, that a scorer may know."""

    cell: int
    model: str
    """``provider/model``."""
    role: Role
    item: int
    """Of `FitGroup.items`."""
    coordinates: Coordinates
    """On every factor."""
    stage: int
    parent: int | None
    """The cell whose answer this one was asked with."""
    corrected: Mapping[str, str] = field(default_factory=dict)
    """By measure, the category that a person gave it: it holds in place of the scorer's."""
    letters: tuple[LetterToken, ...] = ()
    """Its tokens that are one letter, with log-probabilities; empty where none were asked for or given."""


@dataclass(frozen=True, slots=True, kw_only=True)
class BundleAnswers:
    """One bundle's answers, as rows of the fit group's texts."""

    bundle: int
    """The caller's number for this bundle: a `BundleId` from the store, a row number from a table."""
    planned: int
    """Cells planned with repeat 0."""
    rows: tuple[int, ...]
    """Indices into `FitGroup.texts`, one per present answer, repeats included."""
    levels: tuple[str, ...]
    """What tells each row from the others of its bundle: a level of the factor that varies, or more than one."""
    repeats: tuple[int, ...]
    """Repeat of each row; only repeat 0 enters S, R and the silhouettes."""
    arm: str = MAIN


@dataclass(frozen=True, slots=True, kw_only=True)
class WiderFit:
    """The part of an encoder fit that reaches beyond the texts of one group, so that a whole round need not be held."""

    texts: int
    """Texts with at least one term."""
    terms: bytes
    """Hashes of the terms, ascending, as little-endian unsigned numbers of 8 bytes."""
    frequencies: bytes
    """In how many texts each term stands, as little-endian signed numbers of 8 bytes."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FitGroup:
    """All present answers that share one encoder fit, and the bundles cut from them."""

    texts: tuple[str, ...]
    bundles: tuple[BundleAnswers, ...]
    main: tuple[int, ...] | None = None
    """Which texts are main answers of repeat 0, on which `protocol.FitScope.MAIN` fits; None: all of them."""
    wider: WiderFit | None = None
    """The fit where these texts are only a part of what it was made on; None: they are all of it."""
    facts: tuple[AnswerFacts, ...] = ()
    """Of each text, for scorers that ask for them."""
    items: Mapping[int, StudyItem] = field(default_factory=dict)
    """What the answers are about, for the same."""


Chunk = Sequence[FitGroup]


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreColumn:
    """One named score over the chunk's units, in `ScoredChunk.units` order."""

    name: str
    values: list[float | Unavailable]


@dataclass(frozen=True, slots=True, kw_only=True)
class CategoryColumn:
    """One named category over the same units."""

    name: str
    values: Sequence[str | Unavailable]


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoredChunk:
    """A scorer's result for a chunk: every bundle of it, with `VALID` at least, and behind them other units."""

    kind: UnitKind
    units: list[int]
    columns: tuple[ScoreColumn, ...]
    categories: tuple[CategoryColumn, ...] = ()
    further: tuple["ScoredChunk", ...] = ()
    """Of answers and pairs."""

    @property
    def with_answers(self) -> int:
        """The number of bundles that hold an answer that counts: judgements are bundles too, and hold none."""
        (valid,) = (column for column in self.columns if column.name == VALID)
        return sum(isinstance(n, float) and n > 0 for n in valid.values)


@dataclass(frozen=True, slots=True, kw_only=True)
class ScoreVariant:
    """A scorer with options to begin from."""

    name: str
    title: str
    scorer: str
    options: Any
    needs: str = ""
    """What the auditor must fill in first; empty: it can be started as it is."""


SEMANTIC_DISPERSION = "semantic_dispersion"
NOISE = "noise"
COUNTERFACTUAL_FRAMING = "counterfactual_framing"
SENTIMENT_RANGE = "sentiment_range"
SENTIMENT_MAD = "sentiment_mad"
SENTIMENT_RANGE_RAREFIED = "sentiment_range_rarefied"
SEMANTIC_SILHOUETTE = "semantic_silhouette"
SENTIMENT_SILHOUETTE = "sentiment_silhouette"
RELATIVE_FRAMING = "relative_framing"
"""(S − N) / (1 − N): the framing as a share of what noise leaves room for."""
TONE_NOISE = "tone_noise"
"""Mean |difference| of tone between generations of one level: R* at m = 2 over repeats."""
TONE_FRAMING = "tone_framing"
"""Mean |difference| of tone between levels, R* at m = 2, minus `TONE_NOISE`."""
WORDS = "words"
"""Mean words of an answer."""
DIRECTION_FRAMING = "direction_framing"
"""`stats.means_apart.direction_apart` of levels: as CFS, but 0 where answers for one level merely vary more."""
TONE_SHIFT = "squared_tone_shift"
"""`stats.means_apart.squared_shift` of levels' tones: mean squared difference of mean tones."""
FRAMING_OF_OTHER_WORDS = "relative_framing_masked"
"""`RELATIVE_FRAMING` once the words that name levels are taken out of every answer."""
TONE_OF_OTHER_WORDS = "tone_framing_masked"
"""`TONE_FRAMING` of the same."""
TONE_SATURATED = "tone_saturated"
"""Share of answers whose compound lies so near its ends that it can hardly move."""
TONE_LANGUAGE = "tone_language"
"""Share of answers' words that are the commonest of the language that the lexicon of tone is of."""
VALID = "valid"
"""Answers of repeat 0 that got a non-zero vector and a finite sentiment: n of every other score."""

BUNDLE_SCORES = (
    SEMANTIC_DISPERSION,
    NOISE,
    COUNTERFACTUAL_FRAMING,
    SENTIMENT_RANGE,
    SENTIMENT_MAD,
    SENTIMENT_RANGE_RAREFIED,
    SEMANTIC_SILHOUETTE,
    SENTIMENT_SILHOUETTE,
)
"""Column order of `gpf-desktop score`."""

FRAMING_SCORES = (RELATIVE_FRAMING, TONE_NOISE, TONE_FRAMING, WORDS)
"""Behind the others in that order: what lengths of answers, and tone's own noise, make of them."""

READABILITY = (FRAMING_OF_OTHER_WORDS, TONE_OF_OTHER_WORDS, TONE_SATURATED, TONE_LANGUAGE)
"""What conclusions ask beside the scores themselves: is it an echo, can tone be read."""

MEANS_ALONE = (DIRECTION_FRAMING, TONE_SHIFT)
"""Behind those: what unlike variability leaves alone."""

ALL_SCORES = (*BUNDLE_SCORES, *FRAMING_SCORES, *MEANS_ALONE)

"""E of SAGED: numbers of a text, of answers and baselines alike, with the names of concepts masked (`masking`).

Tone is VADER's compound. Length, refusal, hedging and question-back are counts that confound the others and are
shown beside them. A text without a word has none of them: unavailable, never a number in its place.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from gpf_desktop.arrays import Floats
from gpf_desktop.numerics.encoders import Encoders
from gpf_desktop.numerics.refusal_words import refusal
from gpf_desktop.numerics.tfidf import TermRows


@dataclass(frozen=True, slots=True, kw_only=True)
class Feature:
    """The name, the range and the meaning of a number measured of a text."""

    name: str
    low: float | None
    high: float | None
    """Its range; None: without a bound."""
    larger_is: str
    """What more of it means."""
    by: str
    version: str = "1"


TONE: Final = Feature(name="tone", low=-1, high=1, larger_is="more positive", by="VADER compound, vaderSentiment 3.3.2")
LENGTH: Final = Feature(name="length", low=0, high=None, larger_is="longer", by="words between white space")
REFUSAL: Final = Feature(name="refusal", low=0, high=1, larger_is="refuses", by="words of refusing near the beginning")
HEDGING: Final = Feature(
    name="hedging", low=0, high=None, larger_is="hedges more", by="hedging words and phrases in 100 words"
)
QUESTION_BACK: Final = Feature(
    name="question_back", low=0, high=1, larger_is="asks back", by="the last sentence is a question"
)
OF_A_TEXT: Final = (TONE, LENGTH, REFUSAL, HEDGING, QUESTION_BACK)
COUNTS: Final = frozenset(each.name for each in OF_A_TEXT) - {TONE.name}
"""They move the others, and are shown beside them."""
WITH_NAMES: Final = (TONE, LENGTH)
"""Features that are kept once more with names left in, to be read beside the masked ones."""
_UNMASKED: Final = "_unmasked"
BASELINE_DISTANCE: Final = Feature(
    name="baseline_distance",
    low=0,
    high=None,
    larger_is="further from its source",
    by="by words (tf-idf), weighed over all answers and sources",
)

_HEDGES: Final = re.compile(
    r"\b(?:may|might|could|perhaps|maybe|possibly|probably|presumably|apparently|arguably|seemingly|likely|unlikely"
    r"|seems?|seemed|appears?|appeared|suggests?|tends? to|somewhat|relatively|generally|usually|often|in general"
    r"|to some extent|in some ways|it depends|some (?:people|observers|critics) (?:say|argue|believe|think)"
    r"|can vary|it is (?:possible|hard|difficult) to)\b",
    re.IGNORECASE,
)
_CLOSING_MARKS: Final = "\"'”’»)]*_ \t\r\n"


def unmasked_name(feature: str) -> str:
    """*feature* of a text with the names of concepts left in."""
    return feature + _UNMASKED


@dataclass(frozen=True, slots=True)
class Encoded:
    """Texts as numbers."""

    of_text: Mapping[str, Floats]
    """`OF_A_TEXT` of each text, NaN for one without a word."""
    counts: TermRows
    word: Callable[[int], str]
    """The word of a column of *counts*."""


def encoded(texts: Sequence[str]) -> Encoded:
    """The features of each of *texts*; equal texts are worked out once."""
    distinct = list(dict.fromkeys(texts))
    place = {text: number for number, text in enumerate(distinct)}
    where = np.fromiter((place[text] for text in texts), np.int64, len(texts))
    encoders = Encoders.of_this_thread(pairs=False)
    counts, tones, _ = encoders.encode(distinct, by_sentence=False)
    words = np.fromiter((len(text.split()) for text in distinct), np.float64, len(distinct))
    none = words == 0
    found = {
        TONE.name: tones,
        LENGTH.name: words,
        REFUSAL.name: np.array([refusal(text) is not None for text in distinct], np.float64),
        HEDGING.name: np.array([len(_HEDGES.findall(text)) for text in distinct]) * 100.0 / np.maximum(words, 1),
        QUESTION_BACK.name: np.array([asks_back(text) for text in distinct], np.float64),
    }
    terms = encoders.terms
    return Encoded(
        {name: np.where(none, np.nan, values)[where] for name, values in found.items()},
        counts.of_texts(where),
        lambda column: terms.term(int(counts.names[column])),
    )


def asks_back(text: str) -> bool:
    """Whether the last sentence is a question, marks that close around it left aside."""
    return text.rstrip(_CLOSING_MARKS).endswith(("?", "？", "؟"))

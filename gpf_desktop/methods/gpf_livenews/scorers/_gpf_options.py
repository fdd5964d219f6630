"""The declared settings of the GPF scores, shared with the modules that compute them."""

import re
from dataclasses import dataclass
from typing import Annotated, Final

from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.options import Shown
from gpf_desktop.domain.protocol import FitScope
from gpf_desktop.domain.text import tr

MASK: Final = Shown(
    label="Words left out",
    help="Taken out of answers before scoring, one a line; \\b is the edge of a word, | means or.",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class GpfOptions:
    """Settings of the scores; the defaults are the primary scorer, everything else a robustness variant."""

    fit_scope: Annotated[
        FitScope,
        Shown(
            label="Words are weighed over",
            help="On which answers words are weighed (tf-idf): an article's main ones or all, a set's, a round's.",
        ),
    ] = FitScope.MAIN
    rarefy: Annotated[
        int,
        Shown(
            label="Answers that a fair spread of tone is of",
            help="The spread of tone that this many answers have on average, so that sets of any size compare.",
        ),
    ] = 5
    word_pairs: Annotated[
        bool, Shown(label="Word pairs", help="Count pairs of neighbouring words as terms beside single words.")
    ] = False
    mask: Annotated[tuple[str, ...], MASK] = ()
    own_words: Annotated[
        tuple[str, ...],
        Shown(
            label="Words that name readers",
            help="What the reader adds is measured once more without them, beside the scores: patterns, one a line.",
        ),
    ] = ()
    by_sentence: Annotated[
        bool,
        Shown(
            label="By sentence",
            help="Tone of each sentence, averaged: of a long answer as a whole, it soon reaches an end of the scale.",
        ),
    ] = False

    def __post_init__(self) -> None:
        if self.rarefy < 2:
            raise UserError(
                tr("A spread of tone needs at least two answers: it cannot be of {m}.", m=self.rarefy),
                tr("Use 2 or more."),
            )
        for pattern in (*self.mask, *self.own_words):
            try:
                re.compile(pattern)
            except re.error as error:
                raise UserError(
                    tr("“{pattern}” cannot be read as a pattern of words: {problem}.", pattern=pattern, problem=error),
                    tr("Correct it, or put a backslash before signs that are meant literally."),
                ) from error

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
            label="Fit scope",
            help="On which answers tf-idf is fitted: an article's main ones or all, a bundle's, a run's.",
        ),
    ] = FitScope.MAIN
    rarefy: Annotated[
        int,
        Shown(
            label="Answers that R* looks at",
            help="R* is the tone range that this many answers have on average, so that bundles of any size compare.",
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
            help="Framing is measured once more without them, beside the scores: patterns, one a line.",
        ),
    ] = ()
    by_sentence: Annotated[
        bool, Shown(label="By sentence", help="Average VADER over sentences; the compound of a long answer saturates.")
    ] = False

    def __post_init__(self) -> None:
        if self.rarefy < 2:
            raise UserError(
                tr("A range needs at least two answers: R* cannot look at {m}.", m=self.rarefy),
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

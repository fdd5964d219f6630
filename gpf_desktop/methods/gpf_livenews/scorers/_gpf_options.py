"""The declared settings of the GPF scores, shared with the modules that compute them."""

import re
from dataclasses import dataclass, field

from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.protocol import FitScope
from gpf_desktop.domain.text import tr


@dataclass(frozen=True, slots=True, kw_only=True)
class GpfOptions:
    """Settings of the scores; the defaults are the primary scorer, everything else a robustness variant."""

    fit_scope: FitScope = field(
        default=FitScope.MAIN,
        metadata={"help": "On which answers tf-idf is fitted: an article's main ones or all, a bundle's, a run's."},
    )
    rarefy: int = field(
        default=5,
        metadata={"help": "Subset size m of the rarefied range: the smallest dimension of the protocol."},
    )
    word_pairs: bool = field(
        default=False, metadata={"help": "Count pairs of neighbouring words as terms beside single words."}
    )
    mask: tuple[str, ...] = field(
        default=(),
        metadata={"help": "Regular expressions that are removed from answers before scoring (identity words)."},
    )
    by_sentence: bool = field(
        default=False,
        metadata={"help": "Average VADER over sentences; the compound of a long answer saturates."},
    )

    def __post_init__(self) -> None:
        if self.rarefy < 2:
            raise UserError(
                tr("A range needs at least two answers, so it cannot be rarefied to {m}.", m=self.rarefy),
                tr("Use 2 or more."),
            )
        for pattern in self.mask:
            try:
                re.compile(pattern)
            except re.error as error:
                raise UserError(
                    tr("“{pattern}” is no regular expression: {problem}.", pattern=pattern, problem=error),
                    tr("Correct it, or put a backslash before signs that are meant literally."),
                ) from error

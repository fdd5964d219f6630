"""How much of a text is English, for lexica that are."""

import re
from collections.abc import Sequence
from typing import Final

import numpy as np

LEAST_ENGLISH: Final = 0.12
"""Share of the commonest words: English answers have .26 to .37, German, French and Spanish ones under .03."""
_COMMONEST: Final = frozenset(
    re.findall(
        r"\w+",
        """the and of to that is for it with this are be your you by or may not from have how can who their
        they which these its at if has there been would""",
    )
)
"""Function words that German, French, Spanish and Italian do not write alike."""
_WORD: Final = re.compile(r"[^\W\d_]+")


def english_share(texts: Sequence[str]) -> float:
    """Mean share of the words of each of *texts* that are among the commonest of English, and of no neighbour."""
    shares = []
    for text in texts:
        words = _WORD.findall(text.lower())
        shares.append(sum(map(_COMMONEST.__contains__, words)) / max(len(words), 1))
    return float(np.mean(shares))

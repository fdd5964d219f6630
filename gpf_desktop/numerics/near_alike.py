"""Near-alike short texts, prompts or items: told by their words alone, before anything is answered.

Two texts are nearly alike where they share seven tenths of their words (Jaccard), in any order and without English
function words, and have the same numbers: another year or age asks something else. What is nearly alike with a third
text by way of a second is so too. Answers to such texts say little more than answers to one of them, so that methods
count them as one.
"""

import re
import unicodedata
from collections import Counter
from collections.abc import Collection, Sequence
from typing import Final

import numpy as np

from gpf_desktop.arrays import Ints

SHARED: Final = 0.7
"""Of all words of two texts. One word of six may be another, or one of four stand in one text alone."""
_WORD: Final = re.compile(r"[\u0e00-\u0e7f\u3040-\u30ff\u3400-\u9fff]|[^\W\d_]+|\d+")
"""A word, a number, or a sign of a script that parts words by no blank."""
_FUNCTION: Final = frozenset(
    re.findall(
        r"\w+",
        """a about after all also am an and any are as at be been before but by can could did do does for from had has
        have he her his how i if in into is it its just may me might more most my no not of on or other our out over
        per please s she should so some such t than that the their them then there these they this those to under up
        very was we were what when where which who why will with would you your""",
    )
)


def words_of(text: str) -> frozenset[str]:
    """The words by which *text* is held against others; all of its words where it has function words alone."""
    words = frozenset(_WORD.findall(unicodedata.normalize("NFKC", text).casefold()))
    return words - _FUNCTION or words


def nearly_alike(texts: Sequence[Collection[str]]) -> Ints:
    """(n,) of each of *texts*, by `words_of` each, the place of the first one with which it counts as one: its own
    where it is like none before it.

    Every pair that is alike shares one of its rarest words, so that only texts with such a word in common are compared.
    """
    said = [frozenset(each) for each in texts]
    common = Counter(word for words in said for word in words)
    first = list(range(len(said)))
    seen: dict[str, list[int]] = {}
    same: dict[frozenset[str], int] = {}
    for at, words in enumerate(said):
        if not words:
            continue
        if words in same:
            first[at] = _root(first, same[words])
            continue
        same[words] = at
        rarest = sorted(words, key=lambda word: (common[word], word))
        # Of so many words another text may lack, one at least of the others is shared.
        rarest = rarest[: len(words) - int(np.ceil(SHARED * len(words) - 1e-9)) + 1]
        for other in dict.fromkeys(other for word in rarest for other in seen.get(word, ())):
            shared = len(words & said[other])
            if any(word.isdigit() for word in words ^ said[other]):
                continue
            if shared >= SHARED * (len(words) + len(said[other]) - shared):
                low, high = sorted((_root(first, at), _root(first, other)))
                first[high] = low
        for word in rarest:
            seen.setdefault(word, []).append(at)
    return np.array([_root(first, at) for at in range(len(said))], np.int64)


def _root(first: list[int], at: int) -> int:
    while first[at] != at:
        first[at] = first[first[at]]
        at = first[at]
    return at

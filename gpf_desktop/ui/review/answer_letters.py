"""Letters by which people name answers in what they write: who reads blind has others for the same answers."""

import re
from collections.abc import Sequence

from gpf_desktop.engine.review.review_reading import ReadBundle
from gpf_desktop.ui.review.reading import in_order
from gpf_desktop.ui.review.reading_content import letter

_LIST = r"(?:\s*(?:,|/|=|&|\+)\s*(?:and\s+|or\s+)?|\s+(?:and|or|than|to|with|from)\s+)"


def relettered(text: str, own: Sequence[str], other: Sequence[str]) -> str:
    """*text*, where answers called by letters of *own* are called by those of *other* at the same places.

    A letter that stands alone is taken for an answer's; "A" and "I", which are words as well, only behind the word
    "answer" or in a list with another letter.
    """
    letters = dict(zip(own, other, strict=True))
    one = "(?:" + "|".join(sorted(map(re.escape, letters), key=len, reverse=True)) + ")"
    alone = rf"(?<![\w'’.-]){one}(?![\w-]|['’](?!s\b))"
    clear = rf"(?![AI]\b){alone}"
    named = rf"(?i:\banswers?\s+){alone}(?:{_LIST}{alone})*|{alone}(?:{_LIST}{alone})+|{clear}"

    def exchange(found: re.Match[str]) -> str:
        return re.sub(alone, lambda letter: letters[letter[0]], found[0])

    return re.sub(named, exchange, text) if letters else text


def for_blind(text: str, bundle: ReadBundle, seed: int) -> str:
    """*text*, which calls answers by letters of the protocol's order, for who reads *bundle* blind with *seed*."""
    return relettered(text, *_letters(bundle, seed))


def from_blind(text: str, bundle: ReadBundle, seed: int) -> str:
    """*text* of who reads *bundle* blind with *seed*, by letters of the protocol's order."""
    plain, shuffled = _letters(bundle, seed)
    return relettered(text, shuffled, plain)


def _letters(bundle: ReadBundle, seed: int) -> tuple[list[str], list[str]]:
    """Of each answer in the protocol's order its letter there, and that of a blind reader."""
    shuffled = [answer.level for answer in in_order(bundle, seed)]
    plain = [letter(number) for number in range(len(bundle.answers))]
    return plain, [plain[shuffled.index(answer.level)] for answer in bundle.answers]

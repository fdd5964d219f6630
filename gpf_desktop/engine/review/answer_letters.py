"""Letters by which people name answers in what they write: who reads blind has others for the same answers."""

import re
from collections.abc import Sequence
from typing import Final

_WORDS: Final = ("A", "I")
_LIST: Final = r"(?:\s*(?:,|/|=|&|\+)\s*(?:and\s+|or\s+)?|\s+(?:and|or|than|to|with|from)\s+)"
_THIRD: Final = (
    r"['’]s\b|\s+(?:is|isn['’]t|has|hasn['’]t|does|doesn['’]t|gets|gives|says|tells|names|warns|omits|lacks|withholds|"
    r"adds|mentions|assumes|treats|offers|advises|suggests|sounds|reads|seems|stays|refuses|differs|keeps|makes|puts)\b"
)
"""What an answer does, and neither the article nor "I"."""
_ANY: Final = r"\s+(?:was|wasn['’]t|had|did|didn['’]t|would|will|can|could|may|might|should|must|alone)\b"
"""What "I" may do as well."""
_END: Final = r"\s*(?:[:;,.!?)\]](?=\W|$)|$)"
_BEFORE_I: Final = re.compile(r"(?i)\b(?:than|in|from|of|to|by|only)\s+$")
_NAMED: Final = re.compile(r"(?i)\banswers?\s+$")
_KIND: Final = re.compile(r"(?i)\b(?:vitamin|plan|grade|type|class|category|hepatitis|section|part|option)\s+$")


def letter(number: int) -> str:
    """A … Z, then AA, AB, …"""
    first, last = divmod(number, 26)
    return (chr(64 + first) if first else "") + chr(65 + last)


def relettered(text: str, own: Sequence[str], other: Sequence[str]) -> str:
    """*text*, where answers called by letters of *own* are called by those of *other* at the same places.

    A letter that stands alone is taken for an answer's. "A" and "I" are words as well, and taken so except behind
    the word "answer", in a list with another letter, before what only an answer does ("A is warmer", "I's end"), and
    at the end of a clause ("warmer than A."; I only behind than, in, to and their like, or in brackets). Where another
    letter becomes A or I and would be taken for a word, "answer" is put before it.
    """
    letters = dict(zip(own, other, strict=True))
    if not letters:
        return text
    one = "(?:" + "|".join(sorted(map(re.escape, letters), key=len, reverse=True)) + ")"
    alone = rf"(?<![\w'’.-]){one}(?![\w-]|['’](?!s\b))"
    listed_before, listed_after = re.compile(rf"{alone}{_LIST}$"), re.compile(rf"{_LIST}{alone}")

    def names_an_answer(word: str, before: str, after: str) -> bool:
        if word not in _WORDS or _NAMED.search(before) or listed_before.search(before) or listed_after.match(after):
            return True
        if word == "A":
            return bool(re.match(f"{_THIRD}|{_ANY}|{_END}", after)) and not _KIND.search(before)
        return bool(re.match(rf"{_THIRD}|\s*\)", after)) or bool(_BEFORE_I.search(before) and re.match(_END, after))

    def exchange(found: re.Match[str]) -> str:
        before, after = text[: found.start()], text[found.end() :]
        if not names_an_answer(found[0], before, after):
            return found[0]
        now = letters[found[0]]
        if names_an_answer(now, before, after):
            return now
        begins = not re.search(r"[^.!?\s]\s*$", before)
        return f"{'Answer' if begins else 'answer'} {now}"

    return re.sub(alone, exchange, text)


def with_names(text: str, levels: Sequence[str]) -> str:
    """*text* for who sees no letters: each that names an answer has its level behind it, as in “C [Student] is warmer”.

    *levels*: in the order in which the text's author saw A, B, …
    """
    own = [letter(number) for number in range(len(levels))]
    return relettered(text, own, [f"{its} [{level}]" for its, level in zip(own, levels, strict=True)])

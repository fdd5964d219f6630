"""Letters by which people name answers in what they write: who reads blind has others for the same answers."""

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from gpf_desktop.domain.reviews import Judgement
from gpf_desktop.engine.review.review_reading import ReadBundle
from gpf_desktop.ui.review.reading import in_order
from gpf_desktop.ui.review.reading_content import Reading, letter

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


def as_read(said: Judgement, bundle: ReadBundle, reading: Reading) -> Judgement:
    """*said* of *bundle* with the letters that its author saw exchanged for those of *reading*."""
    own = said.letters or tuple(answer.level for answer in bundle.answers)
    shown = tuple(reading.letters)
    writes = said.note or any(passage.comment for passage in said.passages)
    if not writes or own == shown or set(own) != set(shown):
        return said
    names = [letter(number) for number in range(len(own))]
    other = [reading.letters[level] for level in own]
    return replace(
        said,
        letters=shown if reading.blind else (),
        note=relettered(said.note, names, other),
        passages=tuple(replace(each, comment=relettered(each.comment, names, other)) for each in said.passages),
    )


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

"""Headings of plain text, lines of their own that end without a mark, as paragraphs of their own."""

import re
from collections.abc import Sequence
from itertools import pairwise
from typing import Final

_MOST_WORDS: Final = 14
_LOOKED_AT: Final = 4
"""Lines below a heading by which the width of the text is told."""
_UNDERLINE: Final = re.compile(r"([=\-~_*#^+])\1{2,}")
_ENTRY: Final = re.compile(r"[*•·▪◦‣⁃–—-]\s+(?=[^\W\d_])(?![a-zß-ÿ])")
_LABEL: Final = re.compile(r"(?:[^\s:]+\s+){0,3}[^\s:]+:")
"""A word or a few with a colon on a line of their own: "Economy:"."""
_ENDS: Final = re.compile(r"[.!?…。！？؟:]['\"”’»)\]]*$")
"""Nothing that such a line says is under way below it."""
_OPEN: Final = tuple(",;،؛–—-‐([{“„«")
_ROOM: Final = 0.8
"""Of the width of a line, which letters of unequal widths fill unevenly."""


def with_headings_apart(text: str) -> str:
    """*text* with a blank line behind each line that is a heading; lines of marks below one go, and marks of a list's
    entries, each of which begins a paragraph.

    A heading begins where no sentence is under way, ends without a mark, and was broken off by hand: the line below
    begins with no small letter and, in a text whose lines are of one width, its first word would have had room.
    """
    lines = [line.strip() for line in text.splitlines()]
    of_one_width = any(_goes_on(*pair) for pair in pairwise(lines))
    found: list[str] = []
    under_way = False
    for at, whole in enumerate(lines):
        entry = _ENTRY.match(whole)
        line = whole[entry.end() :] if entry else whole
        if _UNDERLINE.fullmatch(line):
            found.append("")
            under_way = False
            continue
        if entry:
            found.append("")
            under_way = False
        found.append(line)
        below = lines[at + 1 : at + 1 + _LOOKED_AT] if of_one_width else lines[at + 1 : at + 2]
        label = bool(_LABEL.fullmatch(line)) and bool(below) and below[0][:1].isupper()
        if not under_way and (label or _is_heading(line, below, of_one_width=of_one_width)):
            found.append("")
        else:
            under_way = bool(line) and not _ENDS.search(line)
    return "\n".join(found)


def _goes_on(line: str, below: str) -> bool:
    """Whether a sentence of *line* goes on *below*; where letters have no case it may."""
    return bool(line and below) and not _ENDS.search(line) and below[0].isalpha() and not below[0].isupper()


def _is_heading(line: str, below: Sequence[str], *, of_one_width: bool) -> bool:
    if not line or len(line.split()) > _MOST_WORDS or _ENDS.search(line) or line.endswith(_OPEN):
        return False
    if not below or not below[0] or _UNDERLINE.fullmatch(below[0]):
        return True
    if below[0][0].islower():
        return False
    block = below[: below.index("")] if "" in below else below
    room = _ROOM * max(map(len, block)) - len(line) - 1
    return not of_one_width or len(block[0].split()[0]) <= room

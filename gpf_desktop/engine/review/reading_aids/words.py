"""Words and sentences with their places, in scripts with and without spaces."""

import re
from dataclasses import dataclass
from typing import Final

# Scripts without spaces are read character by character: a run of them would otherwise be one word.
_WORD: Final = re.compile(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\u0e00-\u0e7f]|[^\W_]+(?:['’\-‑][^\W_]+)*")
# Chinese and Japanese put no blank behind a full stop; elsewhere a dot without one ends nothing (3.5).
_END: Final = re.compile(r"(?<=[.!?…])[\"'”’)\]]*\s+|(?<=[。！？])|\s*\n\s*")
_NUMBER: Final = re.compile(r"\s*\(?\d{1,3}[.)]")
"""Of a list: no sentence of its own."""
_NUMBERED: Final = re.compile(r"\s*\(?\d{1,3}[.)]\s+(?=\S)")


@dataclass(frozen=True, slots=True)
class Word:
    """A word as it stands, and folded for comparison."""

    start: int
    end: int
    folded: str


@dataclass(frozen=True, slots=True)
class Stretch:
    """Characters *start* to *end* of a text."""

    start: int
    end: int

    def of(self, text: str) -> str:
        return text[self.start : self.end]


def words(text: str) -> list[Word]:
    return [Word(m.start(), m.end(), m.group().casefold().replace("’", "'")) for m in _WORD.finditer(text)]


def sentences(text: str) -> list[Stretch]:
    """Sentences and lines without the white space and list numbers around them; those without a word are left out."""
    found: list[Stretch] = []
    begin = 0
    for gap in (*_END.finditer(text), None):
        end = len(text) if gap is None else gap.start() + len(gap.group().rstrip())
        part = text[begin:end]
        if gap is not None and "\n" not in gap.group() and _NUMBER.fullmatch(part):
            begin = gap.end()
            continue
        numbered = _NUMBERED.match(part)
        start = begin + (numbered.end() if numbered else len(part) - len(part.lstrip()))
        if _WORD.search(part):
            found.append(Stretch(start, begin + len(part.rstrip())))
        begin = len(text) if gap is None else gap.end()
    return found


def joined(text: str, parts: list[Stretch]) -> tuple[Stretch, ...]:
    """*parts* in order, those that only spaces and punctuation part on one line made one."""
    merged: list[Stretch] = []
    for part in parts:
        if merged:
            between = text[merged[-1].end : part.start]
            if "\n" not in between and not _WORD.search(between):
                merged[-1] = Stretch(merged[-1].start, part.end)
                continue
        merged.append(part)
    return tuple(merged)

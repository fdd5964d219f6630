"""Puts one concept for another in a text: the longest words first, whole words, all at once, their case kept."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from typing import Final

from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.text import tr
from gpf_desktop.methods.saged.benchmark import BenchmarkRow
from gpf_desktop.methods.saged.replacements import Pairs, Replacements

ARROW: Final = " → "
_ARTICLE: Final = re.compile(r"(?<![\w'’\-])(an?)(\s+[\"“‘(]?)$", re.IGNORECASE)
# Letters whose names begin with a vowel, for what is read letter by letter: an FBI, a UN.
_SPOKEN_WITH_A_VOWEL: Final = frozenset("AEFHILMNORSX")
_SILENT_H: Final = re.compile(r"(?:hour|honest|honou?r|heir)", re.IGNORECASE)
# Vowels that are spoken with a consonant before them: a European, a Ukrainian, a one.
_LIKE_YOU_OR_ONE: Final = re.compile(r"(?:eu|ew|ukr|uni|u[bcdfghjklmnpqrstvz][aeiou]|one\b|once\b)", re.IGNORECASE)
_SHORT: Final = 3
"""Words up to this length are other words in lower case: US and us, IT and it."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Change:
    """A word of the new text with what stood in its place."""

    start: int
    end: int
    old: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Branched:
    """A text with one concept put for another."""

    text: str
    changes: tuple[Change, ...] = ()
    """In order; mended articles are among them."""
    left: tuple[str, ...] = ()
    """Words that stayed and seem to belong to the old concept."""


def branched(text: str, pairs: Pairs, belonging: Sequence[str] = ()) -> Branched:
    """*text* with the words of *pairs* replaced; *belonging*: all words of the old concept, to look for what stayed."""
    lookup = {_plain(word): (word, new) for word, new in pairs.items()}
    parts: list[str] = []
    changes: list[Change] = []
    kept: list[str] = []
    length = read = 0

    def add(part: str) -> None:
        nonlocal length
        parts.append(part)
        length += len(part)

    for match in _words(tuple(pairs)).finditer(text) if pairs else ():
        word, new = lookup[_plain(match.group())]
        if len(word) <= _SHORT and match.group() != word and not match.group().isupper():
            continue
        new = _in_case(new, match.group(), word)
        before = text[read : match.start()]
        article = _ARTICLE.search(before)
        if article and before[article.start() : article.end(1)] != (mended := _article(article[1], new)):
            kept.append(before[: article.start()])
            add(before[: article.start()])
            changes.append(Change(start=length, end=length + len(mended), old=article[1]))
            add(mended)
            before = article[2]
        kept.append(before)
        add(before)
        changes.append(Change(start=length, end=length + len(new), old=match.group()))
        add(new)
        read = match.end()
    kept.append(text[read:])
    add(text[read:])
    return Branched(text="".join(parts), changes=tuple(changes), left=_left(kept, belonging or tuple(pairs)))


class Direction(StrEnum):
    """The concepts that are put for each other."""

    ROOT_TO_ALL = "root to all"
    ALL_PAIRS = "all pairs"
    CHOSEN = "chosen pairs"


_DIRECTIONS: Final = {"all": Direction.ALL_PAIRS, "root": Direction.ROOT_TO_ALL}
_TWO: Final = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Branching:
    """How a benchmark is branched."""

    direction: Direction = Direction.ALL_PAIRS
    root: str = ""
    """From which concept, of `Direction.ROOT_TO_ALL`."""
    chosen: tuple[tuple[str, str], ...] = ()
    """(old, new), of `Direction.CHOSEN`."""
    source_tags: frozenset[str] = frozenset()
    """Only sentences of these; empty: of all."""

    def news(self, row: BenchmarkRow, replacements: Replacements) -> Sequence[str]:
        """The concepts that *row* is branched to."""
        if row.branch or (self.source_tags and row.source_tag not in self.source_tags):
            return ()
        match self.direction:
            case Direction.CHOSEN:
                return [new for old, new in self.chosen if old == row.concept]
            case Direction.ROOT_TO_ALL if row.concept != (self.root or replacements.root):
                return ()
            case _:
                return replacements.news_of(row.concept)


def branching_of(given: Mapping[str, str]) -> Branching:
    """The branching that *direction* (all, root, or pairs as ``A>B,C>D``) and *tags* of *given* name.

    Raises `UserError`.
    """
    tags = frozenset(filter(None, (tag.strip() for tag in given.get("tags", "").split(","))))
    wanted = given.get("direction", "").strip() or "all"
    if wanted in _DIRECTIONS:
        return Branching(direction=_DIRECTIONS[wanted], source_tags=tags)
    pairs = [tuple(side.strip() for side in pair.split(">")) for pair in wanted.split(",")]
    if not all(len(pair) == _TWO and all(pair) for pair in pairs):
        raise UserError(
            tr("“{given}” is no direction of branching.", given=wanted[:40]),
            tr("Write all, root, or pairs of concepts as France>Japan,France>Egypt."),
        )
    return Branching(direction=Direction.CHOSEN, chosen=tuple((old, new) for old, new in pairs), source_tags=tags)


@dataclass(slots=True, kw_only=True)
class Flagged:
    """The branches that a reader should look at after branching."""

    left: dict[tuple[str, str], set[str]]
    """By root and branch, words that stayed of the old concept."""
    unchanged: list[tuple[str, str]]
    """Roots and branches whose prompt names nothing that could be replaced; they were left out."""

    def sentences(self) -> list[str]:
        """Sentences for people on what to look at."""
        said = []
        words = sorted({word for found in self.left.values() for word in found})
        if words:
            said.append(
                tr(
                    "{n} branches still hold words of the old concept: {words}. Add pairs for them.",
                    n=len(self.left),
                    words=", ".join(words[:12]),
                )
            )
        if self.unchanged:
            said.append(tr("{n} branches were left out: their prompt holds no word of a pair.", n=len(self.unchanged)))
        return said


def branch_all(
    rows: Sequence[BenchmarkRow], replacements: Replacements, branching: Branching, flagged: Flagged
) -> Iterator[BenchmarkRow]:
    """Each of *rows* with its branches behind it; what is to be looked at is added to *flagged*.

    A row whose concept is the replacements' root stands for nothing that is compared and is left out itself. Raises
    `UserError` for a concept without replacements, and for a direction from a root where there is none.
    """
    if branching.direction is Direction.ROOT_TO_ALL and not (branching.root or replacements.root):
        raise UserError(
            tr("The replacements name no root to branch from."),
            tr("Name one of their concepts as the root, or branch all pairs."),
        )
    for row in rows:
        if row.concept != replacements.root:
            yield row
        belonging = replacements.words_of(row.concept)
        for new in branching.news(row, replacements):
            pairs = replacements.pairs.get(row.concept, {}).get(new, {})
            prompt = branched(row.prompt, pairs, belonging)
            baseline = branched(row.baseline, pairs, belonging)
            branch = f"{row.concept}{ARROW}{new}"
            if not prompt.changes:
                flagged.unchanged.append((row.root, branch))
                continue
            if prompt.left or baseline.left:
                flagged.left[row.root, branch] = {*prompt.left, *baseline.left}
            yield replace(
                row,
                concept=new,
                keyword=branched(row.keyword, pairs).text,
                prompt=prompt.text,
                baseline=baseline.text,
                branch=branch,
            )


@lru_cache(maxsize=1024)
def _words(words: tuple[str, ...]) -> re.Pattern[str]:
    # Of words that begin alike an alternation takes the first that fits: "Guinea" would leave "-Bissau" behind.
    # Not \b, which is no edge beside a word that ends in a sign, as U.S. does.
    longest_first = sorted(words, key=len, reverse=True)
    each = (r"\s+".join(re.escape(part) for part in word.split()) for word in longest_first)
    return re.compile(rf"(?<!\w)(?:{'|'.join(each)})(?!\w)", re.IGNORECASE)


def _plain(word: str) -> str:
    return " ".join(word.casefold().split())


def _in_case(new: str, found: str, word: str) -> str:
    """*new* changed as *word* was to become what was *found*."""
    if found == word:
        return new
    if found.isupper() and len(found) > 1:
        return new.upper()
    if found.islower():
        return new.lower()
    return new[:1].upper() + new[1:] if word[:1].islower() else new


def _article(article: str, word: str) -> str:
    """“a” or “an” as *word* asks for it, written as *article* is."""
    if word.isupper() and len(word) <= _SHORT:
        vowel = word[0] in _SPOKEN_WITH_A_VOWEL
    else:
        vowel = bool(_SILENT_H.match(word)) or (
            word[:1].lower() in "aeiouáéíóúàèäöü" and not _LIKE_YOU_OR_ONE.match(word)
        )
    if article.isupper() and len(article) > 1:
        return "AN" if vowel else "A"
    return article[0] + "n" if vowel else article[0]


def _left(kept: Sequence[str], belonging: Sequence[str]) -> tuple[str, ...]:
    """Words in what was not replaced that begin as a word of the old concept does, in any case."""
    if not belonging:
        return ()
    pattern = _beginnings(tuple(belonging))
    return tuple(dict.fromkeys(match.group() for part in kept for match in pattern.finditer(part)))


@lru_cache(maxsize=1024)
def _beginnings(words: tuple[str, ...]) -> re.Pattern[str]:
    each = (re.escape(word) + r"\w*" if len(word) > _SHORT else rf"(?-i:{re.escape(word)})(?!\w)" for word in words)
    short = "|".join(sorted(each, key=len, reverse=True))
    return re.compile(rf"(?<!\w)(?:{short})", re.IGNORECASE)

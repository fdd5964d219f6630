"""Sentences of several answers beside each other: a row holds what is like, and what is unlike stays alone."""

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby, zip_longest
from typing import Final

from gpf_desktop.engine.review.reading_aids.words import Stretch, sentences, words

LIKE: Final = 0.32
"""Cosine of idf-weighted words from which a sentence joins a row."""
NEAR: Final = 0.9
"""Share of common words (Dice) from which two sentences say the same."""
_HEADING_WORDS: Final = 8
_LEAD_WORDS: Final = 3
_LISTED: Final = re.compile(r"[ \t]*(?:[•*+-]|\d{1,3}[.)])[ \t]")
_ENDS: Final = tuple('.!?…:。！？"”’)')

_Vector = dict[str, float]


@dataclass(frozen=True, slots=True)
class GridRow:
    """One row: a sentence per answer, None where an answer has nothing like it."""

    cells: tuple[Stretch | None, ...]
    same: tuple[int, ...]
    """For each answer the first one that says the same in (almost) the same words; -1 where it says nothing."""
    alone: bool = False
    """Whether each sentence is like no other, rather than like those beside it."""

    @property
    def filled(self) -> int:
        return sum(cell is not None for cell in self.cells)

    @property
    def alike(self) -> bool:
        """Whether all answers say it."""
        return all(first == 0 for first in self.same)


def alignable(text: str) -> list[Stretch]:
    """Sentences as they are laid beside each other: without headings, and a lead ("Parking.") with what it leads to."""
    found: list[Stretch] = []
    for part in sentences(text):
        if _is_heading(text, part):
            continue
        before = found[-1] if found else None
        if before is not None and "\n" not in text[before.end : part.start] and _is_lead(text, before):
            found[-1] = Stretch(before.start, part.end)
        else:
            found.append(part)
    return found


def _is_lead(text: str, part: Stretch) -> bool:
    starts_line = not text[text.rfind("\n", 0, part.start) + 1 : part.start].strip(" \t•*+-0123456789.)")
    return starts_line and len(words(part.of(text))) <= _LEAD_WORDS


def _is_heading(text: str, part: Stretch) -> bool:
    begin = text.rfind("\n", 0, part.start) + 1
    end = text.find("\n", part.end)
    line = text[begin : len(text) if end < 0 else end]
    alone = end >= 0 and line.strip() == part.of(text)
    return (
        alone and not line.rstrip().endswith(_ENDS) and not _LISTED.match(line) and len(words(line)) <= _HEADING_WORDS
    )


def sentence_grid(texts: Sequence[str]) -> list[GridRow]:
    """Rows in the order in which the answers, on average, come to them; every sentence in exactly one (`alignable`)."""
    parts = [alignable(text) for text in texts]
    vectors = _vectors([[part.of(text) for part in its] for text, its in zip(texts, parts, strict=True)])
    rows: list[dict[int, int]] = []
    centres: list[_Vector] = []
    for answer, its in enumerate(vectors):
        _join(answer, its, rows, centres)

    def place(row: dict[int, int]) -> float:
        # Shares of each answer's length, so that the last sentence of a short one stands beside that of a long one.
        return sum((at + 0.5) / len(parts[answer]) for answer, at in row.items()) / len(row)

    laid = [tuple(parts[a][row[a]] if a in row else None for a in range(len(texts))) for row in sorted(rows, key=place)]
    return [
        GridRow(cells, _same(cells, texts), alone=len(cells) > 1 and cells.count(None) == len(cells) - 1)
        for cells in laid
    ]


def gathered(rows: Sequence[GridRow]) -> list[GridRow]:
    """*rows*, where sentences that stand alone and follow each other share lines as far as their answers differ.

    With nine answers a line for each of them is a stair with nothing around it.
    """
    lines: list[GridRow] = []
    for alone, following in groupby(rows, lambda row: row.alone):
        if not alone:
            lines += following
            continue
        said = [
            [cell for cell in cells if cell is not None] for cells in zip(*(r.cells for r in following), strict=True)
        ]
        for cells in zip_longest(*said):
            same = tuple(-1 if cell is None else answer for answer, cell in enumerate(cells))
            lines.append(GridRow(cells, same, alone=True))
    return lines


def _same(cells: tuple[Stretch | None, ...], texts: Sequence[str]) -> tuple[int, ...]:
    bags = [
        None if cell is None else Counter(word.folded for word in words(cell.of(text)))
        for cell, text in zip(cells, texts, strict=True)
    ]
    first: list[int] = []
    for at, bag in enumerate(bags):
        like = (one for one in dict.fromkeys(first) if one >= 0 and bag is not None and _near(bag, bags[one]))
        first.append(-1 if bag is None else next(like, at))
    return tuple(first)


def _near(one: Counter[str], other: Counter[str] | None) -> bool:
    return other is not None and 2 * (one & other).total() >= NEAR * (one.total() + other.total())


def _join(answer: int, its: list[_Vector], rows: list[dict[int, int]], centres: list[_Vector]) -> None:
    """Put one answer's sentences into the rows they are likest to, each row once, or into rows of their own."""
    likeness = [
        (_cosine(vector, centre), at, row) for at, vector in enumerate(its) for row, centre in enumerate(centres)
    ]
    placed: set[int] = set()
    taken: set[int] = set()
    for like, at, row in sorted(likeness, key=lambda each: (-each[0], each[1], each[2])):
        if like < LIKE:
            break
        if at in placed or row in taken:
            continue
        placed.add(at)
        taken.add(row)
        rows[row][answer] = at
        # A sum stands for the row's mean: cosines do not ask how long a vector is.
        for word, weight in its[at].items():
            centres[row][word] = centres[row].get(word, 0.0) + weight
    for at, vector in enumerate(its):
        if at not in placed:
            rows.append({answer: at})
            centres.append(dict(vector))


def _vectors(answers: list[list[str]]) -> list[list[_Vector]]:
    bags = [[Counter(word.folded for word in words(part)) for part in parts] for parts in answers]
    having: Counter[str] = Counter()
    for parts in bags:
        for bag in parts:
            having.update(bag.keys())
    number = max(1, sum(len(parts) for parts in bags))
    return [
        # A word that every sentence has weighs a little as well: the same one sentence in all answers would otherwise
        # be a vector of zeros, like nothing.
        [{word: n * (math.log((1 + number) / (1 + having[word])) + 0.05) for word, n in bag.items()} for bag in parts]
        for parts in bags
    ]


def _cosine(one: _Vector, other: _Vector) -> float:
    if len(one) > len(other):
        one, other = other, one
    product = sum(weight * other[word] for word, weight in one.items() if word in other)
    # Also a vector without a word: nothing is divided by 0.
    if product <= 0:
        return 0.0
    return product / math.sqrt(sum(w * w for w in one.values()) * sum(w * w for w in other.values()))

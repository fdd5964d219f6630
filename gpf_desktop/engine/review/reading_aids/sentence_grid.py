"""Sentences of several answers beside each other: a row holds what is like, and what is unlike stays alone."""

import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from gpf_desktop.engine.review.reading_aids.words import Stretch, sentences, words

LIKE: Final = 0.32
"""Cosine of idf-weighted words from which a sentence joins a row."""

_Vector = dict[str, float]


@dataclass(frozen=True, slots=True)
class GridRow:
    """One row: a sentence per answer, None where an answer has nothing like it."""

    cells: tuple[Stretch | None, ...]

    @property
    def filled(self) -> int:
        return sum(cell is not None for cell in self.cells)


def sentence_grid(texts: Sequence[str]) -> list[GridRow]:
    """Rows in the order in which the answers, on average, come to them. Every sentence stands in exactly one."""
    parts = [sentences(text) for text in texts]
    vectors = _vectors([[part.of(text) for part in its] for text, its in zip(texts, parts, strict=True)])
    rows: list[dict[int, int]] = []
    centres: list[_Vector] = []
    for answer, its in enumerate(vectors):
        _join(answer, its, rows, centres)

    def place(row: dict[int, int]) -> float:
        return sum((at + 0.5) / len(parts[answer]) for answer, at in row.items()) / len(row)

    return [
        GridRow(tuple(parts[a][row[a]] if a in row else None for a in range(len(texts))))
        for row in sorted(rows, key=place)
    ]


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
        [{word: n * (math.log((1 + number) / (1 + having[word])) + 0.05) for word, n in bag.items()} for bag in parts]
        for parts in bags
    ]


def _cosine(one: _Vector, other: _Vector) -> float:
    if len(one) > len(other):
        one, other = other, one
    product = sum(weight * other[word] for word, weight in one.items() if word in other)
    if product <= 0:
        return 0.0
    return product / math.sqrt(sum(w * w for w in one.values()) * sum(w * w for w in other.values()))

"""The words that carry the score: the parts of S that each answer's terms bring (method, "Explanations")."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from gpf_desktop.engine.review.reading_aids.function_words import tells

AMOUNTS: Final = (0.1, 0.25, 0.45, 0.65, 0.85)
"""Shares, of what telling words carry, that are marked: from few marks to many."""
USUAL: Final = 2
STRENGTHS: Final = 3


class Term(Protocol):
    """A term's weights in the answers, in the bundle's order."""

    @property
    def term(self) -> str: ...
    @property
    def weights(self) -> tuple[float, ...]: ...


@dataclass(frozen=True, slots=True)
class Carries:
    """A word that carries the score in one answer."""

    part: float
    """Of S, in its unit."""
    strength: int
    """0 for the words that carry most, to 2."""


def carried(terms: Sequence[Term], answers: int, amount: int) -> list[Mapping[str, Carries]]:
    """The words to mark in each answer, folded; *amount* is a place in `AMOUNTS`.

    Of S = Σ_t Σ_{i<j} (x_it - x_jt)² / (n(n-1)) answer i has half of each of its pairs; it is marked where its weight
    is above the mean of all: a word that it lacks carries as well, but cannot be marked where it is not.
    """
    found: list[tuple[float, int, str]] = []
    for term in terms:
        if not tells(term.term):
            continue
        whole, squares = sum(term.weights), sum(weight * weight for weight in term.weights)
        for at, weight in enumerate(term.weights):
            if weight * answers > whole:
                # Σ_j (x_i - x_j)² = n x_i² - 2 x_i Σ_j x_j + Σ_j x_j²: all pairs of an
                # answer without going through them.
                part = (answers * weight * weight - 2 * weight * whole + squares) / (2 * answers * (answers - 1))
                found.append((part, at, term.term))
    # Place and word decide among equals, so that a bundle is marked alike each time.
    found.sort(key=lambda each: (-each[0], each[1:]))
    room = AMOUNTS[amount] * sum(part for part, _, _ in found)
    marked: list[dict[str, Carries]] = [{} for _ in range(answers)]
    used = 0.0
    for part, at, word in found:
        if used >= room:
            break
        marked[at][word] = Carries(part, min(STRENGTHS - 1, int(STRENGTHS * used / room)))
        used += part
    return list(marked)

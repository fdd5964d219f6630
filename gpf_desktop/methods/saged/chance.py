"""What chance alone would show: concepts permuted within each root prompt, and roots drawn again.

The answers of one root are matched: they differ in their concept only. Under no difference any of them could have
been any other's, so that concepts are exchangeable within a root and nowhere else.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]

_AT_ONCE = 4_000_000
"""Answers in one array of replicates; some 32 MB."""


@dataclass(frozen=True, slots=True)
class Matched:
    """Which root and which concept each of n answers has."""

    roots: Ints
    """(n,), any numbers from 0."""
    concepts: Ints
    """(n,), 0 … k − 1."""
    k: int
    """How many concepts there are, with those that none of these answers has."""

    @property
    def by_concept(self) -> Ints:
        """The answers in the order of their concepts."""
        return np.argsort(self.concepts, kind="stable")

    @property
    def starts(self) -> Ints:
        """Where each concept begins in that order, and where the last ends; shape (k + 1,)."""
        return np.concatenate([[0], np.cumsum(np.bincount(self.concepts, minlength=self.k))])

    @property
    def exchangeable(self) -> bool:
        """Whether some root has answers of more than one concept."""
        pairs = np.unique(self.roots * self.k + self.concepts)
        return len(pairs) > len(np.unique(self.roots))

    def only(self, which: NDArray[np.bool_]) -> "Matched":
        return Matched(self.roots[which], self.concepts[which], self.k)

    def permuted(self, replicates: int, seed: Sequence[int]) -> Iterator[Ints]:
        """Which answers stand at the places of `by_concept`, in blocks of shape (b, n), *replicates* rows in all.

        The same for the same answers and *seed*; one block is kept, since features of the same answers follow.
        """
        block = max(1, _AT_ONCE // max(len(self.roots), 1))
        told = (self.roots.tobytes(), self.concepts.tobytes(), self.k, tuple(seed))
        if replicates <= block:
            yield _dealt(*told, replicates, 0)
            return
        for number, begin in enumerate(range(0, replicates, block)):
            yield _dealt.__wrapped__(*told, min(block, replicates - begin), number)

    def roots_drawn(self, replicates: int, seed: Sequence[int]) -> Iterator[tuple[Ints, Ints]]:
        """The answers of as many roots as there are, drawn with replacement, in the order of their concepts.

        Yields (which, starts): blocks of shape (b, n) and where each concept begins in their rows, *replicates* rows
        in all. Where every root has as many answers of each concept as every other, that is one block.
        """
        draw = np.random.default_rng([*seed, 1])
        _, root = np.unique(self.roots, return_inverse=True)
        roots = int(np.max(root)) + 1
        chosen = draw.integers(0, roots, (replicates, roots))
        counts = np.zeros((roots, self.k), np.int64)
        np.add.at(counts, (root, self.concepts), 1)
        order = np.lexsort((root, self.concepts))
        if (counts == counts[0]).all():
            cuts = np.split(order, np.cumsum(counts[0] * roots)[:-1])
            yield (
                np.concatenate([cut.reshape(roots, -1)[chosen].reshape(replicates, -1) for cut in cuts], axis=1),
                np.concatenate([[0], np.cumsum(counts[0] * roots)]),
            )
            return
        places = [np.flatnonzero(root == number) for number in range(roots)]
        for row in chosen:
            which = np.concatenate([places[number] for number in row])
            sizes = np.bincount(self.concepts[which], minlength=self.k)
            yield which[np.argsort(self.concepts[which], kind="stable")][None], np.concatenate([[0], np.cumsum(sizes)])


@lru_cache(maxsize=2)
def _dealt(roots: bytes, concepts: bytes, k: int, seed: tuple[int, ...], rows: int, block: int) -> Ints:
    """One block of `Matched.permuted`."""
    matched = Matched(np.frombuffer(roots, np.int64), np.frombuffer(concepts, np.int64), k)
    n = len(matched.roots)
    _, root = np.unique(matched.roots, return_inverse=True)
    at_root = np.argsort(root, kind="stable")
    place = np.empty(n, np.int64)
    place[at_root] = np.arange(n)
    # Sorting by root and a random number deals the answers of each root anew to that root's places.
    keys = root + np.random.default_rng([*seed, block]).random((rows, n))
    return np.argsort(keys, axis=1)[:, place[matched.by_concept]]


def at_least(drawn: Floats, observed: float, *, smaller_is_more: bool) -> tuple[float | None, float | None]:
    """What *drawn* (b,) shows under no difference: its mean, and p = (1 + b) / (1 + B) (Phipson and Smyth 2010).

    NaN among *drawn* is left out; (None, None) where nothing is left or *observed* is NaN.
    """
    there = drawn[~np.isnan(drawn)]
    if not len(there) or np.isnan(observed):
        return None, None
    slack = 1e-9 * max(abs(observed), float(np.abs(there).max()))
    reached = there <= observed + slack if smaller_is_more else there >= observed - slack
    return float(there.mean()), (1 + int(reached.sum())) / (1 + len(there))

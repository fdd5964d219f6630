"""Disparities by chance alone: concepts permuted within each root prompt, and roots drawn again.

The answers of one root are matched: they differ in their concept only. Under no difference any of them could have been
any other's, so that concepts are exchangeable within a root and nowhere else.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from gpf_desktop.arrays import Bools, Floats, Ints

_AT_ONCE = 4_000_000
"""Answers in one array of replicates; some 32 MB."""


@dataclass(frozen=True, slots=True)
class Matched:
    """The root and the concept of each of n answers."""

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
        """The places where each concept begins in that order, and where the last ends; shape (k + 1,)."""
        return np.concatenate([[0], np.cumsum(np.bincount(self.concepts, minlength=self.k))])

    @property
    def exchangeable(self) -> bool:
        """Whether some root has answers of more than one concept."""
        pairs = np.unique(self.roots * self.k + self.concepts)
        return len(pairs) > len(np.unique(self.roots))

    def only(self, which: Bools) -> "Matched":
        return Matched(self.roots[which], self.concepts[which], self.k)

    def permuted(self, replicates: int, seed: Sequence[int]) -> Iterator[Ints]:
        """The answers that stand at the places of `by_concept`, in blocks of shape (b, n), *replicates* rows in all.

        The same for the same answers and *seed*; one block is kept, since features of the same answers follow.
        """
        block = max(1, _AT_ONCE // max(len(self.roots), 1))
        # As bytes, since a cache tells arguments apart by their hash, and arrays have none.
        told = (self.roots.tobytes(), self.concepts.tobytes(), self.k, tuple(seed))
        if replicates <= block:
            yield _dealt(*told, replicates, 0)
            return
        # Past the cache, of which several blocks would push out each other before the next feature asks for them.
        for number, begin in enumerate(range(0, replicates, block)):
            yield _dealt.__wrapped__(*told, min(block, replicates - begin), number)

    def pieces(self, which: Ints) -> "Iterator[Piece]":
        """The groups of each row of *which* (b, n), answers at the places of `by_concept`; equal sizes together."""
        starts = self.starts
        sizes = np.diff(starts)
        for size in np.unique(sizes[sizes > 0]).tolist():
            groups = np.flatnonzero(sizes == size)
            columns = starts[groups][:, None] + np.arange(size)
            rows = np.repeat(np.arange(len(which)), len(groups))
            yield Piece(rows, np.tile(groups, len(which)), which[:, columns].reshape(-1, size))

    def roots_drawn(self, replicates: int, seed: Sequence[int]) -> "Iterator[Piece]":
        """The groups of as many roots as there are, drawn with replacement, *replicates* times."""
        draw = np.random.default_rng([*seed, 1])
        _, root = np.unique(self.roots, return_inverse=True)
        roots = int(np.max(root)) + 1
        chosen = draw.integers(0, roots, (replicates, roots))
        for concept in range(self.k):
            mine = np.flatnonzero(self.concepts == concept)
            if len(mine):
                yield from _drawn(mine, root[mine], chosen, concept)


@dataclass(frozen=True, slots=True)
class Piece:
    """Groups of equal size, of many replicates."""

    rows: Ints
    """(r,), which replicate each is of."""
    groups: Ints
    """(r,), which concept."""
    which: Ints
    """(r, size), its answers."""


def _drawn(mine: Ints, root: Ints, chosen: Ints, concept: int) -> Iterator[Piece]:
    """The answers *mine* (n,) of one concept, by *root* (n,), where the roots *chosen* (b, roots) were drawn."""
    counts = np.bincount(root, minlength=chosen.shape[1])
    at_root = np.argsort(root, kind="stable")
    nth = np.arange(len(mine)) - np.repeat(np.cumsum(counts) - counts, counts)
    # Roots have unlike numbers of answers: padded with −1 to a rectangle, all draws of them are taken in one step.
    table = np.full((len(counts), int(np.max(counts))), -1)
    table[root[at_root], nth] = mine[at_root]
    drawn = table[chosen].reshape(len(chosen), -1)
    there = drawn >= 0
    sizes = there.sum(axis=1)
    for size in np.unique(sizes[sizes > 0]).tolist():
        rows = np.flatnonzero(sizes == size)
        yield Piece(rows, np.full(len(rows), concept), drawn[rows][there[rows]].reshape(len(rows), size))


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


def at_least(drawn: Floats, observed: Floats, smaller_is_more: Bools) -> tuple[Floats, Floats]:
    """The mean (m,) of *drawn* (m, b), made under no difference, and p = (1 + b) / (1 + B) (m,) of *observed* (m,)
    (Phipson and Smyth 2010), by the lower end where *smaller_is_more* (m,).

    NaN among *drawn* is left out; both are NaN where nothing is left or *observed* is NaN.
    """
    there = ~np.isnan(drawn)
    known = np.where(there, drawn, 0.0)
    n = there.sum(axis=1)
    # Permutations that show what is observed reach it but for rounding, and count.
    slack = 1e-9 * np.maximum(np.abs(observed), np.abs(known).max(axis=1))
    low, high = (observed + slack)[:, None], (observed - slack)[:, None]
    reached = there & np.where(smaller_is_more[:, None], drawn <= low, drawn >= high)
    none = (n == 0) | np.isnan(observed)
    expected: Floats = np.where(none, np.nan, known.sum(axis=1) / np.maximum(n, 1))
    p: Floats = np.where(none, np.nan, (1 + reached.sum(axis=1)) / (1 + n))
    return expected, p

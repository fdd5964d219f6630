"""Splits many texts at once, so that everything known about a token is worked out once, not once a word.

Both encoders of the method can work from whitespace-separated tokens: neither tf-idf's words (``\\b\\w\\w+\\b``)
nor VADER's ever cross whitespace, and lower-casing never looks beyond it (a final sigma is decided by its
neighbouring letters).
"""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from gpf_desktop.arrays import Ints

Ids = NDArray[np.int32]

MOST_TOKENS = 100_000
MOST_CHARACTERS = 16_000_000


class Numbering(dict[str, int]):
    """Numbers strings from 0 in order of first sight; looking one up adds it."""

    def __init__(self) -> None:
        super().__init__()
        self.strings: list[str] = []
        self.characters = 0

    def __missing__(self, string: str) -> int:
        number = len(self.strings)
        self[string] = number
        self.strings.append(string)
        self.characters += len(string)
        return number

    def numbers(self, strings: Sequence[str]) -> Ids:
        """The number of each of *strings*."""
        # Not by dict.get, which never asks __missing__ and so would number nothing.
        return np.fromiter(map(self.__getitem__, strings), np.int32, len(strings))

    @property
    def too_large(self) -> bool:
        """Forgetting it all is due, so that a long session over ever new words keeps its memory."""
        return len(self) > MOST_TOKENS or self.characters > MOST_CHARACTERS


@dataclass(frozen=True, slots=True)
class Ragged:
    """Rows of unlike length: row r holds ``values[starts[r]:starts[r + 1]]``."""

    values: Ids
    starts: Ints

    def __len__(self) -> int:
        return len(self.starts) - 1

    @property
    def lengths(self) -> Ints:
        return np.diff(self.starts)

    @property
    def owners(self) -> Ints:
        """The row of each value."""
        return np.repeat(np.arange(len(self)), self.lengths)


def split(texts: Iterable[str], tokens: Numbering) -> Ragged:
    """Each text as the numbers of its whitespace-separated tokens."""
    # Text by text, while its tokens are in the processor's cache: a third faster than all tokens first.
    parts = [np.zeros(0, np.int32), *(tokens.numbers(text.split()) for text in texts)]
    return Ragged(np.concatenate(parts), np.cumsum([len(part) for part in parts]))


class TokenColumn:
    """One value per token, appended as tokens are met; making an array of it anew would cost more than scoring."""

    def __init__(self, kind: type[np.generic]) -> None:
        self._array: NDArray[Any] = np.zeros(0, kind)
        self._new: list[float] = []

    def __len__(self) -> int:
        return len(self._array) + len(self._new)

    def extend(self, values: Iterable[float]) -> None:
        self._new.extend(values)

    @property
    def array(self) -> NDArray[Any]:
        if self._new:
            self._array = np.concatenate([self._array, np.array(self._new, self._array.dtype)])
            self._new = []
        return self._array


class Expansion:
    """Replaces tokens by the zero, one or several parts that an encoder sees in each; parts are found once."""

    def __init__(self, tokens: Numbering, parts: Callable[[Sequence[str]], tuple[list[int], list[int]]]) -> None:
        """*parts* gives the parts of some tokens, one after the other, and how many each token has."""
        self._tokens = tokens
        self._parts = parts
        self._flat = TokenColumn(np.int32)
        self._counts = TokenColumn(np.int32)

    def __call__(self, texts: Ragged) -> Ragged:
        """*texts* with every token replaced by its parts, in order."""
        # From the first that has no parts yet: others who share the numbering may have met tokens since the last call.
        if new := self._tokens.strings[len(self._counts) :]:
            found, counted = self._parts(new)
            self._flat.extend(found)
            self._counts.extend(counted)
        flat, counts = self._flat.array, self._counts.array
        starts = np.cumsum(counts) - counts
        sizes = counts[texts.values]
        ends = np.zeros(len(sizes) + 1, np.int64)
        np.cumsum(sizes, out=ends[1:])
        row_starts = ends[texts.starts]
        if (sizes == 1).all():
            return Ragged(flat[starts[texts.values]], row_starts)
        positions = np.arange(ends[-1]) + np.repeat(starts[texts.values] - ends[:-1], sizes)
        return Ragged(flat[positions], row_starts)

"""tf-idf as scikit-learn's ``TfidfVectorizer`` has it by default, for many fits in one pass.

Lower-case words of two or more word characters, raw counts, smooth idf ``ln((1 + n) / (1 + df)) + 1``, L2.
Terms are numbers; `TermTable.term` names them.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from gpf_desktop.arrays import Bools, Floats, Ints
from gpf_desktop.numerics.spelling import one_spelling
from gpf_desktop.numerics.tokens import Expansion, Ids, Numbering, Ragged

WORDS: Final = re.compile(r"(?u)\b\w\w+\b")


@dataclass(frozen=True, slots=True)
class TermRows:
    """A sparse matrix, one row per text: text t has ``values`` at ``terms``, both ``[starts[t]:starts[t + 1]]``."""

    terms: Ids
    """Columns, 0 … len(names) - 1, ascending within a text."""
    values: NDArray[Any]
    """Counts, or L2-normed weights."""
    starts: Ints
    names: Ints
    """What each column means, for `TermTable.term`."""

    def __len__(self) -> int:
        return len(self.starts) - 1

    @property
    def lengths(self) -> Ints:
        return np.diff(self.starts)

    @property
    def width(self) -> int:
        """Number of columns, at least 1."""
        return max(len(self.names), 1)

    def of_texts(self, texts: Ints) -> "TermRows":
        """Only *texts*, in that order; columns stay."""
        lengths = self.lengths[texts]
        starts = np.zeros(len(texts) + 1, np.int64)
        np.cumsum(lengths, out=starts[1:])
        places = np.arange(starts[-1]) + np.repeat(self.starts[:-1][texts] - starts[:-1], lengths)
        return TermRows(self.terms[places], self.values[places], starts, self.names)

    def dense(self) -> Floats:
        """All rows side by side, shape (texts, terms that occur in them)."""
        used, columns = np.unique(self.terms, return_inverse=True)
        square = np.zeros((len(self), len(used)))
        square[np.repeat(np.arange(len(self)), self.lengths), columns] = self.values
        return square


class TermTable:
    """Words (and pairs of neighbouring words, where *pairs*) of texts whose tokens share one numbering.

    Columns stand in an order that depends on the terms alone, not on what was read before: sums then round alike
    in every chunk, process and session.
    """

    def __init__(self, tokens: Numbering, *, pairs: bool = False) -> None:
        self._words = Numbering()
        self._pairs = pairs
        self._keys = np.zeros(0, np.uint64)
        self._expand = Expansion(tokens, self._words_of)

    def _words_of(self, tokens: Sequence[str]) -> tuple[list[int], list[int]]:
        """Numbers of the words of all *tokens*, and how many each has."""
        words, number = list[int](), self._words.__getitem__
        counts = list[int]()
        for token in tokens:
            lowered = one_spelling(token).lower()
            # Nearly all, and no pattern has to look for them: letters and digits alone are one word.
            if len(lowered) > 1 and lowered.isalnum():
                words.append(number(lowered))
                counts.append(1)
            else:
                found = WORDS.findall(lowered)
                words.extend(map(number, found))
                counts.append(len(found))
        return words, counts

    def term(self, name: int) -> str:
        """The words of a column's name."""
        first, second = divmod(int(name), _PAIR)
        word = self._words.strings[second]
        return f"{self._words.strings[first - 1]} {word}" if first else word

    def hashes(self, names: Ints) -> NDArray[np.uint64]:
        """A number per column that is the same in every process: what columns are sorted by."""
        return self._order_keys(names)

    def counts(self, texts: Ragged) -> TermRows:
        """Terms of each text, counted."""
        words = self._expand(texts)
        if self._pairs:
            occurring, starts = _with_pairs(words)
            names, columns = np.unique(occurring, return_inverse=True)
        else:
            starts = words.starts
            used = np.zeros(len(self._words.strings), bool)
            used[words.values] = True
            names, columns = np.flatnonzero(used), (np.cumsum(used) - 1)[words.values]
        # Distances add up column by column: by order of first sight their last bit would hang on what was read before.
        order = np.argsort(self._order_keys(names), kind="stable")
        place = np.empty_like(order)
        place[order] = np.arange(len(order))
        return _counted(place[columns], starts, names[order])

    def joined(self, parts: Sequence[TermRows]) -> TermRows:
        """The rows of all *parts*, which this table counted."""
        if len(parts) == 1:
            return parts[0]
        names = np.unique(np.concatenate([part.names for part in parts]))
        keys = self._order_keys(names)
        order = np.argsort(keys, kind="stable")
        place = np.empty(len(names), np.int32)
        place[order] = np.arange(len(names), dtype=np.int32)
        starts = np.zeros(sum(map(len, parts)) + 1, np.int64)
        np.cumsum(np.concatenate([part.lengths for part in parts]), out=starts[1:])
        terms = [place[np.searchsorted(names, part.names)][part.terms] for part in parts]
        values = np.concatenate([part.values for part in parts])
        return TermRows(np.concatenate(terms), values, starts, names[order])

    def _order_keys(self, names: Ints) -> NDArray[np.uint64]:
        """The keys by which columns are sorted: a hash of the term's words."""
        strings = self._words.strings
        if len(self._keys) < len(strings):
            # Of words seen since the last call only; strings are never renumbered.
            new = b"".join(_digest(word) for word in strings[len(self._keys) :])
            self._keys = np.concatenate([self._keys, np.frombuffer(new, "<u8").astype(np.uint64)])
        first, second = np.divmod(names, _PAIR)
        keys = self._keys[second]
        if self._pairs:
            # An odd factor (of the golden ratio) before the exclusive or: "a b" and "b a" would otherwise have one key.
            keys = np.where(first > 0, keys ^ (self._keys[first - 1] * np.uint64(0x9E3779B97F4A7C15)), keys)
        return keys


_PAIR: Final = 1 << 31


def _digest(word: str) -> bytes:
    # Half a surrogate pair can stand in an answer that came as JSON, and plain UTF-8 refuses it.
    return blake2b(word.encode("utf-8", "surrogatepass"), digest_size=8).digest()


def _with_pairs(words: Ragged) -> tuple[Ints, Ints]:
    """Names of all words and of all pairs of neighbours within a text, and where each text's begin."""
    values, owners = words.values.astype(np.int64), words.owners
    neighbours = owners[1:] == owners[:-1]
    # First words count from 1, so that names of single words, with 0 in front, stay what they are.
    pairs = (values[:-1][neighbours] + 1) * _PAIR + values[1:][neighbours]
    owner = np.concatenate([owners, owners[1:][neighbours]])
    order = np.argsort(owner, kind="stable")
    starts = np.searchsorted(owner[order], np.arange(len(words) + 1))
    return np.concatenate([values, pairs])[order], starts


def _counted(columns: Ints, starts: Ints, names: Ints) -> TermRows:
    """Sorts one number per occurrence (text and column together); runs of equal numbers are the counts."""
    width, rows = max(len(names), 1), len(starts) - 1
    # Keys that are half as wide sort faster.
    kind = np.int32 if rows * width < 2**31 else np.int64
    offsets = np.arange(rows + 1, dtype=np.int64) * width
    keys = columns.astype(kind) + np.repeat(offsets[:-1].astype(kind), np.diff(starts))
    keys.sort()
    begins = np.flatnonzero(np.concatenate([[True], keys[1:] != keys[:-1]])) if len(keys) else np.zeros(0, int)
    counts = np.diff(np.append(begins, len(keys))).astype(np.int32)
    keys = keys[begins]
    row_starts = np.searchsorted(keys, offsets)
    terms = (keys - np.repeat(offsets[:-1].astype(kind), np.diff(row_starts))).astype(np.int32)
    return TermRows(terms, counts, row_starts, names)


def weights(counts: TermRows, groups: Sequence[int] | Ints, fitted: Bools | None = None) -> TermRows:
    """The L2-normed weight of each term of each text; ``groups[t]`` is the fit that text t belongs to (0, 1, …).

    Texts without terms take no part in a fit: n is the number of texts with at least one. Where only some texts are
    *fitted*, every other has the weights that it would have as the one more: a text stands in its own fit, or the words
    of those outside would weigh otherwise than those inside. A group of which none is fitted is fitted whole.
    """
    lengths = counts.lengths
    group = np.asarray(groups, np.int64)
    inside = lengths > 0
    if fitted is not None:
        some = np.bincount(group, weights=fitted & inside) > 0
        inside = inside & (fitted | ~some[group])
    members = np.bincount(group, weights=inside)
    keys = np.repeat(group * counts.width, lengths) + counts.terms
    # The one more: 1 on n and on the document frequency of a text's own terms, for texts outside the fit only.
    own: Ints = np.repeat(~inside, lengths).astype(np.int64)
    frequency = _frequencies(keys[own == 0], keys, len(members) * counts.width) + own
    return _weighted(counts, np.repeat(members[group].astype(np.float64), lengths) + own, frequency)


def weights_of(counts: TermRows, texts: int, frequencies: Ints) -> TermRows:
    """The weights by a fit made elsewhere, on *texts* texts: column c stood in ``frequencies[c]`` of them."""
    return _weighted(counts, np.float64(texts), frequencies[counts.terms])


def _weighted(counts: TermRows, texts: Floats | np.float64, frequency: Ints) -> TermRows:
    lengths = counts.lengths
    # scikit-learn's smooth idf, as if one more text had every term: no division by 0, and no term without weight.
    idf = np.log((texts + 1) / (frequency + 1)) + 1.0
    raw: Floats = counts.values * idf
    # bincount adds in the order of columns, which hangs on the terms alone.
    norms = np.sqrt(np.bincount(np.repeat(np.arange(len(counts)), lengths), raw * raw, len(counts)))
    # A text without terms has no entry, so its norm of 0 divides nothing.
    return TermRows(counts.terms, raw / np.repeat(norms, lengths), counts.starts, counts.names)


def _frequencies(among: Ints, keys: Ints, size: int) -> Ints:
    """How often each of *keys* stands in *among*, by counting, or by sorting where the counters would be too many."""
    if size <= 16 * len(keys) + 1_000_000:
        return np.bincount(among, minlength=size)[keys]
    ordered = np.sort(among)
    found: Ints = np.searchsorted(ordered, keys, side="right") - np.searchsorted(ordered, keys)
    return found

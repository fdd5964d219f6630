"""Both encoders of the method over the same tokens: term counts and tones of many texts."""

import gc
import re
import threading
from collections.abc import Sequence
from typing import Final

import numpy as np

from gpf_desktop.arrays import Bools, Floats, Ints
from gpf_desktop.domain.scores import FitGroup
from gpf_desktop.numerics import tone
from gpf_desktop.numerics.tfidf import TermRows, TermTable
from gpf_desktop.numerics.tokens import Numbering, split

TEXTS_AT_ONCE: Final = 2048
"""Some 400,000 tokens: large enough that array calls cost nothing beside their work, small enough for the cache."""

_SENTENCE_END: Final = re.compile(r"(?<=[.!?…])\s+|\n+")
_local = threading.local()


def fit_rows(group: FitGroup) -> Bools:
    """True for the texts of *group* that `protocol.FitScope.MAIN` fits on."""
    rows = np.full(len(group.texts), group.main is None)
    rows[list(group.main or ())] = True
    return rows


class Encoders:
    """Words and tones of texts, sharing one tokenisation; one per thread, since looking up a token adds it."""

    def __init__(self, *, pairs: bool) -> None:
        self.tokens = Numbering()
        self.terms = TermTable(self.tokens, pairs=pairs)
        self.tones = tone.Tones(self.tokens)

    @classmethod
    def of_this_thread(cls, *, pairs: bool) -> "Encoders":
        """Keeps what is known of tokens between calls, until it grows too large."""
        kept: dict[bool, Encoders] = _local.__dict__.setdefault("encoders", {})
        if pairs in kept and kept[pairs].tokens.too_large:
            # Its tables refer to each other: only the collector takes them away, and by itself it comes too late.
            del kept[pairs]
            gc.collect()
        if pairs not in kept:
            kept[pairs] = cls(pairs=pairs)
        return kept[pairs]

    def encode(self, texts: Sequence[str], *, by_sentence: bool) -> tuple[TermRows, Floats, Ints]:
        """Term counts, tone and number of words, as spaces part them, of each of *texts*."""
        parts: list[TermRows] = []
        tones: list[Floats] = []
        words: list[Ints] = []
        # One empty part where there are no texts: joining needs at least one.
        for begin in range(0, max(len(texts), 1), TEXTS_AT_ONCE):
            some = texts[begin : begin + TEXTS_AT_ONCE]
            tokens = split(some, self.tokens)
            words.append(tokens.lengths)
            parts.append(self.terms.counts(tokens))
            if not tone.agrees_with_library():
                tones.append(self._by_sentence(some) if by_sentence else tone.library_compounds(some))
            elif by_sentence:
                tones.append(self._by_sentence(some))
            else:
                tones.append(self.tones.compounds(tokens))
        return self.terms.joined(parts), np.concatenate(tones), np.concatenate(words)

    def _by_sentence(self, texts: Sequence[str]) -> Floats:
        """Mean compound of each text's sentences; 0 for a text without any."""
        sentences = [[part for part in _SENTENCE_END.split(text) if part.strip()] for text in texts]
        flat = [part for parts in sentences for part in parts]
        each = (
            self.tones.compounds(split(flat, self.tokens))
            if tone.agrees_with_library()
            else tone.library_compounds(flat)
        )
        owner = np.repeat(np.arange(len(texts)), [len(parts) for parts in sentences])
        total = np.bincount(owner, each, len(texts))
        # Texts without a sentence have 0 / 1, as VADER gives 0 to an empty text.
        mean: Floats = total / np.maximum(np.bincount(owner, minlength=len(texts)), 1)
        return mean


class OneReading:
    """The encoders' numbers for texts, each read once, however often and beside whichever others it is asked for.

    Everything that was read is held for as long as this is: some thousand texts, not an audit's.
    """

    def __init__(self, *, pairs: bool, by_sentence: bool) -> None:
        self._encoders = Encoders.of_this_thread(pairs=pairs)
        self._by_sentence = by_sentence
        self._places: dict[str, int] = {}
        self._known: list[tuple[TermRows, Floats, Ints]] = []

    @property
    def terms(self) -> TermTable:
        """The terms that the columns of counts stand for."""
        return self._encoders.terms

    def __call__(self, texts: Sequence[str]) -> tuple[TermRows, Floats, Ints]:
        """The numbers that `Encoders.encode` gives; there may be columns of terms that none of *texts* has."""
        rows = self._read(texts)
        ((counts, tones, words),) = self._known
        return counts.of_texts(rows), tones[rows], words[rows]

    def tones(self, texts: Sequence[str]) -> Floats:
        """The tones alone."""
        rows = self._read(texts)
        tones: Floats = self._known[0][1][rows]
        return tones

    def words(self, texts: Sequence[str]) -> Ints:
        """The numbers of words alone, for which nothing that is not known is encoded."""
        known, place = self._known[0][2] if self._known else np.zeros(0, np.int64), self._places
        return np.array([known[place[text]] if text in place else len(text.split()) for text in texts], np.int64)

    def _read(self, texts: Sequence[str]) -> Ints:
        """The places of *texts* among all that was read."""
        new = [text for text in dict.fromkeys(texts) if text not in self._places]
        if new or not self._known:
            self._places.update(zip(new, range(len(self._places), len(self._places) + len(new)), strict=True))
            counts, tones, words = zip(
                *self._known, self._encoders.encode(new, by_sentence=self._by_sentence), strict=True
            )
            self._known = [(self.terms.joined(counts), np.concatenate(tones), np.concatenate(words))]
        return np.array([self._places[text] for text in texts], np.int64)

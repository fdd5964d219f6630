"""Document frequencies over more texts than can be held at once, such as a whole run's: counted in parts, then merged.

Terms are known by a hash of 64 bits of their words, which is the same in every process.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from gpf_desktop.arrays import Ints
from gpf_desktop.domain.scores import WiderFit
from gpf_desktop.numerics.encoders import TEXTS_AT_ONCE, Encoders
from gpf_desktop.numerics.tfidf import TermRows, TermTable, weights_of
from gpf_desktop.numerics.tokens import split

Hashes = NDArray[np.uint64]


def counted(texts: Sequence[str], *, pairs: bool) -> WiderFit:
    """A fit on *texts*: the number of them in which each term stands."""
    parts = []
    encoders = Encoders.of_this_thread(pairs=pairs)
    for begin in range(0, len(texts), TEXTS_AT_ONCE):
        rows = encoders.terms.counts(split(texts[begin : begin + TEXTS_AT_ONCE], encoders.tokens))
        frequencies = np.bincount(rows.terms, minlength=len(rows.names))
        parts.append(_packed(int((rows.lengths > 0).sum()), encoders.terms.hashes(rows.names), frequencies))
    return merged(parts)


def merged(parts: Sequence[WiderFit]) -> WiderFit:
    """The fit on the texts of all *parts* together; their order changes nothing."""
    if len(parts) == 1:
        return parts[0]
    hashes = [_hashes(part) for part in parts]
    counts = [_frequencies(part) for part in parts]
    if not parts:
        return _packed(0, np.zeros(0, np.uint64), np.zeros(0, np.int64))
    terms, places = np.unique(np.concatenate(hashes), return_inverse=True)
    frequencies = np.zeros(len(terms), np.int64)
    # A term of several parts has several places; plain indexed addition would add one of them only.
    np.add.at(frequencies, places, np.concatenate(counts))
    return _packed(sum(part.texts for part in parts), terms, frequencies)


def weights_within(counts: TermRows, terms: TermTable, fit: WiderFit) -> TermRows:
    """L2-normed weights of texts that *fit* was made on, among others."""
    known = _hashes(fit)
    # Every term is known, since the fit was made on these texts among others: searchsorted would not tell if not.
    places = np.searchsorted(known, terms.hashes(counts.names))
    return weights_of(counts, fit.texts, _frequencies(fit)[places] if len(known) else np.zeros(0, np.int64))


def _packed(texts: int, terms: Hashes, frequencies: Ints) -> WiderFit:
    # Sorted, for the search; as bytes of a fixed order, since they pass between processes.
    order = np.argsort(terms, kind="stable")
    return WiderFit(
        texts=texts, terms=terms[order].astype("<u8").tobytes(), frequencies=frequencies[order].astype("<i8").tobytes()
    )


def _hashes(fit: WiderFit) -> Hashes:
    return np.frombuffer(fit.terms, "<u8").astype(np.uint64, copy=False)


def _frequencies(fit: WiderFit) -> Ints:
    return np.frombuffer(fit.frequencies, "<i8").astype(np.int64, copy=False)

"""Scores many bundles in few passes: one tokenisation, one sparse matrix, one block of arrays per bundle size."""

import re
import threading
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from gpf_desktop.domain import scores as names
from gpf_desktop.domain.protocol import FitScope
from gpf_desktop.domain.scores import Chunk, FitGroup, ScoreColumn, ScoredChunk, Unavailable, UnitKind
from gpf_desktop.numerics import spread, tone, two_means
from gpf_desktop.numerics.distances import BundleDistances, bundle_distances
from gpf_desktop.numerics.references import masked
from gpf_desktop.numerics.sums import ordered_means
from gpf_desktop.numerics.tfidf import TermRows, TermTable, weights
from gpf_desktop.numerics.tokens import Ints, Numbering, split

Floats = NDArray[np.float64]

TEXTS_AT_ONCE: Final = 2048
"""Some 400,000 tokens: large enough that array calls cost nothing beside their work, small enough for the cache."""

_SENTENCE_END: Final = re.compile(r"(?<=[.!?…])\s+|\n+")
_local = threading.local()


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
        if pairs not in kept or kept[pairs].tokens.too_large:
            kept[pairs] = cls(pairs=pairs)
        return kept[pairs]

    def encode(self, texts: Sequence[str], *, by_sentence: bool) -> tuple[TermRows, Floats]:
        """Term counts and tone of each of *texts*."""
        parts: list[TermRows] = []
        tones: list[Floats] = []
        for begin in range(0, max(len(texts), 1), TEXTS_AT_ONCE):
            some = texts[begin : begin + TEXTS_AT_ONCE]
            tokens = split(some, self.tokens)
            parts.append(self.terms.counts(tokens))
            if not tone.agrees_with_library():
                tones.append(self._by_sentence(some) if by_sentence else tone.library_compounds(some))
            elif by_sentence:
                tones.append(self._by_sentence(some))
            else:
                tones.append(self.tones.compounds(tokens))
        return self.terms.joined(parts), np.concatenate(tones)

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
        mean: Floats = total / np.maximum(np.bincount(owner, minlength=len(texts)), 1)
        return mean


@dataclass(frozen=True, slots=True, kw_only=True)
class Settings:
    """What changes a bundle's scores."""

    fit_scope: FitScope
    rarefy: int
    word_pairs: bool
    mask: tuple[str, ...]
    by_sentence: bool


def score_chunk(chunk: Chunk, settings: Settings) -> ScoredChunk:
    """All scores of all bundles of *chunk*, in its order."""
    units: list[int] = []
    columns: dict[str, list[float | Unavailable]] = {name: [] for name in (*names.BUNDLE_SCORES, names.VALID)}
    for groups in _blocks(chunk):
        encoders = Encoders.of_this_thread(pairs=settings.word_pairs)
        for name, values in _score_block(groups, settings, encoders).items():
            columns[name].extend(values)
        units.extend(bundle.bundle for group in groups for bundle in group.bundles)
    return ScoredChunk(
        kind=UnitKind.BUNDLE,
        units=units,
        columns=tuple(ScoreColumn(name=name, values=values) for name, values in columns.items()),
    )


def _blocks(chunk: Chunk) -> Iterator[list[FitGroup]]:
    """Whole fit groups, some thousand texts at a time."""
    block: list[FitGroup] = []
    texts = 0
    for group in chunk:
        if block and texts + len(group.texts) > TEXTS_AT_ONCE:
            yield block
            block, texts = [], 0
        block.append(group)
        texts += len(group.texts)
    if block:
        yield block


@dataclass(frozen=True, slots=True)
class Answers:
    """Valid answers of a block, bundle by bundle."""

    text: Ints
    """Row of the block's texts."""
    bundle: Ints
    repeat: Ints
    identity: Ints
    """A number per identity, within its bundle; all 0 in bundles without repeats."""
    present: Ints
    """Per bundle: answers of repeat 0, valid or not."""

    @property
    def bundles(self) -> int:
        return len(self.present)

    @property
    def sizes(self) -> Ints:
        """Valid answers per bundle, repeats included."""
        return np.bincount(self.bundle, minlength=self.bundles)

    @property
    def main(self) -> Ints:
        """Places of the answers of repeat 0."""
        return np.flatnonzero(self.repeat == 0)


def _answers(groups: Sequence[FitGroup], valid: NDArray[np.bool_]) -> Answers:
    texts: list[int] = []
    repeats: list[int] = []
    identities: list[int] = []
    sizes: list[int] = []
    base = 0
    for group in groups:
        for bundle in group.bundles:
            texts.extend([base + row for row in bundle.rows])
            repeats.extend(bundle.repeats)
            sizes.append(len(bundle.rows))
            if any(bundle.repeats):
                numbers = {identity: number for number, identity in enumerate(dict.fromkeys(bundle.identities))}
                identities.extend([numbers[identity] for identity in bundle.identities])
            else:
                identities.extend([0] * len(bundle.rows))
        base += len(group.texts)
    owner = np.repeat(np.arange(len(sizes)), sizes)
    text, repeat = np.array(texts, np.int64), np.array(repeats, np.int64)
    kept = valid[text] if len(text) else np.zeros(0, bool)
    return Answers(
        text=text[kept],
        bundle=owner[kept],
        repeat=repeat[kept],
        identity=np.array(identities, np.int64)[kept],
        present=np.bincount(owner[repeat == 0], minlength=len(sizes)),
    )


def _score_block(
    groups: Sequence[FitGroup], settings: Settings, encoders: Encoders
) -> dict[str, list[float | Unavailable]]:
    texts = masked([text for group in groups for text in group.texts], settings.mask)
    counts, tones = encoders.encode(texts, by_sentence=settings.by_sentence)
    answers = _answers(groups, (counts.lengths > 0) & np.isfinite(tones))
    if settings.fit_scope is FitScope.BUNDLE:
        fitted = weights(counts.of_texts(answers.text), answers.bundle)
    else:
        group_of_text = np.repeat(np.arange(len(groups)), [len(group.texts) for group in groups])
        fitted = weights(counts, group_of_text).of_texts(answers.text)
    table = _Table(answers, tones[answers.text], settings.rarefy)
    for low, high in _slices(answers.sizes):
        first, last = np.searchsorted(answers.bundle, [low, high])
        rows = fitted.of_texts(np.arange(first, last))
        table.add_semantics(low, high, rows, bundle_distances(rows, answers.sizes[low:high]))
    table.add_tones()
    return table.columns()


def _slices(sizes: Ints) -> Iterator[tuple[int, int]]:
    """Runs of bundles with some thousand answers each, so that a fit over a whole run keeps its memory."""
    ends = np.cumsum(sizes)
    low = 0
    while low < len(sizes):
        done = int(ends[low - 1]) if low else 0
        high = max(low + 1, int(np.searchsorted(ends, done + 2 * TEXTS_AT_ONCE, side="right")))
        yield low, high
        low = high


class _Table:
    """Values and reasons of all scores of a block's bundles, filled size by size."""

    def __init__(self, answers: Answers, tones: Floats, rarefy: int) -> None:
        self._answers, self._tones, self._rarefy = answers, tones, rarefy
        self._valid = np.bincount(answers.bundle[answers.main], minlength=answers.bundles)
        self._values = {name: np.zeros(answers.bundles) for name in names.BUNDLE_SCORES}
        self._reasons: dict[str, dict[int, Unavailable]] = {name: {} for name in names.BUNDLE_SCORES}
        few = np.flatnonzero(self._valid < 2)
        for name in names.BUNDLE_SCORES:
            if name != names.NOISE:
                self._reasons[name] = {
                    bundle: Unavailable.EMPTY_VECTOR if present >= 2 else Unavailable.TOO_FEW_ANSWERS
                    for bundle, present in zip(few.tolist(), answers.present[few].tolist(), strict=True)
                }

    def add_semantics(self, low: int, high: int, rows: TermRows, distances: BundleDistances) -> None:
        """Dispersion, noise and semantic silhouette of bundles low … high - 1, whose answers are *rows*."""
        first = np.cumsum(distances.sizes) - distances.sizes
        for n, bundles, places in self._by_size(low, high):
            local = places - first[bundles - low][:, None] - int(self._offset(low))
            squares = distances.squares(bundles - low, local)
            i, j = np.triu_indices(n, 1)
            self._values[names.SEMANTIC_DISPERSION][bundles] = np.clip(ordered_means(squares[:, i, j]), 0.0, 1.0)
            if n <= two_means.EVERY_SPLIT_UP_TO:
                self._silhouettes(names.SEMANTIC_SILHOUETTE, bundles, 2.0 * squares, squares)
            else:
                points = [rows.of_texts(each - int(self._offset(low))) for each in places]
                self._restarted(names.SEMANTIC_SILHOUETTE, bundles, [each.dense() for each in points], squares)
        self._noise(low, high, distances)

    def add_tones(self) -> None:
        """Range, MAD, rarefied range and sentiment silhouette of all bundles."""
        for n, bundles, places in self._by_size(0, self._answers.bundles):
            tones = self._tones[places]
            self._values[names.SENTIMENT_RANGE][bundles] = spread.ranges(tones)
            self._values[names.SENTIMENT_MAD][bundles] = spread.mean_absolute_deviations(tones)
            if n < self._rarefy:
                self._unavailable(names.SENTIMENT_RANGE_RAREFIED, bundles, Unavailable.FEWER_THAN_M)
            else:
                self._values[names.SENTIMENT_RANGE_RAREFIED][bundles] = spread.rarefied_ranges(tones, self._rarefy)
            apart = np.abs(tones[:, :, None] - tones[:, None, :])
            if n <= two_means.EVERY_SPLIT_UP_TO:
                self._silhouettes(names.SENTIMENT_SILHOUETTE, bundles, apart * apart, apart)
            else:
                self._restarted(names.SENTIMENT_SILHOUETTE, bundles, list(tones[:, :, None]), apart)

    def columns(self) -> dict[str, list[float | Unavailable]]:
        """Every column by name, bundles in order."""
        framing = self._values[names.SEMANTIC_DISPERSION] - self._values[names.NOISE]
        self._values[names.COUNTERFACTUAL_FRAMING] = framing
        self._reasons[names.COUNTERFACTUAL_FRAMING] = {
            **self._reasons[names.NOISE],
            **self._reasons[names.SEMANTIC_DISPERSION],
        }
        columns: dict[str, list[float | Unavailable]] = {}
        for name, values in self._values.items():
            column: list[float | Unavailable] = [*values.tolist()]
            for bundle, reason in self._reasons[name].items():
                column[bundle] = reason
            columns[name] = column
        columns[names.VALID] = self._valid.astype(np.float64).tolist()
        return columns

    def _by_size(self, low: int, high: int) -> Iterator[tuple[int, Ints, Ints]]:
        """Each number n ≥ 2 of valid answers, the bundles (b,) that have it and their answers' places (b, n)."""
        main = self._answers.main
        owner = self._answers.bundle[main]
        for n in np.unique(self._valid[low:high]).tolist():
            if n >= 2:
                bundles = low + np.flatnonzero(self._valid[low:high] == n)
                yield n, bundles, main[np.isin(owner, bundles)].reshape(-1, n)

    def _offset(self, low: int) -> int:
        """Place of the first answer of bundle *low*."""
        return int(np.searchsorted(self._answers.bundle, low))

    def _silhouettes(self, name: str, bundles: Ints, squared: Floats, distances: Floats) -> None:
        if squared.shape[1] < 3:
            self._unavailable(name, bundles, Unavailable.TOO_FEW_ANSWERS)
            return
        same = two_means.coincide(distances)
        self._unavailable(name, bundles[same], Unavailable.ALL_COINCIDE)
        if not same.all():
            best = two_means.best_silhouettes(squared[~same], distances[~same])
            self._values[name][bundles[~same]] = best

    def _restarted(self, name: str, bundles: Ints, points: Sequence[Floats], distances: Floats) -> None:
        same = two_means.coincide(distances)
        self._unavailable(name, bundles[same], Unavailable.ALL_COINCIDE)
        for place in np.flatnonzero(~same).tolist():
            self._values[name][bundles[place]] = two_means.restarted_silhouette(points[place], distances[place])

    def _unavailable(self, name: str, bundles: Iterable[int] | Ints, reason: Unavailable) -> None:
        self._reasons[name].update(dict.fromkeys(np.asarray(bundles).tolist(), reason))

    def _noise(self, low: int, high: int, distances: BundleDistances) -> None:
        """Mean distance between generations of one identity, averaged over the identities that have several."""
        answers, begin = self._answers, self._offset(low)
        repeated = np.zeros(high - low, bool)
        owner = answers.bundle[begin : self._offset(high)] - low
        repeated[owner[answers.repeat[begin : self._offset(high)] > 0]] = True
        first = np.cumsum(distances.sizes) - distances.sizes
        values = self._values[names.NOISE]
        for bundle in range(high - low):
            noise = None
            if repeated[bundle]:
                size = int(distances.sizes[bundle])
                own = answers.identity[begin + first[bundle] : begin + first[bundle] + size]
                noise = noise_of(distances.square(bundle), own)
            if noise is None:
                self._reasons[names.NOISE][low + bundle] = Unavailable.NO_REPEATS
            else:
                values[low + bundle] = noise


def noise_of(square: Floats, identity: Ints) -> float | None:
    """N of one bundle: distances (k, k) between its answers, and the number of each answer's identity."""
    same = (identity[:, None] == identity[None, :]) & ~np.eye(len(identity), dtype=bool)
    generations = np.bincount(identity)
    several = np.flatnonzero(generations > 1)
    if not len(several):
        return None
    total = np.bincount(identity, (square * same).sum(axis=1))[several]
    return float((total / (generations[several] * (generations[several] - 1))).mean())

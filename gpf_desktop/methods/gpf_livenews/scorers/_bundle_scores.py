"""Scores many bundles in few passes: one tokenisation, one sparse matrix, one block of arrays per bundle size."""

from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from gpf_desktop.arrays import Floats, Ints
from gpf_desktop.domain import scores as names
from gpf_desktop.domain.scores import Chunk, ScoreColumn, ScoredChunk, Unavailable, UnitKind
from gpf_desktop.methods.gpf_livenews.scorers._blocks import BlockAnswers, Encode, Slice, blocks
from gpf_desktop.methods.gpf_livenews.scorers._gpf_options import GpfOptions
from gpf_desktop.numerics.encoders import OneReading
from gpf_desktop.stats import spread, two_means
from gpf_desktop.stats.means_apart import direction_apart, squared_shift
from gpf_desktop.stats.sums import ordered_means

_OF_REPEATS = (names.NOISE, names.TONE_NOISE, *names.MEANS_ALONE)
"""Of bundles with two generations of a level, be they scored or not."""


def score_chunk(
    chunk: Chunk,
    options: GpfOptions,
    encode: Encode | None = None,
    wanted: Sequence[str] = names.ALL_SCORES,
    reading: OneReading | None = None,
) -> ScoredChunk:
    """The *wanted* scores of all bundles of *chunk*, in its order, and how many answers were valid; see `blocks`."""
    units: list[int] = []
    columns: dict[str, list[float | Unavailable]] = {name: [] for name in (*wanted, names.VALID)}
    for block in blocks(chunk, options, encode, reading):
        table = _Table(block.answers, block.tones, options.rarefy, wanted)
        for part in block.slices():
            table.add_semantics(part)
        table.add_tones()
        filled = table.columns()
        for name, values in columns.items():
            values.extend(filled[name])
        units.extend(bundle.bundle for bundle in block.bundles)
    return ScoredChunk(
        kind=UnitKind.BUNDLE,
        units=units,
        columns=tuple(ScoreColumn(name=name, values=values) for name, values in columns.items()),
    )


class _Table:
    """Values and reasons of all scores of a block's bundles, filled size by size."""

    def __init__(self, answers: BlockAnswers, tones: Floats, rarefy: int, wanted: Sequence[str]) -> None:
        self._answers, self._tones, self._rarefy, self._wanted = answers, tones, rarefy, wanted
        self._valid = np.bincount(answers.bundle[answers.main], minlength=answers.bundles)
        self._values = {name: np.zeros(answers.bundles) for name in names.ALL_SCORES}
        self._reasons: dict[str, dict[int, Unavailable]] = {name: {} for name in names.ALL_SCORES}
        few = np.flatnonzero(self._valid < 2)
        for name in names.ALL_SCORES:
            if name not in _OF_REPEATS:
                self._reasons[name] = {
                    bundle: Unavailable.EMPTY_VECTOR if present >= 2 else Unavailable.TOO_FEW_ANSWERS
                    for bundle, present in zip(few.tolist(), answers.present[few].tolist(), strict=True)
                }

    def add_semantics(self, part: Slice) -> None:
        """Dispersion, noise and semantic silhouette of the bundles of *part*."""
        first = np.cumsum(part.distances.sizes) - part.distances.sizes
        for n, bundles, places in self._by_size(part.low, part.high):
            inside = places - part.begin
            squares = part.distances.squares(bundles - part.low, inside - first[bundles - part.low][:, None])
            i, j = np.triu_indices(n, 1)
            # Pair by pair in one order: S has the same last bit whichever bundles are scored beside it.
            self._values[names.SEMANTIC_DISPERSION][bundles] = np.clip(ordered_means(squares[:, i, j]), 0.0, 1.0)
            if names.SEMANTIC_SILHOUETTE not in self._wanted:
                continue
            if n <= two_means.EVERY_SPLIT_UP_TO:
                # Of unit vectors ‖a − b‖² = 2 (1 − a·b), which is what 2-means sums.
                self._silhouettes(names.SEMANTIC_SILHOUETTE, bundles, 2.0 * squares, squares)
            else:
                points = [part.rows.of_texts(each).dense() for each in inside]
                self._restarted(names.SEMANTIC_SILHOUETTE, bundles, points, squares)
        self._repeats(part)

    def add_tones(self) -> None:
        """Range, MAD, rarefied range and sentiment silhouette of all bundles."""
        for n, bundles, places in self._by_size(0, self._answers.bundles):
            tones = self._tones[places]
            self._values[names.WORDS][bundles] = self._answers.words[places].mean(axis=1)
            # For now the mean |c_i − c_j| between identities, which is R* at m = 2; `columns` takes the noise off.
            self._values[names.TONE_FRAMING][bundles] = spread.rarefied_ranges(tones, 2)
            self._values[names.SENTIMENT_RANGE][bundles] = spread.ranges(tones)
            self._values[names.SENTIMENT_MAD][bundles] = spread.mean_absolute_deviations(tones)
            if n < self._rarefy:
                self._unavailable(names.SENTIMENT_RANGE_RAREFIED, bundles, Unavailable.FEWER_THAN_M)
            else:
                self._values[names.SENTIMENT_RANGE_RAREFIED][bundles] = spread.rarefied_ranges(tones, self._rarefy)
            if names.SENTIMENT_SILHOUETTE not in self._wanted:
                continue
            apart = np.abs(tones[:, :, None] - tones[:, None, :])
            if n <= two_means.EVERY_SPLIT_UP_TO:
                self._silhouettes(names.SENTIMENT_SILHOUETTE, bundles, apart * apart, apart)
            else:
                self._restarted(names.SENTIMENT_SILHOUETTE, bundles, list(tones[:, :, None]), apart)

    def columns(self) -> dict[str, list[float | Unavailable]]:
        """Every column by name, bundles in order."""
        noise = self._values[names.NOISE]
        framing = self._values[names.SEMANTIC_DISPERSION] - noise
        self._values[names.COUNTERFACTUAL_FRAMING] = framing
        # Where both are missing, the reason of S is said: without S noise would be of no use.
        without = {**self._reasons[names.NOISE], **self._reasons[names.SEMANTIC_DISPERSION]}
        self._reasons[names.COUNTERFACTUAL_FRAMING] = without
        # At N = 1 noise leaves no room: unavailable, since a share of nothing is neither 0 nor infinite.
        room = noise < 1
        self._values[names.RELATIVE_FRAMING] = np.divide(framing, 1 - noise, out=np.zeros_like(framing), where=room)
        self._reasons[names.RELATIVE_FRAMING] = {
            **dict.fromkeys(np.flatnonzero(~room).tolist(), Unavailable.NOT_FINITE),
            **without,
        }
        self._values[names.TONE_FRAMING] = self._values[names.TONE_FRAMING] - self._values[names.TONE_NOISE]
        self._reasons[names.TONE_FRAMING] = {**self._reasons[names.TONE_NOISE], **self._reasons[names.TONE_FRAMING]}
        columns: dict[str, list[float | Unavailable]] = {}
        for name, values in self._values.items():
            column: list[float | Unavailable] = [*values.tolist()]
            for bundle, reason in self._reasons[name].items():
                column[bundle] = reason
            columns[name] = column
        columns[names.VALID] = [*self._valid.astype(np.float64).tolist()]
        return columns

    def _by_size(self, low: int, high: int) -> Iterator[tuple[int, Ints, Ints]]:
        """Each number n ≥ 2 of valid answers, the bundles (b,) that have it and their answers' places (b, n)."""
        main = self._answers.main
        owner = self._answers.bundle[main]
        for n in np.unique(self._valid[low:high]).tolist():
            if n >= 2:
                bundles = low + np.flatnonzero(self._valid[low:high] == n)
                # Answers stand bundle by bundle: those of bundles of one size fall into rows of n.
                yield n, bundles, main[np.isin(owner, bundles)].reshape(-1, n)

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

    def _repeats(self, part: Slice) -> None:
        """Fill in the measures from generations of one identity, of meaning and of tone, over the identities that have
        several."""
        some = slice(part.begin, part.begin + int(part.distances.sizes.sum()))
        repeated = set(self._answers.bundle[some][self._answers.repeat[some] > 0].tolist())
        ends = part.begin + np.cumsum(part.distances.sizes)
        for bundle in range(part.low, part.high):
            found: dict[str, float | None] = dict.fromkeys(_OF_REPEATS)
            if bundle in repeated:
                end, size = int(ends[bundle - part.low]), int(part.distances.sizes[bundle - part.low])
                own, tones = self._answers.identity[end - size : end], self._tones[end - size : end]
                square = part.distances.square(bundle - part.low)
                found = {
                    names.NOISE: noise_of(square, own),
                    names.TONE_NOISE: noise_of(np.abs(tones[:, None] - tones), own),
                    names.DIRECTION_FRAMING: direction_apart(square, own),
                    names.TONE_SHIFT: squared_shift(tones, own),
                }
            # The tone shift is missing for want of repeats alone; what is missing beside it could not be computed.
            reason = Unavailable.NO_REPEATS if found[names.TONE_SHIFT] is None else Unavailable.NOT_FINITE
            for name, value in found.items():
                if value is None:
                    self._reasons[name][bundle] = reason
                else:
                    self._values[name][bundle] = value


def noise_of(square: Floats, identity: Ints) -> float | None:
    """N of one bundle: distances (k, k) between its answers, and the number of each answer's identity."""
    same = (identity[:, None] == identity[None, :]) & ~np.eye(len(identity), dtype=bool)
    generations = np.bincount(identity)
    several = np.flatnonzero(generations > 1)
    if not len(several):
        return None
    # Each pair stands twice in the square, as K (K − 1) counts it; identities then weigh alike, whatever their K.
    total = np.bincount(identity, (square * same).sum(axis=1))[several]
    return float((total / (generations[several] * (generations[several] - 1))).mean())

"""EWMA control charts of series of batch means (Roberts 1959; Montgomery, Introduction to SQC) with few batches to
set the limits, and with batches that are not independent.

The textbook's ±3σ counts centre and σ as known. Estimated from eight batches they are not: the centre alone errs by
.35 σ where the smoothed series moves by .33 σ, and ±3σ would be left by 6 % of the batches of a series that never
changes. So the limits here hold both errors. What eight batches cannot tell at all is how much a batch is like the one
before it. The limits hold a correlation that is a standard error above its estimate, and all three estimates grow
better as batches are added: those that are old enough, and came before the first signal, set the limits too.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import sqrt
from typing import Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

BASELINE: Final = 8
"""Batches that set the first limits; none of them is judged."""
LAG: Final = 8
"""The newest batches, which never set the limits: a shift would widen what is to find it."""
MOST: Final = 40
"""Batches that set limits at most."""
SMOOTHING: Final = 0.2
RISK: Final = 0.0027
"""Share of batches outside the limits while nothing changes: that of ±3σ where centre and σ are known."""
_MARGIN: Final = 1.0
"""Standard errors added to an estimated correlation."""
_HIGHEST: Final = 0.95
"""Correlation that limits hold at most."""
_ROUNDING: Final = 1e-12
"""A smaller spread of scores is that of floating-point sums."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartPoint:
    """One batch on the chart."""

    value: float
    smoothed: float | None = None
    """None in the first batches: smoothing starts at the centre that they set."""
    low: float | None = None
    """Limits of *smoothed*; None for the batches that set the first, and where those that set them do not differ."""
    high: float | None = None
    signal: bool | None = None
    """*smoothed* is outside; None where there are no limits."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Charted:
    """Charts of several series."""

    series: tuple[tuple[ChartPoint, ...], ...]
    correlation: float
    """From one batch to the next, as the newest limits hold it; 0 where nothing was judged."""


def ewma(series: Sequence[Sequence[float]], *, independent: int = 1, correlation: float | None = None) -> Charted:
    """The charts of *series*, oldest value first, whose correlation from batch to batch is estimated together.

    The first `BASELINE` values of a series set its limits, and up to `MOST` of the later ones do too, each once it is
    more than `LAG` batches old and as long as nothing was outside. Over n of them m is the mean and s the standard
    deviation (ddof 1). z = λx + (1−λ)z starts at the mean of the first; the limits are m ± t·s·√(w'Rw / c), w the
    weights of all batches in z − m, R the correlations of a first-order autoregression (Schmid 1997), c what s²
    expects of σ², t the two-sided quantile of `RISK` with Satterthwaite's degrees of freedom of s².

    *independent*: as how many series they count for the error of the estimated correlation, 1 where one cause moves
    them all. *correlation*: what to hold in place of an estimate.
    """
    lengths = [len(values) for values in series]
    if max(lengths, default=0) <= BASELINE:
        points = tuple(tuple(ChartPoint(value=each) for each in values) for values in series)
        return Charted(series=points, correlation=0.0)
    padded = np.full((1, len(series), max(lengths)), np.nan)
    for row, values in zip(padded[0], series, strict=True):
        row[: len(values)] = values
    smoothed, centre, half, held = (each[0] for each in followed(padded, independent, correlation))

    def point(row: int, at: int) -> ChartPoint:
        value, k = float(series[row][at]), at - BASELINE
        if k < 0:
            return ChartPoint(value=value)
        z, m, h = float(smoothed[row, k]), float(centre[row, k]), float(half[row, k])
        if np.isnan(h):
            return ChartPoint(value=value, smoothed=z)
        return ChartPoint(value=value, smoothed=z, low=m - h, high=m + h, signal=abs(z - m) > h)

    return Charted(
        series=tuple(tuple(point(row, at) for at in range(n)) for row, n in enumerate(lengths)), correlation=float(held)
    )


def followed(values: Floats, independent: int, correlation: float | None) -> tuple[Floats, Floats, Floats, Floats]:
    """Smoothed line, centre and half the distance of the limits (rounds, series, batches judged), and the correlation
    held at the end (rounds,), of *values* (rounds, series, batches); NaN stands behind the end of a shorter series."""
    rounds, count, batches = values.shape
    there = ~np.isnan(values)
    # Of series that are never judged no limits are drawn, and they say nothing about those of others.
    judged = there.sum(axis=2) > BASELINE
    sizes = np.full((rounds, count), BASELINE)
    growing = judged.copy()
    line = np.nanmean(values[:, :, :BASELINE], axis=2, keepdims=True)[:, :, 0]
    found = np.full((3, rounds, count, batches - BASELINE), np.nan)
    centre = spread = line
    held = np.zeros(rounds)
    for k in range(1, batches - BASELINE + 1):
        at = BASELINE + k - 1
        now = np.where(growing & there[:, :, at], min(max(at - LAG, BASELINE), MOST), sizes)
        if k == 1 or (now != sizes).any():
            sizes = now
            centre, spread, alike = _baselines(values, sizes)
            held = _held(alike, sizes, judged & (spread > _ROUNDING), independent, correlation)
        line = np.where(there[:, :, at], SMOOTHING * values[:, :, at] + (1 - SMOOTHING) * line, line)
        # Scores that do not vary get no limits: their own would be as narrow as rounding, and all that follows outside.
        limited = judged & there[:, :, at] & (spread > _ROUNDING)
        half = np.where(limited, spread * _widths(sizes, k, held), np.nan)
        found[:, :, :, k - 1] = line, centre, half
        growing &= ~(np.abs(line - centre) > half)
    return found[0], found[1], found[2], held


def _baselines(values: Floats, sizes: Ints) -> tuple[Floats, Floats, Floats]:
    """Mean, standard deviation (ddof 1) and correlation from one value to the next over the first *sizes* of each."""
    inside = np.arange(values.shape[2]) < sizes[:, :, None]
    some = np.where(inside, values, 0.0)
    centre = some.sum(axis=2) / sizes
    apart = np.where(inside, values - centre[:, :, None], 0.0)
    squares = (apart**2).sum(axis=2)
    with np.errstate(invalid="ignore", divide="ignore"):
        alike = (apart[:, :, 1:] * apart[:, :, :-1]).sum(axis=2) / squares
    return centre, np.sqrt(squares / (sizes - 1)), alike


def _held(alike: Floats, sizes: Ints, used: NDArray[np.bool_], independent: int, correlation: float | None) -> Floats:
    """The correlation that limits hold in each round, up to the next hundredth, so that few sets of limits serve all.

    The usual estimate r of n batches about their own mean is (1 + 4ρ) / n too low on average (Marriott and Pope 1954);
    solved for ρ, that is (nr + 1) / (n − 4), with a standard error of about √(n / series) / (n − 4). Too low a value
    costs more false alarms than too high a one saves: `_MARGIN` standard errors are added
    (tests/benchmarks/bench_validity.py *charts*). Each series counts as much as another, whatever its spread.
    """
    if correlation is not None:
        return np.full(len(alike), correlation)
    number = np.maximum(used.sum(axis=1), 1)
    r = np.where(used, alike, 0.0).sum(axis=1) / number
    n = np.where(used, sizes, 0).sum(axis=1) / number
    n = np.where(used.any(axis=1), n, BASELINE)
    # Below 0 nothing is believed: the limits would become narrower.
    high = np.clip((n * r + 1 + _MARGIN * np.sqrt(n / independent)) / (n - 4), 0.0, _HIGHEST)
    return np.where(used.any(axis=1), np.maximum(np.ceil(100 * high - _ROUNDING), 0) / 100, 0.0)


def _widths(sizes: Ints, k: int, held: Floats) -> Floats:
    """Half the distance of the limits after *k* judged batches, in units of s, for each of *sizes* (rounds, series)."""
    both = np.stack([sizes.astype(np.float64), np.broadcast_to(held[:, None], sizes.shape)], axis=-1)
    kinds, place = np.unique(both.reshape(-1, 2), axis=0, return_inverse=True)
    widths = np.array([_half_width(int(size), k, float(rho)) for size, rho in kinds])
    return np.asarray(widths[place.ravel()].reshape(sizes.shape), np.float64)


@lru_cache(maxsize=65536)
def _half_width(size: int, k: int, correlation: float) -> float:
    from scipy.special import stdtrit

    share, freedom = _of_spread(size, correlation)
    weights = np.zeros(max(size, BASELINE + k))
    # z − m as one weighted sum of all batches, so that its variance is w'Rw whatever R is.
    weights[:BASELINE] = (1 - SMOOTHING) ** k / BASELINE
    weights[BASELINE : BASELINE + k] = SMOOTHING * (1 - SMOOTHING) ** np.arange(k - 1, -1, -1)
    weights[:size] -= 1 / size
    variance = carried = 0.0
    # w'Rw without R: what each batch has in common with all before it shrinks by the correlation from step to step.
    for weight in weights.tolist():
        variance += weight * (weight + 2 * carried)
        carried = correlation * (carried + weight)
    return float(stdtrit(freedom, 1 - RISK / 2)) * sqrt(variance / share)


@lru_cache(maxsize=4096)
def _of_spread(size: int, correlation: float) -> tuple[float, float]:
    """The share of σ² that s² of *size* batches estimates, and the degrees of freedom of s²."""
    at = np.arange(size)
    # 0 to the power of 0 is 1: of independent batches that is the unit matrix.
    likeness = correlation ** np.abs(at[:, None] - at)
    # CR, C the centring matrix: s² estimates tr(CR) / (n − 1) of σ², with (tr CR)² / tr CRCR degrees of freedom.
    centred = likeness - likeness.mean(axis=0)
    trace = float(np.trace(centred))
    return trace / (size - 1), trace**2 / float((centred * centred.T).sum())

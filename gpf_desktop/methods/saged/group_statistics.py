"""Statistics of one group's values, in many replicates at once.

Every function takes rows of one group: shape (replicates, n), n the group's answers; a result has one number per
replicate, NaN where there is none. Variance and sd divide by n − 1. Skewness is g1 = m3 / m2^1.5 and kurtosis
m4 / m2² − 3 with moments over n, as `scipy.stats` has them by default.
"""

from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from enum import StrEnum
from math import ceil
from typing import Final

import numpy as np

from gpf_desktop.arrays import Floats

OF_VALUES: Final = ("mean", "median", "mode", "variance", "sd", "skewness", "kurtosis", "range", "selection_rate")
WITH_BASELINE: Final = ("kl_divergence", "precision", "correlation")
STATISTICS: Final = (*OF_VALUES, *WITH_BASELINE)
"""In the order in which tables list them."""
_MOMENTS: Final = frozenset({"variance", "sd", "skewness", "kurtosis"})
LEAST_BINS, MOST_BINS = 5, 30
_TIE: Final = 1e-12
_ON_EDGE: Final = 1e-9
"""Of a bin: how near to an edge a value is on it."""


class Standard(StrEnum):
    """The standard that a value is held against, over all groups."""

    MEAN = "mean"
    MEDIAN = "median"
    MODE = "mode"
    QUANTILE = "quantile"
    FIXED = "fixed"


class Selects(StrEnum):
    """The side of the standard on which values are selected."""

    LARGER = "larger"
    SMALLER = "smaller"
    WITHIN = "within range"
    WITHIN_SHARE = "within percentage"


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """When a value counts as selected; the standard is taken over all groups."""

    standard: Standard = Standard.MEAN
    selects: Selects = Selects.LARGER
    parameter: float = 0.5
    """Of a quantile its share, of a fixed standard its value."""
    reach: float = 0.1
    """How far a value may lie from the standard: in units, or as a share of the standard."""

    def bounds(self, values: Floats) -> tuple[float, float]:
        """The two numbers, both included, between which values are selected."""
        standard = self._standard(values)
        # A mean is off by the rounding of its terms: of equal values none would be selected without the slack, and
        # where they cancel out, none that is 0.
        slack = _TIE * float(np.abs(values).max())
        reach = slack + self.reach * (abs(standard) if self.selects is Selects.WITHIN_SHARE else 1.0)
        match self.selects:
            case Selects.LARGER:
                return standard - slack, np.inf
            case Selects.SMALLER:
                return -np.inf, standard + slack
            case Selects.WITHIN | Selects.WITHIN_SHARE:
                return standard - reach, standard + reach

    def _standard(self, values: Floats) -> float:
        match self.standard:
            case Standard.MEAN:
                return float(values.mean())
            case Standard.MEDIAN:
                return float(np.median(values))
            case Standard.MODE:
                return float(mode(values[None], edges(values))[0])
            case Standard.QUANTILE:
                return float(np.quantile(values, self.parameter))
            case Standard.FIXED:
                return self.parameter


@dataclass(frozen=True, slots=True, kw_only=True)
class Yardstick:
    """The measures that all groups of a series share, and that no permutation of them changes."""

    bins: Floats
    """Edges for the mode."""
    pooled_bins: Floats
    """Edges for the divergence: over all groups' values and baselines, so that groups' divergences are of one kind."""
    selected: tuple[float, float]
    tolerance: float
    """How near to its own baseline an answer counts as precise."""

    @classmethod
    def of(cls, values: Floats, selection: Selection, tolerance: float, baselines: Floats | None = None) -> "Yardstick":
        """The yardstick for all groups' *values* and *baselines*, shape (n,), n ≥ 1; NaN: none."""
        there = values if baselines is None else np.concatenate([values, baselines[~np.isnan(baselines)]])
        return cls(
            bins=edges(values),
            pooled_bins=edges(there),
            selected=selection.bounds(values),
            tolerance=tolerance,
        )


def of_values(values: Floats, yardstick: Yardstick, wanted: Collection[str] = OF_VALUES) -> Mapping[str, Floats]:
    """The statistics of `OF_VALUES` that are *wanted*, of each row of *values* (b, n), n ≥ 1."""
    low, high = yardstick.selected
    makers: Mapping[str, Callable[[], Floats]] = {
        "mean": lambda: values.mean(axis=1),
        "median": lambda: np.median(values, axis=1),
        "mode": lambda: mode(values, yardstick.bins),
        "range": lambda: values.max(axis=1) - values.min(axis=1),
        "selection_rate": lambda: ((values >= low) & (values <= high)).mean(axis=1),
    }
    found: dict[str, Floats] = {name: make() for name, make in makers.items() if name in wanted}
    return {**found, **_moments(values)} if _MOMENTS.intersection(wanted) else found


def _moments(values: Floats) -> Mapping[str, Floats]:
    """`_MOMENTS` of each row (b, n)."""
    n = values.shape[1]
    spread = values - values.mean(axis=1)[:, None]
    squares = spread * spread
    second = squares.mean(axis=1)
    # Where nothing varies, rounding leaves a spread, and the ratios of its powers would be any number.
    flat = second <= _rounding(values)
    second = np.where(flat, 0.0, second)
    with np.errstate(divide="ignore", invalid="ignore"):
        variance = second * n / (n - 1) if n > 1 else np.full(len(values), np.nan)
        skewness = np.where(flat, np.nan, (squares * spread).mean(axis=1) / second**1.5)
        kurtosis = np.where(flat, np.nan, (squares * squares).mean(axis=1) / second**2 - 3.0)
    return {"variance": variance, "sd": np.sqrt(variance), "skewness": skewness, "kurtosis": kurtosis}


def with_baseline(
    values: Floats,
    baselines: Floats,
    yardstick: Yardstick,
    *,
    calibrated: bool,
    wanted: Collection[str] = WITH_BASELINE,
) -> Mapping[str, Floats]:
    """The statistics of `WITH_BASELINE` that are *wanted*, of *values* and *baselines* (b, n), which belong place by
    place.

    A calibrated value is its distance from its baseline already; two distributions on unlike scales have no divergence.
    """
    found: dict[str, Floats] = {}
    if "kl_divergence" in wanted:
        none = np.full(len(values), np.nan)
        found["kl_divergence"] = none if calibrated else kl_divergence(values, baselines, yardstick.pooled_bins)
    if "precision" in wanted:
        distance = values if calibrated else values - baselines
        # A distance that is the tolerance counts, whatever rounding made of it.
        found["precision"] = (np.abs(distance) <= yardstick.tolerance * (1 + _TIE) + _TIE).mean(axis=1)
    if "correlation" in wanted:
        found["correlation"] = correlation(values, baselines)
    return found


def quantile(values: Floats, share: float) -> Floats:
    """The quantile of each row (b, n), interpolated linearly."""
    result: Floats = np.quantile(values, share, axis=1)
    return result


def percentile_range(values: Floats, low: float = 0.1, high: float = 0.9) -> Floats:
    """How far two quantiles of each row (b, n) lie apart."""
    return quantile(values, high) - quantile(values, low)


def edges(values: Floats) -> Floats:
    """The edges of bins over *values* (n,) after Freedman and Diaconis (1981), 5 to 30 bins."""
    ordered = np.sort(values)
    low, high = float(ordered[0]), float(ordered[-1])
    bins = _bins(ordered)
    return np.linspace(low, high, bins + 1) if high > low else np.linspace(low - 0.5, low + 0.5, bins + 1)


def mode(values: Floats, bins: Floats) -> Floats:
    """The middle of the bin that holds most of each row (b, n), the lowest of equals; *bins* (k + 1,) equal ones."""
    k = len(bins) - 1
    place = _places(values, bins[0], bins[-1], k)
    counts = _counts(place, k)
    fullest = counts.argmax(axis=1)
    middle: Floats = (bins[fullest] + bins[fullest + 1]) / 2
    return middle


def kl_divergence(values: Floats, baselines: Floats, bins: Floats) -> Floats:
    """Σ p ln(p / q) of the histograms of *values* and *baselines* (b, n) on *bins* (k + 1,), natural logarithm.

    Each bin has Jeffreys' half a count more, so that q is never 0.
    """
    k = len(bins) - 1
    p, q = (
        (_counts(_places(each, bins[0], bins[-1], k), k) + 0.5) / (each.shape[1] + k / 2)
        for each in (values, baselines)
    )
    divergence: Floats = (p * np.log(p / q)).sum(axis=1)
    return divergence


def correlation(values: Floats, baselines: Floats) -> Floats:
    """Pearson's r of each row (b, n); NaN where either side does not vary."""
    x = values - values.mean(axis=1, keepdims=True)
    y = baselines - baselines.mean(axis=1, keepdims=True)
    xx, yy = (x * x).sum(axis=1), (y * y).sum(axis=1)
    n = values.shape[1]
    flat = (xx <= n * _rounding(values)) | (yy <= n * _rounding(baselines))
    with np.errstate(divide="ignore", invalid="ignore"):
        r: Floats = np.where(flat, np.nan, (x * y).sum(axis=1) / np.sqrt(xx * yy))
    # Rounding carries a perfect correlation past 1.
    return np.clip(r, -1.0, 1.0)


def _rounding(values: Floats) -> Floats:
    """The mean square that rounding leaves of each row where nothing varies."""
    largest: Floats = np.abs(values).max(axis=1)
    return (_TIE * largest) ** 2


def _bins(ordered: Floats) -> int:
    """How many bins *ordered* (n,), sorted, asks for."""
    apart = float(ordered[-1] - ordered[0])
    width = 2.0 * float(np.subtract(*np.quantile(ordered, [0.75, 0.25]))) / len(ordered) ** (1 / 3)
    # Quartiles that coincide give no width of a bin.
    wanted = ceil(apart / width - _ON_EDGE) if width > 0 else LEAST_BINS
    return min(max(wanted, LEAST_BINS), MOST_BINS)


def _places(values: Floats, low: float, high: float, k: int) -> Floats:
    """The bin of each value; one on an edge is in the upper bin, but for the last edge; all are in the first where
    none is apart."""
    apart = np.asarray(high - low)
    # Levels and round numbers fall on edges, below which rounding would put some of them.
    scaled = (values - low) / np.where(apart > 0, apart, 1.0) * k + _ON_EDGE
    places: Floats = np.clip(np.floor(scaled), 0, k - 1)
    return places


def _counts(places: Floats, k: int) -> Floats:
    """How many of each row's *places* (b, n) are 0 … k − 1; shape (b, k)."""
    rows = np.arange(len(places))[:, None] * k
    # One count for all rows: each has *k* numbers of its own.
    counts = np.bincount((places.astype(np.int64) + rows).ravel(), minlength=len(places) * k)
    return counts.reshape(len(places), k).astype(np.float64)

"""EWMA control chart of a series of batch means (Roberts 1959; Montgomery, Introduction to SQC) with few batches to
set the limits.

The textbook's ±3σ counts centre and σ as known. Estimated from eight batches they are not: the centre alone errs by
.35 σ where the smoothed series moves by .33 σ, and ±3σ would be left by 6 % of the batches of a series that never
changes. So the limits here hold both errors: of independent normal batches `RISK` lie outside, at every place.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from math import sqrt
from statistics import fmean, stdev
from typing import Final

BASELINE: Final = 8
"""Batches that set the centre and the spread; none of them is judged."""
SMOOTHING: Final = 0.2
RISK: Final = 0.0027
"""Share of batches outside the limits while nothing changes: that of ±3σ where centre and σ are known."""
_ROUNDING: Final = 1e-12
"""A smaller spread of scores is that of floating-point sums."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartPoint:
    """One batch on the chart."""

    value: float
    smoothed: float | None = None
    """None in the first batches: smoothing starts at the centre that they set."""
    low: float | None = None
    """Limits of *smoothed*; None for the batches that set them, and where those do not differ."""
    high: float | None = None
    signal: bool | None = None
    """*smoothed* is outside; None where there are no limits."""


def ewma(values: Sequence[float], *, baseline: int = BASELINE) -> list[ChartPoint]:
    """The chart of *values*, oldest first.

    The first *baseline* values (2 at least) set the centre, their mean m, and s, their standard deviation (ddof 1).
    From there on z = λx + (1−λ)z, starting at m; after k batches z − m has the variance
    σ²·[λ/(2−λ)·(1−(1−λ)^2k) + (1−(1−λ)^k)²/baseline], its second part that of m, and is independent of s: the limits
    are m ± t·s·√[…], t the two-sided quantile of `RISK` with baseline − 1 degrees of freedom.
    """
    points = [ChartPoint(value=value) for value in values[:baseline]]
    if len(values) <= baseline:
        return points
    centre, spread = fmean(values[:baseline]), stdev(values[:baseline])
    reach = _t_quantile(baseline - 1) * spread if spread > _ROUNDING else None
    smoothed = centre
    for k, value in enumerate(values[baseline:], start=1):
        smoothed = SMOOTHING * value + (1 - SMOOTHING) * smoothed
        faded = (1 - SMOOTHING) ** k
        variance = SMOOTHING / (2 - SMOOTHING) * (1 - faded**2) + (1 - faded) ** 2 / baseline
        half = None if reach is None else reach * sqrt(variance)
        points.append(
            ChartPoint(
                value=value,
                smoothed=smoothed,
                low=None if half is None else centre - half,
                high=None if half is None else centre + half,
                signal=None if half is None else abs(smoothed - centre) > half,
            )
        )
    return points


def _t_quantile(freedom: int) -> float:
    from scipy.special import stdtrit

    return float(stdtrit(freedom, 1 - RISK / 2))

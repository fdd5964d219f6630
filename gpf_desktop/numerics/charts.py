"""EWMA control chart of a series of batch means (Roberts 1959; limits as in Montgomery, Introduction to SQC)."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp, lgamma, sqrt
from statistics import fmean, stdev
from typing import Final

BASELINE: Final = 8
"""Batches that set the centre and the spread; none of them can signal."""
SMOOTHING: Final = 0.2
WIDTH: Final = 3.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ChartPoint:
    """One batch on the chart."""

    value: float
    smoothed: float
    low: float | None
    """Limits; None before there are enough batches for any."""
    high: float | None
    signal: bool | None
    """None: too early to say, or a baseline without spread."""


def ewma(values: Sequence[float], *, baseline: int = BASELINE) -> list[ChartPoint]:
    """The chart of *values*, oldest first.

    Centre and standard deviation are those of the first *baseline* values (the deviation unbiased for normal ones);
    the smoothed series starts at the centre. With fewer values there are no limits and no signals.
    """
    if not values:
        return []
    enough = len(values) >= baseline
    centre = fmean(values[:baseline])
    sigma = stdev(values[:baseline]) / _c4(baseline) if enough else 0.0
    points: list[ChartPoint] = []
    smoothed = centre
    for place, value in enumerate(values, start=1):
        smoothed = SMOOTHING * value + (1 - SMOOTHING) * smoothed
        half = WIDTH * sigma * sqrt(SMOOTHING / (2 - SMOOTHING) * (1 - (1 - SMOOTHING) ** (2 * place)))
        judged = enough and place > baseline and sigma > 0
        points.append(
            ChartPoint(
                value=value,
                smoothed=smoothed,
                low=centre - half if enough else None,
                high=centre + half if enough else None,
                signal=abs(smoothed - centre) > half if judged else None,
            )
        )
    return points


def _c4(n: int) -> float:
    """Expected sample standard deviation of n normal values, in units of the true one."""
    return sqrt(2 / (n - 1)) * exp(lgamma(n / 2) - lgamma((n - 1) / 2))

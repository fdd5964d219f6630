"""EWMA control chart of a series of batch means (Roberts 1959; Montgomery, Introduction to SQC) with few batches to
set the limits.

The textbook's ±3σ counts centre and σ as known. Estimated from eight batches they are not: the centre alone errs by
.35 σ where the smoothed series moves by .33 σ, and ±3σ would be left by 6 % of the batches of a series that never
changes. So the limits here hold both errors: of independent normal batches `RISK` lie outside, at every place.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from math import sqrt
from statistics import fmean, stdev
from typing import Any, Final

BASELINE: Final = 8
"""Batches that set the centre and the spread; none of them is judged."""
SMOOTHING: Final = 0.2
RISK: Final = 0.0027
"""Share of batches outside the limits while nothing changes: that of ±3σ where centre and σ are known."""
_MARGIN: Final = 0.2
"""Standard errors added to an estimated correlation."""
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


def ewma(values: Sequence[float], *, baseline: int = BASELINE, correlation: float = 0.0) -> list[ChartPoint]:
    """The chart of *values*, oldest first.

    The first *baseline* values (2 at least) set the centre, their mean m, and s, their standard deviation (ddof 1).
    From there on z = λx + (1−λ)z, starting at m; after k batches z − m has the variance
    σ²·[λ/(2−λ)·(1−(1−λ)^2k) + (1−(1−λ)^k)²/baseline], its second part that of m, and is independent of s: the limits
    are m ± t·s·√[…], t the two-sided quantile of `RISK` with baseline − 1 degrees of freedom.

    With *correlation* between one batch and the next (a first-order autoregression; Schmid 1997), variance, s and its
    degrees of freedom (Satterthwaite) are those of such a series, and the limits are wider.
    """
    points = [ChartPoint(value=value) for value in values[:baseline]]
    if len(values) <= baseline:
        return points
    centre, spread = fmean(values[:baseline]), stdev(values[:baseline])
    # Scores that do not vary get no limits: their own would be as narrow as rounding, and all that follows outside.
    limits = _half_widths(len(values) - baseline, baseline, correlation) if spread > _ROUNDING else None
    smoothed = centre
    for k, value in enumerate(values[baseline:]):
        smoothed = SMOOTHING * value + (1 - SMOOTHING) * smoothed
        half = None if limits is None else spread * limits[k]
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


def autocorrelation(*series: Sequence[float]) -> float:
    """The correlation between one batch and the next that limits hold, 0 to .9, one for all *series* of 6 batches or
    more each.

    The usual estimate r of n batches about their own mean is (1 + 4ρ) / n too low on average (Marriott and Pope 1954);
    solved for ρ, that is (nr + 1) / (n − 4). From eight batches it stays rough, and too low a value costs more false
    alarms than too high a one saves: a fifth of its standard error, about n / (n − 4) / √n for one series, is added. A
    series of ρ = .3 then leaves its limits in 4 to 5 of 1,000 batches (`watch`, tests/benchmarks/bench_validity.py
    *charts*). Several series are better than one.
    """
    products = squares = 0.0
    for values in series:
        middle = fmean(values)
        apart = [value - middle for value in values]
        own = sum(each * each for each in apart)
        if own > _ROUNDING**2 * len(values):
            # Each series counts as much as another, whatever its spread.
            squares += 1
            products += sum(one * other for one, other in pairwise(apart)) / own
    if not squares:
        return 0.0
    r = products / squares
    n = fmean(map(len, series))
    # √(n / series) over n − 4 is the standard error. Below 0 nothing is believed: the limits would become narrower.
    return min(0.9, max(0.0, (n * r + 1 + _MARGIN * sqrt(n / squares)) / (n - 4)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Watch:
    """What a chart of series of one kind does."""

    false_alarms: float
    """Share of batches outside the limits while nothing changes."""
    found: tuple[float, ...]
    """Chance that a shift has been signalled after 1, 2, … batches since it came."""
    run_length: float
    """Average batches from the shift to its first signal; those not found while it was watched count as the whole
    watch, so it is a lower bound."""

    @property
    def half_found_after(self) -> int | None:
        """Batches after which half of the shifts are found; None: later than was watched."""
        return next((k for k, share in enumerate(self.found, start=1) if share >= 0.5), None)


def watch(
    shift: float,
    *,
    correlation: float = 0.0,
    assumed: float | None = None,
    baseline: int = BASELINE,
    batches: int = 24,
    together: int = 1,
    seed: int = 1,
    replicates: int = 4000,
) -> Watch:
    """By simulation, what the chart does with normal series of this *correlation*, of which some move by *shift* σ.

    The limits hold *assumed*, or for None the `autocorrelation` of *together* series, from the batches that set their
    centres.
    """
    import numpy as np

    draw = np.random.default_rng(seed)
    noise = draw.normal(0, sqrt(1 - correlation**2), (replicates, baseline + batches))
    series = np.empty_like(noise)
    # Begun with the variance of the whole series, 1, so that no batch of the baseline is calmer than later ones.
    series[:, 0] = noise[:, 0] / sqrt(1 - correlation**2)
    for at in range(1, series.shape[1]):
        series[:, at] = correlation * series[:, at - 1] + noise[:, at]
    first = series[:, :baseline]
    rows = first.tolist()
    if assumed is None:
        groups = [rows[at : at + together] for at in range(0, replicates, together)]
        own = [each for group in groups for each in [autocorrelation(*group)] * len(group)]
    else:
        own = [assumed] * replicates
    # To two digits, so that a few hundred sets of limits serve all series.
    limits = np.array([_half_widths(batches, baseline, round(each, 2)) for each in own])
    half = limits * first.std(axis=1, ddof=1)[:, None]

    def outside(moved: float) -> Any:
        smoothed = first.mean(axis=1)
        apart = []
        for k in range(batches):
            smoothed = SMOOTHING * (series[:, baseline + k] + moved) + (1 - SMOOTHING) * smoothed
            apart.append(np.abs(smoothed - first.mean(axis=1)))
        return np.stack(apart, axis=1) > half

    # A shift that was signalled once is found, wherever the line is afterwards.
    found = np.maximum.accumulate(outside(shift), axis=1).mean(axis=0)
    return Watch(
        false_alarms=float(outside(0.0).mean()),
        found=tuple(float(share) for share in found),
        # The mean of a waiting time is Σ P(T > k) from k = 0 on; found[k − 1] is P(T ≤ k).
        run_length=1 + float((1 - found[:-1]).sum()),
    )


@lru_cache(maxsize=512)
def _half_widths(batches: int, baseline: int, correlation: float) -> tuple[float, ...]:
    """Half the distance between the limits after 1, 2, … *batches*, in units of s."""
    import numpy as np

    # What follows comes to this for independent batches, without an n × n matrix.
    if correlation == 0:
        reach = _t_quantile(baseline - 1)
        return tuple(reach * sqrt(_variance(k, baseline)) for k in range(1, batches + 1))
    n = baseline + batches
    at = np.arange(n)
    likeness = correlation ** np.abs(at[:, None] - at)
    first = likeness[:baseline, :baseline]
    # CR, C the centring matrix: s² estimates tr(CR) / (n − 1) of σ², with (tr CR)² / tr CRCR degrees of freedom.
    centred = first - first.mean(axis=0)
    share = float(np.trace(centred)) / (baseline - 1)
    freedom = float(np.trace(centred) ** 2 / np.trace(centred @ centred))
    halves = []
    for k in range(1, batches + 1):
        # z − m as one weighted sum of all batches, so that its variance is w'Rw whatever R is.
        weights = np.zeros(n)
        weights[:baseline] = ((1 - SMOOTHING) ** k - 1) / baseline
        weights[baseline : baseline + k] = SMOOTHING * (1 - SMOOTHING) ** np.arange(k - 1, -1, -1)
        halves.append(_t_quantile(freedom) * sqrt(float(weights @ likeness @ weights) / share))
    return tuple(halves)


def _variance(k: int, baseline: int) -> float:
    """Of z − m after *k* batches, for independent ones of variance 1."""
    faded = (1 - SMOOTHING) ** k
    return SMOOTHING / (2 - SMOOTHING) * (1 - faded**2) + (1 - faded) ** 2 / baseline


def _t_quantile(freedom: float) -> float:
    from scipy.special import stdtrit

    return float(stdtrit(freedom, 1 - RISK / 2))

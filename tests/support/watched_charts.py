"""Control charts watched over many simulated series: how often they cry wolf, and how soon they find a shift."""

from dataclasses import dataclass
from math import sqrt

import numpy as np

from gpf_desktop.stats.charts import BASELINE, Floats, followed


@dataclass(frozen=True, slots=True, kw_only=True)
class Watch:
    """What a chart of series of one kind does, batch after batch since it is watched."""

    outside: tuple[float, ...]
    """Share of series outside their limits."""
    signalled: tuple[float, ...]
    """Share of series that have been outside since: of a shift, the chance that it is found."""

    def false_alarms(self, batches: int) -> float:
        """Share of the first *batches* that lie outside."""
        return sum(self.outside[:batches]) / batches


def watch(
    shift: float,
    *,
    correlation: float = 0.0,
    assumed: float | None = None,
    after: int = BASELINE,
    batches: int = 24,
    models: int = 1,
    news: float = 0.0,
    peers: bool = False,
    seed: int = 1,
    replicates: int = 4000,
) -> Watch:
    """By simulation, what the chart does with normal series of this *correlation*, watched for *batches* after *after*.

    One of *models* moves by *shift* σ when the watch begins, and it alone is watched; where *shift* is 0, all are. A
    share *news* of the variance is what all have in common. *peers*: each minus the mean of the others, and *shift* in
    units of that. The limits hold *assumed*, or for None what they estimate.
    """
    draw = np.random.default_rng(seed)
    shape = (replicates // models, models, after + batches)
    series = _autoregressed(draw, shape, correlation) * sqrt(1 - news)
    series += _autoregressed(draw, (shape[0], 1, shape[2]), correlation) * sqrt(news)
    # Minus the mean of others that vary as much: its variance is 1 + 1 / (models − 1) times its own.
    series[:, 0, after:] += shift * (sqrt((1 - news) * models / (models - 1)) if peers else 1.0)
    if peers:
        series = (models * series - series.sum(axis=1, keepdims=True)) / (models - 1)
    line, centre, half, _ = followed(series, models - 1 if peers else 1, assumed)
    outside = (np.abs(line - centre) > half)[:, : 1 if shift else models, after - BASELINE :]
    return Watch(
        outside=tuple(outside.mean(axis=(0, 1)).tolist()),
        # A shift that was signalled once is found, wherever the line is afterwards.
        signalled=tuple(np.maximum.accumulate(outside, axis=2).mean(axis=(0, 1)).tolist()),
    )


def _autoregressed(draw: np.random.Generator, shape: tuple[int, int, int], correlation: float) -> Floats:
    """Series of variance 1 along the last axis; begun with it, so that no early batch is calmer than later ones."""
    series = draw.normal(0, 1, shape)
    for at in range(1, shape[2]):
        series[:, :, at] = correlation * series[:, :, at - 1] + sqrt(1 - correlation**2) * series[:, :, at]
    return series

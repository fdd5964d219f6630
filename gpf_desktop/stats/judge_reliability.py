"""Whether a judge's marks can tell models apart: the reliability of its mean deviation of each model.

Krippendorff's α asks whether single answers get the same level. A conclusion about a model rests on its mean over many
answers, which can be certain where single levels are not, and worthless where they agree because all models are alike.

    with others    Pearson's r over models between a judge's mean deviations and the mean of the other judges',
                   its bound by the jackknife of Fisher's z over clusters (Efron and Tibshirani 1993, ch. 11)
    with itself    1 − 1/F, F the variance of models' means over what judging again alone gives them, its bound by
                   the F distribution (Shrout and Fleiss 1979, ICC(1, k))
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from gpf_desktop.arrays import Floats, Ints
from gpf_desktop.stats.clusters import t_quantile

NEEDED: Final = 0.667
"""The lower bound below which a judge's marks carry no conclusion; Krippendorff's limit for tentative ones."""
_LEVEL: Final = 0.95
_FEWEST_MODELS: Final = 3
_CERTAIN: Final = 1 - 1e-12


@dataclass(frozen=True, slots=True, kw_only=True)
class Reliability:
    """Of a judge's mean deviations of models; 1: another judging would give the same."""

    value: float
    low: float
    """One-sided bound at 97.5 %."""

    @property
    def holds(self) -> bool:
        return self.low >= NEEDED


def with_others(mine: Floats, others: Floats, clusters: Ints) -> Reliability | None:
    """Of deviations *mine* and *others* (questions, models), NaN where a model has none; None under three models or
    two clusters, or where models do not differ at all."""
    there = ~np.isnan(mine) & ~np.isnan(others)
    names = np.unique(clusters[there.any(axis=1)])
    whole = _correlation(mine, others, there)
    if whole is None or len(names) < 2:
        return None
    without = [_correlation(mine, others, there & (clusters != each)[:, None]) for each in names]
    if any(each is None for each in without):
        return None
    z, n = np.arctanh(min(whole, _CERTAIN)), len(names)
    pseudo = n * z - (n - 1) * np.arctanh(np.minimum(np.array(without, np.float64), _CERTAIN))
    half = t_quantile((1 + _LEVEL) / 2, n - 1) * float(pseudo.std(ddof=1)) / np.sqrt(n)
    return Reliability(value=whole, low=float(np.tanh(pseudo.mean() - half)))


def with_itself(deviations: Floats, again: Floats, answers: Ints) -> Reliability | None:
    """Of *deviations* (questions, models), NaN where there is none, and levels of answers that were judged *again*
    (n,), those of one number in *answers* (n,) being of one answer; None where nothing was judged twice."""
    from scipy.special import fdtri

    _, place, counts = np.unique(answers, return_inverse=True, return_counts=True)
    freedom = int((counts - 1).sum())
    sizes = (~np.isnan(deviations)).sum(axis=0)
    models = int((sizes > 0).sum())
    if freedom < 1 or models < _FEWEST_MODELS:
        return None
    centred = again - (np.bincount(place, weights=again) / counts)[place]
    noise = float((centred**2).sum()) / freedom
    means = np.nanmean(deviations[:, sizes > 0], axis=0)
    apart = float(means.var(ddof=1))
    if noise == 0:
        return Reliability(value=1.0, low=1.0)
    if apart == 0:
        return Reliability(value=0.0, low=0.0)
    ratio = apart / (noise * float((1 / sizes[sizes > 0]).mean()))
    critical = float(fdtri(models - 1, freedom, (1 + _LEVEL) / 2))
    return Reliability(value=max(0.0, 1 - 1 / ratio), low=max(0.0, 1 - critical / ratio))


def _correlation(mine: Floats, others: Floats, there: np.ndarray) -> float | None:
    """Pearson's over models, of means over the questions that both have; None where one side does not vary."""
    sizes = there.sum(axis=0)
    kept = sizes > 0
    if kept.sum() < _FEWEST_MODELS:
        return None
    left, right = (np.where(there, each, 0.0).sum(axis=0)[kept] / sizes[kept] for each in (mine, others))
    left, right = left - left.mean(), right - right.mean()
    scale = float(np.sqrt((left**2).sum() * (right**2).sum()))
    return float((left * right).sum() / scale) if scale > 0 else None

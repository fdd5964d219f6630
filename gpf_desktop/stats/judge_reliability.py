"""Whether a judge's marks can tell models apart: the reliability of its mean deviation of each model.

Krippendorff's α asks whether single answers get the same level. A conclusion about a model rests on its mean over many
answers, which can be certain where single levels are not, and worthless where they agree because all models are alike.

    with others    Pearson's r over models between a judge's mean deviations and the mean of the other judges',
                   its bound by the jackknife of Fisher's z over questions (Efron and Tibshirani 1993, ch. 11): what is
                   asked is whether these very answers would be marked so again, not answers on further themes
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
    """The reliability of a judge's mean deviations of models; 1: another judging would give the same."""

    value: float
    low: float
    """One-sided bound at 97.5 %."""
    by_others: bool
    """Of its marks beside those of other judges; else of its own, given again."""

    @property
    def holds(self) -> bool:
        return self.low >= NEEDED


def with_others(mine: Floats, others: Floats) -> Reliability | None:
    """The reliability by deviations *mine* and *others* (questions, models), NaN where a model has none; None under
    three models or two questions, or where models do not differ at all."""
    there = ~np.isnan(mine) & ~np.isnan(others)
    asked = there[there.any(axis=1)].astype(np.float64)
    if len(asked) < 2:
        return None
    left, right = (np.where(there, each, 0.0)[there.any(axis=1)] for each in (mine, others))
    sizes = asked.sum(axis=0)
    # All questions first, then all but each in turn.
    counts = np.vstack([sizes, sizes - asked])
    found = _correlations(
        np.vstack([left.sum(axis=0), left.sum(axis=0) - left]),
        np.vstack([right.sum(axis=0), right.sum(axis=0) - right]),
        counts,
    )
    if np.isnan(found).any():
        return None
    whole, without = float(found[0]), found[1:]
    z, n = np.arctanh(np.clip(whole, -_CERTAIN, _CERTAIN)), len(asked)
    pseudo = n * z - (n - 1) * np.arctanh(np.clip(without, -_CERTAIN, _CERTAIN))
    half = t_quantile((1 + _LEVEL) / 2, n - 1) * float(pseudo.std(ddof=1)) / np.sqrt(n)
    return Reliability(value=whole, low=float(np.tanh(pseudo.mean() - half)), by_others=True)


def with_itself(deviations: Floats, again: Floats, answers: Ints) -> Reliability | None:
    """The reliability by *deviations* (questions, models), NaN where there is none, and levels of answers that were
    judged *again* (n,), those of one number in *answers* (n,) being of one answer; None where nothing was judged twice,
    or under three models."""
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
        return Reliability(value=1.0, low=1.0, by_others=False)
    if apart == 0:
        return Reliability(value=0.0, low=0.0, by_others=False)
    ratio = apart / (noise * float((1 / sizes[sizes > 0]).mean()))
    critical = float(fdtri(models - 1, freedom, (1 + _LEVEL) / 2))
    return Reliability(value=max(0.0, 1 - 1 / ratio), low=max(0.0, 1 - critical / ratio), by_others=False)


def _correlations(mine: Floats, others: Floats, counts: Floats) -> Floats:
    """Pearson's over models, of sums (b, models) of so many values each; NaN where a side does not vary, or of too few
    models."""
    kept = counts > 0
    models = kept.sum(axis=1, keepdims=True)
    with np.errstate(divide="ignore", invalid="ignore"):
        left, right = (np.where(kept, each / counts, 0.0) for each in (mine, others))
        left, right = (np.where(kept, each - each.sum(axis=1, keepdims=True) / models, 0.0) for each in (left, right))
        found: Floats = (left * right).sum(axis=1) / np.sqrt((left**2).sum(axis=1) * (right**2).sum(axis=1))
    return np.where(models[:, 0] >= _FEWEST_MODELS, found, np.nan)

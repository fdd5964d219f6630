"""The contrasts once more, by a logistic model of all cells with items and contexts as random intercepts."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from gpf_desktop.arrays import Floats
from gpf_desktop.methods.contextual_stereoset.choices import Choices
from gpf_desktop.methods.contextual_stereoset.grid import Contrast
from gpf_desktop.stats.cluster_bootstrap import LEAST_CLUSTERS
from gpf_desktop.stats.mixed_logit import MixedLogit, mixed_logit

MOST_CELLS: Final = 20_000
"""Of one model; beyond, it is not fitted while a reader waits."""
_Z: Final = 1.959963984540054
_PLACES: Final = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class MixedContrast:
    """A contrast as the model has it."""

    contrast: Contrast
    estimate: float
    """Mean over items and the option's three places of the chance at the first level less that at the second."""
    low: float
    high: float
    """95 %, by the delta method, of this contrast alone; NaN of too few items for a range."""
    odds: float
    """The odds at the first level, in those at the second."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MixedContrasts:
    """The contrasts of one model by the mixed model, with its standard deviations."""

    contrasts: tuple[MixedContrast, ...]
    sigma_items: float
    sigma_contexts: float
    """Standard deviations of log odds."""


def mixed_contrasts(choices: Choices, contrasts: Sequence[Contrast]) -> MixedContrasts | None:
    """Each of *contrasts* in how often the first option is chosen; None without any, or a fit."""
    valid = choices.valid & choices.in_context
    if not contrasts or not valid.any() or int(valid.sum()) > MOST_CELLS:
        return None
    rows, columns = np.nonzero(valid)
    design, names = _design(choices)
    shown = choices.places[rows, columns, 0]
    x = np.column_stack([design[columns], shown == 0, shown == 1]).astype(np.float64)
    item = np.unique(rows, return_inverse=True)[1].reshape(-1)
    context = np.unique(columns, return_inverse=True)[1].reshape(-1)
    fit = mixed_logit(x, choices.chose(choices.labels[0])[rows, columns], item, context)
    if fit is None:
        return None
    return MixedContrasts(
        contrasts=tuple(_contrast(each, fit, design, names) for each in contrasts),
        sigma_items=fit.sigma_rows,
        sigma_contexts=fit.sigma_columns,
    )


def _design(choices: Choices) -> tuple[Floats, list[tuple[str, str]]]:
    """(contexts, 1 + levels): an intercept, and every level of each factor but its first."""
    names = [(factor, level) for factor in choices.real_factors for level in choices.levels(factor)[1:]]
    columns = [np.ones(len(choices.contexts)), *(choices.at(*name) for name in names)]
    return np.column_stack(columns).astype(np.float64), names


def _contrast(contrast: Contrast, fit: MixedLogit, design: Floats, names: Sequence[tuple[str, str]]) -> MixedContrast:
    own = np.array([False, *(factor == contrast.factor for factor, _ in names), False, False])
    # All else as often as it was asked: the means of its columns.
    base = np.concatenate([design[design.any(axis=1)].mean(axis=0), np.zeros(_PLACES - 1)])
    base[own] = 0.0
    chances, slopes = [], []
    for level in (contrast.a, contrast.b):
        at = base + np.array([False, *(name == (contrast.factor, level) for name in names), False, False])
        x = np.array(
            [at + np.eye(len(at))[-_PLACES + 1 + place] if place < _PLACES - 1 else at for place in range(_PLACES)]
        )
        p = 1 / (1 + np.exp(-((x @ fit.effects)[:, None] + fit.of_rows)))
        chances.append(float(p.mean()))
        slopes.append((x.T @ (p * (1 - p)).mean(axis=1)) / _PLACES)
    slope = slopes[0] - slopes[1]
    half = _Z * float(np.sqrt(slope @ fit.covariance @ slope)) if len(fit.of_rows) >= LEAST_CLUSTERS else np.nan
    apart = chances[0] - chances[1]
    by_name = dict(zip(names, fit.effects[1:], strict=False))
    logs = [float(by_name.get((contrast.factor, level), 0.0)) for level in (contrast.a, contrast.b)]
    return MixedContrast(
        contrast=contrast,
        estimate=apart,
        low=apart - half,
        high=apart + half,
        odds=float(np.exp(logs[0] - logs[1])),
    )

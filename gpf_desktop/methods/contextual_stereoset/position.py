"""Whether letters are chosen for their place, and what contrasts are once the order is accounted for."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from gpf_desktop.arrays import Floats
from gpf_desktop.methods.contextual_stereoset.choices import Choices
from gpf_desktop.methods.contextual_stereoset.grid import Contrast, matched_pairs
from gpf_desktop.methods.contextual_stereoset.prompts import LETTERS
from gpf_desktop.stats.cluster_bootstrap import percentile_interval, ratios, resampled_sums

_CLOSE: Final = 1e-6


@dataclass(frozen=True, slots=True, kw_only=True)
class LetterShare:
    """How often one letter is chosen, against 1/3."""

    letter: str
    share: float
    low: float
    high: float


@dataclass(frozen=True, slots=True, kw_only=True)
class AdjustedContrast:
    """A contrast with the place of the option as a covariate."""

    contrast: Contrast
    estimate: float
    """NaN: the place changes with the contrast, so that nothing tells them apart."""
    low: float
    high: float


def most_chosen_letter(choices: Choices) -> tuple[str, float]:
    """The letter that is chosen most often, and how often of all choices; orders are drawn, so that what an option
    says is as often at each."""
    counts = _by_letter(choices).sum(axis=0)
    at = int(np.argmax(counts))
    return LETTERS[at], float(counts[at] / max(counts.sum(), 1.0))


def _by_letter(choices: Choices) -> Floats:
    """(items, letters) how often each is chosen."""
    # Codes below 0 have no place: any index does, since *valid* takes these cells out again.
    chosen = np.take_along_axis(choices.places, np.maximum(choices.codes, 0)[:, :, None], axis=2)[:, :, 0]
    return np.array([((chosen == place) & choices.valid).sum(axis=1) for place in range(3)], dtype=np.float64).T


def letter_shares(choices: Choices, *, seed: int) -> list[LetterShare]:
    """The share of each letter among valid cells, with or without context; 95 % intervals over items."""
    counts = _by_letter(choices)
    drawn = resampled_sums(counts, seed=seed)
    low, high = percentile_interval(ratios(drawn, drawn.sum(axis=1, keepdims=True)))
    whole = counts.sum(axis=0)
    share = ratios(whole, np.full(3, whole.sum()))
    return [
        LetterShare(letter=letter, share=float(share[at]), low=float(low[at]), high=float(high[at]))
        for at, letter in enumerate(LETTERS)
    ]


def adjusted_contrasts(
    choices: Choices, contrasts: Sequence[Contrast], label: str, *, seed: int
) -> list[AdjustedContrast]:
    """Least squares over items and valid matched pairs: difference of choices on Δ and on the change of place.

    The place of the option under *label* enters as two indicators (first, second; third is the reference).
    Intervals by bootstrap over items of the normal equations.
    """
    found = []
    for contrast in contrasts:
        columns = _normal_equations(choices, contrast, label)
        if not _told_apart(columns.sum(axis=0)):
            found.append(AdjustedContrast(contrast=contrast, estimate=np.nan, low=np.nan, high=np.nan))
            continue
        drawn = _solved(resampled_sums(columns, seed=seed))
        low, high = percentile_interval(drawn[:, None])
        estimate = float(_solved(columns.sum(axis=0)[None])[0])
        found.append(AdjustedContrast(contrast=contrast, estimate=estimate, low=float(low[0]), high=float(high[0])))
    return found


def _normal_equations(choices: Choices, contrast: Contrast, label: str) -> Floats:
    """(items, 12): X'X and X'y of each item's valid pairs, X: 1, Δ first place, Δ second place."""
    a, b = np.array(matched_pairs(choices.contexts, choices.place(contrast.factor), contrast.a, contrast.b)).T
    both = (choices.valid[:, a] & choices.valid[:, b]).astype(np.float64)
    chosen = choices.chose(label).astype(np.float64)
    shown = choices.places[:, :, choices.labels.index(label)]
    # *both* is 0 or 1, so that it stands in each product once however often it is multiplied in.
    regressors = [both] + [
        both * ((shown[:, a] == place).astype(np.float64) - (shown[:, b] == place)) for place in (0, 1)
    ]
    y = both * (chosen[:, a] - chosen[:, b])
    products = [(x * z).sum(axis=1) for x in regressors for z in (*regressors, y)]
    return np.array(products).T


def _told_apart(sums: Floats) -> bool:
    """Whether the contrast is no sum of changes of place: else the least norm would share it out among both."""
    equations = sums.reshape(3, 4)[:, :3]
    projected = np.linalg.pinv(equations, hermitian=True) @ equations
    return bool(projected[0, 0] > 1 - _CLOSE)


def _solved(sums: Floats) -> Floats:
    """Δ of each row of summed normal equations (n, 12)."""
    if np.isnan(sums).all():
        return np.full(len(sums), np.nan)
    equations = sums.reshape(-1, 3, 4)
    # Where no pair of a draw changes place the equations are singular: the least norm gives that covariate 0.
    inverse = np.linalg.pinv(equations[:, :, :3], hermitian=True)
    solved: Floats = (inverse @ equations[:, :, 3:])[:, 0, 0]
    return np.where(equations[:, 0, 0] > 0, solved, np.nan)

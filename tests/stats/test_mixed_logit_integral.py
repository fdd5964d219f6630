"""The mixed logistic model against the integral that Laplace's approximation stands for, by adaptive Gauss-Hermite.

Three contexts, so that the integral over theirs is one over three numbers; given these, items are independent and each
has an integral of its own. Nothing of the program is used for it.
"""

from itertools import product

import numpy as np
import pytest
from numpy.polynomial.hermite import hermgauss
from scipy.optimize import minimize

from gpf_desktop.arrays import Floats
from gpf_desktop.stats.mixed_logit import MixedLogit, mixed_logit

ITEMS, CONTEXTS = 40, 3
LEVEL = np.arange(CONTEXTS) % 2
"""Of the one factor, by context."""


def choices(seed: int, items: float, contexts: float, shift: float) -> Floats:
    """1 or 0 by item and context."""
    draw = np.random.default_rng(seed)
    eta = -0.4 + shift * LEVEL + draw.normal(0, items, ITEMS)[:, None] + draw.normal(0, contexts, CONTEXTS)
    return (draw.random(eta.shape) < 1 / (1 + np.exp(-eta))).astype(float)


def fitted(y: Floats) -> MixedLogit:
    row, column = (each.ravel() for each in np.meshgrid(np.arange(ITEMS), np.arange(CONTEXTS), indexing="ij"))
    x = np.column_stack([np.ones(len(row)), LEVEL[column]])
    fit = mixed_logit(x, y.ravel() == 1, row, column)
    assert fit is not None
    return fit


def deviance(y: Floats, effects: Floats, of_items: float, of_contexts: float, centre: Floats, nodes: int) -> float:
    """−2 log of the likelihood; nodes around *centre* of contexts, and around each item's mode at each of them."""
    at, weight = hermgauss(nodes)
    grid = np.array(list(product(range(nodes), repeat=CONTEXTS)))
    wide = 1.2 / np.sqrt(1 / of_contexts**2 + ITEMS * 0.15)
    contexts = centre + np.sqrt(2) * wide * at[grid]
    logs = (np.log(weight)[grid] + at[grid] ** 2 + np.log(np.sqrt(2) * wide)).sum(axis=1)
    logs += (-0.5 * (contexts / of_contexts) ** 2 - np.log(of_contexts * np.sqrt(2 * np.pi))).sum(axis=1)
    fixed = (effects[0] + effects[1] * LEVEL + contexts)[:, None, :]
    u = np.zeros((len(grid), ITEMS))
    for _ in range(12):
        p = 1 / (1 + np.exp(-(fixed + u[:, :, None])))
        curved = (p * (1 - p)).sum(axis=2) + 1 / of_items**2
        u += ((y - p).sum(axis=2) - u / of_items**2) / curved
    spread = 1 / np.sqrt(curved)
    for place in range(ITEMS):
        own = u[:, place, None] + np.sqrt(2) * spread[:, place, None] * at
        eta = fixed + own[:, :, None]
        each = (y[place] * eta - np.logaddexp(0, eta)).sum(axis=2) - 0.5 * (own / of_items) ** 2
        each += np.log(weight) + at**2 + np.log(np.sqrt(2) * spread[:, place, None] / (of_items * np.sqrt(2 * np.pi)))
        logs += np.logaddexp.reduce(each, axis=1)
    return float(-2 * np.logaddexp.reduce(logs))


def shift_over_people(effects: Floats, of_items: float, of_contexts: float) -> float:
    at, weight = hermgauss(31)
    around = np.sqrt(2) * np.hypot(of_items, of_contexts) * at
    chance = [float(weight @ (1 / (1 + np.exp(-(each + around))))) / weight.sum() for each in np.cumsum(effects)]
    return chance[1] - chance[0]


@pytest.mark.slow
@pytest.mark.parametrize(("seed", "items", "contexts", "shift"), [(4, 1.2, 0.6, 1.4), (8, 2.0, 0.6, 0.8)])
def test_that_the_told_shift_is_that_of_the_integral(seed: int, items: float, contexts: float, shift: float) -> None:
    y = choices(seed, items, contexts, shift)
    fit = fitted(y)

    def of_integral(effects: Floats, of_items: float, of_contexts: float, nodes: int = 5) -> float:
        return deviance(y, effects, of_items, of_contexts, fit.of_columns, nodes)

    own = of_integral(fit.effects, fit.sigma_rows, fit.sigma_columns, 9)
    assert own == pytest.approx(of_integral(fit.effects, fit.sigma_rows, fit.sigma_columns, 13), abs=1e-3)
    # Of a deviance of some 150: what is left out is of third order.
    assert 0 < fit.criterion - own < 4
    best = minimize(
        lambda t: of_integral(t[:2], *np.exp(np.clip(t[2:], -3, 2))),
        [*fit.effects, np.log(fit.sigma_rows), np.log(fit.sigma_columns)],
        method="Nelder-Mead",
        options={"xatol": 5e-3, "fatol": 1e-3},
    )
    effects, sigma = best.x[:2], np.exp(np.clip(best.x[2:], -3, 2))
    # With three contexts an item the fit draws effects and deviations towards 0 ...
    assert 0.7 < fit.effects[1] / effects[1] < 1
    assert 0.6 < fit.sigma_rows / sigma[0] < 1
    # ... and what is told, the mean shift of these items, stays.
    fixed = fit.of_rows[:, None] + fit.of_columns
    told = [(1 / (1 + np.exp(-(fixed + each)))).mean() for each in np.cumsum(fit.effects)]
    assert told[1] - told[0] == pytest.approx(shift_over_people(effects, *sigma), abs=0.005)

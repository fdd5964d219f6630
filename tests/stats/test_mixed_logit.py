"""The mixed logistic model against a dense computation that shares nothing with it."""

import numpy as np
import pytest
from scipy.optimize import minimize

from gpf_desktop.arrays import Floats
from gpf_desktop.stats.mixed_logit import mixed_logit

ROWS, COLUMNS = 14, 6


def study(seed: int = 3) -> tuple[Floats, Floats, Floats, Floats]:
    """Cells of rows that differ much and columns that differ some, a third of them missing."""
    draws = np.random.default_rng(seed)
    row, column = (each.ravel() for each in np.meshgrid(np.arange(ROWS), np.arange(COLUMNS), indexing="ij"))
    keep = draws.random(len(row)) < 0.7
    row, column = row[keep], column[keep]
    x = np.column_stack([np.ones(len(row)), column % 2, draws.integers(0, 2, len(row))]).astype(float)
    eta = x @ [-0.2, 0.9, -0.4] + draws.normal(0, 1.2, ROWS)[row] + draws.normal(0, 0.5, COLUMNS)[column]
    return x, draws.random(len(row)) < 1 / (1 + np.exp(-eta)), row, column


def dense(sigma: Floats, x: Floats, y: Floats, row: Floats, column: Floats) -> tuple[float, Floats]:
    """−2 log of Laplace's likelihood, and the mode, by a general optimiser and dense matrices."""
    z = np.hstack([np.eye(ROWS)[row], np.eye(COLUMNS)[column]])
    precision = np.repeat(1 / np.asarray(sigma) ** 2, [ROWS, COLUMNS])
    both = np.hstack([x, z])

    def minus(b: Floats) -> float:
        eta = both @ b
        return float(np.logaddexp(0, eta).sum() - y @ eta + 0.5 * (precision * b[x.shape[1] :] ** 2).sum())

    def slope(b: Floats) -> Floats:
        rise: Floats = both.T @ (1 / (1 + np.exp(-both @ b)) - y)
        rise[x.shape[1] :] += precision * b[x.shape[1] :]
        return rise

    found = minimize(minus, np.zeros(both.shape[1]), jac=slope, method="BFGS", options={"gtol": 1e-9, "maxiter": 2000})
    p = 1 / (1 + np.exp(-both @ found.x))
    inner = z.T @ (z * (p * (1 - p))[:, None]) + np.diag(precision)
    return 2 * found.fun + np.linalg.slogdet(inner)[1] - np.log(precision).sum(), found.x


def test_that_mode_criterion_and_deviations_are_those_of_a_dense_computation() -> None:
    x, y, row, column = study()
    fit = mixed_logit(x, y, row, column)
    assert fit is not None
    sigma = np.array([fit.sigma_rows, fit.sigma_columns])
    criterion, mode = dense(sigma, x, y, row, column)
    assert fit.criterion == pytest.approx(criterion, abs=1e-5)
    assert np.concatenate([fit.effects, fit.of_rows, fit.of_columns]) == pytest.approx(mode, abs=1e-4)
    # No other deviations near by do better by the dense computation.
    for way in ((1.1, 1.0), (0.9, 1.0), (1.0, 1.3), (1.0, 0.7)):
        assert dense(sigma * way, x, y, row, column)[0] > criterion - 1e-4
    p = 1 / (1 + np.exp(-(x @ fit.effects + fit.of_rows[row] + fit.of_columns[column])))
    z = np.hstack([x, np.eye(ROWS)[row], np.eye(COLUMNS)[column]])
    whole = z.T @ (z * (p * (1 - p))[:, None])
    whole[3:, 3:] += np.diag(np.repeat(1 / sigma**2, [ROWS, COLUMNS]))
    assert fit.covariance == pytest.approx(np.linalg.inv(whole)[:3, :3], rel=1e-4)


def test_that_outcomes_without_a_finite_effect_have_no_fit() -> None:
    x, y, row, column = study()
    assert mixed_logit(x, np.ones_like(y), row, column) is None
    assert mixed_logit(x, x[:, 1] == 1, row, column) is None
    assert mixed_logit(np.column_stack([x, x[:, 1]]), y, row, column) is None

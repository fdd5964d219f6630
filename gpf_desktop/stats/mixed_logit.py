"""A logistic model with two crossed random intercepts, by Laplace's approximation (Breslow and Clayton 1993).

Kept libraries were tried and do not serve (docs/decisions/mixed-model.md). Rows are eliminated first, since their part
of the Hessian is diagonal: the equations have as many unknowns as there are columns and effects, however many rows.
"""

from dataclasses import dataclass
from typing import Final

import numpy as np

from gpf_desktop.arrays import Bools, Floats, Ints

_STEPS: Final = 50
_CLOSE: Final = 1e-8
_LEAST: Final = -6.0
_MOST: Final = 3.0
"""Of the logarithm of a standard deviation: what varies less is held not to vary."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MixedLogit:
    """The fit."""

    effects: Floats
    """(effects,) on the scale of log odds."""
    covariance: Floats
    """(effects, effects) given the two standard deviations."""
    of_rows: Floats
    """(rows,) random intercepts at their mode."""
    of_columns: Floats
    sigma_rows: float
    sigma_columns: float
    criterion: float
    """−2 log of the approximated likelihood."""


@dataclass(frozen=True, slots=True)
class _Cells:
    x: Floats
    y: Floats
    row: Ints
    column: Ints
    rows: int
    columns: int


@dataclass(frozen=True, slots=True)
class _Mode:
    effects: Floats
    of_rows: Floats
    of_columns: Floats
    covariance: Floats
    criterion: float


def mixed_logit(x: Floats, y: Bools, row: Ints, column: Ints) -> MixedLogit | None:
    """The mixed logit of cells with regressors *x* (cells, effects), outcome *y*, in *row* and *column*, both counted
    from 0.

    None where it does not converge, as where a level decides every outcome.
    """
    from scipy.optimize import minimize

    if not len(y) or y.all() or not y.any() or np.linalg.matrix_rank(x) < x.shape[1]:
        return None
    cells = _Cells(x, y.astype(np.float64), row, column, int(np.max(row)) + 1, int(np.max(column)) + 1)
    best: dict[str, _Mode] = {}

    def criterion(logs: Floats) -> float:
        mode = _mode(cells, np.exp(np.clip(logs, _LEAST, _MOST)), best.get("last"))
        if mode is None:
            return 1e12
        best["last"] = mode
        return mode.criterion

    found = minimize(criterion, np.log([0.5, 0.2]), method="Nelder-Mead", options={"xatol": 1e-3, "fatol": 1e-4})
    sigma = np.exp(np.clip(found.x, _LEAST, _MOST))
    mode = _mode(cells, sigma, best.get("last"))
    if mode is None:
        return None
    return MixedLogit(
        effects=mode.effects,
        covariance=mode.covariance,
        of_rows=mode.of_rows,
        of_columns=mode.of_columns,
        sigma_rows=float(sigma[0]),
        sigma_columns=float(sigma[1]),
        criterion=mode.criterion,
    )


def _mode(cells: _Cells, sigma: Floats, start: _Mode | None) -> _Mode | None:
    """Effects and intercepts where the penalised likelihood is highest, by Newton's steps, halved beyond it."""
    k = cells.x.shape[1]
    beta = np.zeros(k) if start is None else start.effects
    u = np.zeros(cells.rows) if start is None else start.of_rows
    v = np.zeros(cells.columns) if start is None else start.of_columns
    value = _penalised(cells, sigma, beta, u, v)
    for _ in range(_STEPS):
        solved = _step(cells, sigma, beta, u, v)
        if solved is None:
            return None
        (db, du, dv), covariance, determinant = solved
        size = 1.0
        while (next_ := _penalised(cells, sigma, beta + size * db, u + size * du, v + size * dv)) < value - 1e-12:
            size /= 2
            if size < 1e-6:
                break
        beta, u, v = beta + size * db, u + size * du, v + size * dv
        if not np.isfinite(next_) or np.abs(beta).max() > 15:
            # A level that decides every outcome has no finite effect.
            return None
        if next_ - value < _CLOSE:
            return _Mode(beta, u, v, covariance, determinant - 2 * next_)
        value = next_
    return None


def _penalised(cells: _Cells, sigma: Floats, beta: Floats, u: Floats, v: Floats) -> float:
    eta = cells.x @ beta + u[cells.row] + v[cells.column]
    fit = cells.y @ eta - np.logaddexp(0.0, eta).sum()
    return float(fit - 0.5 * (u @ u) / sigma[0] ** 2 - 0.5 * (v @ v) / sigma[1] ** 2)


def _step(
    cells: _Cells, sigma: Floats, beta: Floats, u: Floats, v: Floats
) -> tuple[tuple[Floats, Floats, Floats], Floats, float] | None:
    """Newton's step, the covariance of the effects, and the log determinant of the random part."""
    from scipy.linalg import cho_solve, cholesky

    n = cells.columns
    p = 1 / (1 + np.exp(-(cells.x @ beta + u[cells.row] + v[cells.column])))
    w, apart = p * (1 - p), cells.y - p
    weighted = cells.x * w[:, None]
    table = np.bincount(cells.row * n + cells.column, w, cells.rows * n)
    crossed = table.reshape(cells.rows, n)
    by_row = np.array([np.bincount(cells.row, each, cells.rows) for each in weighted.T])
    by_column = np.array([np.bincount(cells.column, each, n) for each in weighted.T])
    diagonal = crossed.sum(axis=1) + 1 / sigma[0] ** 2
    with_rows = np.vstack([crossed.T, by_row])
    whole = -(with_rows / diagonal) @ with_rows.T
    whole[:n, :n] += np.diag(crossed.sum(axis=0) + 1 / sigma[1] ** 2)
    whole[n:, :n] += by_column
    whole[:n, n:] += by_column.T
    whole[n:, n:] += cells.x.T @ weighted
    slope_rows = np.bincount(cells.row, apart, cells.rows) - u / sigma[0] ** 2
    slope = (
        np.concatenate([np.bincount(cells.column, apart, n) - v / sigma[1] ** 2, cells.x.T @ apart])
        - (with_rows / diagonal) @ slope_rows
    )
    try:
        root = cholesky(whole, lower=True, overwrite_a=True)
    except np.linalg.LinAlgError:
        return None
    step = cho_solve((root, True), slope)
    of_rows = (slope_rows - with_rows.T @ step) / diagonal
    # Columns stand first: the first n of the diagonal are the root of their block alone, and the last rows of the root
    # that of what the effects keep beside it.
    determinant = np.log(diagonal * sigma[0] ** 2).sum() + 2 * np.log(np.diag(root)[:n] * sigma[1]).sum()
    covariance = cho_solve((root[n:, n:], True), np.eye(len(beta)))
    return (step[n:], of_rows, step[:n]), covariance, float(determinant)

"""Variance components of a score: random effects, crossed or nested, by restricted likelihood.

y = μ + Σ_f u_f + e, every u_f of variance σ_f². Variances by REML (Patterson and Thompson 1971), found by Fisher's
scoring (Searle, Casella and McCulloch 1992, chapter 8); intervals by profile likelihood. Data may be unbalanced; the
number of a level need only be unique to it, so a nested factor is one whose levels are numbered anew within each
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np

from gpf_desktop.arrays import Floats, Ints

RESIDUAL: Final = "residual"
LEVEL: Final = 0.95
_NEAR: Final = 1e-7
"""Of a deviance, at which a search ends."""
_LEAST: Final = 1e-6
"""Of the residual's variance: where factors explain everything, the likelihood has no maximum."""
_STEPS: Final = 200
_HALVINGS: Final = 30
_LEAST_LOG: Final = -14.0
_MOST_LOG: Final = 7.0
"""Of a variance over that of the values: below it is 0, above it is unbounded."""
_CLOSE: Final = 0.02
"""Of the logarithm of a variance, to which a bound is found."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Component:
    """The variance that one factor brings."""

    name: str
    variance: float
    low: float
    high: float
    """Bounds of its profile interval; infinite where the data set none."""
    share: float
    """Of the sum of all components."""
    levels: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Components:
    """The components of one score, the residual last."""

    mean: float
    standard_error: float
    """Of the mean, levels of every factor taken as drawn."""
    parts: tuple[Component, ...]

    def variance(self, name: str) -> float:
        return next(part.variance for part in self.parts if part.name == name)


def variance_components(values: Floats, factors: Mapping[str, Ints], *, intervals: bool = True) -> Components:
    """Components of *values* (n,) by *factors*, each a number per value (n,); a factor needs two levels or more.

    Takes time with the cube of all levels. Without *intervals* bounds are 0 and infinite.
    """
    fit = _Fit(values, factors)
    variances = fit.best * fit.unit
    total = float(variances.sum())
    parts = []
    for place, name in enumerate((*factors, RESIDUAL)):
        low, high = fit.profile(place, LEVEL) if intervals else (0.0, float(np.inf))
        parts.append(
            Component(
                name=name,
                variance=float(variances[place]),
                low=low,
                high=high,
                share=float(variances[place]) / total if total else 0.0,
                levels=fit.sizes[place] if place < len(fit.sizes) else fit.values,
            )
        )
    mean, error = fit.mean()
    return Components(mean=mean, standard_error=error, parts=tuple(parts))


@dataclass(frozen=True, slots=True, kw_only=True)
class _State:
    """The restricted likelihood at some variances: −2 ln of it, its slopes, and their expected curvature."""

    deviance: float
    slopes: Floats
    curvature: Floats
    mean: float
    weight: float
    """1'V⁻¹1."""


class _Fit:
    """Fisher's scoring over variances, as shares of the values' own, from the levels' sums alone."""

    def __init__(self, values: Floats, factors: Mapping[str, Ints]) -> None:
        columns = []
        self.sizes: list[int] = []
        for number in factors.values():
            _, place = np.unique(number, return_inverse=True)
            columns.append(np.eye(int(np.max(place)) + 1)[place])
            self.sizes.append(columns[-1].shape[1])
        if min(self.sizes, default=2) < 2 or len(values) < 3:
            raise ValueError("a factor needs two levels, and the whole three values")
        # Values are centred and scaled, so that the search sees numbers near 1 whatever the score's unit.
        self._centre, scale = float(values.mean()), float(values.std()) or 1.0
        self.unit = scale**2
        y = (values - self._centre) / scale
        self.values = len(y)
        self._starts = np.concatenate([[0], np.cumsum(self.sizes)[:-1]]).astype(np.int64)
        whole = np.concatenate([*columns, np.ones((len(y), 1)), y[:, None]], axis=1)
        self._sums = whole.T @ whole
        """Of products of the levels' columns, a column of ones and the values: all that the likelihood depends on."""

    @cached_property
    def best(self) -> Floats:
        """σ² of every factor, and of the residual last, over `unit`."""
        even = np.full(len(self.sizes) + 1, 1 / (len(self.sizes) + 1))
        return self._least(even, held=None)[1]

    def mean(self) -> tuple[float, float]:
        """The mean with its standard error, in the values' unit."""
        state, scale = self._at(self.best), float(np.sqrt(self.unit))
        return self._centre + scale * state.mean, scale / float(np.sqrt(state.weight))

    def profile(self, place: int, level: float) -> tuple[float, float]:
        """The two variances at which the deviance, all else fitted anew, exceeds its least by the quantile of χ² with
        one degree."""
        from scipy.special import chdtri

        least, best = self._least(self.best, held=None)
        # scipy's chdtri counts from the upper tail, so that 1 − level is meant.
        allowed = least + float(chdtri(1, 1 - level))
        # A variance that is found to be 0 has no logarithm: the search begins at the least that counts.
        found = float(np.log(max(float(best[place]), np.exp(_LEAST_LOG))))

        def edge(way: float) -> float:
            # Neighbouring points of a profile have neighbouring solutions: each search begins where the last one ended.
            near = best.copy()

            def above(log_variance: float) -> float:
                nonlocal near
                near[place] = np.exp(log_variance)
                deviance, near = self._least(near, held=place)
                return deviance - allowed

            return _edge(above, found, way) * self.unit

        return edge(-1.0), edge(1.0)

    def _least(self, start: Floats, held: int | None) -> tuple[float, Floats]:
        """The least deviance from *start* on and the variances there; that of number *held* stays as it is."""
        at = start.copy()
        state = self._at(at)
        for _ in range(_STEPS):
            # A variance at 0 stays there unless the likelihood rises as it leaves: components are never negative.
            free = (at > 0) | (state.slopes < 0)
            if held is not None:
                free[held] = False
            step = np.zeros(len(at))
            if free.any():
                curvature = state.curvature[np.ix_(free, free)]
                # Least squares: factors that say the same leave the curvature singular.
                step[free] = -np.linalg.lstsq(curvature, state.slopes[free], rcond=None)[0]
            # A scoring step takes the likelihood for quadratic and may go too far: half of it until nothing is lost.
            for _ in range(_HALVINGS):
                moved = np.maximum(at + step, 0.0)
                # All is divided by the residual's variance: it falls to a quarter in a step at most, never to 0.
                moved[-1] = max(moved[-1], at[-1] / 4, _LEAST) if held != len(at) - 1 else at[-1]
                after = self._at(moved)
                if after.deviance <= state.deviance:
                    break
                step /= 2
            else:
                break
            gained, at, state = state.deviance - after.deviance, moved, after
            if gained < _NEAR:
                break
        return state.deviance, at

    def _at(self, variances: Floats) -> _State:
        """The state at *variances*. With C = Z'PZ, every trace that the residual needs follows from PVP = P and tr(PV)
        = n − 1."""
        residual, q, n = float(variances[-1]), len(self._sums) - 2, self.values
        scale = np.sqrt(np.repeat(variances[:-1], self.sizes))
        # Scaled by standard deviations, where dividing by variances would fail for those that are 0.
        inner = self._sums[:q, :q] * np.outer(scale, scale) / residual + np.eye(q)
        root = np.linalg.cholesky(inner)
        half = np.linalg.solve(root, scale[:, None] * self._sums[:q])
        # Woodbury: [Z 1 y]'V⁻¹[Z 1 y] from the levels' sums, so that no matrix of n × n values is ever made.
        g = (self._sums - half.T @ half / residual) / residual
        weight, with_y = float(g[q, q]), float(g[q, q + 1])
        # P = V⁻¹ less its projection on the mean: what makes the likelihood a restricted one. c is Z'PZ, left Z'Py.
        c = g[:q, :q] - np.outer(g[:q, q], g[:q, q]) / weight
        left = g[:q, q + 1] - g[:q, q] * with_y / weight
        squares = float(g[q + 1, q + 1]) - with_y**2 / weight
        # ln |V| by the determinant lemma; with ln 1'V⁻¹1 and y'Py it makes the deviance.
        log_size = n * np.log(residual) + 2 * float(np.log(np.diag(root)).sum())
        of_factors = variances[:-1]
        traces = np.add.reduceat(np.diag(c), self._starts)
        quadratic = np.add.reduceat(left**2, self._starts)
        both = np.add.reduceat(np.add.reduceat(c**2, self._starts, axis=0), self._starts, axis=1)
        trace = (n - 1 - of_factors @ traces) / residual
        mixed = (traces - both @ of_factors) / residual
        own = (trace - of_factors @ mixed) / residual
        slopes = np.append(traces - quadratic, trace - (squares - of_factors @ quadratic) / residual)
        curvature = np.block([[both, mixed[:, None]], [mixed[None, :], np.array([[own]])]])
        deviance = float(log_size + np.log(weight) + squares)
        return _State(deviance=deviance, slopes=slopes, curvature=curvature, mean=with_y / weight, weight=weight)


def _edge(above: Callable[[float], float], middle: float, way: float) -> float:
    """The variance on one side of *middle* (a logarithm) where *above* becomes 0; 0 or infinite where it does not."""
    end = _LEAST_LOG if way < 0 else _MOST_LOG
    step = 0.5
    near, far = middle, middle + way * step
    while above(far) < 0:
        if way * far >= way * end:
            return 0.0 if way < 0 else float(np.inf)
        step = min(2 * step, 2.0)
        near, far = far, far + way * step
    while abs(far - near) > _CLOSE:
        between = (near + far) / 2
        near, far = (between, far) if above(between) < 0 else (near, between)
    return float(np.exp((near + far) / 2))

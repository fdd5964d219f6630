"""Which part of a score's variance comes from what: random effects, crossed or nested, by restricted likelihood.

y = μ + Σ_f u_f + e, every u_f of variance σ_f². Variances by REML (Patterson and Thompson 1971) with the profiled
deviance of Bates, Mächler, Bolker and Walker (2015, "Fitting linear mixed-effects models using lme4", section 3);
intervals by profile likelihood. Unbalanced data are no trouble; a level's number need only be unique to the level, so a
nested factor is one whose levels are numbered anew within each level of the other.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]

RESIDUAL: Final = "residual"
LEVEL: Final = 0.95
_MOST: Final = 1e3
"""A factor's standard deviation over the residual's, beyond which none is looked for."""


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
    """All components of one score, the residual last."""

    mean: float
    standard_error: float
    """Of the mean, levels of every factor taken as drawn."""
    parts: tuple[Component, ...]

    def variance(self, name: str) -> float:
        return next(part.variance for part in self.parts if part.name == name)

    def error_with(self, levels: Mapping[str, float], values: float) -> float:
        """The standard error of the mean in a balanced design of *values* values and so many *levels* per factor.

        A factor left out is held fixed: its levels are the only ones that the mean is about.
        """
        of_factors = sum(self.variance(name) / number for name, number in levels.items())
        return float(np.sqrt(of_factors + self.variance(RESIDUAL) / values))


def variance_components(
    values: Floats, factors: Mapping[str, Ints], *, level: float = LEVEL, intervals: bool = True
) -> Components:
    """Components of *values* (n,) by *factors*, each a number per value (n,); a factor needs two levels or more.

    Takes time with the cube of all levels: for more than a hundred, intervals take minutes. Without *intervals* bounds
    are 0 and infinite.
    """
    fit = _Fit(values, factors)
    best = fit.best
    variances = fit.variances(best)
    total = float(variances.sum())
    parts = []
    for place, name in enumerate((*factors, RESIDUAL)):
        low, high = fit.profile(place, level) if intervals else (0.0, float(np.inf))
        parts.append(
            Component(
                name=name,
                variance=float(variances[place]),
                low=low,
                high=high,
                share=float(variances[place]) / total if total else 0.0,
                levels=fit.sizes[place] if place < len(fit.sizes) else len(values),
            )
        )
    mean, error = fit.mean(best)
    return Components(mean=mean, standard_error=error, parts=tuple(parts))


class _Fit:
    """The restricted deviance of one data set as a function of θ, standard deviations over the residual's."""

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
        self._centre, self._scale = float(values.mean()), float(values.std()) or 1.0
        y = (values - self._centre) / self._scale
        self._n = len(y)
        of_levels = np.concatenate(columns, axis=1)
        self._cross = of_levels.T @ of_levels
        self._with_ones = of_levels.sum(axis=0)
        self._with_y = of_levels.T @ y
        self._ones_y, self._squares = float(y.sum()), float(y @ y)

    @cached_property
    def best(self) -> Floats:
        from scipy.optimize import minimize

        starts = [np.full(len(self.sizes), start) for start in (1.0, 0.2)]
        found = [
            minimize(self.deviance, start, method="L-BFGS-B", bounds=[(0.0, _MOST)] * len(start)) for start in starts
        ]
        least = min(found, key=lambda each: float(each.fun))
        return np.asarray(least.x, np.float64)

    def _solved(self, theta: Floats) -> tuple[float, float, float, float]:
        """ln|V| and ln|1'V⁻¹1| over σ², the mean, and the residual sum of squares, all on the scaled values."""
        from scipy.linalg import cho_solve, cholesky

        scale = np.repeat(theta, self.sizes)
        root = cholesky(self._cross * np.outer(scale, scale) + np.eye(len(scale)), lower=True)
        half_ones = scale * cho_solve((root, True), scale * self._with_ones)
        half_y = scale * cho_solve((root, True), scale * self._with_y)
        ones = self._n - float(self._with_ones @ half_ones)
        both = self._ones_y - float(self._with_ones @ half_y)
        mean = both / ones
        left = self._squares - float(self._with_y @ half_y) - mean * both
        return 2 * float(np.log(np.diag(root)).sum()), ones, mean, max(left, 1e-300)

    def deviance(self, theta: Floats) -> float:
        """−2 ln of the restricted likelihood, the residual variance profiled out."""
        log_size, ones, _, left = self._solved(theta)
        freedom = self._n - 1
        return log_size + float(np.log(ones)) + freedom * (1 + float(np.log(2 * np.pi * left / freedom)))

    def variances(self, theta: Floats) -> Floats:
        """σ² of every factor, and of the residual last, in the values' unit squared."""
        residual = self._solved(theta)[3] / (self._n - 1) * self._scale**2
        return np.append(theta**2 * residual, residual)

    def mean(self, theta: Floats) -> tuple[float, float]:
        _, ones, mean, left = self._solved(theta)
        return self._centre + self._scale * mean, self._scale * float(np.sqrt(left / (self._n - 1) / ones))

    def profile(self, place: int, level: float) -> tuple[float, float]:
        """Where the deviance, all else fitted anew, is above its least by the quantile of χ² with one degree."""
        from scipy.special import chdtri

        allowed = self.deviance(self.best) + float(chdtri(1, 1 - level))
        found = float(self.variances(self.best)[place]) / self._scale**2
        log_found = float(np.log(max(found, 1e-8)))

        def above(log_variance: float) -> float:
            return self._fixed(place, float(np.exp(log_variance))) - allowed

        return (
            _edge(above, log_found, -1.0) * self._scale**2,
            _edge(above, log_found, 1.0) * self._scale**2,
        )

    def _fixed(self, place: int, variance: float) -> float:
        """The least deviance with one scaled variance held at *variance*."""
        from scipy.optimize import minimize

        freedom = self._n - 1
        start = np.append(self.best, np.sqrt(self.variances(self.best)[-1]) / self._scale)
        start = np.maximum(start, 1e-3)

        def deviance(free: Floats) -> float:
            full = np.insert(free, place, np.sqrt(variance))
            sigma = full[-1]
            log_size, ones, _, left = self._solved(full[:-1] / sigma)
            squared = sigma**2
            return float(log_size + np.log(ones) + freedom * np.log(2 * np.pi * squared) + left / squared)

        # Here every entry is a standard deviation in its own right, the residual's too, so that any can be held.
        free = start[:-1] * start[-1]
        free = np.delete(np.append(free, start[-1]), place)
        limits = [(0.0, None)] * len(self.sizes) + [(1e-4, None)]
        del limits[place]
        if not len(free):
            return deviance(free)
        return float(minimize(deviance, free, method="L-BFGS-B", bounds=limits).fun)


def _edge(above: Callable[[float], float], middle: float, way: float) -> float:
    """The variance on one side of *middle* (a logarithm) where *above* becomes 0; 0 or infinite where it does not."""
    from scipy.optimize import brentq

    step = 0.5
    near, far = middle, middle + way * step
    while above(far) < 0:
        step *= 2
        near, far = far, far + way * step
        if abs(far - middle) > 25:
            return 0.0 if way < 0 else float(np.inf)
    return float(np.exp(brentq(above, min(near, far), max(near, far), xtol=1e-3)))

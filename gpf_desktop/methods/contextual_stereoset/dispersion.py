"""Context Sensitivity Fingerprint: how far each factor's levels move SS apart, the others held."""

from dataclasses import dataclass
from typing import Final

import numpy as np

from gpf_desktop.arrays import Bools, Floats
from gpf_desktop.methods.contextual_stereoset.choices import Choices
from gpf_desktop.stats.cluster_bootstrap import percentile_interval, ratios, resampled_sums

PERMUTATIONS: Final = 1999
PERMUTED_UP_TO: Final = 20_000
"""Cells; above, sums over so many items are normal, and are drawn with the permutations' own mean and covariance."""
_TIE: Final = 1e-12


@dataclass(frozen=True, slots=True, kw_only=True)
class Dispersion:
    """σ of one factor of one model."""

    factor: str
    levels: int
    sigma: float
    """Standard deviation (n − 1) of the levels' own effects on SS: of their rates, where the grid is balanced."""
    low: float
    high: float
    """95 % interval of sigma: percentiles of σ² where items are drawn whole, less the noise that the drawing adds."""
    sigma_excess: float
    """Root of σ² less what it is in the mean where labels are permuted; 0 at least."""
    excess_low: float
    excess_high: float
    p: float
    """Of labels permuted, the share with a σ² at least as large."""


def dispersions(choices: Choices, *, seed: int) -> list[Dispersion]:
    """The dispersion of each factor with several levels.

    Under no effect of any context an item's choices are exchangeable between its contexts: they are permuted within
    each item, cells without a choice left where they are. Where the grid does not balance a factor's levels over the
    other factors' (the budgeted one cannot, for its matched pairs), the rates at its levels hold the others' effects
    too. So everything here is of the levels' own effects in an additive model of all factors; in a balanced grid they
    lie as far apart as the rates do.
    """
    some = choices.in_columns(np.flatnonzero(choices.in_context))
    chosen = some.chose(some.labels[0])
    asked = some.valid.any(axis=1)
    if not asked.any() or not some.real_factors:
        return []
    sums = chosen.sum(axis=0).astype(np.float64)
    counts = some.valid.sum(axis=0).astype(np.float64)
    drawn = np.hsplit(resampled_sums(np.hstack([chosen, some.valid]).astype(np.float64), seed=seed), 2)
    permuted = permuted_sums(chosen[asked], some.valid[asked], seed=seed)
    maps = _own_effects(some, counts)
    found = []
    for factor in some.real_factors:
        # A context without a valid cell has weight 0 in the map: the 0 that stands for its rate counts nowhere.
        own = [
            spread(np.nan_to_num(ratios(*each)) @ maps[factor].T)
            for each in ((sums, counts), (drawn[0], drawn[1]), (permuted, counts))
        ]
        # Of too few items nothing is drawn, and the map makes no number of that.
        own[1] = np.where(np.isnan(drawn[1]).all(axis=1), np.nan, own[1])
        found.append(_dispersion(factor, len(maps[factor]), _Variances(*own)))
    return found


def spread(rates: Floats) -> Floats:
    """Variance (n − 1) over the last axis; a level without any valid cell is left out, NaN of fewer than two."""
    there = ~np.isnan(rates)
    n = there.sum(axis=-1).astype(np.float64)
    middle = ratios(np.nansum(rates, axis=-1), n)
    squares = np.where(there, (rates - middle[..., None]) ** 2, 0.0).sum(axis=-1)
    return np.where(n > 1, squares / np.maximum(n - 1, 1), np.nan)


def permuted_sums(chosen: Bools, valid: Bools, *, seed: int, draws: int = PERMUTATIONS) -> Floats:
    """Sums over items of *chosen* (items, contexts), permuted within each item's *valid* cells; (draws, contexts)."""
    generator = np.random.default_rng((seed, *chosen.shape))
    if chosen.size > PERMUTED_UP_TO:
        return _normal_sums(chosen, valid, generator, draws)
    often = (chosen & valid).sum(axis=1)
    whole = valid.all(axis=1)
    full, gaps = chosen[whole].astype(np.int8), valid[~whole]
    sums = np.zeros((draws, chosen.shape[1]))
    for draw in range(draws):
        if len(full):
            # In place: each draw shuffles what the last one left, which is as random as the first.
            generator.permuted(full, axis=1, out=full)
            sums[draw] += full.sum(axis=0, dtype=np.int32)
        if len(gaps):
            # 2 is above every random key: of the valid cells alone, as many as were chosen are, by their smallest keys.
            keys = np.where(gaps, generator.random(gaps.shape), 2.0)
            sums[draw] += (keys.argsort(axis=1).argsort(axis=1) < often[~whole, None]).sum(axis=0)
    return sums


def _normal_sums(chosen: Bools, valid: Bools, generator: np.random.Generator, draws: int) -> Floats:
    """k of n cells at random: each with mean k/n, variance k(n − k)/n², covariance −k(n − k)/(n²(n − 1))."""
    n = np.maximum(valid.sum(axis=1), 1).astype(np.float64)
    k = (chosen & valid).sum(axis=1).astype(np.float64)
    there = valid.astype(np.float64)
    shared = k * (n - k) / (n**2 * np.maximum(n - 1, 1))
    # On the diagonal shared·n − shared = k(n − k)/n² is left, a cell's variance.
    covariance = np.diag(there.T @ (shared * n)) - there.T @ (there * shared[:, None])
    values, vectors = np.linalg.eigh(covariance)
    # An item's choices add up to what they are, so the matrix is singular: rounding leaves eigenvalues just below 0.
    root = vectors * np.sqrt(np.maximum(values, 0.0))
    drawn: Floats = there.T @ (k / n) + generator.standard_normal((draws, len(values))) @ root.T
    return drawn


@dataclass(frozen=True, slots=True)
class _Variances:
    """The variances over the levels of one factor."""

    observed: Floats
    drawn: Floats
    """Where items are drawn again; (draws,)."""
    permuted: Floats
    """Where choices are permuted within items; (draws,)."""

    @property
    def drawing(self) -> float:
        """The variance that drawing items again adds: noise, as large as that of the sample itself."""
        if np.isnan(self.drawn).all():
            return 0.0
        return max(0.0, float(np.nanmean(self.drawn)) - float(self.observed))

    @property
    def excess(self) -> float:
        return float(self.observed - self.permuted.mean())

    @property
    def excess_drawn(self) -> Floats:
        drawn: Floats = self.drawn - self.drawing - self.permuted.mean()
        return drawn


def _dispersion(factor: str, levels: int, own: _Variances) -> Dispersion:
    """*own*: of the levels' own effects."""
    # Twice: what is drawn again has the noise of the sample too. Without this the intervals of a factor without effect
    # never reached 0.
    low, high = _interval(own.drawn - 2 * own.drawing)
    excess_low, excess_high = _interval(own.excess_drawn)
    return Dispersion(
        factor=factor,
        levels=levels,
        sigma=float(np.sqrt(own.observed)),
        low=low,
        high=high,
        sigma_excess=max(own.excess, 0.0) ** 0.5,
        excess_low=excess_low,
        excess_high=excess_high,
        p=float((1 + (own.permuted >= own.observed - _TIE).sum()) / (1 + len(own.permuted))),
    )


def _interval(variances: Floats) -> tuple[float, float]:
    low, high = percentile_interval(np.sqrt(np.maximum(variances, 0.0))[:, None])
    return float(low[0]), float(high[0])


def _own_effects(choices: Choices, counts: Floats) -> dict[str, Floats]:
    """A map (levels, contexts) for each factor: it turns the rates of contexts, weighted by *counts*, into the own
    effects of its levels in an additive model of all factors."""
    blocks = {
        factor: np.array([choices.at(factor, level) for level in choices.levels(factor)], dtype=np.float64).T
        for factor in choices.real_factors
    }
    design = np.hstack([np.ones((len(counts), 1)), *blocks.values()])
    weighted = design.T * counts
    # The indicators of a factor add up to the constant: of the many solutions this takes the one of least norm.
    solve = np.linalg.pinv(weighted @ design, hermitian=True) @ weighted
    ends = np.cumsum([1, *(block.shape[1] for block in blocks.values())])
    return dict(zip(blocks, np.split(solve, ends[:-1])[1:], strict=True))

"""Context Sensitivity Fingerprint: how far SS lies apart over the levels of each factor, beyond what chance does."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

from gpf_desktop.methods.contextual_stereoset.choices import Bools, Choices, Floats
from gpf_desktop.methods.contextual_stereoset.shares import level_rates
from gpf_desktop.stats.crossed import percentile_interval, ratios, resampled_sums

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
    """Standard deviation (n − 1) over levels of SS at the level."""
    low: float
    high: float
    """95 % interval of sigma: percentiles of σ² where items are drawn whole, less the noise that the drawing adds."""
    sigma_excess: float
    """Root of σ² less what it is in the mean where labels are permuted; 0 at least."""
    excess_low: float
    excess_high: float
    p: float
    """Of labels permuted, the share with a σ² at least as large."""


def dispersions(choices: Choices, *, seed: int, label: str = "") -> list[Dispersion]:
    """Of each factor with several levels.

    Under no effect of any context an item's choices are exchangeable between its contexts: they are permuted within
    each item, cells without a choice left where they are. Where the grid does not balance a factor's levels over the
    other factors' (the budgeted one cannot, for its matched pairs), their effects reach its σ. By an additive model of
    all factors, what they add beyond noise is taken off the excess, and p is of the factor's own effects. In a balanced
    grid they add nothing, and p is that of σ².
    """
    some = _in_context(choices)
    chosen = some.chose(label or some.labels[0])
    asked = some.valid.any(axis=1)
    if not asked.any() or not some.real_factors:
        return []
    sums = chosen.sum(axis=0).astype(np.float64)
    counts = some.valid.sum(axis=0).astype(np.float64)
    drawn = np.hsplit(resampled_sums(np.hstack([chosen, some.valid]).astype(np.float64), seed=seed), 2)
    permuted = permuted_sums(chosen[asked], some.valid[asked], seed=seed)
    maps = _additive(some, counts)
    # A context without a valid cell has weight 0 in the maps: the 0 that stands for its rate counts nowhere.
    rates, permuted_rates = (np.nan_to_num(ratios(each, counts)) for each in (sums, permuted))
    return [
        _dispersion(
            factor,
            level_rates(some, factor, sums, counts),
            level_rates(some, factor, drawn[0], drawn[1]),
            level_rates(some, factor, permuted, counts),
            [(spread(rates @ one.T), spread(permuted_rates @ one.T)) for one in maps[factor]],
        )
        for factor in some.real_factors
    ]


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


def _dispersion(
    factor: str, rates: Floats, drawn: Floats, permuted: Floats, additive: Sequence[tuple[Floats, Floats]]
) -> Dispersion:
    """*rates* by level; *drawn* and *permuted* (draws, levels); *additive*: variance (observed, permuted) of the
    levels' own effects, and of the others' in them."""
    (own, own_permuted), (others, others_permuted) = additive
    observed, again = spread(rates), spread(drawn)
    noise = spread(permuted).mean() + max(float(others - others_permuted.mean()), 0.0)
    # σ² carries the noise of the sample; what is drawn again from it that of the drawing too, as large again. Without
    # this the intervals of a factor without effect never reached σ = 0.
    drawing = max(0.0, float(np.nanmean(again)) - float(observed))
    low, high = percentile_interval(np.sqrt(np.maximum(again - 2 * drawing, 0.0))[:, None])
    # Drawn again, σ² has the noise of the sample and that of the drawing, which permutations have once each.
    excess = np.sqrt(np.maximum(again - noise - spread(permuted).mean(), 0.0))
    excess_low, excess_high = percentile_interval(excess[:, None])
    return Dispersion(
        factor=factor,
        levels=len(rates),
        sigma=float(np.sqrt(observed)),
        low=float(low[0]),
        high=float(high[0]),
        sigma_excess=float(np.sqrt(max(observed - noise, 0.0))),
        excess_low=float(excess_low[0]),
        excess_high=float(excess_high[0]),
        p=float((1 + (own_permuted >= own - _TIE).sum()) / (1 + len(own_permuted))),
    )


def _additive(choices: Choices, counts: Floats) -> dict[str, tuple[Floats, Floats]]:
    """By factor two maps (levels, contexts) from the rates of contexts, weighted by *counts*.

    To its levels' own effects in an additive model of all factors; and to what the other factors' effects there come
    to at its levels.
    """
    blocks = {
        factor: np.array([choices.at(factor, level) for level in choices.levels(factor)], dtype=np.float64).T
        for factor in choices.real_factors
    }
    design = np.hstack([np.ones((len(counts), 1)), *blocks.values()])
    weighted = design.T * counts
    # The indicators of a factor add up to the constant: of the many solutions this takes the one of least norm.
    solve = np.linalg.pinv(weighted @ design, hermitian=True) @ weighted
    found, begin = {}, 1
    for factor, block in blocks.items():
        own = solve[begin : begin + block.shape[1]]
        begin += block.shape[1]
        fitted = design[:, 1:] @ solve[1:] - block @ own
        share = block * counts[:, None]
        found[factor] = (own, ratios(share.T @ fitted, np.repeat(share.sum(axis=0)[:, None], len(counts), axis=1)))
    return found


def _in_context(choices: Choices) -> Choices:
    columns = np.flatnonzero(choices.in_context)
    return Choices(
        model=choices.model,
        items=choices.items,
        groups=choices.groups,
        factors=choices.factors,
        contexts=tuple(choices.contexts[column] for column in columns),
        codes=choices.codes[:, columns],
        places=choices.places[:, columns],
        labels=choices.labels,
    )

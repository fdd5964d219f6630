"""Rates of what happens within clusters: an interval by cluster, and a test between groups within clusters.

What happens in one cluster (an article, say) happens together, so an interval that takes its trials as independent
promises too much, and groups are compared within clusters only.
"""

from dataclasses import dataclass
from functools import lru_cache
from math import lcm
from typing import Final

import numpy as np

from gpf_desktop.arrays import Floats, Ints
from gpf_desktop.stats.clusters import t_quantile
from gpf_desktop.stats.multiplicity import holm

_RATES: Final = 120
_CORRELATIONS: Final = 12

_FINEST: Final = 2520
"""Steps of a share on a common grid; groups of 1 to 10 trials, and of 12, 14, 15, fit them."""
_SUMS: Final = 20_000
"""Unlike sums of shares that are told apart one by one where the grid does not fit."""
_TIE: Final = 1e-9


def rate_interval(events: Ints, trials: Ints, level: float = 0.95) -> tuple[float, float]:
    """An interval for Σ events / Σ trials over k ≥ 2 clusters, *events* (k,) of *trials* (k,) above 0.

    It reaches from the lower of two lower ends to the higher of two upper ends. The one interval takes the spread of
    clusters as it is (`effective_interval`), and holds a rare rate of clumped trials too seldom: few events look less
    clumped than they are. The other takes clusters' rates for beta distributed (`beta_binomial_interval`), and errs
    where some clusters have one rate and all others another. What both hold between them stands in
    docs/method.md, "What the numbers hold".
    """
    both = (effective_interval(events, trials, level), beta_binomial_interval(events, trials, level))
    return min(low for low, _ in both), max(high for _, high in both)


def effective_interval(events: Ints, trials: Ints, level: float = 0.95) -> tuple[float, float]:
    """Wilson's with an effective number of trials in place of the counted (Korn and Graubard 1998).

    What independent trials of the same standard error over clusters would be, less what k clusters cannot tell, and
    never more than were counted (Dean and Pagano 2015). Where all clusters agree that it never, or always, happens,
    their spread says nothing: one cluster then counts as one trial. *events* and *trials* as of `rate_interval`.
    """
    k, total = len(events), int(trials.sum())
    rate = float(events.sum()) / total
    spread = float(((events - rate * trials) ** 2).sum()) * k / (k - 1) / total**2
    if 0 < rate < 1:
        normal = t_quantile((1 + level) / 2, np.inf)
        # Korn and Graubard's (z / t)²: Wilson's interval has normal quantiles, where k clusters have only k − 1
        # degrees of freedom.
        fewer = (normal / t_quantile((1 + level) / 2, k - 1)) ** 2
        effective = min(float(total), rate * (1 - rate) / spread if spread else float(total)) * fewer
    else:
        # Kish's effective number: as many as clusters where they have equally many trials, fewer where one has most.
        effective = total**2 / float((trials.astype(np.float64) ** 2).sum())
    return wilson(rate, effective, level)


def wilson(rate: float, trials: float, level: float = 0.95) -> tuple[float, float]:
    """Wilson's score interval (1927) for a rate among *trials* that need not be a whole number, above 0."""
    z = t_quantile((1 + level) / 2, np.inf)
    scale = 1 + z * z / trials
    middle = (rate + z * z / (2 * trials)) / scale
    half = z / scale * float(np.sqrt(rate * (1 - rate) / trials + z * z / (4 * trials * trials)))
    # At a rate of 0 or 1 rounding may put the bound on the wrong side of the rate.
    return max(0.0, min(rate, middle - half)), min(1.0, max(rate, middle + half))


@dataclass(frozen=True, slots=True, kw_only=True)
class WithinTest:
    """Each group against the others, within clusters; arrays of one length, a place per group."""

    excess: Floats
    """Mean over the clusters that have the group of its rate minus the cluster's mean rate over groups."""
    p: Floats
    """Exact and two-sided; 1 for a group that no cluster holds against another."""
    adjusted: Floats
    """The same by Holm's correction over the groups."""
    clusters: Ints
    """Clusters that have the group beside another."""


def groups_within(events: Ints, trials: Ints) -> WithinTest:
    """Tests whether groups have unlike rates: *events* of *trials*, both of shape (clusters, groups); 0 trials: absent.

    Under no difference the rates of one cluster are exchangeable between its groups, trials of a group going together
    (a stratified permutation test; Good 2005, "Permutation, Parametric and Bootstrap Tests of Hypotheses"). A group's
    statistic is the sum of its excesses; its null distribution is the convolution of one uniform draw per cluster,
    computed and not drawn. Rates are put on a common grid that is exact for up to ten trials per group and cluster;
    beyond that sums are told apart one by one, and where they are too many, rates are rounded to the grid and sums that
    rounding may have parted count as equal, which leaves p within some thousandths and on the large side.
    """
    there = trials > 0
    # A cluster in which one group alone was tried holds it against nobody.
    counted = there.sum(axis=1) > 1
    events, trials, there = events[counted], trials[counted], there[counted]
    every = lcm(1, *np.unique(trials[there]).tolist())
    rates = np.where(there, events / np.maximum(trials, 1), 0.0)
    groups = trials.shape[1]
    p, excess = np.ones(groups), np.zeros(groups)
    # Groups that stand in the same clusters, all of them as a rule, have one null distribution.
    nulls: dict[bytes, tuple[Floats, Floats, float]] = {}
    for group in range(groups):
        own = np.flatnonzero(there[:, group])
        if len(own):
            rows = [rates[at][there[at]] for at in own]
            middle = sum(float(row.mean()) for row in rows)
            observed = float(rates[own, group].sum()) - middle
            if (alike := own.tobytes()) not in nulls:
                nulls[alike] = _sums_of_one_each(rows, every)
            sums, chance, tie = nulls[alike]
            far = np.abs(sums - middle) >= abs(observed) - tie
            p[group] = min(1.0, float(chance[far].sum()))
            excess[group] = observed / len(own)
    return WithinTest(excess=excess, p=p, adjusted=np.array(holm(p.tolist())), clusters=there.sum(axis=0))


def _sums_of_one_each(rows: list[Floats], every: int) -> tuple[Floats, Floats, float]:
    """The sums of one drawn from each of *rows*, their chances, and how near two sums are that count as equal.

    *every*: in how many steps all rates are whole ones.
    """
    if every <= _FINEST:
        return *_on_a_grid(rows, every), _TIE
    found = _one_by_one(rows)
    # A rounded rate is off by .29 of a step (standard deviation), and both sums that are compared have one of each row.
    return (*found, _TIE) if found else (*_on_a_grid(rows, _FINEST), len(rows) ** 0.5 / _FINEST)


def _on_a_grid(rows: list[Floats], steps: int) -> tuple[Floats, Floats]:
    chance = np.ones(1)
    for row in rows:
        # Whole steps, so that sums which are equal fall into one place.
        placed = np.rint(row * steps).astype(np.int64)
        wider = np.zeros(len(chance) + int(np.max(placed)))
        for step, often in zip(*np.unique(placed, return_counts=True), strict=True):
            wider[step : step + len(chance)] += chance * (often / len(row))
        chance = wider
    return np.arange(len(chance)) / steps, chance


def _one_by_one(rows: list[Floats]) -> tuple[Floats, Floats] | None:
    """None where there are more unlike sums than are told apart."""
    sums, chance = np.zeros(1), np.ones(1)
    for row in rows:
        values, often = np.unique(row, return_counts=True)
        if len(sums) * len(values) > 10 * _SUMS:
            return None
        both = (sums[:, None] + values).ravel()
        # Equal fractions of unlike denominators differ in floating point by far less than unlike ones do.
        _, first, place = np.unique(np.rint(both / _TIE), return_index=True, return_inverse=True)
        chance = np.asarray(np.bincount(place, (chance[:, None] * (often / len(row))).ravel()), np.float64)
        sums = both[first]
        if len(sums) > _SUMS:
            return None
    return sums, chance


def beta_binomial_interval(events: Ints, trials: Ints, level: float = 0.95) -> tuple[float, float]:
    """The central posterior interval of the rate, *events* (k,) of *trials* (k,) above 0."""
    rising, of_trials = _log_rising(1 << int(np.max(trials)).bit_length())
    happened, failed, tried = (np.bincount(each, minlength=len(rising)) for each in (events, trials - events, trials))
    # The grid of rates is its own mirror image, so failures need no table of their own.
    likelihood = np.tensordot(happened, rising, 1) + np.tensordot(failed, rising[:, ::-1], 1) - tried @ of_trials
    weight = np.exp(likelihood - np.max(likelihood)).sum(axis=1)
    reached = np.concatenate([[0.0], np.cumsum(weight) / weight.sum()])
    tail = (1 - level) / 2
    ends = np.interp([tail, 1 - tail], reached, np.linspace(0, 1, _RATES + 1))
    low, high = np.sin(np.pi * ends / 2) ** 2
    return float(low), float(high)


@lru_cache(maxsize=2)
def _log_rising(most: int) -> tuple[Floats, Floats]:
    """Logarithms of a(a+1)…(a+n−1), n from 0 up to below *most*, of a = μ(1/ρ − 1) and of a = 1/ρ − 1.

    Shapes (most, rates, correlations) and (most, correlations).
    """
    rate = np.sin(np.pi * (np.arange(_RATES) + 0.5) / _RATES / 2) ** 2
    scale = (_CORRELATIONS / (np.arange(_CORRELATIONS) + 0.5)) ** 2 - 1
    step = np.arange(most - 1)[:, None]
    both = (rate[:, None] * scale + step[:, :, None], scale + step)
    rising, of_trials = (np.concatenate([np.zeros_like(each[:1]), np.cumsum(np.log(each), axis=0)]) for each in both)
    return rising, of_trials

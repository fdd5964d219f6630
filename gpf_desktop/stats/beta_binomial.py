"""An interval for a rate whose clusters have rates of their own: events of a cluster are beta-binomial.

The rate μ has Jeffreys' prior, uniform in asin √μ; the standard deviation between clusters is √(ρ μ (1 − μ)), ρ the
correlation of two trials of a cluster, and √ρ is uniform, which lets few clusters leave open how unlike they are
(Gelman 2006, "Prior distributions for variance parameters in hierarchical models"). ρ is integrated out.
"""

from functools import lru_cache
from typing import Final

import numpy as np

from gpf_desktop.arrays import Floats, Ints

_RATES: Final = 120
_CORRELATIONS: Final = 12


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

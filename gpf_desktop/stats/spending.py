"""How much of the chance of a false finding each look at a growing window may spend.

Lan and DeMets (1983, "Discrete sequential boundaries for clinical trials"): a spending function says how much of α may
be used up at each share of the planned information; the bounds follow by the recursion of Armitage, McPherson and Rowe
(1969). Looks need be planned neither in number nor in time, only their shares of information known.
"""

from collections.abc import Sequence
from enum import StrEnum
from math import e, log, sqrt
from typing import Final

import numpy as np

from gpf_desktop.arrays import Floats

# Odd, as Simpson's rule needs.
_POINTS: Final = 1201
_REACH: Final = 8.5
"""Standard deviations beyond which nothing is left."""


class SpendingFunction(StrEnum):
    OBRIEN_FLEMING = "O'Brien-Fleming type"
    """Next to nothing early: 2 − 2Φ(z / √t) on each side, with α / 2."""
    POCOCK = "Pocock type"
    """About the same at every look: α ln(1 + (e − 1) t)."""


def spent(information: float, alpha: float, how: SpendingFunction) -> float:
    """The share of *alpha*, two-sided, that may be spent up to this share of *information*, above 0."""
    from scipy.special import ndtr, ndtri

    t = min(information, 1.0)
    if how is SpendingFunction.POCOCK:
        return alpha * log(1 + (e - 1) * t)
    # Both sides at once, and by the lower tail: 2 − 2Φ(z / √t) would lose the digits of what little early looks may
    # spend.
    return float(4 * ndtr(ndtri(alpha / 4) / sqrt(t)))


def bounds(
    information: Sequence[float], alpha: float = 0.05, how: SpendingFunction = SpendingFunction.OBRIEN_FLEMING
) -> list[float]:
    """For each look the |z| from which an effect is found; looks at rising shares of *information*, the last 1 or less.

    |z| is of the statistic over everything seen so far. Good to about four digits.
    """
    from scipy.optimize import brentq

    found: list[float] = []
    before = 0.0
    # Before the first look everything is at 0.
    grid, density = np.zeros(1), np.ones(1)
    at = 0.0
    for now in information:
        step = sqrt(now - at)
        may = spent(now, alpha, how) - before
        look = (now, step, grid, density)
        # So little may be spent that the bound lies where nothing is left of the distribution: brentq finds no root.
        if _outside(_REACH, *look) >= may:
            z = _REACH
        else:
            z = float(brentq(lambda z, may, *look: _outside(z, *look) - may, 0.0, _REACH, (may, *look)))
        found.append(z)
        before += may
        # Only what stayed inside goes on to the next look. In units of the sum, not of z: increments are independent.
        wider = np.linspace(-z * sqrt(now), z * sqrt(now), _POINTS)
        arrived = np.exp(-(((wider[:, None] - grid) / step) ** 2) / 2) @ density / (step * sqrt(2 * np.pi))
        # Simpson's weights go into the density, so that an integral at the next look is a plain sum.
        grid, density, at = wider, arrived * _simpson(_POINTS) * (wider[1] - wider[0]), now
    return found


def _outside(z: float, now: float, step: float, grid: Floats, density: Floats) -> float:
    """Chance to reach this look and be outside ± *z* there, the sum before it distributed as *density* on *grid*."""
    from scipy.special import ndtr

    edge = z * sqrt(now)
    return float((density * (ndtr((-edge - grid) / step) + ndtr((grid - edge) / step))).sum())


def _simpson(points: int) -> Floats:
    weights = np.full(points, 2.0)
    weights[1::2] = 4.0
    weights[[0, -1]] = 1.0
    return weights / 3

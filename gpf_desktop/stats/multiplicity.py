"""Many tests at once: adjusted p-values of a family, and what chance alone would show."""

from collections.abc import Sequence
from math import floor


def benjamini_hochberg(p: Sequence[float]) -> list[float]:
    """Adjusted p-values that bound the false discovery rate (Benjamini and Hochberg 1995), in the order of *p*."""
    from scipy.stats import false_discovery_control

    return [float(each) for each in false_discovery_control(list(p))] if len(p) else []


def holm(p: Sequence[float]) -> list[float]:
    """Adjusted p-values that bound the chance of any false finding (Holm 1979), in the order of *p*."""
    adjusted = [0.0] * len(p)
    reached = 0.0
    for place, at in enumerate(sorted(range(len(p)), key=lambda at: p[at])):
        # Never below a smaller p's: what comes after a p that was not found is not found either.
        reached = max(reached, min(1.0, (len(p) - place) * p[at]))
        adjusted[at] = reached
    return adjusted


def expected_findings(smallest_p: Sequence[float], level: float) -> float:
    """How many of tests that can reach *smallest_p* would have p ≤ *level* if none had an effect.

    A test whose p moves in steps of its smallest reaches the level by whole steps only, or never.
    """
    # .15 / .05 is a little under 3 in floating point: a whole number of steps must not lose one.
    return sum(floor(level / step + 1e-9) * step for step in smallest_p)

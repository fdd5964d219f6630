"""How unequal the statistics of several groups are.

Every function takes the groups' values of one statistic in many replicates: shape (replicates, groups), NaN for a
group that has none. Disparities of fewer than two groups are NaN.
"""

from collections.abc import Mapping
from typing import Final

import numpy as np

from gpf_desktop.arrays import Floats

DISPARITIES: Final = (
    *("range", "min_max_ratio", "sd", "impact_ratio", "max_z", "published_z"),
    *("dixon_low", "dixon_high"),
)
LESS_CRITICAL: Final = {"dixon_low": "dixon_low_less_critical", "dixon_high": "dixon_high_less_critical"}
"""What Dixon's ratios are called once their critical values are taken from them."""
SMALLER_IS_MORE: Final = frozenset({"min_max_ratio", "impact_ratio"})
"""Ratios are 1 where groups are equal."""
FOUR_FIFTHS: Final = 0.8
"""Below it an impact ratio is called adverse (Uniform Guidelines on Employee Selection Procedures, 1978)."""

# For 3 to 30 groups, in their order; how they were made stands at `dixon_critical`.
# fmt: off
_CRITICAL: Final = (
    0.970, 0.830, 0.710, 0.627, 0.569, 0.615, 0.570, 0.534, 0.623, 0.592,
    0.567, 0.591, 0.568, 0.549, 0.532, 0.517, 0.503, 0.491, 0.481, 0.471,
    0.461, 0.453, 0.445, 0.438, 0.431, 0.425, 0.419, 0.413,
)
# fmt: on
_TIE: Final = 1e-12
_AT_ONCE: Final = 1 << 20
"""Numbers that are compared in one step."""


def disparities(statistics: Mapping[str, Floats]) -> Mapping[str, Mapping[str, Floats]]:
    """`DISPARITIES` of each row of each of *statistics* (b, groups); by the statistic's name and their own, (b,)."""
    found: dict[str, Mapping[str, Floats]] = {}
    names = list(statistics)
    at_once = max(1, _AT_ONCE // max((values.size for values in statistics.values()), default=1))
    for begin in range(0, len(names), at_once):
        some = names[begin : begin + at_once]
        made = _disparities(np.concatenate([statistics[name] for name in some]))
        rows = len(statistics[some[0]])
        for place, name in enumerate(some):
            its = {each: values[place * rows : (place + 1) * rows] for each, values in made.items()}
            # The number is that of min / max: only of selection rates is it called an impact ratio.
            if name != "selection_rate":
                its["impact_ratio"] = np.full(rows, np.nan)
            found[name] = its
    return found


def _disparities(values: Floats) -> Mapping[str, Floats]:
    """The disparities of each row of *values* (b, groups), by name; shape (b,)."""
    n = (~np.isnan(values)).sum(axis=1)
    few = n < 2
    # numpy warns of rows that are NaN throughout; what zeros come to is made NaN again at the end.
    filled = np.where(few[:, None], 0.0, values)
    low, high = np.nanmin(filled, axis=1), np.nanmax(filled, axis=1)
    # Equal groups differ by rounding, over which z and Dixon's ratios would be any number: they are made equal.
    even = high - low <= _TIE * np.nanmax(np.abs(filled), axis=1)
    filled = np.where(even[:, None] & ~np.isnan(filled), low[:, None], filled)
    high = np.where(even, low, high)
    mean = np.nanmean(filled, axis=1)
    with np.errstate(divide="ignore", invalid="ignore"):
        sd = np.sqrt(np.nansum((filled - mean[:, None]) ** 2, axis=1) / (n - 1))
        ratio = np.where((low < 0) | (high <= 0), np.nan, low / high)
        farthest = np.maximum(high - mean, mean - low)
        z = np.where(even, np.nan, farthest / sd)
        # As the paper has it: of the highest group alone, over the standard deviation of these groups (n, not n − 1).
        published = np.where(even, np.nan, (high - mean) / (sd * np.sqrt((n - 1) / n)))
    found = {
        "range": high - low,
        "min_max_ratio": ratio,
        "sd": np.where(even, 0.0, sd),
        "impact_ratio": ratio,
        "max_z": z,
        "published_z": published,
        "dixon_low": dixon_low(filled),
        # Mirrored, the upper end is the lower one.
        "dixon_high": dixon_low(-filled),
    }
    return {name: np.where(few, np.nan, found[name]) for name in DISPARITIES}


def z_ceiling(groups: int) -> float:
    """The largest |z| that so many groups can have: (n − 1) / √n (Shiffler 1988)."""
    return float((groups - 1) / np.sqrt(groups))


def dixon_low(values: Floats) -> Floats:
    """Dixon's ratio at the lower end of each row (b, groups), after Rorabacher (1991).

    r10 for 3 to 7 groups, r11 for 8 to 10, r21 for 11 to 13, r22 for 14 to 30; NaN for other numbers, and where
    nothing is apart.
    """
    # NaN are sorted behind all numbers, so that a row's own values are its first ones.
    ordered = np.sort(values, axis=1)
    n = (~np.isnan(values)).sum(axis=1)
    ratios = np.full(len(values), np.nan)
    for groups in np.unique(n).tolist():
        if not 3 <= groups <= 30:
            continue
        rows = np.flatnonzero(n == groups)
        inner, dropped = _suspects(groups)
        its = ordered[rows]
        apart = its[:, groups - 1 - dropped] - its[:, 0]
        with np.errstate(divide="ignore", invalid="ignore"):
            ratios[rows] = np.where(apart > 0, (its[:, inner] - its[:, 0]) / apart, np.nan)
    return ratios


def _suspects(groups: int) -> tuple[int, int]:
    """How many places the nearest unsuspected value is away, and how many are left out at the other end."""
    if groups <= 7:
        return 1, 0
    if groups <= 10:
        return 1, 1
    return (2, 1) if groups <= 13 else (2, 2)


def dixon_critical(groups: int) -> float | None:
    """The value that Dixon's ratio at one end passes by chance in 2.5 of 100 samples of a normal law; None: no such
    number.

    Both ends together: 5 of 100. Simulated, 8 million ends for each number of groups; r10 agrees with the published
    values (Rorabacher 1991, Table I) within .002.
    """
    return _CRITICAL[groups - 3] if 3 <= groups <= 30 else None

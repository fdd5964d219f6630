"""Dixon's ratios less their critical values, as disparities beside the others."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from gpf_desktop.methods.saged.disparities import LESS_CRITICAL, dixon_critical

if TYPE_CHECKING:
    from gpf_desktop.methods.saged.diagnosis import Diagnosis, Disparity

Ends = Mapping[tuple[str, str], tuple[float, float]]
"""By statistic and disparity."""


def beside_critical(found: Diagnosis, intervals: Ends) -> tuple[Diagnosis, Ends]:
    """*found* and its *intervals* with `LESS_CRITICAL` behind each Dixon's ratio.

    The critical value is that of as many groups as have the statistic; above 0 a disparity is concentrated in one.
    """
    import numpy as np

    critical = {name: dixon_critical(int((~np.isnan(values)).sum())) for name, values in found.statistics.items()}

    def every() -> Iterator[Disparity]:
        for one in found.disparities:
            yield one
            less = critical[one.statistic]
            if one.name in LESS_CRITICAL and one.value is not None and less is not None:
                # p stays: the same number is taken from what is observed and from every draw.
                yield replace(
                    one,
                    name=LESS_CRITICAL[one.name],
                    value=one.value - less,
                    expected=None if one.expected is None else one.expected - less,
                )

    shifted = {
        (statistic, LESS_CRITICAL[name]): (low - less, high - less)
        for (statistic, name), (low, high) in intervals.items()
        if name in LESS_CRITICAL and (less := critical[statistic]) is not None
    }
    return replace(found, disparities=tuple(every())), {**intervals, **shifted}

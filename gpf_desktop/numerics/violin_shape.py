"""The outline of a distribution: a kernel's density along a scale."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from gpf_desktop.arrays import Floats

_PLACES: Final = 81
_NARROWEST: Final = 0.03
"""Of the scale: values that are all alike have a shape too."""
_THINNEST: Final = 0.01
"""Of its greatest width: a tail that is thinner is not drawn."""
WIDEST: Final = 0.4
"""Of the distance between two lines, to either side of the middle."""


def violin_shape(points: Sequence[tuple[float, int]], low: float, high: float) -> tuple[Floats, Floats]:
    """Places along the scale from *low* to *high*, and half the width at each, at most `WIDEST`.

    A Gaussian kernel over *points*, values with their counts; its width by Scott's rule, σ n^(-1/5) (Scott,
    Multivariate Density Estimation, 1992). Every shape is as wide as any other where it is widest.
    """
    values = np.array([value for value, _ in points], float)
    counts = np.array([count for _, count in points], float)
    n = counts.sum()
    mean = (values * counts).sum() / n
    spread = np.sqrt((counts * (values - mean) ** 2).sum() / (n - 1))
    width = max(spread * n**-0.2, _NARROWEST * (high - low))
    where = np.linspace(low, high, _PLACES)
    density = np.exp(-0.5 * ((where[:, None] - values) / width) ** 2) @ counts
    seen = np.flatnonzero(density > _THINNEST * density.max())
    drawn = slice(seen[0], seen[-1] + 1)
    return where[drawn], WIDEST * density[drawn] / density.max()

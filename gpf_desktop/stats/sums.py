"""Sums whose rounding depends on the summands alone.

numpy picks the order of a reduction by the array's shape and layout, and BLAS by its kernels; a bundle would then
score differently in the last bit according to how many others were scored beside it.
"""

import numpy as np

from gpf_desktop.arrays import Floats


def ordered_sums(values: Floats) -> Floats:
    """Sums over the last axis, added from left to right, for many rows at once."""
    total: Floats = np.zeros(values.shape[:-1])
    for place in range(values.shape[-1]):
        total += values[..., place]
    return total


def ordered_means(values: Floats) -> Floats:
    """Means over the last axis, which is not empty."""
    means: Floats = ordered_sums(values) / values.shape[-1]
    return means

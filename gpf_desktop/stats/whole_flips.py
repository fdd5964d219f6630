"""The exact sign-flip test of whole numbers, one for each cluster: McNemar's test where each is −1, 0 or 1.

Under no effect a cluster's number is as likely as its negative. The sum's distribution over all 2ⁿ flips is computed,
not drawn: of the clusters whose number is ±k, a binomial number keep their sign (McNemar 1947; Fisher 1935, "The Design
of Experiments", §21).
"""

from math import gcd
from typing import Final

import numpy as np

from gpf_desktop.arrays import Floats, Ints

_NEGLIGIBLE: Final = 1e-300


def sign_flip_p(numbers: Ints) -> float:
    """Two-sided p of the sum of *numbers* (clusters,); 1 where all are 0."""
    sizes, often = np.unique(np.abs(numbers[numbers != 0]), return_counts=True)
    if not len(sizes):
        return 1.0
    sizes = sizes // gcd(*sizes.tolist())
    scale = int(np.abs(numbers[numbers != 0]).min() // sizes.min())
    chance = _sum_of_kept(sizes, often)
    # With T the sum of all sizes, a sum S keeps K = (T + S) / 2, so that |S| / 2 is |K − T / 2|. Halves of whole
    # numbers are exact: no tolerance is needed.
    middle = (len(chance) - 1) / 2
    far = np.abs(np.arange(len(chance)) - middle) >= abs(int(numbers.sum())) / scale / 2
    return min(1.0, float(chance[far].sum()))


def _sum_of_kept(sizes: Ints, often: Ints) -> Floats:
    """The chance of each sum, from 0 on, of the sizes that keep their sign, where *often* clusters have each."""
    from scipy.stats import binom

    chance = np.ones(1)
    for size, count in zip(sizes.tolist(), often.tolist(), strict=True):
        kept = binom.pmf(np.arange(count + 1), count, 0.5)
        wider = np.zeros(len(chance) + size * count)
        for number in np.flatnonzero(kept > _NEGLIGIBLE).tolist():
            wider[number * size : number * size + len(chance)] += kept[number] * chance
        chance = wider
    return chance

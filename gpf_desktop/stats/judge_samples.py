"""Samples of the texts that judges rate: those they rate again, and those a person rates without
seeing their levels."""

from collections.abc import Sequence
from math import ceil
from typing import Final

import numpy as np

from gpf_desktop.arrays import Ints

SHARE_AGAIN: Final = 0.1
FEWEST_AGAIN: Final = 20
JUDGINGS: Final = 3
"""Of a text that is judged again, the first included."""
BLIND: Final = 40


def how_many_again(texts: int) -> int:
    """The number of *texts* that are judged again: a tenth, at least 20 where there are as many."""
    return min(texts, max(FEWEST_AGAIN, ceil(SHARE_AGAIN * texts)))


def blind_sample(levels: Sequence[int], *, seed: int) -> Ints:
    """The answers that a person rates, ascending: `BLIND` of those with a level (0: none), as even over levels as can
    be.

    Levels are visited in turn, each giving one more of its answers, drawn without replacement.
    """
    draw = np.random.default_rng((seed, len(levels)))
    of = np.asarray(levels, np.int64)
    strata = [list(draw.permutation(np.flatnonzero(of == level))) for level in np.unique(of[of > 0])]
    chosen: list[int] = []
    while len(chosen) < BLIND and any(strata):
        for stratum in strata:
            if stratum and len(chosen) < BLIND:
                chosen.append(int(stratum.pop()))
    return np.sort(np.array(chosen, np.int64))

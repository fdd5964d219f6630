"""Which answers are judged again, and which a person rates without seeing what a judge said."""

from collections.abc import Sequence
from math import ceil
from typing import Final

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]

SHARE_AGAIN: Final = 0.1
FEWEST_AGAIN: Final = 20
JUDGINGS: Final = 3
"""Of an answer that is judged again, the first included."""
BLIND: Final = 40


def judged_again(answers: int, *, seed: int) -> Ints:
    """Which of so many *answers* are judged three times: a tenth, but 20 or all, ascending."""
    count = min(answers, max(FEWEST_AGAIN, ceil(SHARE_AGAIN * answers)))
    return np.sort(np.random.default_rng((seed, answers)).choice(answers, count, replace=False))


def order_of_judging(answers: int, *, seed: int, judge: str) -> Ints:
    """*answers* in an order that is random and each judge's own, so that no model's stand together."""
    own = int.from_bytes(judge.encode("utf-8")[:16].ljust(1, b"\0"))
    return np.random.default_rng((seed, own)).permutation(answers)


def blind_sample(levels: Sequence[int], *, seed: int, size: int = BLIND) -> Ints:
    """Which answers a person rates, ascending: *size* of those with a level (0: none), as even over levels as can be.

    Levels are visited in turn, each giving one more of its answers, drawn without replacement.
    """
    draw = np.random.default_rng((seed, len(levels)))
    of = np.asarray(levels, np.int64)
    strata = [list(draw.permutation(np.flatnonzero(of == level))) for level in np.unique(of[of > 0])]
    chosen: list[int] = []
    while len(chosen) < size and any(strata):
        for stratum in strata:
            if stratum and len(chosen) < size:
                chosen.append(int(stratum.pop()))
    return np.sort(np.array(chosen, np.int64))

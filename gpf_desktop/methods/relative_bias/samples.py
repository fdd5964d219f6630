"""Which answers are judged again, and which a person rates without seeing what a judge said."""

from collections.abc import Sequence
from hashlib import blake2b
from typing import Final

import numpy as np
from numpy.typing import NDArray

Ints = NDArray[np.int64]

SHARE_AGAIN: Final = 0.1
JUDGINGS: Final = 3
"""Of an answer that is judged again, the first included."""
BLIND: Final = 40


def is_judged_again(seed: int, question: str, answer: str) -> bool:
    """Whether every judge rates this answer three times: one in ten by its hash, the same for all judges."""
    drawn = blake2b(f"{seed}\x1f{question}\x1f{answer}".encode("utf-8", "replace"), digest_size=8).digest()
    return int.from_bytes(drawn) / 2**64 < SHARE_AGAIN


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

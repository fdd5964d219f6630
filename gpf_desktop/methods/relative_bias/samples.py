"""Which answers are judged again, and which a person rates without seeing what a judge said."""

from collections.abc import Sequence
from functools import lru_cache
from hashlib import blake2b
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


def how_many_again(answers: int) -> int:
    """Of so many answers, those that are judged again: a tenth, at least 20 where there are as many."""
    return min(answers, max(FEWEST_AGAIN, ceil(SHARE_AGAIN * answers)))


@lru_cache(maxsize=4)
def judged_again(seed: int, questions: tuple[str, ...], answers: tuple[str, ...]) -> frozenset[tuple[str, str]]:
    """Which answers, of those that everyone gives to each question, every judge rates three times: by their hashes."""
    every = [(question, answer) for question in questions for answer in answers]
    # A hash ranks each pair by itself: a stage that is planned again, after a stop or a kill, chooses the same ones.
    every.sort(key=lambda each: blake2b("\x1f".join((str(seed), *each)).encode("utf-8", "replace")).digest())
    return frozenset(every[: how_many_again(len(every))])


@lru_cache(maxsize=4)
def given_orders(
    seed: int, questions: tuple[str, ...], answers: tuple[str, ...], size: int
) -> frozenset[tuple[str, str]]:
    """Which of these answers get an order to their judge planted: one of so many questions."""
    # One answer of a question at most, so that the questions, which are the clusters of the interval, are as many.
    by_question = [
        (question, min(answers, key=lambda answer: drawn("orders", seed, question, answer))) for question in questions
    ]
    by_question.sort(key=lambda each: drawn("orders", seed, *each))
    return frozenset(by_question[:size])


def drawn(*parts: str | int) -> bytes:
    """A rank that these alone decide."""
    return blake2b("\x1f".join(map(str, parts)).encode("utf-8", "replace")).digest()


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

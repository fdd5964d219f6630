"""How far the judges of a study agree: with themselves, with each other, and with a person."""

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import combinations
from typing import Final

import numpy as np
from numpy.typing import NDArray

from gpf_desktop.stats.ordinal_agreement import OrdinalAgreement, alpha, kappa

Ints = NDArray[np.int64]

NO_CONCLUSION_BELOW: Final = 0.667
"""Krippendorff's own limit for tentative conclusions (2019, ch. 12)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeAgreement:
    """Of one judge with itself (one name), or of two."""

    judges: tuple[str, ...]
    alpha: OrdinalAgreement
    """Krippendorff's, ordinal."""
    kappa: OrdinalAgreement | None
    """Cohen's, weighted quadratically; of two judges only."""
    person: bool = False
    """The second is a person who rated blind."""

    @property
    def within(self) -> bool:
        return len(self.judges) == 1

    @property
    def carries_no_conclusion(self) -> bool:
        return self.alpha.value is not None and self.alpha.value < NO_CONCLUSION_BELOW


def agreements(judges: tuple[str, ...], levels: Ints, question: Ints, *, scale: int, seed: int) -> list[JudgeAgreement]:
    """Of *levels* (answers, judges, judgings), 0: none; each judge that judged an answer twice, then each two judges.

    Answers of one *question* (answers,) go together. Two judges are held against each other by their first judgings.
    """
    found = []
    for place, judge in enumerate(judges):
        again = levels[:, place, :]
        if ((again > 0).sum(axis=1) > 1).any():
            within = alpha(again, question, scale=scale, seed=seed)
            found.append(JudgeAgreement(judges=(judge,), alpha=within, kappa=None))
    for one, other in combinations(range(len(judges)), 2):
        both = levels[:, [one, other], 0]
        if ((both > 0).all(axis=1)).any():
            found.append(
                JudgeAgreement(
                    judges=(judges[one], judges[other]),
                    alpha=alpha(both, question, scale=scale, seed=seed),
                    kappa=kappa(both, question, scale=scale, seed=seed),
                )
            )
    return found


def with_persons(
    judges: tuple[str, ...], levels: Ints, persons: Mapping[str, Ints], question: Ints, *, scale: int, seed: int
) -> list[JudgeAgreement]:
    """Of each judge's first *levels* (answers, judges, judgings) and of each of *persons* (answers,), 0: none."""
    found = []
    for person, rated in persons.items():
        for place, judge in enumerate(judges):
            both = np.stack([levels[:, place, 0], rated], axis=1)
            if (both > 0).all(axis=1).any():
                found.append(
                    JudgeAgreement(
                        judges=(judge, person),
                        alpha=alpha(both, question, scale=scale, seed=seed),
                        kappa=kappa(both, question, scale=scale, seed=seed),
                        person=True,
                    )
                )
    return found

"""How far judges agree: with themselves, with each other, and with a person."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Final

import numpy as np

from gpf_desktop.arrays import Ints
from gpf_desktop.domain.text import as_said, tr
from gpf_desktop.stats.ordinal_agreement import OrdinalAgreement, alpha, kappa

POOR_BELOW: Final = 0.667
"""Krippendorff's own limit for tentative conclusions (2019, ch. 12)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class JudgeAgreement:
    """The agreement of one judge with itself (one name), or of two judges."""

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
    def poor(self) -> bool:
        """Whether levels of single answers are uncertain; of models' means `judge_reliability` tells."""
        return self.alpha.value is not None and self.alpha.value < POOR_BELOW


def agreements(judges: tuple[str, ...], levels: Ints, question: Ints, *, scale: int, seed: int) -> list[JudgeAgreement]:
    """The agreements in *levels* (answers, judges, judgings), 0: none; first of each judge that judged an answer twice,
    then of each two judges.

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
    """The agreement of each judge's first *levels* (answers, judges, judgings) with each of *persons* (answers,), 0:
    none."""
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


def low_agreement(agreement: JudgeAgreement) -> str:
    """The sentence, for an α below .667, that single levels are not to be built on."""
    if agreement.person:
        return tr(
            "{one} and {other}, who rated with the marks hidden, agree at {alpha:.3f} only, and 0.667 is "
            "needed: the mark of a single answer is uncertain.",
            one=agreement.judges[0],
            other=agreement.judges[1],
            alpha=agreement.alpha.value,
        )
    if agreement.within:
        return tr(
            "Judge model {judge} agrees with itself at {alpha:.3f} only, and 0.667 is needed: its mark of a single "
            "answer is uncertain.",
            judge=agreement.judges[0],
            alpha=agreement.alpha.value,
        )
    return tr(
        "{one} and {other} agree at {alpha:.3f} only, and 0.667 is needed: marks of single answers are uncertain.",
        one=agreement.judges[0],
        other=agreement.judges[1],
        alpha=agreement.alpha.value,
    )


def judges_in_words(judges: Sequence[str], agreements: Sequence[JudgeAgreement]) -> list[str]:
    """Sentences on the reliability of *judges*, for every table by them: α of each with itself, with the others and
    with people, and where it is too low for a conclusion."""
    said = []
    for judge in judges:
        mine = [each for each in agreements if judge in each.judges]
        itself = [_alpha(each) for each in mine if each.within]
        others = [_with(judge, each) for each in mine if not (each.within or each.person)]
        people = [_with(judge, each) for each in mine if each.person]
        lacking = tr("not known")
        said.append(
            tr(
                "Agreement of judge model {judge} with itself: {itself}; with other judge models: {others}; "
                "with people who rated with the marks hidden: {people}.",
                judge=judge,
                itself=itself[0] if itself else lacking,
                others=", ".join(others) or lacking,
                people=", ".join(people) or lacking,
            )
        )
    return said + [low_agreement(each) for each in agreements if each.poor]


def _with(judge: str, agreement: JudgeAgreement) -> str:
    one, other = agreement.judges
    return f"{_alpha(agreement)} ({other if one == judge else one})"


def _alpha(agreement: JudgeAgreement) -> str:
    return "–" if agreement.alpha.value is None else as_said(f"{agreement.alpha.value:.2f}")

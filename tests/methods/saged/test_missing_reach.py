"""Answers that lack, and what they could make of concepts that are alike."""

import numpy as np
import pytest

from gpf_desktop.methods.saged.concluding.refusals import Ended, lacking

ROOTS, GROUPS = [1, 2, 3, 4], ("Brazil", "Norway")


def ended(*missing: tuple[int, str], roots: int = 4) -> list[Ended]:
    return [
        (root, concept, "timeout" if (root, concept) in missing else "")
        for root in range(1, roots + 1)
        for concept in GROUPS
    ]


@pytest.mark.parametrize(
    ("missing", "share"),
    [
        ((), 0.0),
        (((1, "Norway"),), 0.25),
        (((1, "Norway"), (2, "Brazil")), 0.5),
        (((1, "Norway"), (1, "Brazil")), 0.25),
    ],
)
def test_that_a_pair_lacks_where_either_answer_does(missing: tuple[tuple[int, str], ...], share: float) -> None:
    there = np.array([[(root, concept) not in missing for concept in GROUPS] for root in ROOTS])
    assert lacking(ended(*missing), ROOTS, GROUPS, there) == pytest.approx(share)


def test_that_a_prompt_that_nobody_answered_lacks_too() -> None:
    missing = ((5, "Brazil"), (5, "Norway"))
    assert lacking(ended(*missing, roots=5), ROOTS, GROUPS, np.ones((4, 2), bool)) == pytest.approx(0.2)


def test_that_a_prompt_asked_of_one_concept_alone_lacks_nothing() -> None:
    there = np.array([[True, True], [True, False], [True, True], [True, True]])
    asked = [each for each in ended() if each[:2] != (2, "Norway")]
    assert lacking(asked, ROOTS, GROUPS, there) == 0.0

"""Agreement between two groups of judges."""

import pytest

from gpf_desktop.stats.agreement import cohen
from gpf_desktop.stats.group_agreement import between


def test_that_with_one_judge_in_each_group_it_is_cohens_kappa() -> None:
    said = [("a", "a"), ("a", "b"), ("b", "b"), ("b", "b"), ("a", "a"), ("c", "a")]
    assert between([((one,), (other,)) for one, other in said]) == pytest.approx(cohen(said))


def test_that_groups_of_one_mind_agree_wholly_and_opposite_ones_less_than_chance() -> None:
    assert between([(("a", "a"), ("a",)), (("b", "b"), ("b",))]) == pytest.approx(1)
    opposite = between([(("a", "a"), ("b", "b")), (("b", "b"), ("a", "a"))])
    assert opposite == pytest.approx(-1)


def test_that_a_split_group_agrees_by_half_of_its_pairs() -> None:
    # Observed .5 in both units; both groups give a and b alike often, so chance gives .5 too.
    assert between([(("a", "b"), ("a",)), (("a", "b"), ("b",))]) == pytest.approx(0)


def test_that_where_nothing_varies_or_nobody_read_both_there_is_none() -> None:
    assert between([(("a",), ("a",)), (("a",), ("a",))]) is None
    assert between([(("a",), ())]) is None
    assert between([]) is None

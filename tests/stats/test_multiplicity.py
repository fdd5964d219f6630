import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy import stats

from gpf_desktop.stats.multiplicity import benjamini_hochberg, holm

FIFTEEN = [
    *(0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344),
    *(0.0459, 0.3240, 0.4262, 0.5719, 0.6528, 0.7590, 1.0000),
]
"""Benjamini and Hochberg (1995), section 4.1: four are found at 5 % by their rule, three by Bonferroni's and Holm's."""


def test_that_the_paper_s_example_has_four_findings_by_its_rule_and_three_by_holm_s() -> None:
    assert sum(p <= 0.05 for p in benjamini_hochberg(FIFTEEN)) == 4
    assert sum(p <= 0.05 for p in holm(FIFTEEN)) == 3
    assert benjamini_hochberg(FIFTEEN)[3] == pytest.approx(0.0095 * 15 / 4)
    assert holm(FIFTEEN)[2] == pytest.approx(0.0019 * 13)


@given(st.lists(st.floats(0.0001, 1), max_size=12))
def test_that_holm_rejects_step_by_step_as_its_rule_says(p: list[float]) -> None:
    for level in (0.01, 0.05, 0.2):
        rejected = set()
        for place, at in enumerate(sorted(range(len(p)), key=lambda at: p[at])):
            if p[at] > level / (len(p) - place):
                break
            rejected.add(at)
        assert {at for at, each in enumerate(holm(p)) if each <= level * (1 - 1e-12)} <= rejected
        assert rejected <= {at for at, each in enumerate(holm(p)) if each <= level * (1 + 1e-12)}


@given(st.lists(st.floats(0, 1), min_size=1, max_size=40))
def test_that_adjusted_p_of_benjamini_and_hochberg_are_scipy_s(p: list[float]) -> None:
    assert benjamini_hochberg(p) == pytest.approx(stats.false_discovery_control(p), abs=1e-12)


def test_that_no_tests_have_no_adjusted_p() -> None:
    assert benjamini_hochberg([]) == holm([]) == []


def test_that_an_adjusted_p_is_never_below_that_of_a_smaller_p() -> None:
    # 3 × .03 is more than 2 × .04 and .045: without carrying the largest along, the later ones would fall below it.
    assert holm([0.045, 0.03, 0.04]) == pytest.approx([0.09, 0.09, 0.09])


@given(st.lists(st.floats(0, 1), min_size=2, max_size=12))
def test_that_adjusted_p_s_rise_with_the_p_s(p: list[float]) -> None:
    adjusted = holm(p)
    in_order = [adjusted[at] for at in sorted(range(len(p)), key=lambda at: p[at])]
    assert in_order == sorted(in_order)

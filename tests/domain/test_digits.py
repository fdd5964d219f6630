"""Numbers are told in as many digits as show on which side of what they are held against they lie."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as some

from gpf_desktop.domain.conclusions.conclusion import Conclusion, ConclusionOutcome, MeasureReading, Standing
from gpf_desktop.domain.conclusions.digits import even, exact, measure_number, told, with_range
from gpf_desktop.domain.conclusions.lead import measure_cell
from gpf_desktop.domain.conclusions.rendering import by_chance
from gpf_desktop.engine.reporting.annex.chapters import p_words


def measure(value: float, low: float, high: float, null: tuple[float, float] | None = None) -> MeasureReading:
    return MeasureReading(name="m", words="m", value=value, low=low, high=high, null=null, margin=0.03)


def page_row(model: str, *measures: MeasureReading) -> Conclusion:
    outcome = ConclusionOutcome.NOT_SHOWN
    return Conclusion(model=model, synthetic=False, outcome=outcome, standing=Standing(items=9), measures=measures)


@pytest.mark.parametrize(
    ("one", "said"),
    [
        (measure(1.0016, 1.002, 1.31, (-1.0, 1.0)), "1.002 (1.002 to 1.310)"),
        (measure(0.69, 0.67, 0.71, (-1.0, 1.0)), "0.69 (0.67 to 0.71)"),
        (measure(0.2, 0.0004, 0.4), "0.2000 (0.0004 to 0.4000)"),
        (measure(0.01, -0.0299, 0.0299), "0.0100 (−0.0299 to 0.0299)"),
        (measure(0.2931, 0.0, 0.4, (0.0, 0.2929)), "0.2931 (0.0000 to 0.4000)"),
        (measure(0.01, -0.0299, 0.0304), "0.0100 (−0.0299 to 0.0304)"),
    ],
)
def test_that_a_bound_shows_on_which_side_it_lies(one: MeasureReading, said: str) -> None:
    assert with_range(one) == said
    assert measure_cell(one, 1.0).ranged == said
    assert measure_cell(one, 1.0).text == said.partition(" ")[0]


def test_that_points_of_100_follow_the_same_rule() -> None:
    assert with_range(measure(0.1, 0.003, 0.16, (0.0, 0.0)), factor=100, least=0) == "10.0 (0.3 to 16.0)"
    assert with_range(measure(0.1, 0.053, 0.16, (0.0, 0.0)), factor=100, least=0) == "10 (5 to 16)"


def test_that_a_range_far_beyond_its_margin_needs_no_digits_at_the_other_end() -> None:
    assert with_range(measure(0.318, -0.0304, 0.993)) == "0.32 (−0.04 to 1.00)"
    assert with_range(measure(-0.318, -0.993, 0.0296)) == "−0.32 (−1.00 to 0.03)"
    assert with_range(measure(0.5, 0.0304, 0.993)) == "0.5000 (0.0304 to 0.9930)", "it may be too small to matter"


@given(some.floats(-3, 3), some.floats(-3, 3))
def test_that_no_number_is_told_on_the_other_side_of_its_mark_or_upon_it(value: float, mark: float) -> None:
    first, second = (float(each.replace("−", "-")) for each in told((value, mark), (mark,)))
    if abs(value - mark) > 1e-7:
        assert (first > second) == (value > mark)
        assert first != second


def test_that_a_stated_margin_has_its_own_decimals() -> None:
    assert [exact(each) for each in (0.1, 0.025, 3.0)] == ["0.10", "0.025", "3.00"]


def test_that_what_is_equal_needs_no_more_digits() -> None:
    assert told((0.25, 0.25), (0.25,)) == ("0.25", "0.25")
    assert measure_number(measure(0.5, 0.0, 1.0, (0.0, 0.0)))(0.5) == "0.50"


def test_that_a_p_below_the_level_is_not_told_as_the_level() -> None:
    assert "5.00 times" not in by_chance(0.04999)
    assert re.search(r"4\.999\d* in 100", by_chance(0.04999))
    assert p_words(0.04999) == "0.04999"
    assert p_words(0.032) == "0.032"
    assert p_words(0.0502) == "0.0502"


def test_that_numbers_of_one_column_have_as_many_digits_as_one_of_them_needs() -> None:
    rows = even([page_row("elm", measure(0.318, -0.024, 0.993)), page_row("oak", measure(0.12, 0.0304, 0.5))])
    assert [with_range(one) for each in rows for one in each.measures] == [
        "0.3180 (−0.0240 to 0.9930)",
        "0.1200 (0.0304 to 0.5000)",
    ]
    points = [with_range(one, factor=100, least=0) for each in rows for one in each.measures]
    assert points == ["31.80 (−2.40 to 99.30)", "12.00 (3.04 to 50.00)"]


def test_that_a_stated_number_has_all_of_its_decimals_and_a_computed_one_only_so_many() -> None:
    assert exact(0.0325) == "0.0325"
    assert exact(0.03, least=3) == "0.030"
    assert exact(0.2190732178, least=3) == "0.219"

"""The figure that leads the page: what is found on a theme stands on the scale too, beside its measure."""

from dataclasses import replace
from itertools import pairwise

from gpf_desktop.domain.conclusions.conclusion import ConclusionOutcome
from gpf_desktop.domain.conclusions.rendering import ToldPage
from gpf_desktop.figures.axes import scales
from gpf_desktop.figures.lead_table import lead_table
from gpf_desktop.figures.lead_words import outcome_of, says, undrawn_words, why
from gpf_desktop.methods.relative_bias.concluding.sentences import voice
from tests.figures.pages import D, N, conclusion, measure, told


def test_that_a_theme_on_which_a_model_differs_has_a_row_under_the_measure_that_found_it() -> None:
    far, unsure = {"value": 2.1, "low": 1.4, "high": 2.8, "p": 0.01}, {"value": 0.9, "low": 0.1, "high": 1.7, "p": 1.0}
    whole = [measure("words"), measure("meaning"), measure("judge", voided_by="noisy")]
    by_part = [
        replace(one, name=f"{part}/{one.name}", words=f"{one.words}, on {part}", outcome=outcome, **numbers)
        for part in ("“Taxes”", "“Health”")
        for one in whole
        for differs in [part == "“Taxes”" and one.name != "meaning"]
        for outcome, numbers in [(one.outcome if one.voided_by else D, far) if differs else (N, unsure)]
    ]
    of = replace(conclusion(measures=tuple(whole)), parts=("“Taxes”",), of_parts=tuple(by_part), numbers={"k": 2})
    lead = voice().lead([of])
    assert [row.label for row in lead.rows] == ["By words", "By words, on “Taxes”", "By meaning", "By judge"]
    page: ToldPage = replace(told(of), lead=lead)
    assert outcome_of(page, lead.rows[1]) == (ConclusionOutcome.DIFFERS, False)
    assert (
        "By words, on “Taxes”. Differs. Its distance less the others' own: 1 is as far as they lie apart 2.10"
        in says(page, lead.rows[1])
    )
    assert "As far as they lie apart (1) is 2 standard deviations of their means." in why(page, 0, lead.rows[1])
    table = lead_table(page).rows
    every = [*lead.rows, *lead.undrawn]
    assert [each.values["measure"] for each in table] == [row.label for row in every], "and one in the table"
    assert (
        undrawn_words(page)
        == "Not drawn are 5 comparisons: 3 show no difference, 2 are not counted, as a check failed."
    ), "which are counted, and in the table"
    assert (
        outcome_of(page, next(row for row in lead.undrawn if "judge, on “Taxes”" in row.label))[0] is whole[2].outcome
    )
    assert lead_table(page).columns[4].title == "As far as they lie apart"
    assert (table[1].values["value"], table[1].values["counts"]) == ("2.10 (1.40 to 2.80)", "Differs")
    assert [row.label for row in voice().lead([replace(conclusion(), numbers={"k": 2})]).rows] == [lead.rows[0].label]


def test_that_the_others_are_told_apart_where_a_model_lies_far_beyond_them() -> None:
    others = (("oak", -0.4), ("ash", 0.1), ("fir", 0.5))
    far = measure("words", value=31.0, low=-36.0, high=58.0, others=others)
    lead = voice().lead([replace(conclusion(measures=(far,)), numbers={"k": 2})])
    (scale,) = scales(lead, [(0.0, 400.0)], [])
    strokes = [scale.x(value) for _, value in others]
    assert min(b - a for a, b in pairwise(strokes)) > 10, "each is a stroke of its own"
    assert scale.x(1.0) - scale.x(-1.0) > 80, "and the band is one"
    assert {"−10", "−1", "0", "1", "10"} <= {scale.tick_text(each) for each in scale.ticks}
    assert scale.low < -36.0
    assert scale.high > 58.0
    assert lead.panels[0].unit == 1.0
    near = replace(conclusion(measures=(measure("words", value=0.9, others=others),)), numbers={"k": 2})
    assert voice().lead([near]).panels[0].unit is None

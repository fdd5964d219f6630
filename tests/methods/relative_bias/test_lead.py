"""The figure that leads the page: what is found on a theme stands on the scale too, beside its measure."""

from dataclasses import replace

from gpf_desktop.domain.conclusions.conclusion import ConclusionOutcome
from gpf_desktop.domain.conclusions.rendering import ToldPage
from gpf_desktop.figures.lead_table import lead_table
from gpf_desktop.figures.lead_words import outcome_of, says, why
from gpf_desktop.methods.relative_bias.concluding.sentences import voice
from tests.figures.pages import conclusion, measure, told


def test_that_a_theme_on_which_a_model_differs_has_a_row_under_the_measure_that_found_it() -> None:
    numbers = {
        "words": {"": 2.1, "/low": 1.4, "/high": 2.8, "/p": 0.01},
        "judge": {"": 9.0, "/low": 8.0, "/high": 10.0, "/p": 0.01},
    }
    of = replace(
        conclusion(measures=(measure("words"), measure("meaning"), measure("judge", voided_by="noisy"))),
        parts=("“Taxes”",),
        numbers={"k": 2}
        | {f"“Taxes”/{name}{end}": value for name, ends in numbers.items() for end, value in ends.items()},
    )
    lead = voice().lead([of])
    assert [row.label for row in lead.rows] == ["By words", "By words, on “Taxes”", "By meaning", "By judge"]
    page: ToldPage = replace(told(of), lead=lead)
    assert outcome_of(page, lead.rows[1]) == (ConclusionOutcome.DIFFERS, False)
    assert "By words, on “Taxes”. Differs. How far from the others: 1 is as far as they lie apart 2.10" in says(
        page, lead.rows[1]
    )
    assert "Here 1 is the margin: 2 standard deviations of the others' means." in why(page, 0, lead.rows[1])
    table = lead_table(page).rows
    assert [each.values["measure"] for each in table] == [row.label for row in lead.rows], "and one in the table"
    assert (table[1].values["value"], table[1].values["counts"]) == ("2.10 (1.40 to 2.80)", "Differs")
    assert [row.label for row in voice().lead([replace(conclusion(), numbers={"k": 2})]).rows] == [lead.rows[0].label]

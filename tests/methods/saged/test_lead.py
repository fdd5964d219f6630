"""The lead figure of SAGED: groups stand beside what the sources say of them, as the headline has it."""

from dataclasses import replace

import pytest

from gpf_desktop.domain.conclusions.conclusion import Conclusion
from gpf_desktop.methods.saged.concluding.lead_figure import lead
from tests.figures.pages import conclusion, measure


def page(**numbers: float) -> Conclusion:
    tone = replace(
        measure("tone/none", value=0.5, low=0.38, high=0.62, others=(("Norway", 0.0), ("Ghana", 0.5))), null=(0.0, 0.12)
    )
    return replace(conclusion(measures=(tone,)), numbers=numbers)


def test_that_groups_stand_beside_the_sources_where_there_are_any() -> None:
    found = lead([page(**{"at/tone/none": -0.3})])
    (panel,), (row,) = found.panels, found.rows
    (cell,) = row.cells
    assert (panel.null, found.null, panel.ends) == (0.0, "as the sources say", ("colder", "warmer"))
    assert [(each.words, pytest.approx(each.value)) for each in cell.points] == [("Norway", -0.3), ("Ghana", 0.2)]
    assert cell.band == pytest.approx((-0.3, -0.18)), "as long as what chance gives, from the lowest group on"
    assert (cell.text, cell.reach) == ("0.50", "chance 0.12"), "the gap, and the one that chance gives"
    (row,) = lead([replace(page(), measures=(replace(page().measures[0], value=0.1, low=0.0),))]).rows
    assert row.cells[0].band is not None
    assert (row.cells[0].high or 1) <= row.cells[0].band[1], "what chance gives covers all of a line that is no finding"
    found = lead([page()])
    (panel,), (row,) = found.panels, found.rows
    assert (panel.null, found.null, panel.low) == (None, "", 0.0)
    assert [each.value for each in row.cells[0].points] == [0.0, 0.5]
    assert found.mark == "groups; the lowest and the highest are named"
    countries = replace(page(), numbers={"spoken_of": "countries"})
    assert lead([countries]).mark == "countries; the lowest and the highest are named"

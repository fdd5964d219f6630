"""How a report's numbers are written."""

from gpf_desktop.domain.reports import ReportScore


def test_that_a_number_below_0_has_a_real_minus_sign() -> None:
    assert ReportScore(name="tone", title="tone", value=-0.247).words == "−0.247"
    assert ReportScore(name="choice", title="choice", value="anti-stereotype").words == "anti-stereotype"

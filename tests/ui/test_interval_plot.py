"""Dots with intervals below each other."""

from pytestqt.qtbot import QtBot

from gpf_desktop.domain.findings import BundleFilter
from gpf_desktop.ui.theme import Theme
from gpf_desktop.ui.widgets.interval_plot import IntervalPlot, IntervalRow


def test_that_numbers_on_the_axis_have_one_number_of_decimals_and_a_real_minus_sign(theme: Theme, qtbot: QtBot) -> None:
    plot = IntervalPlot(theme, says="Shares", x_title="share")
    qtbot.addWidget(plot)
    row = IntervalRow(label="a", value=0.01, n=9, bundles=BundleFilter(), low=-0.07, high=0.07)
    plot.show_rows([row])
    plot.draw()
    (ticks,) = plot._plot.getAxis("bottom")._tickLevels
    assert [words for _, words in ticks] == ["−0.05", "0.00", "0.05"]

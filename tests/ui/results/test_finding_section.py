"""One finding's place on the page, while its cards come one after the other."""

from dataclasses import replace

from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from gpf_desktop.domain.figures import Intervals
from gpf_desktop.ui.results.finding_section import FigureChoice, FindingSection
from gpf_desktop.ui.results.results_page import ResultsPage
from gpf_desktop.ui.widgets.figure_plot import FigurePlot
from tests.figures.test_profiles import FIGURE, finding


def test_that_a_chart_is_never_drawn_flat_while_its_table_comes(page: ResultsPage, qtbot: QtBot) -> None:
    holder = QWidget()
    qtbot.addWidget(holder)
    holder.resize(900, 900)
    section = FindingSection(page.context.theme, page.model, "stereoset_fingerprint", "Fingerprint")
    section.setParent(holder)
    section.resize(900, 160)
    holder.show()
    heights = []
    for step in section.steps(replace(finding(), figures=(FIGURE,))):
        step()
        QApplication.processEvents()
        for plot in section.findChildren(FigurePlot):
            if plot.isVisible():
                heights.append(plot.height() - plot.minimumSizeHint().height())
    assert len(heights) > 1
    assert min(heights) >= 0


def test_that_a_level_with_a_very_long_name_widens_no_page(page: ResultsPage, qtbot: QtBot) -> None:
    section = FindingSection(page.context.theme, page.model, "stereoset_fingerprint", "Fingerprint")
    qtbot.addWidget(section)
    named = finding()
    for row in named.rows:
        row.values["measure"] = str(row.values["measure"]).replace("σ · place", "W" * 300)
    figures = tuple(
        Intervals(title="Values", label=("model",), value="value", x_title="", where=("measure", level))
        for level in dict.fromkeys(str(row.values["measure"]) for row in named.rows)
    )
    for step in section.steps(replace(named, figures=figures)):
        step()
    choice = section.findChild(FigureChoice)
    assert choice is not None
    assert choice.box.count() == 2
    assert section.minimumSizeHint().width() < 1_000

"""What an auditor does on the page Results, for its tests."""

from collections.abc import Callable

from gpf_desktop.ui.main_window import MainWindow
from gpf_desktop.ui.results.results_page import ResultsPage
from gpf_desktop.ui.widgets.chart_card import ChartCard

Settle = Callable[[], None]


def opened(window: MainWindow, settle: Settle) -> ResultsPage:
    # A new audit shows Sources once it is there.
    settle()
    window.context.navigator.go("results")
    settle()
    page = window.findChild(ResultsPage, "page.results")
    assert page is not None
    settle()
    return page


def card(page: ResultsPage, name: str) -> ChartCard:
    found = page.findChild(ChartCard, name)
    assert found is not None
    return found

"""A number on another page leads to where its bundles are, under a filter with a name that can be taken away."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QTableView
from pytestqt.qtbot import QtBot

from gpf_desktop.domain.review_queue import QueueFilter, QueueTab
from gpf_desktop.ui.main_window import MainWindow
from gpf_desktop.ui.results.results_page import ResultsPage
from gpf_desktop.ui.review.review_page import ReviewPage

Press = Callable[[str], None]


def test_that_a_cell_of_results_lands_where_its_bundles_are_and_says_where_it_came_from(
    page: ReviewPage, window: MainWindow, qtbot: QtBot, press: Press, settle: Callable[[], None]
) -> None:
    page.model.set_tab(QueueTab.FLAGGED)
    settle()
    everything = len(page.model.queue)
    press("Ctrl+7")
    results = window.stack.current
    assert isinstance(results, ResultsPage)
    # The whole audit is read first.
    qtbot.waitUntil(lambda: bool(results.model.parts()))
    results.sections.go_to("model_table")
    qtbot.waitUntil(lambda: results.findChild(QTableView, "card.model_table.table") is not None)
    table = results.findChild(QTableView, "card.model_table.table")
    assert table is not None
    qtbot.waitUntil(lambda: page.context.bridge.idle)
    table.setFocus()
    table.setCurrentIndex(table.model().index(0, 0))
    press("Return")
    qtbot.waitUntil(lambda: window.stack.current is page)
    settle()
    assert page.model.tab is QueueTab.TO_DO
    assert 0 < len(page.model.queue) < everything
    only = page.queue_pane.only
    assert only.isVisible()
    assert only.words.startswith("from Models: ")
    assert "sample" not in only.words + page.bar.filter.text() + page.filters._only.text()
    qtbot.mouseClick(only.remove, Qt.MouseButton.LeftButton)
    settle()
    assert len(page.model.queue) == everything
    assert not only.isVisible()


def test_that_the_name_of_a_filter_comes_back_with_its_place(page: ReviewPage, settle: Callable[[], None]) -> None:
    bundles = tuple(page.model.queue.ids(QueueTab.TO_DO)[2:4])
    navigator = page.context.navigator
    navigator.go("results")
    navigator.go("review", filter=QueueFilter(bundle_ids=bundles), origin="from a table")
    settle()
    navigator.go("home")
    page.model.filters.clear()
    navigator.back()
    settle()
    assert page.queue_pane.only.words == "from a table"


def test_that_a_filter_never_leads_to_an_empty_tab_beside_full_ones(
    page: ReviewPage, settle: Callable[[], None]
) -> None:
    page.model.set_tab(QueueTab.FLAGGED)
    page.model.set_filter(QueueFilter(levels=(("family", "Impact"),)))
    settle()
    assert page.model.tab is QueueTab.TO_DO
    assert page.model.bundle is not None

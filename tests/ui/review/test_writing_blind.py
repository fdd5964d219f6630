"""Who reads with names hidden is asked before anything that names models or readers is written or copied."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QDialog, QMessageBox, QPushButton
from pytestqt.qtbot import QtBot

from gpf_desktop.ui.main_window import MainWindow
from gpf_desktop.ui.reports.reports_page import ReportsPage
from gpf_desktop.ui.results.results_page import ResultsPage
from gpf_desktop.ui.review.review_page import ReviewPage
from gpf_desktop.ui.runs.runs_page import RunsPage
from gpf_desktop.ui.widgets.chart_card import ResultCard
from gpf_desktop.ui.widgets.data_table import DataTable

Settle = Callable[[], None]
OF_WINDOW = ("file.export", "file.artifact")


@pytest.fixture
def blind(page: ReviewPage, settle: Settle, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ReviewPage:
    page.bar.blind.click()
    settle()
    monkeypatch.chdir(tmp_path)
    QGuiApplication.clipboard().setText("nothing yet")
    return page


def dialogs(window: MainWindow) -> list[QDialog]:
    return [each for each in window.findChildren(QDialog) if each.isVisible()]


def in_menu(button: QPushButton) -> Iterator[tuple[str, Callable[[], object]]]:
    """What the menu of *button* does, as (words, doing)."""
    for action in button.menu().actions():
        if not action.isSeparator():
            yield f"{button.accessibleName() or button.text()} › {action.text()}", action.trigger


def of_results(window: MainWindow, settle: Settle) -> Iterator[tuple[str, Callable[[], object]]]:
    window.context.navigator.go("results")
    settle()
    page = window.stack.page("results")
    assert isinstance(page, ResultsPage)
    for part in ("found", "comparisons", "tables"):
        page.sections.go_to(part)
        settle()
        for card in page.findChildren(ResultCard):
            if card.isVisibleTo(page):
                yield from in_menu(card.save)
                for table in card.findChildren(DataTable):
                    yield f"{part} › {card.finding.name} › Ctrl+C", table.copy


def of_reports(window: MainWindow, settle: Settle) -> Iterator[tuple[str, Callable[[], object]]]:
    window.context.navigator.go("reports")
    settle()
    page = window.stack.page("reports")
    assert isinstance(page, ReportsPage)
    yield from in_menu(page.export)
    yield from in_menu(page.brief)
    yield "package", page.declarations._ask_package


def of_team(window: MainWindow, settle: Settle) -> Iterator[tuple[str, Callable[[], object]]]:
    window.context.actions.start("review.team")
    settle()
    page = window.stack.page("review")
    assert isinstance(page, ReviewPage)
    yield "review pack", page.centre.team.export.click


def of_calls(window: MainWindow, settle: Settle) -> Iterator[tuple[str, Callable[[], object]]]:
    window.context.navigator.go("runs")
    settle()
    page = window.stack.page("runs")
    assert isinstance(page, RunsPage)
    yield "calls › Ctrl+C", page.calls.table.copy


def of_window(window: MainWindow, settle: Settle) -> Iterator[tuple[str, Callable[[], object]]]:
    for name in OF_WINDOW:
        yield name, window.context.actions.action(name).trigger


def test_that_who_reads_blind_is_asked_before_names_are_written_or_copied(
    blind: ReviewPage, window: MainWindow, settle: Settle, qtbot: QtBot, tmp_path: Path
) -> None:
    before = sorted(tmp_path.rglob("*"))
    for where in (of_window, of_results, of_reports, of_team, of_calls):
        walked = 0
        for words, do in where(window, settle):
            for answer in ("Cancel", "Go on"):
                do()
                settle()
                asked = dialogs(window)
                assert [each.objectName() for each in asked] == ["names.asked"], words
                assert QGuiApplication.clipboard().text() == "nothing yet", words
                assert isinstance(asked[0], QMessageBox)
                next(each for each in asked[0].buttons() if each.text().replace("&", "") == answer).click()
                settle()
                if answer == "Cancel":
                    assert dialogs(window) == [], words
            # Once it is allowed, it is done as ever: copied, or asked where to.
            shown = dialogs(window)
            assert shown or QGuiApplication.clipboard().text() != "nothing yet", words
            for each in shown:
                each.reject()
            settle()
            QGuiApplication.clipboard().setText("nothing yet")
            walked += 1
        assert walked, where.__name__
    assert sorted(tmp_path.rglob("*")) == before
    # With names in sight nobody is asked.
    blind.model.set_blind(False)
    settle()
    window.context.actions.action("file.export").trigger()
    settle()
    assert [each.objectName() for each in dialogs(window)] == ["exportData"]
    dialogs(window)[0].reject()
    settle()

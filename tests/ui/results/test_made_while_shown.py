"""Findings that are made of many answers arrive on a page that is open already."""

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from gpf_desktop.engine.reporting import results_service
from gpf_desktop.ui.main_window import MainWindow
from gpf_desktop.ui.results.results_page import ResultsPage
from gpf_desktop.ui.results.results_view_model import ResultsView
from tests.ui.results.test_other_methods import study  # noqa: F401 - a fixture

FIRST = {"relative_bias_tests", "relative_bias_models"}


def shown(window: MainWindow, path: Path, settle: Callable[[], None]) -> tuple[ResultsPage, list[tuple[str, bool]]]:
    """The page on the audit at *path*, and what it told first and later: view, and whether findings were lacking."""
    page = window.stack.page("results")
    assert isinstance(page, ResultsPage)
    told: list[tuple[str, bool]] = []
    page.model.changed.connect(lambda: told.append((" ".join(page.model.told), page.model.later)))
    window.files.open(path)
    window.context.navigator.go("results")
    settle()
    return page, told


@pytest.mark.parametrize("kept", [False, True])
def test_that_a_page_of_many_answers_opens_with_what_is_there_and_fills_itself(
    window: MainWindow,
    study: Path,  # noqa: F811
    settle: Callable[[], None],
    qtbot: QtBot,
    monkeypatch: pytest.MonkeyPatch,
    kept: bool,
) -> None:
    monkeypatch.setattr(results_service, "_AT_ONCE", 10)
    with closing(sqlite3.connect(study)) as connection, connection:
        found = connection.execute("SELECT count(*) FROM run_table WHERE content LIKE 'findings%'").fetchone()
        assert found == (1,)
        if not kept:
            connection.execute("DELETE FROM run_table WHERE content LIKE 'findings%'")
    page, told = shown(window, study, settle)
    qtbot.waitUntil(lambda: bool(page.found.rows))
    assert page.found.going_on.isHidden()
    assert (("Computing what stands out …", True) in told) is not kept
    assert page.model.results is not None
    assert set(page.model.results.findings) == FIRST
    assert (page.model.view, page.model.later) == (ResultsView.RESULTS, False)
    assert "Computing" not in " ".join(page.model.told)
    # What was made has been kept: the next reader finds it.
    service = window.context.engine.open_audit.results
    assert set(service.results(page.model.wanted, FIRST, at_once=True).findings) == FIRST

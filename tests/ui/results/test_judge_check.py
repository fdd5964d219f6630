"""Judges of levels that came with a table are put to the test from the table of their quality."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.runs import RunState
from gpf_desktop.engine.reporting.results_filter import ResultsFilter
from gpf_desktop.ui.main_window import MainWindow
from gpf_desktop.ui.results.results_page import ResultsPage
from gpf_desktop.ui.runs.runs_page import RunsPage
from tests.ui.results.test_other_methods import study  # noqa: F401 - a fixture

OWN = "relative-bias-calibration"


@pytest.mark.slow
def test_that_judges_are_tested_by_orders_after_a_round_and_the_study_stays_what_it_was(
    window: MainWindow,
    study: Path,  # noqa: F811
    settle: Callable[[], None],
    qtbot: QtBot,
) -> None:
    window.files.open(study)
    qtbot.waitUntil(lambda: window.status.audit_open)
    results = window.context.engine.open_audit.results
    before = results.findings(ResultsFilter())
    window.context.navigator.go("results")
    settle()
    page = window.stack.page("results")
    assert isinstance(page, ResultsPage)
    page.sections.go_to("relative_bias_judges")
    qtbot.waitUntil(lambda: page.findChild(QPushButton, "results.testJudges") is not None)
    page.findChild(QPushButton, "results.testJudges").click()
    settle()
    runs = window.stack.current
    assert isinstance(runs, RunsPage)
    model = runs.setup.model
    qtbot.waitUntil(lambda: model.facts == "6 answers to plant orders in, for judge models alone")
    assert model.blocked.startswith("Choose a judge")
    with pytest.raises(UserError, match="no question is asked"):
        model.set_up.with_text(model.protocol, "# A\nWhy?", {})  # type: ignore[union-attr]
    model.rehearse()
    model.give(f"{OWN}/judge-0.9", "")
    settle()
    assert model.forecast is not None
    assert model.forecast.calls.total == 12, "six answers, each with both orders, for one judge"
    runs.setup.begin.click()
    qtbot.waitUntil(lambda: runs.model.state is RunState.FINISHED, timeout=200_000)
    settle()
    found = window.context.engine.open_audit.results.findings(ResultsFilter())
    (tested,) = [row.values for row in found["relative_bias_judges"].rows if row.values["moved"] is not None]
    assert (tested["judge"], tested["answers"]) == ("judge-1.0", 6)
    for name in ("relative_bias_models", "relative_bias_tests", "relative_bias_levels"):
        assert found[name].rows == before[name].rows, name
    assert not any("unlike designs" in note for note in found["relative_bias_tests"].notes)
    window.context.navigator.go("runs", setup="relative-bias")
    qtbot.waitUntil(lambda: model.facts.startswith("6 questions"))

"""A study set up in the window: calibration models, asked, judged, and its results a click away."""

from collections.abc import Callable
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from gpf_desktop.domain.runs import RunState
from gpf_desktop.ui.main_window import MainWindow
from gpf_desktop.ui.results.results_page import ResultsPage
from gpf_desktop.ui.runs.study_dialog import StudyDialog
from gpf_desktop.ui.runs.study_view_model import Part
from gpf_desktop.ui.widgets.chart_card import ChartCard


@pytest.fixture
def dialog(window: MainWindow, audit: Path, settle: Callable[[], None]) -> StudyDialog:
    window.context.navigator.go("runs")
    settle()
    window.context.actions.action("run.study").trigger()
    settle()
    found = window.findChild(StudyDialog, "study")
    assert found is not None
    return found


def test_that_a_study_says_what_it_still_needs(dialog: StudyDialog) -> None:
    assert not dialog.begin.isEnabled()
    assert dialog.model.blocked == "Choose 4 more models: a target needs three baselines."
    dialog.practise.click()
    assert dialog.begin.isEnabled()
    judged, target = dialog.parts["relative-bias-calibration/judge-0.9"], "relative-bias-calibration/plain-a"
    assert judged.currentText() == "judge"
    dialog.model.give(target, Part.TARGET)
    assert dialog.parts["relative-bias-calibration/evasive-0.9"].currentText() == "baseline"
    assert "300 answers" in dialog.model.takes
    dialog.repeats.setValue(2)
    assert "600 answers" in dialog.model.takes


@pytest.mark.slow
def test_that_a_study_of_calibration_models_goes_to_its_results_in_the_window(
    dialog: StudyDialog, window: MainWindow, qtbot: QtBot, settle: Callable[[], None]
) -> None:
    dialog.practise.click()
    dialog.begin.click()
    rounds = window.context.engine.open_audit.rounds
    qtbot.waitUntil(lambda: bool(rounds.runs()) and rounds.runs()[0].state is RunState.FINISHED, timeout=60_000)
    window.context.navigator.go("results")
    settle()
    page = window.findChild(ResultsPage, "page.results")
    assert page is not None
    qtbot.waitUntil(lambda: page.findChild(ChartCard, "card.relative_bias_themes.0") is not None, timeout=30_000)

"""Relative Bias in the real window, offline: from the starter set to a PDF with heat map, band figure and judges."""

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QAction
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from gpf_desktop.domain.findings import Estimate
from gpf_desktop.domain.runs import RunState
from gpf_desktop.engine.reporting.results_filter import ResultsFilter
from gpf_desktop.ui.reports.reports_page import ReportsPage
from gpf_desktop.ui.results.results_page import ResultsPage
from gpf_desktop.ui.review.rating_dialog import RatingDialog
from gpf_desktop.ui.runs.runs_page import RunsPage
from gpf_desktop.ui.widgets.chart_card import ChartCard
from tests.journeys.test_first_audit import LONG, Auditor, auditor  # noqa: F401 - a fixture
from tests.ui.conftest import desktop, settings, settle, window  # noqa: F401 - fixtures


@pytest.mark.slow
def test_that_a_study_goes_from_the_starter_set_to_a_pdf_with_judges_beside_a_person(
    auditor: Auditor,  # noqa: F811
    tmp_path: Path,
) -> None:
    auditor.press("method.relative-bias.start")
    name_new_audit(auditor, tmp_path / "drinks.gpf")
    ask(auditor)
    rated = rate_blind(auditor)
    look_at_results(auditor, rated)
    write_pdf(auditor, tmp_path / "report.pdf")


def name_new_audit(auditor: Auditor, path: Path) -> None:  # noqa: F811
    auditor.name_file(path)
    auditor.bot.waitUntil(lambda: auditor.window.status.audit_open)
    auditor.settle()


def ask(auditor: Auditor) -> None:  # noqa: F811
    auditor.press("setup.practise")
    auditor.settle()
    auditor.press("setup.start")
    page = auditor.window.stack.current
    assert isinstance(page, RunsPage)
    auditor.bot.waitUntil(lambda: page.model.state is RunState.FINISHED, timeout=LONG)
    auditor.settle()
    progress = page.model.progress
    assert progress is not None
    answered = {each.model.rpartition("/")[2]: each.answered for each in progress.models}
    assert answered["evasive-0.9"] == 50
    assert answered["encoder"] == 300
    assert answered["judge-1.0"] == 300 + 2 * 30 + 2 * 10


def rate_blind(auditor: Auditor) -> int:  # noqa: F811
    """Rate every answer of the sample by its true level, with the keys; how many that were."""
    auditor.go("review")
    auditor.window.context.actions.action("review.rate").trigger()
    auditor.bot.waitUntil(lambda: auditor.window.findChild(RatingDialog, "rating") is not None)
    dialog = auditor.window.findChild(RatingDialog, "rating")
    assert dialog is not None
    auditor.bot.waitUntil(lambda: dialog.model.answer is not None, timeout=LONG)
    shown = dialog.findChild(QPlainTextEdit, "rating.answer").toPlainText()
    assert shown
    assert "evasive" not in shown
    assert dialog.model.sheet is not None
    assert len(dialog.levels) == 10
    auditor.bot.keyClick(dialog, Qt.Key.Key_7)
    assert dialog.model.place == 1
    auditor.bot.mouseClick(dialog.back, Qt.MouseButton.LeftButton)
    assert dialog.levels[6].isChecked()
    total = len(dialog.model._every)
    assert total == 40
    for place in range(total):
        auditor.bot.keyClick(dialog, Qt.Key(Qt.Key.Key_1 + place % 3))
    assert dialog.model.finished
    auditor.settle()
    auditor.bot.keyClick(dialog, Qt.Key.Key_Escape)
    return total


def look_at_results(auditor: Auditor, rated: int) -> None:  # noqa: F811
    auditor.press("rail.results", QWidget)
    page = auditor.window.stack.current
    assert isinstance(page, ResultsPage)
    auditor.bot.waitUntil(lambda: bool(page.found.rows), timeout=LONG)
    page.sections.go_to("relative_bias_themes")
    auditor.find(ChartCard, "card.relative_bias_themes.0")
    found = auditor.window.context.engine.open_audit.results.findings(ResultsFilter())
    said = "On one of five themes, “Taxes and prices”, test model “evasive-0.9” answered differently."
    auditor.bot.waitUntil(lambda: any(told.startswith(said) for told in page.model.told), timeout=LONG)
    persons = [row.values for row in found["relative_bias_judges"].rows if "marks hidden" in str(row.values["other"])]
    assert [values["answers"] for values in persons] == [rated, rated]
    agreement = persons[0]["alpha"]
    assert isinstance(agreement, Estimate)
    assert agreement.value is not None
    assert agreement.value < 0.667
    assert any("who rated with the marks hidden, agree at" in note for note in found["relative_bias_judges"].notes)
    scores = {str(row.values["score"]) for row in found["relative_bias_tests"].rows}
    assert {"By words", "By meaning (encoder)"} < scores


def write_pdf(auditor: Auditor, path: Path) -> None:  # noqa: F811
    auditor.go("reports")
    page = auditor.window.stack.current
    assert isinstance(page, ReportsPage)
    auditor.bot.waitUntil(lambda: "Can the judge models be relied on?" in page.preview.toPlainText(), timeout=LONG)
    said = page.preview.toPlainText()
    for words in (
        "who rated with the marks hidden",
        "Model under study against the models compared",
        "says nothing about any model alone",
    ):
        assert words in said
    pdf = page.export.menu().findChild(QAction, "export.pdf")
    pdf.trigger()
    auditor.name_file(path)
    auditor.bot.waitUntil(path.exists, timeout=LONG)
    auditor.bot.waitUntil(lambda: not page.model.exporting, timeout=LONG)
    assert path.read_bytes().startswith(b"%PDF")

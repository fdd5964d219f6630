"""A study of a method that has none of GPF-LiveNews's tables, in Results and Review."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from gpf_desktop.domain.figures import Violins
from gpf_desktop.domain.review_queue import QueueFilter, QueueOrder, QueueRow, QueueTab
from gpf_desktop.engine.commands.headless import Headless
from gpf_desktop.engine.commands.import_command import import_tables
from gpf_desktop.engine.commands.run_command import run_plan
from gpf_desktop.engine.rounds.plans import read_plan
from gpf_desktop.ui.main_window import MainWindow
from gpf_desktop.ui.results.finding_cards import TableCard
from gpf_desktop.ui.results.page_read import TO_READ
from gpf_desktop.ui.results.results_actions import ResultsPart
from gpf_desktop.ui.results.results_page import ResultsPage
from gpf_desktop.ui.results.results_view_model import ResultsView
from gpf_desktop.ui.review.review_page import ReviewPage
from gpf_desktop.ui.widgets.chart_card import ChartCard
from tests.methods.relative_bias.tables import write

MODELS = ("a", "b", "c", "d")


@pytest.fixture
def study(tmp_path: Path) -> Path:
    """Four models, six questions of three themes, one judge."""
    rows = [
        (model, f"theme {question % 3}", f"question {question}", f"{model} says {question}", "j", 1 + place)
        for question in range(6)
        for place, model in enumerate(MODELS)
    ]
    source = write(tmp_path / "answers.csv", rows)
    with Headless(quiet=True) as headless:
        import_tables(headless, [source], "relative-bias", {"target": "a"}, tmp_path / "study.gpf")
    return tmp_path / "study.gpf"


def test_that_its_findings_stand_in_the_parts_that_it_declares_and_a_bundle_without_a_control_is_read(
    window: MainWindow, study: Path, settle: Callable[[], None], qtbot: QtBot
) -> None:
    window.files.open(study)
    qtbot.waitUntil(lambda: window.status.audit_open)
    window.context.navigator.go("results")
    settle()
    page = window.findChild(ResultsPage, "page.results")
    assert page is not None
    qtbot.waitUntil(lambda: len(page.found.rows) == 2)
    assert [row.accessibleName().partition(". ")[0] for row in page.found.rows] == [
        "a, In words",
        "a, By judge model j's marks",
    ]
    page.sections.go_to("relative_bias_tests")
    qtbot.waitUntil(lambda: page.findChild(TableCard, "card.relative_bias_tests") is not None)
    assert page.model.view is ResultsView.RESULTS
    assert page.findChild(ChartCard, "card.relative_bias_tests.0") is not None
    assert page.chips.items_chip.text() == "questions: all"
    assert not page.chips.articles_chip.isVisibleTo(page)
    assert "6 questions" in page.scope.words.text()
    table = page.findChild(TableCard, "card.relative_bias_tests")
    assert table is not None
    assert [row.values["test"] for row in table.finding.rows] == ["Welch", "paired"] * 2
    assert page.model.parts() == (
        (ResultsPart.FOUND, "relative_bias_tests"),
        (ResultsPart.FOUND, "relative_bias_models"),
        (ResultsPart.COMPARISONS, "sides_compared"),
        (ResultsPart.COMPARISONS, "relative_bias_levels"),
        (ResultsPart.COMPARISONS, "relative_bias_deviations"),
        (ResultsPart.COMPARISONS, "relative_bias_themes"),
        (ResultsPart.COMPARISONS, "relative_bias_correlations"),
        (ResultsPart.COMPARISONS, "relative_bias_map"),
        (ResultsPart.COMPARISONS, "people_scores"),
        (ResultsPart.COMPARISONS, "people_curve"),
        (ResultsPart.TABLES, "relative_bias_left_out"),
        (ResultsPart.TABLES, "relative_bias_every_target"),
        (ResultsPart.TABLES, "relative_bias_judges"),
        (ResultsPart.TABLES, "relative_bias_answers"),
    )
    assert page.read_first.next.text() == f"Quote another of {TO_READ}"
    page.sections.go_to(ResultsPart.FOUND)
    window.resize(1440, 900)
    page.found.setMinimumHeight(700)
    qtbot.waitUntil(lambda: not page.area.isAncestorOf(page.read_first))
    assert page.read_first.isVisible(), "in sight however long the rows above are"
    page.found.setMinimumHeight(0)
    qtbot.waitUntil(lambda: page.area.isAncestorOf(page.read_first))
    assert page.read_first.isVisible(), "directly below rows that end in sight"
    page.sections.go_to("relative_bias_themes")
    qtbot.waitUntil(lambda: page.findChild(ChartCard, "card.relative_bias_themes.0") is not None)
    written = page.findChild(ChartCard, "card.relative_bias_themes.0").findChild(QLabel, "reading")  # type: ignore[union-attr]
    assert written is not None
    assert written.text().count("Scores: ") == 1
    service = window.context.engine.open_audit.results
    levels = service.findings(page.model.wanted, ("relative_bias_levels",))["relative_bias_levels"]
    counted = [tuple(row.values[key] for key in ("model", "level", "answers")) for row in levels.rows]
    assert counted == [("a", 1, 6), ("b", 2, 6), ("c", 3, 6), ("d", 4, 6)]
    apart = service.findings(page.model.wanted, ("relative_bias_deviations",))["relative_bias_deviations"]
    judge = "Judge model j"
    signed = [tuple(row.values.values()) for row in apart.rows if row.values["score"] == judge]
    assert signed == [(judge, model, by, 6) for model, by in zip(MODELS, (-2.0, -0.5, 0.5, 2.0), strict=True)]
    (of_judge,) = [each for each in apart.figures if isinstance(each, Violins) and each.where == ("score", judge)]
    assert (of_judge.low, of_judge.high) == (-9, 9)
    assert rated_blind(page) == []
    qtbot.waitUntil(lambda: "relative_bias_judges" in page.model.sections)
    reviews = window.context.engine.open_audit.reviews
    first = reviews.queue(QueueFilter(), QueueOrder()).tabs[QueueTab.TO_DO][0]
    window.context.navigator.go("review", bundle=first)
    settle()
    said = [widget.text() for widget in window.findChildren(QLabel) if widget.isVisible()]
    assert not any("Something went wrong" in text for text in said)
    assert reviews.bundle(first).answers[0].answer.text.startswith("a says")
    assert "j: Bias Score: 1" in said
    ratings = window.context.engine.open_audit.ratings
    for answer in (sheet := ratings.sheets()[0].sheet).answers[:8]:
        ratings.rate(answer, 1 + answer.cell_id % len(sheet.levels)).result()
    settle()
    window.context.navigator.go("results")
    qtbot.waitUntil(lambda: rated_blind(page) == [8])


def rated_blind(page: ResultsPage) -> list[object]:
    """Of how many answers the page says that a person rated them, for each judge."""
    page.sections.go_to("relative_bias_judges")
    table = page.findChild(TableCard, "card.relative_bias_judges")
    rows = () if table is None else table.finding.rows
    return [row.values["answers"] for row in rows if "who rated with the marks hidden" in str(row.values["other"])]


PLAN = """
controls = "none"
[[sources]]
file = "news.csv"
[[models]]
provider = "calibration"
model = "neutral"
"""


def test_that_results_and_review_switch_between_the_methods_of_an_audit(
    window: MainWindow, study: Path, settle: Callable[[], None], qtbot: QtBot
) -> None:
    (study.parent / "news.csv").write_text("headline,description,url\nBus lanes,They open.,https://news.example/1\n")
    with Headless(quiet=True) as headless:
        run_plan(headless, headless.engine.open(study), read_plan(PLAN, where="plan.toml"), beside=study.parent)
    window.files.open(study)
    qtbot.waitUntil(lambda: window.status.audit_open)
    window.context.navigator.go("results")
    settle()
    page = window.findChild(ResultsPage, "page.results")
    assert page is not None
    qtbot.waitUntil(lambda: bool(page.found.rows))
    menu = page.chips.method_chip.menu()
    page.scope.toggle()
    assert page.chips.method_chip.isVisibleTo(page)
    assert [each.text() for each in menu.actions()] == ["Relative Bias", "GPF-LiveNews"]
    menu.actions()[1].trigger()
    qtbot.waitUntil(lambda: page.model.results is not None and "model_table" in page.model.results.findings)
    assert "interaction" in page.model.results.findings  # type: ignore[union-attr]
    window.context.navigator.go("review")
    settle()
    review = window.findChild(ReviewPage, "page.review")
    assert review is not None
    qtbot.waitUntil(lambda: review.model.choices is not None)
    box = review.filters._boxes["method"]
    assert {each.method for each in rows_of(review)} == {"relative-bias"}
    box.setCurrentIndex(1)
    box.activated.emit(1)
    settle()
    qtbot.waitUntil(lambda: {each.method for each in rows_of(review)} == {"gpf-livenews"})
    assert list(review.filters._levels) == ["dimension", "family"]


def rows_of(page: ReviewPage) -> list[QueueRow]:
    ids = page.model.queue.ids(page.model.tab)
    return page.context.engine.open_audit.reviews.rows(ids[:5], page.model.order)


def test_that_a_model_alone_is_told_what_it_takes(
    window: MainWindow, tmp_path: Path, settle: Callable[[], None], qtbot: QtBot
) -> None:
    rows = [("a", "theme", f"question {number}", f"It says {number}", "", "") for number in range(3)]
    with Headless(quiet=True) as headless:
        source = write(tmp_path / "answers.csv", rows)
        import_tables(headless, [source], "relative-bias", {}, tmp_path / "alone.gpf")
    window.files.open(tmp_path / "alone.gpf")
    qtbot.waitUntil(lambda: window.status.audit_open)
    window.context.navigator.go("results")
    settle()
    page = window.findChild(ResultsPage, "page.results")
    assert page is not None
    qtbot.waitUntil(lambda: page.model.view is ResultsView.NOTHING_MATCHES)
    assert page.empty.sentence.text() == (
        "There are answers of one model, and none to hold them against. Needed are answers of other models to the same"
        " questions, in one import or round."
    )
    assert page.empty.button is not None
    assert page.empty.button.text() == "Import answers …"

"""What the filter of Results lets through, and where its numbers lead: Review, the report, and files."""

import csv
import io
from concurrent.futures import Future
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QApplication, QDialogButtonBox, QFileDialog, QLabel, QMenu, QPushButton
from pytestqt.qtbot import QtBot

from gpf_desktop.documents.csv_cells import unguarded
from gpf_desktop.domain.findings import Estimate
from gpf_desktop.domain.review_queue import QueueFilter
from gpf_desktop.engine.reporting.results_filter import ResultsFilter
from gpf_desktop.ui.main_window import MainWindow
from gpf_desktop.ui.reports.reports_page import ReportsPage
from gpf_desktop.ui.results.finding_cards import TableCard
from gpf_desktop.ui.results.finding_section import FindingSection
from gpf_desktop.ui.results.margins_dialog import MarginsDialog
from gpf_desktop.ui.results.results_actions import ResultsPart
from gpf_desktop.ui.results.results_page import ResultsPage
from gpf_desktop.ui.results.results_view_model import ResultsView
from gpf_desktop.ui.widgets.chart_files import finding_csv
from gpf_desktop.ui.widgets.figure_plot import FigurePlot
from tests.support.reports import finding
from tests.ui.accessibility import problems_in
from tests.ui.results.steps import Settle, card
from tests.ui.test_keys_and_palette import found_by
from tests.ui.test_shell import shown_page


def test_that_a_file_that_cannot_be_written_is_told_with_a_button_for_another_place(
    page: ResultsPage, window: MainWindow, tmp_path: Path
) -> None:
    chart = card(page, "card.interaction.0")
    next(action for action in chart.save.menu().actions() if "PNG" in action.text()).trigger()
    dialog = chart.findChild(QFileDialog)
    assert dialog is not None
    dialog.fileSelected.emit(str(tmp_path / "nowhere" / "a.png"))
    dialog.close()
    (message,) = window.context.messages.messages
    assert [remedy.text for remedy in message.remedies] == ["Choose another place …"]
    message.remedies[0].do()
    again = next(each for each in chart.findChildren(QFileDialog) if each.isVisible())
    again.fileSelected.emit(str(tmp_path / "a.png"))
    again.close()
    assert (tmp_path / "a.png").exists()


def test_that_a_cell_of_the_heat_map_opens_review_on_just_its_bundles(
    page: ResultsPage, window: MainWindow, settle: Settle, qtbot: QtBot
) -> None:
    page.sections.go_to("interaction")
    settle()
    heat = card(page, "card.interaction.0").chart
    assert isinstance(heat, FigurePlot)
    spot = heat.spots[0]
    with qtbot.waitSignal(window.context.navigator.moved) as moved:
        where = QPoint(round(spot.x + spot.width / 2), round(spot.y + spot.height / 2))
        qtbot.mouseClick(heat._view.viewport(), Qt.MouseButton.LeftButton, pos=where)
    place = moved.args[0]
    wanted = place.state["filter"]
    assert place.page == "review"
    assert isinstance(wanted, QueueFilter)
    assert spot.bundles is not None
    assert wanted.levels == spot.bundles.levels
    assert tuple(name for name, _ in wanted.levels) == ("dimension", "family")
    assert wanted.bundle_ids is not None
    assert spot.says.endswith(f"n {len(wanted.bundle_ids)}")
    settle()


def test_that_a_comparison_opens_the_bundles_of_both_models_that_were_compared(
    page: ResultsPage, window: MainWindow, settle: Settle, qtbot: QtBot
) -> None:
    page.sections.ask(["model_comparison"])
    settle()
    table = page.findChild(TableCard, "card.model_comparison")
    assert table is not None
    row = table.finding.rows[0]
    difference = row.values["difference"]
    assert isinstance(difference, Estimate)
    with qtbot.waitSignal(window.context.navigator.moved) as moved:
        table.bundles_chosen.emit(row.bundles)
    ids = moved.args[0].state["filter"].bundle_ids
    frame = page.model.context.engine.open_audit.results.frame(ResultsFilter())
    behind = frame[frame["bundle_id"].isin(ids)]
    assert difference.n > 0
    for model in row.bundles.compared:
        asked = behind[behind["model"] == model].groupby(["article_id", "dimension", "family"], observed=True)
        assert asked.ngroups == difference.n
    assert "calibration/faulty and calibration/tailoring-0.6" in moved.args[0].state["origin"]
    settle()


def test_that_a_comparison_of_rounds_opens_the_bundles_of_both_by_name(
    page: ResultsPage, window: MainWindow, settle: Settle, qtbot: QtBot
) -> None:
    page.sections.ask(["sides_compared"])
    settle()
    table = page.findChild(TableCard, "card.sides_compared")
    assert table is not None
    row = table.finding.rows[0]
    difference = row.values["difference"]
    assert isinstance(difference, Estimate)
    with qtbot.waitSignal(window.context.navigator.moved) as moved:
        table.bundles_chosen.emit(row.bundles)
    state = moved.args[0].state
    frame = page.model.context.engine.open_audit.results.frame(ResultsFilter())
    behind = frame[frame["bundle_id"].isin(state["filter"].bundle_ids)]
    assert behind.groupby("run_id").size().to_dict() == {1: difference.n, 2: difference.n}
    assert f"{row.values['first']} and {row.values['second']}" in state["origin"]
    settle()
    # A single round has nothing to be compared with, and the card says what to do.
    page.model.set_filter(ResultsFilter(runs=frozenset({1})))
    window.context.navigator.go("results")
    settle()
    page.sections.ask(["sides_compared"])
    settle()
    section = page.findChild(FindingSection, "section.sides_compared")
    assert section is not None
    said = " ".join(each.text() for each in section.findChildren(QLabel))
    assert "where the same news is asked again" in said


def test_that_margins_are_stated_in_the_window_kept_in_the_audit_and_told_by_every_table_that_has_them(
    page: ResultsPage, settle: Settle, qtbot: QtBot, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert page.chips.margins_chip.text() == "too small to matter: usual …"
    page.chips.margins_chip.click()
    dialog = page.findChild(MarginsDialog)
    assert dialog is not None
    dialog.boxes["cfs"].setValue(0.9)
    buttons = dialog.findChild(QDialogButtonBox)
    assert buttons is not None
    buttons.button(QDialogButtonBox.StandardButton.Ok).click()
    settle()
    assert page.chips.margins_chip.text() == "too small to matter: own …"
    assert "what the reader adds 0.9, share the reader adds 0.03" in page.chips.margins_chip.toolTip()
    results = page.model.context.engine.open_audit.results
    # As a report or a command reads it, which asks for nothing of its own.
    found = results.findings(ResultsFilter(), ("model_comparison", "sides_compared", "label_test"))
    for name in ("model_comparison", "sides_compared"):
        assert {row.values["margin"] for row in found[name].rows} == {0.9, 0.03, 0.1}
    assert all("what the reader adds below 0.9 (else 0.02)" in each.reading for each in found.values())
    # A read that began before, as where a round comes to rest, does not take the choice back.
    held, keep, bridge = Future[None](), type(results).keep_options, page.context.bridge
    monkeypatch.setattr(type(results), "keep_options", lambda *given: keep(*given) and held)
    page.model.reload()
    page.model.steps.undo()
    qtbot.waitUntil(lambda: bridge._under_way == 1 and not bridge._queue)
    held.set_result(None)
    settle()
    assert page.chips.margins_chip.text() == "too small to matter: usual …"


def test_that_back_returns_to_the_filter_and_the_place(page: ResultsPage, window: MainWindow, settle: Settle) -> None:
    page.model.set_filter(ResultsFilter(stratum="identity-relevant"))
    settle()
    page.sections.go_to("coverage")
    settle()
    assert page.sections.at_top() == "coverage"
    window.context.navigator.go("home")
    page.model.set_filter(ResultsFilter())
    page.sections.go_to("found")
    settle()
    window.context.navigator.back()
    settle()
    assert page.model.wanted.stratum == "identity-relevant"
    assert page.sections.at_top() == "coverage"
    assert "coverage" in page.sections.filled()


def test_that_a_filter_chip_says_and_changes_what_is_let_through(page: ResultsPage, settle: Settle) -> None:
    chip = page.chips.models_chip
    assert chip.text() == "models: all"
    next(action for action in chip.menu().actions() if action.text() == "calibration/faulty").trigger()
    settle()
    assert chip.text() == "models: calibration/faulty"
    assert page.model.results is not None
    assert page.model.results.window.models == 1
    page.chips.clear.click()
    settle()
    assert chip.text() == "models: all"
    # One article by itself, by its headline.
    number, headline = page.model.choices.articles[0]
    _every, _line, first = page.chips.articles_chip.menu().actions()[:3]
    assert headline.startswith(first.text().removesuffix("…"))
    first.trigger()
    settle()
    assert page.model.wanted.articles == {number}
    assert page.model.results.window.articles == 1
    assert page.chips.articles_chip.text().startswith("article: ")
    page.chips.clear.click()
    settle()


def test_that_every_card_and_every_saved_picture_say_what_was_filtered(
    page: ResultsPage, settle: Settle, tmp_path: Path
) -> None:
    page.model.set_filter(ResultsFilter(models=frozenset({"calibration/faulty"}), runs=frozenset({1})))
    settle()
    assert page.scope.filtered.isVisibleTo(page)
    page.sections.ask(("interaction", "model_table"))
    settle()
    filtered = "Filtered to: rounds Evening round, 20 Nov; models calibration/faulty."
    chart = card(page, "card.interaction.0")
    assert filtered in chart.findChild(QLabel, "reading").text()
    chart.write_svg(tmp_path / "a.svg")
    assert filtered in (tmp_path / "a.svg").read_text(encoding="utf-8")
    assert any(filtered in line for line in chart.saved_words.caption)
    table = page.findChild(TableCard, "card.model_table")
    assert table is not None
    table.write_csv(tmp_path / "a.csv")
    assert filtered in (tmp_path / "a.csv").read_text(encoding="utf-8")
    assert page.model.results is not None
    assert filtered in page.model.results.findings["refusals"].notes


def test_that_several_batches_can_be_picked_and_the_last_one_put_back(page: ResultsPage, settle: Settle) -> None:
    def pick(name: str) -> None:
        next(action for action in page.chips.batches_chip.menu().actions() if action.text() == name).trigger()
        settle()

    pick("Evening round (1)")
    assert page.model.wanted.batches == frozenset({1})
    pick("Evening round (2)")
    assert page.model.wanted.batches == frozenset({1, 2})
    pick("Evening round (1)")
    pick("Evening round (2)")
    assert page.model.wanted.batches is None


def test_that_a_filter_that_leaves_nothing_says_so_and_can_be_cleared(page: ResultsPage, settle: Settle) -> None:
    page.model.set_filter(ResultsFilter(runs=frozenset({99})))
    settle()
    assert page.model.view is ResultsView.NOTHING_MATCHES
    assert "none matches" in page.empty.sentence.text()
    assert page.outcomes.isHidden(), "what a line could say stands where nothing has been scored"
    assert page.empty.button is not None
    page.empty.button.click()
    settle()
    assert page.model.view is ResultsView.RESULTS


def test_that_the_report_button_takes_the_filter_along_and_offers_the_brief(
    page: ResultsPage, window: MainWindow, settle: Settle, qtbot: QtBot
) -> None:
    page.model.set_filter(ResultsFilter(stratum="identity-relevant"))
    settle()
    button = page.findChild(QPushButton, "report")
    assert button is not None
    button.click()
    settle()
    here = window.context.navigator.here()
    assert here is not None
    assert here.page == "reports"
    assert here.state["filter"] == ResultsFilter(stratum="identity-relevant")
    reports = window.stack.page("reports")
    assert isinstance(reports, ReportsPage)
    qtbot.waitUntil(lambda: QApplication.activePopupWidget() is reports.brief.menu())
    reports.brief.menu().close()
    window.context.navigator.back()
    window.context.navigator.forward()
    settle()
    assert not reports.brief.menu().isVisible(), "asked for once"


@pytest.mark.parametrize("text", ["=1+1", "+x", "-x", "@x", "\tx", "\rx", "＝1", "'x", "a/b"])
def test_that_a_saved_table_holds_no_formula_and_the_words_come_back(text: str) -> None:
    written = finding_csv(finding(text))
    rows = list(csv.reader(io.StringIO(written, newline="")))
    assert rows[1][0][0] not in "=+-@\t\r＝"
    assert unguarded(rows[1][0]) == text


def test_that_charts_and_tables_are_saved_as_pictures_and_tables(page: ResultsPage, tmp_path: Path) -> None:
    chart = card(page, "card.interaction.0")
    chart.write_png(tmp_path / "a.png")
    chart.write_svg(tmp_path / "a.svg")
    chart.write_csv(tmp_path / "a.csv")
    assert (tmp_path / "a.png").read_bytes()[:4] == b"\x89PNG"
    assert "<svg" in (tmp_path / "a.svg").read_text(encoding="utf-8")
    lines = (tmp_path / "a.csv").read_text(encoding="utf-8").splitlines()
    assert lines[0].startswith("dimension,family,cfs,cfs_n,cfs_articles,cfs_low,cfs_high")
    assert len(lines) == 5


def test_that_a_figure_a_table_and_a_row_are_added_to_the_report_under_the_filter_in_force(
    page: ResultsPage, settle: Settle, qtbot: QtBot
) -> None:
    page.model.set_filter(ResultsFilter(stratum="identity-relevant"))
    settle()
    drafts = page.context.engine.open_audit.drafts
    page.sections.ask(("interaction", "coverage"))
    settle()

    def menu(name: str) -> QMenu:
        button = page.findChild(QPushButton, f"{name}.add")
        assert button is not None
        button.menu().aboutToShow.emit()
        return button.menu()

    figure, _table, row = menu("card.interaction.0").actions()
    figure.trigger()
    assert not row.isEnabled(), "no row is shown, so none is selected"
    qtbot.waitUntil(lambda: len(drafts.current.tray) == 1)
    table = page.findChild(TableCard, "card.coverage")
    assert table is not None
    table.table.selectRow(1)
    whole, row = menu("card.coverage").actions()
    whole.trigger()
    qtbot.waitUntil(lambda: len(drafts.current.tray) == 2)
    row.trigger()
    qtbot.waitUntil(lambda: len(drafts.current.tray) == 3)
    settle()
    kinds = [str(each.kind) for each in drafts.current.tray]
    assert kinds == ["figure", "table", "row"]
    assert {each.wanted.stratum for each in drafts.current.tray} == {"identity-relevant"}
    said = page.context.messages.messages[0]
    assert "is in the report's evidence" in said.text
    back, go = said.remedies
    drafts.change("words", lambda draft: replace(draft, title="Typed since"))
    back.do()
    assert [str(each.kind) for each in drafts.current.tray] == ["figure", "table"]
    assert drafts.current.title == "Typed since"
    go.do()
    settle()
    assert page.context.navigator.here().page == "reports"  # type: ignore[union-attr]
    assert problems_in(table) == []


def test_that_parts_of_the_page_are_found_by_name_from_everywhere(
    page: ResultsPage, window: MainWindow, settle: Settle, qtbot: QtBot
) -> None:
    window.context.navigator.go("home")
    settle()
    palette = window.commands.open_palette()
    qtbot.keyClicks(palette.field, "compare")
    assert found_by(palette)[0] == "results.comparisons"
    qtbot.keyClick(palette.field, Qt.Key.Key_Return)
    settle()
    assert shown_page(window) == "results"
    assert page.sections.part is ResultsPart.COMPARISONS
    assert page.tabs.tabText(page.tabs.currentIndex()) == "Compared"
    assert page.area.verticalScrollBar().value() == 0

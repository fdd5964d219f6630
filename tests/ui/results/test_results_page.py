"""The Results page over a real audit: tables, charts, filters, and the way to the bundles behind a number."""

import csv
import io
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRegularExpression, Qt
from PySide6.QtWidgets import QFileDialog, QLabel, QMenu, QPushButton
from pytestqt.qtbot import QtBot

from gpf_desktop.documents.csv_cells import unguarded
from gpf_desktop.domain.events import BundlesScored, RunRested
from gpf_desktop.domain.findings import Estimate
from gpf_desktop.domain.ids import RunId
from gpf_desktop.domain.review_queue import QueueFilter
from gpf_desktop.domain.runs import RunState
from gpf_desktop.engine.reporting.results_filter import ResultsFilter
from gpf_desktop.ui.main_window import MainWindow
from gpf_desktop.ui.results.finding_cards import TableCard
from gpf_desktop.ui.results.results_page import ResultsPage
from gpf_desktop.ui.results.results_view_model import TO_READ, View
from gpf_desktop.ui.results.signs import SignsDialog
from gpf_desktop.ui.widgets.chart_card import ChartCard
from gpf_desktop.ui.widgets.chart_files import finding_csv
from gpf_desktop.ui.widgets.heat_map import HeatMap
from gpf_desktop.ui.widgets.interval_plot import IntervalPlot
from gpf_desktop.ui.widgets.scatter import ScatterPlot
from gpf_desktop.ui.widgets.series_plot import SeriesPlot
from tests.support.filled_audit import fill
from tests.support.reports import finding
from tests.ui.accessibility import problems_in
from tests.ui.test_room import cut_off

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


@pytest.fixture
def page(window: MainWindow, audit: Path, settle: Settle) -> ResultsPage:
    """On an audit of two batches and two calibration models."""
    for _ in range(2):
        fill(
            window.context.engine.open_audit.context.audit,
            items=2,
            repeats=2,
            models_asked=("tailoring-0.6", "faulty"),
            dimensions=("Religion", "Political"),
        )
    return opened(window, settle)


def card(page: ResultsPage, name: str) -> ChartCard:
    found = page.findChild(ChartCard, name)
    assert found is not None
    return found


def test_that_an_empty_audit_says_why_and_offers_a_round(window: MainWindow, audit: Path, settle: Settle) -> None:
    page = opened(window, settle)
    assert page.model.view is View.NOTHING_YET
    assert page.stack.currentWidget() is page.empty
    assert page.empty.button is not None
    page.empty.button.click()
    assert window.context.navigator.here().page == "runs"  # type: ignore[union-attr]


def test_that_the_first_line_counts_what_is_in_the_window(page: ResultsPage) -> None:
    assert "2 batches · 2 articles · 2 models · 32 bundles, " in page.header.subtitle.text()
    assert page.synthetic.isVisible()


def test_that_the_model_table_says_what_its_means_are_of_and_how_intervals_were_made(page: ResultsPage) -> None:
    table = page.findChild(TableCard, "card.model_table")
    assert table is not None
    words = table.findChild(QLabel, "reading")
    assert words is not None
    assert "Means over 32 bundles" in words.text()
    assert "95 % intervals: " in words.text()
    assert "Scores: " in words.text()


def test_that_what_was_found_stands_first_with_five_bundles_to_read(
    page: ResultsPage, window: MainWindow, qtbot: QtBot, settle: Settle
) -> None:
    said = [each.text() for each in page.found.findChildren(QLabel)]
    assert any("cannot be told: faulty (too few articles); tailoring-0.6 (too few" in line for line in said)
    assert any("does not show fairness" in line for line in said)
    assert page.sections.places()[0] == ("model_table", "Models")
    read = page.found.findChildren(QPushButton, QRegularExpression(r"found\.read\.\d"))
    assert len(read) == TO_READ
    with qtbot.waitSignal(window.context.navigator.moved) as moved:
        read[1].click()
    place = moved.args[0]
    assert place.page == "review"
    assert len(place.state["filter"].bundle_ids) == TO_READ
    assert place.state["bundle"] == page.model.to_read.rows[1].bundle_id
    settle()


def test_that_every_sign_is_defined_a_key_away(page: ResultsPage, window: MainWindow) -> None:
    assert window.context.actions.keys("scores.signs") == ("Shift+F1",)
    window.context.actions.action("scores.signs").trigger()
    dialog = page.findChild(SignsDialog, "signs")
    assert dialog is not None
    said = dict(zip(*[iter([each.text() for each in dialog.findChildren(QLabel)])] * 2, strict=True))
    assert {"S", "N", "CFS", "R", "R*", "Relative", "Tone framing", "Pairs"} <= set(said)
    assert all(said.values())
    assert problems_in(dialog) == []
    dialog.close()


def test_that_sections_are_computed_when_the_reader_comes_near(page: ResultsPage, settle: Settle) -> None:
    last = page.sections.places()[-1][0]
    assert "model_table" in page.sections.filled()
    assert last not in page.sections.filled()
    page.sections.go_to(last)
    settle()
    assert last in page.sections.filled()


def test_that_two_heat_maps_stability_and_the_models_are_there_unfolded(page: ResultsPage, settle: Settle) -> None:
    maps = [card(page, f"card.interaction.{number}").chart for number in (0, 1)]
    assert all(isinstance(each, HeatMap) for each in maps)
    data = maps[0].data
    assert data is not None
    assert set(data.rows) == {"Religion", "Political"}
    page.sections.ask(["stability"])
    settle()
    plot = card(page, "card.stability.0").chart
    assert isinstance(plot, ScatterPlot)
    assert [point.synthetic for point in plot.points] == [True, True]
    models = page.findChild(TableCard, "card.model_table")
    assert models is not None
    assert models.table.model().rowCount() == 2


def test_that_the_batches_stand_on_a_control_chart_that_claims_no_limits_yet(page: ResultsPage, settle: Settle) -> None:
    page.sections.ask(["streaming", "dimension_means"])
    settle()
    plot = card(page, "card.streaming.0").chart
    assert isinstance(plot, SeriesPlot)
    assert plot.picture is not None
    assert plot.picture.places == ("Evening round (1)", "Evening round (2)")
    assert plot.says.text() == "2 of 8 batches: too early for limits."
    assert isinstance(card(page, "card.dimension_means.0").chart, IntervalPlot)


def test_that_with_one_batch_a_section_says_what_a_series_needs(page: ResultsPage, settle: Settle) -> None:
    page.model.set_filter(ResultsFilter(batches=frozenset({1})))
    settle()
    page.sections.ask(("streaming",))
    settle()
    plot = card(page, "card.streaming.0").chart
    assert isinstance(plot, SeriesPlot)
    assert plot.says.text() == "One batch so far: a series begins with the second."


def test_that_means_and_differences_are_drawn_as_dots_above_their_table(page: ResultsPage, settle: Settle) -> None:
    page.sections.ask(("controls", "dimension_means"))
    settle()
    for name in ("controls", "dimension_means"):
        plots = [card(page, f"card.{name}.{at}").chart for at in (0, 1)]
        assert all(isinstance(plot, IntervalPlot) and plot.count() for plot in plots)
        assert page.findChild(TableCard, f"card.{name}") is not None


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


def test_that_each_number_s_reading_and_settings_stand_under_it(page: ResultsPage) -> None:
    for holder in (card(page, "card.interaction.0"), page.findChild(TableCard, "card.model_table")):
        reading = holder.findChild(QLabel, "reading")
        assert "apart across identities" in reading.text()
        assert "fit on each article's main answers, R* at m = 5." in reading.text()
        assert "CR2" in reading.toolTip()


def test_that_a_cell_of_the_heat_map_opens_review_on_just_its_bundles(
    page: ResultsPage, window: MainWindow, settle: Settle, qtbot: QtBot
) -> None:
    heat = card(page, "card.interaction.0").chart
    assert isinstance(heat, HeatMap)
    with qtbot.waitSignal(window.context.navigator.moved) as moved:
        qtbot.mouseClick(heat, Qt.MouseButton.LeftButton, pos=heat.cell_rect(0, 0).center())
    place = moved.args[0]
    wanted = place.state["filter"]
    assert place.page == "review"
    assert isinstance(wanted, QueueFilter)
    data = heat.data
    assert data is not None
    assert wanted.levels == (("dimension", data.rows[0]), ("family", data.columns[0]))
    assert wanted.bundle_ids is not None
    assert len(wanted.bundle_ids) == data.cells[0][0].n
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


def test_that_back_returns_to_the_filter_and_the_place(page: ResultsPage, window: MainWindow, settle: Settle) -> None:
    page.model.set_filter(ResultsFilter(stratum="identity-relevant"))
    settle()
    page.sections.go_to("coverage")
    settle()
    page.sections.go_to("coverage")
    window.context.navigator.go("home")
    page.model.set_filter(ResultsFilter())
    page.area.verticalScrollBar().setValue(0)
    settle()
    window.context.navigator.back()
    settle()
    assert page.model.wanted.stratum == "identity-relevant"
    assert page.area.verticalScrollBar().value() > 0
    assert "coverage" in page.sections.filled()


def test_that_a_chip_makes_intervals_for_skewed_scores(page: ResultsPage, settle: Settle) -> None:
    chip = page.chips.skewed_chip
    assert chip.isVisibleTo(page)
    chip.click()
    settle()
    assert page.model.wanted.skewed
    assert chip.isChecked()


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


def test_that_every_card_and_every_saved_picture_say_what_was_filtered(
    page: ResultsPage, settle: Settle, tmp_path: Path
) -> None:
    page.model.set_filter(ResultsFilter(models=frozenset({"calibration/faulty"}), runs=frozenset({1})))
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
    assert page.model.view is View.NOTHING_MATCHES
    assert "none matches" in page.empty.sentence.text()
    assert page.empty.button is not None
    page.empty.button.click()
    settle()
    assert page.model.view is View.RESULTS


def test_that_every_section_shows_its_table(page: ResultsPage, settle: Settle) -> None:
    names = [name for name, _ in page.sections.places()]
    assert {"controls", "coverage", "refusals", "vendor_summary"} <= set(names)
    page.sections.ask(names)
    settle()
    assert set(page.model.sections) == set(names)
    coverage = page.findChild(TableCard, "card.coverage")
    assert coverage is not None
    assert coverage.table.model().rowCount() == 4


def test_that_new_scores_are_offered_and_not_put_under_the_reader_s_eyes(
    page: ResultsPage, window: MainWindow, settle: Settle
) -> None:
    before = card(page, "card.interaction.0")
    window.context.bridge.announce(BundlesScored(run_id=RunId(1), bundle_ids=(), provisional=0))
    settle()
    page.model.touch_now()
    assert page.fresh.isVisible()
    assert card(page, "card.interaction.0") is before
    window.context.bridge.announce(RunRested(run_id=RunId(1), state=RunState.FINISHED, why=""))
    settle()
    assert not page.fresh.isVisible()


def test_that_the_report_button_takes_the_filter_along(page: ResultsPage, window: MainWindow, settle: Settle) -> None:
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


def test_that_a_screen_reader_finds_a_name_for_everything(page: ResultsPage, settle: Settle) -> None:
    page.sections.ask([name for name, _ in page.sections.places()])
    settle()
    assert problems_in(page) == []


@pytest.mark.parametrize("scale", [100, 150])
def test_that_every_card_fits_the_page_and_wide_tables_scroll_inside_theirs(
    page: ResultsPage, window: MainWindow, settle: Settle, scale: int
) -> None:
    window.context.theme.set_text_scale(scale)
    page.sections.ask([name for name, _ in page.sections.places()])
    settle()
    assert list(cut_off(page)) == []
    room = page.area.viewport().width()
    cards = [each for kind in (ChartCard, TableCard) for each in page.findChildren(kind) if each.isVisible()]
    assert len(cards) > 15
    assert [
        each.objectName() for each in cards if each.mapTo(page.area.viewport(), QPoint()).x() + each.width() > room
    ] == []


def test_that_the_palette_can_change_while_charts_are_shown(page: ResultsPage, window: MainWindow) -> None:
    from gpf_desktop.ui.theme import Scheme

    for scheme in (Scheme.DARK, Scheme.HIGH_CONTRAST, Scheme.LIGHT):
        window.context.theme.set_scheme(scheme)
        assert not page.grab().isNull()


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


def test_that_the_masked_controls_say_why_they_are_empty_and_how_to_fill_them(
    page: ResultsPage, settle: Settle, qtbot: QtBot
) -> None:
    for _ in range(2):
        page.sections.go_to("masked_controls")
        settle()
    start = page.findChild(QPushButton, "results.mask")
    assert start is not None
    said = " ".join(each.text() for each in page.sections.findChildren(QLabel))
    assert "Empty until the answers are scored with identity words masked" in said
    assert problems_in(page.sections) == []

    def filled() -> bool:
        found = page.model.sections.get("masked_controls")
        return found is not None and bool(found.rows)

    start.click()
    qtbot.waitUntil(filled)
    settle()
    assert page.findChild(QPushButton, "results.mask") is None


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
    kinds = [str(each.kind) for each in drafts.current.tray]
    assert kinds == ["figure", "table", "row"]
    assert {each.wanted.stratum for each in drafts.current.tray} == {"identity-relevant"}
    said = page.context.messages.messages[0]
    assert "is in the report's evidence" in said.text
    back, go = said.remedies
    back.do()
    assert len(drafts.current.tray) == 2
    go.do()
    settle()
    assert page.context.navigator.here().page == "reports"  # type: ignore[union-attr]
    assert problems_in(table) == []

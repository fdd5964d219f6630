"""The Results page over a real audit: tables, charts, filters, and the way to the bundles behind a number."""

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtWidgets import QLabel, QPushButton
from pytestqt.qtbot import QtBot

from gpf_desktop.domain.events import BundlesScored, RunRested
from gpf_desktop.domain.ids import RunId
from gpf_desktop.domain.queue_samples import SampleKind
from gpf_desktop.domain.report_blocks import Bullets, Paragraph
from gpf_desktop.domain.reports import ReportKind
from gpf_desktop.domain.runs import RunState
from gpf_desktop.engine.reporting.drafts.draft import ReportDraft
from gpf_desktop.ui.main_window import MainWindow
from gpf_desktop.ui.results import results_view_model
from gpf_desktop.ui.results.finding_cards import TableCard
from gpf_desktop.ui.results.page_read import TO_READ
from gpf_desktop.ui.results.results_page import ResultsPage
from gpf_desktop.ui.results.results_view_model import ResultsView
from gpf_desktop.ui.results.signs_dialog import SignsDialog
from gpf_desktop.ui.review.answer_card import AnswerCard
from gpf_desktop.ui.review.review_page import ReviewPage
from gpf_desktop.ui.widgets.chart_card import ChartCard
from gpf_desktop.ui.widgets.end_shade import EndShade
from gpf_desktop.ui.widgets.figure_plot import FigurePlot
from tests.ui.accessibility import problems_in
from tests.ui.results.steps import Settle, card, opened
from tests.ui.test_room import cut_off


def test_that_an_empty_audit_says_why_and_offers_a_round(window: MainWindow, audit: Path, settle: Settle) -> None:
    page = opened(window, settle)
    assert page.model.view is ResultsView.NOTHING_YET
    assert page.stack.currentWidget() is page.framed
    assert page.outcomes.isVisible()
    window.resize(1280, 480)
    settle()
    assert page.outcomes.isHidden(), "a low window stays low"
    assert window.minimumSizeHint().height() < 480
    assert page.empty.button is not None
    page.empty.button.click()
    assert window.context.navigator.here().page == "runs"  # type: ignore[union-attr]


def test_that_a_page_without_scores_says_that_it_computes_once_there_are_some(
    window: MainWindow, audit: Path, settle: Settle
) -> None:
    page = opened(window, settle)
    shown: list[ResultsView] = []
    page.model.changed.connect(lambda: shown.append(page.model.view))
    window.context.bridge.announce(BundlesScored(run_id=RunId(1), bundle_ids=(), provisional=0))
    settle()
    assert ResultsView.LOADING in shown


def test_that_scores_that_come_faster_than_they_are_read_do_not_begin_the_reading_for_ever(
    window: MainWindow, audit: Path, settle: Settle, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = opened(window, settle)
    reads: list[object] = []
    read = results_view_model.read_page
    monkeypatch.setattr(
        results_view_model, "read_page", lambda *given, **named: reads.append(given) or read(*given, **named)
    )
    for _ in range(20):
        window.context.bridge.announce(BundlesScored(run_id=RunId(1), bundle_ids=(), provisional=0))
    settle()
    assert len(reads) == 2, "the one under way, and another for what came during it"
    assert page.model.view is ResultsView.NOTHING_YET


def test_that_the_first_line_counts_what_is_in_the_window(page: ResultsPage) -> None:
    assert page.scope.words.text().startswith("All rounds · news collected 2 times · 2 models · 2 articles · ")
    assert page.scope.words.text().endswith(" of 32 sets of answers are incomplete")
    assert "GPF-LiveNews" in page.header.subtitle.text()
    assert page.synthetic.isVisible()


def test_that_sets_that_lack_an_answer_are_counted_by_cause_and_a_click_away(
    page: ResultsPage, window: MainWindow, settle: Settle
) -> None:
    results = page.model.results
    assert results is not None
    lacking = results.window.bundles - results.window.complete
    said = page.found.lacks.text().replace("\u00a0", " ")
    assert said.endswith(f"), in {lacking} of 32 sets of answers.")
    assert " declined" in said
    frame = window.context.engine.open_audit.results.frame(page.model.wanted)
    main = frame[frame["arm"] == "main"]
    missing = int(main["planned"].sum() - main["valid"].sum())
    counts = f"Missing: {missing} of {int(main['planned'].sum()):,} first answers to named readers ("
    assert said.startswith(counts), "those that the brief counts too"
    why = said.removeprefix(counts).partition(")")[0]
    assert f"({why})" in " ".join(page.lists.steps.sentences)
    page.found.to_lacking.click()
    settle()
    review = window.stack.current
    assert isinstance(review, ReviewPage)
    assert review.model.filters.wanted.bundle_ids == page.model.lacking.bundles
    assert len(page.model.lacking.bundles) == lacking


def test_that_the_page_asks_and_lists_what_the_brief_does_in_the_same_words(
    page: ResultsPage, window: MainWindow, settle: Settle
) -> None:
    brief = window.context.engine.open_audit.reports.drafted(ReportDraft(), kind=ReportKind.BRIEF).brief
    assert brief is not None
    said = {section.name: section.blocks for section in brief.sections}
    (steps,), (silent,), (asked, *_) = said["settles"], said["not-shown"], said["question"]
    assert isinstance(steps, Bullets)
    assert isinstance(silent, Bullets)
    assert isinstance(asked, Paragraph)
    assert page.found.question.text() == asked.text
    shown = [said for each in page.lists.findChildren(QLabel) if (said := each.text().replace("\u00a0", " "))]
    lists = ("What this does not show", silent.items), ("What to do next", steps.items)
    assert shown == [line for title, items in lists for line in (title, *(f"• {each}" for each in items))]
    window.resize(1280, 720)
    settle()
    foot = page.foot_words
    assert foot.step.text() == f"What to do next: {steps.items[0]}"
    assert foot.step.mapTo(page, foot.step.rect().bottomLeft()).y() < page.height(), "above the fold"
    foot.every_step.click()
    settle()
    assert not page.lists.visibleRegion().isEmpty()


def test_that_what_was_declined_by_unknown_words_is_told_once_and_a_click_away(
    page: ResultsPage, window: MainWindow, settle: Settle
) -> None:
    assert page.found.declined.isHidden()
    audit = window.context.engine.open_audit.context.audit
    audit.write(
        lambda c: (
            c.execute(
                "UPDATE response SET status = 400, detail = 'Of this nobody speaks', finish = ''"
                " WHERE missing = 'refused'"
            ).rowcount
        )
    ).result()
    page.model.refresh()
    settle()
    assert page.model.results is not None
    found = page.model.results.unknown_refusals
    assert page.found.declined.text().replace("\u00a0", " ") == found.sentence
    assert not page.found.to_declined.isHidden()
    page.foot_words.how.click()
    measured = page.findChild(QLabel, "measured")
    assert measured is not None
    assert measured.text().replace("\u00a0", " ").count(found.sentence) == 1
    page.found.to_declined.click()
    settle()
    review = window.stack.current
    assert isinstance(review, ReviewPage)
    assert review.model.filters.wanted.bundle_ids == found.bundles
    said = [card.findChildren(QLabel) for card in review.findChildren(AnswerCard) if card.isVisible()]
    assert any("by words that this program does not know" in label.text() for labels in said for label in labels)


def test_that_the_model_table_says_what_its_means_are_of_and_how_intervals_were_made(page: ResultsPage) -> None:
    table = page.findChild(TableCard, "card.model_table")
    assert table is not None
    words = table.findChild(QLabel, "reading")
    assert words is not None
    assert "Means over 32 sets" in words.text()
    assert "95% ranges: " in words.text()
    assert "Scores: " in words.text()


def test_that_what_was_found_stands_first_with_five_bundles_to_read(
    page: ResultsPage, window: MainWindow, qtbot: QtBot, settle: Settle
) -> None:
    assert page.found.headline.text() == "Too few answers to say anything of 2 models"
    named = [row.accessibleName().partition(". ")[0] for row in page.found.rows]
    assert sorted(named) == ["faulty, synthetic", "tailoring-0.6, synthetic"]
    assert all("Too few" in row.accessibleName() for row in page.found.rows), "on a chip by each model"
    assert "does not show fairness" in page.foot_words.footnote.text()
    assert page.sections.places()[0] == ("model_table", "Models")
    card = page.read_first
    assert card.next.text() == f"Quote another of {TO_READ}"
    assert card.every.text().startswith("All ")
    assert card.first.words.text() != card.second.words.text()
    assert card.first.who.text() != card.second.who.text()
    qtbot.mouseClick(card.next, Qt.MouseButton.LeftButton)
    settle()
    with qtbot.waitSignal(window.context.navigator.moved) as moved:
        card.every.click()
    place = moved.args[0]
    assert place.page == "review"
    assert len(place.state["filter"].bundle_ids) == TO_READ
    assert place.state["bundle"] == page.model.answers.to_read.rows[1].bundle_id
    settle()


def test_that_the_foot_follows_what_was_found_and_a_shade_tells_where_more_follows(
    page: ResultsPage, window: MainWindow, settle: Settle
) -> None:
    shade, bar = page.sections.area.findChild(EndShade), page.sections.area.verticalScrollBar()
    assert shade is not None
    window.resize(1920, 1080)
    settle()
    end = page.lists.mapTo(page, page.lists.rect().bottomLeft()).y()
    assert 0 < page.foot_words.mapTo(page, QPoint()).y() - end < 40
    assert shade.isHidden()
    window.resize(1280, 655)
    settle()
    assert page.foot_words.isVisible()
    assert not page.sections.holds(page.foot_words)
    window.resize(1280, 600)
    settle()
    assert bar.value() < bar.maximum()
    assert shade.isVisible()
    bar.setValue(bar.maximum())
    assert shade.isHidden()


def test_that_how_far_readers_agree_is_a_click_away_once_somebody_has_read(
    page: ResultsPage, window: MainWindow, settle: Settle
) -> None:
    foot, to_read = page.foot_words, page.model.answers.to_read
    foot.show_read(to_read, 0)
    assert not foot.agree.isVisible()
    foot.show_read(to_read, 1)
    foot.agree.click()
    settle()
    review = window.stack.current
    assert isinstance(review, ReviewPage)
    assert review.centre.team.isVisible()


def test_that_sets_by_which_people_test_what_is_concluded_are_a_click_away(
    page: ResultsPage, window: MainWindow, settle: Settle
) -> None:
    foot, to_read = page.foot_words, page.model.answers.to_read
    assert (foot.start.isVisible(), foot.draw.isVisible()) == (True, False), "one next step: what is quoted comes first"
    assert foot.start.text() == f"Start reading: the first {TO_READ} of {to_read.of} sets", "as many as the brief says"
    foot.show_read(to_read, TO_READ)
    assert (foot.start.isVisible(), foot.draw.isVisible()) == (False, True)
    foot.draw.click()
    settle()
    review = window.stack.current
    assert isinstance(review, ReviewPage)
    assert review.filters.panel.wish.kind is SampleKind.CONCLUSION
    window.context.navigator.go("results")
    foot.draw.click()
    settle()
    assert review.isVisible()


def test_that_every_sign_is_defined_a_key_away(page: ResultsPage, window: MainWindow) -> None:
    assert window.context.actions.keys("scores.signs") == ("Shift+F1",)
    window.context.actions.action("scores.signs").trigger()
    dialog = page.findChild(SignsDialog, "signs")
    assert dialog is not None
    said = dict(zip(*[iter([each.text() for each in dialog.findChildren(QLabel)])] * 2, strict=True))
    assert {"how far apart, in words", "Share the reader adds", "Tone the reader adds", "Whole"} <= set(said)
    assert all(said.values())
    assert problems_in(dialog) == []
    dialog.close()


def test_that_sections_are_computed_when_the_reader_comes_near(page: ResultsPage, settle: Settle) -> None:
    last = page.sections.places()[-1][0]
    assert "model_table" in page.sections.filled()
    assert last not in page.sections.filled()
    assert "controls" not in page.sections.filled(), "a comparison, which stands on a tab that nobody has turned to"
    page.sections.go_to(last)
    settle()
    assert last in page.sections.filled()


def test_that_no_figure_is_cut_by_its_card(page: ResultsPage, settle: Settle) -> None:
    for name in ("interaction", "stability", "streaming", "identity_profile"):
        page.sections.go_to("tables")
        page.sections.go_to(name)
        settle()
        plot = card(page, f"card.{name}.0").chart
        assert isinstance(plot, FigurePlot)
        assert plot.isVisible()
        assert plot.figure is not None
        assert plot.parentWidget().height() >= plot.height() >= plot.figure.height


def test_that_two_heat_maps_stability_and_the_models_are_there_unfolded(page: ResultsPage, settle: Settle) -> None:
    maps = [card(page, f"card.interaction.{number}").chart for number in (0, 1)]
    assert all(isinstance(each, FigurePlot) for each in maps)
    assert {each.says.partition(",")[0] for each in maps[0].spots} == {"Religion", "Political"}
    page.sections.ask(["stability"])
    settle()
    plot = card(page, "card.stability.0").chart
    assert isinstance(plot, FigurePlot)
    assert ["synthetic" in each.says for each in plot.spots] == [True, True]
    models = page.findChild(TableCard, "card.model_table")
    assert models is not None
    assert models.table.model().rowCount() == 2


def test_that_the_batches_stand_on_a_control_chart_that_claims_no_limits_yet(page: ResultsPage, settle: Settle) -> None:
    page.sections.ask(["streaming", "dimension_means"])
    settle()
    plot = card(page, "card.streaming.0").chart
    assert isinstance(plot, FigurePlot)
    assert [each.says.partition(":")[0] for each in plot.spots] == ["Evening round (1)", "Evening round (2)"]
    assert "2 of 8 batches: too early for limits." in plot.accessibleDescription()
    assert isinstance(card(page, "card.dimension_means.0").chart, FigurePlot)


def test_that_means_and_differences_are_drawn_as_dots_above_their_table(page: ResultsPage, settle: Settle) -> None:
    page.sections.ask(("controls", "dimension_means"))
    settle()
    for name in ("controls", "dimension_means"):
        plots = [card(page, f"card.{name}.{at}").chart for at in (0, 1)]
        assert all(isinstance(plot, FigurePlot) and plot.spots for plot in plots)
        assert page.findChild(TableCard, f"card.{name}") is not None


def test_that_each_number_s_reading_and_settings_stand_under_it(page: ResultsPage) -> None:
    for holder in (card(page, "card.interaction.0"), page.findChild(TableCard, "card.model_table")):
        reading = holder.findChild(QLabel, "reading")
        assert "apart across readers" in reading.text()
        assert "each article's main answers, spread of tone of 5 answers." in reading.text().replace("\u00a0", " ")
        assert "CR2" in reading.toolTip()


def test_that_every_table_warns_where_rounds_were_not_asked_alike(page: ResultsPage, settle: Settle) -> None:
    audit = page.context.engine.open_audit.context.audit
    left_out = '{"left_out": [["family", "Impact"]]}'
    audit.write(
        lambda c: c.execute("UPDATE run SET plan = json_set(plan, '$.scope', json(?)) WHERE id = 1", (left_out,))
    ).result()
    page.model.refresh()
    settle()
    page.sections.ask(("interaction", "model_table"))
    settle()
    for holder in (card(page, "card.interaction.0"), page.findChild(TableCard, "card.model_table")):
        said = holder.findChild(QLabel, "reading").text()
        assert "Pools rounds of unlike designs: they differ in which kinds of question were asked." in said


def test_that_a_chip_makes_intervals_for_skewed_scores(page: ResultsPage, settle: Settle) -> None:
    chip = page.chips.skewed_chip
    assert not chip.isVisibleTo(page), "filters are folded until they are asked for"
    page.scope.change.click()
    assert chip.isVisibleTo(page)
    chip.click()
    settle()
    assert page.model.wanted.skewed
    assert chip.isChecked()


def test_that_every_section_shows_its_table(page: ResultsPage, settle: Settle) -> None:
    names = [name for name, _ in page.sections.places()]
    assert {"controls", "coverage", "refusals"} <= set(names)
    page.sections.ask(names)
    settle()
    assert set(page.model.sections) == set(names)
    coverage = page.findChild(TableCard, "card.coverage")
    assert coverage is not None
    assert coverage.table.model().rowCount() == 4
    heads = [str(coverage.table.model().headerData(at, Qt.Orientation.Horizontal)).split() for at in range(9)]
    assert ["Declined"] in heads, "a reason that occurred has its column, any other only its name below"
    assert "0 in every row: " in coverage.findChild(QLabel, "reading").text()


def test_that_new_scores_are_offered_and_not_put_under_the_reader_s_eyes(
    page: ResultsPage, window: MainWindow, settle: Settle
) -> None:
    before = card(page, "card.interaction.0")
    window.context.bridge.announce(BundlesScored(run_id=RunId(1), bundle_ids=(), provisional=0))
    settle()
    page.model.touch_now()
    assert page.fresh.isVisible()
    assert card(page, "card.interaction.0") is before
    window.context.bridge.announce(RunRested(run_id=RunId(1), name="Round 1", state=RunState.FINISHED, why=""))
    settle()
    assert not page.fresh.isVisible()


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
    seen = 0
    tables = [name for name, _ in page.sections.places() if name in ("interaction", "refusals", "dimension_means")]
    for place in ("found", "comparisons", "tables", *tables):
        page.sections.go_to(place)
        settle()
        assert list(cut_off(page)) == []
        room = page.area.viewport().width()
        cards = [each for kind in (ChartCard, TableCard) for each in page.findChildren(kind) if each.isVisible()]
        seen += len(cards)
        assert [
            each.objectName() for each in cards if each.mapTo(page.area.viewport(), QPoint()).x() + each.width() > room
        ] == []
    assert seen > 15


def test_that_the_palette_can_change_while_charts_are_shown(page: ResultsPage, window: MainWindow) -> None:
    from gpf_desktop.ui.theme import Scheme

    for scheme in (Scheme.DARK, Scheme.HIGH_CONTRAST, Scheme.LIGHT):
        window.context.theme.set_scheme(scheme)
        assert not page.grab().isNull()


def test_that_the_masked_controls_say_why_they_are_empty_and_how_to_fill_them(
    page: ResultsPage, settle: Settle, qtbot: QtBot
) -> None:
    for _ in range(2):
        page.sections.go_to("masked_controls")
        settle()
    start = page.findChild(QPushButton, "results.mask")
    assert start is not None
    said = " ".join(each.text() for each in page.sections.findChildren(QLabel))
    assert "Empty until the answers are measured without the readers' names" in said
    assert problems_in(page.sections) == []

    def filled() -> bool:
        found = page.model.sections.get("masked_controls")
        return found is not None and bool(found.rows)

    start.click()
    qtbot.waitUntil(filled)
    settle()
    assert page.findChild(QPushButton, "results.mask") is None

"""The lead figure on the page: read with the keyboard, by a screen reader, at any width; and saved."""

from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QFontMetrics, QGuiApplication
from PySide6.QtWidgets import QFileDialog, QWidget
from pytestqt.qtbot import QtBot

from gpf_desktop.domain.conclusions.sureness import how_sure
from gpf_desktop.engine.reporting.results_filter import ResultsFilter
from gpf_desktop.figures.files import FigureFile
from gpf_desktop.figures.lead import StripKind, lead_strips
from gpf_desktop.ui.main_window import MainWindow
from gpf_desktop.ui.results.conclusion_row import ConclusionRow
from gpf_desktop.ui.results.finding_section import FindingSection
from gpf_desktop.ui.results.found_card import _FRAME, FoundCard
from gpf_desktop.ui.results.results_actions import ResultsPart
from gpf_desktop.ui.results.results_page import ResultsPage
from gpf_desktop.ui.results.table_browser import _NAME
from gpf_desktop.ui.theme import Scheme
from gpf_desktop.ui.theme.tokens import SPACE_2
from tests.figures.pages import FAILED, D, conclusion, measure, noisy, told
from tests.ui.accessibility import problems_in
from tests.ui.results.steps import Settle


@pytest.fixture
def found(window: MainWindow, qtbot: QtBot) -> FoundCard:
    """Of a real model that differs, one whose judge failed, and a made-up one."""
    card = FoundCard(window.context.theme)
    qtbot.addWidget(card)
    failed = measure("judge", outcome=FAILED, voided_by="noisy")
    page = told(
        conclusion("a/elm", (measure("words", outcome=D),), D),
        conclusion("b/oak", (measure("words"), failed), caveats=(noisy("judge"),)),
        conclusion("c/ash", synthetic=True),
    )
    card.show_told(page, {}, marked=False)
    card.resize(1100, 900)
    card.show()
    qtbot.waitExposed(card)
    return card


def names(card: FoundCard) -> list[str]:
    return [row.accessibleName() for row in card.rows]


def test_that_every_row_says_whose_it_is_what_it_shows_and_where_it_stands(found: FoundCard) -> None:
    assert found.headline.text() == "1 of 2 differ"
    assert names(found)[0].startswith("The model elm differs.")
    assert "elm, By words. Differs. By words 0.50 (0.30 to 0.70)" in names(found)[1]
    assert [name.endswith(f"Row {at} of {len(found.rows)}.") for at, name in enumerate(names(found), 1)] == [True] * 7
    assert any("Check failed" in name and "The judge is noisy" in name for name in names(found))
    assert any("ash, synthetic" in name for name in names(found))
    assert problems_in(found) == []


def test_that_it_says_how_sure_it_is_in_the_words_of_the_brief(found: FoundCard) -> None:
    assert found.told is not None
    assert found.sure.text().replace("\u00a0", " ") == f"How sure: {how_sure(found.told)}"
    found.show_lines(("Nothing yet.",), computing=False)
    assert found.sure.isHidden()


def test_that_what_the_audited_party_replied_stands_under_what_it_answers(found: FoundCard) -> None:
    assert found.told is not None
    assert not found.replied.isVisible()
    replies = {"answer": "Reply of B: “We disagree.”", "conclusion/b/oak": "Reply of B, 3 December 2026: “<b>No.</b>”"}
    found.show_told(found.told, replies, marked=False)
    assert found.replied.isVisible()
    assert found.replied.text() == "Reply of B: “We disagree.”"
    replied = [row.strip for row in found.rows if row.replied and row.unfolded]
    assert [found.told.told[each.conclusion].name for each in replied if each is not None] == ["oak"]
    (row,) = (row for row in found.rows if row.replied)
    assert "“<b>No.</b>”" in row.accessibleDescription(), "word for word"
    assert problems_in(found) == []


def test_that_arrows_walk_the_rows_and_right_and_left_unfold_them(found: FoundCard, qtbot: QtBot) -> None:
    first, second = found.rows[0], found.rows[1]
    assert first.unfolded, "the first row is open from the start"
    assert not second.unfolded
    first.setFocus()
    qtbot.keyClick(first, Qt.Key.Key_Down)
    assert found.window().focusWidget() is second
    qtbot.keyClick(second, Qt.Key.Key_Right)
    assert second.unfolded
    assert "By words: 0.50 (0.30 to 0.70)." in second.said.text().replace("\u00a0", " ")
    qtbot.keyClick(second, Qt.Key.Key_Left)
    assert not second.unfolded
    qtbot.keyClick(second, Qt.Key.Key_End)
    assert found.window().focusWidget() is found.rows[-1]
    qtbot.keyClick(found.rows[-1], Qt.Key.Key_Home)
    assert found.window().focusWidget() is first


def test_that_the_first_row_says_why_where_all_rows_have_room_with_that_until_somebody_folds_it(
    found: FoundCard,
) -> None:
    first = found.rows[0]
    found.tell_first(0)
    assert not first.unfolded
    found.tell_first(10_000)
    assert first.unfolded
    first.unfold(on=False)
    found.tell_first(10_000)
    assert not first.unfolded, "somebody has folded it"


def test_that_no_row_is_opened_where_a_table_stands_in_place_of_the_figure(found: FoundCard) -> None:
    found.tell_first(0)
    for part in (found.refusals, found.lacks, found.declined):
        part.hide()
    found.toggle_table()
    found.tell_first(10_000)
    assert not found.rows[0].unfolded
    found.toggle_table()
    found.tell_first(10_000)
    assert found.rows[0].unfolded


def right_end(part: QWidget) -> int:
    return part.mapTo(part.window(), part.rect().topRight()).x()


def test_that_rows_are_low_where_else_not_all_of_them_are_in_sight_and_no_lower(
    page: ResultsPage, window: MainWindow, settle: Settle, qtbot: QtBot
) -> None:
    # Made up, and told before the page looks at it anew: more rows than stand there at full height.
    measures = tuple(measure(name) for name in ("words", "tone", "length", "favour", "blame", "praise"))
    page.found.show_told(told(*(conclusion(f"a/{name}", measures) for name in ("elm", "oak"))), {}, marked=False)
    heights = []
    for size in ((1440, 1080), (1440, 900), (1440, 1080)):
        window.resize(*size)
        settle()
        last = page.found.rows[-1]
        qtbot.waitUntil(lambda last=last: last.mapTo(page.area.viewport(), last.rect().bottomLeft()).y() > 0)
        end = last.mapTo(page.area.viewport(), last.rect().bottomLeft()).y()
        assert end <= page.area.viewport().height(), size
        heights.append(last.height())
    assert heights[0] > heights[1]
    assert heights[0] == heights[2]
    right = right_end(page.found)

    def cut() -> list[int]:
        port = page.area.viewport()
        tops = [
            (each.mapTo(port, QPoint(0, first)).y(), last - first)
            for each, first, last in page.found.whole_lines()
            if each.isVisibleTo(port)
        ]
        return [top for top, size in tops if top < port.height() < top + size]

    for high in (760, 740, 720, 700):
        window.resize(1440, high)
        settle()
        # Lines that wrap find their height in a turn of their own.
        qtbot.waitUntil(lambda: not cut())
        assert right_end(page.found) == right == right_end(page.foot_words.start), "with and without a bar to scroll"
        for turn in (page.scope.toggle, page.scope.toggle, page.found.toggle_table, page.found.toggle_table):
            turn()
            settle()
            qtbot.waitUntil(lambda: not cut())


def test_that_enter_and_a_click_on_a_mark_read_and_a_click_on_the_name_unfolds(found: FoundCard, qtbot: QtBot) -> None:
    read: list[int] = []
    found.read.connect(read.append)
    row = found.rows[3]
    assert row.strip is not None
    assert row.strip.row >= 0
    qtbot.keyClick(row, Qt.Key.Key_Return)
    left, right = row.strip.marks
    assert right > left > 100
    inside = row.rect().topLeft()
    inside.setX(round((left + right) / 2))
    inside.setY(10)
    qtbot.mouseClick(row, Qt.MouseButton.LeftButton, pos=inside)
    assert read == [1, 1]
    inside.setX(20)
    qtbot.mouseClick(row, Qt.MouseButton.LeftButton, pos=inside)
    assert row.unfolded
    assert read == [1, 1]


def test_that_the_sentence_is_copied_with_its_footnote_and_the_numbers_by_another_key(
    found: FoundCard, qtbot: QtBot
) -> None:
    row = found.rows[1]
    qtbot.keyClick(row, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    copied = QGuiApplication.clipboard().text()
    assert copied.startswith("The model elm differs.")
    assert "No more." in copied
    qtbot.keyClick(row, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier | Qt.KeyboardModifier.ShiftModifier)
    assert "0.50 (0.30 to 0.70)" in QGuiApplication.clipboard().text()


def test_that_f2_shows_the_figure_as_a_table_and_back(found: FoundCard, qtbot: QtBot) -> None:
    qtbot.keyClick(found.rows[0], Qt.Key.Key_F2)
    assert found.figure.isHidden()
    table = found._table
    assert table is not None
    assert table.isVisible()
    assert table.model().rowCount() == 4
    assert problems_in(found) == []
    found.resize(900, 900)
    qtbot.waitUntil(lambda: table.width() < 900)
    titles = [table.model().headerData(at, Qt.Orientation.Horizontal) for at in range(table.model().columnCount())]
    for at, title in enumerate(titles[:-1]):
        assert table.columnWidth(at) >= table.sizeHintForColumn(at), title
    qtbot.keyClick(table, Qt.Key.Key_F2)
    assert found.figure.isVisible()


def test_that_the_table_of_one_model_does_not_name_it_in_every_row(found: FoundCard, qtbot: QtBot) -> None:
    found.show_told(told(conclusion("a/elm", (measure("words"), measure("tone")))), {}, marked=False)
    qtbot.keyClick(found.rows[0], Qt.Key.Key_F2)
    assert found._table is not None
    model = found._table.model()
    titles = [model.headerData(at, Qt.Orientation.Horizontal) for at in range(model.columnCount())]
    assert titles[:2] == ["Measured", "Value with range"]


def test_that_what_marks_mean_is_said_above_them_in_line_with_question_and_headline(found: FoundCard) -> None:
    assert found._key.y() + found._key.height() <= found._head.y() < found.rows[0].y()
    assert found.question.x() + found.question.contentsMargins().left() == found.headline.x() + _FRAME


@pytest.mark.parametrize(("width", "scale"), [(1100, 100), (640, 100), (1100, 200)])
def test_that_the_figure_is_laid_out_for_the_width_and_the_size_of_text(
    found: FoundCard, window: MainWindow, qtbot: QtBot, width: int, scale: int
) -> None:
    window.context.theme.set_text_scale(scale)
    found.resize(width, 1200)
    qtbot.waitUntil(lambda: found._head.width() > 0 and found._head.height() > 0)
    page = found.told
    assert page is not None
    strips = [each for each in lead_strips(page, found._head.width() * 100 / scale) if each.kind is StripKind.ROW]
    shown = [row.strip for row in found.rows if row.strip is not None and row.strip.row >= 0]
    qtbot.waitUntil(lambda: abs(found.rows[0].width() - found._head.width()) < 2)
    assert [each.height for each in shown] == [each.height for each in strips]
    for scheme in (Scheme.DARK, Scheme.HIGH_CONTRAST, Scheme.LIGHT):
        window.context.theme.set_scheme(scheme)
        assert not found.grab().isNull()


def test_that_no_other_outcome_of_the_planned_tests_stands_beside_the_conclusions(page: ResultsPage) -> None:
    compared = {name for part, name in page.model.parts() if part is ResultsPart.COMPARISONS}
    assert "confirmatory" not in compared
    assert "model_comparison" in compared
    assert not page.sections.seen.isHidden()
    assert "No conclusion under Found rests on them" in page.sections.seen.text()


def test_that_a_row_leads_to_its_answers_and_to_its_tables(
    page: ResultsPage, window: MainWindow, settle: Settle, qtbot: QtBot
) -> None:
    row = page.found.rows[0]
    concluded = page.model.concluded
    assert concluded is not None
    one = concluded.told[0]
    with qtbot.waitSignal(window.context.navigator.moved) as moved:
        row.answers.click()
    place = moved.args[0]
    assert place.page == "review"
    assert f"from Results: {one.name}" in place.state["origin"]
    settle()
    window.context.navigator.back()
    settle()
    row.its_tables.click()
    settle()
    assert page.sections.part is ResultsPart.TABLES
    assert page.sections.browser.current == "model_table"
    assert "model_table" in page.sections.filled()


def test_that_the_list_of_tables_is_searched_and_one_table_stands_at_a_time(
    page: ResultsPage, settle: Settle, qtbot: QtBot
) -> None:
    page.sections.go_to("tables")
    settle()
    browser = page.sections.browser
    for at in range(browser.list.count()):
        item = browser.list.item(at)
        room = browser.list.viewport().width() - 2 * SPACE_2
        whole = QFontMetrics(browser.list.font()).boundingRect(0, 0, room, 999, Qt.TextFlag.TextWordWrap, item.text())
        assert browser.list.visualItemRect(item).height() >= whole.height(), item.text()
    qtbot.keyClicks(browser.search, "coverage")
    shown = [browser.list.item(at) for at in range(browser.list.count()) if not browser.list.item(at).isHidden()]
    assert [item.text() for item in shown][-1] == "Answers that came"
    browser.list.setCurrentItem(shown[-1])
    settle()
    standing = [each.name for each in browser.holder.findChildren(FindingSection) if each.isVisible()]
    assert standing == ["coverage"]
    qtbot.keyClicks(browser.search, " nonsense")
    assert browser.none.isVisible()
    assert page.tabs.tabText(page.tabs.currentIndex()) == f"All tables ({len(page.model.parts())})"


def test_that_tables_that_need_two_batches_models_or_vendors_hide_with_one(page: ResultsPage, settle: Settle) -> None:
    assert {"streaming", "model_comparison"} <= dict(page.sections.places()).keys()
    assert "vendor_summary" not in dict(page.sections.places()), "all models are of one vendor"
    page.model.set_filter(ResultsFilter(batches=frozenset({1})))
    settle()
    assert not page.model.compares("streaming")
    page.sections.go_to("comparisons")
    settle()
    section = page.findChild(FindingSection, "section.streaming")
    assert section is not None
    assert not section.isVisible()
    page.model.set_filter(ResultsFilter(batches=frozenset({1}), models=frozenset({"calibration/faulty"})))
    settle()
    listed = {page.sections.browser.list.item(at).data(_NAME) for at in range(page.sections.browser.list.count())}
    assert {"streaming", "stability", "model_comparison"}.isdisjoint({*dict(page.sections.places()), *listed})
    assert "coverage" in listed


def test_that_the_lead_figure_is_saved(page: ResultsPage, tmp_path: Path) -> None:
    for at, kind in enumerate(FigureFile):
        page.save.menu().actions()[at].trigger()
        dialog = page.findChildren(QFileDialog)[-1]
        target = tmp_path / f"{kind.name}.{kind.suffix}"
        dialog.fileSelected.emit(str(target))
        dialog.close()
        start = target.read_bytes()[:5]
        assert start.startswith({"png": b"\x89PNG", "svg": b"<svg", "pdf": b"%PDF", "slide": b"%PDF"}[kind])


def test_that_a_row_s_keys_do_nothing_to_the_window(page: ResultsPage, settle: Settle, qtbot: QtBot) -> None:
    row = page.found.rows[0]
    assert isinstance(row, ConclusionRow)
    row.setFocus()
    qtbot.keyClick(row, Qt.Key.Key_C, Qt.KeyboardModifier.ControlModifier)
    settle()
    assert page.isVisible()
    assert page.sections.part is ResultsPart.FOUND

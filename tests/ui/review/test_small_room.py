"""With large text in a small window the strip stays in sight and everything else can be brought there."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRect, Qt
from PySide6.QtGui import QFontMetricsF
from PySide6.QtWidgets import QAbstractButton, QApplication, QLabel, QScrollArea, QWidget
from pytestqt.qtbot import QtBot

from gpf_desktop.app import Desktop
from gpf_desktop.domain.ids import BundleId
from gpf_desktop.domain.review_queue import QueueTab
from gpf_desktop.domain.reviews import Judgement, Verdict
from gpf_desktop.engine.review.review_service import ReviewService
from gpf_desktop.storage.examples import Example
from gpf_desktop.ui.main_window import MainWindow
from gpf_desktop.ui.review.elided_button import inline_button
from gpf_desktop.ui.review.reading_content import Layout
from gpf_desktop.ui.review.review_page import ReviewPage
from gpf_desktop.ui.shell.tab_order import tab_stops
from gpf_desktop.ui.widgets.data_table import DataTable
from gpf_desktop.ui.widgets.layouts import bring_into_view
from tests.ui.review.conftest import open_review

Settle = Callable[[], None]
NOTE = (
    "Everybody else is told that comments are open until March. The student, the ill and the old are not, and are"
    " given a list of things to be careful about in its place."
)


@pytest.fixture
def sized(window: MainWindow, long_page: ReviewPage, settle: Settle) -> Callable[[int, int, int], ReviewPage]:
    def size(width: int, height: int, scale: int) -> ReviewPage:
        long_page.context.theme.set_text_scale(scale)
        window.resize(width, height)
        settle()
        return long_page

    return size


def seen(part: QWidget) -> QRect:
    """What of *part* the widgets around it do not cut off, in its own pixels."""
    left, around = part.rect(), part.parentWidget()
    while around is not None:
        left &= around.rect().translated(-part.mapTo(around, QPoint(0, 0)))
        around = around.parentWidget()
    return left if part.isVisible() else QRect()


def out_of_reach(page: ReviewPage) -> list[str]:
    """What Tab stops at and cannot be seen whole then; of what scrolls in itself, not even a line."""
    found = []
    for part in tab_stops(page):
        bring_into_view(part)
        shown = seen(part)
        least = part.size() if isinstance(part, QAbstractButton) else part.fontMetrics().boundingRect("Mg").size()
        least = least.boundedTo(part.size())
        if shown.width() < least.width() or shown.height() < least.height():
            found.append(f"{part.objectName() or part.accessibleName()}: {shown} of {part.rect()}")
    return found


def lines(page: ReviewPage) -> list[QLabel]:
    """What stands on the cards of the readings."""
    return [part for part in page.reading.panels.readings.findChildren(QLabel) if part.isVisible()]


def shows_choice(page: ReviewPage) -> bool:
    """The line with what is selected in the answers is in sight."""
    (text,) = (card.text for card in page.reading.answers.cards() if card.text.textCursor().hasSelection())
    return seen(text.viewport()).contains(text.cursorRect())


@pytest.mark.parametrize("scale", [100, 150, 200])
def test_that_what_is_looked_for_and_the_place_found_are_both_in_sight(
    sized: Callable[[int, int, int], ReviewPage], press: Callable[[str], None], qtbot: QtBot, scale: int
) -> None:
    page = sized(1280, 720, scale)
    page.reading.read_answer(page.reading.strip.tiles.tiles[0].key)
    press("Ctrl+F")
    qtbot.keyClicks(QApplication.focusWidget(), "consultation")
    field, text = page.reading.finding.field, page.reading.answers.cards()[0].text
    qtbot.waitUntil(lambda: text.textCursor().hasSelection())
    for _ in range(2):
        qtbot.waitUntil(lambda: seen(field) == field.rect())
        qtbot.waitUntil(lambda: shows_choice(page))
        press("Return")


def test_that_the_answer_asked_for_and_the_place_found_come_into_sight_from_below_what_was_read(
    sized: Callable[[int, int, int], ReviewPage], press: Callable[[str], None], qtbot: QtBot
) -> None:
    page = sized(1280, 720, 200)
    page.reading.read_answer(page.reading.strip.tiles.tiles[0].key)
    text = page.reading.answers.cards()[0].text
    top = page.reading.findChild(QScrollArea, "review.reading").verticalScrollBar()
    top.setValue(0)
    assert seen(text.viewport()).height() < text.fontMetrics().lineSpacing()
    press("Alt+1")
    qtbot.waitUntil(lambda: seen(text.viewport()).height() > 3 * text.fontMetrics().lineSpacing())
    press("Ctrl+F")
    top.setValue(0)
    qtbot.keyClicks(QApplication.focusWidget(), "consultation")
    qtbot.waitUntil(lambda: text.textCursor().hasSelection() and shows_choice(page))


def test_that_every_verdict_and_severity_of_the_folded_form_and_a_note_of_one_line_are_in_sight(
    sized: Callable[[int, int, int], ReviewPage], qtbot: QtBot
) -> None:
    page = sized(1280, 720, 100)
    folded, note = page.foot_form, page.foot_form.note
    folded.verdicts[Verdict.HARMFUL].click()
    note.setPlainText("Only the student is told to be careful.")
    for scale in (100, 150, 200):
        sized(1280, 720, scale)
        assert page.folding.is_folded
        for each in (*folded.verdicts.values(), *folded.severities.values()):
            qtbot.waitUntil(lambda each=each: seen(each) == each.rect())
            assert each.fontMetrics().horizontalAdvance(each.text()) < each.width(), scale
        if scale < 200:
            qtbot.waitUntil(lambda: note.isVisible() and note.verticalScrollBar().maximum() == 0)
            assert note.cursorRect().height() <= note.viewport().height(), scale
        sized(1280, 720, 100)
        qtbot.waitUntil(lambda: len({each.y() for each in folded.verdicts.values()}) == 1)


@pytest.mark.parametrize(("width", "height", "scale"), [(1280, 720, 100), (1280, 720, 200)])
def test_that_the_strip_stays_in_sight_and_every_control_can_be_reached(
    sized: Callable[[int, int, int], ReviewPage], qtbot: QtBot, width: int, height: int, scale: int
) -> None:
    page = sized(width, height, scale)
    strip = page.reading.strip
    qtbot.waitUntil(lambda: seen(strip) == strip.rect())
    places = [strip.visualRect(strip.tiles.index(at, 0)) for at in range(9)]
    assert all(strip.viewport().rect().contains(place) for place in places)
    page.reading.read_answer(strip.tiles.tiles[3].key)
    read = QApplication.focusWidget()
    assert read is not None
    qtbot.waitUntil(lambda: seen(read).height() >= 3 * read.fontMetrics().lineSpacing())
    assert seen(strip) == strip.rect()
    assert out_of_reach(page) == []
    page.reading.toggle_panel("why")
    qtbot.waitUntil(lambda: seen(strip) == strip.rect() and not seen(page.reading.panels).isEmpty())
    assert out_of_reach(page) == []


def test_that_names_begin_readably_in_the_strip_where_the_form_leaves_it_little_room(
    sized: Callable[[int, int, int], ReviewPage], settle: Settle
) -> None:
    for scale in (100, 150, 200):
        page = sized(1280, 720, scale)
        page.folding.set_folded(False)
        settle()
        strip = page.reading.strip
        widest = max(
            QFontMetricsF(page.context.theme.font(0.9)).horizontalAdvance(tile.letter + tile.name[:3])
            for tile in strip.tiles.tiles
        )
        assert strip.gridSize().width() >= widest + 2 * page.context.theme.px(4), scale
        rows = {strip.visualRect(strip.tiles.index(at, 0)).bottom() for at in range(len(strip.tiles.tiles))}
        assert max(rows) <= strip.viewport().height(), scale


def test_that_why_has_all_its_answers_in_sight_where_it_stands_below_them(
    sized: Callable[[int, int, int], ReviewPage], qtbot: QtBot
) -> None:
    page = sized(1280, 720, 125)
    qtbot.waitUntil(lambda: page.model.reader.explanation is not None)
    page.queue.setFocus()
    qtbot.keyClicks(page.queue, "w")
    table = page.reading.panels.findChild(DataTable, "review.why.answers")
    qtbot.waitUntil(lambda: seen(table) == table.rect())
    assert table.model().rowCount() == 9
    assert table.verticalScrollBar().maximum() == 0


def test_that_why_cuts_no_row_where_it_stands_beside_the_answers(
    sized: Callable[[int, int, int], ReviewPage], qtbot: QtBot
) -> None:
    page = sized(1280, 720, 100)
    qtbot.waitUntil(lambda: page.model.reader.explanation is not None)
    page.reading.toggle_panel("why")
    tables = page.reading.panels.why.findChildren(DataTable)
    assert len(tables) == 2
    for height in (720, 735):
        sized(1280, height, 100)
        for table in tables:
            row = table.verticalHeader().defaultSectionSize()
            qtbot.waitUntil(
                lambda table=table, row=row: table.viewport().height() >= row and not table.viewport().height() % row
            )
            qtbot.waitUntil(lambda table=table: table.horizontalHeader().length() <= table.viewport().width())


def test_that_an_answer_can_be_read_to_its_end_where_the_bar_takes_two_lines(
    sized: Callable[[int, int, int], ReviewPage], qtbot: QtBot
) -> None:
    page = sized(1280, 720, 150)
    page.queue.setFocus()
    qtbot.keyClick(page.queue, Qt.Key.Key_1, Qt.KeyboardModifier.AltModifier)
    answers = page.reading.answers
    assert answers.isAncestorOf(QApplication.focusWidget())
    qtbot.waitUntil(lambda: seen(answers) == answers.rect())


def test_that_a_smaller_window_and_text_leave_the_answer_that_is_read_in_sight_and_no_empty_lines(
    sized: Callable[[int, int, int], ReviewPage], qtbot: QtBot
) -> None:
    page = sized(1440, 900, 100)
    news = page.reading.top.news
    high = news.height()
    page.reading.read_answer(page.reading.strip.tiles.tiles[6].key)
    card = next(each for each in page.reading.answers.cards() if each.isAncestorOf(QApplication.focusWidget()))
    qtbot.waitUntil(lambda: seen(card).width() == card.width())
    sized(1280, 720, 200)
    sized(1280, 720, 100)
    qtbot.waitUntil(lambda: seen(card).width() == card.width())
    qtbot.waitUntil(lambda: news.height() == high)


def where(page: ReviewPage) -> list[tuple[int, int, int]]:
    """Of each answer its top edge and width in the page, and how far it is scrolled."""
    found = []
    for card in page.reading.answers.cards():
        top = card.text.mapTo(page, QPoint(0, 0)).y()
        found.append((top, card.text.width(), card.text.verticalScrollBar().value()))
    return found


@pytest.mark.parametrize("scale", [100, 150])
def test_that_folding_and_writing_bring_every_answer_back_to_the_line_that_was_read(
    sized: Callable[[int, int, int], ReviewPage], qtbot: QtBot, settle: Settle, scale: int
) -> None:
    page = sized(1280, 720, scale)
    page.reading.answers.focus_first()
    # Laid out, also what is only brought into sight in a later turn.
    qtbot.waitUntil(lambda: seen(page.reading.answers) == page.reading.answers.rect())
    text = QApplication.focusWidget()
    assert text is not None
    for _ in range(3):
        qtbot.keyClick(text, Qt.Key.Key_PageDown)
    settle()
    before = where(page)
    assert before[0][2] > 0
    for there, back in ((Qt.Key.Key_Z, Qt.Key.Key_Z), (Qt.Key.Key_T, Qt.Key.Key_Escape)):
        qtbot.keyClick(QApplication.focusWidget(), there)
        qtbot.waitUntil(lambda: where(page)[0][1:] != before[0][1:])
        qtbot.keyClick(QApplication.focusWidget(), back)
        qtbot.waitUntil(lambda: where(page) == before)


def test_that_readings_of_a_disagreement_can_be_read_whole_with_large_text(
    sized: Callable[[int, int, int], ReviewPage], qtbot: QtBot, settle: Settle
) -> None:
    page = sized(1280, 720, 200)
    open_audit = page.context.engine.open_audit
    bundle = page.model.queue.ids(QueueTab.TO_DO)[0]
    open_audit.reviews.submit(bundle, Judgement(verdict=Verdict.HARMFUL, severity=2, note=NOTE)).result()
    for name in ("ben", "cem"):
        ReviewService(open_audit.context, login=name).submit(bundle, Judgement(verdict=Verdict.CONTEXT)).result()
    page.model.reread()
    qtbot.waitUntil(lambda: page.model.queue.count(QueueTab.DISAGREE) == 1)
    page.model.set_tab(QueueTab.DISAGREE)
    settle()
    qtbot.waitUntil(lambda: any(NOTE in part.text() for part in lines(page)))
    for part in lines(page):
        bring_into_view(part)
        shown = seen(part)
        assert shown.width() == part.width(), part.text()
        assert shown.height() >= min(part.height(), 5 * part.fontMetrics().lineSpacing()), part.text()
    assert seen(page.reading.strip) == page.reading.strip.rect()
    assert out_of_reach(page) == []


def test_that_what_reviewers_say_leaves_the_answers_the_rest_and_closing_it_keeps_the_keys(
    sized: Callable[[int, int, int], ReviewPage], qtbot: QtBot, settle: Settle
) -> None:
    page = sized(1440, 900, 100)
    open_audit = page.context.engine.open_audit
    bundle = page.model.queue.ids(QueueTab.TO_DO)[0]
    for name, verdict in (("ben", Verdict.CONTEXT), ("cem", Verdict.LEGITIMATE)):
        ReviewService(open_audit.context, login=name).submit(bundle, Judgement(verdict=verdict)).result()
    page.model.reread()
    qtbot.waitUntil(lambda: page.model.queue.count(QueueTab.DISAGREE) == 1)
    page.model.set_tab(QueueTab.DISAGREE)
    settle()
    panels = page.reading.panels
    qtbot.waitUntil(lambda: seen(panels) == panels.rect() and seen(page.reading.answers) == page.reading.answers.rect())
    qtbot.waitUntil(lambda: panels.height() == panels.minimumHeight())
    close = next(part for part in panels.findChildren(QAbstractButton) if part.accessibleName() == "Close this panel")
    close.setFocus()
    close.click()
    assert page.reading.answers.isAncestorOf(QApplication.focusWidget())


def test_that_the_queue_is_as_wide_as_before_once_text_is_small_again(
    sized: Callable[[int, int, int], ReviewPage],
) -> None:
    page = sized(1920, 1080, 100)
    width = page.queue_pane.width()
    assert sized(1920, 1080, 200).queue_pane.width() > width
    assert sized(1920, 1080, 100).queue_pane.width() == width


def test_that_columns_of_sentences_stand_whole_in_sight(
    sized: Callable[[int, int, int], ReviewPage], settle: Settle
) -> None:
    for width in (1280, 1440, 1920):
        page = sized(width, 900, 100)
        page.model.reader.set_layout(Layout.GRID)
        settle()
        grid = page.reading.answers.grid
        seen = grid.viewport().width() / grid.columnWidth(0)
        assert grid.grid_model.columnCount() > seen > 1, width
        assert seen - int(seen) < 0.02, width


def test_that_an_example_has_its_two_ways_on_one_line_in_a_narrow_sheet(
    sized: Callable[[int, int, int], ReviewPage], settle: Settle
) -> None:
    page = sized(1440, 900, 100)
    panel = page.reading.panels.guideline
    page.reading.toggle_panel("guideline")
    example = Example(bundle_id=BundleId(1), judgement=Judgement(verdict=Verdict.HARMFUL, severity=3))
    panel.show_guideline("", (example,), leads=True, practises=False)
    settle()
    show, remove = (
        next(each for each in panel.findChildren(QAbstractButton) if each.text() == words)
        for words in ("Show", "Remove")
    )
    assert show.isVisible()
    assert show.y() == remove.y()
    assert show.x() < remove.x()


def test_that_a_folded_queue_leaves_the_keyboard_where_single_keys_judge(
    desktop: Desktop, qtbot: QtBot, long_once: Path, tmp_path: Path, press: Callable[[str], None]
) -> None:
    desktop.theme.set_text_scale(200)
    desktop.window.resize(1280, 720)
    desktop.window.activateWindow()
    page = open_review(desktop.window, qtbot, shutil.copy(long_once, tmp_path / "long.gpf"))
    assert page.rail.isVisible()
    assert page.reading.answers.first() is QApplication.focusWidget()
    press("D")
    assert page.model.draft.judgement.verdict is Verdict.HARMFUL


def test_that_a_queue_that_folds_while_another_page_is_shown_does_not_lie_under_the_answers(
    long_page: ReviewPage, window: MainWindow, settle: Settle
) -> None:
    window.resize(1280, 720)
    settle()
    for scale in (150, 200):
        window.context.navigator.go("home")
        window.context.theme.set_text_scale(scale)
        settle()
        window.context.navigator.go("review")
        settle()
    assert long_page.rail.isVisible()
    left = long_page.reading.mapTo(long_page, QPoint(0, 0)).x()
    assert long_page.rail.geometry().right() < left


def test_that_a_button_among_words_is_no_wider_than_its_words(qtbot: QtBot, window: MainWindow) -> None:
    button = inline_button("few")
    qtbot.addWidget(button)
    button.show_words("fill")
    assert button.minimumSizeHint().width() == button.sizeHint().width()
    button.show_words("a good deal longer than that")
    assert button.minimumSizeHint().width() < button.sizeHint().width()


def test_that_a_low_page_says_in_one_line_what_is_chosen_and_what_each_severity_is(
    sized: Callable[[int, int, int], ReviewPage],
) -> None:
    form = sized(1280, 720, 100).foot_form
    stood = form.height()
    for judgement, said in (
        (Judgement(), "How bad is asked where a set is harmful."),
        (Judgement(verdict=Verdict.HARMFUL), "3 facts or help kept back"),
        (Judgement(verdict=Verdict.HARMFUL, severity=2), "facts and help are there. Such as “Two rabbis"),
        (Judgement(verdict=Verdict.ARTEFACT), "a cut-off"),
    ):
        form.show_judgement(judgement, "", "")
        assert form.meaning.isVisible()
        assert said in form.meaning.text()
        assert form.height() == stood, "nothing moves under the pointer"

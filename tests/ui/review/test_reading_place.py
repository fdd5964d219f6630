"""The answer that is read stays the one that is read, whatever is done to how answers lie on the screen."""

from collections.abc import Callable

from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QPushButton
from pytestqt.qtbot import QtBot

from gpf_desktop.app import Desktop
from gpf_desktop.domain.review_queue import QueueFilter
from gpf_desktop.ui.review.reading_content import Layout
from gpf_desktop.ui.review.review_page import ReviewPage
from tests.ui.review.test_strip import cards, reads

Press = Callable[[str], None]
Settle = Callable[[], None]


def in_strip(page: ReviewPage) -> str:
    """The letter of the tile that is marked as the one being read."""
    strip = page.reading.strip
    return next((tile.letter for tile in strip.tiles.tiles if tile.key == strip.current), "")


def test_that_another_order_leaves_the_reader_with_the_same_answer(
    long_page: ReviewPage, press: Press, settle: Settle
) -> None:
    press("Alt+1")
    for _ in range(4):
        press("E")
        settle()
        assert (reads(long_page), in_strip(long_page)) == ("A", "A")


def test_that_another_order_keeps_the_mark_in_the_strip_while_the_queue_has_the_keyboard(
    long_page: ReviewPage, press: Press, settle: Settle
) -> None:
    press("Alt+4")
    long_page.queue.setFocus()
    press("E")
    settle()
    assert in_strip(long_page) == "D"


def test_that_every_layout_shows_the_answer_that_was_read(
    long_page: ReviewPage, press: Press, settle: Settle, qtbot: QtBot
) -> None:
    press("Alt+7")
    press("V")
    settle()
    assert long_page.model.reader.layout is Layout.STACK
    assert reads(long_page) == "G"
    area = long_page.reading.answers.stack.area
    top = area.viewport()
    qtbot.waitUntil(lambda: 0 <= cards(long_page)[6].mapTo(top, QPoint(0, 0)).y() < top.height() // 2)
    press("V")
    settle()
    assert long_page.model.reader.layout is Layout.BASELINE
    assert reads(long_page) == "G"
    press("V")
    settle()
    assert long_page.model.reader.layout is Layout.GRID
    assert long_page.reading.answers.grid.currentIndex().column() == 6
    press("V")
    settle()
    assert (reads(long_page), in_strip(long_page)) == ("G", "G")


def test_that_the_next_bundle_is_read_from_its_first_answer(page: ReviewPage, press: Press, settle: Settle) -> None:
    press("Alt+3")
    before = page.model.reader.current
    press("Right")
    settle()
    assert page.model.reader.current != before
    assert QApplication.focusWidget() is page.reading.answers.first()
    assert in_strip(page) == reads(page)


def test_that_the_order_in_force_is_named_beside_the_layout(
    long_page: ReviewPage, press: Press, settle: Settle
) -> None:
    long_page.queue.setFocus()
    button = long_page.findChild(QPushButton, "review.layout")
    assert button is not None
    said = []
    for _ in range(4):
        said.append(button.text())
        press("E")
        settle()
    assert said == ["Columns", "Columns, most unlike first", "Columns, by tone", "Columns, by length"]


def test_that_columns_are_whole_again_once_a_note_was_written(
    long_page: ReviewPage, desktop: Desktop, press: Press, settle: Settle, qtbot: QtBot
) -> None:
    desktop.window.resize(1280, 720)
    settle()
    press("Alt+5")
    columns = long_page.reading.answers.columns

    def whole() -> bool:
        lefts = {card.mapTo(columns.area.viewport(), QPoint(0, 0)).x() for card in cards(long_page)}
        return 0 in lefts

    press("N")
    settle()
    press("Escape")
    settle()
    assert reads(long_page) == "E"
    qtbot.waitUntil(whole)


def test_that_a_panel_beside_the_answers_leaves_the_one_that_is_read_whole(
    long_page: ReviewPage, desktop: Desktop, press: Press, settle: Settle, qtbot: QtBot
) -> None:
    desktop.window.resize(1280, 720)
    settle()
    press("Alt+1")
    press("Z")
    settle()
    press("Alt+5")
    settle()
    press("J")
    settle()
    port = long_page.reading.answers.columns.area.viewport()
    read = next(card for card in cards(long_page) if card.content and card.content.letter == "E")

    def whole() -> bool:
        left = read.mapTo(port, QPoint(0, 0)).x()
        return left >= 0 and left + read.width() <= port.width()

    qtbot.waitUntil(whole)


def test_that_one_reads_on_at_the_place_that_was_found(long_page: ReviewPage, press: Press, settle: Settle) -> None:
    long_page.queue.setFocus()
    press("Ctrl+F")
    QTest.keyClicks(QApplication.focusWidget(), "council")
    press("Return")
    settle()
    press("Escape")
    read = reads(long_page)
    assert read
    press("M")
    settle()
    (line,) = long_page.model.draft.judgement.passages
    reading = long_page.model.reader.reading
    assert reading is not None
    (card,) = [card for card in reading.cards if card.cell_id == line.cell_id]
    assert card.letter == read


def test_that_f6_comes_to_the_queue_and_not_to_what_takes_its_filter_away(
    page: ReviewPage, press: Press, settle: Settle, qtbot: QtBot
) -> None:
    page.model.filters.set_filter(QueueFilter(arm=None), "all of it")
    settle()
    qtbot.waitUntil(page.queue_pane.only.isVisible)
    page.queue.setFocus()
    press("F6")
    press("Shift+F6")
    assert QApplication.focusWidget() is page.queue


def test_that_the_tab_with_the_keyboard_has_a_frame(page: ReviewPage) -> None:
    tabs = page.bar.tabs
    tabs.setFocus(Qt.FocusReason.TabFocusReason)
    at = tabs.tabRect(tabs.currentIndex())
    picture = tabs.grab(at).toImage()
    focus = page.context.theme.color("focus").rgb()
    middle = picture.height() // 2
    assert focus in {picture.pixel(x, middle) for x in range(3)}


def test_that_a_dragged_edge_sets_the_width_from_the_first_column_in_sight(
    long_page: ReviewPage, press: Press, settle: Settle, qtbot: QtBot
) -> None:
    long_page.folding.set_folded(True)
    settle()
    columns = long_page.reading.answers.columns
    gaps, bar = columns._gaps, columns.area.horizontalScrollBar()
    qtbot.waitUntil(lambda: columns.at_once == 3)
    bar.setValue(cards(long_page)[4].x())
    qtbot.waitUntil(lambda: bar.value() == cards(long_page)[4].x() > 0)
    edge = cards(long_page)[5].x() - 4
    narrower = bar.value() + columns.width() // 4
    QTest.mousePress(gaps, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, QPoint(edge, 200))
    QTest.mouseMove(gaps, QPoint(narrower, 200))
    QTest.mouseRelease(gaps, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, QPoint(narrower, 200))
    assert columns.at_once == 4
    qtbot.waitUntil(lambda: bar.value() == cards(long_page)[4].x())


def test_that_a_passage_is_marked_by_the_mouse_alone(long_page: ReviewPage, settle: Settle, qtbot: QtBot) -> None:
    text = cards(long_page)[1].text
    at = text.viewport().rect().center()

    def menu() -> QMenu:
        asked = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, text.viewport().mapToGlobal(at))
        QApplication.sendEvent(text.viewport(), asked)
        (shown,) = [each for each in text.findChildren(QMenu) if each.isVisible()]
        return shown

    plain = menu()
    usual = [action.text() for action in plain.actions()]
    plain.close()
    settle()
    text.choose(0, 11)
    chosen = menu()
    assert [action.text() for action in chosen.actions()][-len(usual) :] == usual
    mark = next(action for action in chosen.actions() if action.text() == "Mark the selected passage")
    qtbot.mouseClick(chosen, Qt.MouseButton.LeftButton, pos=chosen.actionGeometry(mark).center())
    settle()
    assert len(long_page.model.draft.judgement.passages) == 1
    text.choose(14, 20)
    menu().close()


def test_that_a_panel_beside_the_answers_leaves_them_most_of_the_room(
    long_page: ReviewPage, desktop: Desktop, press: Press, settle: Settle, qtbot: QtBot
) -> None:
    desktop.window.resize(1280, 720)
    settle()
    press("Alt+1")
    for key in ("J", "W"):
        press(key)
        settle()
        qtbot.waitUntil(lambda: 0 < long_page.reading.panels.width() < long_page.reading.answers.width(), timeout=3000)


def test_that_the_height_of_a_panel_below_says_nothing_of_the_width_of_one_beside(
    long_page: ReviewPage, press: Press, settle: Settle, qtbot: QtBot
) -> None:
    panels, split = long_page.reading.panels, long_page.reading._share._split
    long_page.folding.toggle()
    press("J")
    settle()
    before = panels.width()
    press("J")
    press("P")
    settle()
    assert panels.width() > before
    handle, high = split.handle(1), panels.height()
    QTest.mousePress(handle, Qt.MouseButton.LeftButton)
    QTest.mouseMove(handle, QPoint(0, -400))
    QTest.mouseRelease(handle, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, QPoint(0, -400))
    assert panels.height() > high + 20
    press("P")
    press("J")
    qtbot.waitUntil(lambda: abs(panels.width() - before) < 5, timeout=3000)

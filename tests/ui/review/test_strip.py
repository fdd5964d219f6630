"""All answers at a glance and the way to each; columns as wide as the reader wants; two compared."""

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from gpf_desktop.app import Desktop
from gpf_desktop.ui.review.answer_card import AnswerCard
from gpf_desktop.ui.review.reading_content import AnswerOrder, Layout
from gpf_desktop.ui.review.review_page import ReviewPage
from gpf_desktop.ui.review.strip_content import strip_tiles
from gpf_desktop.ui.theme.tokens import RADIUS
from gpf_desktop.ui.widgets.span_text import Mark
from tests.ui.accessibility import problems_in
from tests.ui.review.conftest import open_review

Press = Callable[[str], None]
Settle = Callable[[], None]


def letters(page: ReviewPage) -> str:
    return "".join(tile.letter for tile in page.reading.strip.tiles.tiles)


def reads(page: ReviewPage) -> str:
    """The letter of the answer that has the keyboard."""
    focused = QApplication.focusWidget()
    return next((card.content.letter for card in cards(page) if card.isAncestorOf(focused) or card is focused), "")


def cards(page: ReviewPage) -> list[AnswerCard]:
    return [card for card in page.reading.answers.cards() if card.content]


def click_tile(page: ReviewPage, at: int, held: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
    strip = page.reading.strip
    place = strip.visualRect(strip.tiles.index(at, 0)).center()
    QTest.mouseClick(strip.viewport(), Qt.MouseButton.LeftButton, held, place)


def seen(page: ReviewPage) -> int:
    """Columns that are whole in sight."""
    port = page.reading.answers.columns.area.viewport()
    return sum(
        left >= 0 and left + card.width() <= port.width()
        for card in cards(page)
        for left in [card.mapTo(port, QPoint(0, 0)).x()]
    )


def test_that_the_last_tile_ends_where_the_strip_ends(long_page: ReviewPage, settle: Settle) -> None:
    strip = long_page.reading.strip
    strip.resize(strip.width() - strip.viewport().width() % 9 + 5, strip.height())
    click_tile(long_page, 8)
    settle()
    image = strip.viewport().grab().toImage()
    # Above the words, and below the corner, which is round.
    line = RADIUS
    assert {image.pixel(x, line) for x in (image.width() - 1, image.width() - 20)} == {
        image.pixel(image.width() - 40, line)
    }
    assert image.pixel(image.width() - 1, line) == long_page.context.theme.color("selection").rgb()


def test_that_the_round_corners_of_the_strip_are_not_painted_over(long_page: ReviewPage, settle: Settle) -> None:
    strip = long_page.reading.strip
    # The first tile is in sight, so that its ground is coloured.
    at = strip.viewport().mapTo(strip, strip.viewport().rect().topLeft())
    corner = strip.grab().toImage().pixelColor(at)
    assert corner.name() != long_page.context.theme.color("selection").name()
    assert corner.name() != long_page.context.theme.color("accent").name()


def test_that_the_strip_has_all_answers_in_sight_with_what_tells_them_apart(long_page: ReviewPage) -> None:
    strip = long_page.reading.strip
    assert letters(long_page) == "ABCDEFGHI"
    viewport = strip.viewport().rect()
    assert all(viewport.contains(strip.visualRect(strip.tiles.index(at, 0))) for at in range(9))
    first = strip.tiles.tiles[0]
    assert (first.name, first.words) == ("Ultra-rich", cards(long_page)[0].content.words)  # type: ignore[union-attr]
    assert sum(tile.share or 0 for tile in strip.tiles.tiles) == pytest.approx(1)
    assert "of how far apart they are" in first.spoken
    assert "tone" in first.spoken
    assert problems_in(long_page.reading) == []


def test_that_a_refused_answer_says_so_in_the_strip_and_can_be_gone_to(page: ReviewPage) -> None:
    tile = next(tile for tile in page.reading.strip.tiles.tiles if tile.missing)
    assert "declined" in tile.spoken
    click_tile(page, page.reading.strip.tiles.tiles.index(tile))
    assert reads(page) == tile.letter
    reading = page.model.reader.reading
    assert reading is not None
    worded = replace(reading.cards[0], missing="", flags=(("refusal", "I cannot help"),))
    assert "declined in its own words" in strip_tiles(replace(reading, cards=(worded,)), None)[0].spoken


def test_that_a_click_and_digits_go_to_an_answer(long_page: ReviewPage, press: Press, settle: Settle) -> None:
    click_tile(long_page, 7)
    settle()
    assert reads(long_page) == "H"
    assert long_page.reading.strip.current == long_page.reading.strip.tiles.tiles[7].key
    press("Alt+2")
    assert reads(long_page) == "B"
    long_page.reading.strip.setFocus()
    press("4")
    assert reads(long_page) == "D"
    assert long_page.model.draft.judgement.severity is None
    press("D")
    press("4")
    assert long_page.model.draft.judgement.severity == 4


def test_that_the_frame_of_the_keyboard_stands_around_the_card_and_off_the_letters(
    long_page: ReviewPage, press: Press, settle: Settle
) -> None:
    long_page.queue.setFocus()
    first, second = cards(long_page)[:2]
    focus = long_page.context.theme.color("focus").rgb()

    def framed(card: AnswerCard) -> tuple[bool, bool]:
        """Whether the middle of the left edge has the colour of the keyboard: of the card, of its text."""
        image, text = card.grab().toImage(), card.text.geometry()
        at = (card.height() // 2, text.left())
        return image.pixel(1, at[0]) == focus, any(image.pixel(at[1] + x, at[0]) == focus for x in range(3))

    assert framed(first) == framed(second) == (False, False)
    press("Alt+1")
    assert (framed(first), framed(second)) == ((True, False), (False, False))
    press("Alt+2")
    assert (framed(first), framed(second)) == ((False, False), (True, False))


def test_that_arrows_walk_the_strip_and_stay_in_the_bundle(long_page: ReviewPage, press: Press) -> None:
    long_page.reading.strip.setFocus()
    long_page.reading.strip.setCurrentIndex(long_page.reading.strip.tiles.index(0, 0))
    for key in ("Right", "Right", "Left", "Return"):
        press(key)
    assert reads(long_page) == "B"


def test_that_marked_passages_are_counted_in_the_strip(long_page: ReviewPage, press: Press, settle: Settle) -> None:
    text = cards(long_page)[2].text
    text.setFocus()
    text.choose(0, 11)
    press("M")
    settle()
    assert [tile.passages for tile in long_page.reading.strip.tiles.tiles] == [0, 0, 1, 0, 0, 0, 0, 0, 0]


def test_that_answers_stand_in_the_order_asked_for_and_keep_their_letters(
    long_page: ReviewPage, press: Press, settle: Settle
) -> None:
    long_page.queue.setFocus()
    tiles = {tile.letter: tile for tile in long_page.reading.strip.tiles.tiles}
    wanted = {
        AnswerOrder.SHARE: sorted(tiles, key=lambda letter: -(tiles[letter].share or 0)),
        AnswerOrder.TONE: sorted(tiles, key=lambda letter: tiles[letter].tone or 0),
        AnswerOrder.LENGTH: sorted(tiles, key=lambda letter: -tiles[letter].words),
        AnswerOrder.PLANNED: sorted(tiles),
    }
    for order, expected in wanted.items():
        press("E")
        settle()
        assert long_page.model.reader.options.order is order
        assert letters(long_page) == "".join(expected)
        assert [card.content.letter for card in cards(long_page)] == expected  # type: ignore[union-attr]


def test_that_the_columns_are_as_wide_as_they_are_dragged_and_stay_so(
    long_page: ReviewPage, desktop: Desktop, qtbot: QtBot, settle: Settle, long_once: Path, tmp_path: Path
) -> None:
    long_page.folding.set_folded(True)
    qtbot.waitUntil(lambda: long_page.reading.answers.columns.width() > 900)
    qtbot.waitUntil(lambda: seen(long_page) == 3)
    gaps = long_page.reading.answers.columns._gaps
    for columns in (4, 2, 3):
        qtbot.waitUntil(lambda: all(right < left for right, left in gaps._gaps()))
        x = gaps._gaps()[0][0] + 4
        there = long_page.reading.answers.columns.width() // columns
        QTest.mousePress(gaps, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, QPoint(x, 200))
        QTest.mouseMove(gaps, QPoint(there, 200))
        QTest.mouseRelease(gaps, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier, QPoint(there, 200))
        qtbot.waitUntil(lambda columns=columns: seen(long_page) == columns)  # type: ignore[misc]
    assert desktop.window.context.settings.value("review/column")


def test_that_plus_and_minus_do_the_same(long_page: ReviewPage, press: Press, qtbot: QtBot) -> None:
    long_page.queue.setFocus()
    press("-")
    qtbot.waitUntil(lambda: seen(long_page) == 3)
    press("+")
    qtbot.waitUntil(lambda: seen(long_page) == 2)


def test_that_one_key_folds_queue_and_form_away_and_back(
    long_page: ReviewPage, desktop: Desktop, press: Press, qtbot: QtBot
) -> None:
    for width, height, columns in ((1440, 900, 4), (1920, 1080, 5)):
        desktop.window.resize(width, height)
        long_page.queue.setFocus()
        press("Z")
        qtbot.waitUntil(lambda columns=columns: seen(long_page) == columns)
        assert long_page.folding.is_folded
        assert not long_page.queue_pane.isVisible()
        assert reads(long_page) == "A"
        press("Z")
        assert long_page.queue_pane.isVisible()
        assert not long_page.folding.is_folded
        assert QApplication.focusWidget() is long_page.queue


def test_that_like_sentences_are_level_while_answers_scroll_together(
    long_page: ReviewPage, press: Press, settle: Settle
) -> None:
    first, second, third = (card.text for card in cards(long_page)[:3])
    sentence = "The council has promised to publish counts"

    def level(text: object) -> float:
        return text.height_of(text.text.index(sentence)) - text.verticalScrollBar().value()  # type: ignore[attr-defined]

    assert max(map(level, (first, second, third))) - min(map(level, (first, second, third))) > 60
    aim = first.height_of(first.text.index(sentence)) - first.viewport().height() / 4
    first.verticalScrollBar().setValue(round(aim))
    line = first.cursorRect().height() * 1.5
    assert level(second) == pytest.approx(level(first), abs=line)
    assert level(third) == pytest.approx(level(first), abs=line)
    long_page.queue.setFocus()
    press("S")
    before = second.verticalScrollBar().value()
    first.verticalScrollBar().setValue(0)
    assert second.verticalScrollBar().value() == before


def test_that_any_two_answers_are_compared_and_all_come_back(
    long_page: ReviewPage, press: Press, settle: Settle
) -> None:
    click_tile(long_page, 1)
    press("K")
    press("E")
    settle()
    assert [card.content.letter for card in cards(long_page)] == ["B", "E"]  # type: ignore[union-attr]
    assert seen(long_page) == 2
    assert letters(long_page) == "ABCDEFGHI"
    assert cards(long_page)[0].content.baseline  # type: ignore[union-attr]
    marks = {span.mark for span in cards(long_page)[1].content.spans}  # type: ignore[union-attr]
    assert Mark.ONLY_HERE in marks
    click_tile(long_page, 0, Qt.KeyboardModifier.ControlModifier)
    settle()
    assert "A" in [card.content.letter for card in cards(long_page)]  # type: ignore[union-attr]
    QTest.mouseClick(long_page.reading.all_answers, Qt.MouseButton.LeftButton)
    settle()
    assert len(cards(long_page)) == 9
    assert not any(card.content.baseline for card in cards(long_page))  # type: ignore[union-attr]


def test_that_sentences_of_two_compared_answers_stand_beside_each_other_alone(
    long_page: ReviewPage, press: Press, settle: Settle
) -> None:
    grid = long_page.reading.answers.grid.grid_model
    long_page.model.reader.set_layout(Layout.GRID)
    settle()
    press("K")
    press("E")
    settle()
    assert long_page.model.reader.layout is Layout.GRID
    content = grid.content
    assert content is not None
    assert [heading[0] for heading in content.headings] == ["A", "E"]
    assert grid.columnCount() == 2
    assert all(any(row) for row in content.rows)
    press("K")
    settle()
    assert grid.columnCount() == 9


def test_that_the_strip_leads_through_the_stack_and_the_sentences_too(long_page: ReviewPage, settle: Settle) -> None:
    reader = long_page.model.reader
    reader.set_layout(Layout.STACK)
    settle()
    click_tile(long_page, 6)
    area = long_page.reading.answers.stack.area
    top = cards(long_page)[6].mapTo(area.viewport(), QPoint(0, 0)).y()
    assert 0 <= top < area.viewport().height() // 2
    reader.set_layout(Layout.GRID)
    settle()
    click_tile(long_page, 6)
    grid: QWidget = long_page.reading.answers.grid
    assert QApplication.focusWidget() is grid
    assert long_page.reading.answers.grid.currentIndex().column() == 6


def test_that_the_width_and_the_way_of_scrolling_are_kept(
    desktop: Desktop, qtbot: QtBot, long_once: Path, tmp_path: Path
) -> None:
    desktop.window.context.settings.setValue("review/column", 208)
    desktop.window.context.settings.setValue("review/alone", 1)
    desktop.window.resize(1440, 900)
    page = open_review(desktop.window, qtbot, shutil.copy(long_once, tmp_path / "long.gpf"))
    assert page.reading.alone
    qtbot.waitUntil(lambda: seen(page) == page.reading.answers.columns.at_once > 2)


def test_that_the_tile_with_the_keyboard_stays_legible(long_page: ReviewPage, qtbot: QtBot) -> None:
    strip = long_page.reading.strip
    strip.choose(2)
    strip.setFocus()
    qtbot.waitUntil(strip.hasFocus)
    tile = strip.visualRect(strip.tiles.index(2, 0))
    picture = strip.viewport().grab(tile).toImage()
    ground = long_page.context.theme.color("selection").rgb()
    share = sum(picture.pixel(x, y) == ground for x in range(picture.width()) for y in range(picture.height()))
    assert share > picture.width() * picture.height() / 2


def test_that_lines_stand_between_tiles_and_none_after_the_last(long_page: ReviewPage) -> None:
    strip = long_page.reading.strip
    picture = strip.viewport().grab().toImage()
    ground = long_page.context.theme.color("surface").rgb()
    ends = [strip.visualRect(strip.tiles.index(at, 0)).right() for at in range(9)]
    lined = [any(picture.pixel(x, 2) != ground for x in (end, end - 1)) for end in ends]
    assert lined == [*[True] * 8, False]


def test_that_a_key_pressed_twice_at_once_goes_on_twice(long_page: ReviewPage, press: Press, settle: Settle) -> None:
    long_page.queue.setFocus()
    press("B")
    press("B")
    settle()
    reading = long_page.model.reader.reading
    assert reading is not None
    assert reading.baseline == reading.baselines[1][0]

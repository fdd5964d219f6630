"""Answers with all the room: columns that can be read, and any answer in one of them."""

from collections.abc import Callable

import pytest
from PySide6.QtCore import QMimeData, QPoint, QPointF, Qt
from PySide6.QtGui import QDropEvent, QFont, QTextCursor
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from gpf_desktop.app import Desktop
from gpf_desktop.domain.reviews import Verdict
from gpf_desktop.ui.review.answer_strip import ANSWER
from gpf_desktop.ui.review.folding import QUEUE, ROOMY, Folding
from gpf_desktop.ui.review.review_page import ReviewPage
from gpf_desktop.ui.widgets.span_text import SpanTextView

Press = Callable[[str], None]
Settle = Callable[[], None]


@pytest.fixture
def roomy(long_page: ReviewPage, settle: Settle) -> ReviewPage:
    long_page.folding.set_roomy(True)
    settle()
    long_page.reading.answers.focus_first()
    return long_page


def in_columns(page: ReviewPage) -> str:
    return "".join(card.content.letter for card in page.reading.answers.columns.in_sight() if card.content)


def test_that_columns_hold_lines_that_can_be_read_and_begin_level(
    roomy: ReviewPage, desktop: Desktop, settle: Settle
) -> None:
    for width, height, columns in ((1280, 720, 3), (1440, 900, 4), (1920, 1080, 5)):
        desktop.window.resize(width, height)
        settle()
        seen = roomy.reading.answers.columns.in_sight()
        assert len(seen) == columns
        for card in seen:
            characters = card.text.viewport().width() * 75 / card.text.measure()
            assert 35 <= characters <= 60
        assert len({card.text.mapTo(roomy, card.text.rect().topLeft()).y() for card in seen}) == 1
        assert not roomy.queue_pane.isVisible()
        assert not roomy.form.isVisible()
        assert roomy.reading.top.height() <= 70, "question and news, a line each"


def test_that_words_begin_below_what_stands_above_them(roomy: ReviewPage) -> None:
    def begins(text: SpanTextView) -> int:
        at = text.cursorRect(QTextCursor(text.document())).topLeft()
        return text.viewport().mapTo(roomy, at).x()

    top, card = roomy.reading.top, roomy.reading.answers.cards()[0]
    asked = QTextCursor(top.question.document())
    asked.setPosition(len("“I am"))
    assert asked.charFormat().fontWeight() == QFont.Weight.DemiBold, "what was asked leads"
    assert begins(top.question) == top.news.short.mapTo(roomy, QPoint(0, 0)).x()
    assert begins(card.text) == card._letter.mapTo(roomy, QPoint(0, 0)).x()
    assert begins(card.text) >= card.text.mapTo(roomy, QPoint(0, 0)).x(), "not cut off"


def test_that_numbers_and_what_can_be_done_take_one_line_where_the_queue_is_open(
    roomy: ReviewPage, desktop: Desktop, qtbot: QtBot, settle: Settle
) -> None:
    roomy.folding.set_queue_folded(False)
    top = roomy.reading.top
    for width in (1440, 1280, 1100):
        desktop.window.resize(width, 720)
        settle()
        qtbot.waitUntil(lambda: len({each.y() for each in (top.numbers, top.add, top.memo)}) == 1)
        bar = roomy.reading.bar
        assert width < 1280 or len({each.y() for each in bar._buttons() if not each.isHidden()}) == 1


def test_that_in_a_narrow_window_a_look_into_the_queue_ends_with_the_set_that_is_clicked(
    roomy: ReviewPage, desktop: Desktop, settle: Settle
) -> None:
    roomy.folding.set_queue_folded(False)
    desktop.theme.set_text_scale(200)
    settle()
    assert not roomy.queue_pane.isVisible(), "open in a wide window, it would leave the answers none"
    assert roomy.reading.answers.cards()[0].isVisible()
    roomy.folding.toggle_queue()
    settle()
    assert roomy.queue_pane.isVisible()
    roomy.queue.clicked.emit(roomy.queue.currentIndex())
    assert not roomy.queue_pane.isVisible()
    desktop.theme.set_text_scale(100)
    settle()
    assert roomy.queue_pane.isVisible(), "as the reader had it"


def test_that_every_verdict_stands_in_words_with_its_question_and_its_key(roomy: ReviewPage) -> None:
    tiles = roomy.foot_form.verdicts
    assert [(tile.text(), tile.key) for tile in tiles.values()] == [
        ("Harmful", "D"),
        ("Fits the reader", "O"),
        ("Real difference", "L"),
        ("Test fault", "X"),
        ("Can't tell", "U"),
    ]
    for tile in tiles.values():
        assert tile.height() >= tile.needed_height(tile.width())


def test_that_a_verdict_severity_and_note_are_given_by_keys_alone_without_a_column_moving(
    roomy: ReviewPage, press: Press, qtbot: QtBot, settle: Settle
) -> None:
    before = in_columns(roomy)
    for key in ("D", "3", "N"):
        press(key)
    assert QApplication.focusWidget() is roomy.foot_form.note
    qtbot.keyClicks(roomy.foot_form.note, "told to wait")
    press("Escape")
    settle()
    said = roomy.model.draft.judgement
    assert (said.verdict, said.severity, said.note) == (Verdict.HARMFUL, 3, "told to wait")
    assert "Let others choose for you" in roomy.foot_form._example.text()
    assert in_columns(roomy) == before


def test_that_severities_are_asked_in_their_place_with_which_end_is_the_worst(
    roomy: ReviewPage, press: Press, settle: Settle
) -> None:
    form, moving = roomy.foot_form, (*roomy.foot_form.verdicts.values(), roomy.foot_form.note, roomy.foot_form.submit)
    stood = [(each.mapTo(roomy, QPoint(0, 0)), each.size()) for each in moving]
    assert not form.severities[1].isEnabled()
    assert "harmful" in form._example.text()
    assert "Asked where a set is harmful." in form.severities[1].toolTip()
    press("D")
    settle()
    assert form.severities[4].isEnabled()
    assert "1 slight, 4 severe" in form._example.text()
    assert [(each.mapTo(roomy, QPoint(0, 0)), each.size()) for each in moving] == stood


def test_that_one_key_opens_queue_and_form_and_that_is_remembered(
    roomy: ReviewPage, desktop: Desktop, press: Press, settle: Settle, qtbot: QtBot
) -> None:
    rail = desktop.window.rail
    folded = rail.width()
    press("Z")
    settle()
    assert roomy.queue_pane.isVisible()
    qtbot.waitUntil(lambda: rail.width() > folded)
    assert str(desktop.window.context.settings.value(ROOMY)) == "0"
    press("Z")
    settle()
    assert not roomy.queue_pane.isVisible()
    qtbot.waitUntil(lambda: rail.width() == folded)


def test_that_the_queue_alone_is_folded_by_a_button_or_its_key_and_that_is_remembered(
    roomy: ReviewPage, desktop: Desktop, press: Press, qtbot: QtBot, settle: Settle
) -> None:
    pane, rail, settings = roomy.queue_pane, roomy.rail, desktop.window.context.settings
    assert rail.unfold.toolTip() == "Open the queue (Ctrl+Shift+J)"
    qtbot.mouseClick(rail.unfold, Qt.MouseButton.LeftButton)
    settle()
    assert pane.isVisible()
    assert not roomy.form.isVisible()
    assert pane.fold.isVisible()
    assert (pane.fold.toolTip(), pane.fold.accessibleName()) == (
        "Fold the queue away (Ctrl+Shift+J)",
        "Fold the queue away",
    )
    assert pane.fold.y() < roomy.queue.y(), "where the other button was"
    qtbot.mouseClick(pane.fold, Qt.MouseButton.LeftButton)
    settle()
    assert not pane.isVisible()
    assert QApplication.focusWidget() is roomy.reading.answers.first()
    press("Ctrl+Shift+J")
    settle()
    assert pane.isVisible()
    assert QApplication.focusWidget() is roomy.queue
    assert str(settings.value(QUEUE)) == "0"
    again = Folding(roomy, desktop.window.context, roomy.folding._parts)
    pane.hide()
    again.fit()
    assert pane.isVisible(), "at the next start"
    roomy.context.actions.action("review.team").trigger()
    press("Ctrl+Shift+J")
    assert rail.isVisible()
    qtbot.mouseClick(rail.unfold, Qt.MouseButton.LeftButton)
    assert pane.isVisible(), "from the team as well, where nothing is judged"
    roomy.folding.toggle()
    assert settings.value(QUEUE) is None, "both at once again"


def test_that_a_number_brings_an_answer_into_the_column_that_is_read(
    roomy: ReviewPage, press: Press, settle: Settle
) -> None:
    assert in_columns(roomy) == "ABCD"
    press("2")
    press("7")
    settle()
    assert in_columns(roomy) == "AGCD"
    assert "".join(card.content.letter for card in roomy.reading.answers.cards() if card.content) == "AGCDEFBHI"
    seen = {tile.letter for tile in roomy.reading.strip.tiles.tiles if tile.key in roomy.reading.strip.tiles.seen}
    assert seen == set("AGCD")
    press("D")
    press("4")
    assert roomy.model.draft.judgement.severity == 4
    press("9")
    settle()
    assert in_columns(roomy) == "AICD"


def test_that_a_name_dropped_onto_a_column_takes_its_place(roomy: ReviewPage, settle: Settle) -> None:
    columns = roomy.reading.answers.columns
    carried = QMimeData()
    carried.setData(ANSWER, roomy.reading.strip.tiles.tiles[5].key.encode())
    third = columns.in_sight()[2]
    at = QPointF(third.mapTo(columns, third.rect().center()))
    move, left, none = Qt.DropAction.MoveAction, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    columns.dropEvent(QDropEvent(at, move, carried, left, none))
    settle()
    assert in_columns(roomy) == "ABFD"


def test_that_hidden_names_and_another_order_forget_what_was_swapped(
    roomy: ReviewPage, press: Press, settle: Settle
) -> None:
    press("8")
    settle()
    assert in_columns(roomy) != "ABCD"
    roomy.model.set_blind(True)
    settle()
    assert in_columns(roomy) == "ABCD"


def test_that_an_answer_is_marked_as_affected_on_itself(roomy: ReviewPage, qtbot: QtBot, settle: Settle) -> None:
    card = roomy.reading.answers.cards()[1]
    qtbot.mouseClick(card.affected, Qt.MouseButton.LeftButton)
    settle()
    assert card.content is not None
    assert roomy.model.draft.judgement.affected == card.content.levels
    assert card.affected.text() == "✓ affected"
    assert [tile.affected for tile in roomy.reading.strip.tiles.tiles].count(True) == 1

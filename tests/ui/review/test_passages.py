"""Marked passages: listed with their words, commented in place, undone by name, shown where they stand."""

import re
from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit
from pytestqt.qtbot import QtBot

from gpf_desktop.domain.review_queue import QueueTab
from gpf_desktop.domain.reviews import MarkedPassage
from gpf_desktop.ui.review.answer_card import AnswerCard
from gpf_desktop.ui.review.passages import commented, marked, place_of, without
from gpf_desktop.ui.review.reading_content import Layout
from gpf_desktop.ui.review.review_page import ReviewPage
from gpf_desktop.ui.widgets.span_text import Mark
from tests.ui.accessibility import problems_in

Press = Callable[[str], None]
Settle = Callable[[], None]
A = MarkedPassage(cell_id=1, start=10, end=20, comment="first")


def answered(page: ReviewPage, number: int = 0) -> AnswerCard:
    return [card for card in page.reading.answers.cards() if card.content and not card.content.missing][number]


@pytest.fixture
def one(page: ReviewPage, press: Press, settle: Settle) -> ReviewPage:
    """The form is open, and some words of the first answer are marked."""
    page.folding.set_folded(False)
    card = answered(page)
    card.text.setFocus()
    card.text.choose(4, 30)
    press("M")
    settle()
    return page


def test_that_the_same_words_marked_again_are_unmarked_and_overlapping_ones_join() -> None:
    assert marked((A,), MarkedPassage(cell_id=1, start=10, end=20)) == ()
    wider = marked((A,), MarkedPassage(cell_id=1, start=15, end=30, comment="second"))
    assert wider == (MarkedPassage(cell_id=1, start=10, end=30, comment="second; first"),)
    assert marked((A,), MarkedPassage(cell_id=1, start=12, end=14)) == (A,)
    beside = MarkedPassage(cell_id=1, start=20, end=25)
    other = MarkedPassage(cell_id=2, start=12, end=14)
    assert marked(marked((A,), beside), other) == (A, beside, other)


def test_that_a_comment_and_an_unmarking_meet_one_passage_only() -> None:
    other = MarkedPassage(cell_id=2, start=1, end=4)
    assert commented((A, other), place_of(other), "said")[1].comment == "said"
    assert commented((A, other), place_of(other), "said")[0] == A
    assert without((A, other), place_of(A)) == (other,)


def test_that_a_marked_passage_is_listed_with_its_letter_and_first_words(one: ReviewPage) -> None:
    (row,) = one.form.passages.rows().values()
    card = answered(one)
    assert card.content is not None
    said = card.content.shown.text[4:30]
    assert row.go.words == f"{card.content.letter}  {' '.join(said.split())}"
    assert problems_in(one.form.passages) == []


def test_that_words_selected_in_the_next_answer_are_the_ones_that_are_marked(
    one: ReviewPage, press: Press, settle: Settle
) -> None:
    answered(one).text.choose(4, 30)
    other = answered(one, 1)
    other.text.setFocus()
    other.text.choose(2, 12)
    assert answered(one).text.selected() is None
    press("M")
    settle()
    assert other.content is not None
    assert [each.cell_id for each in one.model.draft.judgement.passages][1:] == [other.content.cell_id]
    assert other.text.selected() is None


def test_that_its_comment_is_saved_within_a_second_and_undone_by_name_as_one_step(
    one: ReviewPage, press: Press, qtbot: QtBot, settle: Settle
) -> None:
    press("C")
    field = QApplication.focusWidget()
    assert isinstance(field, QLineEdit)
    bundle = one.model.reader.current
    service = one.model.service
    assert service is not None
    assert bundle is not None

    def stored() -> list[str]:
        return [each.comment for each in service.bundle(bundle).state.judgement.passages]

    qtbot.keyClicks(field, "speaks down")
    qtbot.waitUntil(lambda: stored() == ["speaks down"])
    qtbot.keyClicks(field, " to them")
    qtbot.waitUntil(lambda: stored() == ["speaks down to them"])
    settle()
    assert QApplication.focusWidget() is field
    assert "comment on a passage" in one.context.actions.action("edit.undo").text()
    one.context.actions.action("edit.undo").trigger()
    settle()
    assert stored() == [""]
    assert field.text() == ""


def test_that_commenting_leaves_the_rest_of_the_page_alone(
    one: ReviewPage, press: Press, qtbot: QtBot, settle: Settle
) -> None:
    first, panels = answered(one), one.reading.panels
    assert first.content is not None
    first.repeats_asked.emit(first.content.key)
    buttons = list(one.form.affected.values())
    press("C")
    field = QApplication.focusWidget()
    qtbot.keyClicks(field, "speaks down")
    qtbot.waitUntil(lambda: one.model.reader.reading is not None and _comments(one) == ["speaks down"])
    settle()
    assert panels.shown == "repeats"
    assert list(one.form.affected.values()) == buttons


def _comments(page: ReviewPage) -> list[str]:
    reading = page.model.reader.reading
    return [] if reading is None else [line.passage.comment for line in reading.passages]


def test_that_unmarking_is_undone_by_name_with_its_comment(one: ReviewPage, settle: Settle) -> None:
    (place,) = one.form.passages.rows()
    one.model.draft.comment(place, "speaks down")
    one.form.passages.rows()[place].remove.click()
    settle()
    assert one.model.draft.judgement.passages == ()
    assert not one.form.passages.rows()
    assert "unmarking a passage" in one.context.actions.action("edit.undo").text()
    one.context.actions.action("edit.undo").trigger()
    settle()
    assert [each.comment for each in one.model.draft.judgement.passages] == ["speaks down"]
    assert one.form.passages.rows()[place].comment.text() == "speaks down"


def test_that_choosing_one_shows_it_in_its_answer_from_any_layout(one: ReviewPage, settle: Settle) -> None:
    one.model.reader.set_layout(Layout.GRID)
    settle()
    (row,) = one.form.passages.rows().values()
    row.go.click()
    settle()
    assert one.model.reader.layout is Layout.COLUMNS
    card = answered(one)
    assert card.text.selected() == (4, 30)
    assert QApplication.focusWidget() is card.text


def test_that_passages_stay_in_a_blind_reading_and_in_the_history(
    one: ReviewPage, press: Press, settle: Settle
) -> None:
    first = one.model.reader.current
    assert first is not None
    one.bar.blind.click()
    settle()
    assert one.model.reader.reading is not None
    (line,) = one.model.reader.reading.passages
    card = next(c for c in one.reading.answers.cards() if c.content and line.level in c.content.levels)
    assert any(span.mark is Mark.PASSAGE for span in card.text.spans)
    assert card.content is not None
    assert line.letter in card.content.letters
    (row,) = one.form.passages.rows().values()
    assert row.go.words.startswith(line.letter)
    one.queue.setFocus()
    press("O")
    press("Ctrl+Return")
    settle()
    service = one.model.service
    assert service is not None
    (entry,) = service.bundle(first).history
    assert len(entry.judgement.passages) == 1
    one.model.set_tab(QueueTab.DONE)
    settle()
    assert len(one.form.passages.rows()) == 1


def test_that_no_words_selected_and_no_passage_marked_say_so(page: ReviewPage, press: Press) -> None:
    page.queue.setFocus()
    press("M")
    assert "Select words" in page.context.messages.messages[-1].text
    press("C")
    assert "No passage is marked yet" in page.context.messages.messages[-1].text


def test_that_a_passage_drawn_with_the_mouse_is_made_of_whole_words_and_of_parts_with_shift(
    page: ReviewPage, press: Press, qtbot: QtBot, settle: Callable[[], None]
) -> None:
    card = answered(page)
    assert card.content is not None
    said = card.content.shown.text
    first, second, third = list(re.finditer(r"\w{5,}", said))[:3]
    text = card.text

    def drag(start: int, end: int, held: Qt.KeyboardModifier) -> None:
        cursor = text.textCursor()
        places = []
        for at in (start, end):
            cursor.setPosition(at)
            places.append(text.cursorRect(cursor).center())
        QTest.mousePress(text.viewport(), Qt.MouseButton.LeftButton, held, places[0])
        QTest.mouseMove(text.viewport(), places[1])
        QTest.mouseRelease(text.viewport(), Qt.MouseButton.LeftButton, held, places[1])

    drag(first.start() + 2, second.start() + 2, Qt.KeyboardModifier.NoModifier)
    assert text.selected() == (first.start(), second.end())
    press("M")
    settle()
    drag(third.start() + 1, third.start() + 3, Qt.KeyboardModifier.ShiftModifier)
    press("M")
    settle()
    marked = [said[each.start : each.end] for each in page.model.draft.judgement.passages]
    assert marked == [said[first.start() : second.end()], third.group()[1:3]]


def test_that_a_bundle_and_passages_of_it_are_added_to_the_report(
    one: ReviewPage, press: Press, settle: Settle, qtbot: QtBot
) -> None:
    drafts = one.context.engine.open_audit.drafts
    one.reading.top.add.click()
    qtbot.waitUntil(lambda: len(drafts.current.tray) == 1)
    (row,) = one.form.passages.rows().values()
    row.add.click()
    qtbot.waitUntil(lambda: len(drafts.current.tray) == 2)
    card = answered(one, 1)
    card.text.setFocus()
    card.text.choose(4, 30)
    press("Q")
    qtbot.waitUntil(lambda: len(drafts.current.tray) == 3)
    bundle, marked_one, selected = drafts.current.tray
    assert bundle.bundle == marked_one.bundle == selected.bundle == one.model.reader.current
    place = place_of(one.model.draft.judgement.passages[0])
    assert (marked_one.cell, marked_one.start, marked_one.end) == place
    assert selected.cell == card.content.cell_id  # type: ignore[union-attr]
    assert problems_in(one.form.passages) == []


def test_that_what_is_added_while_reading_blind_names_no_model(one: ReviewPage, settle: Settle, qtbot: QtBot) -> None:
    one.model.set_blind(True)
    settle()
    one.model.add_bundle()
    qtbot.waitUntil(lambda: bool(one.context.messages.messages))
    assert one.context.messages.messages[0].text == "The set of answers is in the report's evidence."

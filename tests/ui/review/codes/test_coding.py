"""Passages are coded where they are read, codes kept in their book, and quotes found again, in the real window."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QApplication, QDialog, QLineEdit, QPushButton
from pytestqt.qtbot import QtBot

from gpf_desktop.domain.reviews import MarkedPassage, Verdict
from gpf_desktop.domain.study_entries import STUDY
from gpf_desktop.engine.review.review_service import ReviewService
from gpf_desktop.ui.exchange.export_dialog import ExportDialog
from gpf_desktop.ui.main_window import MainWindow
from gpf_desktop.ui.review.codes.code_chooser import CodeChooser
from gpf_desktop.ui.review.codes.code_editor import CodeEditor
from gpf_desktop.ui.review.codes.codes_view import _number
from gpf_desktop.ui.review.codes.memo_dialog import MemoDialog
from gpf_desktop.ui.review.passages import coded, marked, place_of
from gpf_desktop.ui.review.queue_delegate import LINE_ROLE
from gpf_desktop.ui.review.review_page import ReviewPage
from gpf_desktop.ui.widgets.badge import Badge
from gpf_desktop.ui.widgets.span_text import Mark
from tests.ui.accessibility import problems_in
from tests.ui.review.test_passages import answered

Press = Callable[[str], None]
Settle = Callable[[], None]
A = MarkedPassage(cell_id=1, start=10, end=20)


def opened(kind: type[QDialog], page: ReviewPage) -> QDialog:
    (found,) = [each for each in page.findChildren(kind) if each.isVisible()]
    return found


@pytest.fixture
def coding(page: ReviewPage, qtbot: QtBot, settle: Settle) -> ReviewPage:
    """The form is open, and the book holds two codes."""
    page.folding.set_folded(False)
    for name in ("Talks down", "Stereotype"):
        page.model.service.codes.create(name).result()  # type: ignore[union-attr]
    qtbot.waitUntil(lambda: len(page.form.passages.book.offered) == 2)
    settle()
    return page


def code_words(page: ReviewPage, press: Press | None, qtbot: QtBot, typed: str) -> None:
    """Select words of the first answer and give them the code that *typed* finds."""
    card = answered(page)
    card.text.setFocus()
    card.text.choose(4, 30)
    if press is None:
        page.context.actions.action("review.code").trigger()
    else:
        press("Shift+M")
    chooser = opened(CodeChooser, page)
    assert isinstance(chooser, CodeChooser)
    qtbot.keyClicks(chooser.field, typed)
    chooser.field.returnPressed.emit()


def test_that_codes_are_given_and_taken_away_on_the_very_words_and_others_may_overlap() -> None:
    (one,) = coded((), A, "x")
    assert one.codes == ("x",)
    inner = MarkedPassage(cell_id=1, start=12, end=15)
    both = coded((one,), inner, "y")
    assert [each.codes for each in both] == [("x",), ("y",)]
    assert coded(both, inner, "y") == (one,)
    assert coded((MarkedPassage(cell_id=1, start=10, end=20, comment="kept", codes=("x",)),), A, "x") == (
        MarkedPassage(cell_id=1, start=10, end=20, comment="kept"),
    )
    assert [place_of(each) for each in marked((one,), MarkedPassage(cell_id=1, start=15, end=30))] == [
        (1, 10, 20),
        (1, 15, 30),
    ]


def test_that_who_codes_for_the_first_time_is_told_how(page: ReviewPage, qtbot: QtBot, settle: Settle) -> None:
    answered(page).text.choose(4, 30)
    page.context.actions.action("review.code").trigger()
    chooser = opened(CodeChooser, page)
    assert isinstance(chooser, CodeChooser)
    assert chooser.none.isVisible()
    qtbot.keyClicks(chooser.field, "Talks down")
    chooser.field.returnPressed.emit()
    qtbot.waitUntil(lambda: len(page.form.passages.book.offered) == 1)
    settle()
    page.context.actions.action("review.code").trigger()
    assert opened(CodeChooser, page).none.isHidden()  # type: ignore[attr-defined]


def test_that_selected_words_are_coded_by_the_keyboard_and_undone(
    coding: ReviewPage, qtbot: QtBot, press: Press, settle: Settle
) -> None:
    code_words(coding, press, qtbot, "stereo")
    settle()
    (passage,) = coding.model.draft.judgement.passages
    book = coding.form.passages.book
    assert [code.name for code in book.standing_of(passage.codes)] == ["Stereotype"]
    (row,) = coding.form.passages.rows().values()
    assert row.codes.words == "Stereotype"
    coding.context.actions.action("edit.undo").trigger()
    qtbot.waitUntil(lambda: not coding.model.draft.judgement.passages)
    coding.context.actions.action("edit.redo").trigger()
    qtbot.waitUntil(lambda: len(coding.model.draft.judgement.passages) == 1)


def test_that_a_coded_passage_shows_its_code_where_it_stands(
    coding: ReviewPage, qtbot: QtBot, press: Press, settle: Settle
) -> None:
    code_words(coding, press, qtbot, "stereo")
    settle()
    card = answered(coding)
    words = card.text.text[4:30].strip()
    (span,) = [each for each in card.text.spans if each.mark is Mark.CODED]
    assert span.tip == "Stereotype"
    ((bar, beside),) = card.gutter.bars()
    assert beside == span
    assert card.gutter.isVisible()
    top, bottom = card.text.lines_of(span.start, span.end)
    assert (bar.top(), bar.bottom() + 1) == (top, bottom)
    left, right = (card.gutter.mapTo(card, each).x() for each in (bar.topLeft(), bar.topRight()))
    words_at = card.text.viewport().mapTo(card, card.text.cursorRect(QTextCursor(card.text.document())).topLeft()).x()
    assert 1 < left < right < words_at - 2, "in the card's margin, beside its words"
    painted = card.grab().toImage().pixelColor(card.gutter.mapTo(card, bar.center()))
    assert painted.name() == coding.context.theme.color("accent").name()
    (chip,) = [each for each in card.findChildren(Badge) if each.isVisible() and each.text == "Stereotype"]
    assert words in chip.toolTip()
    assert "Stereotype" in card.text.accessibleDescription()
    assert words in card.text.accessibleDescription()
    assert problems_in(card) == []
    book = coding.form.passages.book
    (code,) = [each for each in book.offered if each.name == "Stereotype"]
    coding.model.service.codes.change(replace(code, name="Cliché")).result()  # type: ignore[union-attr]
    qtbot.waitUntil(lambda: "Cliché" in card.text.accessibleDescription())
    coding.context.actions.action("edit.undo").trigger()
    qtbot.waitUntil(lambda: card.gutter.bars() == ())
    settle()
    assert card.text.accessibleDescription() == ""
    assert not card.gutter.isVisible()


def test_that_a_new_name_makes_a_code_and_gives_it_and_the_same_again_takes_it_away(
    coding: ReviewPage, qtbot: QtBot, press: Press, settle: Settle
) -> None:
    code_words(coding, press, qtbot, "Money first")
    qtbot.waitUntil(lambda: len(coding.form.passages.book.offered) == 3)
    settle()
    (passage,) = coding.model.draft.judgement.passages
    assert [code.name for code in coding.form.passages.book.standing_of(passage.codes)] == ["Money first"]
    (row,) = coding.form.passages.rows().values()
    assert row.codes.toolTip().startswith("Money first")
    row.codes.click()
    chooser = opened(CodeChooser, coding)
    assert isinstance(chooser, CodeChooser)
    assert "✓ Money first" in [chooser.list.item(at).text() for at in range(chooser.list.count())]
    assert problems_in(chooser) == []
    qtbot.keyClicks(chooser.field, "money")
    chooser.field.returnPressed.emit()
    settle()
    assert coding.model.draft.judgement.passages == ()


def test_that_without_a_selection_it_is_said_what_to_do(coding: ReviewPage, press: Press, settle: Settle) -> None:
    answered(coding).text.setFocus()
    press("Shift+M")
    assert not [each for each in coding.findChildren(CodeChooser) if each.isVisible()]
    assert any("Select words" in message.text for message in coding.context.messages.messages)


@pytest.fixture
def quoted(coding: ReviewPage, qtbot: QtBot, settle: Settle) -> ReviewPage:
    """Two sets are read, each with a coded passage; the book is open."""
    for typed, verdict in (("talks", Verdict.HARMFUL), ("stereo", Verdict.CONTEXT)):
        # Offscreen the keyboard does not come back by itself once a dialog is closed.
        code_words(coding, None, qtbot, typed)
        coding.model.draft.set_verdict(verdict)
        if verdict is Verdict.HARMFUL:
            coding.model.draft.set_severity(3)
        before = coding.model.reader.current
        coding.model.submit()
        qtbot.waitUntil(lambda before=before: coding.model.in_sight is not None and coding.model.in_sight.id != before)
        settle()
    coding.context.actions.action("review.codes").trigger()
    qtbot.waitUntil(lambda: len(coding.centre.codes.quotes.rows) == 2)
    return coding


def test_that_quotes_are_filtered_and_lead_to_their_answers(quoted: ReviewPage, qtbot: QtBot, settle: Settle) -> None:
    view = quoted.centre.codes
    assert problems_in(view) == []
    boxes = view.filters.boxes
    clear = view.filters.findChild(QPushButton, "codes.filter.clear")
    assert not clear.isEnabled()

    def choose(name: str, words: str) -> None:
        box = boxes[name]
        qtbot.keyClick(box, Qt.Key.Key_Home)
        for _ in range(box.count()):
            if not box.currentText().startswith(words):
                qtbot.keyClick(box, Qt.Key.Key_Down)
        assert box.currentText().startswith(words)

    choose("verdict", "Harmful")
    assert clear.isEnabled()
    (quote,) = view.quotes.rows
    assert _number(1, [quote, replace(quote, draft=True)]) == "1 of 2 quotes · 1 of a draft, which no export has"
    assert [code.name for code in view.model.codes_of(quote)] == ["Talks down"]
    choose("verdict", "Every verdict")
    choose("severity", "3 serious")
    assert view.quotes.rows == (quote,)
    choose("code", "Talks down")
    assert view.quotes.rows == (quote,)
    choose("code", "No code yet")
    assert view.quotes.rows == ()
    assert not view.empty.isHidden()
    qtbot.mouseClick(view.filters.findChild(QPushButton, "codes.filter.clear"), Qt.MouseButton.LeftButton)
    assert len(view.quotes.rows) == 2
    assert {box.currentText().partition(" ")[0] for box in boxes.values()} == {"Every"}
    choose("reviewer", quote.reviewer)
    choose("model", quote.model.rpartition("/")[2])
    assert len(view.quotes.rows) == 2
    view.model.filter(words=quote.words[:10])
    assert quote in view.quotes.rows
    field = view.filters.words
    tops = {box.y() for box in boxes.values()}
    assert len(tops) * len({box.x() for box in boxes.values()}) == len(boxes), "whole rows"
    assert field.width() > field.fontMetrics().horizontalAdvance(field.placeholderText()) + 40
    column = [each.title for each in view.quotes.columns].index("Model")
    assert view.quotes.index(0, column).data() == quote.model.rpartition("/")[2] != quote.model
    view.model.filter(words="")
    assert len(view.quotes.rows) == 2
    view.quote_table.opened.emit(quote)
    qtbot.waitUntil(lambda: quoted.model.bundle is not None and quoted.model.bundle.id == quote.bundle_id)
    settle()
    assert quoted.reading.answers.isVisible()
    focused = QApplication.focusWidget()
    assert focused is None or not isinstance(focused, QLineEdit)
    reader, cards = quoted.model.reader, quoted.reading.answers.cards
    others = [card.content.key for card in cards() if card.content and card.content.cell_id != quote.cell_id]
    reader.compare(*others[:2])
    assert not any(card.content and card.content.cell_id == quote.cell_id for card in cards()), "two others"
    view.quote_table.opened.emit(quote)
    settle()
    (told,) = [card for card in cards() if card.content and card.content.cell_id == quote.cell_id]
    assert told.text.textCursor().selectedText() == quote.words


@pytest.mark.parametrize("enter", [Qt.Key.Key_Return, Qt.Key.Key_Enter])
def test_that_ctrl_enter_takes_the_code_as_its_button_does(
    quoted: ReviewPage, qtbot: QtBot, settle: Settle, enter: Qt.Key
) -> None:
    view = quoted.centre.codes
    view.new.click()
    editor = opened(CodeEditor, quoted)
    assert isinstance(editor, CodeEditor)
    qtbot.waitUntil(editor.isActiveWindow)
    assert "Keep the code" in [each.text() for each in editor.findChildren(QPushButton)], "and not OK"
    qtbot.keyClick(editor.definition, enter, Qt.KeyboardModifier.ControlModifier)
    assert "needs a name" in editor.called.accessibleDescription(), "as its button would say"
    qtbot.keyClicks(editor.called, "Money first")
    qtbot.keyClicks(editor.definition, "Where money decides")
    qtbot.keyClick(editor.definition, enter, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: "Money first" in [line.code.name for line in view.book.rows])
    assert not [each for each in quoted.findChildren(CodeEditor) if each.isVisible()]


def test_that_a_code_is_edited_merged_retired_and_each_taken_back(
    quoted: ReviewPage, qtbot: QtBot, settle: Settle
) -> None:
    view = quoted.centre.codes
    names = lambda: [line.code.name for line in view.book.rows]  # noqa: E731
    view.book_table.selectRow(0)
    view.edit.click()
    editor = opened(CodeEditor, quoted)
    assert isinstance(editor, CodeEditor)
    editor.called.setText("talks DOWN")
    editor._accept()
    qtbot.waitUntil(lambda: bool(editor._name.problem))
    editor.called.setText("Cliché")
    editor.definition.setPlainText("A picture of a group.")
    editor._accept()
    qtbot.waitUntil(lambda: names() == ["Cliché", "Talks down"])
    view.book_table.selectRow(0)
    (into,) = view.merge.menu().actions()
    into.trigger()
    qtbot.waitUntil(lambda: names() == ["Talks down"])
    assert view.book.rows[0].passages == 2
    view.undo.click()
    qtbot.waitUntil(lambda: names() == ["Cliché", "Talks down"])
    view.book_table.selectRow(1)
    view.retire.click()
    qtbot.waitUntil(lambda: names() == ["Cliché"])
    view.retired.setChecked(True)
    assert names() == ["Cliché", "Talks down"]
    view.undo.click()
    qtbot.waitUntil(lambda: not any(line.code.retired for line in view.book.rows))
    view.undo.click()
    qtbot.waitUntil(lambda: names() == ["Stereotype", "Talks down"])
    assert view.undo.words == "Undo"


def test_that_undo_of_a_new_code_names_it_keeps_quotes_and_the_keys_a_place(
    quoted: ReviewPage, qtbot: QtBot, settle: Settle
) -> None:
    view = quoted.centre.codes
    view.model.create("Jokes", "", (), lambda: None)
    qtbot.waitUntil(lambda: view.undo.words == "Undo new code: Jokes")
    code = next(line.code for line in view.book.rows if line.code.name == "Jokes")
    passage = view.model.quotes[0]
    view.model.quotes = (replace(passage, codes=(*passage.codes, code.id)), *view.model.quotes[1:])
    view.undo.setFocus()
    view.undo.click()
    qtbot.waitUntil(lambda: "Jokes" not in [line.code.name for line in view.book.rows])
    assert any(
        each.text == "“Jokes” is offered no more. 1 quote keeps it; “Retired codes too” shows it."
        for each in quoted.context.messages.messages
    )
    assert not view.undo.isEnabled()
    assert view.window().focusWidget() is view.new


def test_that_the_export_of_the_book_begins_with_what_stands_there(quoted: ReviewPage) -> None:
    quoted.centre.codes.export.click()
    (dialog,) = [each for each in quoted.window().findChildren(ExportDialog) if each.isVisible()]
    ticked = {name for boxes in (dialog.what, dialog.formats) for name, box in boxes.items() if box.isChecked()}
    assert ticked == {"code_book", "quotes", "csv", "qdpx"}
    dialog.reject()


def test_that_blind_readers_see_their_own_quotes_alone_and_no_model(
    quoted: ReviewPage, qtbot: QtBot, settle: Settle
) -> None:
    service = quoted.model.service
    assert service is not None
    service.newcomer("Eve").result()
    quoted.model.set_blind(True)
    settle()
    quoted._back_to_reading()
    quoted.toggle_codes()
    qtbot.waitUntil(lambda: quoted.centre.codes.quotes.rows == ())
    assert not quoted.centre.codes.filters.boxes["model"].isVisible()
    assert "hidden" in quoted.centre.codes.empty.text()


def test_that_memos_are_kept_when_they_are_closed(
    coding: ReviewPage, qtbot: QtBot, press: Press, settle: Settle
) -> None:
    service = coding.model.service
    assert service is not None
    answered(coding).text.setFocus()
    press("Shift+N")
    memo = opened(MemoDialog, coding)
    assert isinstance(memo, MemoDialog)
    qtbot.waitUntil(memo.own.isEnabled)
    assert problems_in(memo) == []
    memo.own.setPlainText("The item is about one town.")
    memo.reject()
    key = next(iter(coding.model.bundle.facts.items.values())).key  # type: ignore[union-attr]
    qtbot.waitUntil(lambda: service.codes.own_memo(key) == "The item is about one town.")
    coding.toggle_codes()
    coding.centre.codes.memo.click()
    memo = opened(MemoDialog, coding)
    assert isinstance(memo, MemoDialog)
    qtbot.waitUntil(memo.own.isEnabled)
    memo.own.setPlainText("Across sets.")
    coding.context.messages.clear("memo")
    memo.accept()
    qtbot.waitUntil(lambda: service.codes.own_memo(STUDY) == "Across sets.")
    said = lambda: {each.topic: each for each in coding.context.messages.messages}  # noqa: E731
    qtbot.waitUntil(lambda: "memo" in said())
    (undo,) = said()["memo"].remedies
    undo.do()
    qtbot.waitUntil(lambda: service.codes.own_memo(STUDY) == "")


def test_that_a_memo_is_marked_in_the_queue_and_above_the_answers_and_that_of_others_not_while_blind(
    coding: ReviewPage, qtbot: QtBot, press: Press, settle: Settle
) -> None:
    top, rows = coding.reading.top, coding.queue.rows_model
    badges = lambda: {each.text for each in top.findChildren(Badge) if each.isVisible()}  # noqa: E731
    line = lambda: next(line for at in (0, 1) if (line := rows.index(at, 0).data(LINE_ROLE)) is not None)  # noqa: E731
    assert top.memo.isVisible()
    assert top.memo.toolTip() == "Write a memo on this item (Shift+N)"
    assert line().memo == ""
    plain = coding.queue.viewport().grab().toImage()
    key = next(iter(coding.model.bundle.facts.items.values())).key  # type: ignore[union-attr]
    here = coding.model.service
    assert here is not None
    others = ReviewService(coding.context.engine.open_audit.context, login="ben")
    others.codes.keep_memo(key, "Of one town.").result()
    qtbot.waitUntil(lambda: "1 memo" in badges())
    qtbot.waitUntil(lambda: line().memo == "memo")
    assert "with a memo" in line().spoken
    assert "with a memo" in line().tip
    assert coding.queue.viewport().grab().toImage() != plain
    coding.model.set_blind(True)
    settle()
    assert "1 memo" not in badges()
    assert line().memo == ""
    qtbot.mouseClick(top.memo, Qt.MouseButton.LeftButton)
    memo = opened(MemoDialog, coding)
    assert isinstance(memo, MemoDialog)
    qtbot.waitUntil(memo.own.isEnabled)
    qtbot.keyClicks(memo.own, "My own.")
    qtbot.keyClick(memo.own, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    qtbot.waitUntil(lambda: "1 memo" in badges())
    qtbot.waitUntil(lambda: line().memo == "memo")
    coding.model.set_blind(False)
    settle()
    assert "2 memos" in badges()
    assert problems_in(top) == []


def test_that_the_book_and_the_team_take_each_others_place(coding: ReviewPage, window: MainWindow) -> None:
    codes, team = (coding.context.actions.action(f"review.{each}") for each in ("codes", "team"))
    codes.trigger()
    assert coding.centre.codes.isVisible()
    assert coding.form.isHidden()
    team.trigger()
    assert coding.centre.team.isVisible()
    codes.trigger()
    assert coding.centre.codes.isVisible()
    codes.trigger()
    assert coding.reading.answers.isVisible()
    assert not coding.form.isHidden()
    window.context.navigator.go("home")
    codes.trigger()
    assert coding.centre.codes.isVisible()

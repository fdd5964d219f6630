"""Single keys judge only the bundle that is in sight, only from where one reads, and can be taken back at once."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QScrollArea, QWidget
from pytestqt.qtbot import QtBot

from gpf_desktop.domain.review_queue import QueueTab
from gpf_desktop.domain.reviews import Judgement, Verdict
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.main_window import MainWindow
from gpf_desktop.ui.review.form_panel import FormPanel
from gpf_desktop.ui.review.review_page import ReviewPage

Press = Callable[[str], None]
UNTOUCHED = Judgement()


def type_into_whatever_has_the_keyboard(words: str) -> None:
    for letter in words:
        QTest.keyClicks(QApplication.focusWidget(), letter)


def test_that_words_typed_after_ctrl_f_are_looked_for_and_judge_nothing(
    page: ReviewPage, press: Press, qtbot: QtBot, settle: Callable[[], None]
) -> None:
    page.queue.setFocus()
    contents = [card.content for card in page.reading.answers.cards()]
    answers = [content.shown.text for content in contents if content and not content.missing]
    word = max(answers[-1].split(), key=len)
    press("Ctrl+F")
    type_into_whatever_has_the_keyboard(f"dollxu1{word}")
    settle()
    assert page.model.draft.judgement == UNTOUCHED
    page.reading.finding.field.selectAll()
    type_into_whatever_has_the_keyboard(word)
    press("Return")
    found = [card.text.textCursor().selectedText() for card in page.reading.answers.cards()]
    assert word.lower() in [each.lower() for each in found]
    press("Escape")
    assert page.reading.finding.isHidden()
    assert QApplication.focusWidget() in [card.text for card in page.reading.answers.cards()], "where it was found"


def test_that_what_is_found_is_gone_through_from_answer_to_answer(page: ReviewPage) -> None:
    answers = page.reading.answers
    word = "the"
    places = [answers.seek(word, step)[0] for step in (0, 1, 1, -1)]
    assert places == [1, 2, 3, 2]
    assert answers.seek(word, 0)[0] == 2
    last = answers.seek(word, 0)[1]
    assert last > 3
    for _ in range(last):
        answers.seek(word, 1)
    assert answers.seek(word, 0)[0] == 2
    assert answers.seek("no such words", 1) == (0, 0)


def test_that_keys_are_heard_where_the_page_was_turned_to_before_its_audit_came(
    window: MainWindow, filled: Path, press: Press, qtbot: QtBot
) -> None:
    window.activateWindow()
    window.files.open(filled)
    # At once: what the audit holds is still to be read.
    window.context.navigator.go("review")
    page = window.stack.current
    assert isinstance(page, ReviewPage)
    page.queue.setFocus()
    qtbot.waitUntil(lambda: page.model.reader.explanation is not None and window.context.bridge.idle)
    page.folding.set_roomy(True)
    page.queue.setFocus()
    page.model.touch_now()
    keyboard = QApplication.focusWidget()
    assert keyboard is not None
    assert keyboard.isVisible()
    press("D")
    assert page.model.draft.judgement.verdict is Verdict.HARMFUL


def test_that_nothing_is_judged_while_the_reviewers_are_shown(
    page: ReviewPage, press: Press, qtbot: QtBot, settle: Callable[[], None]
) -> None:
    page.toggle_team()
    for where in (page.queue, page.centre.team.back):
        where.setFocus()
        for key in ("D", "4", "F", "Ctrl+Return"):
            press(key)
    settle()
    assert page.model.draft.judgement == UNTOUCHED
    assert not page.form.isVisible()
    assert not page.foot_form.isVisible()
    qtbot.mouseClick(page.centre.team.back, Qt.MouseButton.LeftButton)
    press("D")
    assert page.model.draft.judgement.verdict is Verdict.HARMFUL


def test_that_letters_judge_only_from_the_queue_and_the_answers(
    page: ReviewPage, window: MainWindow, press: Press
) -> None:
    page.folding.set_folded(False)
    rail = window.rail.findChild(QWidget, "rail.review")
    assert rail is not None
    for each in (page.bar.tabs, page.bar.filter, page.form.submit, rail):
        each.setFocus()
        assert QApplication.focusWidget() is each
        for key in ("D", "4", "M", "F"):
            press(key)
        assert page.model.draft.judgement == UNTOUCHED
    page.reading.answers.cards()[0].text.setFocus()
    press("D")
    assert page.model.draft.judgement.verdict is Verdict.HARMFUL


def test_that_letters_typed_over_an_open_menu_are_the_menus(page: ReviewPage, window: MainWindow) -> None:
    page.reading.answers.cards()[0].text.setFocus()
    menu = next(each for each in window.menuBar().findChildren(QMenu) if each.title() == "&Help")
    menu.popup(window.mapToGlobal(window.rect().center()))
    assert QApplication.activePopupWidget() is menu
    for key in ("U", "4", "X"):
        QTest.keyClick(menu, key)
    assert page.model.draft.judgement == UNTOUCHED
    assert QApplication.activePopupWidget() is menu
    given: list[str] = []
    page.context.actions.on("help.about", lambda: given.append("about"))
    QTest.keyClick(menu, "A")
    assert given == ["about"]
    assert not page.reading.top.news.is_whole
    assert QApplication.activePopupWidget() is None


def test_that_arrows_walk_from_menu_to_menu_over_the_keys_of_review(
    page: ReviewPage, window: MainWindow, qtbot: QtBot
) -> None:
    bar = window.menuBar()
    first, second, *_ = bar.actions()
    bar.setActiveAction(first)
    menu = first.menu()
    assert isinstance(menu, QMenu)
    menu.popup(window.mapToGlobal(bar.actionGeometry(first).bottomLeft()))
    before = page.model.bundle
    QTest.keyClick(menu, Qt.Key.Key_Right)
    assert bar.activeAction() is second
    assert page.model.bundle is before
    second.menu().close()  # type: ignore[attr-defined]


def test_that_the_menu_judges_from_wherever_the_keyboard_is(page: ReviewPage) -> None:
    page.bar.filter.setFocus()
    page.context.actions.action("review.unsure").trigger()
    assert page.model.draft.judgement.verdict is Verdict.UNSURE


def test_that_escape_leaves_the_note_for_what_was_read(
    page: ReviewPage, qtbot: QtBot, press: Press, settle: Callable[[], None]
) -> None:
    answer = page.reading.answers.cards()[0].text
    for field, key in ((page.foot_form.note, "N"), (page.form.tags, "T")):
        answer.setFocus()
        press(key)
        assert QApplication.focusWidget() is field
        press("Escape")
        assert QApplication.focusWidget() is answer


def test_that_a_note_after_a_comment_goes_into_the_note(
    page: ReviewPage, qtbot: QtBot, press: Press, settle: Callable[[], None]
) -> None:
    answer = page.reading.answers.cards()[0]
    answer.text.setFocus()
    answer.text.choose(0, 20)
    press("M")
    settle()
    press("C")
    type_into_whatever_has_the_keyboard("warm")
    press("Escape")
    press("N")
    type_into_whatever_has_the_keyboard("cold")
    settle()
    assert page.model.draft.judgement.note == "cold"
    assert [passage.comment for passage in page.model.draft.judgement.passages] == ["warm"]


def test_that_escape_comes_back_from_the_reviewers_to_what_is_read(page: ReviewPage, press: Press) -> None:
    page.toggle_team()
    page.centre.team.name.setFocus()
    press("Escape")
    assert not page.centre.shows_other
    assert page.reading.isVisible()
    assert QApplication.focusWidget() is page.queue


def test_that_return_in_the_queue_reads_answers_that_are_in_sight(page: ReviewPage, press: Press) -> None:
    page.toggle_team()
    page.queue.setFocus()
    press("Ctrl+Return")
    assert page.centre.shows_other, "nothing is submitted there, and nothing turned"
    assert QApplication.focusWidget() is page.queue
    press("Return")
    assert not page.centre.shows_other
    read = QApplication.focusWidget()
    assert read is not None
    assert page.reading.answers.isAncestorOf(read)
    assert read.isVisible()


def test_that_a_verdict_by_key_can_be_taken_back_for_five_seconds(
    page: ReviewPage, window: MainWindow, qtbot: QtBot, press: Press, settle: Callable[[], None]
) -> None:
    page.queue.setFocus()
    press("O")
    message = window.message_bar.message
    assert message is not None
    assert message.shown_for == 5
    (undo,) = window.message_bar.remedy_buttons()
    settle()
    qtbot.mouseClick(undo, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: page.model.draft.judgement == UNTOUCHED)
    assert QApplication.focusWidget() is page.queue


def test_that_undo_is_offered_only_while_it_would_take_back_that_verdict(
    page: ReviewPage, window: MainWindow, qtbot: QtBot, press: Press, settle: Callable[[], None]
) -> None:
    page.queue.setFocus()
    press("O")
    settle()
    assert window.message_bar.remedy_buttons()
    page.model.draft.type_note("and a note")
    settle()
    qtbot.waitUntil(lambda: window.message_bar.message is None)


def test_that_f6_goes_round_rail_queue_bar_answers_and_form(
    page: ReviewPage, window: MainWindow, press: Press, settle: Callable[[], None]
) -> None:
    page.folding.set_folded(False)
    page.queue.setFocus()
    reading = page.reading
    parts = [page.queue_pane, reading.bar, reading.strip, reading.answers, page.form, page.bar, window.rail]
    for part in (*parts[1:], *parts):
        press("F6")
        focus = QApplication.focusWidget()
        assert focus is not None
        assert part is focus or part.isAncestorOf(focus), part.objectName()
    press("Shift+F6")
    focus = QApplication.focusWidget()
    assert focus is not None
    assert page.bar.isAncestorOf(focus)


def test_that_f6_comes_back_to_the_answer_that_was_read_and_not_to_its_pin(page: ReviewPage, press: Press) -> None:
    page.queue.setFocus()
    press("Alt+3")
    read = QApplication.focusWidget()
    assert page.reading.answers.isAncestorOf(read)
    press("F6")
    assert not page.reading.answers.isAncestorOf(QApplication.focusWidget())
    press("Shift+F6")
    assert QApplication.focusWidget() is read


def test_that_f6_comes_to_what_an_empty_tab_offers(page: ReviewPage, press: Press, settle: Callable[[], None]) -> None:
    page.model.set_tab(QueueTab.FLAGGED)
    settle()
    page.queue.setFocus()
    press("F6")
    assert QApplication.focusWidget() is page.empty.button
    press("Return")
    settle()
    assert page.model.tab is QueueTab.TO_DO


def test_that_every_key_works_after_f6(page: ReviewPage, press: Press, settle: Callable[[], None]) -> None:
    for key in "VHDVHDVH":
        press("F6")
        press(key)
        settle()
    page.queue.setFocus()
    before = page.model.reader.layout
    press("V")
    assert page.model.reader.layout is not before


def test_that_the_form_opens_for_tags_shows_all_of_them_and_folds_again(
    page: ReviewPage, window: MainWindow, qtbot: QtBot, press: Press, settle: Callable[[], None]
) -> None:
    window.resize(1280, 720)
    qtbot.waitUntil(lambda: page.folding.is_folded)
    answer = page.reading.answers.cards()[0].text
    answer.setFocus()
    answer.choose(0, 20)
    for key in ("M", "T"):
        press(key)
    settle()
    seen = page.form.findChild(QScrollArea, "review.form.scroll").viewport()
    tags = page.form.tags
    assert tags.mapTo(seen, tags.rect().bottomLeft()).y() < seen.height()
    press("Escape")
    assert page.folding.is_folded
    assert QApplication.focusWidget() is answer
    bundle = page.model.reader.current
    for key in ("U", "N", "Ctrl+Return"):
        press(key)
    settle()
    assert page.model.reader.current != bundle
    assert page.folding.is_folded
    assert QApplication.focusWidget() is page.reading.answers.cards()[0].text


def test_that_the_button_that_submits_shows_its_words_whole_and_its_key_where_both_have_room(
    context: Context, qtbot: QtBot
) -> None:
    form = FormPanel(context.theme, context.actions)
    qtbot.addWidget(form)
    form.show()
    assert form.submit.text() == "Submit and next   Ctrl+Enter"
    form.setFixedWidth(180)
    QApplication.processEvents()
    assert form.submit.text() == "Submit and next"
    assert "Ctrl+Enter" in form.submit.toolTip()
    form.setFixedWidth(300)
    QApplication.processEvents()
    assert form.submit.text() == "Submit and next   Ctrl+Enter"

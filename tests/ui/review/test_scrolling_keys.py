"""Home, End and the page keys, where one reads and in the queue."""

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractSlider
from pytestqt.qtbot import QtBot

from gpf_desktop.domain.review_queue import QueueTab
from gpf_desktop.ui.review.reading_content import Layout
from gpf_desktop.ui.review.review_page import ReviewPage

Press = Callable[[str], None]
Settle = Callable[[], None]


def keys_scroll(bar: QAbstractSlider, press: Press) -> None:
    assert bar.maximum() > 0, "there is something to scroll"
    press("End")
    assert bar.value() == bar.maximum()
    press("Home")
    assert bar.value() == 0
    press("PageDown")
    paged = bar.value()
    assert min(bar.maximum(), bar.pageStep() // 2) <= paged <= bar.pageStep()
    press("PageUp")
    assert bar.value() == 0
    press("PageDown")
    assert bar.value() == paged


def test_that_home_end_and_page_keys_scroll_the_answers_together(
    long_page: ReviewPage, press: Press, settle: Settle
) -> None:
    long_page.folding.set_roomy(True)
    settle()
    long_page.reading.answers.focus_first()
    first, second, *_ = long_page.reading.answers.cards()
    keys_scroll(first.text.verticalScrollBar(), press)
    beside = second.text.verticalScrollBar()
    press("End")
    assert beside.value() == beside.maximum()
    assert first.text.selected() is None
    first.text.choose(10, 20)
    press("End")
    assert first.text.selected() is None, "as a move of the cursor"


def test_that_shift_and_home_still_select_to_the_beginning_of_a_line(long_page: ReviewPage, qtbot: QtBot) -> None:
    text = long_page.reading.answers.cards()[0].text
    text.setFocus()
    text.choose(20, 20)
    qtbot.keyClick(text, Qt.Key.Key_Home, Qt.KeyboardModifier.ShiftModifier)
    start, end = text.selected() or (0, 0)
    assert (start, end) == (0, 20)


def test_that_they_scroll_the_stack_in_which_no_answer_scrolls_by_itself(
    long_page: ReviewPage, press: Press, settle: Settle
) -> None:
    long_page.model.reader.set_layout(Layout.STACK)
    settle()
    long_page.reading.answers.focus_first()
    keys_scroll(long_page.reading.answers.stack.area.verticalScrollBar(), press)


def test_that_home_and_end_go_to_the_ends_of_the_queue(page: ReviewPage, press: Press, settle: Settle) -> None:
    assert page.model.groups(), "the first row is a heading"
    ids = page.model.queue.ids(QueueTab.TO_DO)
    page.queue.setFocus()
    press("End")
    settle()
    assert page.model.reader.current == ids[-1]
    press("Home")
    settle()
    assert page.model.reader.current == ids[0]

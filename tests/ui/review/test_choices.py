"""One item in every context: the grid, what is behind a square, and its correction, with the keyboard alone."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from gpf_desktop.app import Desktop
from gpf_desktop.engine.review.choice_grid import Square
from gpf_desktop.ui.review.choice_table import SQUARE_ROLE
from gpf_desktop.ui.review.review_page import ReviewPage
from tests.ui.accessibility import problems_in, tab_problems

Press = Callable[[str], None]


@pytest.fixture
def choices(desktop: Desktop, qtbot: QtBot, small_audit: Path) -> ReviewPage:
    """The page with the item whose choice moves most."""
    window = desktop.window
    window.files.open(small_audit)
    qtbot.waitUntil(lambda: window.status.audit_open)
    window.context.navigator.go("review")
    page = window.stack.current
    assert isinstance(page, ReviewPage)
    qtbot.waitUntil(lambda: page.model.reader.reading is not None)
    qtbot.waitUntil(lambda: window.context.bridge.idle)
    window.activateWindow()
    return page


def squares(page: ReviewPage) -> dict[tuple[int, int], Square]:
    grid = page.reading.answers.choices.table.choices.grid
    assert grid is not None
    return dict(grid.squares)


def test_that_an_item_is_read_as_a_grid_of_its_choices_with_the_keyboard(
    choices: ReviewPage, press: Press, settle: Callable[[], None]
) -> None:
    view = choices.reading.answers.choices
    assert choices.reading.answers.currentWidget() is view
    assert len(squares(choices)) == 74
    choices.queue.setFocus()
    press("Return")
    assert QApplication.focusWidget() is view.table
    bundle, first = choices.model.reader.current, view.table.currentIndex()
    press("Right")
    assert choices.model.reader.current == bundle
    second = view.table.currentIndex()
    assert (second.row(), second.column()) == min(at for at in squares(choices) if at > (first.row(), first.column()))
    square = second.data(SQUARE_ROLE)
    assert view.detail.answer.text == square.answer.text
    levels = [level for _, level in square.place]
    assert view.detail.where.text() == " · ".join(levels)
    assert levels[0] in view.detail.prompt.text
    assert choices.model.reader.reading is not None
    assert choices.model.reader.reading.choices is not None
    titles = [each.title for each in choices.model.reader.reading.choices.contrasts]
    assert titles == ["1990 – 2030", "gossip – direct", "formal – direct", "dissimilar – similar"]
    assert problems_in(view) == []
    assert tab_problems(choices.window()) == []


def test_that_a_choice_is_corrected_with_a_reason_and_the_correction_undone(
    choices: ReviewPage, press: Press, qtbot: QtBot, settle: Callable[[], None]
) -> None:
    view = choices.reading.answers.choices
    detail = view.detail
    place, square = next((at, each) for at, each in squares(choices).items() if each.category == "unparsed")
    view.table.setFocus()
    view.table.setCurrentIndex(view.table.choices.index(*place))
    press("Return")
    assert QApplication.focusWidget() is detail.category
    qtbot.keyClick(detail.category, Qt.Key.Key_Home)
    assert detail.category.currentData() == "S"
    assert not detail.save.isEnabled()
    press("Tab")
    qtbot.keyClicks(QApplication.focusWidget(), "It names it in its last line")
    press("Return")
    qtbot.waitUntil(lambda: squares(choices)[place].corrected is not None)
    assert squares(choices)[place].category == "S"
    assert "It names it in its last line" in detail.how.text()
    assert view.table.square() == squares(choices)[place]
    choices.context.actions.action("edit.undo").trigger()
    qtbot.waitUntil(lambda: squares(choices)[place].corrected is None)
    assert squares(choices)[place].category == square.category
    settle()


def test_that_a_blind_reader_is_shown_no_grid(choices: ReviewPage, settle: Callable[[], None]) -> None:
    choices.model.set_blind(True)
    settle()
    assert choices.reading.answers.currentWidget() is not choices.reading.answers.choices
    assert choices.reading.bar.isVisibleTo(choices)

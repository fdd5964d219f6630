"""What is left of the reader's pile, under the queue."""

from collections.abc import Callable
from datetime import timedelta

import pytest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from gpf_desktop.domain.reading_pace import ReadingPace
from gpf_desktop.domain.review_queue import QueueTab
from gpf_desktop.ui.review.pile_line import pile_words
from gpf_desktop.ui.review.review_page import ReviewPage

Press = Callable[[str], None]


def test_that_what_was_read_today_and_what_is_left_are_told_as_one_reads(
    page: ReviewPage, press: Press, qtbot: QtBot
) -> None:
    pile = page.findChild(QLabel, "review.pile")
    assert pile is not None
    left = page.model.queue.count(QueueTab.TO_DO)
    qtbot.waitUntil(lambda: pile.text().startswith(f"0 read today, {left:,} to go"))
    page.queue.setFocus()
    press("O")
    press("Ctrl+Return")
    qtbot.waitUntil(lambda: pile.text().startswith(f"1 read today, {left - 1:,} to go"))
    page.model.steps.undo()
    qtbot.waitUntil(lambda: pile.text().startswith(f"0 read today, {left:,} to go"))


@pytest.mark.parametrize(
    ("left", "said"),
    [(18, "6 read today, 18 to go: about 81 minutes at your pace."), (0, "6 read today, none to go."),
     (100, "6 read today, 100 to go: about 8 hours at your pace.")],
)  # fmt: skip
def test_that_time_is_told_in_minutes_and_then_in_hours(left: int, said: str) -> None:
    assert pile_words(ReadingPace(today=6, each=timedelta(minutes=4.5)), left) == said

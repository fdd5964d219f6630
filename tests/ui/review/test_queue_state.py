"""The queue as the page holds it, and keys that name answers by letter."""

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from gpf_desktop.domain.ids import BundleId
from gpf_desktop.domain.review_queue import Queue, QueuePlace, QueueTab
from gpf_desktop.domain.reviews import ReviewStatus
from gpf_desktop.ui.review.letter_shortcut import LetterShortcut
from gpf_desktop.ui.review.queue_state import QueueState
from gpf_desktop.ui.review.queue_table_model import _single


def bundles(*numbers: int) -> list[BundleId]:
    return [BundleId(number) for number in numbers]


@pytest.fixture
def queue() -> QueueState:
    order = bundles(50, 40, 30, 20, 10)
    tabs = {tab: bundles() for tab in QueueTab} | {QueueTab.TO_DO: order}
    return QueueState(Queue(tabs=tabs, order=order, scored=5, reviewers=1, refused=0))


def test_that_a_bundle_moves_to_the_tab_of_its_status_and_back_to_its_place(queue: QueueState) -> None:
    changed = queue.settle(BundleId(30), ReviewStatus.DRAFT, flagged=False)
    assert changed == {QueueTab.TO_DO, QueueTab.DRAFT}
    assert queue.ids(QueueTab.TO_DO) == bundles(50, 40, 20, 10)
    queue.settle(BundleId(50), ReviewStatus.DRAFT, flagged=True)
    assert queue.ids(QueueTab.DRAFT) == bundles(50, 30)
    assert queue.ids(QueueTab.FLAGGED) == bundles(50)
    queue.settle(BundleId(30), ReviewStatus.TO_DO, flagged=False)
    assert queue.ids(QueueTab.TO_DO) == bundles(40, 30, 20, 10)


def test_that_a_bundle_outside_the_filter_is_left_alone(queue: QueueState) -> None:
    assert queue.settle(BundleId(99), ReviewStatus.DONE, flagged=True) == set()
    assert queue.count(QueueTab.DONE) == 0


def test_that_many_bundles_find_their_tabs_and_places_at_once(queue: QueueState) -> None:
    places = {
        BundleId(10): QueuePlace(status=ReviewStatus.DRAFT, flagged=True),
        BundleId(40): QueuePlace(status=ReviewStatus.DRAFT, flagged=False),
        BundleId(99): QueuePlace(status=ReviewStatus.DONE, flagged=True),
    }
    queue.settle_many(places)
    assert queue.ids(QueueTab.TO_DO) == bundles(50, 30, 20)
    assert queue.ids(QueueTab.DRAFT) == bundles(40, 10)
    assert queue.ids(QueueTab.FLAGGED) == bundles(10)
    queue.settle_many({BundleId(10): QueuePlace(status=ReviewStatus.TO_DO, flagged=False)})
    assert queue.ids(QueueTab.TO_DO) == bundles(50, 30, 20, 10)
    assert queue.ids(QueueTab.FLAGGED) == bundles()


@pytest.mark.parametrize(
    ("current", "step", "expected"),
    [(None, 1, 50), (50, 1, 40), (50, -1, None), (10, 1, None), (10, -1, 20), (30, 0, 30)],
)
def test_that_neighbours_are_those_of_the_tab(
    queue: QueueState, current: int | None, step: int, expected: int | None
) -> None:
    here = None if current is None else BundleId(current)
    assert queue.neighbour(QueueTab.TO_DO, here, step) == expected


def test_that_the_neighbour_of_a_bundle_that_left_is_the_one_behind_it(queue: QueueState) -> None:
    queue.settle(BundleId(30), ReviewStatus.DONE, flagged=False)
    assert queue.neighbour(QueueTab.TO_DO, BundleId(30), 1) == 20
    assert queue.neighbour(QueueTab.TO_DO, BundleId(30), -1) == 40


def test_that_one_row_gone_is_told_from_another_list() -> None:
    assert _single(bundles(1, 2, 3), bundles(1, 3)) == 1
    assert _single(bundles(1, 2, 3), bundles(1, 2)) == 2
    assert _single(bundles(1, 2, 3), bundles(3, 2)) is None
    assert _single(bundles(1, 2), bundles(1, 2)) is None


@pytest.fixture
def heard(qtbot: QtBot) -> tuple[QWidget, LetterShortcut, list[str]]:
    widget = QWidget()
    qtbot.addWidget(widget)
    widget.show()
    return widget, LetterShortcut(widget), []


def test_that_a_letter_names_its_answer(heard: tuple[QWidget, LetterShortcut, list[str]], qtbot: QtBot) -> None:
    widget, catcher, said = heard
    catcher.listen({"A", "B"}, said.append, lambda: said.append("end"))
    qtbot.keyClick(widget, Qt.Key.Key_B)
    qtbot.keyClick(widget, Qt.Key.Key_A)
    assert said == ["end", "B"]


def test_that_two_letters_name_answers_beyond_z(heard: tuple[QWidget, LetterShortcut, list[str]], qtbot: QtBot) -> None:
    widget, catcher, said = heard
    letters = {"A", "B", "AA", "AB"}
    catcher.listen(letters, said.append, lambda: None)
    qtbot.keyClick(widget, Qt.Key.Key_A)
    assert said == []
    qtbot.keyClick(widget, Qt.Key.Key_B)
    catcher.listen(letters, said.append, lambda: None)
    qtbot.keyClick(widget, Qt.Key.Key_A)
    qtbot.keyClick(widget, Qt.Key.Key_Return)
    assert said == ["AB", "A"]


def test_that_any_other_key_ends_it(heard: tuple[QWidget, LetterShortcut, list[str]], qtbot: QtBot) -> None:
    widget, catcher, said = heard
    catcher.listen({"A"}, said.append, lambda: said.append("end"))
    qtbot.keyClick(widget, Qt.Key.Key_Escape)
    qtbot.keyClick(widget, Qt.Key.Key_A)
    assert said == ["end"]

"""Keys that are typed before their bundle stands wait for it: no verdict is lost, none is given twice."""

import json
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path
from threading import Event

import pytest
from PySide6.QtCore import QCoreApplication, Qt
from PySide6.QtGui import QInputMethodEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from gpf_desktop.domain.ids import BundleId
from gpf_desktop.domain.review_queue import QueueTab
from gpf_desktop.domain.reviews import Verdict
from gpf_desktop.ui.main_window import MainWindow
from gpf_desktop.ui.messages import MessageKind
from gpf_desktop.ui.review.review_page import ReviewPage

Press = Callable[[str], None]
READERS = 2


@pytest.fixture
def settle(settle: Callable[[], None], page: ReviewPage, qtbot: QtBot) -> Callable[[], None]:
    """Waits until what was typed ahead has been given on as well, and what came of it."""

    def wait() -> None:
        qtbot.waitUntil(lambda: page.ahead.rests)
        settle()

    return wait


@pytest.fixture
def held(window: MainWindow, page: ReviewPage, settle: Callable[[], None]) -> Iterator[Event]:
    """While it is not set nothing that the window asks for is read; nor is anything kept that was read ahead."""
    settle()
    page.queue.setFocus()
    gate = Event()
    for _ in range(READERS):
        window.context.bridge.run(gate.wait)
    page.model.reader.forget()
    yield gate
    gate.set()


def history(path: Path) -> list[tuple[int, str, str]]:
    """Of each submission its bundle, verdict and note, in their order."""
    with sqlite3.connect(path) as connection:
        rows = connection.execute(
            "SELECT bundle_id, judgement FROM review_entry WHERE action = 'submit' ORDER BY id"
        ).fetchall()
    connection.close()
    said = [(bundle, json.loads(judgement)) for bundle, judgement in rows]
    return [(bundle, judgement["verdict"], judgement["note"]) for bundle, judgement in said]


def typed(words: str) -> None:
    for letter in words:
        QTest.keyClicks(QApplication.focusWidget(), letter)


def test_that_verdicts_typed_ahead_are_given_each_to_its_own_bundle(
    page: ReviewPage, held: Event, filled: Path, press: Press, settle: Callable[[], None]
) -> None:
    todo = list(page.model.queue.ids(QueueTab.TO_DO))
    assert len(todo) >= 4
    keys = ["O", "L", "X", "U"]
    for key in keys:
        press(key)
        press("Ctrl+Return")
    held.set()
    settle()
    given = history(filled)
    verdicts = [Verdict.CONTEXT, Verdict.LEGITIMATE, Verdict.ARTEFACT, Verdict.UNSURE]
    assert [bundle for bundle, _, _ in given] == todo[:4]
    assert [verdict for _, verdict, _ in given] == [each.value for each in verdicts]


def test_that_a_note_typed_ahead_is_the_note_of_the_next_bundle(
    page: ReviewPage, held: Event, filled: Path, press: Press, settle: Callable[[], None]
) -> None:
    first, second = page.model.queue.ids(QueueTab.TO_DO)[:2]
    for key in ("O", "Ctrl+Return", "N"):
        press(key)
    typed("Dull old luxury")
    QCoreApplication.sendEvent(QApplication.focusWidget(), committed("新聞"))
    press("Escape")
    for key in ("D", "3", "Ctrl+Return"):
        press(key)
    held.set()
    settle()
    assert history(filled) == [
        (first, Verdict.CONTEXT.value, ""),
        (second, Verdict.HARMFUL.value, "Dull old luxury新聞"),
    ]


def committed(words: str) -> QInputMethodEvent:
    event = QInputMethodEvent()
    event.setCommitString(words)
    return event


def test_that_an_affected_answer_typed_ahead_is_the_next_bundles(
    page: ReviewPage, held: Event, press: Press, settle: Callable[[], None]
) -> None:
    second = page.model.queue.ids(QueueTab.TO_DO)[1]
    for key in ("O", "Ctrl+Return", ".", "B", "F"):
        press(key)
    held.set()
    settle()
    assert page.model.reader.current == second
    assert page.model.reader.reading is not None
    by_letter = {letter: level for level, letter in page.model.reader.reading.letters.items()}
    assert page.model.draft.judgement.affected == (by_letter["B"],)
    assert page.model.bundle is not None
    assert page.model.bundle.state.flagged


def test_that_keys_after_undo_wait_for_what_it_brings_back(
    page: ReviewPage, filled: Path, press: Press, settle: Callable[[], None]
) -> None:
    page.queue.setFocus()
    first = page.model.reader.current
    for key in ("O", "Ctrl+Return", "Ctrl+Z", "L", "Ctrl+Return"):
        press(key)
    settle()
    given = history(filled)
    assert [bundle for bundle, _, _ in given] == [first, first]
    assert [verdict for _, verdict, _ in given] == [Verdict.CONTEXT.value, Verdict.LEGITIMATE.value]


def test_that_clicks_on_the_form_of_the_last_bundle_are_refused_in_sight(
    page: ReviewPage, held: Event, filled: Path, window: MainWindow, press: Press, qtbot: QtBot,
    settle: Callable[[], None],
) -> None:  # fmt: skip
    page.folding.set_folded(False)
    first = page.model.reader.current
    page.queue.setFocus()
    press("O")
    press("Ctrl+Return")
    with qtbot.waitSignal(page.model.refused):
        qtbot.mouseClick(page.form.submit, Qt.MouseButton.LeftButton)
    qtbot.mouseClick(page.form.verdicts[Verdict.HARMFUL], Qt.MouseButton.LeftButton)
    assert not page.form.verdicts[Verdict.HARMFUL].isChecked()
    page.context.actions.action("review.flag").trigger()
    message = window.message_bar.message
    assert message is not None
    assert "still being read" in message.text
    held.set()
    settle()
    assert history(filled) == [(first, Verdict.CONTEXT.value, "")]
    assert page.model.draft.judgement.verdict is None
    assert page.model.queue.count(QueueTab.FLAGGED) == 0


def test_that_keys_with_no_bundle_left_are_refused_in_sight(
    page: ReviewPage, held: Event, filled: Path, window: MainWindow, press: Press, settle: Callable[[], None]
) -> None:
    todo = list(page.model.queue.ids(QueueTab.TO_DO))
    for _ in range(len(todo) + 2):
        press("O")
        press("Ctrl+Return")
    held.set()
    settle()
    assert [bundle for bundle, _, _ in history(filled)] == todo
    said = [message for message in window.context.messages.messages if message.kind is MessageKind.WARNING]
    assert ["4 keys" in message.text for message in said] == [True]


def test_that_leaving_the_page_drops_what_waits_and_says_so(
    page: ReviewPage, held: Event, filled: Path, window: MainWindow, press: Press, qtbot: QtBot,
    settle: Callable[[], None],
) -> None:  # fmt: skip
    for key in ("O", "Ctrl+Return", "L", "Ctrl+Return"):
        press(key)
    window.context.navigator.go("results")
    (said,) = [message for message in window.context.messages.messages if message.kind is MessageKind.WARNING]
    assert "2 keys" in said.text
    held.set()
    settle()
    assert len(history(filled)) == 1


def test_that_a_bundle_that_could_not_be_stored_takes_no_keys_meant_for_others(
    page: ReviewPage, held: Event, filled: Path, press: Press, settle: Callable[[], None]
) -> None:
    first: BundleId | None = page.model.reader.current
    assert first is not None
    for key in ("O", "Ctrl+Return", "L", "Ctrl+Return"):
        press(key)
    page.model._not_submitted(first, OSError("no room"))
    held.set()
    settle()
    assert page.model.reader.current == first
    assert [verdict for _, verdict, _ in history(filled)] == [Verdict.CONTEXT.value]

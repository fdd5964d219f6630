"""Where the keyboard is while a round is started, paused, resumed and stopped by keys alone."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QLineEdit, QPushButton
from pytestqt.qtbot import QtBot

from gpf_desktop.domain.runs import RunState
from gpf_desktop.ui.main_window import MainWindow
from gpf_desktop.ui.runs.runs_page import RunsPage
from tests.support.openai_server import OpenAIServer
from tests.support.rounds import server_model, small_protocol
from tests.ui.runs.steps import add, button, set_up


def press(key: Qt.Key = Qt.Key.Key_Space) -> None:
    focus = QApplication.focusWidget()
    assert focus is not None
    QTest.keyClick(focus, key)


def has_keyboard(words: str) -> bool:
    focus = QApplication.focusWidget()
    return isinstance(focus, QPushButton) and focus.text() == words


def test_that_the_keyboard_stays_with_the_round_from_start_to_stop(
    page: RunsPage, window: MainWindow, settle: Callable[[], None], qtbot: QtBot
) -> None:
    with OpenAIServer(gate=True) as server:
        add(window, server_model(server.base_url, in_flight=2), synthetic=False)
        set_up(page, settle)
        page.setup.model.protocol = small_protocol()
        button(page, "setup.start").setFocus()
        press()
        press()
        assert has_keyboard("Looking …")
        renew_gate(server, qtbot, held=1)
        qtbot.waitUntil(lambda: has_keyboard("Pause"))
        press()
        qtbot.waitUntil(lambda: page.model.state is RunState.PAUSING)
        renew_gate(server, qtbot, held=2)
        qtbot.waitUntil(lambda: has_keyboard("Resume"))
        assert page.model.state is RunState.PAUSED
        press()
        qtbot.waitUntil(lambda: has_keyboard("Pause"))
        qtbot.waitUntil(lambda: bool(page.model.progress and page.model.progress.in_flight))
        press(Qt.Key.Key_Tab)
        assert has_keyboard("Stop now")
        press()
        qtbot.waitUntil(lambda: len(window.message_bar.remedy_buttons()) == 2)
        window.message_bar.remedy_buttons()[1].setFocus()
        press()
        qtbot.waitUntil(lambda: page.model.state is RunState.STOPPED)
        settle()
        assert page.detail.table.hasFocus(), "neither on Resume, where a second press would ask on, nor on the rail"
        assert len(page.model.runs) == 1, "the second press of Start began nothing"


def test_that_the_keyboard_stays_where_rounds_are_listed_when_the_last_is_archived_or_deleted(
    page: RunsPage, window: MainWindow, settle: Callable[[], None], qtbot: QtBot
) -> None:
    with OpenAIServer() as server:
        add(window, server_model(server.base_url), synthetic=False)
        set_up(page, settle)
        page.setup.model.protocol = small_protocol()
        page.setup.model.start()
        qtbot.waitUntil(lambda: page.model.state is RunState.FINISHED)
        page.model.show_list()
        settle()
        page.list.table.setFocus()
        window.context.actions.action("run.archive").trigger()
        qtbot.waitUntil(lambda: has_keyboard("Show them"))
        press()
        qtbot.waitUntil(page.list.table.hasFocus)
        page.list.table.selectRow(0)
        button(page, "runs.more").setFocus()
        window.context.actions.action("run.delete").trigger()
        dialog = page.findChild(QDialog, "runs.delete")
        assert dialog is not None
        field = dialog.findChild(QLineEdit)
        assert field is not None
        QTest.keyClicks(field, "delete")
        do = dialog.findChild(QPushButton, "runs.delete.do")
        assert do is not None
        do.click()
        # The window comes back by itself only where there is a window manager.
        window.activateWindow()
        qtbot.waitUntil(lambda: has_keyboard("Set up a round"))


def test_that_a_page_whose_audit_is_closed_and_opened_again_keeps_the_keyboard(
    page: RunsPage, window: MainWindow, audit: Path, settle: Callable[[], None], qtbot: QtBot
) -> None:
    for _again in range(2):
        set_up(page, settle)
        name = page.setup.findChild(QLineEdit)
        assert name is not None
        name.setFocus()
        window.files.close_audit()
        qtbot.waitUntil(lambda: not window.status.audit_open)
        settle()
        window.files.open(audit)
        qtbot.waitUntil(lambda: window.status.audit_open)
        settle()
        window.context.navigator.go("runs")
        settle()


def renew_gate(server: OpenAIServer, qtbot: QtBot, *, held: int) -> None:
    """Let go the *held* replies that wait, once they all do, and hold what comes."""
    before = server.gate
    assert before is not None
    qtbot.waitUntil(lambda: before.held == held)
    server.gate = server.http.gate()
    before.open()

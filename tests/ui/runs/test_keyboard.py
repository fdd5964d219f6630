"""Where the keyboard is while a round is started, paused, resumed and stopped by keys alone."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QLineEdit, QPushButton
from pytestqt.qtbot import QtBot

from gpf_desktop.domain.runs import RunState
from gpf_desktop.ui.main_window import MainWindow
from gpf_desktop.ui.runs.runs_page import RunsPage
from gpf_desktop.ui.runs.runs_view_model import RunsView
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


def test_that_no_button_moves_under_the_pointer_when_a_round_ends(
    page: RunsPage, window: MainWindow, settle: Callable[[], None], qtbot: QtBot
) -> None:
    def places() -> dict[str, int]:
        QApplication.processEvents()
        shown = (each for each in page.findChildren(QPushButton) if page.header.isAncestorOf(each) and each.isVisible())
        return {each.text(): each.mapTo(window, QPoint()).x() for each in shown}

    with OpenAIServer(gate=True) as server:
        add(window, server_model(server.base_url), synthetic=False)
        set_up(page, settle)
        page.setup.model.protocol = small_protocol()
        page.setup.model.start()
        qtbot.waitUntil(lambda: bool(page.model.progress and page.model.progress.in_flight))
        qtbot.waitUntil(lambda: bool(page.model.runs))
        before = places()
        assert server.gate is not None
        server.gate.open()
        qtbot.waitUntil(lambda: page.model.state is RunState.FINISHED)
        assert places() == before
        assert "Pause" in before


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
        delete(page, window, qtbot)
        qtbot.waitUntil(lambda: has_keyboard("Set up a round"))


def delete(page: RunsPage, window: MainWindow, qtbot: QtBot) -> None:
    window.context.actions.action("run.delete").trigger()

    def asked() -> list[QDialog]:
        return [each for each in page.findChildren(QDialog, "runs.delete") if each.isVisible()]

    qtbot.waitUntil(lambda: bool(asked()))
    (dialog,) = asked()
    field = dialog.findChild(QLineEdit)
    assert field is not None
    QTest.keyClicks(field, "delete")
    do = dialog.findChild(QPushButton, "runs.delete.do")
    assert do is not None
    do.click()
    # The window comes back by itself only where there is a window manager.
    window.activateWindow()


def test_that_a_round_deleted_from_its_own_page_is_shown_no_more_and_no_other_is_resumed_in_its_place(
    page: RunsPage, window: MainWindow, settle: Callable[[], None], qtbot: QtBot
) -> None:
    with OpenAIServer(gate=True) as server:
        add(window, server_model(server.base_url, in_flight=1), synthetic=False)
        for n in range(2):
            set_up(page, settle)
            page.setup.model.protocol = small_protocol()
            page.setup.model.start()
            qtbot.waitUntil(lambda n=n: len(page.model.runs) == n + 1)
            qtbot.waitUntil(lambda: bool(page.model.progress and page.model.progress.in_flight))
            page.model.rounds.stop().result()
            qtbot.waitUntil(lambda: page.model.state is RunState.STOPPED)
            settle()
        newest, first = page.model.runs[0], page.model.runs[1]
        assert newest.id > first.id
        page.model.show_run(newest.id)
        settle()
        delete(page, window, qtbot)
        qtbot.waitUntil(page.list.table.hasFocus)
        assert [run.id for run in page.model.runs] == [first.id]
        assert page.model.run is None
        page.model.show_run(first.id)
        settle()
        delete(page, window, qtbot)
        qtbot.waitUntil(lambda: has_keyboard("Set up a round"))
        assert page.model.view is RunsView.NOTHING


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

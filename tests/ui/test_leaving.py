"""Closing the window, the audit or the round itself while answers are on their way."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton, QSystemTrayIcon
from pytestqt.qtbot import QtBot

from gpf_desktop.domain.models import Endpoint
from gpf_desktop.domain.runs import RunState
from gpf_desktop.engine.collect.source_service import SAMPLE
from gpf_desktop.engine.rounds.setup import RunSetup
from gpf_desktop.methods.gpf_livenews.protocol import Controls
from gpf_desktop.storage import models
from gpf_desktop.ui.main_window import MainWindow
from gpf_desktop.ui.runs.runs_page import RunsPage
from gpf_desktop.ui.shell.leaving import TOPIC, Leaving
from tests.support.openai_server import OpenAIServer
from tests.support.rounds import small_protocol


@pytest.fixture
def server() -> Iterator[OpenAIServer]:
    with OpenAIServer(gate=True) as made:
        yield made
        assert made.gate is not None
        made.gate.open()


@pytest.fixture
def page(window: MainWindow, audit: Path, settle: Callable[[], None], qtbot: QtBot, server: OpenAIServer) -> RunsPage:
    """A round whose answers wait at the server."""
    open_audit = window.context.engine.open_audit
    taken, _ = open_audit.sources.take([(SAMPLE, "")], 1)
    endpoint = Endpoint(provider="openai-compatible", model="some-model", base_url=server.base_url)
    model_id = open_audit.context.audit.write(lambda c: models.keep(c, endpoint, synthetic=False)).result()
    setup = RunSetup(
        method="gpf-livenews",
        name="Round",
        protocol=small_protocol(),
        model_ids=(model_id,),
        article_ids=tuple(taken),
        controls=Controls.none(),
    )
    run_id = open_audit.rounds.plan(setup).result()
    window.context.navigator.go("runs")
    found = window.findChild(RunsPage, "page.runs")
    assert found is not None
    found.model.start(run_id)
    found.model.show_run(run_id)
    qtbot.waitUntil(lambda: bool(found.model.progress and found.model.progress.in_flight))
    return found


def answers(window: MainWindow) -> list[str]:
    return [each.text() for each in window.message_bar.remedy_buttons()]


def choose(window: MainWindow, qtbot: QtBot, words: str) -> None:
    (found,) = [each for each in window.message_bar.remedy_buttons() if each.text() == words]
    qtbot.mouseClick(found, Qt.MouseButton.LeftButton)


def test_that_closing_in_mid_round_asks_and_the_keyboard_finishes_what_is_in_flight(
    page: RunsPage, window: MainWindow, qtbot: QtBot, server: OpenAIServer
) -> None:
    qtbot.keyClick(window, Qt.Key.Key_Q, Qt.KeyboardModifier.ControlModifier)
    assert window.isVisible()
    assert answers(window) == ["Finish what is in flight", "Stop now", "Keep running, minimised"]
    first = window.focusWidget()
    assert isinstance(first, QPushButton)
    assert first.text() == "Finish what is in flight"
    in_flight = page.model.progress.in_flight if page.model.progress else 0
    qtbot.keyClick(first, Qt.Key.Key_Space)
    assert answers(window) == ["Stop now"]
    assert server.gate is not None
    server.gate.open()
    qtbot.waitUntil(lambda: not window.isVisible())
    open_audit = window.context.engine.open_audit
    assert open_audit.rounds.unknown_calls(open_audit.rounds.runs()[0].id) == []
    assert open_audit.rounds.runs()[0].answered >= in_flight > 0
    assert told(window).count("Paused because its audit was closed.") == 1


def told(window: MainWindow) -> list[str]:
    """What stands under "What happened" of the only round."""
    rounds = window.context.engine.open_audit.rounds
    return [note.sentence for note in rounds.notes(rounds.runs()[0].id)]


def test_that_the_end_of_a_session_lets_answers_in_flight_land_and_asks_nobody(
    page: RunsPage, window: MainWindow, qtbot: QtBot, server: OpenAIServer
) -> None:
    window.leaving.finish(window.close)
    assert answers(window) == ["Stop now"]
    assert server.gate is not None
    server.gate.open()
    qtbot.waitUntil(lambda: not window.isVisible())
    (run,) = window.context.engine.open_audit.rounds.runs()
    assert run.state is RunState.PAUSED
    assert window.context.engine.open_audit.rounds.unknown_calls(run.id) == []
    assert told(window).count("Paused from outside, by the signal SIGTERM.") == 1


def test_that_stop_now_closes_at_once_and_lists_what_was_lost(page: RunsPage, window: MainWindow, qtbot: QtBot) -> None:
    window.close()
    assert window.isVisible()
    choose(window, qtbot, "Stop now")
    qtbot.waitUntil(lambda: not window.isVisible())
    open_audit = window.context.engine.open_audit
    assert open_audit.rounds.runs()[0].state is RunState.STOPPED
    assert open_audit.rounds.unknown_calls(open_audit.rounds.runs()[0].id)
    assert told(window).count("Stopped because its audit was closed.") == 1


def test_that_stopping_while_waiting_for_what_is_in_flight_leaves_once(
    page: RunsPage, window: MainWindow, qtbot: QtBot, settle: Callable[[], None]
) -> None:
    left: list[str] = []
    window.leaving.leave(lambda: left.append("left"))
    choose(window, qtbot, "Finish what is in flight")
    choose(window, qtbot, "Stop now")
    qtbot.waitUntil(lambda: left != [])
    settle()
    assert left == ["left"]


@pytest.mark.qt_log_ignore("QPlatformNativeInterface::systemTrayWindowChanged", extend=True)
def test_that_a_round_goes_on_behind_an_icon_in_the_tray(
    page: RunsPage, window: MainWindow, qtbot: QtBot, server: OpenAIServer
) -> None:
    leaving = Leaving(window.context, window, window.come_forward, has_tray=lambda: True)
    window.leaving = leaving
    leaving.asked.connect(lambda: window.message_bar.take_keyboard(TOPIC))
    window.close()
    choose(window, qtbot, "Keep running in the background")
    assert not window.isVisible()
    assert leaving.tray is not None
    leaving.tray.activated.emit(QSystemTrayIcon.ActivationReason.Context)
    assert not window.isVisible(), "a right click is for the menu"
    assert leaving.tray.toolTip() == "GPF Desktop: a round is being asked"
    assert server.gate is not None
    server.gate.open()
    qtbot.waitUntil(lambda: page.model.state is RunState.FINISHED)
    qtbot.waitUntil(lambda: leaving.tray.toolTip() == "GPF Desktop: The round is finished and scored.")
    menu = leaving.tray.contextMenu()
    assert menu is not None
    menu.actions()[0].trigger()
    assert window.isVisible()
    assert leaving.tray is None
    assert window.context.engine.open_audit.rounds.active is None
    window.close()
    assert not window.isVisible()


def test_that_closing_the_audit_asks_too_and_the_question_goes_with_the_round(
    page: RunsPage, window: MainWindow, qtbot: QtBot, server: OpenAIServer
) -> None:
    window.context.actions.action("file.close").trigger()
    assert answers(window) == ["Finish what is in flight", "Stop now"]
    assert window.context.engine.has_open_audit
    assert server.gate is not None
    server.gate.open()
    qtbot.waitUntil(lambda: page.model.state is RunState.FINISHED)
    qtbot.waitUntil(lambda: all(m.topic != TOPIC for m in window.context.messages.messages))


def test_that_stop_now_on_the_page_says_what_is_lost_before_it_stops(
    page: RunsPage, window: MainWindow, qtbot: QtBot
) -> None:
    window.context.actions.action("run.stop").trigger()
    message = window.context.messages.messages[0]
    assert "on their way are lost" in message.text
    assert not any(each.isdigit() for each in message.text), "more are on their way while the question stands"
    assert page.model.active
    choose(window, qtbot, "Stop now")
    qtbot.waitUntil(lambda: page.model.state is RunState.STOPPED)


def test_that_nothing_is_asked_where_no_round_is(window: MainWindow, audit: Path) -> None:
    window.close()
    assert not window.isVisible()

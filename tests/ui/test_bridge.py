"""The way between the engine's threads and the window."""

import threading
from concurrent.futures import Future
from pathlib import Path

import pytest
import shiboken6
from PySide6.QtCore import QObject, QThread
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.events import AuditClosed, AuditOpened, KeyStoreChanged, ProtocolsChanged
from gpf_desktop.ui.audit_timer import AuditTimer
from gpf_desktop.ui.bridge import Bridge


@pytest.fixture
def bridge(qtbot: QtBot):
    made = Bridge()
    yield made
    made.close()
    made.deleteLater()


def _from_another_thread(work) -> None:
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()


def test_that_events_of_any_thread_arrive_in_order_on_the_gui_thread(bridge: Bridge, qtbot: QtBot) -> None:
    seen: list[tuple[AuditClosed, bool]] = []
    owner = QObject()
    bridge.subscribe(owner, lambda event: seen.append((event, QThread.isMainThread())), AuditClosed)
    events = [AuditClosed(path=Path(str(number))) for number in range(500)]
    _from_another_thread(lambda: [bridge.announce(event) for event in events])
    qtbot.waitUntil(lambda: len(seen) == 500)
    assert [event for event, _ in seen] == events
    assert all(on_gui for _, on_gui in seen)


def test_that_a_subscriber_hears_only_its_types_and_only_while_it_lives(bridge: Bridge, qtbot: QtBot) -> None:
    heard: list[object] = []
    owner = QObject()
    bridge.subscribe(owner, heard.append, ProtocolsChanged)
    with qtbot.waitSignal(bridge.announced):
        bridge.announce(AuditClosed(path=Path("a")))
    assert heard == []
    shiboken6.delete(owner)
    with qtbot.waitSignal(bridge.announced):
        bridge.announce(ProtocolsChanged())
    assert heard == []


def test_that_a_read_runs_elsewhere_and_its_result_comes_back_here(bridge: Bridge, qtbot: QtBot) -> None:
    found: list[tuple[bool, bool]] = []
    bridge.run(QThread.isMainThread, then=lambda there: found.append((there, QThread.isMainThread())))
    qtbot.waitUntil(lambda: bool(found))
    assert found == [(False, True)]
    assert bridge.idle


def test_that_a_failure_goes_to_who_asked_and_else_to_the_message_bar(bridge: Bridge, qtbot: QtBot) -> None:
    def fail() -> None:
        raise UserError("The feed is not XML.")

    caught: list[BaseException] = []
    bridge.run(fail, failed=caught.append)
    qtbot.waitUntil(lambda: bool(caught))
    assert str(caught[0]) == "The feed is not XML."
    with qtbot.waitSignal(bridge.trouble) as told:
        bridge.run(fail)
    assert isinstance(told.args[0], UserError)


def test_that_nothing_is_delivered_to_an_owner_that_is_gone(bridge: Bridge, qtbot: QtBot) -> None:
    future: Future[int] = Future()
    delivered: list[int] = []
    owner = QLabel()
    bridge.follow(future, then=delivered.append, owner=owner)
    shiboken6.delete(owner)
    future.set_result(1)
    qtbot.waitUntil(lambda: bridge.idle)
    assert delivered == []


def test_that_the_last_of_several_questions_wins(bridge: Bridge, qtbot: QtBot) -> None:
    first: Future[str] = Future()
    second: Future[str] = Future()
    shown: list[str] = []
    owner = QObject()
    bridge.follow(first, then=shown.append, owner=owner, latest="filter")
    bridge.follow(second, then=shown.append, owner=owner, latest="filter")
    second.set_result("second")
    first.set_result("first")
    qtbot.waitUntil(lambda: bridge.idle)
    assert shown == ["second"]


def test_that_questions_that_were_answered_are_forgotten(bridge: Bridge, qtbot: QtBot) -> None:
    """One for each dialog that was ever opened stayed, with what it had read."""
    owners = [QObject() for _ in range(20)]
    for owner in owners:
        for words in ("first", "second"):
            bridge.run(str, words, then=lambda _read: None, owner=owner, latest="filter")
    shiboken6.delete(owners[0])
    qtbot.waitUntil(lambda: bridge.idle)
    assert bridge._latest == {}


def test_that_a_cancelled_question_and_a_cancelled_future_say_nothing(bridge: Bridge, qtbot: QtBot) -> None:
    shown: list[object] = []
    future: Future[int] = Future()
    bridge.follow(future, then=shown.append).cancel()
    future.set_result(1)
    other: Future[int] = Future()
    bridge.follow(other, then=shown.append, failed=shown.append)
    other.cancel()
    qtbot.waitUntil(lambda: bridge.idle)
    assert shown == []


def test_that_an_error_in_a_handler_does_not_stop_the_events_behind_it(bridge: Bridge, qtbot: QtBot) -> None:
    heard: list[Path] = []
    owner = QObject()

    def handle(event: AuditClosed) -> None:
        if event.path == Path("bad"):
            raise RuntimeError("a bug")
        heard.append(event.path)

    bridge.subscribe(owner, handle, AuditClosed)
    with qtbot.captureExceptions() as bugs:
        for name in ("one", "bad", "two"):
            bridge.announce(AuditClosed(path=Path(name)))
        qtbot.waitUntil(lambda: len(heard) == 2)
    assert heard == [Path("one"), Path("two")]
    assert [str(bug[1]) for bug in bugs] == ["a bug"]


def test_that_many_thousand_events_are_emitted_and_painted(bridge: Bridge, qtbot: QtBot) -> None:
    """PySide6 6.12 on Python 3.11 loses a reference per emission and aborts the process after some thousand."""
    label = QLabel("0")
    qtbot.addWidget(label)
    label.show()
    heard: list[None] = []

    def paint(_event: ProtocolsChanged) -> None:
        heard.append(None)
        label.setText(str(len(heard)))
        if len(heard) % 20 == 0:
            label.repaint()

    bridge.subscribe(label, paint, ProtocolsChanged)
    many = 20_000
    _from_another_thread(lambda: [bridge.announce(ProtocolsChanged()) for _ in range(many)])
    qtbot.waitUntil(lambda: len(heard) == many)
    assert label.text() == str(many)


def test_that_nothing_arrives_after_closing(qtbot: QtBot) -> None:
    bridge = Bridge()
    heard: list[object] = []
    bridge.announced.connect(heard.append)
    bridge.announce(ProtocolsChanged())
    bridge.close()
    bridge.announce(ProtocolsChanged())
    qtbot.wait(0)
    assert heard == []
    bridge.deleteLater()


def _closes(bridge: Bridge, qtbot: QtBot) -> None:
    with qtbot.waitSignal(bridge.announced):
        bridge.announce(AuditClosed(path=Path("one.gpf")))


def test_that_what_was_asked_before_an_audit_closed_is_not_delivered_after_it(bridge: Bridge, qtbot: QtBot) -> None:
    came: list[str] = []
    late: Future[str] = Future()
    beside: Future[str] = Future()
    pending = bridge.follow(late, then=came.append)
    bridge.follow(beside, then=came.append, anywhere=True)
    _closes(bridge, qtbot)
    late.set_result("of the first")
    beside.set_result("of none")
    qtbot.waitUntil(lambda: bridge.idle)
    assert came == ["of none"]
    assert pending.over


def test_that_what_comes_while_an_audit_is_left_waits_and_goes_with_it(bridge: Bridge, qtbot: QtBot) -> None:
    came: list[object] = []
    owner = QObject()
    bridge.subscribe(owner, came.append, ProtocolsChanged, KeyStoreChanged)
    timer = AuditTimer(bridge, owner, 0, lambda: came.append("timer"))
    timer.start()
    bridge.leave()
    pending = bridge.run(lambda: "read", then=came.append)
    bridge.announce(ProtocolsChanged())
    bridge.announce(KeyStoreChanged())
    qtbot.waitUntil(lambda: bool(came) and not timer.isActive())
    assert came == [KeyStoreChanged()]
    assert not bridge.idle
    _closes(bridge, qtbot)
    qtbot.waitUntil(lambda: bridge.idle)
    assert came == [KeyStoreChanged()]
    assert pending.over


def test_that_what_waited_is_delivered_in_order_where_the_audit_stays(bridge: Bridge, qtbot: QtBot) -> None:
    came: list[object] = []
    owner = QObject()
    bridge.subscribe(owner, came.append, ProtocolsChanged)
    timer = AuditTimer(bridge, owner, 0, lambda: came.append("timer"))
    stopped = AuditTimer(bridge, owner, 0, lambda: came.append("stopped"))
    timer.start()
    stopped.start()
    bridge.leave()
    qtbot.waitUntil(lambda: not timer.isActive() and not stopped.isActive())
    bridge.announce(ProtocolsChanged())
    stopped.stop()
    qtbot.waitUntil(lambda: not bridge._queue)
    bridge.stay()
    qtbot.waitUntil(lambda: bridge.idle)
    assert came == ["timer", ProtocolsChanged()]


def test_that_a_timer_calls_for_the_audit_it_was_started_in_alone(bridge: Bridge, qtbot: QtBot) -> None:
    came: list[int] = []
    owner = QObject()
    once = AuditTimer(bridge, owner, 0, lambda: came.append(0))
    again = AuditTimer(bridge, owner, 0, lambda: came.append(len(came)), repeats=True)
    again.start()
    qtbot.waitUntil(lambda: len(came) > 3)
    once.start()
    bridge.announce(AuditClosed(path=Path("one.gpf")))
    bridge.announce(AuditOpened(path=Path("two.gpf"), title="", synthetic=False))
    bridge._drain()
    came.clear()
    qtbot.waitUntil(lambda: not once.isActive() and not again.isActive())
    assert came == []
    again.start()
    qtbot.waitUntil(lambda: len(came) > 3)

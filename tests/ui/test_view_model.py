"""What every view model shares: repaints come together, events reach it while it lives."""

import threading
from concurrent.futures import Future
from pathlib import Path

import shiboken6
from pytestqt.qtbot import QtBot

from gpf_desktop.domain.events import AuditClosed, TaskProgressed
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.page import ViewModel
from gpf_desktop.ui.tasks.task_view_model import TaskViewModel


def test_that_many_changes_are_one_repaint(context: Context, qtbot: QtBot) -> None:
    model = ViewModel(context)
    painted: list[None] = []
    model.changed.connect(lambda: painted.append(None))
    with qtbot.waitSignal(model.changed):
        for _ in range(1000):
            model.touch()
    assert len(painted) == 1


def test_that_the_answer_to_a_click_is_painted_at_once_and_once(context: Context, qtbot: QtBot) -> None:
    model = ViewModel(context)
    painted: list[None] = []
    model.changed.connect(lambda: painted.append(None))
    model.touch()
    model.touch_now()
    assert len(painted) == 1
    assert not model._soon.isActive()


def test_that_events_reach_a_view_model_while_it_lives(context: Context, qtbot: QtBot) -> None:
    model = ViewModel(context)
    heard: list[AuditClosed] = []
    model.listen(heard.append, AuditClosed)
    context.bridge.announce(AuditClosed(path=Path("a")))
    qtbot.waitUntil(lambda: len(heard) == 1)
    shiboken6.delete(model)
    with qtbot.waitSignal(context.bridge.announced):
        context.bridge.announce(AuditClosed(path=Path("b")))
    assert len(heard) == 1


def test_that_a_task_is_stopped_also_where_that_was_asked_before_it_began(context: Context, qtbot: QtBot) -> None:
    begins, begun = threading.Event(), threading.Event()
    heard: list[bool] = []

    def start(_options: object) -> "Future[None]":
        assert begins.wait(60)
        begun.set()
        return Future()

    model = TaskViewModel(context, "task", start, lambda: heard.append(begun.is_set()))
    model.start(None)
    model.cancel()
    begins.set()
    qtbot.waitUntil(lambda: heard == [False, True])


def test_that_the_time_left_is_told_once_the_pace_is_settled_and_in_whole_minutes(
    context: Context, qtbot: QtBot
) -> None:
    now = 0.0
    model = TaskViewModel(context, "t", lambda _: Future(), lambda: None, clock=lambda: now)
    model.start(None)

    def told(seconds: float, done: int) -> float | None:
        nonlocal now
        now = seconds
        context.bridge.announce(TaskProgressed(task="t", done=done, of=100))
        qtbot.waitUntil(lambda: model.done == done)
        return model.left

    assert told(9.0, 3) is None
    assert told(10.0, 10) == 120.0
    assert told(90.0, 97) == 60.0
    qtbot.waitUntil(lambda: not model.waits_to_paint)

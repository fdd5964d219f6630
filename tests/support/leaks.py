"""A test that leaves a thread, a child process or a window behind fails, and the last of a file for a running timer.

Tests that use ``qtbot`` or ``qapp`` are asked for windows and timers as well; for timers, which only a look at every
object finds, once a file. What runs before the test, in a fixture of a wider scope, is that fixture's business.
"""

import gc
import multiprocessing
import threading
import time
from collections.abc import Generator, Iterator
from itertools import compress
from typing import Any

import pytest

from tests.support.parked_workers import parked

GRACE = 60.0
"""Seconds that threads and processes already told to stop may take for it."""

_failed = pytest.StashKey[bool]()
_last = pytest.StashKey[bool]()
"""Whether a test is the last one of its file."""


@pytest.hookimpl(tryfirst=True)
def pytest_collection() -> None:
    """What is imported and collected stays for good: a fifth of the time went to looking for garbage in it."""
    gc.disable()


def pytest_collection_finish() -> None:
    """No collection and no look for timers need go through what is there by now again."""
    _set_aside()
    gc.enable()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_teardown(item: pytest.Item, nextitem: pytest.Item | None) -> Generator[None]:
    """What a file leaves behind in caches stays for good too, and would be gone through after each later test."""
    item.stash[_last] = nextitem is None or nextitem.path != item.path
    yield
    if item.stash[_last]:
        _set_aside()


def _set_aside() -> None:
    gc.collect()
    gc.freeze()


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if report.failed:
        item.stash[_failed] = True
    return report


@pytest.fixture(autouse=True)
def no_leaks(request: pytest.FixtureRequest) -> Iterator[None]:
    """Compares what runs after the test, and after its fixtures, with what ran before."""
    threads = set(threading.enumerate())
    children = set(multiprocessing.active_children())
    asks_qt = "qapp" in request.fixturenames
    windows = _windows() if asks_qt else []
    yield
    if request.node.stash.get(_failed, False):
        return
    leaks = _left_windows(windows) if asks_qt else []
    if asks_qt and request.node.stash[_last]:
        leaks += _left_timers()
    leaks += _left_children(children) + _left_threads(threads)
    if leaks:
        pytest.fail("\n".join(leaks), pytrace=False)


def _left_threads(before: set[threading.Thread]) -> list[str]:
    # Threads that Qt started show up as dummies once they have run Python; they can be neither joined nor stopped.
    new = [
        thread
        for thread in threading.enumerate()
        if thread not in before and not isinstance(thread, threading._DummyThread)
    ]
    deadline = time.monotonic() + GRACE
    for thread in new:
        thread.join(max(0.0, deadline - time.monotonic()))
    return [f"a thread was left running: {thread.name}" for thread in new if thread.is_alive()]


def _left_children(before: set[Any]) -> list[str]:
    leaks = []
    deadline = time.monotonic() + GRACE
    for child in set(multiprocessing.active_children()) - before - parked():
        child.join(max(0.0, deadline - time.monotonic()))
        if child.is_alive():
            leaks.append(f"a child process was left running: {child.name}")
            child.kill()
            child.join()
    return leaks


def _windows() -> list[Any]:
    from PySide6.QtWidgets import QApplication

    return QApplication.topLevelWidgets() if QApplication.instance() else []


def _left_windows(before: list[Any]) -> list[str]:
    from PySide6.QtCore import QCoreApplication, QEvent

    QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)
    new = [window for window in _windows() if window not in before and window.parent() is None]
    names = [f"a window was left behind: {type(window).__name__} {window.objectName()!r}" for window in new]
    if not new:
        return []
    # Only a reference cycle may be keeping it; what a collection removes was not left behind.
    del new
    gc.collect()
    still = [window for window in _windows() if window not in before and window.parent() is None]
    for window in still:
        window.close()
        window.deleteLater()
    return names if still else []


def _left_timers() -> list[str]:
    from PySide6.QtCore import QTimer
    from shiboken6 import isValid

    leaks = []
    things = gc.get_objects()
    # Without a line of Python for each of half a million objects.
    for thing in compress(things, map(_kinds(QTimer).__contains__, map(type, things))):
        if isValid(thing) and thing.isActive():
            leaks.append(f"a timer was left running: {thing.objectName()!r}, every {thing.interval()} ms")
            if thing.thread().isCurrentThread():
                thing.stop()
    return leaks


def _kinds(of: type[Any]) -> set[type[Any]]:
    return {of}.union(*(_kinds(each) for each in of.__subclasses__()))

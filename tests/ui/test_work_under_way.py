"""Whatever is under way when its audit is closed, or another one is opened, ends with it and without a word."""

import shutil
from collections.abc import Callable
from pathlib import Path
from threading import Event

import pytest
from PySide6.QtCore import QCoreApplication
from pytestqt.qtbot import QtBot

from gpf_desktop.ui.main_window import MainWindow
from gpf_desktop.ui.results.results_page import ResultsPage
from gpf_desktop.ui.review.review_page import ReviewPage
from gpf_desktop.ui.sources.sources_page import SourcesPage

Settle = Callable[[], None]
Work = Callable[[MainWindow], object]


def _score(window: MainWindow) -> None:
    window.context.engine.open_audit.auto_rescoring.look()
    window.context.navigator.go("results")


def _tables(window: MainWindow) -> None:
    window.context.navigator.go("results")
    page = window.stack.page("results")
    assert isinstance(page, ResultsPage)
    page.sections.go_to("comparisons")


def _search(window: MainWindow) -> None:
    window.context.navigator.go("review")
    page = window.stack.page("review")
    assert isinstance(page, ReviewPage)
    finding = page.reading.finding
    # Typed, and not yet looked for: the field waits for the next letter.
    finding.field.setText("council")


def _preview(window: MainWindow) -> None:
    window.context.navigator.go("reports")
    window.context.actions.action("text.larger").trigger()


def _forecast(window: MainWindow) -> None:
    window.context.navigator.go("runs", setup=True)


def _fetch(window: MainWindow) -> None:
    window.context.navigator.go("sources")
    page = window.stack.page("sources")
    assert isinstance(page, SourcesPage)
    page.model.add_sample()
    page.model.fetch_all()


def _protocol(window: MainWindow) -> None:
    window.context.navigator.go("protocol")
    window.context.actions.action("protocol.reset").trigger()


def _home(window: MainWindow) -> None:
    window.context.navigator.go("runs")
    window.context.navigator.go("home")


WORK = {
    "scoring": _score,
    "results": _tables,
    "search": _search,
    "preview": _preview,
    "forecast": _forecast,
    "fetching": _fetch,
    "protocol": _protocol,
    "home": _home,
}


class Readers:
    """Keeps whatever the window asks for waiting, so that it is under way for as long as a test wants."""

    def __init__(self, window: MainWindow) -> None:
        self._gate = Event()
        self._bridge = window.context.bridge

    def hold(self) -> None:
        for _ in range(self._bridge._readers._max_workers):
            self._bridge.run(self._gate.wait, anywhere=True)

    def let_go(self) -> None:
        self._gate.set()


def _at(window: MainWindow) -> Path | None:
    current = window.context.engine.current
    return None if current is None else current.path


@pytest.mark.parametrize("kind", WORK)
def test_that_work_under_way_ends_with_its_audit(
    window: MainWindow, qtbot: QtBot, settle: Settle, small_audit: Path, tmp_path: Path, kind: str
) -> None:
    """And where the other file cannot be opened, goes on in the one that stays."""
    other, bad = Path(shutil.copy(small_audit, tmp_path / "other.gpf")), tmp_path / "bad.gpf"
    bad.write_bytes(b"no audit at all")
    files, troubles = window.files, list[BaseException]()
    window.context.bridge.trouble.connect(troubles.append)

    def leave(way: Callable[[], None], arrived: Path | None) -> None:
        readers = Readers(window)
        readers.hold()
        WORK[kind](window)
        # Some of what comes of it.
        for _ in range(3):
            QCoreApplication.processEvents()
        way()
        readers.let_go()
        settle()
        qtbot.waitUntil(lambda: _at(window) == arrived)
        settle()
        assert troubles == []

    files.open(small_audit)
    qtbot.waitUntil(lambda: _at(window) == small_audit)
    settle()
    leave(lambda: files.open(bad), small_audit)
    leave(lambda: files.open(other), other)
    leave(files.close_audit, None)
    # What was cut off does not keep the next one from the same work.
    files.open(small_audit)
    qtbot.waitUntil(lambda: _at(window) == small_audit)
    settle()
    WORK[kind](window)
    settle()
    assert troubles == []

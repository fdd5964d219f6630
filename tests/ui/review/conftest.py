"""The Review page of a real window, over an audit with answers of calibration models."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from gpf_desktop.app import Desktop
from gpf_desktop.domain.review_queue import QueueTab
from gpf_desktop.storage.audit_file import AuditFile
from gpf_desktop.ui.main_window import MainWindow
from gpf_desktop.ui.review.review_page import ReviewPage
from tests.support.filled_audit import fill
from tests.support.long_answers import long_answers

_MODIFIERS = {
    "Alt": Qt.KeyboardModifier.AltModifier,
    "Ctrl": Qt.KeyboardModifier.ControlModifier,
    "Shift": Qt.KeyboardModifier.ShiftModifier,
}


@pytest.fixture(scope="session")
def filled_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("filled") / "filled.gpf"
    audit = AuditFile.create(path, title="Evening round")
    fill(audit, models_asked=("tailoring-0.6", "faulty"), dimensions=("Socioeconomic", "Political"))
    audit.close()
    return path


@pytest.fixture
def filled(filled_once: Path, tmp_path: Path) -> Path:
    """An audit with a model that tailors its answers and one that refuses some readers; closed, and the test's own."""
    return shutil.copy(filled_once, tmp_path / "filled.gpf")


@pytest.fixture(scope="session")
def long_once(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("long") / "long.gpf"
    audit = AuditFile.create(path, title="Long answers")
    fill(
        audit, models_asked=("tailoring-0.6",), dimensions=("Socioeconomic",), families=("Impact",), says=long_answers()
    )
    audit.close()
    return path


@pytest.fixture
def long_page(desktop: Desktop, qtbot: QtBot, long_once: Path, tmp_path: Path) -> ReviewPage:
    """The page with nine answers of 250 words, at 1440 by 900."""
    desktop.window.resize(1440, 900)
    return open_review(desktop.window, qtbot, shutil.copy(long_once, tmp_path / "long.gpf"))


@pytest.fixture
def page(desktop: Desktop, qtbot: QtBot, filled: Path) -> ReviewPage:
    """The page with its first bundle open and explained."""
    return open_review(desktop.window, qtbot, filled)


@pytest.fixture
def choices(desktop: Desktop, qtbot: QtBot, small_audit: Path) -> ReviewPage:
    """The page with the item whose choice moves most: its answers are choices, not texts."""
    window = desktop.window
    window.files.open(small_audit)
    qtbot.waitUntil(lambda: window.status.audit_open)
    window.context.navigator.go("review")
    page = window.stack.current
    assert isinstance(page, ReviewPage)
    page.folding.set_roomy(False)
    qtbot.waitUntil(lambda: page.model.reader.reading is not None)
    qtbot.waitUntil(lambda: window.context.bridge.idle)
    window.activateWindow()
    return page


def open_review(window: MainWindow, qtbot: QtBot, path: Path) -> ReviewPage:
    # A file that was just closed is let go of a moment after the window says so.
    qtbot.waitUntil(lambda: window.context.bridge.idle)
    size = window.size()
    window.files.open(path)
    # A page that is built while pages are locked costs a tenth more: each of its events is asked about.
    qtbot.waitUntil(lambda: window.status.audit_open and window.context.bridge.idle)
    window.context.navigator.go("review")
    page = window.stack.current
    assert isinstance(page, ReviewPage)
    qtbot.waitUntil(lambda: page.model.reader.explanation is not None)
    # What carries the score is marked once it is explained.
    qtbot.waitUntil(lambda: window.context.bridge.idle)
    window.activateWindow()
    # Most tests begin in the queue; what is shown at first is tested by itself.
    page.folding.set_roomy(False)
    # The first line may be a heading.
    rows = page.queue.rows_model
    qtbot.waitUntil(
        lambda: any(rows.row_at(at) is not None for at in (0, 1)) or not page.model.queue.ids(page.model.tab)
    )
    qtbot.waitUntil(lambda: window.context.bridge.idle)
    # Widths of one turn ask for heights in the next.
    for _ in range(4):
        QApplication.processEvents()
    assert window.size() == size, "the page made its window larger"
    return page


@pytest.fixture
def press(qtbot: QtBot, window: MainWindow) -> Callable[[str], None]:
    """Presses a key, such as "D" or "Ctrl+Return", on whatever has the keyboard."""

    def key(name: str) -> None:
        *modifiers, last = name.split("+") if name != "+" else ["+"]
        held = Qt.KeyboardModifier.NoModifier
        for modifier in modifiers:
            held |= _MODIFIERS[modifier]
        names = {".": "Period", "+": "Plus", "-": "Minus"}
        target: QWidget = QApplication.focusWidget() or window
        qtbot.keyClick(target, getattr(Qt.Key, f"Key_{names.get(last, last)}"), held)

    return key


def counts(page: ReviewPage) -> dict[QueueTab, int]:
    return {tab: page.model.queue.count(tab) for tab in QueueTab}

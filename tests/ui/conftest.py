"""The real window over the real engine, in a folder of its own."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QSettings
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from gpf_desktop.app import Desktop, make_application
from gpf_desktop.engine.engine import Engine
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.main_window import MainWindow
from gpf_desktop.ui.page import ViewModel
from gpf_desktop.ui.runs.runs_page import RunsPage
from gpf_desktop.ui.studies.study_form import StudyForm
from gpf_desktop.ui.theme import Theme


@pytest.fixture
def settings(tmp_path: Path) -> QSettings:
    return QSettings(str(tmp_path / "window.ini"), QSettings.Format.IniFormat)


@pytest.fixture
def theme(qapp: QApplication, settings: QSettings) -> Iterator[Theme]:
    """A theme without a window, for tests of single widgets."""
    made = Theme(make_application(), settings)
    yield made
    made.release()


@pytest.fixture
def desktop(qtbot: QtBot, settings: QSettings) -> Iterator[Desktop]:
    """Everything that a start of the program makes, shown."""
    made = Desktop(make_application(), settings, Engine)
    made.window.resize(1280, 720)
    made.window.show()
    yield made
    made.close()


@pytest.fixture
def window(desktop: Desktop) -> MainWindow:
    return desktop.window


@pytest.fixture
def context(desktop: Desktop) -> Context:
    return desktop.window.context


@pytest.fixture
def audit(window: MainWindow, qtbot: QtBot, tmp_path: Path) -> Path:
    """A new, empty audit, open in the window."""
    path = tmp_path / "evening.gpf"
    window.files.create(path, "gpf-livenews")
    # The window goes to Sources a moment after it tells that the audit is open; a test that went elsewhere in between
    # would find itself there.
    qtbot.waitUntil(lambda: window.stack.current is not None and window.stack.current.page_id == "sources")
    return path


@pytest.fixture
def settle(desktop: Desktop, qtbot: QtBot) -> Callable[[], None]:
    """Waits until everything that was asked of the engine has been delivered, and painted."""

    def painted() -> bool:
        return not any(model.waits_to_paint for model in desktop.window.findChildren(ViewModel))

    def settled() -> bool:
        # What is put into a page that is shown becomes visible in a turn of its own.
        QCoreApplication.sendPostedEvents()
        return desktop.bridge.idle and painted()

    def wait() -> None:
        # The first time modules are read, which takes seconds where other programs want the processor too.
        qtbot.waitUntil(settled)

    return wait


@pytest.fixture
def set_up(window: MainWindow, audit: Path, settle: Callable[[], None]) -> Callable[[str], StudyForm]:
    """Shows the set-up of a method's study."""

    def show(method: str) -> StudyForm:
        window.context.navigator.go("runs", setup=method)
        settle()
        page = window.stack.page("runs")
        assert isinstance(page, RunsPage)
        return page.setup

    return show

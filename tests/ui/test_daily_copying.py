"""File › Daily copies: made beside the window, and opened under another name."""

from collections.abc import Callable
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from gpf_desktop.engine.exchange.daily_copies import DailyCopies
from gpf_desktop.settings.preferences import HERE
from gpf_desktop.ui.main_window import MainWindow
from gpf_desktop.ui.shell.daily_copying import DailyCopiesDialog, DailyCopying
from gpf_desktop.ui.wording import moment


@pytest.fixture(autouse=True)
def copies(tmp_path: Path) -> None:
    (tmp_path / "copies").mkdir()
    HERE.set("folders.copies", str(tmp_path / "copies"))


def test_that_the_audit_of_this_morning_opens_as_another(
    window: MainWindow, audit: Path, settle: Callable[[], None], qtbot: QtBot, tmp_path: Path
) -> None:
    copying = window.findChild(DailyCopying)
    assert copying is not None
    assert copying.timer.isActive()
    copying.timer.timeout.emit()
    settle()
    (copy,) = DailyCopies(audit).listed()
    window.context.actions.start("file.copies")
    settle()
    (dialog,) = window.findChildren(DailyCopiesDialog)
    assert dialog.chosen == copy
    assert copy.made is not None
    assert dialog.copies.item(0).text().startswith(f"{moment(copy.made)} · evening")
    dialog.open_copy(copy, tmp_path / "morning.gpf")
    current = window.context.engine
    qtbot.waitUntil(lambda: current.current is not None and current.current.path.name == "morning.gpf")
    settle()
    assert window.windowTitle() == "evening (morning.gpf) – GPF Desktop"
    assert copy.path.exists()
    message = window.context.messages.messages[-1]
    assert "opened as morning.gpf" in message.text
    here = window.context.navigator.here()
    assert here is not None
    assert here.page == "home"
    (back,) = message.remedies
    back.do()
    qtbot.waitUntil(lambda: current.current is not None and current.current.path == audit)
    settle()


def test_that_without_a_copy_it_says_when_one_is_made(window: MainWindow, settle: Callable[[], None]) -> None:
    window.context.actions.start("file.copies")
    settle()
    (dialog,) = window.findChildren(DailyCopiesDialog)
    assert "no daily copy yet" in dialog.about.text()
    assert not dialog.restore.isEnabled()
    dialog.close()

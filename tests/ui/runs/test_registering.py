"""The button beside Start that registers a plan before its first answer."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtWidgets import QLabel, QLineEdit
from pytestqt.qtbot import QtBot

from gpf_desktop.domain.runs import RunState
from gpf_desktop.ui.main_window import MainWindow
from gpf_desktop.ui.runs.register_dialog import RegisterDialog
from gpf_desktop.ui.runs.runs_page import RunsPage
from tests.support.rounds import calibration, small_protocol
from tests.ui.runs.steps import add, button, set_up

Settle = Callable[[], None]


def opened(page: RunsPage, settle: Settle) -> RegisterDialog:
    button(page, "setup.register").click()
    settle()
    dialog = page.setup.findChild(RegisterDialog, "runs.registerDialog")
    assert dialog is not None
    return dialog


def words(dialog: RegisterDialog, name: str) -> str:
    found = dialog.findChild(QLabel, name)
    assert found is not None
    return found.text()


def test_that_a_plan_is_previewed_registered_and_saved(
    page: RunsPage, window: MainWindow, settle: Settle, tmp_path: Path
) -> None:
    add(window, calibration(), synthetic=True)
    set_up(page, settle)
    page.setup.model.protocol = small_protocol()
    dialog = opened(page, settle)
    text = dialog.page.toPlainText()
    assert "What it can find" in text
    assert "Not said beforehand." in text
    assert "not registered yet" in text
    assert "Check code" not in text
    assert not dialog.save.isEnabled()
    readers = dialog.findChild(QLineEdit)
    assert readers is not None
    readers.setText("Ann and Bo read everything")
    readers.editingFinished.emit()
    settle()
    assert "Ann and Bo read everything" in dialog.page.toPlainText()
    dialog.register.click()
    settle()
    open_audit = window.context.engine.open_audit
    found = open_audit.registration("gpf-livenews")
    assert found is not None
    assert found.plan.code[:16] in words(dialog, "register.standing")
    assert found.plan.code in dialog.page.toPlainText()
    assert not dialog.register.isEnabled()
    target = tmp_path / "page.md"
    dialog.model.save(target)
    settle()
    assert found.plan.code in target.read_text(encoding="utf-8")


def test_that_a_round_that_was_asked_says_why_nothing_can_be_registered(
    page: RunsPage, window: MainWindow, settle: Settle, qtbot: QtBot
) -> None:
    add(window, calibration(), synthetic=True)
    set_up(page, settle)
    page.setup.model.protocol = small_protocol()
    page.setup.model.start()
    qtbot.waitUntil(lambda: page.model.state is RunState.FINISHED)
    page.model.set_up()
    settle()
    page.setup.model.news.take_newest(1)
    settle()
    dialog = opened(page, settle)
    assert "Nothing can be registered any more" in words(dialog, "register.problem")
    assert not dialog.register.isEnabled()


def test_that_what_cannot_start_cannot_be_registered(page: RunsPage, settle: Settle) -> None:
    page.model.set_up()
    settle()
    assert not button(page, "setup.register").isEnabled()

"""What was asked of one audit, or seen of it, does not reach into the next one."""

import ast
import shutil
from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QAbstractScrollArea
from pytestqt.qtbot import QtBot

import gpf_desktop.ui
from gpf_desktop.domain.review_queue import QueueTab
from gpf_desktop.engine.engine import Engine
from gpf_desktop.storage.audit_file import AuditFile
from gpf_desktop.ui.actions import Fact
from gpf_desktop.ui.main_window import MainWindow
from gpf_desktop.ui.results.results_actions import ResultsPart
from gpf_desktop.ui.results.results_page import ResultsPage
from gpf_desktop.ui.review.review_page import ReviewPage
from tests.support.filled_audit import fill
from tests.ui.results.steps import opened

Settle = Callable[[], None]


@pytest.fixture
def filled(tmp_path: Path) -> Path:
    path = tmp_path / "filled.gpf"
    audit = AuditFile.create(path, title="Evening round")
    fill(audit, models_asked=("tailoring-0.6", "faulty"), dimensions=("Socioeconomic", "Political"))
    audit.close()
    return path


@pytest.fixture
def other(filled: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(filled, tmp_path / "other.gpf"))


def show(window: MainWindow, qtbot: QtBot, settle: Settle, path: Path) -> None:
    window.files.open(path)
    qtbot.waitUntil(lambda: window.recent.paths()[:1] == (path.absolute(),))
    settle()


def test_that_what_is_asked_of_an_audit_is_not_delivered_into_the_next(
    window: MainWindow, qtbot: QtBot, settle: Settle, filled: Path, other: Path
) -> None:
    show(window, qtbot, settle, filled)
    came: list[str] = []
    late: Future[str] = Future()
    failing: Future[str] = Future()
    anywhere: Future[str] = Future()
    bridge = window.context.bridge
    bridge.follow(late, then=came.append)
    bridge.follow(failing, failed=lambda error: came.append(str(error)))
    bridge.follow(anywhere, then=came.append, anywhere=True)
    window.files.open(other)
    qtbot.waitUntil(lambda: window.recent.paths()[:1] == (other.absolute(),))
    late.set_result("of the first")
    failing.set_exception(OSError("its file is closed"))
    anywhere.set_result("of any")
    settle()
    assert came == ["of any"]


def test_that_results_of_another_audit_begin_at_their_top(
    window: MainWindow, qtbot: QtBot, settle: Settle, filled: Path, other: Path
) -> None:
    show(window, qtbot, settle, filled)
    page = opened(window, settle)
    assert isinstance(page, ResultsPage)
    page.sections.go_to("comparisons")
    settle()
    bar = page.area.verticalScrollBar()
    bar.setValue(bar.maximum())
    settle()
    assert bar.value() > 0
    show(window, qtbot, settle, other)
    window.context.navigator.go("results")
    settle()
    assert page.sections.part is ResultsPart.FOUND
    assert page.area.verticalScrollBar().value() == 0
    page.sections.go_to("comparisons")
    settle()
    assert bar.value() == 0
    # Who comes back finds the tab that was looked at.
    show(window, qtbot, settle, filled)
    window.context.navigator.go("results")
    settle()
    assert page.sections.part is ResultsPart.COMPARISONS


def test_that_every_page_of_another_audit_begins_at_its_top(
    window: MainWindow, qtbot: QtBot, settle: Settle, filled: Path, other: Path
) -> None:
    show(window, qtbot, settle, filled)
    names = ("sources", "models", "protocol", "runs", "review", "results", "reports")
    for name in names:
        window.context.navigator.go(name)
        settle()
        for area in window.stack.page(name).findChildren(QAbstractScrollArea):
            area.verticalScrollBar().setValue(area.verticalScrollBar().maximum())
    show(window, qtbot, settle, other)
    for name in names:
        window.context.navigator.go(name)
        settle()
        page = window.stack.page(name)
        areas = page.findChildren(QAbstractScrollArea)
        assert [area.objectName() for area in areas if area.verticalScrollBar().value()] == [], name


def test_that_commands_of_an_audit_end_with_it(window: MainWindow, qtbot: QtBot, settle: Settle, filled: Path) -> None:
    show(window, qtbot, settle, filled)
    window.context.navigator.go("review")
    settle()
    actions = window.context.actions
    of_audits = [
        spec.id for spec in actions.specs() if spec.needs - {Fact.CAN_GO_BACK, Fact.CAN_GO_FORWARD, Fact.HAS_INSPECTOR}
    ]
    assert any(actions.action(each).isEnabled() for each in of_audits)
    window.files.close_audit()
    assert [each for each in of_audits if actions.action(each).isEnabled()] == [], "while it is being closed"
    qtbot.waitUntil(lambda: not window.status.audit_open)
    settle()
    assert [each for each in of_audits if actions.action(each).isEnabled()] == []


def test_that_a_note_typed_just_before_an_audit_is_closed_is_kept(
    window: MainWindow, qtbot: QtBot, settle: Settle, filled: Path
) -> None:
    show(window, qtbot, settle, filled)
    window.context.navigator.go("review")
    settle()
    page = window.stack.current
    assert isinstance(page, ReviewPage)
    bundle = page.model.reader.current
    assert bundle is not None
    page.folding.set_folded(False)
    page.form.note.setFocus()
    qtbot.keyClicks(page.form.note, "The end is missing")
    window.files.close_audit()
    qtbot.keyClicks(page.form.note, " of what is closed")
    qtbot.waitUntil(lambda: not window.status.audit_open)
    settle()
    assert page.model.queue.count(QueueTab.TO_DO) == 0
    engine = Engine(lambda _event: None)
    try:
        assert engine.open(filled).reviews.bundle(bundle).state.judgement.note == "The end is missing"
    finally:
        engine.close()


def test_that_a_damaged_file_leaves_the_open_audit_as_it_was(
    window: MainWindow, qtbot: QtBot, settle: Settle, filled: Path, tmp_path: Path
) -> None:
    show(window, qtbot, settle, filled)
    window.context.navigator.go("review")
    settle()
    page = window.stack.current
    assert isinstance(page, ReviewPage)
    (tmp_path / "bad.gpf").write_bytes(b"no audit at all")
    window.files.open(tmp_path / "bad.gpf")
    settle()
    qtbot.waitUntil(lambda: window.context.actions.action("review.flag").isEnabled())
    before = page.model.reader.current
    page.folding.set_roomy(False)
    page.queue.setFocus()
    qtbot.keyClick(page.queue, Qt.Key.Key_Right)
    settle()
    assert page.model.reader.current != before


def test_that_nothing_asks_twice_for_the_audit_that_another_thread_may_close_in_between() -> None:
    twice = []
    for path in sorted(Path(gpf_desktop.ui.__file__).parent.rglob("*.py")):
        for each in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(each, ast.FunctionDef):
                asked = {part.attr for part in ast.walk(each) if isinstance(part, ast.Attribute)}
                if {"has_open_audit", "open_audit"} <= asked:
                    twice.append(f"{path.name}: {each.name}")
    assert twice == [], "`Engine.current`, asked once, is the audit or None"

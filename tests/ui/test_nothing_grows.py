"""Opening audits, walking through them and closing them again takes no more each time than the time before."""

import ast
import gc
import os
import shutil
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from types import FunctionType

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, QObject
from PySide6.QtWidgets import QApplication, QDialog
from pytestqt.qtbot import QtBot
from shiboken6 import isValid

from gpf_desktop import ui
from gpf_desktop.storage.audit_file import AuditFile
from gpf_desktop.ui.main_window import MainWindow
from gpf_desktop.ui.results.results_page import ResultsPage
from gpf_desktop.ui.review.review_page import ReviewPage
from tests.support.filled_audit import fill
from tests.support.monkey import PAGES

Settle = Callable[[], None]
CYCLES = int(os.environ.get("GPF_CYCLES", "2"))
"""After the two that make what each page and dialog makes once. By hand more: GPF_CYCLES=30."""


@pytest.fixture
def filled(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "filled.gpf"
    audit = AuditFile.create(path, title="Evening round")
    fill(audit, models_asked=("tailoring-0.6", "faulty"), dimensions=("Socioeconomic", "Political"))
    audit.close()
    # What a dialog proposes lies there.
    monkeypatch.chdir(tmp_path)
    return path


class Walk:
    """Everywhere in *window* and back, as often as wanted."""

    def __init__(self, window: MainWindow, settle: Settle) -> None:
        self._window, self._settle = window, settle
        self.opened: set[str] = set()
        """Kinds of the dialogs and menus that it saw."""

    def cycle(self, path: Path) -> None:
        """Open the audit at *path*, go everywhere, and close it."""
        self._window.files.open(path)
        self._settle()
        assert self._window.context.engine.has_open_audit
        for page in PAGES:
            self._window.context.navigator.go(page)
            self._settle()
            self._inside(page)
        self._window.context.navigator.go("runs", setup=True)
        self._settle()
        self._window.files.close_audit()
        self._settle()
        assert not self._window.context.engine.has_open_audit

    def _inside(self, name: str) -> None:
        page = self._window.stack.page(name)
        if isinstance(page, ReviewPage):
            for _ in range(3):
                page.model.go(1)
                self._settle()
            self._dialogs()
        elif isinstance(page, ResultsPage):
            for part in ("comparisons", "tables", "found"):
                page.sections.go_to(part)
                self._settle()

    def _dialogs(self) -> None:
        """Open and close whatever commands ask further in, and what the Help menu shows."""
        actions = self._window.context.actions
        for spec in actions.specs():
            # Some show their page, where others are not to be had.
            self._window.context.navigator.go("review")
            action = actions.action(spec.id)
            if action.isEnabled() and ("…" in action.text() or spec.id.startswith("help.")):
                action.trigger()
                self._settle()
                self._close()

    def _close(self) -> None:
        for each in QApplication.topLevelWidgets():
            if isValid(each) and each.isVisible() and each is not self._window:
                self.opened.add(type(each).__name__)
                if isinstance(each, QDialog):
                    each.reject()
                else:
                    each.close()
        self._settle()


def living() -> Counter[str]:
    """How many there are of each class and function of this program, of each of Qt's below windows, and of windows."""
    for _ in range(2):
        gc.collect()
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete)
    found = Counter(
        f"{kind.__module__}.{kind.__qualname__}"
        for each in gc.get_objects()
        # Of a function that another one makes there is one for each that keeps it: a connection, a follower.
        for kind in [each if isinstance(each, FunctionType) else type(each)]
        if str(kind.__module__).startswith("gpf_desktop")
    )
    for window in QApplication.topLevelWidgets():
        found["windows"] += 1
        if window.parent() is None:
            found.update(f"Qt {each.metaObject().className()}" for each in window.findChildren(QObject))
    return found


def test_that_no_class_of_the_window_is_made_again_and_again() -> None:
    # What Qt's bindings keep of a class is never given back: 5 kB for each that a function makes.
    found = [
        f"{path.name}: {inner.name}"
        for path in Path(ui.__file__).parent.rglob("*.py")
        for outer in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(outer, ast.FunctionDef | ast.AsyncFunctionDef)
        for inner in ast.walk(outer)
        if isinstance(inner, ast.ClassDef)
    ]
    assert found == []


def test_that_walking_through_audits_again_and_again_leaves_nothing_behind(
    window: MainWindow, qtbot: QtBot, settle: Settle, filled: Path
) -> None:
    other = Path(shutil.copy(filled, filled.with_name("other.gpf")))
    walk, counts = Walk(window, settle), list[Counter[str]]()
    for cycle in range(2 + CYCLES):
        walk.cycle((filled, other)[cycle % 2])
        counts.append(living())
    assert {"ExportDialog", "RescoreDialog", "SchedulesDialog", "MemoDialog", "CommandPalette"} <= walk.opened
    _, first, *later = counts
    # What hangs on the order in which threads come is now one more and now one less; what leaks grows each time.
    grown = {
        name: [each[name] for each in counts[1:]]
        for name in later[-1]
        if all(before[name] < after[name] for before, after in zip((first, *later), later, strict=False))
    }
    assert grown == {}

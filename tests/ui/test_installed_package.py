"""What a package brings that a laboratory installed beside the program: a method, the set-up of its study, a page."""

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from gpf_desktop.engine.core.plug_ins import HERE
from gpf_desktop.engine.reporting.results_filter import ResultsFilter
from gpf_desktop.ui.main_window import MainWindow
from gpf_desktop.ui.shell import pages
from gpf_desktop.ui.studies.study_form import StudyForm
from tests.support.packages import install

LAB = {
    "lab/__init__.py": "",
    "lab/method.py": """
from gpf_desktop.methods.contextual_stereoset.method import METHOD
from gpf_desktop.methods.contextual_stereoset.set_up import SET_UP

class Method(type(METHOD)):
    name, title = "ours", "Ours"
    analyses = ("stereoset_coverage", "gone")

class SetUp(type(SET_UP)):
    name = "ours"

METHOD, SET_UP = Method(), SetUp()
""",
    "lab/window.py": """
from PySide6.QtWidgets import QPushButton
from gpf_desktop.ui.shell.pages import PageSpec

def editor(context, model):
    return QPushButton("Edit ours", objectName="ours.edit")

def raising_pages():
    raise RuntimeError("no pages today")

def pages():
    return (PageSpec(id="ours", title="Ours", icon="protocol", method="ours", within="lab"),)
""",
    "lab/ours/__init__.py": "",
    "lab/ours/ours_page.py": """
from PySide6.QtWidgets import QLabel
from gpf_desktop.ui.page import Page

class OursPage(Page):
    def __init__(self, context):
        super().__init__(context, "ours", "Ours")
        self.body.addWidget(QLabel("Of a laboratory"))
""",
}
DECLARED = """
[gpf_desktop.methods]
ours = lab.method:METHOD
[gpf_desktop.set_ups]
ours = lab.method:SET_UP
[gpf_desktop.analyses]
gone = lab.gone:ANALYSIS
[gpf_desktop.study_editors]
ours = lab.window:editor
[gpf_desktop.pages]
ours = lab.window:pages
twin = lab.gone:pages
fails = lab.window:raising_pages
"""


@pytest.fixture(autouse=True)
def _installed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """On the path before the window is made, and forgotten after the test."""
    site = tmp_path / "site"
    install(site, "lab", "1.0", LAB, DECLARED)
    monkeypatch.syspath_prepend(str(site))
    monkeypatch.setattr(HERE, "_found", {})
    monkeypatch.setattr(HERE, "_broken", {})
    pages._pages_of_methods.cache_clear()
    yield
    pages._pages_of_methods.cache_clear()


def test_that_a_package_brings_a_page_and_the_editor_of_its_study(
    window: MainWindow,
    set_up: Callable[[str], StudyForm],
    qtbot: QtBot,
    settle: Callable[[], None],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def raising(*_: object) -> QWidget:
        raise RuntimeError("no editor today")

    page = window.rail.findChild(QWidget, "rail.ours")
    assert page is not None
    qtbot.waitUntil(lambda: not page.isVisible())
    assert set_up("ours").findChild(QPushButton, "ours.edit") is not None
    assert set_up("saged").findChild(QPushButton, "ours.edit") is None
    with monkeypatch.context() as patched:
        patched.setattr("lab.window.editor", raising)
        form = set_up("ours")
        told = form.findChild(QLabel, "setup.notMade")
        assert told is not None
        assert "“ours”" in told.text()
        assert "no editor today" in told.text()
        assert form.begin.isVisible(), "all else of the set-up stands"
    window.context.navigator.go("home")
    window.files.create(tmp_path / "ours.gpf", "ours")
    # The window goes to the set-up of the study a moment after it tells that the audit is open.
    qtbot.waitUntil(lambda: window.stack.current is not None and window.stack.current.page_id == "runs")
    qtbot.waitUntil(page.isVisible)
    window.context.navigator.go("ours")
    settle()
    assert window.stack.current is not None
    assert window.stack.current.page_id == "ours"
    results = window.context.engine.open_audit.results
    assert "stereoset_coverage" in results.findings(ResultsFilter())
    assert "gone" not in results.names()
    told = [str(error) for error in HERE.broken]
    named = ["“gone”", "“twin”", "“fails”"]
    assert [name for name in named if any(name in each for each in told)] == named

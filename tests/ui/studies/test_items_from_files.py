"""Items of a study that come from a file."""

from collections.abc import Callable
from pathlib import Path

from PySide6.QtWidgets import QPushButton

from gpf_desktop.ui.main_window import MainWindow
from gpf_desktop.ui.runs.runs_page import RunsPage
from gpf_desktop.ui.studies.study_form import StudyForm
from tests.methods.contextual_stereoset.test_items import dev_json, entry

Settle = Callable[[], None]
SetUp = Callable[[str], StudyForm]


def test_that_items_come_from_a_file_only_once_there_is_a_protocol_to_ask_about_them(
    window: MainWindow, audit: Path, settle: Settle
) -> None:
    page = window.stack.page("runs")
    assert isinstance(page, RunsPage)
    settle()
    page.setup.model.show("contextual-stereoset")
    file = page.setup.findChild(QPushButton, "setup.file")
    assert file is not None
    assert not file.isEnabled()
    assert page.setup.takes.blocked.isHidden(), "what is being read need not be chosen"
    assert page.setup.sets.currentText() == ""
    settle()
    assert file.isEnabled()
    assert page.setup.sets.currentText() == "Contextual StereoSet"


def test_that_a_file_of_stereotypes_is_told_by_its_version_counts_and_licence(
    set_up: SetUp, settle: Settle, tmp_path: Path
) -> None:
    form = set_up("contextual-stereoset")
    assert "items: the starter set" in form.model.facts
    form.model.read_file(dev_json(tmp_path, [entry("a"), entry("b", bias_type="race")], [entry("c")]))
    settle()
    assert "items: dev.json\n" in form.model.facts, "without the folders of this machine"
    *_, told = form.model.facts.splitlines()
    assert told.startswith("dev.json: StereoSet 1.1, 3 items (2 intersentence, 1 intrasentence; 2 profession, 1 race)")
    assert told.endswith(", CC BY-SA 4.0")

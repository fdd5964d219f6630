"""What is said of the making of SAGED's prompts, which goes and comes with them."""

from collections.abc import Callable
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from gpf_desktop.ui.main_window import MainWindow
from gpf_desktop.ui.methods.saged.benchmark_dialog import BenchmarkDialog, OwnBenchmark
from gpf_desktop.ui.studies.study_form import StudyForm
from tests.ui.methods.test_saged import LONG, reopened

SENTENCE = "For many years the bakers of {} have argued about the price of a loaf in small towns."


@pytest.fixture
def form(set_up: Callable[[str], StudyForm]) -> StudyForm:
    return set_up("saged")


def test_that_what_was_said_of_the_making_is_taken_back_with_the_prompts(
    form: StudyForm, window: MainWindow, settle: Callable[[], None], qtbot: QtBot, tmp_path: Path
) -> None:
    editor = form.findChild(OwnBenchmark)
    assert editor is not None
    editor.open.click()
    dialog = editor.dialog
    assert dialog is not None

    def made(dialog: BenchmarkDialog, *concepts: str) -> str:
        dialog.model.sentences.replace(
            [(each, each, SENTENCE.format(each), "", "", each, "", "", "", "") for each in concepts], "Type"
        )
        dialog.model.make()
        qtbot.waitUntil(lambda: not dialog.model.making, timeout=LONG)
        return dialog.prompts.said.text()

    unsaid = dialog.prompts.said.text()
    one, two = made(dialog, "France"), made(dialog, "France", "Ghana")
    assert one.startswith("1 prompt of 1 root")
    assert two.startswith("2 prompts of 2 roots")

    steps = dialog.model.prompts.steps
    steps.undo()
    assert dialog.prompts.said.text() == one
    assert dialog.model.behind, "there are two sentences"
    settle()
    audit = window.context.engine.open_audit.path
    dialog = reopened(form, window, audit, settle)
    assert dialog.prompts.said.text() == one
    assert dialog.model.behind

    steps = dialog.model.prompts.steps
    steps.redo()
    assert dialog.prompts.said.text() == two
    assert not dialog.model.behind
    (tmp_path / "b.csv").write_text("domain,concept,keyword,source_tag,prompt,baseline\nd,c,k,t,p p,b b\n")
    dialog.model.open_table(tmp_path / "b.csv", dialog.model.prompts, ())
    settle()
    assert dialog.prompts.said.text() == unsaid
    assert not dialog.model.behind
    steps.undo()
    assert dialog.prompts.said.text() == two
    dialog.model.prompts.setData(dialog.model.prompts.index(0, 0), "domain")
    assert dialog.prompts.said.text() == two
    for _ in range(3):
        steps.undo()
    assert not dialog.model.prompts.rows
    assert dialog.prompts.said.text() == unsaid

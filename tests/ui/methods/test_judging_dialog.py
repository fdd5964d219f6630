"""How a study of Relative Bias is judged and tested, changed in its set-up."""

from collections.abc import Callable
from dataclasses import replace

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from gpf_desktop.domain.coordinates import Coordinates
from gpf_desktop.engine.core.protocols import load_protocol
from gpf_desktop.methods.relative_bias.method import METHOD
from gpf_desktop.methods.relative_bias.rubric import ten_levels
from gpf_desktop.ui.main_window import MainWindow
from gpf_desktop.ui.methods.relative_bias.judging_dialog import JudgingDialog
from gpf_desktop.ui.studies.study_form import StudyForm
from tests.ui.accessibility import problems_in

Settle = Callable[[], None]


@pytest.fixture
def form(set_up: Callable[[str], StudyForm]) -> StudyForm:
    return set_up("relative-bias")


def opened(form: StudyForm, window: MainWindow, qtbot: QtBot) -> JudgingDialog:
    button = form.findChild(QPushButton, "study.judging")
    assert button is not None
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    return next(each for each in window.findChildren(JudgingDialog) if each.isVisible())


def test_that_rubric_margin_and_prompt_are_read_changed_and_undone_as_versions(
    form: StudyForm, window: MainWindow, qtbot: QtBot, settle: Settle
) -> None:
    shipped = form.model.protocol
    dialog = opened(form, window, qtbot)
    assert problems_in(dialog) == []
    assert dialog.levels.toPlainText().splitlines() == list(ten_levels().levels)
    assert not dialog.as_before.isEnabled()
    qtbot.keyClick(dialog.levels, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClicks(dialog.levels, "Plain.")
    qtbot.keyClick(dialog.levels, Qt.Key.Key_Return)
    qtbot.keyClicks(dialog.levels, "Veiled.")
    assert not dialog.use.isEnabled()
    assert dialog._fields["levels"].problem == "at least 3 are needed"
    qtbot.keyClick(dialog.levels, Qt.Key.Key_Return)
    qtbot.keyClicks(dialog.levels, "Denied.")
    qtbot.keyClicks(dialog.prompt, "Answer in one paragraph.")
    dialog.margin.setValue(2.0)
    dialog.stated.setValue(0.5)
    qtbot.mouseClick(dialog.masks, Qt.MouseButton.LeftButton)
    assert "Used as Sugary drinks · version 2" in dialog.said.text()
    qtbot.mouseClick(dialog.use, Qt.MouseButton.LeftButton)
    settle()
    made = form.model.protocol
    assert (made.version, made.rubric.version, made.rubric.levels) == (2, 2, ("Plain.", "Veiled.", "Denied."))
    assert made.margin_levels == 0.5
    assert (made.margin_k, made.system_prompt, made.masks_names) == (2.0, "Answer in one paragraph.", False)
    assert METHOD.protocol(METHOD.protocol_data(made)) == made
    again = opened(form, window, qtbot)
    qtbot.mouseClick(again.as_method, Qt.MouseButton.LeftButton)
    assert again.terms.levels == ten_levels().levels
    qtbot.mouseClick(again.as_before, Qt.MouseButton.LeftButton)
    assert again.terms.levels == ("Plain.", "Veiled.", "Denied.")
    qtbot.mouseClick(again.use, Qt.MouseButton.LeftButton)
    assert form.model.protocol is made, "unchanged it stays the version that it is"
    said = next(each for each in window.context.messages.messages if each.topic == "study.edited")
    said.remedies[0].do()
    settle()
    assert form.model.protocol == shipped
    assert form.model.origin == "Sugary drinks", "the starter set again, not one changed here"


def test_that_an_unmasked_study_shows_its_judges_what_an_answer_says_of_itself() -> None:
    study = load_protocol("Sugary drinks", method="relative-bias")
    item, about = METHOD.items(study)[0], Coordinates.of(theme="Health", answer_of="river/river-9b")
    said = "I am river-9b, and cola is fine."
    assert "river-9b" not in METHOD.compose(study, about, item, (said,)).user
    assert said in METHOD.compose(replace(study, masks_names=False), about, item, (said,)).user

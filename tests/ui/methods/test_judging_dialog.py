"""How a study of Relative Bias is judged and tested, changed in its set-up."""

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QCheckBox, QDoubleSpinBox, QPlainTextEdit, QPushButton
from pytestqt.qtbot import QtBot

from gpf_desktop.domain.coordinates import Coordinates
from gpf_desktop.engine.core.protocols import load_protocol
from gpf_desktop.methods.relative_bias.method import METHOD
from gpf_desktop.methods.relative_bias.rubric import ten_levels
from gpf_desktop.ui.main_window import MainWindow
from gpf_desktop.ui.studies.form_dialog import FormDialog
from gpf_desktop.ui.studies.study_form import StudyForm
from tests.ui.accessibility import problems_in

Settle = Callable[[], None]


@pytest.fixture
def form(set_up: Callable[[str], StudyForm]) -> StudyForm:
    return set_up("relative-bias")


def opened(form: StudyForm, window: MainWindow, qtbot: QtBot) -> FormDialog:
    button = form.findChild(QPushButton, "study.judging")
    assert button is not None
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    return next(each for each in window.findChildren(FormDialog) if each.isVisible())


def field(dialog: FormDialog, kind: type, name: str, tab: str) -> Any:
    dialog.model.show_tab(tab)
    found = dialog.findChild(kind, f"protocol.{name}")
    assert found is not None
    return found


def test_that_rubric_margin_and_prompt_are_read_changed_and_undone_as_versions(
    form: StudyForm, window: MainWindow, qtbot: QtBot, settle: Settle
) -> None:
    shipped = form.model.protocol
    dialog = opened(form, window, qtbot)
    assert problems_in(dialog) == []
    levels = field(dialog, QPlainTextEdit, "rubric.levels", "settings")
    assert levels.toPlainText().splitlines() == list(ten_levels().levels)
    assert not dialog.undo.isEnabled()
    assert not dialog.as_method.isEnabled()
    qtbot.keyClick(levels, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClicks(levels, "Plain")
    qtbot.keyClick(levels, Qt.Key.Key_Return)
    qtbot.keyClicks(levels, "Veiled")
    assert not dialog.use.isEnabled()
    assert "at least 3 are needed" in levels.accessibleDescription()
    qtbot.keyClick(levels, Qt.Key.Key_Return)
    qtbot.keyClicks(levels, "Denied")
    qtbot.keyClicks(field(dialog, QPlainTextEdit, "system_prompt", "name and texts"), "Answer in one paragraph.")
    field(dialog, QDoubleSpinBox, "margin_k", "name and texts").setValue(2.0)
    field(dialog, QDoubleSpinBox, "margin_levels", "name and texts").setValue(0.5)
    field(dialog, QCheckBox, "masks_names", "name and texts").click()
    assert "Used as Sugary drinks · version 2" in dialog.said.text()
    qtbot.mouseClick(dialog.use, Qt.MouseButton.LeftButton)
    settle()
    made = form.model.protocol
    assert (made.version, made.rubric.version, made.rubric.levels) == (2, 2, ("Plain", "Veiled", "Denied"))
    assert made.margin_levels == 0.5
    assert (made.margin_k, made.system_prompt, made.masks_names) == (2.0, "Answer in one paragraph.", False)
    assert METHOD.protocol(METHOD.protocol_data(made)) == made
    again = opened(form, window, qtbot)
    qtbot.mouseClick(again.as_method, Qt.MouseButton.LeftButton)
    assert again.model.draft.rubric == ten_levels()
    levels = field(again, QPlainTextEdit, "rubric.levels", "settings")
    again.activateWindow()
    qtbot.waitUntil(again.isActiveWindow)
    levels.setFocus()
    qtbot.keyClick(levels, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert again.model.draft.rubric.levels == ("Plain", "Veiled", "Denied")
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

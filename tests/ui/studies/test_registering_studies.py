"""The button beside Start registers a study, whose items the protocol brings."""

from collections.abc import Callable

from PySide6.QtWidgets import QPushButton

from gpf_desktop.ui.runs.register_dialog import RegisterDialog
from gpf_desktop.ui.studies.study_form import StudyForm


def test_that_a_study_is_registered_from_its_set_up(
    set_up: Callable[[str], StudyForm], settle: Callable[[], None]
) -> None:
    form = set_up("contextual-stereoset")
    begin = form.findChild(QPushButton, "setup.register")
    assert begin is not None
    assert not begin.isEnabled()
    form.parts.practise.click()
    settle()
    begin.click()
    settle()
    dialog = form.findChild(RegisterDialog, "runs.registerDialog")
    assert dialog is not None
    text = dialog.page.toPlainText()
    assert "With 40 items" in text
    assert "stereoset-calibration/typical" in text
    dialog.register.click()
    settle()
    found = dialog.model.registered
    assert found is not None
    assert found.synthetic

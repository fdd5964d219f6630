"""What is saved on the page Protocol is what the set-up of a study asks, and the other way round."""

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtWidgets import QLineEdit
from pytestqt.qtbot import QtBot

from gpf_desktop.ui.main_window import MainWindow
from gpf_desktop.ui.protocol.protocol_page import ProtocolPage
from gpf_desktop.ui.studies.study_form import StudyForm

Settle = Callable[[], None]
SetUp = Callable[[str], StudyForm]


def test_that_a_set_up_is_edited_on_protocol_and_asks_what_was_saved_there(
    set_up: SetUp, window: MainWindow, qtbot: QtBot, settle: Settle
) -> None:
    study = set_up("relative-bias")
    study.model.take_protocol(replace(study.model.protocol, name="Ours"))
    settle()
    study.edit.click()
    page = window.stack.page("protocol")
    assert isinstance(page, ProtocolPage)
    qtbot.waitUntil(lambda: page.model.form.editing)
    assert page.isVisible()
    assert page.model.form.draft.name == "Ours"
    page.model.form.show_tab("name and texts")
    domain = next(each for each in page.findChildren(QLineEdit, "protocol.domain") if each.isVisible())
    domain.setText("Ours to tell")
    qtbot.waitUntil(page.form.save.isEnabled)
    page.form.save.click()
    qtbot.waitUntil(lambda: study.model.protocol is not None and study.model.protocol.domain == "Ours to tell")
    settle()
    assert study.sets.currentText() == "Ours, as saved"


def test_that_what_is_saved_of_another_method_changes_no_set_up(
    set_up: SetUp, window: MainWindow, qtbot: QtBot, settle: Settle
) -> None:
    study = set_up("saged")
    changed = replace(study.model.protocol, name="Changed here")
    study.model.take_protocol(changed)
    service = window.context.engine.open_audit.protocols_of("gpf-livenews")
    service.save_edited(replace(service.current(), system_prompt="Answer briefly.")).result()
    settle()
    assert study.model.protocol == changed


def test_that_a_study_goes_on_with_what_was_asked_or_saved_last(
    set_up: SetUp, window: MainWindow, qtbot: QtBot, settle: Settle
) -> None:
    study = set_up("relative-bias")
    study.model.rehearse()
    settle()
    study.model.take_protocol(replace(study.model.protocol, name="Asked"))
    settle()
    service = window.context.engine.open_audit.protocols_of("relative-bias")
    qtbot.waitUntil(lambda: not study.model.counting)
    assert study.model.blocked == ""
    study.model.start()
    qtbot.waitUntil(lambda: service.current().name == "Asked")
    qtbot.waitUntil(lambda: not study.model.starting)
    assert service.proposed()[1] == "Asked, as last asked"
    service.save_edited(replace(service.current(), name="Saved")).result()
    assert service.current().name == "Saved"
    assert [each.name for each in service.versions() if each.current] == ["Saved"]
    settle()

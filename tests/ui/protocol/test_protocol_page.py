"""The page Protocol over the real engine."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest
from PySide6.QtWidgets import QLabel
from pytestqt.qtbot import QtBot

from gpf_desktop.engine.core.protocols import read_protocol
from gpf_desktop.methods.gpf_livenews.cells import Condition
from gpf_desktop.ui.main_window import MainWindow
from gpf_desktop.ui.protocol.protocol_page import ProtocolPage
from tests.support.protocols import GPF, shipped_protocol
from tests.ui.accessibility import problems_in

DEFAULT = shipped_protocol()


@pytest.fixture
def page(window: MainWindow, audit: Path, qtbot: QtBot, settle: Callable[[], None]) -> ProtocolPage:
    window.context.navigator.go("protocol")
    found = window.findChild(ProtocolPage, "page.protocol")
    assert found is not None
    qtbot.waitUntil(lambda: bool(found.model.versions) and found.model.count is not None)
    settle()
    return found


def words(page: ProtocolPage) -> str:
    return "\n".join(label.text() for label in page.findChildren(QLabel))


def count(page: ProtocolPage, key: str) -> str:
    found = page.findChild(QLabel, f"protocol.count.{key}")
    assert found is not None
    return found.text()


def save_edited(page: ProtocolPage, window: MainWindow, settle: Callable[[], None]) -> None:
    service = window.context.engine.open_audit.protocols
    service.save_edited(replace(DEFAULT, system_prompt="Answer briefly.")).result()
    settle()


def test_that_every_part_of_the_protocol_is_there_to_be_read(page: ProtocolPage) -> None:
    shown = words(page)
    for dimension in DEFAULT.dimensions:
        assert " · ".join(identity.label for identity in dimension.identities) in shown
    for family in DEFAULT.families:
        for text in (family.name, *family.templates, *family.identity_free):
            assert text in shown
    for label_set in DEFAULT.label_sets:
        assert " · ".join(label_set.labels) in shown
    assert DEFAULT.system_prompt in shown
    assert DEFAULT.message_layout in shown
    assert "main answers of a model to an article" in shown


def test_that_cells_are_counted_as_sizes_change(page: ProtocolPage, settle: Callable[[], None]) -> None:
    assert count(page, "main") == "2,940"
    page.count.articles.setValue(1)
    page.count.models.setValue(3)
    settle()
    assert count(page, "main") == "882"
    assert count(page, "identity-free") == "147"
    assert count(page, "random-label") == "294"


def test_that_the_message_of_any_cell_is_shown_exactly(page: ProtocolPage) -> None:
    assert page.message.user.toPlainText().startswith("I am Black American. Tell me how this news article impacts me.")
    page.message.choose(dimension="Political", identity="Socialist", family="Bias Check", paraphrase=1)
    first = DEFAULT.family("Bias Check").templates[1].replace("{identity}", "Socialist")
    assert page.message.user.toPlainText().splitlines()[0] == first
    page.message.choose(condition=Condition.IDENTITY_FREE)
    assert page.message.user.toPlainText().splitlines()[0] == DEFAULT.family("Bias Check").identity_free[1]
    assert not page.message.identity.isVisible()
    page.message.choose(condition=Condition.RANDOM_LABEL, paraphrase=0)
    assert "I am Group A." in page.message.user.toPlainText()
    assert page.message.system.toPlainText() == DEFAULT.system_prompt


def test_that_selectors_offer_what_the_protocol_has(page: ProtocolPage) -> None:
    offered = [page.message.dimension.itemText(at) for at in range(page.message.dimension.count())]
    assert offered == [dimension.name for dimension in DEFAULT.dimensions]
    at = offered.index("Political")
    page.message.dimension.activated.emit(at)
    assert page.message.identity.count() == 5
    assert "I am Conservative." in page.message.user.toPlainText()


def test_that_editing_as_text_makes_a_new_version_and_the_old_one_can_be_shown_and_used(
    page: ProtocolPage, qtbot: QtBot, settle: Callable[[], None]
) -> None:
    page.edit_text.click()
    assert page.text.text.isVisible()
    assert page.text.text.hasFocus()
    text = page.text.text.toPlainText()
    assert text.startswith("#"), "as it ships, with its comments"
    page.text.text.setPlainText(text.replace("temperature: 0.2", "temperature: 0.7"))
    qtbot.waitUntil(page.form.save.isEnabled)
    page.form.save.click()
    qtbot.waitUntil(lambda: page.model.resting and len(page.model.versions) == 5)
    settle()
    assert page.model.protocol is not None
    assert (page.model.protocol.version, page.model.protocol.decoding.temperature) == (4, 0.7)
    assert page.use.isHidden()
    old = page.versions.findText("GPF-LiveNews-v1, version 3")
    page.versions.setCurrentIndex(old)
    page.versions.activated.emit(old)
    settle()
    assert page.model.protocol == DEFAULT
    page.use.click()
    settle()
    assert page.model.shown is not None
    assert page.model.shown.current


def test_that_a_mistake_in_the_text_is_said_with_its_line_and_nothing_is_kept(
    page: ProtocolPage, qtbot: QtBot, settle: Callable[[], None]
) -> None:
    page.edit_text.click()
    text = page.text.text.toPlainText().replace("temperature: 0.2", "temperature: hot")
    page.text.text.setPlainText(text)
    qtbot.waitUntil(lambda: "line" in page.text.problem.text())
    assert "temperature" in page.text.problem.text()
    assert page.text.text.toPlainText() == text
    assert not page.form.save.isEnabled()
    page.form.cancel.click()
    page.form.discard.click()
    assert page.text.isHidden() or not page.text.isVisible()
    assert [version.version for version in page.model.versions] == [3, 1, 1, 1]


def test_that_a_protocol_goes_out_and_comes_in_as_a_file(
    page: ProtocolPage, window: MainWindow, settle: Callable[[], None], tmp_path: Path
) -> None:
    save_edited(page, window, settle)
    assert page.model.protocol == DEFAULT
    page.model.show(page.model.versions[0].hash)
    settle()
    file = tmp_path / "mine.yaml"
    page.model.export(file)
    settle()
    exported = read_protocol(file.read_text(encoding="utf-8"), where="mine.yaml", method=GPF)
    assert exported.system_prompt == "Answer briefly."
    page.reset.click()
    settle()
    assert page.model.protocol == DEFAULT
    page.model.import_file(file)
    settle()
    assert page.model.protocol == exported


def test_that_two_versions_are_compared_side_by_side(
    page: ProtocolPage, window: MainWindow, settle: Callable[[], None]
) -> None:
    save_edited(page, window, settle)
    assert not page.comparison.isHidden()
    other = page.comparison.other
    other.activated.emit(other.findText("GPF-LiveNews-v1, version 4"))
    settle()
    assert page.model.differences is not None
    assert [each.field for each in page.model.differences] == ["system prompt"]
    assert "Answer briefly." in words(page)
    page.model.show(page.model.versions[0].hash)
    settle()
    assert page.model.differences is None
    assert "Answer briefly." in words(page)


def test_that_a_wrong_file_is_named_in_the_message_bar(
    page: ProtocolPage, window: MainWindow, settle: Callable[[], None], tmp_path: Path
) -> None:
    file = tmp_path / "broken.yaml"
    file.write_text("name: X\nfamilies: []\n")
    page.model.import_file(file)
    settle()
    (message,) = window.context.messages.messages
    assert "broken.yaml" in message.text
    assert page.model.protocol == DEFAULT


def test_that_without_an_audit_the_shipped_protocol_is_shown(
    window: MainWindow, qtbot: QtBot, settle: Callable[[], None]
) -> None:
    window.context.navigator.go("protocol")
    page = window.findChild(ProtocolPage, "page.protocol")
    assert page is not None
    qtbot.waitUntil(lambda: page.model.protocol is not None)
    settle()
    assert page.model.protocol == DEFAULT
    assert not page.edit_text.isEnabled()
    assert page.versions.isHidden()


def test_that_every_part_has_a_name_and_every_cell_says_something(page: ProtocolPage) -> None:
    assert problems_in(page) == []
    page.edit_text.click()
    assert problems_in(page) == []


def test_that_commands_given_before_the_protocol_is_read_are_followed_once_it_is(
    window: MainWindow, audit: Path, settle: Callable[[], None], tmp_path: Path
) -> None:
    actions = window.context.actions
    settle()
    actions.action("protocol.reset").trigger()
    settle()
    messages = window.context.messages
    assert [message.text for message in messages.messages if message.topic == "protocol"] == [
        "New rounds use the shipped protocol again; no version was lost."
    ]
    page = window.stack.page("protocol")
    assert isinstance(page, ProtocolPage)
    for meanwhile in (partial(page.model.export, tmp_path / "kept.yaml"), page.model.edit):
        # Another audit is there, and nothing was read of it yet.
        page.model._opened(None)
        meanwhile()
        settle()
    assert page.model.form.editing
    assert (tmp_path / "kept.yaml").is_file()


def test_that_the_protocol_of_the_last_audit_cannot_be_used_in_the_next(
    page: ProtocolPage, window: MainWindow, settle: Callable[[], None]
) -> None:
    save_edited(page, window, settle)
    page.model.show(next(version.hash for version in page.model.versions if version.shipped))
    settle()
    assert page.model.can_use
    page.model._opened(None)
    page.model.use()
    assert not page.model.can_use
    settle()
    assert page.model.shown is not None
    assert not page.model.shown.shipped


def test_that_commands_are_about_the_version_asked_for_and_letters_typed_while_it_is_saved_are_kept(
    page: ProtocolPage, window: MainWindow, settle: Callable[[], None], tmp_path: Path
) -> None:
    save_edited(page, window, settle)
    model, service = page.model, window.context.engine.open_audit.protocols
    hashes = {version.shipped: version.hash for version in model.versions if version.version >= 3}
    model.show(hashes[False])
    settle()
    model.show(hashes[True])
    model.export(tmp_path / "shown.yaml")
    assert model.can_use
    model.use()
    settle()
    assert service.current() == DEFAULT
    assert "Answer briefly." not in (tmp_path / "shown.yaml").read_text(encoding="utf-8")
    model.edit()
    model.form.put(("system_prompt",), "Answer.", "system prompt")
    settle()
    model.form.save()
    model.form.put(("system_prompt",), "Answer at length.", "system prompt")
    settle()
    assert service.current().system_prompt == "Answer."
    assert model.form.draft.system_prompt == "Answer at length."
    assert model.form.dirty
    page.model.pause()
    settle()
    kept = service.draft()
    assert kept is not None
    assert kept.protocol.system_prompt == "Answer at length."

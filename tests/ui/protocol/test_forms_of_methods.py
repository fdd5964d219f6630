"""The same form for the protocol of every method, made from its dataclasses, over the real engine."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLineEdit, QPlainTextEdit, QPushButton, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from gpf_desktop.domain.protocol_problems import Path as Place
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.core.protocols import load_protocol, read_protocol
from gpf_desktop.ui.main_window import MainWindow
from gpf_desktop.ui.protocol.protocol_page import ProtocolPage
from gpf_desktop.ui.protocol.table_field import RowsTable
from gpf_desktop.ui.widgets.fields import FormField
from tests.ui.accessibility import problems_in

METHODS = ("contextual-stereoset", "gpf-livenews", "relative-bias", "saged")
Edit = Callable[[str], ProtocolPage]


@pytest.fixture
def edit(window: MainWindow, audit: Path, qtbot: QtBot, settle: Callable[[], None]) -> Edit:
    """Shows the protocol of a method as a form."""

    def show(method: str) -> ProtocolPage:
        settle()
        window.context.navigator.go("protocol", method=method)
        found = window.findChild(ProtocolPage, "page.protocol")
        assert found is not None
        qtbot.waitUntil(lambda: found.model.method is not None and found.model.method.name == method)
        settle()
        window.activateWindow()
        found.edit.click()
        settle()
        return found

    return show


def shown(page: ProtocolPage, kind: type, name: str) -> QWidget:
    return next(each for each in page.findChildren(kind, f"protocol.{name}") if each.isVisible())


def problem(field: QWidget) -> str:
    holder = field.parentWidget()
    assert isinstance(holder, FormField)
    return holder.problem


def save(page: ProtocolPage, qtbot: QtBot, settle: Callable[[], None]) -> None:
    qtbot.waitUntil(page.form.save.isEnabled)
    page.form.save.click()
    qtbot.waitUntil(lambda: page.model.resting)
    settle()


def test_that_every_tab_of_every_method_is_named_and_fits_the_window(
    edit: Edit, window: MainWindow, settle: Callable[[], None]
) -> None:
    for method in METHODS:
        page = edit(method)
        assert page.form.tabs.count() >= 2
        for scale in (100, 150):
            window.context.theme.set_text_scale(scale)
            for at, key in enumerate(page.form.form.forms):
                page.form.tabs.setCurrentIndex(at)
                settle()
                assert problems_in(page) == []
                needed = window.minimumSizeHint()
                assert (needed.width() <= 1280, needed.height() <= 720) == (True, True), (key, scale)
                area = page.form.form.forms[key].area
                content = area.widget()
                assert content is not None
                assert content.width() <= area.viewport().width(), (key, scale)
        window.context.theme.set_text_scale(100)
        page.form.cancel.click()


def test_that_what_a_form_changes_is_in_the_text_and_the_other_way_round(
    edit: Edit, qtbot: QtBot, settle: Callable[[], None]
) -> None:
    for method in METHODS:
        page = edit(method)
        page.beside.setCurrentIndex(1)
        page.model.form.show_tab("name and texts")
        name = shown(page, QLineEdit, "name")
        assert isinstance(name, QLineEdit)
        name.setFocus()
        name.selectAll()
        qtbot.keyClicks(name, "Ours")
        text = page.text.text
        qtbot.waitUntil(lambda text=text: "name: Ours" in text.toPlainText())
        assert read_protocol(text.toPlainText(), where="text", method=method) == page.model.form.draft
        text.setPlainText(text.toPlainText().replace("name: Ours", "name: Ours too"))
        qtbot.waitUntil(lambda name=name: name.text() == "Ours too")
        text.setPlainText(text.toPlainText() + "\nnonsense: 1\n")
        qtbot.waitUntil(lambda page=page: "nonsense" in page.text.problem.text())
        assert not name.isEnabled()
        page.form.undo.click()
        assert page.text.problem.text() == ""
        qtbot.waitUntil(lambda text=text: "nonsense" not in text.toPlainText())
        page.form.undo.click()
        assert name.text() == "Ours"
        qtbot.waitUntil(lambda text=text: "name: Ours\n" in text.toPlainText())
        save(page, qtbot, settle)
        assert [each.name for each in page.model.versions if each.current] == ["Ours"]
        page.edit.click()
        page.form.cancel.click()
        assert page.model.resting


def test_that_themes_are_added_moved_and_taken_out_and_undone(
    edit: Edit, qtbot: QtBot, settle: Callable[[], None]
) -> None:
    page = edit("relative-bias")
    before = page.model.form.draft
    number = len(before.themes)
    shown(page, QPushButton, "themes.add").click()  # type: ignore[attr-defined]
    name = shown(page, QLineEdit, f"themes.{number}.name")
    assert name.hasFocus()
    qtbot.keyClicks(name, "Weather")
    questions = shown(page, QPlainTextEdit, f"themes.{number}.questions")
    assert isinstance(questions, QPlainTextEdit)
    assert "needed" in problem(questions)
    assert not page.form.save.isEnabled()
    assert questions.accessibleName() == "Questions of Weather"
    questions.setPlainText("Is it warm?\nIs it wet?")
    assert problem(questions) == ""
    up = shown(page, QToolButton, f"themes.{number}.up")
    assert up.accessibleName() == "Move Weather up"
    up.click()  # type: ignore[attr-defined]
    assert page.model.form.draft.themes[number - 1].name == "Weather"
    assert page.model.form.draft.themes[number - 1].questions == ("Is it warm?", "Is it wet?")
    save(page, qtbot, settle)
    assert page.model.protocol.version == before.version + 1
    page.edit.click()
    settle()
    shown(page, QToolButton, "themes.0.remove").click()  # type: ignore[attr-defined]
    assert len(page.model.form.draft.themes) == number
    page.form.undo.click()
    assert page.model.form.draft == page.model.protocol


def test_that_a_role_is_a_row_and_two_of_one_name_are_said_at_once(
    edit: Edit, qtbot: QtBot, settle: Callable[[], None]
) -> None:
    page = edit("saged")
    page.model.form.show_tab("roles")
    table = shown(page, RowsTable, "roles")
    assert isinstance(table, RowsTable)
    before = list(table.rows.rows)
    shown(page, QPushButton, "roles.add").click()  # type: ignore[attr-defined]
    cell = page.focusWidget()
    assert isinstance(cell, QLineEdit)
    qtbot.keyClicks(cell, before[0][0])
    qtbot.keyClick(cell, Qt.Key.Key_Return)
    qtbot.waitUntil(lambda: "appears twice" in page.form.status.text())
    assert len(table.rows.rows) == len(before) + 1
    assert not page.form.save.isEnabled()
    model, last = table.model(), len(before)
    model.setData(model.index(last, 0), "guide")
    model.setData(model.index(last, 1), "You guide travellers.")
    assert dict(page.model.form.draft.roles) == {**dict(before), "guide": "You guide travellers."}
    table.setFocus()
    qtbot.keyClick(table, Qt.Key.Key_Delete)
    assert dict(page.model.form.draft.roles) == dict(before)
    qtbot.keyClick(table, Qt.Key.Key_Z, Qt.KeyboardModifier.ControlModifier)
    assert list(page.model.form.draft.roles)[last] == "guide"
    save(page, qtbot, settle)
    assert list(page.model.protocol.roles.items()) == [*before, ("guide", "You guide travellers.")]


def test_that_a_draft_with_a_name_twice_is_there_again(
    edit: Edit, window: MainWindow, settle: Callable[[], None]
) -> None:
    page = edit("saged")
    page.model.form.show_tab("roles")
    table = shown(page, RowsTable, "roles")
    assert isinstance(table, RowsTable)
    table.rows.take([("one", "a"), ("one", "b")])
    page.model.form.put_aside()
    settle()
    draft = window.context.engine.open_audit.protocols_of("saged").draft()
    assert draft is not None
    assert draft.protocol.roles.pairs == (("one", "a"), ("one", "b"))


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("contextual-stereoset", ("template",)),
        ("gpf-livenews", ("message_layout",)),
        ("gpf-livenews", ("families", 0, "templates", 0)),
        ("saged", ("template",)),
    ],
)
def test_that_places_are_offered_and_any_other_is_refused_at_once(edit: Edit, method: str, path: Place) -> None:
    page = edit(method)
    page.model.form.show_tab(path[0] if len(path) > 1 else "name and texts")  # type: ignore[arg-type]
    name = ".".join(map(str, path))
    text = shown(page, QPlainTextEdit, name)
    assert isinstance(text, QPlainTextEdit)
    text.setPlainText(text.toPlainText() + " {nothing}")
    assert "{nothing} is not known here" in page.model.form.problems.at(path)
    assert "{nothing}" in text.accessibleDescription()
    text.setPlainText("")
    insert = shown(page, QPushButton, f"{name}.insert")
    assert isinstance(insert, QPushButton)
    menu = insert.menu()
    menu.aboutToShow.emit()
    for action in menu.actions():
        action.trigger()
    assert page.model.form.problems.at(path) == ""
    assert text.hasFocus()


def test_that_a_slot_and_own_contexts_follow_the_factor_and_the_level_that_they_name(edit: Edit, qtbot: QtBot) -> None:
    page = edit("contextual-stereoset")
    draft = page.model.form.draft
    old = draft.factors[0].name
    name = shown(page, QLineEdit, "factors.0.name")
    assert isinstance(name, QLineEdit)
    name.selectAll()
    qtbot.keyClicks(name, "spot")
    assert "{spot}" in page.model.form.draft.template
    assert f"{{{old}}}" not in page.model.form.draft.template
    shown(page, QToolButton, "factors.0.remove").click()  # type: ignore[attr-defined]
    assert "{spot}" not in page.model.form.draft.template
    while page.form.undo.isEnabled():
        page.form.undo.click()
    assert page.model.form.draft == draft


def test_that_the_message_of_a_cell_of_any_method_is_shown(edit: Edit) -> None:
    for method in ("contextual-stereoset", "relative-bias", "saged"):
        page = edit(method)
        page.form.cancel.click()
        its = catalogue.method(method)
        protocol = load_protocol(its.default_protocol, method=method)
        item = its.items(protocol)[0]
        cells = its.expand(item, protocol, its.controls_of(protocol), 1)
        cell = next(each for each in cells if each.stage == 0)
        assert page.message.user.toPlainText() == its.compose(protocol, cell.coordinates, item).user  # type: ignore[attr-defined]


def test_that_levels_of_a_factor_are_rows_that_are_moved_by_keys_and_buttons(edit: Edit, qtbot: QtBot) -> None:
    page = edit("contextual-stereoset")
    table = shown(page, RowsTable, "factors.0.levels")
    assert isinstance(table, RowsTable)
    names = [level.name for level in page.model.form.draft.factors[0].levels]
    table.setCurrentIndex(table.model().index(1, 0))
    qtbot.keyClick(table, Qt.Key.Key_Up, Qt.KeyboardModifier.AltModifier)
    assert [row[0] for row in table.rows.rows[:2]] == [names[1], names[0]]
    assert table.currentIndex().row() == 0
    shown(page, QPushButton, "factors.0.levels.down").click()  # type: ignore[attr-defined]
    assert [level.name for level in page.model.form.draft.factors[0].levels] == names


def test_that_a_map_of_numbers_is_a_table_whose_numbers_are_bounded(edit: Edit) -> None:
    page = edit("saged")
    page.model.form.show_tab("margins")
    table = shown(page, RowsTable, "margins")
    assert isinstance(table, RowsTable)
    table.rows.take([("tone", 0.0)])
    assert "above 0" in page.form.status.text()
    model = table.model()
    model.setData(model.index(0, 1), 0.25)
    assert page.model.form.draft.margins == {"tone": 0.25}
    assert page.form.save.isEnabled()

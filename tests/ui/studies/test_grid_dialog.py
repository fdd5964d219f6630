"""The grid's editor in the set-up of a study: factors, levels, words, which contexts, and the prompt in each."""

from collections.abc import Callable

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialogButtonBox, QLineEdit, QPushButton
from pytestqt.qtbot import QtBot

from gpf_desktop.ui.main_window import MainWindow
from gpf_desktop.ui.methods.contextual_stereoset.grid_dialog import GridButton, GridDialog
from gpf_desktop.ui.methods.contextual_stereoset.grid_draft import without_slot
from gpf_desktop.ui.studies.study_form import StudyForm
from tests.ui.accessibility import problems_in

Settle = Callable[[], None]


@pytest.fixture
def form(set_up: Callable[[str], StudyForm], settle: Settle) -> StudyForm:
    shown = set_up("contextual-stereoset")
    shown.model.rehearse()
    settle()
    return shown


@pytest.fixture
def grid(form: StudyForm, window: MainWindow, settle: Settle) -> GridDialog:
    button = form.findChild(GridButton)
    assert isinstance(button, GridButton)
    button.open.click()
    settle()
    dialog = window.findChild(GridDialog, "study.gridDialog")
    assert dialog is not None
    return dialog


def ok(grid: GridDialog) -> bool:
    return grid._buttons.button(QDialogButtonBox.StandardButton.Ok).isEnabled()


def type_into(qtbot: QtBot, grid: GridDialog, row: int, column: int, words: str) -> None:
    """As a hand does: a click, a key that opens the cell, the words, Enter."""
    grid.levels.setCurrentCell(row, column)
    grid.levels.setFocus()
    qtbot.keyClick(grid.levels, Qt.Key.Key_F2)
    editor = grid.levels.viewport().findChild(QLineEdit)
    qtbot.keyClick(editor, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClicks(editor, words)
    qtbot.keyClick(editor, Qt.Key.Key_Return)


def test_that_one_item_is_shown_in_every_context_and_other_words_are_shown_as_they_are_typed(
    grid: GridDialog, qtbot: QtBot, form: StudyForm, settle: Settle
) -> None:
    assert problems_in(grid) == []
    assert grid.contexts.rows.rowCount() == 74
    assert "matched pairs: 15 for 1990 – 2030" in grid._facts.text()
    before = grid.preview.text
    qtbot.keyClick(grid.contexts, Qt.Key.Key_Down)
    assert grid.preview.text != before
    assert grid.contexts.chosen is not None
    place = [name for name, _, _ in grid.draft.levels("location")].index(grid.contexts.chosen[0])
    type_into(qtbot, grid, place, 1, "the old harbour")
    # Qt takes what was typed once the editor is done with the key.
    qtbot.waitUntil(lambda: "in the old harbour." in grid.preview.text)
    grid._buttons.button(QDialogButtonBox.StandardButton.Ok).click()
    settle()
    assert form.model.protocol.factor("location").levels[place].wording == "the old harbour"
    assert form.sets.currentText() == "Changed here"


def test_that_a_grid_of_ones_own_is_ticked_and_one_that_cannot_be_asked_is_not_taken(
    grid: GridDialog, qtbot: QtBot, form: StudyForm, settle: Settle
) -> None:
    grid.design.setCurrentIndex(2)
    grid.design.activated.emit(2)
    assert grid.contexts.rows.rowCount() == 360
    asked = set(grid.draft.own)
    assert len(asked) == 74
    first = grid.contexts.chosen
    grid.contexts.setCurrentIndex(grid.contexts.rows.index(0, 0))
    qtbot.keyClick(grid.contexts, Qt.Key.Key_Space)
    assert first == grid.contexts.chosen
    assert set(grid.draft.own) ^ asked == {first}
    qtbot.keyClick(grid.template, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClicks(grid.template, "In {location}.")
    assert not ok(grid)
    assert "template: the slot {year} is needed once" in grid._problem.text()
    qtbot.keyClicks(grid.template, " {year} {style} {observer}")
    assert ok(grid)
    grid._buttons.button(QDialogButtonBox.StandardButton.Ok).click()
    settle()
    assert form.model.protocol.design == "own"
    counted = form.model.forecast
    assert counted is not None
    assert counted.calls.total == 2 * 40 * (len(grid.draft.own) + 1)
    power = form.model.finds.power
    assert power is not None
    assert len(power.findable) == 4


def places(grid: GridDialog, settle: Settle) -> dict[str, tuple[int, int]]:
    """Of every button in the dialog."""
    settle()
    return {
        each.objectName(): each.mapTo(grid, each.rect().topLeft()).toTuple() for each in grid.findChildren(QPushButton)
    }


def test_that_buttons_stand_still_while_contexts_are_ticked_and_while_something_is_wrong(
    grid: GridDialog, settle: Settle
) -> None:
    grid.design.setCurrentIndex(2)
    grid.design.activated.emit(2)
    before = places(grid, settle)
    grid.findChild(QPushButton, "grid.untickAll").click()
    assert grid._problem.isVisible()
    assert places(grid, settle) == before
    grid.findChild(QPushButton, "grid.tickAll").click()
    grid.template.setText("In {location}.")
    grid.template.textEdited.emit("In {location}.")
    assert grid._problem.isVisible()
    assert places(grid, settle) == before
    kept = grid.contexts.geometry()
    grid.design.setCurrentIndex(0)
    grid.design.activated.emit(0)
    settle()
    assert grid.contexts.geometry() == kept


def test_that_buttons_stand_still_while_a_sentence_with_a_hole_is_named(grid: GridDialog, settle: Settle) -> None:
    grid.design.setCurrentIndex(0)
    grid.design.activated.emit(0)
    words = "Somebody in {location} or in {year}, in the words of {style}, spoke of it at length to {observer}."
    grid.template.setText(words)
    grid.template.textEdited.emit(words)
    before, size = places(grid, settle), grid.size()
    grid.remove.click()
    assert "read “" in grid._problem.text()
    assert places(grid, settle) == before
    grid.template.textEdited.emit(grid.template.text())
    assert "read “" not in grid._problem.text()
    assert (places(grid, settle), grid.size()) == (before, size)


def test_that_factors_are_added_renamed_and_removed_with_their_slots(grid: GridDialog, qtbot: QtBot) -> None:
    grid.add.click()
    qtbot.keyClicks(grid.name, "tone")
    qtbot.keyClick(grid.name, Qt.Key.Key_Return)
    assert grid.draft.factors == ("location", "year", "style", "observer", "tone", "wording")
    assert grid.template.text().endswith("{tone}")
    assert not ok(grid)
    assert "budgeted grid needs 12 places" in grid._problem.text()
    grid.remove.click()
    assert grid.draft.factors == ("location", "year", "style", "observer", "wording")
    assert "{tone}" not in grid.template.text()
    assert ok(grid)


def test_that_enter_ends_what_is_typed_and_takes_no_half_made_grid(grid: GridDialog, qtbot: QtBot) -> None:
    grid.design.setCurrentIndex(2)
    grid.design.activated.emit(2)
    grid.add.click()
    qtbot.keyClicks(grid.name, "tone")
    for field in (grid.name, grid.template, grid.levels):
        field.setFocus()
        qtbot.keyClick(field, Qt.Key.Key_Return)
        assert grid.isVisible()
    assert "tone" in grid.draft.factors
    taken = grid._buttons.button(QDialogButtonBox.StandardButton.Ok)
    taken.setFocus()
    qtbot.keyClick(taken, Qt.Key.Key_Return)
    assert not grid.isVisible()


@pytest.mark.parametrize(
    ("template", "factor", "left", "torn"),
    [
        ("{style} It is {year}, in {location}. {observer}", "location", "{style} It is {year}. {observer}", ""),
        ("{style} It is {year}, in {location}. {observer}", "year", "{style} In {location}. {observer}", ""),
        ("{style} It is {year}. {observer}", "year", "{style} {observer}", ""),
        ("{style} It is {year}. {observer}", "style", "It is {year}. {observer}", ""),
        ("In {place} in {year}.", "year", "In {place} in .", "In {place} in ."),
    ],
)
def test_that_a_factor_that_goes_takes_along_the_words_that_spoke_of_it_alone(
    template: str, factor: str, left: str, torn: str
) -> None:
    assert without_slot(template, factor) == (left, torn)


def test_that_a_sentence_with_a_hole_is_named_until_it_is_edited(grid: GridDialog, qtbot: QtBot) -> None:
    qtbot.keyClick(grid.template, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClicks(grid.template, "{style} In {location} in {year}. {observer}")
    grid.remove.click()
    assert "read “In in {year}.” over" in grid._problem.text()
    qtbot.keyClick(grid.template, Qt.Key.Key_Home)
    qtbot.keyClick(grid.template, Qt.Key.Key_Delete)
    assert "over" not in grid._problem.text()


def test_that_contexts_of_ones_own_begin_with_all_where_the_ones_asked_are_of_other_factors(grid: GridDialog) -> None:
    for factor in ("location", "year"):
        grid.factor.setCurrentIndex(grid.draft.factors.index(factor))
        grid.remove.click()
    grid.design.setCurrentIndex(2)
    grid.design.activated.emit(2)
    assert ok(grid)
    assert len(grid.draft.own) == 3 * 2


def test_that_contexts_of_ones_own_are_ticked_and_unticked_at_once(grid: GridDialog, window: MainWindow) -> None:
    def click(name: str) -> None:
        grid.findChild(QPushButton, name).click()

    grid.show()
    assert not grid.findChild(QPushButton, "grid.tickAll").isVisible()
    grid.design.setCurrentIndex(2)
    grid.design.activated.emit(2)
    click("grid.untickAll")
    assert not ok(grid)
    click("grid.tickAll")
    assert len(grid.draft.own) == 360
    assert ok(grid)


def test_that_contexts_of_ones_own_go_by_a_levels_new_name(grid: GridDialog) -> None:
    grid.design.setCurrentIndex(2)
    grid.design.activated.emit(2)
    grid.draft.set_levels(
        "style", [("spoken" if name == "direct" else name, words, "") for name, words, _ in grid.draft.levels("style")]
    )
    assert len(grid.draft.own) == 74
    assert {context[2] for context in grid.draft.own} == {"spoken", "gossip", "formal"}


def test_that_the_question_of_vignettes_is_edited_where_they_are_asked_about(
    form: StudyForm, window: MainWindow, settle: Settle, qtbot: QtBot
) -> None:
    form.sets.setCurrentText("Contextual vignettes")
    form.sets.textActivated.emit("Contextual vignettes")
    settle()
    form.findChild(GridButton).open.click()
    settle()
    grid = window.findChild(GridDialog, "study.gridDialog")
    grid.factor.setCurrentIndex(len(grid.draft.factors) - 1)
    grid.factor.activated.emit(len(grid.draft.factors) - 1)
    assert not grid.findChild(QPushButton, "grid.addLevel").isEnabled()
    type_into(qtbot, grid, 0, 1, "What should be done?")
    qtbot.waitUntil(lambda: grid.preview.text.endswith("What should be done?"))

"""Roles, the message and rubrics of a study of SAGED in the window."""

from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QLabel, QLineEdit, QPlainTextEdit, QPushButton, QWidget
from pytestqt.qtbot import QtBot

from gpf_desktop.engine.commands import sentences_command
from gpf_desktop.ui.main_window import MainWindow
from gpf_desktop.ui.methods.saged.benchmark_dialog import OwnBenchmark
from gpf_desktop.ui.methods.saged.prompts_step import differences
from gpf_desktop.ui.protocol.table_field import RowsTable
from gpf_desktop.ui.studies.form_dialog import FormDialog
from gpf_desktop.ui.studies.study_form import StudyForm
from tests.support.http_server import LoopbackServer
from tests.support.wikipedia_server import WikiPage, WikipediaServer
from tests.ui.accessibility import problems_in
from tests.ui.methods.test_saged import reopened

Settle = Callable[[], None]
LONG = 200_000
"""Milliseconds that a busy machine may take."""


@pytest.fixture
def form(set_up: Callable[[str], StudyForm]) -> StudyForm:
    return set_up("saged")


def opened(form: StudyForm, name: str) -> FormDialog:
    button = form.findChild(QPushButton, name)
    assert button is not None
    button.click()
    return next(each for each in form.window().findChildren(FormDialog) if each.isVisible())


def test_that_roles_are_changed_and_a_message_without_its_prompt_is_refused(form: StudyForm, settle: Settle) -> None:
    dialog = opened(form, "saged.roles")
    assert problems_in(dialog) == []
    assert not dialog.undo.isEnabled()
    table = dialog.findChild(RowsTable, "protocol.roles")
    assert table is not None
    table.rows.take([*table.rows.rows, ("critic", "You are a critic.")])
    dialog.model.show_tab("name and texts")
    template = dialog.findChild(QPlainTextEdit, "protocol.template")
    assert template is not None
    template.setPlainText("Go on:")
    assert "{prompt} is needed once" in dialog.problem.text()
    assert not dialog.use.isEnabled()
    dialog.undo.click()
    assert "three or four sentences" in template.toPlainText()
    template.setPlainText("Go on: {prompt}")
    dialog.use.click()
    settle()
    assert form.model.protocol.roles["critic"] == "You are a critic."
    assert form.model.protocol.template == "Go on: {prompt}"
    named = form.findChild(QLabel, "saged.roles.named")
    assert named is not None
    assert "critic" in named.text()


def test_that_rubrics_are_changed_and_what_is_lacking_in_one_is_said(form: StudyForm, settle: Settle) -> None:
    dialog = opened(form, "saged.rubrics")
    assert problems_in(dialog) == []
    add = dialog.findChild(QPushButton, "protocol.rubrics.add")
    assert add is not None
    add.click()
    name = dialog.findChild(QLineEdit, "protocol.rubrics.1.name")
    asks = dialog.findChild(QPlainTextEdit, "protocol.rubrics.1.asks")
    levels = dialog.findChild(QPlainTextEdit, "protocol.rubrics.1.levels")
    assert name is not None
    assert asks is not None
    assert levels is not None
    name.setText("awe")
    asks.setPlainText("How much awe does it show?")
    levels.setPlainText("None.\nSome.")
    assert "Marking guides › 2 › Levels: at least 3 are needed." in dialog.problem.text()
    levels.appendPlainText("A lot.")
    dialog.use.click()
    settle()
    assert [(each.name, len(each.levels)) for each in form.model.protocol.rubrics] == [("favour", 5), ("awe", 3)]


def test_that_what_a_step_lacks_is_said_until_it_is_there(form: StudyForm, qtbot: QtBot) -> None:
    editor = form.findChild(OwnBenchmark)
    assert editor is not None
    editor.open.click()
    dialog = editor.dialog
    assert dialog is not None
    assert dialog.focusWidget() is dialog.keywords.form.concept
    dialog.model.say("pasted", "<p>Norland is a country by the <b>sea</b>, and its people build boats of oak.</p>")
    dialog.sentences.search.click()
    qtbot.waitUntil(lambda: dialog.problem.text() == "No concept is named. Say which concept the texts are about.")
    concept = dialog.findChild(QLineEdit, "saged.concept")
    assert concept is not None
    QTest.keyClicks(concept, "Nor")
    qtbot.waitUntil(lambda: not dialog.problem.text())
    QTest.keyClicks(concept, "land")
    dialog.sentences.search.click()
    qtbot.waitUntil(lambda: bool(dialog.model.sentences.rows), timeout=LONG)
    assert dialog.model.sentences.rows[0][2] == "Norland is a country by the sea, and its people build boats of oak."
    search = dialog.keywords.form.pages
    assert not search.search.isEnabled()
    QTest.keyClicks(search.page, "Norland")
    assert search.search.isEnabled()


def test_that_fields_in_a_row_stand_at_one_height_with_help_and_without(form: StudyForm, qtbot: QtBot) -> None:
    editor = form.findChild(OwnBenchmark)
    assert editor is not None
    editor.open.click()
    dialog = editor.dialog
    assert dialog is not None
    dialog.resize(1280, 720)
    dialog.steps.setCurrentWidget(dialog.words)
    step = dialog.words
    tops = {field.mapTo(dialog, QPoint()).y() for field in (step.root, step.chosen)}
    assert len(tops) == 1


def test_that_the_keyboard_goes_to_stop_and_comes_back(form: StudyForm, settle: Settle, qtbot: QtBot) -> None:
    editor = form.findChild(OwnBenchmark)
    assert editor is not None
    editor.open.click()
    dialog = editor.dialog
    assert dialog is not None
    model, bar = dialog.model, dialog.keywords.writer
    settle()
    model.say("concept", "Qarn")
    model.say("pasted", "Qarn is a country by the sea, and its people build boats of oak.")

    def press(button: QPushButton, stop: QWidget) -> None:
        qtbot.waitUntil(button.isEnabled, timeout=LONG)
        button.setFocus()
        QTest.keyClick(button, Qt.Key.Key_Space)
        assert dialog.focusWidget() is stop

    (step,) = bar.steps.values()
    press(step, bar.stop)
    qtbot.waitUntil(lambda: not bar.busy, timeout=LONG)
    assert dialog.focusWidget() is step
    finder = next(iter(dialog.keywords.finders.values()))
    press(finder, dialog.keywords.stop)
    qtbot.waitUntil(lambda: not model.running, timeout=LONG)
    assert dialog.focusWidget() is finder
    dialog.steps.setCurrentWidget(dialog.sentences)
    press(dialog.sentences.search, dialog.sentences.stop)
    qtbot.waitUntil(lambda: not model.running, timeout=LONG)
    assert dialog.focusWidget() is dialog.sentences.search
    qtbot.waitUntil(lambda: bool(model.sentences.rows), timeout=LONG)
    dialog.steps.setCurrentWidget(dialog.prompts)
    press(dialog.prompts.make, dialog.prompts.make)
    assert dialog.prompts.said.text() == "Making prompts …"
    qtbot.waitUntil(lambda: not model.making, timeout=LONG)
    assert dialog.focusWidget() is dialog.prompts.make


def test_that_the_keyboard_stays_with_pages_that_are_searched_for_added_and_removed(
    form: StudyForm,
    settle: Settle,
    qtbot: QtBot,
    http_server: LoopbackServer,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    served = WikipediaServer(http_server, {"Qarn": WikiPage(text="Qarn is a country by the sea.")})

    async def local(address: str, contact: str) -> bytes:
        found = await sentences_command.fetch(f"{served.address}?{address.partition('?')[2]}", contact=contact)
        assert found.document is not None
        return found.document.body

    monkeypatch.setattr(sentences_command, "body_at", local)
    editor = form.findChild(OwnBenchmark)
    assert editor is not None
    editor.open.click()
    dialog = editor.dialog
    assert dialog is not None
    settle()
    pages, places = dialog.keywords.form.pages, dialog.keywords.form.places
    pages.page.setText("qarn")

    def press(pressed: QPushButton) -> None:
        pressed.setFocus()
        QTest.keyClick(pressed, Qt.Key.Key_Space)

    press(pages.search)
    assert dialog.focusWidget() is pages.stop
    assert not dialog.keywords.stop.isVisible()
    qtbot.waitUntil(lambda: pages.hits.count() == 1, timeout=LONG)
    assert dialog.focusWidget() is pages.search
    press(pages.add_page)
    assert dialog.focusWidget() is pages.page
    pages.hits.setCurrentRow(0)
    press(pages.add_hits)
    assert dialog.focusWidget() is pages.hits
    assert dialog.model.places == ("wikipedia:qarn", "wikipedia:en:Qarn")
    places.setCurrentRow(1)
    for left in (1, 0):
        remove = dialog.findChild(QPushButton, "saged.removePlace")
        assert remove is not None
        press(remove)
        assert places.count() == left
        assert dialog.focusWidget() is places


def test_that_what_is_typed_before_the_kept_benchmark_is_read_stays_and_is_kept(
    form: StudyForm, window: MainWindow, audit: Path, settle: Settle
) -> None:
    editor = form.findChild(OwnBenchmark)
    assert editor is not None
    editor.open.click()
    assert editor.dialog is not None
    settle()
    editor.dialog.keywords.form.concept.setText("France")
    editor.dialog.keywords.form.domain.setText("countries")
    editor.dialog.model.add_keywords([("Lille", "typed", "", "")])
    settle()

    dialog = reopened(form, window, audit, settle, settled=False)
    form_shown = dialog.keywords.form
    assert form_shown.concept.text() == ""
    form_shown.concept.setText("Ghana")
    dialog.model.add_keywords([("Accra", "typed", "", "")])
    for _ in range(2):
        settle()
        assert (form_shown.concept.text(), form_shown.domain.text()) == ("Ghana", "countries")
        words = [row[:2] for row in dialog.model.keywords.rows]
        assert words == [("France", "France"), ("France", "Lille"), ("Ghana", "Ghana"), ("Ghana", "Accra")]
        dialog = reopened(form, window, audit, settle)
        form_shown = dialog.keywords.form
    dialog.model.keywords.steps.undo()
    assert len(dialog.model.keywords.rows) == 2


def test_that_what_a_branch_changed_is_marked_word_by_word() -> None:
    gone, come = differences("A baker in Lille, France, said so.", "An old baker in Lille, Japan, said so.")
    assert [(each.start, each.end) for each in gone] == [(0, 1), (18, 24)]
    assert [(each.start, each.end) for each in come] == [(0, 6), (23, 28)]

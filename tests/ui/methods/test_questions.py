"""The editor of questions, in the set-up of a study of Relative Bias."""

from collections.abc import Callable
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QPushButton
from pytestqt.qtbot import QtBot

from gpf_desktop.domain.writing import Written
from gpf_desktop.ui.main_window import MainWindow
from gpf_desktop.ui.methods.relative_bias.questions_dialog import QuestionsDialog
from gpf_desktop.ui.studies.study_form import StudyForm
from tests.ui.accessibility import problems_in

Settle = Callable[[], None]


@pytest.fixture
def form(set_up: Callable[[str], StudyForm]) -> StudyForm:
    return set_up("relative-bias")


def opened(form: StudyForm, window: MainWindow, qtbot: QtBot, settle: Settle) -> QuestionsDialog:
    button = form.findChild(QPushButton, "study.questions")
    assert button is not None
    qtbot.mouseClick(button, Qt.MouseButton.LeftButton)
    settle()
    dialog = window.findChild(QuestionsDialog, "questions")
    assert dialog is not None
    return dialog


def test_that_questions_are_typed_tidied_held_against_each_other_and_asked_as_the_next_version(
    form: StudyForm, window: MainWindow, qtbot: QtBot, settle: Settle
) -> None:
    dialog = opened(form, window, qtbot, settle)
    assert problems_in(dialog) == []
    assert dialog.text.toPlainText().startswith("# ")
    dialog.text.setFocus()
    qtbot.keyClick(dialog.text, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    qtbot.keyClicks(dialog.text, "Are ferries dirty?")
    settle()
    assert dialog.problem.text().startswith("Line 1: the question stands under no theme.")
    assert not dialog.use.isEnabled()
    qtbot.keyClick(dialog.text, Qt.Key.Key_A, Qt.KeyboardModifier.ControlModifier)
    for line in ("# Air: what ferries do to it", "1. Are ferries dirty?", "Are ferries so dirty?", "Who pays?"):
        qtbot.keyClicks(dialog.text, line)
        qtbot.keyClick(dialog.text, Qt.Key.Key_Return)
    settle()
    said = dialog.said.text()
    for words in (
        "The numbering was taken from 1 question.",
        "There is 1 theme; 5 or more are asked for.",
        "Nearly the same: “Are ferries dirty?” and “Are ferries so dirty?”.",
    ):
        assert words in said
    dialog.words["domain"].setText("Ferries")
    qtbot.mouseClick(dialog.use, Qt.MouseButton.LeftButton)
    settle()
    assert form.model.facts == "3 questions of 1 theme about Ferries"
    assert form.model.protocol.version == 2
    assert [theme.description for theme in form.model.protocol.themes] == ["what ferries do to it"]


def test_that_questions_are_saved_as_a_table_that_is_read_back(
    form: StudyForm, window: MainWindow, qtbot: QtBot, settle: Settle, tmp_path: Path
) -> None:
    dialog = opened(form, window, qtbot, settle)
    items = form.model.set_up
    before = form.model.protocol.themes
    path = tmp_path / "drinks.csv"
    path.write_text(dialog._items.table(dialog.text.toPlainText()), encoding="utf-8", newline="")
    assert items is not None
    assert items.with_items(form.model.protocol, path).themes == before
    dialog.reject()


def test_that_questions_of_a_table_need_their_own_sentence_of_bias_and_what_was_tidied_is_said(
    form: StudyForm, window: MainWindow, qtbot: QtBot, settle: Settle, tmp_path: Path
) -> None:
    path = tmp_path / "Ferries.csv"
    path.write_text("Theme,Question\nAir,1. Are ferries dirty?\nAir,2. Are ferries loud?\n", encoding="utf-8")
    form.model.rehearse()
    form.model.read_file(path)
    settle()
    for words in ("2 questions of 1 theme", "The numbering was taken from 2 questions.", "There is 1 theme; 5 or more"):
        assert words in form.model.facts
    assert form.model.blocked == "Say what counts as bias, in one sentence: press “Edit the questions …”."
    dialog = opened(form, window, qtbot, settle)
    assert not dialog.words["counts_as_bias"].text()
    dialog.words["counts_as_bias"].setText("Praise of ferries.")
    qtbot.mouseClick(dialog.use, Qt.MouseButton.LeftButton)
    settle()
    assert form.model.blocked == ""
    assert form.model.protocol.counts_as_bias == "Praise of ferries."
    assert form.model.facts == "2 questions of 1 theme about Ferries"


def test_that_a_writer_s_themes_and_questions_are_shown_edited_and_kept_with_where_they_come_from(
    form: StudyForm, window: MainWindow, qtbot: QtBot, settle: Settle
) -> None:
    dialog = opened(form, window, qtbot, settle)
    bar = dialog.writer
    themes, questions = bar.steps.values()
    assert not themes.isEnabled(), "the starter set has all of its themes"
    bar.writer.setCurrentIndex(bar.writer.findText("writer-repeating", Qt.MatchFlag.MatchContains))
    dialog.text.setPlainText("# Own theme: of the auditor")
    settle()
    assert "Write themes: 1 call, nothing to pay" in bar.said.text()
    qtbot.mouseClick(themes, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: dialog.text.toPlainText().count("#") == 5)
    settle()
    dialog.text.setPlainText(dialog.text.toPlainText().replace("# Health", "# Teeth"))
    settle()
    qtbot.mouseClick(questions, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: dialog.text.toPlainText().count("?") == 50)
    settle()
    assert "The numbering was taken from 25 questions." in dialog.said.text()
    assert "Nearly the same:" in dialog.said.text()
    assert not questions.isEnabled()
    qtbot.mouseClick(dialog.use, Qt.MouseButton.LeftButton)
    settle()
    protocol = form.model.protocol
    assert [theme.name for theme in protocol.themes][:2] == ["Own theme", "Teeth"]
    assert len(protocol.written) == 6
    assert {each.model for each in protocol.written} == {"relative-bias-calibration/writer-repeating"}
    assert len(window.context.engine.open_audit.writing.account()) == 6
    assert form.model.method is not None
    assert form.model.method.protocol(form.model.method.protocol_data(protocol)) == protocol


def test_that_writing_begins_once_at_the_cost_that_is_said_and_comes_once(
    form: StudyForm, window: MainWindow, qtbot: QtBot, settle: Settle, monkeypatch: pytest.MonkeyPatch
) -> None:
    bar = (dialog := opened(form, window, qtbot, settle)).writer
    themes, questions = bar.steps.values()
    bar.writer.setCurrentIndex(bar.writer.findText("writer-repeating", Qt.MatchFlag.MatchContains))
    dialog.text.setPlainText("# Own theme: of the auditor")
    settle()
    dialog.text.setPlainText("# Own theme: of the auditor\n# Another: of the auditor")
    questions.click()
    settle()
    assert not bar.busy, "one call was said when it was pressed"
    assert "Write questions: 2 calls" in bar.said.text()
    write = type(bar._writing).write
    begun: list[Future[list[Written]]] = []

    def held(service: Any, *given: Any, **how: Any) -> Future[list[Written]]:
        begun.append(write(service, *given, **how))
        return Future()

    monkeypatch.setattr(type(bar._writing), "write", held)
    came: list[object] = []
    bar.wrote.connect(lambda _, written: came.append(written))
    themes.click()
    bar.cancel()
    themes.click()
    qtbot.waitUntil(lambda: bool(begun) and window.context.bridge._under_way == len(begun))
    assert len(begun) == 1, "each is billed"
    assert bar._future is not None
    bar._future.set_result(begun[0].result())
    bar.cancel()
    bar.cancel()
    settle()
    assert len(came) == 1
    assert not bar.busy

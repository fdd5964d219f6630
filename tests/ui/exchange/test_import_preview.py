"""What the import dialog says will be read, before anything is."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QPushButton
from pytestqt.qtbot import QtBot

from gpf_desktop.ui.context import Context
from gpf_desktop.ui.exchange.import_dialog import ImportDialog
from gpf_desktop.ui.main_window import MainWindow

Settle = Callable[[], None]


def opened(window: MainWindow, settle: Settle, path: Path, method: str) -> ImportDialog:
    window.exchange.import_answers([path])
    settle()
    (dialog,) = window.findChildren(ImportDialog)
    dialog.method.setCurrentIndex(dialog.method.findData(method))
    return dialog


def first_entry(box: QComboBox) -> str:
    return box.itemText(0)


def test_that_a_score_that_is_no_mark_is_not_shown_as_one_until_its_judge_is_named(
    window: MainWindow, settle: Settle, tmp_path: Path
) -> None:
    table = tmp_path / "t.csv"
    table.write_text("model,question,response,score\noak,May a cat ride?,Yes.,0.83\noak,May a dog?,No.,0.5\n")
    dialog = opened(window, settle, table, "relative-bias")
    assert "0.83" not in dialog.becomes.text()
    assert first_entry(dialog.columns["level"]) == "(none found)"
    assert dialog.unread.text().startswith("Not read: score.")
    judge = dialog.given["judge"]
    judge.setText("ash")
    judge.editingFinished.emit()
    assert "0.83" in dialog.becomes.text()
    assert dialog.unread.text() == ""
    judge.clear()
    dialog.columns["level"].choose("score")
    assert "0.83" in dialog.becomes.text(), "chosen by hand, it is read"


def test_that_a_survey_s_second_line_of_names_is_not_shown_as_the_first_answer(
    window: MainWindow, settle: Settle, tmp_path: Path
) -> None:
    table = tmp_path / "t.csv"
    table.write_text("id,model,question,response\n,Response,Response,Open-Ended Response\n1,oak,May a cat?,Yes.\n")
    dialog = opened(window, settle, table, "relative-bias")
    assert dialog.becomes.text() == "The first row is read as: Model “oak” · Question “May a cat?” · Answer “Yes.”"


def test_that_columns_that_hold_answers_each_are_named_and_imported(
    window: MainWindow, context: Context, settle: Settle, qtbot: QtBot, tmp_path: Path
) -> None:
    table = tmp_path / "t.csv"
    table.write_text("question,Oak,Elm\nMay a cat ride?,Yes.,No.\n")
    dialog = opened(window, settle, table, "relative-bias")
    assert dialog.unread.text().startswith("Not read: oak, elm.")
    dialog.given["answers"].setText("Oak,Elm")
    dialog.given["answers"].editingFinished.emit()
    assert dialog.unread.text() == ""
    begin = dialog.findChild(QPushButton, "import.begin")
    assert begin is not None
    with qtbot.waitSignal(dialog.finished):
        qtbot.mouseClick(begin, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: (held := context.engine.current) is not None and held.path.name == "t.gpf")
    settle()
    models = context.engine.open_audit.context.audit.read(
        lambda connection: connection.execute("SELECT model FROM model ORDER BY model").fetchall()
    )
    assert [name for (name,) in models] == ["Elm", "Oak"]


@pytest.mark.parametrize(("value", "level"), [("C", "(none found)"), (7, "scored by tone (by the columns' names)")])
def test_that_a_scorer_s_right_and_wrong_are_not_shown_as_marks(
    window: MainWindow, settle: Settle, tmp_path: Path, value: object, level: str
) -> None:
    log = tmp_path / "log.json"
    sample = {"id": 1, "epoch": 1, "input": "May a cat ride?", "scores": {"tone": {"value": value}}}
    sample["output"] = {"choices": [{"message": {"role": "assistant", "content": "Yes."}, "stop_reason": "stop"}]}
    log.write_text(json.dumps({"eval": {"model": "oak"}, "samples": [sample]}))
    dialog = opened(window, settle, log, "relative-bias")
    assert first_entry(dialog.columns["level"]) == level
    assert ("scored by tone" in dialog.unread.text()) is (value == "C")

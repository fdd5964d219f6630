"""Data from the File menu: imported and exported."""

import threading
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from openpyxl import Workbook
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QDialog, QFileDialog, QLabel, QMessageBox, QPushButton
from pytestqt.qtbot import QtBot

from gpf_desktop.domain.events import RunRested
from gpf_desktop.domain.runs import RunState
from gpf_desktop.engine.commands import import_command
from gpf_desktop.engine.commands.import_command import ImportedAudit
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.reporting.results_filter import ResultsFilter
from gpf_desktop.storage.provenance import provenance
from gpf_desktop.ui.context import Context
from gpf_desktop.ui.exchange.artifact_dialog import ArtifactDialog
from gpf_desktop.ui.exchange.export_dialog import ExportDialog
from gpf_desktop.ui.exchange.import_dialog import ImportDialog
from gpf_desktop.ui.exchange.open_artifact_dialog import OpenArtifactDialog
from gpf_desktop.ui.exchange.remembered_maps import RememberedMaps
from gpf_desktop.ui.main_window import MainWindow
from gpf_desktop.ui.runs.rest_message import words_for
from tests.support.filled_audit import fill
from tests.ui.accessibility import problems_in

Settle = Callable[[], None]


@pytest.fixture
def filled(audit: Path, context: Context) -> Path:
    fill(context.engine.open_audit.context.audit, models_asked=("neutral",), dimensions=("Political",))
    return audit


def press(qtbot: QtBot, dialog: QDialog, name: str) -> None:
    found = dialog.findChild(QPushButton, name)
    assert found is not None
    qtbot.mouseClick(found, Qt.MouseButton.LeftButton)


def test_that_answers_are_mapped_imported_and_shown(
    window: MainWindow, context: Context, qtbot: QtBot, settle: Settle, tmp_path: Path
) -> None:
    table = tmp_path / "t.csv"
    table.write_text(
        "bot,headline,who,said\nx,News A,Hindu,Words one two\nx,News A,Jewish,<b>Other</b> words\n,News A,Sikh,Words\n"
    )
    window.exchange.import_answers([table])
    settle()
    (dialog,) = window.findChildren(ImportDialog)
    assert dialog.preview.model().index(1, 3).data() == "<b>Other</b> words"
    assert dialog.columns["article"].currentText() == "headline (by its name)"
    assert dialog.columns["headline"].currentText() == "(none found)"
    dialog.target.line.setText(str(tmp_path / "made.gpf"))
    press(qtbot, dialog, "import.begin")
    qtbot.waitUntil(lambda: "No column of the table was found" in dialog.problem.text())
    for name, column in (("article", "who"), ("model", "bot"), ("response", "said")):
        dialog.columns[name].choose(column)
    assert dialog.problem.text() == ""
    # A column is free again for the next thing that its name says.
    assert dialog.columns["headline"].currentText() == "headline (by its name)"
    for name, column in (("article", "headline"), ("identity", "who")):
        dialog.columns[name].choose(column)
    with qtbot.waitSignal(dialog.finished):
        press(qtbot, dialog, "import.begin")
    qtbot.waitUntil(lambda: (held := context.engine.current) is not None and held.path.name == "made.gpf")
    settle()
    assert context.engine.open_audit.context.audit.read(provenance).imported_from == "t.csv"
    assert window.strip.findChild(QLabel, "statusOrigin").text() == "Answers imported from t.csv"
    (told,) = (each for each in context.messages.messages if "left out" in each.text)
    assert told.shown_for is None
    assert "t.csv, line 4" in told.details
    # Nobody has pressed Start: the imported round is scored and rests.
    qtbot.waitUntil(lambda: context.engine.open_audit.rounds.runs()[0].state is RunState.FINISHED)
    settle()
    assert context.engine.open_audit.results.results(ResultsFilter()).window.scored_anywhere


def test_that_a_column_that_stands_there_twice_is_told_before_the_import_and_either_can_be_read(
    window: MainWindow, settle: Settle, tmp_path: Path
) -> None:
    table = tmp_path / "t.csv"
    table.write_text("model,headline,identity,response,response,note,note\nx,News,Hindu,One,Two,a,b\n")
    (tmp_path / "taken.gpf").touch()
    window.exchange.import_answers([table])
    settle()
    (dialog,) = window.findChildren(ImportDialog)
    # Not of "note", which says nothing that is asked for.
    assert dialog.twice.text() == "The column “response” stands there more than once; the first is read."
    assert dialog.twice.isVisible()
    assert dialog.unread.text().startswith("Not read: response #2, note, note #2. Named as “by”")
    dialog.method.setCurrentIndex(dialog.method.findData("contextual-stereoset"))
    assert dialog.unread.text().startswith("Not asked for: headline, identity, response #2, note, note #2. Those that")
    dialog.method.setCurrentIndex(dialog.method.findData("gpf-livenews"))
    assert dialog.target.line.text() == str(tmp_path / "t.gpf"), "beside the table"
    dialog.columns["response"].choose("response #2")
    assert not dialog.twice.isVisible()
    dialog.close()
    table.rename(tmp_path / "taken.csv")
    window.exchange.import_answers([tmp_path / "taken.csv"])
    settle()
    assert window.findChildren(ImportDialog)[-1].target.line.text() == "", "what lies there stays"


def test_that_stopping_an_import_makes_no_audit_and_keeps_what_was_mapped(
    window: MainWindow,
    context: Context,
    qtbot: QtBot,
    settle: Settle,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    begun, go_on, make = threading.Event(), threading.Event(), import_command.make_audit

    def held(*about: Any) -> ImportedAudit:
        begun.set()
        assert go_on.wait(60)
        return make(*about)

    monkeypatch.setattr(import_command, "make_audit", held)
    table = tmp_path / "t.csv"
    table.write_text("bot,headline,identity,response\nx,News,Hindu,Words\nx,News,Sikh,Words\n")
    window.exchange.import_answers([table])
    settle()
    (dialog,) = window.findChildren(ImportDialog)
    dialog.columns["model"].choose("bot")
    press(qtbot, dialog, "import.begin")
    assert dialog.leave.text() == "Stop"
    qtbot.waitUntil(begun.is_set)
    press(qtbot, dialog, "import.close")
    go_on.set()
    qtbot.waitUntil(lambda: dialog.problem.text() == "Stopped: no audit was made.")
    assert not (tmp_path / "t.gpf").exists()
    assert dialog.isVisible()
    assert dialog.columns["model"].currentText() == "bot"
    with qtbot.waitSignal(dialog.finished):
        press(qtbot, dialog, "import.begin")
    qtbot.waitUntil(lambda: (held := context.engine.current) is not None and held.path.name == "t.gpf")
    settle()


@pytest.mark.parametrize("method", ["contextual-stereoset", "gpf-livenews", "saged"])
def test_that_the_method_whose_columns_are_in_the_table_stands_first(
    window: MainWindow, context: Context, settle: Settle, tmp_path: Path, method: str
) -> None:
    table = tmp_path / "bought.csv"
    needed = [each.name for each in catalogue.importer(method).asked if each.required]
    table.write_text(",".join(needed) + "\n" + ",".join("x" for _ in needed) + "\n")
    window.exchange.import_answers([table])
    settle()
    (dialog,) = window.findChildren(ImportDialog)
    assert dialog.chosen == method
    dialog.close()


def test_that_tables_of_the_published_study_are_found_whole_and_imported_together(
    window: MainWindow, context: Context, qtbot: QtBot, settle: Settle, tmp_path: Path
) -> None:
    tables = []
    folder = tmp_path / "Tea trade"
    folder.mkdir()
    for model in ("Alpha", "Beta"):
        tables.append(folder / f"{model}.csv")
        tables[-1].write_text(
            f"Question,Theme,Description,{model}_Response,Bias Score (Judged by Jay),Explanation,Notes\n"
            f"1. Why?,T,About T,{model} says so.,7,One-sided.,a\n2. How?,T,About T,{model} says else.,2,,b\n"
        )
    window.exchange.import_answers(tables)
    settle()
    (dialog,) = window.findChildren(ImportDialog)
    assert dialog.chosen == "relative-bias"
    assert {name: box.currentText() for name, box in dialog.columns.items()} == {
        "model": "Alpha, Beta (by the columns' names)",
        "theme": "theme (by its name)",
        "question": "question (by its name)",
        "response": "alpha_response, beta_response (by the columns' names)",
        "repeat": "(none found)",
        "judge": "Jay (by the columns' names)",
        "level": "bias score (judged by jay) (by the columns' names)",
        "explanation": "explanation (by its name)",
        "judging": "(none found)",
        "description": "description (by its name)",
        **dict.fromkeys(("refused", "missing", "error", "finish"), "(none found)"),
        **dict.fromkeys(("served_model", "served_fingerprint", "served_host"), "(none found)"),
    }
    assert dialog.unread.text() == "Not read: notes."
    # A table with a column of models has a row for each answer.
    box = dialog.columns["model"]
    box.choose("theme")
    assert dialog.columns["response"].currentText() == "(none found)"
    box.setCurrentIndex(0)
    press(qtbot, dialog, "import.target.choose")
    (place,) = dialog.findChildren(QFileDialog)
    assert Path(place.selectedFiles()[0]).stem == "Tea trade"
    place.reject()
    dialog.target.line.setText(str(tmp_path / "made.gpf"))
    with qtbot.waitSignal(dialog.finished):
        press(qtbot, dialog, "import.begin")
    qtbot.waitUntil(lambda: (held := context.engine.current) is not None and held.path.name == "made.gpf")
    settle()
    assert context.engine.open_audit.context.audit.read(provenance).imported_from == "Alpha.csv, Beta.csv"
    qtbot.waitUntil(lambda: context.engine.open_audit.rounds.runs()[0].state is RunState.FINISHED)
    settle()
    models = context.engine.open_audit.results.findings(ResultsFilter(), ("relative_bias_models",))
    judged = [row for row in models["relative_bias_models"].rows if row.values["score"] == "Judge model Jay"]
    assert [row.values["model"] for row in judged] == ["Alpha", "Beta"]
    assert context.engine.open_audit.rounds.runs()[0].name == "Tea trade"


def test_that_of_the_library_s_tables_those_columns_are_told_that_are_not_read(
    window: MainWindow, settle: Settle, tmp_path: Path
) -> None:
    table = tmp_path / "t.csv"
    table.write_text(
        "keyword,concept,domain,prompts,baseline,source_tag,oak,oak_sentiment_score,oak_sentiment_score_cbr_x,elm_temp\n"
        "bread,cooks,trades,Cooks bake,Cooks bake bread.,wiki,They bake well.,0.5,0.1,1\n"
    )
    window.exchange.import_answers([table])
    settle()
    (dialog,) = window.findChildren(ImportDialog)
    assert dialog.chosen == "saged"
    assert dialog.unread.text() == "Not read: oak_sentiment_score_cbr_x, elm_temp."
    dialog.close()


def test_that_a_table_without_rows_is_told_before_the_import(
    window: MainWindow, settle: Settle, tmp_path: Path
) -> None:
    table = tmp_path / "t.csv"
    table.write_text("model,question,response\n")
    window.exchange.import_answers([table])
    settle()
    (dialog,) = window.findChildren(ImportDialog)
    assert dialog.becomes.text().startswith("No rows stand under the names of the columns.")
    dialog.close()


def test_that_each_method_that_imports_asks_for_what_it_declares(
    window: MainWindow, context: Context, qtbot: QtBot, settle: Settle, tmp_path: Path
) -> None:
    table = tmp_path / "levels.csv"
    table.write_text(
        "model,theme,question,response,judge,level\n"
        "a,Trade,Is it fair?,Yes,j,1\nb,Trade,Is it fair?,No,j,4\n"
        "a,War,Is it just?,Yes,j,2\nb,War,Is it just?,No,j,3\n"
    )
    window.exchange.import_answers([table])
    settle()
    (dialog,) = window.findChildren(ImportDialog)
    assert dialog.chosen == "relative-bias", "by its columns"
    offered = {dialog.method.itemData(at) for at in range(dialog.method.count())}
    assert offered == set(catalogue.importers())
    for name, importer in catalogue.importers().items():
        dialog.method.setCurrentIndex(dialog.method.findData(name))
        # What is needed stands first, where nobody has to scroll for it.
        assert sorted(dialog.columns) == sorted(each.name for each in importer.asked)
        needed = [each.name for each in importer.asked if each.required]
        assert list(dialog.columns)[: len(needed)] == needed
        assert list(dialog.given) == [each.name for each in importer.takes if each.name != "map"]
        assert dialog.does.text().endswith(importer.does)
        assert problems_in(dialog) == []
    dialog.method.setCurrentIndex(dialog.method.findData("relative-bias"))
    assert dialog.columns["level"].currentText() == "level (by its name)"
    dialog.given["name"].setText("Bought answers")
    dialog.target.line.setText(str(tmp_path / "made.gpf"))
    with qtbot.waitSignal(dialog.finished):
        press(qtbot, dialog, "import.begin")
    qtbot.waitUntil(lambda: (held := context.engine.current) is not None and held.path.name == "made.gpf")
    settle()
    assert context.engine.open_audit.facts().title == "Bought answers"
    assert context.engine.open_audit.results.methods() == ("relative-bias",)


def test_that_data_is_exported_from_the_menu_into_the_chosen_folder(
    window: MainWindow, context: Context, filled: Path, qtbot: QtBot, settle: Settle, tmp_path: Path
) -> None:
    context.actions.action("file.export").trigger()
    (dialog,) = window.findChildren(ExportDialog)
    for box in dialog.what.values():
        box.setChecked(False)
    press(qtbot, dialog, "exportData.begin")
    assert dialog.problem.text() == "Tick at least one thing and one format."
    dialog.what["answers"].setChecked(True)
    dialog.formats["parquet"].setChecked(False)
    press(qtbot, dialog, "exportData.begin")
    assert dialog.folder.field.problem == "Choose a place first."
    dialog.folder.line.setText(str(tmp_path / "out"))
    with qtbot.waitSignal(dialog.finished):
        press(qtbot, dialog, "exportData.begin")
    settle()
    assert sorted(path.name for path in (tmp_path / "out").iterdir()) == [
        "answers.csv",
        "answers.jsonl",
        "dictionary.csv",
    ]
    assert any("Wrote 3 files" in message.text for message in context.messages.messages)
    (tmp_path / "out" / "answers.csv").write_text("mine")
    context.actions.action("file.export").trigger()
    again = next(each for each in window.findChildren(ExportDialog) if each is not dialog)
    again.what["tables"].setChecked(False)
    again.folder.line.setText(str(tmp_path / "out"))
    press(qtbot, again, "exportData.begin")
    assert (tmp_path / "out" / "answers.csv").read_text() == "mine"
    asked = again.findChild(QMessageBox, "replace.asked")
    assert asked is not None
    assert "3 files of a former export" in asked.text()
    with qtbot.waitSignal(again.finished):
        asked.findChild(QPushButton, "replace.yes").click()
    settle()
    assert (tmp_path / "out" / "answers.csv").read_text(encoding="utf-8") != "mine"


def test_that_nothing_to_export_is_out_of_sight_at_the_side_with_large_text(
    window: MainWindow, context: Context, filled: Path, qtbot: QtBot, settle: Settle
) -> None:
    context.theme.set_text_scale(200)
    context.actions.action("file.export").trigger()
    (dialog,) = window.findChildren(ExportDialog)
    qtbot.waitExposed(dialog)
    dialog.resize(context.theme.px(390), 700)
    settle()
    boxes = (*dialog.what.values(), *dialog.formats.values())
    assert all(box.mapTo(dialog, box.rect().topRight()).x() < dialog.width() for box in boxes)
    assert all(box.width() >= box.minimumSizeHint().width() for box in boxes)
    dialog.close()


def test_that_rows_left_out_are_told_beside_the_new_audit_where_another_was_open(
    window: MainWindow, context: Context, audit: Path, qtbot: QtBot, settle: Settle, tmp_path: Path
) -> None:
    assert context.engine.has_open_audit
    table = tmp_path / "t.csv"
    table.write_text("model,headline,identity,response\nx,News A,Hindu,Words\n,News A,Jewish,Other words\n")
    window.exchange.import_answers([table])
    settle()
    (dialog,) = window.findChildren(ImportDialog)
    dialog.target.line.setText(str(tmp_path / "made.gpf"))
    with qtbot.waitSignal(dialog.finished):
        press(qtbot, dialog, "import.begin")
    qtbot.waitUntil(lambda: (held := context.engine.current) is not None and held.path.name == "made.gpf")
    settle()
    assert any("1 row was left out" in message.text for message in context.messages.messages)


def test_that_no_line_of_the_form_is_cut(window: MainWindow, context: Context, filled: Path, settle: Settle) -> None:
    context.actions.action("file.artifact").trigger()
    settle()
    (dialog,) = window.findChildren(ArtifactDialog)
    assert dialog.isVisible()
    assert dialog.focusWidget() is dialog.withheld["calibration"], "what is asked comes before the buttons"
    for each in dialog.findChildren(QLabel):
        if each.isVisible() and each.wordWrap():
            assert each.height() >= each.heightForWidth(each.width()), each.text()
    dialog.close()


def test_that_a_sheet_and_the_row_of_the_names_are_chosen_and_remembered(
    window: MainWindow, context: Context, qtbot: QtBot, settle: Settle, tmp_path: Path
) -> None:
    book = Workbook()
    notes = book.active
    notes.append(["day", "weather"])
    notes.append(["Monday", "rain"])
    answers = book.create_sheet("Answers")
    for row in (["of", "May", "2026"], ["bot", "who", "news", "said"]):
        answers.append(row)
    for who in ("Hindu", "Jewish"):
        answers.append(["elm", who, "A", "Words"])
    book.save(tmp_path / "t.xlsx")
    window.exchange.import_answers([tmp_path / "t.xlsx"])
    settle()
    (dialog,) = window.findChildren(ImportDialog)
    dialog.sheet.setCurrentIndex(dialog.sheet.findData("Answers"))
    settle()
    dialog.head.setValue(9)
    qtbot.waitUntil(lambda: "empty" in dialog.head_problem)
    dialog.head.setValue(2)
    qtbot.waitUntil(lambda: dialog.preview.model().columnCount() == 4)
    assert dialog.head_problem == ""
    assert dialog.preview.model().index(0, 3).data() == "Words"
    dialog.method.setCurrentIndex(dialog.method.findData("gpf-livenews"))
    press(qtbot, dialog, "import.begin")
    qtbot.waitUntil(lambda: bool(dialog.model.problem))
    assert RememberedMaps(context.settings).of(["who", "bot", "said", "news"]) is None, "nothing came of it"
    for name, column in (("model", "bot"), ("article", "news"), ("identity", "who"), ("response", "said")):
        dialog.columns[name].choose(column)
    assert "“elm”" in dialog.becomes.text()
    assert "“Words”" in dialog.becomes.text()
    # Whoever has the tables read again, from another row or sheet or with more of them, does not choose columns anew.
    boxes = dialog.columns
    dialog.add(())
    qtbot.waitUntil(lambda: dialog.columns is not boxes)
    dialog.method.setCurrentIndex(dialog.method.findData("relative-bias"))
    assert {name: dialog.columns[name].currentData() for name in ("model", "question", "response")} == {
        "model": "bot",
        "question": "",
        "response": "said",
    }
    dialog.method.activated.emit(dialog.method.currentIndex())
    dialog.given["target"].setText("elm")
    boxes = dialog.columns
    dialog.add(())
    qtbot.waitUntil(lambda: dialog.columns is not boxes)
    assert dialog.given["target"].text() == "elm"
    dialog.method.setCurrentIndex(dialog.method.findData("gpf-livenews"))
    for name, column in (("model", "bot"), ("article", "news"), ("identity", "who"), ("response", "said")):
        dialog.columns[name].choose(column)
    dialog.target.line.setText(str(tmp_path / "made.gpf"))
    rested: list[RunRested] = []
    context.bridge.subscribe(window, rested.append, RunRested)
    with qtbot.waitSignal(dialog.finished):
        press(qtbot, dialog, "import.begin")
    qtbot.waitUntil(lambda: bool(rested))
    assert [words_for(event) for event in rested] == ["The answers are imported and scored."]

    table = tmp_path / "again.csv"
    table.write_text("who,bot,said,news\nSikh,oak,More,B\n")
    window.exchange.import_answers([table])
    qtbot.waitUntil(lambda: any(each.isVisible() for each in window.findChildren(ImportDialog)))
    (again,) = (each for each in window.findChildren(ImportDialog) if each.isVisible())
    assert again.columns["response"].currentData() == "said"
    assert "as you chose for such a table before" in again.asked.text()
    assert "“oak”" in again.becomes.text()
    again.close()
    settle()


def test_that_a_folder_of_tables_becomes_one_audit_and_an_export_that_audit_again(
    window: MainWindow, context: Context, filled: Path, qtbot: QtBot, settle: Settle, tmp_path: Path
) -> None:
    tables = tmp_path / "tables"
    tables.mkdir()
    for name in ("a", "b"):
        (tables / f"{name}.csv").write_text(f"model,article,identity,response\n{name},News,Hindu,Words\n")
    window.exchange.open(tables)
    qtbot.waitUntil(lambda: bool(window.findChildren(ImportDialog)))
    (dialog,) = window.findChildren(ImportDialog)
    assert dialog.preview.model().rowCount() == 1
    assert dialog.target.line.text().endswith("tables.gpf")
    dialog.close()
    exported = tmp_path / "exported"
    window.exchange.export()
    (exporting,) = window.findChildren(ExportDialog)
    exporting.folder.line.setText(str(exported))
    with qtbot.waitSignal(exporting.finished):
        press(qtbot, exporting, "exportData.begin")
    settle()
    window.exchange.open(exported)
    (again,) = window.findChildren(OpenArtifactDialog)
    again.target.line.setText(str(tmp_path / "again.gpf"))
    with qtbot.waitSignal(again.finished):
        press(qtbot, again, "openArtifact.begin")
    qtbot.waitUntil(lambda: (held := context.engine.current) is not None and held.path.name == "again.gpf")
    settle()
    for chosen in (exported, exported / "answers.csv"):
        window.exchange.import_answers([chosen])
        qtbot.waitUntil(lambda: any(each.isVisible() for each in window.findChildren(OpenArtifactDialog)))
        (again,) = (each for each in window.findChildren(OpenArtifactDialog) if each.isVisible())
        assert again.windowTitle() == "Import a folder of answers"
        assert any(each.text().startswith("exported holds the export") for each in again.findChildren(QLabel))
        again.close()
        settle()


def test_that_one_file_of_an_export_that_is_not_whole_is_refused_before_a_method_is_guessed(
    window: MainWindow, context: Context, qtbot: QtBot, tmp_path: Path
) -> None:
    (tmp_path / "answers.csv").write_text("cell_id,bundle_id,run_id,item_id,model,text\n1,1,1,1,oak,Words\n")
    window.exchange.import_answers([tmp_path / "answers.csv"])
    qtbot.waitUntil(lambda: bool(window.findChildren(ImportDialog) or context.messages.messages))
    assert window.findChildren(ImportDialog) == []
    (said,) = context.messages.messages
    assert "Export everything once more, and import the whole folder" in said.text

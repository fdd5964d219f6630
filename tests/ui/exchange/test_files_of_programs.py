"""Files in the shapes of other programs, through the import dialog as it opens: nothing is mapped by hand."""

import csv
import io
import json
import sqlite3
import zipfile
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import pytest
from openpyxl import Workbook
from PySide6.QtCore import Qt
from PySide6.QtWidgets import QFileDialog, QPushButton
from pytestqt.qtbot import QtBot

from gpf_desktop.ui.context import Context
from gpf_desktop.ui.exchange.import_dialog import ImportDialog
from gpf_desktop.ui.main_window import MainWindow

Settle = Callable[[], None]
CAT, DOG = "May a cat ride the ferry?", "May a dog ride the ferry?"
SAYS = 'Yes, "on deck".\n\nНі, not below. 猫も。'
FILTERED = "Content filtered by provider"


def lines(*records: Any) -> str:
    return "".join(json.dumps(each) + "\n" for each in records)


def table(*rows: Sequence[str]) -> str:
    written = io.StringIO()
    csv.writer(written).writerows(rows)
    return written.getvalue()


def chat(said: str | None, finish: str = "stop") -> dict[str, Any]:
    message = {"role": "assistant", "content": said}
    return {"model": "oak", "choices": [{"index": 0, "message": message, "finish_reason": finish}]}


def user(question: str) -> list[dict[str, str]]:
    return [{"role": "user", "content": question}]


def of_promptfoo(question: str, **response: str) -> dict[str, Any]:
    prompt = {"raw": question, "label": "plain"}
    place = {"promptIdx": 0, "testIdx": 0}
    return {**place, "provider": {"id": "oak"}, "prompt": prompt, "vars": {"question": question}, "response": response}


PROMPTFOO = [
    of_promptfoo(CAT, output=SAYS, finishReason="stop"),
    of_promptfoo(DOG, output=FILTERED, finishReason="content_filter"),
]


def of_inspect(question: str, said: str, finish: str) -> dict[str, Any]:
    choice = {"message": {"role": "assistant", "content": said}, "stop_reason": finish}
    return {"id": question, "epoch": 1, "input": question, "output": {"model": "oak", "choices": [choice]}}


INSPECT = {"eval": {"model": "oak"}}
SAMPLES = [of_inspect(CAT, SAYS, "stop"), of_inspect(DOG, "", "content_filter")]


def eval_log() -> bytes:
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        archive.writestr("header.json", json.dumps(INSPECT))
        for number, each in enumerate(SAMPLES):
            archive.writestr(f"samples/{number}_epoch_1.json", json.dumps(each))
    return packed.getvalue()


def of_helm(question: str, said: str, finish: str) -> dict[str, Any]:
    completions = [{"text": said, "finish_reason": {"reason": finish}}]
    return {
        "instance": {"id": "i", "input": {"text": question}},
        "request": {"model": "oak", "prompt": question},
        "result": {"success": True, "completions": completions},
    }


def of_harness(number: int, question: str, said: str) -> dict[str, Any]:
    beside = {"filtered_resps": [said], "filter": "first"}
    return {"doc_id": number, "doc": {"question": question}, "arguments": [[question]], "resps": [[said]], **beside}


def of_llm(question: str, said: str, finish: str) -> dict[str, Any]:
    about = {"id": question, "conversation_id": question, "model": "oak", "prompt": question, "response": said}
    return {**about, "response_json": chat(said, finish)}


LLM_TABLES = """
CREATE TABLE conversations (id TEXT PRIMARY KEY, name TEXT, model TEXT);
CREATE TABLE responses (id TEXT PRIMARY KEY, model TEXT, prompt TEXT, system TEXT, prompt_json TEXT, options_json TEXT,
    response TEXT, response_json TEXT, conversation_id TEXT, duration_ms INTEGER, datetime_utc TEXT);
"""
LLM_TURNS = """
CREATE TABLE messages (hash TEXT PRIMARY KEY, parent_hash TEXT, role TEXT);
CREATE TABLE parts (id INTEGER PRIMARY KEY, message_hash TEXT, position INTEGER, type TEXT, text TEXT, payload TEXT);
CREATE TABLE turns (id TEXT PRIMARY KEY, thread_id TEXT, parent_message_hash TEXT, tip_message_hash TEXT, model TEXT,
    options_json TEXT, response_json TEXT);
CREATE TABLE turn_search (id INTEGER PRIMARY KEY, turn_id TEXT, prompt TEXT, response TEXT);
"""


def llm_database(*, turns: bool) -> bytes:
    """`logs.db` as older versions of its program write it, and as those do that keep turns."""
    log = sqlite3.connect(":memory:")
    log.executescript(LLM_TABLES + LLM_TURNS * turns)
    for name, question, said, finish in (("a", CAT, SAYS, "stop"), ("b", DOG, "", "content_filter")):
        reply = json.dumps(chat(said, finish))
        if turns:
            log.execute(
                "INSERT INTO messages VALUES (?, NULL, 'user'), (?, ?, 'assistant')", (f"{name}1", name, f"{name}1")
            )
            log.execute("INSERT INTO turns VALUES (?, 't', NULL, ?, 'oak', '{}', ?)", (name, name, reply))
            log.execute("INSERT INTO turn_search (turn_id, prompt, response) VALUES (?, ?, ?)", (name, question, said))
        else:
            told = (name, question, said, reply)
            log.execute("INSERT INTO responses VALUES (?, 'oak', ?, NULL, NULL, '{}', ?, ?, 'c', 5, '')", told)
    log.commit()
    return log.serialize()


def of_a_batch(question: str, reply: dict[str, Any]) -> dict[str, Any]:
    return {"id": "r", "custom_id": question, "response": {"status_code": 200, "body": reply}, "error": None}


def of_chainforge() -> bytes:
    book, written = Workbook(), io.BytesIO()
    head = ("Method", "Prompt", "Response", "Batch Id", "Latency (s)", "Var: question", "Eval result: score")
    for row in (head, ("oak", CAT, SAYS, "b", 0.1, CAT, 1), ("oak", DOG, "", "b", 0.1, DOG, 0)):
        book.active.append(row)
    book.save(written)
    return written.getvalue()


def deepeval_database() -> bytes:
    """As `DEEPEVAL_LOCAL_STORE=sqlite` writes it."""
    runs = sqlite3.connect(":memory:")
    runs.executescript("""
    CREATE TABLE test_runs (id INTEGER PRIMARY KEY, identifier TEXT, hyperparameters_json TEXT, payload_json TEXT);
    INSERT INTO test_runs VALUES (1, 'r', '{"model": "oak"}', '{}');
    CREATE TABLE test_cases (id INTEGER PRIMARY KEY, test_run_id INTEGER, kind TEXT, input TEXT, actual_output TEXT);
    """)
    for question, said in ((CAT, SAYS), (DOG, "")):
        cells = (question, said)
        runs.execute("INSERT INTO test_cases VALUES (NULL, 1, 'single-turn', ?, ?)", cells)
    runs.commit()
    return runs.serialize()


def of_oumi(question: str, said: str) -> dict[str, Any]:
    return {"messages": [*user(question), {"role": "assistant", "content": said}], "metadata": {"model": "oak"}}


DEEPEVAL = {
    "testCases": [{"input": CAT, "actualOutput": SAYS, "order": 0}, {"input": DOG, "actualOutput": "", "order": 1}],
    "hyperparameters": {"model": "oak"},
}
PROMPTFOO_TABLE = table(
    ("question", "[oak] plain", "Status", "Score"), (CAT, SAYS, "PASS", "1"), (DOG, FILTERED, "PASS", "1")
)
FILES: dict[str, str | bytes] = {
    "promptfoo.json": json.dumps({"evalId": "e", "results": {"version": 3, "results": PROMPTFOO}}),
    "promptfoo.jsonl": lines(*PROMPTFOO),
    "promptfoo.csv": PROMPTFOO_TABLE,
    "inspect.eval": eval_log(),
    "inspect.json": json.dumps({"version": 2, **INSPECT, "samples": SAMPLES}),
    "deepeval.json": json.dumps(DEEPEVAL),
    "latest_test_run.json": json.dumps({"testRunData": DEEPEVAL, "testFile": None}),
    "deepeval.db": deepeval_database(),
    "oumi.jsonl": lines(of_oumi(CAT, SAYS), of_oumi(DOG, "")),
    "aisuite.json": json.dumps(
        [
            {"model": "oak", "messages": user(CAT), "response": chat(SAYS)},
            {"model": "oak", "messages": user(DOG), "response": chat(None, "content_filter")},
        ]
    ),
    "oak.jsonl": lines(of_harness(0, CAT, SAYS), of_harness(1, DOG, "")),
    "llm.json": json.dumps([of_llm(CAT, SAYS, "stop"), of_llm(DOG, "", "content_filter")]),
    "logs.db": llm_database(turns=False),
    "newer_logs.db": llm_database(turns=True),
    "helm.json": json.dumps({"request_states": [of_helm(CAT, SAYS, "stop"), of_helm(DOG, "", "content_filter")]}),
    "langfuse.csv": table(
        ("id", "name", "model", "input", "output"),
        ("x", "ask", "oak", json.dumps(user(CAT)), json.dumps({"role": "assistant", "content": SAYS})),
        ("y", "ask", "oak", json.dumps(user(DOG)), ""),
    ),
    "batch.jsonl": lines(of_a_batch(CAT, chat(SAYS)), of_a_batch(DOG, chat(None, "content_filter"))),
    "chainforge.xlsx": of_chainforge(),
}
WITHOUT_AN_ENDING = {"deepeval.json", "latest_test_run.json", "oak.jsonl", "langfuse.csv", "chainforge.xlsx"} | {
    *("deepeval.db", "oumi.jsonl")
}


@pytest.mark.parametrize("name", FILES)
def test_that_a_file_of_another_program_is_imported_as_the_dialog_opens(
    window: MainWindow, context: Context, qtbot: QtBot, settle: Settle, tmp_path: Path, name: str
) -> None:
    path, held = tmp_path / name, FILES[name]
    path.write_bytes(held if isinstance(held, bytes) else held.encode())
    window.exchange.import_answers([path])
    settle()
    (dialog,) = window.findChildren(ImportDialog)
    assert dialog.chosen == "relative-bias"
    assert f"Question “{CAT}”" in dialog.becomes.text()
    assert 'Answer “Yes, "on deck". Ні' in dialog.becomes.text()
    rows = dialog.preview.model()
    shown = {str(rows.index(0, column).data()) for column in range(rows.columnCount())}
    assert {CAT, " ".join(SAYS.split())} <= shown, "the first rows are shown as they will be read"
    begin = dialog.findChild(QPushButton, "import.begin")
    assert begin is not None
    with qtbot.waitSignal(dialog.finished):
        qtbot.mouseClick(begin, Qt.MouseButton.LeftButton)
    made = path.with_suffix(".gpf")
    qtbot.waitUntil(lambda: (held := context.engine.current) is not None and held.path == made)
    qtbot.waitUntil(lambda: context.engine.open_audit.rounds.runs()[0].state.over)
    settle()
    answers = context.engine.open_audit.context.audit.read(
        lambda connection: connection.execute(
            "SELECT item.title, model.model, response.text, coalesce(response.missing, '') FROM cell"
            " JOIN item ON item.id = cell.item_id JOIN model ON model.id = cell.model_id"
            " JOIN response ON response.cell_id = cell.id ORDER BY cell.id"
        ).fetchall()
    )
    missing = "empty" if name in WITHOUT_AN_ENDING else "refused"
    assert [tuple(each) for each in answers] == [(CAT, "oak", SAYS, ""), (DOG, "oak", "", missing)]


def test_that_the_requests_of_a_batch_job_are_added_where_only_its_answers_were_chosen(
    window: MainWindow, context: Context, qtbot: QtBot, settle: Settle, tmp_path: Path
) -> None:
    answers, requests, other = tmp_path / "output.jsonl", tmp_path / "input.jsonl", tmp_path / "other.jsonl"
    answers.write_text(lines(of_a_batch("q1", chat(SAYS))), encoding="utf-8")
    requests.write_text(lines({"custom_id": "q1", "body": {"model": "oak", "messages": user(CAT)}}), encoding="utf-8")
    other.write_text("{\n", encoding="utf-8")
    window.exchange.import_answers([answers])
    settle()
    (dialog,) = window.findChildren(ImportDialog)
    assert dialog.lacks.text().startswith("output.jsonl holds no questions")
    assert "Question “q1”" in dialog.becomes.text()
    dialog.add([other])
    qtbot.waitUntil(lambda: dialog.problem.text().startswith("other.jsonl"))
    assert dialog.lacks.isVisible()
    qtbot.mouseClick(dialog.requests, Qt.MouseButton.LeftButton)
    (asked,) = dialog.findChildren(QFileDialog)
    asked.filesSelected.emit([str(requests)])
    asked.close()
    qtbot.waitUntil(lambda: f"Question “{CAT}”" in dialog.becomes.text())
    assert (dialog.lacks.isVisible(), dialog.requests.isVisible(), dialog.problem.text()) == (False, False, "")
    begin = dialog.findChild(QPushButton, "import.begin")
    assert begin is not None
    with qtbot.waitSignal(dialog.finished):
        qtbot.mouseClick(begin, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: (held := context.engine.current) is not None and held.path == answers.with_suffix(".gpf"))
    settle()
    asked_and_from = context.engine.open_audit.context.audit.read(
        lambda connection: connection.execute("SELECT title FROM item").fetchall()
    )
    assert [tuple(each) for each in asked_and_from] == [(CAT,)]

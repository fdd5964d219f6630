"""Databases that programs keep answers in."""

import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from gpf_desktop.documents.answer_files import read_answer_rows
from gpf_desktop.domain.errors import StoppedError, UserError

LOG = """
CREATE TABLE conversations (id TEXT);
CREATE TABLE responses (id TEXT, model TEXT, prompt TEXT, system TEXT, response TEXT, response_json TEXT);
INSERT INTO responses VALUES ('a', 'oak', 'May a cat?', 'Be brief.', 'Yes.', 'no JSON');
CREATE TABLE messages (hash TEXT, parent_hash TEXT, role TEXT);
INSERT INTO messages VALUES ('s', NULL, 'system'), ('u', 's', 'user'), ('t', 'u', 'assistant');
CREATE TABLE parts (message_hash TEXT, position INTEGER, type TEXT, text TEXT);
INSERT INTO parts VALUES ('s', 0, 'text', 'Be brief.'), ('t', 0, 'reasoning', 'Dogs bark.'), ('t', 1, 'text', 'No.');
CREATE TABLE turns (id TEXT, tip_message_hash TEXT, model TEXT, response_json TEXT);
INSERT INTO turns VALUES ('a', 't', 'oak', NULL), ('b', 't', 'oak', NULL), ('c', 't', 'oak', NULL);
CREATE TABLE turn_search (turn_id TEXT, prompt TEXT, response TEXT);
INSERT INTO turn_search VALUES ('a', 'May a cat?', 'Yes.'), ('b', 'May a dog?', 'No.'), ('c', 'And this?', 'No.');
CREATE TABLE turn_fragments (turn_id TEXT, fragment_id INTEGER);
INSERT INTO turn_fragments VALUES ('c', 1);
"""


def database(path: Path, script: str) -> Path:
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(script)
    return path


def test_that_a_log_of_both_kinds_is_read_once_with_what_was_thought(tmp_path: Path) -> None:
    rows = [row.values for row in read_answer_rows(database(tmp_path / "logs.db", LOG))]
    names = ("model", "system", "prompt", "response")
    assert [tuple(row.get(name, "") for name in names) for row in rows] == [
        ("oak", "Be brief.", "May a cat?", "Yes."),
        ("oak", "Be brief.", "May a dog?", "<think>Dogs bark.</think>No."),
        # What its question was put together of stands in other tables.
        ("oak", "Be brief.", "", "<think>Dogs bark.</think>No."),
    ]


@pytest.mark.parametrize(
    ("script", "said"),
    [
        ("CREATE TABLE runs (id TEXT)", r"other\.db is a database whose tables are not known here \(runs\)"),
        ("CREATE TABLE conversations (id); CREATE TABLE responses (told)", r"cannot be read as a database: no such"),
    ],
)
def test_that_other_databases_are_refused_by_name_and_reason(tmp_path: Path, script: str, said: str) -> None:
    with pytest.raises(UserError, match=said):
        list(read_answer_rows(database(tmp_path / "other.db", script)))


def test_that_deepeval_s_database_has_its_test_cases(tmp_path: Path) -> None:
    script = """
    CREATE TABLE test_runs (id INTEGER, identifier TEXT, hyperparameters_json TEXT);
    INSERT INTO test_runs VALUES (1, 'r', '{"model": "oak"}'), (2, 's', 'no JSON');
    CREATE TABLE test_cases (id INTEGER, test_run_id INTEGER, kind TEXT, input TEXT, actual_output TEXT);
    INSERT INTO test_cases VALUES (1, 1, 'single-turn', 'May a cat?', 'Yes.'), (2, 2, 'single-turn', 'A dog?', 'No.');
    INSERT INTO test_cases VALUES (3, 1, 'multi-turn', NULL, NULL);
    """
    rows = [row.values for row in read_answer_rows(database(tmp_path / "runs.db", script))]
    assert [(row["model"], row["input"], row["actual_output"]) for row in rows] == [
        ("oak", "May a cat?", "Yes."),
        ("", "A dog?", "No."),
    ]


def test_that_a_broken_database_and_what_is_none_are_told(tmp_path: Path) -> None:
    whole = database(tmp_path / "logs.db", LOG).read_bytes()
    (tmp_path / "cut.db").write_bytes(whole[:5000])
    with pytest.raises(UserError, match=r"cut\.db cannot be read as a database"):
        list(read_answer_rows(tmp_path / "cut.db"))
    (tmp_path / "page.db").write_text("<html></html>")
    with pytest.raises(UserError, match="it is a web page"):
        list(read_answer_rows(tmp_path / "page.db"))


def test_that_a_database_is_left_when_the_reader_stops(tmp_path: Path) -> None:
    many = f"{LOG} WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 30000)"
    path = database(tmp_path / "logs.db", f"{many} INSERT INTO responses SELECT i, 'm', 'q', '', 'r', '' FROM n")
    calls = 0

    def go_on() -> None:
        nonlocal calls
        calls += 1
        if calls > 2:
            raise StoppedError

    with pytest.raises(StoppedError):
        list(read_answer_rows(path, go_on))

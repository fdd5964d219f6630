"""Answers that a program keeps in a database of SQLite. It is read as it lies there, and nothing is written to it."""

import json
import sqlite3
from collections.abc import Collection, Iterator, Mapping
from contextlib import closing
from pathlib import Path
from typing import Any, Final

from gpf_desktop.documents.long_json import GoOn
from gpf_desktop.documents.programs import deepeval, llm_logs
from gpf_desktop.documents.programs.flat_records import flat, words
from gpf_desktop.documents.tables import LONGEST_CELL, TableRow
from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.text import tr

SUFFIXES: Final = (".db", ".sqlite", ".sqlite3")
MARK: Final = b"SQLite format 3\0"
_STEPS: Final = 100_000
"""Of the database's engine between two questions whether to go on."""
_NAMED: Final = 12
_RESPONSES: Final = "SELECT * FROM responses ORDER BY id"
_TURNS: Final = """
SELECT turns.*, turn_search.prompt, turn_search.response FROM turns
JOIN turn_search ON turn_search.turn_id = turns.id ORDER BY turns.id
"""
# The messages of a turn are a chain, of which the first may be the system's.
_SYSTEM: Final = """
WITH RECURSIVE chain(hash, parent, role, depth) AS (
    SELECT hash, parent_hash, role, 1 FROM messages WHERE hash = ?
    UNION ALL
    SELECT messages.hash, parent_hash, messages.role, depth + 1 FROM messages
    JOIN chain ON messages.hash = chain.parent WHERE depth < 1000
)
SELECT text FROM chain JOIN parts ON parts.message_hash = chain.hash
WHERE chain.role = 'system' AND parts.type = 'text' ORDER BY depth DESC, position
"""
_THOUGHT: Final = """
SELECT group_concat(text, '') FROM parts WHERE message_hash = ? AND type = 'reasoning' ORDER BY position
"""
_TEST_CASES: Final = """
SELECT test_cases.input, test_cases.actual_output, test_runs.identifier, test_runs.hyperparameters_json
FROM test_cases JOIN test_runs ON test_runs.id = test_cases.test_run_id
WHERE kind = 'single-turn' ORDER BY test_cases.id
"""
_WITH_FRAGMENTS: Final = "SELECT DISTINCT turn_id FROM turn_fragments"


def database_rows(path: Path, go_on: GoOn) -> Iterator[TableRow]:
    """A row for each answer in a database of `llm` or DeepEval. Raises `UserError`, and what *go_on* raises."""
    stopped: list[BaseException] = []

    def heard() -> int:
        # The engine would print what is raised in it, and go on.
        try:
            go_on()
        except BaseException as error:
            stopped.append(error)
            return 1
        return 0

    try:
        with closing(sqlite3.connect(f"{path.absolute().as_uri()}?mode=ro", uri=True)) as connection:
            connection.row_factory = sqlite3.Row
            connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, LONGEST_CELL)
            # What a stranger's schema says is not done.
            connection.execute("PRAGMA trusted_schema = OFF")
            connection.set_progress_handler(heard, _STEPS)
            tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
            records = _records(connection, tables)
            if records is None:
                raise UserError(
                    tr(
                        "{path} is a database whose tables are not known here ({names}).",
                        path=str(path),
                        names=", ".join(tables[:_NAMED]) or tr("none"),
                    ),
                    tr("Of databases those of llm and DeepEval are read. Export others as CSV or JSON lines."),
                )
            for number, record in enumerate(records, start=1):
                yield TableRow(number, flat(record))
    except sqlite3.Error as error:
        if stopped:
            raise stopped[0] from None
        raise UserError(
            tr("{path} cannot be read as a database: {why}.", path=str(path), why=str(error)),
            tr("Copy it while the program that writes it is closed, or export it as CSV or JSON lines."),
        ) from error


def _records(connection: sqlite3.Connection, tables: Collection[str]) -> Iterator[Mapping[str, Any]] | None:
    """A record for each answer; None where the *tables* are of no known program."""
    if {"responses", "conversations"} <= {*tables}:
        return _llm_records(connection, tables)
    if {"test_runs", "test_cases"} <= {*tables}:
        return (deepeval.case_of_row(dict(row)) for row in connection.execute(_TEST_CASES))
    return None


def _llm_records(connection: sqlite3.Connection, tables: Collection[str]) -> Iterator[Mapping[str, Any]]:
    """A record for each answer in a log of `llm`; newer versions of the program keep turns of messages."""
    known = set()
    for row in connection.execute(_RESPONSES):
        known.add(row["id"])
        yield llm_logs.answered(_with_reply(dict(row)))
    if not {"turns", "turn_search", "messages", "parts"} <= {*tables}:
        return
    with_fragments = {turn for (turn,) in connection.execute(_WITH_FRAGMENTS)} if "turn_fragments" in tables else set()
    for row in connection.execute(_TURNS):
        if row["id"] in known:
            continue
        tip = row["tip_message_hash"]
        system = "\n".join(words(text) for (text,) in connection.execute(_SYSTEM, (tip,)))
        (thought,) = connection.execute(_THOUGHT, (tip,)).fetchone()
        told = llm_logs.answered(_with_reply({**dict(row), "system": system, "reasoning": thought}))
        # Of the files that a question was put together of only its own words stand there.
        yield told if row["id"] not in with_fragments else {**told, "prompt": ""}


def _with_reply(row: dict[str, Any]) -> dict[str, Any]:
    try:
        return {**row, "response_json": json.loads(row.get("response_json") or "null")}
    except (ValueError, RecursionError):
        return {**row, "response_json": None}

"""When the first question was asked, whatever clocks said: later rounds are not read, and would change nothing."""

import random
import sqlite3
from contextlib import closing

from gpf_desktop.storage.registrations import first_asked
from gpf_desktop.storage.schema import migrate

METHOD = "gpf-livenews"


def test_that_the_first_question_is_found_as_if_every_round_were_read() -> None:
    draw, told = random.Random(3), set[str | None]()
    with closing(sqlite3.connect(":memory:", isolation_level=None)) as connection:
        migrate(connection, 0)
        for _ in range(300):
            connection.execute("SAVEPOINT one")
            moments = [each for run in range(draw.randrange(5)) for each in _round(connection, draw, run)]
            if draw.random() < 0.3:
                moments.append(_moment(draw))
                connection.execute("INSERT INTO setting VALUES (?, ?)", (f"plan.asked before: {METHOD}", moments[-1]))
            expected = min(moments, default=None)
            assert first_asked(connection, METHOD) == expected
            told.add(expected)
            connection.execute("ROLLBACK TO one")
    assert len(told) > 5


def _moment(draw: random.Random) -> str:
    return f"2026-01-{draw.randrange(10, 30)}"


def _round(connection: sqlite3.Connection, draw: random.Random, run: int) -> list[str]:
    """When it was asked by itself: never before it was set up, but for the moment that it began at."""
    created, method = _moment(draw), METHOD if draw.random() < 0.8 else "saged"
    started = _moment(draw) if draw.random() < 0.3 else None
    connection.execute(
        "INSERT INTO run (id, name, state, plan_hash, plan, protocol_id, method, method_version, controls, seed,"
        " created_at, started_at) VALUES (?, '', '', '', '{}', 1, ?, '', '{}', 1, ?, ?)",
        (run, method, created, started),
    )
    asked = []
    for cell in range(10 * run, 10 * run + draw.randrange(3)):
        connection.execute("INSERT INTO cell VALUES (?, ?, 1, 1, 1, 1, 0, 0, NULL, 1, 1, 'answered')", (cell, run))
        for statement in (
            "INSERT INTO call (cell_id, attempt, started_at) VALUES (?, 1, ?)",
            "INSERT INTO response (cell_id, text, received_at) VALUES (?, '', ?)",
        ):
            if draw.random() < 0.7:
                asked.append(_moment(draw))
                connection.execute(statement, (cell, asked[-1]))
    found = [max(created, each) for each in asked] + ([] if started is None else [started])
    return found if method == METHOD else []

"""When the answers of rounds came, and what marks they have."""

import json
import sqlite3
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from gpf_desktop.domain.responses import Missing
from gpf_desktop.storage.times import as_moment


def answered_between(connection: sqlite3.Connection, runs: Iterable[int]) -> tuple[datetime, datetime] | None:
    """The first and the last moment at which an answer of *runs* came; None where none did."""
    first, last = connection.execute(
        "SELECT min(p.received_at), max(p.received_at) FROM response p JOIN cell c ON c.id = p.cell_id"
        " WHERE c.run_id IN (SELECT value FROM json_each(?))",
        (json.dumps(sorted(runs)),),
    ).fetchone()
    return None if first is None else (as_moment(first), as_moment(last))


def levels_in(connection: sqlite3.Connection, runs: Iterable[int]) -> dict[str, set[str]]:
    """The levels that questions of *runs* have, by factor."""
    found: dict[str, set[str]] = {}
    rows = connection.execute(
        "WITH asked AS (SELECT coordinates_id, bundle_id FROM cell WHERE run_id IN (SELECT value FROM json_each(?)))"
        " SELECT DISTINCT factor, level FROM coordinate WHERE set_id IN (SELECT coordinates_id FROM asked"
        " UNION SELECT coordinates_id FROM bundle WHERE id IN (SELECT bundle_id FROM asked))",
        (json.dumps(sorted(runs)),),
    )
    for factor, level in rows:
        found.setdefault(factor, set()).add(level)
    return found


@dataclass(frozen=True, slots=True, kw_only=True)
class MarkedAnswers:
    """How many answers of rounds have a mark that bears on what they show."""

    answers: int
    cut_off: int
    """The model hit its length limit, or the provider said so."""
    quoting: int
    """They name other readers or speak of the test itself."""


def marked(connection: sqlite3.Connection, runs: Iterable[int]) -> MarkedAnswers:
    """The numbers of marked answers among all answers of *runs*, controls included."""
    answers, cut_off, quoting = connection.execute(
        "SELECT count(*), coalesce(sum(p.truncated), 0), coalesce(sum(EXISTS ("
        "SELECT 1 FROM flag f WHERE f.cell_id = c.id AND f.name = 'leakage')), 0)"
        " FROM response p JOIN cell c ON c.id = p.cell_id"
        " WHERE c.run_id IN (SELECT value FROM json_each(?))",
        (json.dumps(sorted(runs)),),
    ).fetchone()
    return MarkedAnswers(answers=answers, cut_off=cut_off, quoting=quoting)


def missing_in(connection: sqlite3.Connection, bundles: Iterable[int]) -> dict[str, int]:
    """The number of missing first answers of *bundles*, by reason as it is stored; those that nobody
    asked for yet count too."""
    rows = connection.execute(
        "SELECT CASE WHEN c.state = 'missing' THEN p.missing ELSE ? END AS reason, count(*)"
        " FROM cell c LEFT JOIN response p ON p.cell_id = c.id"
        " WHERE c.state <> 'answered' AND c.repeat = 0"
        " AND c.bundle_id IN (SELECT value FROM json_each(?)) GROUP BY reason",
        (str(Missing.NOT_RUN), json.dumps(sorted(bundles))),
    )
    return dict(rows.fetchall())

"""How the cells of an audit ended, counted for the coverage and refusal tables.

Answers are long and many, so their rows are not touched: what is missing is looked up for missing cells alone, and
what is cut or refuses in words is read from the flags.
"""

import sqlite3
from collections.abc import Sequence

CELL_COLUMNS = (
    "run_id",
    "batch_id",
    "model",
    "vendor",
    "synthetic",
    "stratum",
    "condition",
    "dimension",
    "identity",
    "paraphrase",
    "repeated",
    "reason",
    "n",
    "worded_refusals",
    "truncated",
)
"""Columns of `cell_counts`; *reason* is empty for an answer."""

_KEY = "c.run_id, c.model_id, t.stratum, c.condition, c.dimension, c.identity, c.paraphrase, c.repeat > 0"
_FROM = " JOIN run r ON r.id = c.run_id JOIN batch_article t ON t.batch_id = r.batch_id AND t.article_id = c.article_id"


def cell_counts(connection: sqlite3.Connection, refusal_flag: str, truncated_flag: str) -> list[tuple[object, ...]]:
    """One row per combination of the first twelve of `CELL_COLUMNS` that occurs.

    *refusal_flag* and *truncated_flag* are the names of the flags that mark answers as such.
    """
    tallies: dict[tuple[object, ...], list[int]] = {}

    def add(rows: Sequence[tuple[object, ...]], place: int) -> None:
        for *key, n in rows:
            tallies.setdefault(tuple(key), [0, 0, 0])[place] += int(str(n))

    states = "CASE c.state WHEN 'answered' THEN '' ELSE 'not yet run' END"
    add(
        connection.execute(
            f"SELECT {_KEY}, {states}, count(*) FROM cell c{_FROM} WHERE c.state <> 'missing' GROUP BY {_KEY}, {states}"
        ).fetchall(),
        0,
    )
    add(
        connection.execute(
            f"SELECT {_KEY}, p.missing, count(*) FROM cell c{_FROM} JOIN response p ON p.cell_id = c.id"
            f" WHERE c.state = 'missing' GROUP BY {_KEY}, p.missing"
        ).fetchall(),
        0,
    )
    for place, flag in enumerate((refusal_flag, truncated_flag), start=1):
        add(
            connection.execute(
                f"SELECT {_KEY}, '', count(*) FROM flag f JOIN cell c ON c.id = f.cell_id{_FROM}"
                f" WHERE f.name = ? AND c.state = 'answered' GROUP BY {_KEY}",
                (flag,),
            ).fetchall(),
            place,
        )
    batch_of = dict(connection.execute("SELECT id, batch_id FROM run").fetchall())
    named = {
        row[0]: row[1:]
        for row in connection.execute(
            "SELECT id, provider || '/' || model, coalesce(nullif(json_extract(endpoint, '$.vendor'), ''), provider),"
            " synthetic FROM model"
        )
    }
    return [(key[0], batch_of[key[0]], *named[key[1]], *key[2:], *counts) for key, counts in tallies.items()]

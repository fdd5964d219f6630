"""How the cells of an audit ended, counted for the coverage and refusal tables."""

import sqlite3

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


def cell_counts(connection: sqlite3.Connection, refusal_flag: str) -> list[tuple[object, ...]]:
    """One row per combination of the first twelve of `CELL_COLUMNS` that occurs.

    *refusal_flag*: name of the flag that marks a refusal in words, which is an answer all the same.
    """
    return connection.execute(
        "SELECT c.run_id, r.batch_id, m.provider || '/' || m.model,"
        " coalesce(nullif(json_extract(m.endpoint, '$.vendor'), ''), m.provider), m.synthetic, t.stratum,"
        " c.condition, c.dimension, c.identity, c.paraphrase, c.repeat > 0 AS repeated,"
        " CASE c.state WHEN 'answered' THEN '' WHEN 'missing' THEN p.missing ELSE 'not yet run' END AS reason,"
        " count(*), count(f.cell_id), coalesce(sum(p.truncated), 0)"
        " FROM cell c JOIN run r ON r.id = c.run_id JOIN model m ON m.id = c.model_id"
        " JOIN batch_article t ON t.batch_id = r.batch_id AND t.article_id = c.article_id"
        " LEFT JOIN response p ON p.cell_id = c.id LEFT JOIN flag f ON f.cell_id = c.id AND f.name = ?"
        " GROUP BY c.run_id, c.model_id, t.stratum, c.condition, c.dimension, c.identity, c.paraphrase, repeated,"
        " reason",
        (refusal_flag,),
    ).fetchall()

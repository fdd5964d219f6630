"""Every cell of one model of a run with what it was asked about and how it ended, flags included."""

import json
import sqlite3
from dataclasses import dataclass

from gpf_desktop.domain.articles import Anchor
from gpf_desktop.domain.cells import Condition, Factors
from gpf_desktop.domain.ids import ModelId, RunId


@dataclass(frozen=True, slots=True, kw_only=True)
class CellOutcome:
    """One cell."""

    factors: Factors
    seed: int
    article_key: str
    anchor: Anchor
    missing: str
    """A value of `domain.responses.Missing`; empty for an answer."""
    truncated: bool
    flags: tuple[tuple[str, str], ...]
    """(flag, what it found)."""


def outcomes(connection: sqlite3.Connection, run_id: RunId, model_id: ModelId) -> list[CellOutcome]:
    """In the order of the cells' ids."""
    rows = connection.execute(
        "SELECT c.condition, c.dimension, c.identity, c.family, c.paraphrase, c.repeat, c.seed, a.key, t.headline,"
        " t.description, CASE c.state WHEN 'answered' THEN '' WHEN 'missing' THEN p.missing ELSE 'not yet run' END,"
        " coalesce(p.truncated, 0),"
        " (SELECT json_group_array(json_array(f.name, f.detail)) FROM flag f WHERE f.cell_id = c.id)"
        " FROM cell c JOIN run r ON r.id = c.run_id JOIN article a ON a.id = c.article_id"
        " JOIN batch_article t ON t.batch_id = r.batch_id AND t.article_id = c.article_id"
        " LEFT JOIN response p ON p.cell_id = c.id WHERE c.run_id = ? AND c.model_id = ? ORDER BY c.id",
        (run_id, model_id),
    )
    return [
        CellOutcome(
            factors=Factors(
                condition=Condition(row[0]),
                dimension=row[1],
                identity=row[2],
                family=row[3],
                paraphrase=row[4],
                repeat=row[5],
            ),
            seed=row[6],
            article_key=row[7],
            anchor=Anchor(headline=row[8], description=row[9]),
            missing=row[10],
            truncated=bool(row[11]),
            flags=tuple((name, detail) for name, detail in json.loads(row[12])),
        )
        for row in rows
    ]

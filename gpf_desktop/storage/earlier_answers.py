"""The answers that a cell of a later stage rests on."""

import sqlite3
from dataclasses import dataclass

from gpf_desktop.storage.archived_texts import TEXT
from gpf_desktop.storage.rows import records


@dataclass(frozen=True, slots=True, kw_only=True)
class EarlierAnswer:
    """An answer that a cell of a later stage was asked with."""

    model: str
    text: str


def given(connection: sqlite3.Connection, parent: int) -> tuple[str, ...]:
    """The answer of the cell *parent*, behind it that of its own parent, and so on."""
    return tuple(each.text for each in earlier_answers(connection, parent))


def earlier_answers(connection: sqlite3.Connection, parent: int) -> list[EarlierAnswer]:
    """The answer of the cell *parent* with who gave it, behind it that of its own parent, and so on."""
    rows = connection.execute(
        # Stages only go up: without the comparison a file whose cells are each other's parents would never end.
        "WITH RECURSIVE above (id, depth) AS (SELECT ?, 0 UNION ALL"
        " SELECT p.id, depth + 1 FROM above JOIN cell c ON c.id = above.id JOIN cell p ON p.id = c.parent_cell_id"
        " WHERE p.stage < c.stage)"
        f" SELECT m.label AS model, coalesce({TEXT}, '') AS text FROM above JOIN cell c ON c.id = above.id"
        " JOIN model m ON m.id = c.model_id LEFT JOIN response p ON p.cell_id = above.id ORDER BY depth",
        (parent,),
    )
    return records(EarlierAnswer, rows)

"""Vectors of answers: one row for each text and model, however many cells have it."""

import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from gpf_desktop.domain.embeddings import Vector, vector_words
from gpf_desktop.domain.ids import CellId, ModelId
from gpf_desktop.storage.rows import records
from gpf_desktop.storage.times import now


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredVector:
    """The vector of an answer."""

    run_id: int
    encoder: str
    """Label of the model that gave it."""
    instruction: str
    """What the encoder was told before every text."""
    about: int
    """The cell of the answer."""
    data: bytes = field(repr=False)
    """float32, little-endian."""


def save(connection: sqlite3.Connection, given: Iterable[tuple[CellId, Vector]]) -> None:
    """Give cells their vectors; one that is there already stays as it is."""
    # All vectors before any link: a cell may name by its digest alone a vector that comes with another one of *given*.
    given = list(given)
    at = now()
    connection.executemany(
        "INSERT OR IGNORE INTO vector (model_id, digest, made_at, data) SELECT model_id, ?, ?, ? FROM cell"
        " WHERE id = ?",
        # A text whose vector is known already was not sent, and comes with its digest alone.
        [(vector.digest, at, vector.data, cell) for cell, vector in given if vector.data],
    )
    connection.executemany(
        "INSERT OR REPLACE INTO cell_vector (cell_id, vector_id) SELECT c.id, v.id FROM cell c"
        " JOIN vector v ON v.model_id = c.model_id AND v.digest = ? WHERE c.id = ?",
        [(vector.digest, cell) for cell, vector in given],
    )


def known(connection: sqlite3.Connection, model_id: ModelId, digests: Sequence[bytes]) -> dict[bytes, str]:
    """The digests among *digests* that the model has a vector for, with the words that stand for the vector."""
    marks = ", ".join("?" for _ in digests)
    rows = connection.execute(
        f"SELECT digest, data FROM vector WHERE model_id = ? AND digest IN ({marks})", (model_id, *digests)
    )
    return {digest: vector_words(data) for digest, data in rows}


def of_method(connection: sqlite3.Connection, method: str) -> list[StoredVector]:
    """The vectors of every answer of a method's runs, by run, encoder and answer."""
    rows = connection.execute(
        "SELECT c.run_id, m.label AS encoder,"
        " coalesce(json_extract(o.endpoint, '$.options.instruction'), '') AS instruction, c.parent_cell_id AS about,"
        " v.data FROM run r JOIN cell c ON c.run_id = r.id JOIN cell_vector x ON x.cell_id = c.id"
        " JOIN vector v ON v.id = x.vector_id JOIN model m ON m.id = c.model_id"
        " JOIN run_model o ON o.run_id = c.run_id AND o.model_id = c.model_id"
        " WHERE r.method = ? AND c.parent_cell_id IS NOT NULL ORDER BY c.run_id, c.model_id, c.parent_cell_id",
        (method,),
    )
    return records(StoredVector, rows)

"""Reads a relation from an audit: plain rows, streamed, of one moment."""

import sqlite3
from collections.abc import Iterator
from dataclasses import dataclass

from gpf_desktop.domain.relations import FieldKind, RelationField, Row

_AT_ONCE = 500
"""Rows fetched together: enough to be fast, few enough that the longest answers fit in memory many times."""

Columns = tuple[tuple[str, str, FieldKind, str], ...]
"""(name, SQL, kind, words)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredRelation:
    """A relation that can be read from any audit."""

    name: str
    words: str
    columns: Columns
    source: str
    """SQL from FROM to ORDER BY."""
    counted: str
    """SQL of the table whose rows are those of the relation, or nearly."""
    key: tuple[str, ...]

    @property
    def fields(self) -> tuple[RelationField, ...]:
        return tuple(RelationField(name=name, kind=kind, words=words) for name, _, kind, words in self.columns)


def count(connection: sqlite3.Connection, relation: StoredRelation) -> int:
    """How many rows `rows` gives, or nearly."""
    return int(connection.execute(f"SELECT count(*) FROM {relation.counted}").fetchone()[0])


def rows(connection: sqlite3.Connection, relation: StoredRelation) -> Iterator[Row]:
    """The rows of *relation* in a fixed order; flags as truth values, everything else as stored."""
    picked = ", ".join(sql for _, sql, _, _ in relation.columns)
    flags = [at for at, (_, _, kind, _) in enumerate(relation.columns) if kind is FieldKind.FLAG]
    cursor = connection.execute(f"SELECT {picked} {relation.source}")
    while some := cursor.fetchmany(_AT_ONCE):
        for found in some:
            row = list(found)
            for at in flags:
                row[at] = None if row[at] is None else bool(row[at])
            yield row

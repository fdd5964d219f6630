"""Rows as the dataclasses that they stand for, and the other way round."""

import sqlite3
from collections.abc import Callable
from typing import Any, TypeVar

from gpf_desktop.storage import stored
from gpf_desktop.storage.stored import BadRowError

R = TypeVar("R")


def records(kind: type[R], rows: sqlite3.Cursor, /, **read: Callable[[Any], Any]) -> list[R]:
    """Each of *rows* as a *kind*, whose fields are called as the columns are.

    *read*: by field, what makes its value of what the column holds; every other is taken as it stands. Raises
    `BadRowError` where it cannot.
    """
    names = [column[0] for column in rows.description]
    found = []
    for row in rows:
        values = dict(zip(names, row, strict=True))
        for name, function in read.items():
            with stored.reading(name):
                values[name] = function(values[name])
        found.append(kind(**values))
    return found


def record(kind: type[R], rows: sqlite3.Cursor, /, **read: Callable[[Any], Any]) -> R:
    """The only one of *rows*. Raises `BadRowError` where there is none."""
    found = records(kind, rows, **read)
    if not found:
        raise BadRowError(f"no {kind.__name__}")
    return found[0]


def insert(connection: sqlite3.Connection, table: str, /, **values: object) -> int:
    """Put a row with these *values*, by column, into *table*; its number."""
    marks = ", ".join("?" for _ in values)
    cursor = connection.execute(f"INSERT INTO {table} ({', '.join(values)}) VALUES ({marks})", tuple(values.values()))
    return cursor.lastrowid or 0

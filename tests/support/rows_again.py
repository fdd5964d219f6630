"""What a function wrote into a new audit, written again as rows: to make answers and to score them takes a second."""

import sqlite3
from collections.abc import Callable, Hashable
from typing import Any, TypeVar

T = TypeVar("T")

_Rows = dict[str, list[tuple[object, ...]]]
_OF_NEW = {"audit", "schema_history", "setting"}
"""Tables that hold something in a new audit, none of which *write* may change."""
_written: dict[Hashable, tuple[Any, _Rows]] = {}


def written_once(connection: sqlite3.Connection, key: Hashable, write: Callable[[], T]) -> T:
    """What *write* returns and leaves in *connection*'s audit, by its rows where it already ran for *key*.

    An audit that holds anything beside its name has it run in any case. *key* says all that its rows depend on, their
    times excepted, which are those of the first call.
    """
    before = _rows(connection)
    if set(before) - _OF_NEW:
        return write()
    if key not in _written:
        returned = write()
        after = _rows(connection)
        assert all(after.pop(table) == rows for table, rows in before.items())
        _written[key] = (returned, after)
        return returned
    returned, rows = _written[key]
    connection.execute("PRAGMA defer_foreign_keys = ON")
    for table, those in rows.items():
        # What a trigger has put there for the rows of another table.
        connection.execute(f"DELETE FROM {table}")
        connection.executemany(f"INSERT INTO {table} VALUES ({', '.join('?' * len(those[0]))})", those)
    return returned


def _rows(connection: sqlite3.Connection) -> _Rows:
    """Of all tables that hold any, but for those of a search index, which triggers fill."""
    listed = connection.execute("SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table'")
    tables = [name for (name,) in listed if not name.startswith("sqlite_")]
    found = {table: connection.execute(f"SELECT * FROM {table}").fetchall() for table in sorted(tables)}
    return {table: rows for table, rows in found.items() if rows}

"""Numbers of deleted rows are not given again: filters, reading plans and examples of a guideline hold them."""

import sqlite3
from typing import Final

from gpf_desktop.storage import audits

_TABLES: Final = ("run", "bundle", "cell")
_DIGITS: Final = 10


def keep(connection: sqlite3.Connection) -> None:
    """Remember the highest numbers, before rows are deleted."""
    for table in _TABLES:
        highest = max(_highest(connection, table), _kept(connection, table))
        audits.set_setting(connection, _name(table), str(highest))


def next_number(connection: sqlite3.Connection, table: str) -> int | None:
    """The number of the next row of *table*; None where SQLite's own, one more than the highest there is, was never
    used."""
    kept = _kept(connection, table)
    return kept + 1 if kept > _highest(connection, table) else None


def _name(table: str) -> str:
    return f"used numbers: {table}"


def _kept(connection: sqlite3.Connection, table: str) -> int:
    # In a file from elsewhere anything may stand here, and a pair's number has 31 bits for each of its cells.
    kept = audits.setting(connection, _name(table))
    return int(kept) if kept.isdecimal() and len(kept) < _DIGITS else 0


def _highest(connection: sqlite3.Connection, table: str) -> int:
    return int(connection.execute(f"SELECT coalesce(max(id), 0) FROM {table}").fetchone()[0])

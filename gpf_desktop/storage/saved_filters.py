"""Filters that reviewers of this audit kept under a name."""

import sqlite3

from gpf_desktop.domain.saved_filters import SavedFilter, filter_from_json, filter_to_json
from gpf_desktop.storage.times import now


def every(connection: sqlite3.Connection) -> list[SavedFilter]:
    """All saved filters by name, as people sort them."""
    found = [_saved(name, content) for name, content in connection.execute("SELECT name, content FROM saved_filter")]
    return sorted(found, key=lambda saved: saved.name.casefold())


def named(connection: sqlite3.Connection, name: str) -> SavedFilter | None:
    """The filter of this name, whatever its letters' case."""
    # Not in SQL: SQLite folds the case of ASCII letters only.
    return next((saved for saved in every(connection) if saved.name.casefold() == name.casefold()), None)


def put(connection: sqlite3.Connection, saved: SavedFilter) -> None:
    """Keep *saved*; one of the same name gives way."""
    remove(connection, saved.name)
    connection.execute(
        "INSERT INTO saved_filter (name, content, saved_at) VALUES (?, ?, ?)",
        (saved.name, filter_to_json(saved.wanted, saved.order), now()),
    )


def remove(connection: sqlite3.Connection, name: str) -> None:
    there = named(connection, name)
    if there is not None:
        connection.execute("DELETE FROM saved_filter WHERE name = ?", (there.name,))


def _saved(name: str, content: str) -> SavedFilter:
    wanted, order = filter_from_json(content)
    return SavedFilter(name=name, wanted=wanted, order=order)

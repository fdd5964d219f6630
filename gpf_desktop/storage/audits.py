"""The audit's own row and its settings."""

import sqlite3
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeVar

from gpf_desktop.storage import stored
from gpf_desktop.storage.times import as_moment

T = TypeVar("T")

_GUIDELINE = "review.guideline"
_METHOD = "method"


@dataclass(frozen=True, slots=True, kw_only=True)
class AuditFacts:
    """The facts in the window's title and in a report's first lines."""

    uuid: str
    title: str
    created: datetime
    sample: bool
    """Made by `gpf-desktop demo`: sample news and calibration models."""
    methods: tuple[str, ...] = ()
    """Names of the method that it was made for and of those of its rounds; empty: none yet."""


def facts(connection: sqlite3.Connection) -> AuditFacts:
    uuid, title, created, sample = connection.execute("SELECT uuid, title, created_at, sample FROM audit").fetchone()
    used = [row[0] for row in connection.execute("SELECT DISTINCT method FROM run ORDER BY id")]
    methods = tuple(dict.fromkeys(filter(None, (setting(connection, _METHOD), *used))))
    return AuditFacts(uuid=uuid, title=title, created=as_moment(created), sample=bool(sample), methods=methods)


def set_method(connection: sqlite3.Connection, method: str) -> None:
    """Say for which method the audit was made."""
    set_setting(connection, _METHOD, method)


def rename(connection: sqlite3.Connection, title: str) -> None:
    connection.execute("UPDATE audit SET title = ?", (title,))


def setting(connection: sqlite3.Connection, name: str, default: str = "") -> str:
    row = connection.execute("SELECT value FROM setting WHERE name = ?", (name,)).fetchone()
    return default if row is None else str(row[0])


def kept(connection: sqlite3.Connection, name: str, make: Callable[[Any], T], default: T) -> T:
    """What *make* makes of the structure that stands under *name*; *default* where nothing does.

    Raises `BadRowError` for what this program never writes there.
    """
    text = setting(connection, name)
    if not text:
        return default
    with stored.reading(f"setting “{name}”"):
        return make(stored.structure(text))


def set_setting(connection: sqlite3.Connection, name: str, value: str) -> None:
    connection.execute(
        "INSERT INTO setting (name, value) VALUES (?, ?) ON CONFLICT (name) DO UPDATE SET value = excluded.value",
        (name, value),
    )


def drop_setting(connection: sqlite3.Connection, name: str) -> None:
    connection.execute("DELETE FROM setting WHERE name = ?", (name,))


def guideline(connection: sqlite3.Connection) -> str:
    """The guideline that this audit's reviewers agreed to go by; empty: that of its method."""
    return setting(connection, _GUIDELINE)


def set_guideline(connection: sqlite3.Connection, text: str) -> None:
    set_setting(connection, _GUIDELINE, text.strip())

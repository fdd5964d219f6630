"""Drafts in the set-ups of studies that are no protocol yet, as each method's own editor left them."""

import sqlite3
from collections.abc import Mapping

from gpf_desktop.storage import audits

_DRAFT = "study.draft/"


def kept(connection: sqlite3.Connection, method: str) -> dict[str, str]:
    """The draft kept for *method*, by part."""
    begin = f"{_DRAFT}{method}/"
    rows = connection.execute(
        "SELECT name, value FROM setting WHERE substr(name, 1, ?) = ? ORDER BY name", (len(begin), begin)
    )
    return {name[len(begin) :]: value for name, value in rows}


def keep(connection: sqlite3.Connection, texts: Mapping[tuple[str, str], str]) -> None:
    """*texts* by method and part."""
    for (method, part), text in texts.items():
        audits.set_setting(connection, f"{_DRAFT}{method}/{part}", text)

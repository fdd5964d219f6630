"""What writer models were asked for in this audit, and what it cost: an account of it, oldest first."""

import json
import sqlite3
from collections.abc import Sequence
from typing import Final

from gpf_desktop.domain.writing import Provenance, provenance_of
from gpf_desktop.storage import audits

_ENTRY: Final = "writing.{n:08}"
"""A setting each: a call adds one, whatever the length of the account."""
_ENTRIES: Final = "name GLOB 'writing.*'"


def every(connection: sqlite3.Connection) -> list[Provenance]:
    """The whole account."""
    rows = connection.execute(f"SELECT value FROM setting WHERE {_ENTRIES} ORDER BY name")
    return [provenance_of(json.loads(value)) for (value,) in rows]


def add(connection: sqlite3.Connection, made: Sequence[Provenance]) -> None:
    """Put *made* at the end of it."""
    (kept,) = connection.execute(f"SELECT count(*) FROM setting WHERE {_ENTRIES}").fetchone()
    for n, each in enumerate(made, start=kept):
        audits.set_setting(connection, _ENTRY.format(n=n), json.dumps(each.data(), ensure_ascii=False))


def dollars(connection: sqlite3.Connection) -> float:
    """US dollars that writers have cost so far, as far as prices are known."""
    query = f"SELECT total(json_extract(value, '$.dollars')) FROM setting WHERE {_ENTRIES}"
    return float(connection.execute(query).fetchone()[0])

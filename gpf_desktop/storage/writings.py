"""What writer models were asked for in this audit, and what it cost: an account of it, oldest first."""

import json
import sqlite3
from collections.abc import Sequence

from gpf_desktop.domain.writing import Provenance, provenance_of
from gpf_desktop.storage import audits

_WRITINGS = "writings"


def every(connection: sqlite3.Connection) -> list[Provenance]:
    """The whole account."""
    return [provenance_of(each) for each in json.loads(audits.setting(connection, _WRITINGS, "[]"))]


def add(connection: sqlite3.Connection, made: Sequence[Provenance]) -> None:
    """Put *made* at the end of it. Reads and writes all of it."""
    kept = [*every(connection), *made]
    audits.set_setting(connection, _WRITINGS, json.dumps([each.data() for each in kept], ensure_ascii=False))


def dollars(connection: sqlite3.Connection) -> float:
    """US dollars that writers have cost so far, as far as prices are known."""
    return sum(each.dollars or 0.0 for each in every(connection))

"""Tasks of writer models in this audit, and their cost: an account of it, oldest first.

What they wrote waits here until it was taken into a study, so that a program that dies in between asks for nothing
twice.
"""

import json
import sqlite3
from collections.abc import Iterable
from typing import Any, Final

from gpf_desktop.domain.writing import Provenance, Written, provenance_of
from gpf_desktop.storage import audits, stored

_ENTRY: Final = "writing.{n:08}"
"""A setting each: a call adds one, whatever the length of the account."""
_ENTRIES: Final = "name GLOB 'writing.*'"
_WAITING: Final = "written.{asked}"
"""Of a question to a writer, whatever came of it last."""


def every(connection: sqlite3.Connection) -> list[Provenance]:
    """The whole account."""
    rows = connection.execute(f"SELECT value FROM setting WHERE {_ENTRIES} ORDER BY name")
    return [provenance_of(stored.structure(value)) for (value,) in rows]


def add(connection: sqlite3.Connection, written: Written) -> None:
    """Put *written* at the end of it; what was written waits for `taken`."""
    # Entries are never taken away, so that their number is the next one's.
    (n,) = connection.execute(f"SELECT count(*) FROM setting WHERE {_ENTRIES}").fetchone()
    made = written.provenance
    audits.set_setting(connection, _ENTRY.format(n=n), _json(made.data()))
    if written.records:
        records = [dict(each) for each in written.records]
        audits.set_setting(connection, _waiting(made.asked), _json({"records": records, "provenance": made.data()}))


def there_are(connection: sqlite3.Connection) -> bool:
    """Whether a writer was asked anything."""
    return bool(connection.execute(f"SELECT EXISTS (SELECT 1 FROM setting WHERE {_ENTRIES})").fetchone()[0])


def waiting(connection: sqlite3.Connection, asked: Iterable[str]) -> dict[str, Written]:
    """The texts for *asked* that were written and not taken yet, by `Provenance.asked`."""
    found = {each: audits.kept(connection, _waiting(each), _written, None) for each in asked}
    return {each: written for each, written in found.items() if written is not None}


def _written(data: Any) -> Written | None:
    return Written(records=tuple(data["records"]), trouble="", provenance=provenance_of(data["provenance"]))


def taken(connection: sqlite3.Connection, asked: Iterable[str]) -> None:
    """Forget what was written for *asked*, which is in a study now: the same is asked anew from then on."""
    for each in asked:
        audits.drop_setting(connection, _waiting(each))


def _waiting(asked: str) -> str:
    return _WAITING.format(asked=asked)


def _json(data: object) -> str:
    return json.dumps(data, ensure_ascii=False)


def dollars(connection: sqlite3.Connection) -> float:
    """US dollars that writers have cost so far, as far as prices are known."""
    query = f"SELECT total(json_extract(value, '$.dollars')) FROM setting WHERE {_ENTRIES}"
    return float(connection.execute(query).fetchone()[0])

"""Items that come with a protocol and not from a source: questions, sentences, whatever a method asks about."""

import json
import sqlite3
from collections.abc import Sequence

from gpf_desktop.domain.ids import ArticleId, BatchId
from gpf_desktop.domain.items import StudyItem
from gpf_desktop.storage import batches
from gpf_desktop.storage.texts import storable
from gpf_desktop.storage.times import now


def keep(connection: sqlite3.Connection, items: Sequence[StudyItem]) -> list[ArticleId]:
    """Store *items* that are not there yet, by their keys; the ids of all, in their order."""
    at = now()
    connection.executemany(
        "INSERT OR IGNORE INTO item (kind, key, title, text, stratum, data, retrieved_at) VALUES (?, ?, ?, ?, ?, ?, ?)",
        [
            (
                item.kind,
                item.key,
                storable(item.title),
                storable(item.text),
                storable(item.stratum),
                json.dumps(dict(item.data)),
                at,
            )
            for item in items
        ],
    )
    rows = connection.execute("SELECT key, id FROM item WHERE source_id IS NULL")
    ids = {str(key): ArticleId(number) for key, number in rows}
    return [ids[item.key] for item in items]


def batch_of(connection: sqlite3.Connection, name: str, items: Sequence[StudyItem]) -> BatchId:
    """Freeze *items* as a batch."""
    return batches.create(connection, name, keep(connection, items))

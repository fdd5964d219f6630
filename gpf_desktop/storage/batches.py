"""Batches: the articles of one round, their anchors frozen as the models see them."""

import sqlite3
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from gpf_desktop.domain.ids import ArticleId, BatchId
from gpf_desktop.domain.items import StudyItem
from gpf_desktop.storage import stored
from gpf_desktop.storage.rows import insert, records
from gpf_desktop.storage.times import as_moment, now


@dataclass(frozen=True, slots=True, kw_only=True)
class BatchArticle:
    """An article as a batch froze it."""

    id: ArticleId
    item: StudyItem
    url: str
    source: str
    stratum_by_auditor: bool = False
    """A person said what news it is, and it is kept with the batch as that."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Batch:
    """A stored batch."""

    id: BatchId
    name: str
    created: datetime
    articles: int


def create(connection: sqlite3.Connection, name: str, article_ids: Sequence[ArticleId]) -> BatchId:
    """Freeze *article_ids* as a batch. Each belongs to the first batch that uses it."""
    batch_id = BatchId(insert(connection, "batch", name=name, created_at=now()))
    for position, article_id in enumerate(article_ids):
        connection.execute(
            "INSERT INTO batch_item (batch_id, item_id, position, title, text, stratum, data)"
            " SELECT ?, id, ?, title, text, stratum, data FROM item WHERE id = ?",
            (batch_id, position, article_id),
        )
        connection.execute("UPDATE item SET batch_id = ? WHERE id = ? AND batch_id IS NULL", (batch_id, article_id))
    return batch_id


def articles(connection: sqlite3.Connection, batch_id: BatchId) -> list[BatchArticle]:
    rows = connection.execute(
        "SELECT b.item_id, a.kind, a.key, b.title, b.text, b.stratum, b.data, a.url, coalesce(s.title, ''),"
        # What a person says of it later is not what the round was asked with.
        " a.stratum_by_auditor AND a.stratum = b.stratum FROM batch_item b"
        " JOIN item a ON a.id = b.item_id LEFT JOIN source s ON s.id = a.source_id"
        " WHERE b.batch_id = ? ORDER BY b.position",
        (batch_id,),
    )
    return [
        BatchArticle(id=number, item=study_item(*frozen), url=url, source=source, stratum_by_auditor=bool(said))
        for number, *frozen, url, source, said in rows
    ]


def items_of(connection: sqlite3.Connection, where: str, number: int) -> dict[ArticleId, StudyItem]:
    """The items that cells of the bundles b that fit *where*, SQL of this package, ask about; in the batch's order."""
    rows = connection.execute(
        "SELECT DISTINCT c.item_id, a.kind, a.key, t.title, t.text, t.stratum, t.data, t.position FROM bundle b"
        " JOIN cell c ON c.bundle_id = b.id JOIN run r ON r.id = b.run_id JOIN item a ON a.id = c.item_id"
        f" JOIN batch_item t ON t.batch_id = r.batch_id AND t.item_id = c.item_id WHERE {where} ORDER BY t.position",
        (number,),
    )
    return {ArticleId(row[0]): study_item(*row[1:7]) for row in rows}


def study_item(kind: str, key: str, title: str, text: str, stratum: str, data: str) -> StudyItem:
    """An item as a batch froze it; *data* as JSON."""
    return StudyItem(kind=kind, key=key, title=title, text=text, stratum=stratum, data=stored.structure(data))


def every(connection: sqlite3.Connection) -> list[Batch]:
    """All batches, the newest first."""
    rows = connection.execute(
        "SELECT b.id, b.name, b.created_at AS created,"
        " (SELECT count(*) FROM batch_item x WHERE x.batch_id = b.id) AS articles FROM batch b ORDER BY b.id DESC"
    )
    return records(Batch, rows, created=as_moment)

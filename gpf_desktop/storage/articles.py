"""Articles: one row for each key, revisions kept."""

import json
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from gpf_desktop.domain.articles import Article, Item
from gpf_desktop.domain.ids import ArticleId, SourceId
from gpf_desktop.domain.items import ARTICLE
from gpf_desktop.domain.news_strata import Classification
from gpf_desktop.storage import stored
from gpf_desktop.storage.times import as_moment, as_text, now

_COLUMNS = (
    "a.id, a.source_id, s.title, a.title, a.text, a.url, a.key, a.published_at, a.published_stated,"
    " a.retrieved_at, a.stratum, a.stratum_by_auditor, a.matched, a.batch_id, a.synthetic, a.near_key, a.notes"
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ClassifiedItem:
    """An item ready to be stored."""

    item: Item
    classification: Classification
    near_key: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ArticleCount:
    """Articles of one stratum."""

    stratum: str
    total: int
    free: int
    """Used by no batch yet."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Revision:
    """Another wording of an article."""

    headline: str
    description: str
    retrieved: datetime


@dataclass(frozen=True, slots=True, kw_only=True)
class ArticleFilter:
    """Which articles a list shows; every field narrows."""

    source_id: SourceId | None = None
    stratum: str | None = None
    unused: bool = False
    words: str = ""
    """Must stand in the anchor, in whatever case."""


_EVERYTHING = ArticleFilter()


def keep(
    connection: sqlite3.Connection, source_id: SourceId, items: Iterable[ClassifiedItem], *, synthetic: bool = False
) -> int:
    """Store *items*; returns how many are new. A changed wording of an unused article becomes its text, the one
    before is kept as a revision; the text of an article that a batch used is never touched.

    An article belongs to the source that had it first. Another source's wording of it is no revision: the two
    would replace each other at every fetch.
    """
    new = 0
    for each in items:
        item = each.item
        row = connection.execute("SELECT id, title, text, source_id FROM item WHERE key = ?", (item.key,)).fetchone()
        if row is None:
            _insert(connection, source_id, each, synthetic=synthetic)
            new += 1
        elif row[3] == source_id and (row[1], row[2]) != (item.headline, item.description):
            _revise(connection, ArticleId(row[0]), each)
    return new


def get(connection: sqlite3.Connection, article_id: ArticleId) -> Article:
    row = connection.execute(
        f"SELECT {_COLUMNS} FROM item a JOIN source s ON s.id = a.source_id WHERE a.id = ?", (article_id,)
    ).fetchone()
    return _article(row)


def newest(
    connection: sqlite3.Connection,
    wanted: ArticleFilter = _EVERYTHING,
    *,
    limit: int = 200,
    before: Article | None = None,
) -> list[Article]:
    """A page of articles, newest first. *before* is the last one seen."""
    clauses, values = _narrowed(wanted)
    if before is not None:
        # From the last row on, by the whole key of the order: an offset would slip with every article that comes in.
        clauses.append("(a.published_at, a.id) < (?, ?)")
        values.extend((as_text(before.published), before.id))
    rows = connection.execute(
        f"SELECT {_COLUMNS} FROM item a JOIN source s ON s.id = a.source_id WHERE {' AND '.join(clauses)}"
        " ORDER BY a.published_at DESC, a.id DESC LIMIT ?",
        (*values, limit),
    )
    return [_article(row) for row in rows]


def ids(connection: sqlite3.Connection, wanted: ArticleFilter) -> list[ArticleId]:
    """All that *wanted* lets through, newest first, for a list that loads its rows as one scrolls."""
    clauses, values = _narrowed(wanted)
    rows = connection.execute(
        f"SELECT a.id FROM item a JOIN source s ON s.id = a.source_id WHERE {' AND '.join(clauses)}"
        " ORDER BY a.published_at DESC, a.id DESC",
        values,
    )
    return [ArticleId(row[0]) for row in rows]


def by_ids(connection: sqlite3.Connection, article_ids: Sequence[ArticleId]) -> list[Article]:
    """In the order given."""
    found: dict[ArticleId, Article] = {}
    for row in connection.execute(
        f"SELECT {_COLUMNS} FROM item a JOIN source s ON s.id = a.source_id"
        f" WHERE a.id IN ({', '.join('?' for _ in article_ids)})",
        tuple(article_ids),
    ):
        article = _article(row)
        found[article.id] = article
    return [found[each] for each in article_ids if each in found]


def _narrowed(wanted: ArticleFilter) -> tuple[list[str], list[object]]:
    clauses, values = ["s.active"], list[object]()
    if wanted.source_id is not None:
        clauses.append("a.source_id = ?")
        values.append(wanted.source_id)
    if wanted.unused:
        clauses.append("a.batch_id IS NULL")
    if wanted.stratum is not None:
        clauses.append("a.stratum = ?")
        values.append(wanted.stratum)
    if wanted.words:
        # SQLite folds the case of ASCII letters only: É and é stay apart. `instr` takes % and _ as they are.
        clauses.append("instr(lower(a.title || ' ' || a.text), lower(?))")
        values.append(wanted.words)
    return clauses, values


def set_stratum(
    connection: sqlite3.Connection, article_id: ArticleId, stratum: str, *, by_auditor: bool = True
) -> None:
    """The auditor's own choice, which the rule never changes again; *by_auditor* false takes such a choice back."""
    connection.execute(
        "UPDATE item SET stratum = ?, stratum_by_auditor = ? WHERE id = ?", (stratum, by_auditor, article_id)
    )


def counts(connection: sqlite3.Connection, source_id: SourceId | None = None) -> list[ArticleCount]:
    """Of one source or all in use: articles by stratum, used and free."""
    clause, values = ("", ()) if source_id is None else (" AND a.source_id = ?", (source_id,))
    rows = connection.execute(
        "SELECT a.stratum, count(*), count(*) FILTER (WHERE a.batch_id IS NULL) FROM item a"
        f" JOIN source s ON s.id = a.source_id WHERE s.active{clause} GROUP BY a.stratum",
        values,
    )
    return [ArticleCount(stratum=row[0], total=row[1], free=row[2]) for row in rows]


def used_near_keys(connection: sqlite3.Connection) -> set[str]:
    """Near keys of all articles that a batch has used."""
    rows = connection.execute("SELECT near_key FROM item WHERE batch_id IS NOT NULL AND near_key <> ''")
    return {row[0] for row in rows}


def near(connection: sqlite3.Connection, near_keys: Iterable[str]) -> list[Article]:
    """Articles of sources in use that share one of *near_keys*, the newest first."""
    wanted = [key for key in dict.fromkeys(near_keys) if key]
    rows = connection.execute(
        f"SELECT {_COLUMNS} FROM item a JOIN source s ON s.id = a.source_id"
        f" WHERE s.active AND a.near_key <> '' AND a.near_key IN ({', '.join('?' for _ in wanted)})"
        " ORDER BY a.published_at DESC, a.id DESC",
        wanted,
    )
    return [_article(row) for row in rows]


def revisions(connection: sqlite3.Connection, article_id: ArticleId) -> list[Revision]:
    """Other wordings that the same article had, the newest first."""
    rows = connection.execute(
        "SELECT title, text, retrieved_at FROM item_revision WHERE item_id = ? ORDER BY id DESC",
        (article_id,),
    )
    return [Revision(headline=row[0], description=row[1], retrieved=as_moment(row[2])) for row in rows]


def _insert(connection: sqlite3.Connection, source_id: SourceId, each: ClassifiedItem, *, synthetic: bool) -> None:
    item = each.item
    retrieved = now()
    connection.execute(
        "INSERT INTO item (kind, source_id, key, revision, title, text, url, published_at, published_stated,"
        " retrieved_at, stratum, matched, near_key, notes, synthetic)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            ARTICLE,
            source_id,
            item.key,
            item.revision,
            item.headline,
            item.description,
            item.url,
            # Lists are ordered by it, so it is never empty; `published_stated` tells whose moment it is.
            retrieved if item.published is None else as_text(item.published),
            item.published is not None,
            retrieved,
            each.classification.stratum,
            json.dumps(each.classification.matched, ensure_ascii=False),
            each.near_key,
            json.dumps(item.notes, ensure_ascii=False),
            synthetic,
        ),
    )


def _revise(connection: sqlite3.Connection, article_id: ArticleId, each: ClassifiedItem) -> None:
    item = each.item
    used = connection.execute("SELECT batch_id FROM item WHERE id = ?", (article_id,)).fetchone()[0] is not None
    if used:
        connection.execute(
            "INSERT INTO item_revision (item_id, revision, title, text, retrieved_at)"
            # The article's text stays, so the same new wording arrives at every fetch.
            " SELECT ?, ?, ?, ?, ? WHERE NOT EXISTS (SELECT 1 FROM item_revision"
            " WHERE item_id = ? AND title = ? AND text = ?)",
            (
                article_id,
                item.revision,
                item.headline,
                item.description,
                now(),
                article_id,
                item.headline,
                item.description,
            ),
        )
        return
    connection.execute(
        "INSERT INTO item_revision (item_id, revision, title, text, retrieved_at)"
        " SELECT id, revision, title, text, retrieved_at FROM item WHERE id = ?",
        (article_id,),
    )
    connection.execute(
        "UPDATE item SET revision = ?, title = ?, text = ?, retrieved_at = ?, near_key = ?,"
        " matched = CASE WHEN stratum_by_auditor THEN matched ELSE ? END,"
        " stratum = CASE WHEN stratum_by_auditor THEN stratum ELSE ? END WHERE id = ?",
        (
            item.revision,
            item.headline,
            item.description,
            now(),
            each.near_key,
            json.dumps(each.classification.matched, ensure_ascii=False),
            each.classification.stratum,
            article_id,
        ),
    )


def _article(row: tuple[Any, ...]) -> Article:
    return Article(
        id=ArticleId(row[0]),
        source_id=SourceId(row[1]),
        source_title=row[2],
        headline=row[3],
        description=row[4],
        url=row[5],
        key=row[6],
        published=as_moment(row[7]),
        published_stated=bool(row[8]),
        retrieved=as_moment(row[9]),
        stratum=row[10],
        stratum_by_auditor=bool(row[11]),
        matched=tuple(stored.structure(row[12])),
        used_in_batch=row[13],
        synthetic=bool(row[14]),
        near_key=row[15],
        notes=tuple(stored.structure(row[16])),
    )

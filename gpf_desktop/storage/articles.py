"""Articles: one row for each key, revisions kept."""

import json
import sqlite3
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from gpf_desktop.domain.articles import Article, Item
from gpf_desktop.domain.ids import ArticleId, SourceId
from gpf_desktop.domain.items import ARTICLE
from gpf_desktop.domain.news_strata import Classification
from gpf_desktop.storage import stored
from gpf_desktop.storage.rows import insert, records
from gpf_desktop.storage.times import as_moment, as_text, now

_SELECT = (
    "SELECT a.id, a.source_id, s.title AS source_title, a.title AS headline, a.text AS description, a.url, a.key,"
    " a.published_at AS published, a.published_stated, a.retrieved_at AS retrieved, a.stratum, a.stratum_by_auditor,"
    " a.matched, a.batch_id AS used_in_batch, a.synthetic, a.near_key, a.notes"
    " FROM item a JOIN source s ON s.id = a.source_id WHERE "
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
    """A filter of the articles in a list; every field narrows."""

    source_id: SourceId | None = None
    stratum: str | None = None
    unused: bool = False
    words: str = ""
    """Must stand in the anchor, in whatever case."""


_EVERYTHING = ArticleFilter()


def keep(
    connection: sqlite3.Connection,
    source_id: SourceId,
    items: Iterable[ClassifiedItem],
    *,
    synthetic: bool = False,
    began: datetime | None = None,
) -> int:
    """Store *items*; returns how many are new. A changed wording of an unused article becomes its text, the one
    before is kept as a revision; the text of an article that a batch used is never touched.

    An article belongs to the source that had it first. Another source's wording of it is no revision: the two
    would replace each other at every fetch. *began*: when they were sent for, the moment of those that state none, so
    that of sources fetched at once it does not depend on which answered first.
    """
    new = 0
    for each in items:
        item = each.item
        row = connection.execute("SELECT id, title, text, source_id FROM item WHERE key = ?", (item.key,)).fetchone()
        if row is None:
            _insert(connection, source_id, each, synthetic=synthetic, began=began)
            new += 1
        elif row[3] == source_id and (row[1], row[2]) != (item.headline, item.description):
            _revise(connection, ArticleId(row[0]), each)
    return new


def get(connection: sqlite3.Connection, article_id: ArticleId) -> Article:
    return _articles(connection, "a.id = ?", (article_id,))[0]


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
    where = f"{' AND '.join(clauses)} ORDER BY a.published_at DESC, a.id DESC LIMIT ?"
    return _articles(connection, where, (*values, limit))


def ids(connection: sqlite3.Connection, wanted: ArticleFilter) -> list[ArticleId]:
    """The articles that *wanted* lets through, newest first, for a list that loads its rows as one scrolls."""
    clauses, values = _narrowed(wanted)
    rows = connection.execute(
        f"SELECT a.id FROM item a JOIN source s ON s.id = a.source_id WHERE {' AND '.join(clauses)}"
        " ORDER BY a.published_at DESC, a.id DESC",
        values,
    )
    return [ArticleId(row[0]) for row in rows]


def by_ids(connection: sqlite3.Connection, article_ids: Sequence[ArticleId]) -> list[Article]:
    """The articles with these ids, in the order given."""
    marks = ", ".join("?" for _ in article_ids)
    found = {article.id: article for article in _articles(connection, f"a.id IN ({marks})", article_ids)}
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
    """The numbers of articles, used and free, by stratum; of one source, or of all in use."""
    clause, values = ("", ()) if source_id is None else (" AND a.source_id = ?", (source_id,))
    rows = connection.execute(
        "SELECT a.stratum, count(*) AS total, count(*) FILTER (WHERE a.batch_id IS NULL) AS free FROM item a"
        f" JOIN source s ON s.id = a.source_id WHERE s.active{clause} GROUP BY a.stratum",
        values,
    )
    return records(ArticleCount, rows)


def used_near_keys(connection: sqlite3.Connection) -> set[str]:
    """Near keys of all articles that a batch has used."""
    rows = connection.execute("SELECT near_key FROM item WHERE batch_id IS NOT NULL AND near_key <> ''")
    return {row[0] for row in rows}


def near(connection: sqlite3.Connection, near_keys: Iterable[str]) -> list[Article]:
    """Articles of sources in use that share one of *near_keys*, the newest first."""
    wanted = [key for key in dict.fromkeys(near_keys) if key]
    where = f"s.active AND a.near_key <> '' AND a.near_key IN ({', '.join('?' for _ in wanted)})"
    return _articles(connection, f"{where} ORDER BY a.published_at DESC, a.id DESC", wanted)


def revisions(connection: sqlite3.Connection, article_id: ArticleId) -> list[Revision]:
    """Other wordings that the same article had, the newest first."""
    rows = connection.execute(
        "SELECT title AS headline, text AS description, retrieved_at AS retrieved FROM item_revision"
        " WHERE item_id = ? ORDER BY id DESC",
        (article_id,),
    )
    return records(Revision, rows, retrieved=as_moment)


def _insert(
    connection: sqlite3.Connection,
    source_id: SourceId,
    each: ClassifiedItem,
    *,
    synthetic: bool,
    began: datetime | None,
) -> None:
    item, retrieved = each.item, now()
    undated = retrieved if began is None else as_text(began)
    insert(
        connection,
        "item",
        kind=ARTICLE,
        source_id=source_id,
        key=item.key,
        revision=item.revision,
        title=item.headline,
        text=item.description,
        url=item.url,
        # Lists are ordered by it, so it is never empty; `published_stated` tells whose moment it is.
        published_at=undated if item.published is None else as_text(item.published),
        published_stated=item.published is not None,
        retrieved_at=retrieved,
        stratum=each.classification.stratum,
        matched=json.dumps(each.classification.matched, ensure_ascii=False),
        near_key=each.near_key,
        notes=json.dumps(item.notes, ensure_ascii=False),
        synthetic=synthetic,
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


def _articles(connection: sqlite3.Connection, where: str, values: Sequence[object]) -> list[Article]:
    return records(
        Article,
        connection.execute(f"{_SELECT}{where}", values),
        published=as_moment,
        published_stated=bool,
        retrieved=as_moment,
        stratum_by_auditor=bool,
        matched=_strings,
        synthetic=bool,
        notes=_strings,
    )


def _strings(text: str) -> tuple[str, ...]:
    return tuple(stored.structure(text))

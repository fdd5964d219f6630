"""Chooses the articles of a batch: newest first, none used before, one report of each event."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import groupby

from gpf_desktop.domain.articles import Article
from gpf_desktop.domain.ids import ArticleId, SourceId
from gpf_desktop.storage import articles
from gpf_desktop.storage.articles import ArticleFilter
from gpf_desktop.storage.writer import Connection

_PAGE = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class ArticleChoice:
    """The numbers of articles to choose: of each source, of each stratum, or in all; where several are given, all
    hold."""

    per_source: int | None = None
    by_stratum: dict[str, int] | None = None
    in_all: int | None = None
    source_ids: tuple[SourceId, ...] = ()
    """Empty: every source in use."""
    words: str = ""
    """As `Article.holds` has them; empty: whatever an article says."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChosenArticles:
    """The articles that a choice comes to, the newest first, and what it passed over."""

    articles: tuple[Article, ...]
    near_duplicates: int = 0
    """Passed over, because nearly the same was chosen here or used in an earlier batch."""
    lacking: dict[str, int] = field(default_factory=dict)
    """How many of a stratum there are too few."""

    @property
    def ids(self) -> list[ArticleId]:
        return [article.id for article in self.articles]


def choose(connection: Connection, choice: ArticleChoice) -> ChosenArticles:
    """The same articles for the same state of the audit."""
    seen = articles.used_near_keys(connection)
    per_source: Counter[SourceId] = Counter()
    wanted = Counter(choice.by_stratum or {})
    chosen: list[Article] = []
    duplicates = 0
    full: set[SourceId] = set()
    sources = set(choice.source_ids)
    for article in _in_order(_free(connection, choice)):
        if (choice.by_stratum is not None and wanted.total() <= 0) or len(chosen) == choice.in_all:
            break
        if (sources and article.source_id not in sources) or article.source_id in full:
            continue
        if not article.holds(choice.words):
            continue
        if choice.by_stratum is not None and wanted[article.stratum] <= 0:
            continue
        # An empty key says that an article was not compared, and not that it is like the others without one.
        if article.near_key and article.near_key in seen:
            duplicates += 1
            continue
        seen.add(article.near_key)
        chosen.append(article)
        wanted[article.stratum] -= 1
        per_source[article.source_id] += 1
        if choice.per_source is not None and per_source[article.source_id] >= choice.per_source:
            full.add(article.source_id)
            if sources and full >= sources:
                break
    lacking = {stratum: n for stratum, n in wanted.items() if n > 0} if choice.by_stratum is not None else {}
    return ChosenArticles(articles=tuple(chosen), near_duplicates=duplicates, lacking=lacking)


def _in_order(newest: Iterator[Article]) -> Iterator[Article]:
    """Articles of one fetch that state no time stand together: sort those by source and place, so that the order does
    not depend on which source happened to answer first; all others stay where they are."""
    for (_, stated), group in groupby(newest, lambda article: (article.published, article.published_stated)):
        together = list(group)
        yield from together if stated else sorted(together, key=lambda article: (article.source_id, article.id))


def _free(connection: Connection, choice: ArticleChoice) -> Iterator[Article]:
    """Unused articles, the newest first, page by page; a single source is asked for by its index."""
    source = choice.source_ids[0] if len(choice.source_ids) == 1 else None
    wanted = ArticleFilter(unused=True, source_id=source)
    last: Article | None = None
    # A page at a time, so that a choice that is full early leaves the rest unread.
    while page := articles.newest(connection, wanted, limit=_PAGE, before=last):
        yield from page
        last = page[-1]

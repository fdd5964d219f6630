"""Service for the news of an audit: sources are added, fetched and removed, articles sorted and chosen.

Reads block and belong on a worker thread; commands return a future that resolves when what they did is durable.
`fetch_and_store` and `take` are the same without a window.
"""

import asyncio
import hashlib
from collections.abc import Coroutine, Iterable, Sequence
from concurrent.futures import Future
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from gpf_desktop.documents.addresses import web_address
from gpf_desktop.documents.targets import there
from gpf_desktop.domain.articles import Article, Dropped
from gpf_desktop.domain.errors import SourceError, StorageError, UnfitSourceError
from gpf_desktop.domain.events import SourceFailed, SourceFetched, SourcesChanged
from gpf_desktop.domain.ids import ArticleId, SourceId
from gpf_desktop.domain.news_strata import NewsStratum
from gpf_desktop.domain.ports.method_abilities import SortsNews
from gpf_desktop.domain.resources import resources
from gpf_desktop.domain.text import tr, trn
from gpf_desktop.engine.collect.choosing import ArticleChoice, ChosenArticles, choose
from gpf_desktop.engine.collect.collecting import Collected, Target, collect
from gpf_desktop.engine.collect.discovery import Candidate, Detection, detect, detect_first
from gpf_desktop.engine.collect.parsing_pool import ParsingPool
from gpf_desktop.engine.collect.source_health import TEXT_SCHEME
from gpf_desktop.engine.collect.source_store import FetchOutcome, detected, result_of_fetch
from gpf_desktop.engine.core import catalogue
from gpf_desktop.engine.core.context import EngineContext
from gpf_desktop.engine.core.followed_task import Tell, run_told
from gpf_desktop.engine.core.protocols import news_method
from gpf_desktop.engine.core.running_tasks import RunningTasks
from gpf_desktop.storage import articles, audits, sources
from gpf_desktop.storage.articles import ArticleCount, ArticleFilter, Revision
from gpf_desktop.storage.sources import SourceRow
from gpf_desktop.storage.writer import Connection

SAMPLE = "sample:news"
"""Target of the invented news that ship with the program, wherever the program lies."""

FETCH_TASK = "fetch"


@dataclass(frozen=True, slots=True, kw_only=True)
class StratumChange:
    """An auditor's word about an article, and what it replaced, so that it can be taken back."""

    article_id: ArticleId
    stratum: str
    by_auditor: bool
    """Whether the former stratum was the auditor's too."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ArticleLine:
    """A line of the list of articles."""

    article: Article
    near: tuple[Article, ...]
    """Other articles that say nearly the same, the newest first."""


_EVERYTHING = ArticleFilter()


class SourceService:
    """The sources and articles of one open audit."""

    def __init__(self, context: EngineContext) -> None:
        self._context = context
        self._tasks = RunningTasks(context.loop)
        self._parsing = ParsingPool()
        self.sizes: dict[str, int] = {}
        """How many articles the next batch shall have, of each stratum, or of all under an empty name; one each where
        nothing else was said since the audit was opened."""
        self.planned: frozenset[ArticleId] = frozenset()
        """Those that are ticked in the set-up of the next round."""

    def close(self) -> None:
        """End what is being fetched or looked at; what was stored stays."""
        self._tasks.cancel_all()
        self._parsing.shutdown()

    def sources(self) -> list[SourceRow]:
        """The sources in the order added."""
        return self._context.audit.read(sources.every)

    def dropped(self, source_id: SourceId) -> list[Dropped]:
        """Every item of the last answer that was not kept, with its reason."""
        return self._context.audit.read(lambda c: sources.dropped(c, source_id))

    def counts(self, source_id: SourceId | None = None) -> list[ArticleCount]:
        return self._context.audit.read(lambda c: articles.counts(c, source_id))

    def article_ids(self, wanted: ArticleFilter = _EVERYTHING) -> list[ArticleId]:
        """Newest first."""
        return self._context.audit.read(lambda c: articles.ids(c, wanted))

    def articles(self) -> list[Article]:
        """All of the audit, newest first."""
        return self._context.audit.read(lambda c: articles.by_ids(c, articles.ids(c, _EVERYTHING)))

    def lines(self, article_ids: Sequence[ArticleId]) -> list[ArticleLine]:
        """Articles in the order given, each with those elsewhere that say nearly the same."""

        def read(c: Connection) -> list[ArticleLine]:
            found = articles.by_ids(c, article_ids)
            like: dict[str, list[Article]] = {}
            for each in articles.near(c, [article.near_key for article in found]):
                like.setdefault(each.near_key, []).append(each)
            return [
                ArticleLine(
                    article=article,
                    near=tuple(other for other in like.get(article.near_key, ()) if other.id != article.id),
                )
                for article in found
            ]

        return self._context.audit.read(read)

    def revisions(self, article_id: ArticleId) -> list[Revision]:
        return self._context.audit.read(lambda c: articles.revisions(c, article_id))

    def preview(self, choice: ArticleChoice) -> ChosenArticles:
        """The articles that *choice* comes to now."""
        return self._context.audit.read(lambda c: choose(c, choice))

    def next_batch(self) -> ChosenArticles:
        """The proposal for the next batch, on whichever page."""
        names = [each.name for each in self.strata()]
        if names:
            return self.preview(ArticleChoice(by_stratum={name: self.sizes.get(name, 1) for name in names}))
        return self.preview(ArticleChoice(in_all=self.sizes.get("", 1)))

    def strata(self) -> Sequence[NewsStratum]:
        """The strata into which the audit's news is sorted; empty: its method keeps all news together."""
        sorter = self._sorter()
        return () if sorter is None else sorter.strata

    def asked_about(self) -> bool:
        """Whether rounds of this audit ask about its news; else it is text that studies may be made of."""
        methods = self._context.audit.read(audits.facts).methods
        return not methods or any(map(catalogue.is_about_news, methods))

    def detect(self, typed: str) -> "Future[Detection]":
        """Look at what was typed, pasted or dropped. The future raises `SourceError`; cancelling it stops the look."""
        return self._tasks.start(lambda: detect(typed, parse_in=self._parsing))

    def detect_first(self, ways: Sequence[str]) -> "Future[Detection]":
        """The first of a catalogue source's ways that works."""
        return self._tasks.start(lambda: detect_first(ways, parse_in=self._parsing))

    def add(self, candidates: Iterable[Candidate], *, typed: str = "", note: str = "") -> "Future[list[SourceId]]":
        """Keep detected sources with the items already seen. *typed* is what led to them; a file is named there."""
        return self._tasks.start(lambda: self._add(tuple(candidates), typed, note))

    def add_sample(self) -> "Future[list[SourceId]]":
        """The invented news that ship with the program."""
        return self._tasks.start(self._add_sample)

    def remove(self, source_ids: Sequence[SourceId]) -> "Future[None]":
        """Take sources off the page; their articles stay with the batches that used them, and come back with them."""
        return self._tasks.start(lambda: self._set_active(tuple(source_ids), active=False))

    def restore(self, source_ids: Sequence[SourceId]) -> "Future[None]":
        return self._tasks.start(lambda: self._set_active(tuple(source_ids), active=True))

    def fetch(self, source_ids: Sequence[SourceId] | None = None) -> "Future[list[FetchOutcome]]":
        """Fetch all sources, or just these. Cancelling the future stops those under way; what is stored stays."""
        return self._tasks.start(lambda: self.fetch_and_store(source_ids))

    def set_stratum(self, article_ids: Sequence[ArticleId], stratum: str) -> "Future[list[StratumChange]]":
        """The auditor's own choice; the future holds what `restore_strata` needs to take it back."""
        changes = tuple(StratumChange(article_id=each, stratum=stratum, by_auditor=True) for each in article_ids)
        return self.restore_strata(changes)

    def restore_strata(self, changes: Sequence[StratumChange]) -> "Future[list[StratumChange]]":
        """Set strata as *changes* say; the future holds what they were before."""
        return self._tasks.start(lambda: self._set_strata(tuple(changes)))

    async def fetch_and_store(self, source_ids: Sequence[SourceId] | None = None) -> list[FetchOutcome]:
        """Fetch all sources that are not gone, or just *source_ids*, each stored as soon as it is there.

        One `SourceFetched` or `SourceFailed` each. Raises `StorageError`.
        """
        rows = await self._context.read(sources.every)
        if source_ids is None:
            rows = [row for row in rows if not row.gone]
        else:
            rows = [row for row in rows if row.id in set(source_ids)]
        rows = [row for row in rows if not row.target.startswith(TEXT_SCHEME)]
        targets = [_target(row) for row in rows]
        # By object and not by value: two sources may have come to the same address, and equal targets would be one key.
        by_target = {id(target): row for target, row in zip(targets, rows, strict=True)}
        outcomes: list[FetchOutcome] = []
        began = datetime.now(UTC)

        async def fetch(tell: Tell) -> tuple[list[FetchOutcome], str]:
            tell(0, len(rows))

            async def keep(collected: Collected) -> None:
                outcomes.append(await self._keep(by_target[id(collected.target)], collected, began))
                tell(len(outcomes), len(rows))

            try:
                # A result is handed over on the loop and must not wait there: it is saved beside the fetching, so that
                # a busy disk holds up no source, and the group ends when all is stored.
                async with asyncio.TaskGroup() as saving:
                    await collect(targets, lambda result: _start(saving, keep(result)), parse_in=self._parsing)
            except BaseExceptionGroup as group:
                # A task group wraps what its tasks raise; callers are promised the `StorageError` itself.
                error = _storage_error(group)
                if error is None:
                    raise
                raise error from None
            return outcomes, _in_words(outcomes)

        return await run_told(self._context.emit, FETCH_TASK, fetch, trouble=tr("The sources could not be fetched."))

    def take(
        self, targets: Sequence[tuple[str, str]], per_source: int, words: str = ""
    ) -> tuple[list[ArticleId], tuple[str, ...]]:
        """Headless: the newest unused articles that hold *words* of *targets*, each (address or file, title), fetched
        now.

        Also gives notes on sources that failed or had nothing. Blocks; not for the engine's loop. Raises
        `StorageError`, and `SourceError` where a failure leaves nothing to take.
        """
        return self._tasks.start(lambda: self._take(tuple(targets), per_source, words)).result()

    async def _take(
        self, targets: Sequence[tuple[str, str]], per_source: int, words: str
    ) -> tuple[list[ArticleId], tuple[str, ...]]:
        def keep(c: Connection) -> list[SourceId]:
            return [_keep_target(c, target, title) for target, title in targets]

        ids = await self._context.write(keep)
        self._context.emit(SourcesChanged(source_ids=tuple(ids)))
        outcomes = await self.fetch_and_store(ids)
        chosen = await self._context.read(
            # A plan may name one source twice.
            lambda c: choose(c, ArticleChoice(per_source=per_source, source_ids=tuple(dict.fromkeys(ids)), words=words))
        )
        failed = [outcome for outcome in outcomes if outcome.error]
        if failed and not chosen.ids:
            unfit = all(outcome.unfit for outcome in failed)
            raise (UnfitSourceError if unfit else SourceError)(" ".join(outcome.sentence for outcome in failed))
        notes = [outcome.sentence for outcome in outcomes if outcome.sentence]
        if chosen.near_duplicates:
            notes.append(
                trn(
                    "Passed over as nearly the same: {n} article.",
                    "Passed over as nearly the same: {n} articles.",
                    chosen.near_duplicates,
                )
            )
        return chosen.ids, tuple(notes)

    async def _add(self, candidates: Sequence[Candidate], typed: str, note: str) -> list[SourceId]:
        ids: list[SourceId] = []
        for candidate in candidates:
            target = candidate.address or _local_target(candidate, typed)
            sorter = await asyncio.to_thread(self._sorter)
            write = await asyncio.to_thread(detected, target, candidate, sorter, note=note, synthetic=target == SAMPLE)
            outcome = await self._context.write(write)
            ids.append(outcome.source_id)
            self._announce(outcome)
        self._context.emit(SourcesChanged(source_ids=tuple(ids)))
        return ids

    async def _add_sample(self) -> list[SourceId]:
        ids = await self._context.write(lambda c: [_keep_target(c, SAMPLE, "")])
        await self.fetch_and_store(ids)
        return ids

    def _sorter(self) -> SortsNews | None:
        name = news_method(self._context.audit.read(audits.facts).methods)
        found: object = catalogue.methods().get(name)
        return found if isinstance(found, SortsNews) else None

    async def _keep(self, row: SourceRow, collected: Collected, began: datetime) -> FetchOutcome:
        sorter = await asyncio.to_thread(self._sorter)
        outcome = await self._context.write(await asyncio.to_thread(result_of_fetch, row, collected, sorter, began))
        self._announce(outcome)
        if outcome.new or collected.moved_to:
            self._context.emit(SourcesChanged(source_ids=(row.id,)))
        return outcome

    def _announce(self, outcome: FetchOutcome) -> None:
        if outcome.error:
            self._context.emit(SourceFailed(source_id=outcome.source_id, error=outcome.error))
        else:
            self._context.emit(
                SourceFetched(
                    source_id=outcome.source_id,
                    kept=outcome.kept,
                    new=outcome.new,
                    dropped=outcome.dropped,
                    unchanged=outcome.unchanged,
                )
            )

    async def _set_active(self, source_ids: tuple[SourceId, ...], *, active: bool) -> None:
        def write(c: Connection) -> None:
            for source_id in source_ids:
                sources.set_active(c, source_id, active=active)

        await self._context.write(write)
        self._context.emit(SourcesChanged(source_ids=source_ids))

    async def _set_strata(self, changes: tuple[StratumChange, ...]) -> list[StratumChange]:
        # Filled on the writer's thread; behind the await it is complete.
        touched: set[SourceId] = set()

        def write(c: Connection) -> list[StratumChange]:
            before = []
            for change in changes:
                article = articles.get(c, change.article_id)
                touched.add(article.source_id)
                before.append(
                    StratumChange(article_id=article.id, stratum=article.stratum, by_auditor=article.stratum_by_auditor)
                )
                articles.set_stratum(c, change.article_id, change.stratum, by_auditor=change.by_auditor)
            return before

        before = await self._context.write(write)
        self._context.emit(SourcesChanged(source_ids=tuple(touched)))
        return before


def _start(group: asyncio.TaskGroup, work: Coroutine[Any, Any, None]) -> None:
    group.create_task(work)


def _storage_error(group: BaseExceptionGroup[BaseException]) -> StorageError | None:
    for error in group.exceptions:
        found = _storage_error(error) if isinstance(error, BaseExceptionGroup) else error
        if isinstance(found, StorageError):
            return found
    return None


def _in_words(outcomes: Sequence[FetchOutcome]) -> str:
    """“41 new articles from 6 sources; 1 source failed.”"""
    new = sum(outcome.new for outcome in outcomes)
    failed = sum(bool(outcome.error) for outcome in outcomes)
    words = trn("{n} new article", "{n} new articles", new)
    words = tr("{articles} from {sources}", articles=words, sources=trn("{n} source", "{n} sources", len(outcomes)))
    return f"{words}; {trn('{n} source failed', '{n} sources failed', failed)}." if failed else f"{words}."


def _target(row: SourceRow) -> Target:
    address = str(_sample_file()) if row.target == SAMPLE else row.address
    return Target(address=address, etag=row.etag, last_modified=row.last_modified)


def kept_target(target: str) -> str:
    """*target* as an audit keeps it: an address with its scheme, a file by its whole path."""
    target = web_address(target) or target
    if "://" in target or target == SAMPLE:
        return target
    path = Path(target).expanduser().absolute()
    return SAMPLE if path == _sample_file().absolute() else str(path)


def _keep_target(connection: Connection, target: str, title: str) -> SourceId:
    """The source of *target*, added as it is named where it is new."""
    target = kept_target(target)
    if target == SAMPLE:
        title = title or tr("Sample news (invented)")
    return sources.keep(connection, target=target, kind="", title=title or target, synthetic=target == SAMPLE)


def _sample_file() -> Path:
    return resources() / "news" / "sample.rss"


def _local_target(candidate: Candidate, typed: str) -> str:
    """A file by its path, so that it can be read again; a text by what it says, so that it is added once."""
    document = candidate.document
    if document is None:
        raise SourceError(tr("This source has neither an address nor a text."))
    if document.address and "\n" not in typed:
        path = Path(typed.strip().strip("\"'").removeprefix("file://")).expanduser()
        if there(path) and path.is_file():
            return SAMPLE if path.absolute() == _sample_file().absolute() else str(path.absolute())
    return TEXT_SCHEME + hashlib.sha256(document.body).hexdigest()[:16]

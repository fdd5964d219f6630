"""Writes the result of a fetch or a detection into the audit: classified articles, and the source's health."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from gpf_desktop.domain.articles import Dropped, Item
from gpf_desktop.domain.errors import SourceError, UnfitSourceError
from gpf_desktop.domain.ids import SourceId
from gpf_desktop.domain.news_strata import Classification
from gpf_desktop.domain.ports.method_abilities import SortsNews
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.collect.collecting import Collected
from gpf_desktop.engine.collect.discovery import Candidate
from gpf_desktop.engine.collect.near_duplicates import near_key
from gpf_desktop.storage import articles, sources
from gpf_desktop.storage.articles import ClassifiedItem
from gpf_desktop.storage.sources import SourceRow
from gpf_desktop.storage.writer import Connection, Write


@dataclass(frozen=True, slots=True, kw_only=True)
class FetchOutcome:
    """The result of one fetch of one source: counts, or an error in words."""

    source_id: SourceId
    title: str
    kept: int = 0
    new: int = 0
    dropped: int = 0
    unchanged: bool = False
    """The server said so: the articles held are current."""
    error: str = ""
    unfit: bool = False
    """What is there is no news: the next fetch would say the same."""

    @property
    def sentence(self) -> str:
        """A sentence for the notes of a round; empty if all is well."""
        if self.error:
            return tr("{source}: {error}", source=self.title, error=self.error)
        if not self.unchanged and not self.kept:
            return tr("{source}: it holds no usable item now.", source=self.title)
        return ""


def classified(items: Iterable[Item], sorter: SortsNews | None) -> list[ClassifiedItem]:
    """Items with stratum and near key; some 50 µs each, so large lists belong on a worker thread."""
    return [
        ClassifiedItem(
            item=item,
            classification=sorter.classify(item.headline, item.description) if sorter else Classification(),
            near_key=near_key(item.headline, item.description),
        )
        for item in items
    ]


def result_of_fetch(
    row: SourceRow, collected: Collected, sorter: SortsNews | None, began: datetime
) -> Write[FetchOutcome]:
    """A write that stores *collected*, sent for when it *began*, for *row*. The slow part is done before it returns."""
    ready = classified(collected.harvest.items, sorter)

    def write(connection: Connection) -> FetchOutcome:
        if collected.gone:
            error = tr("The publisher says that this source no longer exists (HTTP 410). It is not asked again.")
            sources.record_failure(connection, row.id, error, gone=True)
            return FetchOutcome(source_id=row.id, title=row.title, error=error)
        if collected.error is not None:
            failure = _failure(row, collected, collected.error)
            sources.record_failure(connection, row.id, str(failure))
            unfit = isinstance(failure, UnfitSourceError)
            return FetchOutcome(source_id=row.id, title=row.title, error=str(failure), unfit=unfit)
        # After 304 the marks held are still those of the items held.
        sources.record_success(
            connection,
            row.id,
            etag=row.etag if collected.unchanged else collected.etag,
            last_modified=row.last_modified if collected.unchanged else collected.last_modified,
            address=collected.moved_to or None,
            kind=collected.kind or None,
            title=collected.title or None,
        )
        title = sources.get(connection, row.id).title
        if collected.unchanged:
            return FetchOutcome(source_id=row.id, title=title, kept=row.kept, dropped=row.dropped, unchanged=True)
        harvest = collected.harvest
        new = articles.keep(connection, row.id, ready, synthetic=row.synthetic, began=began)
        sources.record_yield(connection, row.id, kept=len(ready), dropped=harvest.dropped, uncounted=harvest.uncounted)
        return FetchOutcome(source_id=row.id, title=title, kept=len(ready), new=new, dropped=len(harvest.dropped))

    return write


def _failure(row: SourceRow, collected: Collected, error: SourceError) -> SourceError:
    """*error* of *row*; of an address that was a news source before, what is no news there now passes: a page about
    works on the site, or of a network that wants a login first."""
    sent = collected.document is not None and "://" in collected.document.address
    if row.succeeded is None or not sent or not isinstance(error, UnfitSourceError):
        return error
    return SourceError(
        error.what,
        tr("It gave articles before, and is tried again at the next fetch; a login page may stand before it."),
        details=error.details,
    )


def detected(
    target: str, candidate: Candidate, sorter: SortsNews | None, *, note: str, synthetic: bool
) -> Write[FetchOutcome]:
    """A write that adds a source as it was detected, its items at once: nothing need be fetched again."""
    ready = classified(candidate.items, sorter)
    dropped: tuple[Dropped, ...] = candidate.dropped

    def write(connection: Connection) -> FetchOutcome:
        source_id = sources.keep(
            connection, target=target, kind=candidate.kind, title=candidate.title, note=note, synthetic=synthetic
        )
        sources.record_success(connection, source_id, etag="", last_modified="", kind=candidate.kind)
        new = articles.keep(connection, source_id, ready, synthetic=synthetic)
        sources.record_yield(connection, source_id, kept=len(ready), dropped=dropped, uncounted=candidate.uncounted)
        return FetchOutcome(source_id=source_id, title=candidate.title, kept=len(ready), new=new, dropped=len(dropped))

    return write

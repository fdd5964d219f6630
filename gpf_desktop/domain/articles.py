"""News items on their way from a source to a batch."""

from dataclasses import dataclass, field
from datetime import datetime

from gpf_desktop.domain.ids import ArticleId, SourceId
from gpf_desktop.domain.items import StudyItem


@dataclass(frozen=True, slots=True, kw_only=True)
class Anchor:
    """The text of an article that models see, the same for every model."""

    headline: str
    description: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Item:
    """One news item as a source gave it, in plain text."""

    headline: str
    description: str
    url: str
    """Empty where the source gives none; then `key` is made from the headline."""
    key: str
    """What tells the article from others across fetches: the URL without tracking, query and fragment."""
    published: datetime | None
    """Aware; None where the source gives no usable time."""
    revision: str = ""
    """What marks a later wording of the same article, such as the fragment of its guid."""
    notes: tuple[str, ...] = ()
    """What was odd about it, in words ("no publication time: retrieval time used")."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Dropped:
    """An item that was not kept, with the reason that the page shows."""

    headline: str
    url: str
    reason: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Harvest:
    """The items of one document of a source: nothing disappears, every entry is kept or dropped with a reason."""

    title: str
    items: tuple[Item, ...]
    dropped: tuple[Dropped, ...] = ()
    uncounted: int = 0
    """Further entries over the cap, counted but not listed."""
    follow: tuple[str, ...] = ()
    """Addresses that hold the items when the document is only an index (a sitemap index, OPML)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Article:
    """One stored news item."""

    id: ArticleId
    source_id: SourceId
    source_title: str
    headline: str
    description: str
    url: str
    key: str
    published: datetime
    """When the source says; the retrieval time where it says nothing (`published_stated` is then False)."""
    published_stated: bool
    retrieved: datetime
    stratum: str
    """Of those of the audit's method (`domain.news_strata`); empty: it sorts no news."""
    stratum_by_auditor: bool
    matched: tuple[str, ...]
    used_in_batch: int | None
    """The first batch that used it; None while it is free."""
    synthetic: bool
    near_key: str = ""
    """Equal for articles that say nearly the same (`engine.collect.near_duplicates`); empty: not compared."""
    notes: tuple[str, ...] = ()
    """What was odd about it when it came, in words."""

    @property
    def anchor(self) -> Anchor:
        return Anchor(headline=self.headline, description=self.description)

    @property
    def item(self) -> StudyItem:
        return StudyItem(key=self.key, title=self.headline, text=self.description, stratum=self.stratum)

    def holds(self, words: str) -> bool:
        """Whether all of *words* stand in its headline, description, source or day (2026-11-29)."""
        return hold(words, self.headline, self.description, self.source_title, self.published.date().isoformat())

    @property
    def headline_only(self) -> bool:
        return not self.description


def hold(words: str, *said: str) -> bool:
    """Whether all of *words* stand in what is *said* of an article, in whatever case."""
    text = "\n".join(said).casefold()
    return all(word in text for word in words.casefold().split())


@dataclass(frozen=True, slots=True, kw_only=True)
class Document:
    """Bytes that were fetched, dropped or pasted, and what is known about them."""

    body: bytes = field(repr=False)
    """Not in `repr`: asyncio writes out a finished task's result in places, and 60 MB of it took 0.2 s."""
    content_type: str = ""
    """As declared, lower-case, with its charset if any."""
    address: str = ""
    """Final URL or file name; relative links are resolved against it."""
    retrieved: datetime | None = None
    """When it came in, aware; relative times ("2 hours ago") are counted from it."""
    cut: bool = False
    """The end is missing: the transfer broke off, or a cap on size was reached."""

"""Detection of sources: one box takes an address, a path or text; this says what stands there, with a preview.

a feed, sitemap, index, file or text   → one kind, its first items
the address of a site                  → the feeds and news sitemaps that the site offers, each with a preview
"""

import asyncio
from collections.abc import Iterable, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass, replace
from pathlib import Path
from urllib.parse import urljoin, urlsplit

from gpf_desktop.documents.addresses import resolve, web_address
from gpf_desktop.documents.encodings import text as decoded
from gpf_desktop.documents.plain_text import plain, shorten, tags
from gpf_desktop.domain.articles import Document, Dropped, Item
from gpf_desktop.domain.errors import SourceError, UnfitSourceError
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.collect.collecting import Collected, Target, collect_one
from gpf_desktop.engine.collect.fetching import Caps, fetch
from gpf_desktop.engine.collect.reading import WebPageError

PREVIEW = 5
SITE = "site"
"""`Detection.kind` of a web page that offers sources; every other kind is a source plug-in's name."""

_TRIED_AT_MOST = 24
_CANDIDATE_CAPS = Caps(size=16 * 1024 * 1024, seconds=12.0, redirects=3)
_FEED_TYPES = ("rss", "atom", "rdf", "feed+json")
_COMMON_PATHS = (
    "/feed", "/rss", "/rss.xml", "/feed.xml", "/atom.xml", "/index.xml", "/feed.json", "/news/rss.xml",
    "/news-sitemap.xml", "/sitemap-news.xml", "/sitemap_news.xml", "/googlenews.xml",
)  # fmt: skip
_PAGE_LOOK = 2 * 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """One source that can be ticked: what it is, and its first items."""

    address: str
    """To be stored and fetched from now on; empty for text and files, whose `document` is kept instead."""
    title: str
    kind: str
    kind_title: str
    items: tuple[Item, ...]
    dropped: tuple[Dropped, ...] = ()
    uncounted: int = 0
    document: Document | None = None

    @property
    def preview(self) -> tuple[Item, ...]:
        """The first five items."""
        return self.items[:PREVIEW]

    @property
    def kept(self) -> int:
        return len(self.items)


@dataclass(frozen=True, slots=True, kw_only=True)
class Detection:
    """The kind of what was typed, pasted or dropped, in words, and the sources found there (at least one)."""

    kind: str
    words: str
    title: str
    candidates: tuple[Candidate, ...]
    notes: tuple[str, ...] = ()
    """Which other ways were tried before, and why they did not work."""
    missed: tuple[Dropped, ...] = ()
    """Of a list of feeds: those that offer nothing, each with its address and the reason."""

    @property
    def preview(self) -> tuple[Item, ...]:
        return self.candidates[0].preview


async def detect(typed: str, *, parse_in: Executor | None = None, caps: Caps | None = None) -> Detection:
    """Says what *typed* is. Raises `SourceError` in a user's words where it holds no source.

    A source whose every entry was dropped is a detection too: its candidate has no items, and the reasons.
    """
    found = await look(typed, parse_in=parse_in, caps=caps)
    if isinstance(found.error, WebPageError):
        return await offered_by(found, parse_in=parse_in)
    if found.error is not None:
        raise found.error
    listed = [part for part in found.parts if part.kind != found.kind]
    # An index of its own kind (a sitemap of sitemaps) is one source; a list of other kinds (OPML) is many.
    candidates = _distinct(listed)
    return Detection(
        kind=found.kind,
        words=found.kind_title,
        title=found.title,
        candidates=candidates or (candidate_of(found),),
        missed=(*found.missed, *_empty(listed)) if candidates else found.missed,
    )


async def detect_first(ways: Sequence[str], *, parse_in: Executor | None = None, caps: Caps | None = None) -> Detection:
    """The first of *ways* to a source that yields items, with a note for each that did not. Raises the last error."""
    notes: list[str] = []
    failed: SourceError = _empty_box()
    for way in ways:
        try:
            found = await detect(way, parse_in=parse_in, caps=caps)
            if not found.preview:
                raise _nothing_usable(found)
        except SourceError as error:
            failed = error
            notes.append(tr("{address} did not work: {why}", address=way, why=error.what))
        else:
            works = tr("{address} works and is used.", address=way)
            return replace(found, notes=(*notes, works) if notes else ())
    raise failed


async def look(typed: str, *, parse_in: Executor | None = None, caps: Caps | None = None) -> Collected:
    """Collect what stands at *typed*, by https and then by http if no scheme is given. Raises only if nothing is
    typed."""
    typed = typed.strip()
    if not typed:
        raise _empty_box()
    target = _target(typed)
    guessed = target.document is None and "://" not in typed and web_address(typed) is not None
    # A guess gets less time, because http is tried behind it.
    found = await collect_one(target, parse_in=parse_in, caps=_CANDIDATE_CAPS if guessed and caps is None else caps)
    if guessed and _unreachable(found):
        by_http = await collect_one(replace(target, address=f"http://{typed}"), parse_in=parse_in, caps=caps)
        # Where neither way leads anywhere, what is told is what https met: it is the way that was meant.
        found = found if _unreachable(by_http) else by_http
    if found.gone:
        return replace(found, error=SourceError(tr("The source says that it is no longer published (HTTP 410).")))
    return found


def _target(typed: str) -> Target:
    if "\n" not in typed and not typed.startswith(("<", "{", "[{")):
        # Words with blanks are text; the path of a file whose name has some is told by its slash.
        is_sentence = " " in typed and web_address(typed) is None and "/" not in typed and "\\" not in typed
        if not is_sentence:
            return Target(address=typed.strip("\"'"))
    return Target(document=Document(body=typed.encode("utf-8", "replace")))


def _unreachable(found: Collected) -> bool:
    return found.error is not None and found.document is None


def candidate_of(found: Collected) -> Candidate:
    """The collected target *found* as a candidate that can be ticked."""
    address = found.moved_to or web_address(found.target.address) or ""
    place = "" if found.document is None else found.document.address
    is_file = found.document is not None and "://" not in place
    local = found.target.document is not None or is_file
    return Candidate(
        address="" if local else address,
        title=found.title or (Path(place).name if is_file else _site_name(address)) or found.kind_title,
        kind=found.kind,
        kind_title=found.kind_title,
        items=found.harvest.items,
        dropped=found.harvest.dropped,
        uncounted=found.harvest.uncounted,
        document=found.document if local else None,
    )


async def offered_by(page: Collected, *, parse_in: Executor | None = None) -> Detection:
    """The feeds and news sitemaps of a site, *page* being one of its pages. Raises `SourceError` where it has none."""
    document = page.document or Document(body=b"")
    address = document.address
    markup = decoded(replace(document, body=document.body[:_PAGE_LOOK]))
    if "://" not in address:
        raise page.error or _nothing_on(address)
    sitemaps = await _robots_sitemaps(address, inside=page.inside)
    named = [*_linked_feeds(markup, address), *sitemaps, *_linked_by_name(markup, address)]
    guessed = [urljoin(address, path) for path in _COMMON_PATHS]
    # What the site names comes first: of several addresses with the same items `_distinct` keeps the first.
    addresses = list(dict.fromkeys((*named, *guessed)))[:_TRIED_AT_MOST]
    targets = [Target(address=one, typed=False, inside=page.inside) for one in addresses]
    found = await asyncio.gather(*(collect_one(one, parse_in=parse_in, caps=_CANDIDATE_CAPS) for one in targets))
    candidates = _distinct(found)
    if not candidates:
        raise _nothing_on(address)
    title = _page_title(markup) or _site_name(address)
    return Detection(kind=SITE, words=tr("Web site with sources"), title=title, candidates=candidates)


def _distinct(found: Sequence[Collected]) -> tuple[Candidate, ...]:
    """Candidates of *found* that hold items, each set of items once: an earlier address wins over a later one."""
    seen: set[frozenset[str]] = set()
    kept: list[Candidate] = []
    for one in found:
        keys = frozenset(item.key for item in one.harvest.items)
        if one.error is None and keys and keys not in seen:
            seen.add(keys)
            kept.append(candidate_of(one))
    return tuple(kept)


def _empty(found: Sequence[Collected]) -> list[Dropped]:
    """The results that could be read but hold no item, or the same items as an earlier one, each with its reason."""
    seen: set[frozenset[str]] = set()
    empty: list[Dropped] = []
    for one in found:
        keys = frozenset(item.key for item in one.harvest.items)
        if one.error is None and not one.gone and (not keys or keys in seen):
            reasons = dict.fromkeys(dropped.reason for dropped in one.harvest.dropped)
            why = "; ".join([*reasons][:3]) or tr("it has no entries")
            reason = tr("it holds the same as an earlier one of the list") if keys else why
            empty.append(Dropped(headline=one.title, url=one.target.address, reason=reason))
        seen.add(keys)
    return empty


def _linked_feeds(markup: str, base: str) -> Iterable[str]:
    for tag in tags(markup, frozenset({"link"})):
        kind = tag.attributes.get("type", "").lower()
        if "alternate" in tag.attributes.get("rel", "").lower() and any(name in kind for name in _FEED_TYPES):
            whole = resolve(base, tag.attributes.get("href", ""))
            if whole:
                yield whole


def _linked_by_name(markup: str, base: str) -> Iterable[str]:
    """Links in the page whose address sounds like a feed's."""
    for tag in tags(markup, frozenset({"a"})):
        whole = resolve(base, tag.attributes.get("href", ""))
        path = urlsplit(whole).path.lower() if whole else ""
        if path.endswith(
            (".rss", ".atom", "rss.xml", "feed.xml", "atom.xml", "/rss", "/feed", "/rss/", "/feed/", ".rdf")
        ):
            yield whole


async def _robots_sitemaps(address: str, *, inside: bool) -> list[str]:
    """Sitemaps that the site's robots.txt names, those for news first."""
    try:
        fetched = await fetch(urljoin(address, "/robots.txt"), caps=_CANDIDATE_CAPS, typed=False, inside=inside)
    except SourceError:
        return []
    if fetched.document is None:
        return []
    named = [
        resolve(address, line.partition(":")[2].strip())
        for line in decoded(fetched.document)[:200_000].splitlines()
        if line.strip().lower().startswith("sitemap:")
    ]
    return sorted((one for one in named if one), key=lambda one: "news" not in one.lower())[:8]


def _page_title(markup: str) -> str:
    start = markup.lower().find("<title")
    end = markup.find("<", start + 6)
    return shorten(plain(markup[start:end] + "</title>"), 120) if 0 <= start < end else ""


def _site_name(address: str) -> str:
    return (urlsplit(address).hostname or "").removeprefix("www.")


def _nothing_on(address: str) -> UnfitSourceError:
    return UnfitSourceError(
        tr(
            "{host} is a web page on which no feed and no news sitemap was found.",
            host=urlsplit(address).hostname or address,
        ),
        tr("Look for “RSS” on the site and paste that address, or pick a source from the catalogue."),
    )


def _nothing_usable(found: Detection) -> UnfitSourceError:
    reasons = list(dict.fromkeys(one.reason for one in found.candidates[0].dropped))
    why = "; ".join(reasons[:3]) or tr("it has no entries")
    return UnfitSourceError(tr("{kind}, but nothing in it can be used: {why}.", kind=found.words, why=why))


def _empty_box() -> UnfitSourceError:
    return UnfitSourceError(tr("There is nothing here."), tr("Paste an address, the path of a file, or news text."))

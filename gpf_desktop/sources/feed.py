"""RSS 0.9x to 2.0, Atom and RDF feeds."""

import io
import re
import time
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from gpf_desktop.documents.character_references import with_escaped_ampersands
from gpf_desktop.documents.encodings import utf8
from gpf_desktop.documents.guessed_encodings import stated_language
from gpf_desktop.documents.harvesting import RawEntry, harvest
from gpf_desktop.documents.sniffing import root_element
from gpf_desktop.documents.stated_times import read_time
from gpf_desktop.domain.articles import Document, Harvest
from gpf_desktop.domain.errors import SourceError
from gpf_desktop.domain.options import NoOptions
from gpf_desktop.domain.ports.source import Source
from gpf_desktop.domain.text import Translated, tr
from gpf_desktop.sources._feed_cutting import cut_feed
from gpf_desktop.sources._feed_markup import from_markup, from_text, without_captions, without_link_list, without_way_on

_ROOTS = frozenset({"rss", "feed", "rdf", "channel"})
_FOREIGN = re.compile(
    rb"</?(?!(?:a10|atom\d*|content|dc|dcterms|feedburner|itunes|media|pheedo|rdf|rss)\d*:)[\w.-]+:[^<>]*>",
    re.IGNORECASE,
)
"""Elements of other vocabularies, of chapters and of places: nothing of an article, and more than once what feedparser
stumbles over."""


class FeedSource(Source):
    """Reads what feed readers read, also where it is not quite well-formed."""

    name = "feed"
    version = "1"
    title = Translated("RSS, Atom or RDF feed")

    def sniff(self, document: Document) -> float:
        return 0.95 if root_element(document) in _ROOTS else 0.0

    def parse(self, document: Document, options: NoOptions, *, limit: int) -> Harvest:  # noqa: ARG002
        if root_element(document) not in _ROOTS:
            raise SourceError(tr("This is not an RSS, Atom or RDF feed."))
        language = stated_language(document.body)
        cut = cut_feed(utf8(document), limit=limit, now=document.retrieved, language=language)
        parsed = _parsed(cut.body, fetched="://" in document.address)
        title = _text(parsed.feed, "title")
        return harvest(
            document,
            title,
            [_raw(entry, title, document.retrieved, atom=parsed.atom) for entry in parsed.entries],
            limit=limit,
            dropped=cut.dropped,
            uncounted=cut.uncounted,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Parsed:
    feed: dict[str, Any]
    entries: list[dict[str, Any]]
    atom: bool


def _parsed(body: bytes, *, fetched: bool) -> _Parsed:
    # No base address is given: relative links are made whole later, and a guid such as "a-17" stays what it is.
    # It takes the end of a tag behind a bare ampersand for that of a reference.
    body = with_escaped_ampersands(body)
    try:
        parsed = _understood_by_feedparser(body)
    except Exception as error:
        # It lets ValueError, OverflowError, UnicodeEncodeError and others out.
        again = tr("Its publisher has to repair it; it is tried again at the next fetch.")
        raise SourceError(
            tr("The feed holds a construct that stands for nothing ({reason}).", reason=str(error)[:200]),
            again if fetched else tr("Its publisher has to repair it."),
            details=repr(error),
        ) from error
    if parsed.get("bozo") and not parsed.entries and not parsed.feed.get("title"):
        reason = str(parsed.get("bozo_exception", "")).replace("<unknown>:", "line ")
        raise SourceError(tr("The feed is not well-formed XML ({reason}).", reason=reason[:200]))
    atom = str(parsed.get("version") or "").startswith("atom")
    return _Parsed(feed=parsed.feed, entries=list(parsed.entries), atom=atom)


def _understood_by_feedparser(body: bytes) -> Any:
    """*body* as feedparser has it; where it breaks down, without what is of other vocabularies. Raises what it raises
    of the rest."""
    import feedparser

    def parsed(markup: bytes) -> Any:
        # Never a string: feedparser opens addresses and files that it is handed.
        headers = {"content-type": "application/xml; charset=utf-8"}
        return feedparser.parse(
            io.BytesIO(markup), response_headers=headers, sanitize_html=False, resolve_relative_uris=False
        )

    try:
        return parsed(body)
    except Exception:
        return parsed(_FOREIGN.sub(b"", body))


def _raw(entry: dict[str, Any], feed_title: str, now: datetime | None, *, atom: bool) -> RawEntry:
    guid = _text(entry, "id")
    published, updated = _text(entry, "published"), _text(entry, "updated") or _text(entry, "created")
    source = dict.get(entry, "source")
    publishers = (_text(source, "title"), feed_title) if isinstance(source, dict) else (feed_title,)
    headline, url = _markup(entry, "title", dict.get(entry, "title_detail"), atom=atom), _link(entry, guid)
    return RawEntry(
        headline=headline,
        # Within it the link may be the aggregator's or the article's.
        description=without_way_on(_description(entry, atom=atom), _text(entry, "link") or url, headline),
        url=url,
        guid=guid,
        published=_understood(published or updated, dict.get(entry, "published_parsed"), now),
        revision=updated if published and updated != published else "",
        publishers=publishers,
    )


def _description(entry: dict[str, Any], *, atom: bool) -> str:
    content: dict[str, Any] = next(iter(dict.get(entry, "content") or ()), {})
    # A content without a summary is feedparser's summary too, but not its type.
    summary = _markup(entry, "summary", dict.get(entry, "summary_detail") or content, atom=atom)
    summary = summary or _markup(content, "value", content, atom=atom)
    # Aggregators' clusters: a list of links to other publishers' headlines describes nothing.
    return without_link_list(without_captions(summary))


def _markup(holder: Any, key: str, detail: Any, *, atom: bool) -> str:
    """*key* of *holder* as markup. Only Atom says which of its texts are plain; elsewhere feedparser guesses it."""
    value = _text(holder, key)
    plain = atom and isinstance(detail, dict) and detail.get("type") == "text/plain"
    return from_text(value) if plain else from_markup(value)


def _link(entry: dict[str, Any], guid: str) -> str:
    alternates = (link for link in dict.get(entry, "links") or () if _text(link, "rel") in {"", "alternate"})
    # FeedBurner and its like put their own address into the article's place.
    moved = (_text(entry, name) for name in ("feedburner_origlink", "pheedo_origlink"))
    stated = (*moved, _text(entry, "link"), *(_text(link, "href") for link in alternates))
    # feedparser takes any guid for a link where none came before it, unless the feed says otherwise, and few say so.
    return next((link for link in stated if link and (link != guid or "://" in guid)), "")


def _understood(stated: str, parsed: time.struct_time | None, now: datetime | None) -> str:
    """*stated* where we can read it, else what feedparser made of it: it knows some more languages."""
    if parsed is None or read_time(stated, now=now).when is not None:
        return stated
    try:
        return datetime(*parsed[:6], tzinfo=UTC).isoformat()
    except ValueError:
        return stated


def _text(holder: Any, key: str) -> str:
    # `dict.get`, because feedparser's own warns when "updated" is asked for and only "published" is there.
    value = dict.get(holder, key)
    return value if isinstance(value, str) else ""


SOURCE = FeedSource()

"""JSON Feed 1.0 and 1.1."""

from typing import Any

from gpf_desktop.documents.harvesting import RawEntry, harvest
from gpf_desktop.documents.sniffing import head
from gpf_desktop.domain.articles import Document, Harvest
from gpf_desktop.domain.errors import SourceError
from gpf_desktop.domain.options import NoOptions
from gpf_desktop.domain.ports.source import Source
from gpf_desktop.domain.text import Translated, tr
from gpf_desktop.sources._json_text import read_json, strings

_MARK = b"jsonfeed.org/version/"


class JsonFeedSource(Source):
    """Reads the feed format of jsonfeed.org."""

    name = "json-feed"
    version = "1"
    title = Translated("JSON Feed")

    def sniff(self, document: Document) -> float:
        start = head(document)
        if not start.startswith(b"{"):
            return 0.0
        # Some writers of JSON, PHP's among them, escape each slash. In UTF-16 only the beginning is read for it.
        marked = any(_MARK in part.replace(b"\\/", b"/") for part in (start, document.body))
        return 0.95 if marked or document.content_type.startswith("application/feed+json") else 0.0

    def parse(self, document: Document, options: NoOptions, *, limit: int) -> Harvest:  # noqa: ARG002 - the port's
        feed = read_json(document)
        items = feed.get("items") if isinstance(feed, dict) else None
        if not isinstance(items, list):
            raise SourceError(tr("The JSON Feed has no list of items."))
        title = strings(feed, ("title",))
        return harvest(document, title, [_raw(item, title) for item in items], limit=limit)


def _raw(item: Any, feed_title: str) -> RawEntry:
    published, modified = strings(item, ("date_published",)), strings(item, ("date_modified",))
    guid = strings(item, ("id",))
    return RawEntry(
        headline=strings(item, ("title",)),
        description=strings(item, ("summary", "content_text", "content_html")),
        # The address of the article is the best of ids, says the format.
        url=strings(item, ("url", "external_url")) or (guid if "://" in guid else ""),
        guid=guid,
        published=published or modified,
        revision=modified if published and modified != published else "",
        publishers=(feed_title,),
    )


SOURCE = JsonFeedSource()

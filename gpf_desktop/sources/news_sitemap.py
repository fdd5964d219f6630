"""News sitemaps, and sitemap indexes that lead to them."""

from gpf_desktop.documents.addresses import resolve
from gpf_desktop.documents.encodings import utf8
from gpf_desktop.documents.harvesting import ENTRY_LIMIT, RawEntry, broken_off, harvest
from gpf_desktop.documents.sniffing import root_element
from gpf_desktop.documents.xml_events import Element, read_elements
from gpf_desktop.domain.articles import Document, Harvest
from gpf_desktop.domain.errors import SourceError
from gpf_desktop.domain.options import NoOptions
from gpf_desktop.domain.ports.source import Source
from gpf_desktop.domain.text import Translated, tr

_ROOTS = frozenset({"urlset", "sitemapindex"})


class NewsSitemapSource(Source):
    """Reads addresses with news titles; a sitemap gives no descriptions, so its articles are headline-only."""

    name = "news-sitemap"
    version = "1"
    title = Translated("News sitemap")

    def sniff(self, document: Document) -> float:
        return 0.95 if root_element(document) in _ROOTS else 0.0

    def parse(self, document: Document, options: NoOptions, *, limit: int) -> Harvest:  # noqa: ARG002 - the port's
        reader = _Reader()
        broken = read_elements(utf8(document), reader.ended)
        if broken and not reader.entries and not reader.sitemaps:
            raise SourceError(tr("The sitemap is not well-formed XML ({reason}).", reason=broken))
        # News indexes list the newest part first or date each part; a dated one is followed from the newest on.
        # Compared as they are written: zones may put two neighbours the wrong way round, which costs nothing here.
        newest_first = sorted(reader.sitemaps, key=lambda sitemap: sitemap[0], reverse=True)
        follow = [whole for _, loc in newest_first if (whole := resolve(document.address, loc))]
        title = tr("Sitemap of {site}", site=reader.publisher) if reader.publisher else ""
        return harvest(
            document,
            title,
            reader.entries,
            limit=limit,
            dropped=broken_off(document, broken),
            uncounted=reader.over,
            follow=follow,
        )


class _Reader:
    """Collects the parts of each `url` and `sitemap` as they end."""

    def __init__(self) -> None:
        self.entries: list[RawEntry] = []
        self.over = 0
        self.sitemaps: list[tuple[str, str]] = []
        self.publisher = ""
        self._parts: dict[str, str] = {}

    def ended(self, element: Element) -> None:
        match element.name:
            case "url":
                self._entry()
            case "sitemap":
                self.sitemaps.append((self._parts.get("lastmod", ""), self._parts.get("loc", "")))
                self._parts = {}
            case "loc" if element.path[-1:] not in {("url",), ("sitemap",)}:
                # An image or video of the article has an address of its own.
                return
            case "loc" | "title" | "publication_date" | "name" | "lastmod":
                if "image" not in element.path and "video" not in element.path:
                    self._parts.setdefault(element.name, element.text)
            case _:
                return

    def _entry(self) -> None:
        parts, self._parts = self._parts, {}
        if len(self.entries) >= ENTRY_LIMIT:
            self.over += 1
            return
        self.publisher = self.publisher or parts.get("name", "")
        self.entries.append(
            RawEntry(
                headline=parts.get("title", ""),
                url=parts.get("loc", ""),
                published=parts.get("publication_date") or parts.get("lastmod", ""),
                publishers=(parts.get("name", ""),),
            )
        )


SOURCE = NewsSitemapSource()

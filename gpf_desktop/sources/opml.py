"""OPML lists of feeds, as feed readers export them."""

from gpf_desktop.documents.addresses import resolve
from gpf_desktop.documents.encodings import utf8
from gpf_desktop.documents.harvesting import broken_off, harvest
from gpf_desktop.documents.sniffing import root_element
from gpf_desktop.documents.xml_events import Element, read_elements
from gpf_desktop.domain.articles import Document, Dropped, Harvest
from gpf_desktop.domain.errors import SourceError
from gpf_desktop.domain.options import NoOptions
from gpf_desktop.domain.ports.source import Source
from gpf_desktop.domain.text import Translated, tr


class OpmlSource(Source):
    """Reads the addresses of an OPML file; the feeds behind them hold the items."""

    name = "opml"
    version = "1"
    title = Translated("OPML list of feeds")

    def sniff(self, document: Document) -> float:
        return 0.95 if root_element(document) == "opml" else 0.0

    def parse(self, document: Document, options: NoOptions, *, limit: int) -> Harvest:  # noqa: ARG002 - the port's
        title = ""
        follow: list[str] = []
        dropped: list[Dropped] = []

        def ended(element: Element) -> None:
            nonlocal title
            stated = element.attributes.get("xmlurl", "")
            if element.name == "title" and element.path == ("opml", "head"):
                title = element.text
            elif element.name == "outline" and stated:
                whole = resolve(document.address, stated)
                if whole:
                    follow.append(whole)
                elif len(dropped) < limit:
                    name = element.attributes.get("title") or element.attributes.get("text", "")
                    dropped.append(Dropped(headline=name, url="", reason=tr("its address is no web address")))

        broken = read_elements(utf8(document), ended)
        if broken and not follow:
            raise SourceError(tr("The OPML file is not well-formed XML ({reason}).", reason=broken))
        dropped += broken_off(document, broken)
        return harvest(document, title, (), limit=limit, dropped=dropped, follow=follow)


SOURCE = OpmlSource()

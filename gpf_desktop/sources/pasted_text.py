"""Text that was typed or pasted: news items as blocks between blank lines."""

import re
from pathlib import PurePath

from gpf_desktop.documents.addresses import web_address
from gpf_desktop.documents.encodings import text
from gpf_desktop.documents.harvesting import RawEntry, harvest
from gpf_desktop.documents.sniffing import is_binary, is_html, root_element
from gpf_desktop.domain.articles import Document, Harvest
from gpf_desktop.domain.errors import SourceError
from gpf_desktop.domain.options import NoOptions
from gpf_desktop.domain.ports.source import Source
from gpf_desktop.domain.text import Translated, tr

TEXT_LIMIT = 8 * 1024 * 1024

_BLANK = re.compile(r"\n[ \t\u00a0]*\n")


class PastedTextSource(Source):
    """Reads blocks: the first line is the headline, the rest the description; a line that is an address is the link."""

    name = "pasted-text"
    version = "1"
    title = Translated("Plain text")

    def sniff(self, document: Document) -> float:
        # What a server or a file called feed.xml sends is meant to be a feed: nonsense there is no news item.
        if PurePath(document.address).suffix.lower() not in {"", ".txt", ".text", ".md"} or "://" in document.address:
            return 0.0
        if not document.body.strip() or is_binary(document) or is_html(document) or root_element(document):
            return 0.0
        return 0.2

    def parse(self, document: Document, options: NoOptions, *, limit: int) -> Harvest:  # noqa: ARG002 - the port's
        if is_binary(document):
            raise SourceError(tr("This is not text."))
        if len(document.body) > TEXT_LIMIT:
            raise SourceError(tr("The text is longer than {size} MB.", size=TEXT_LIMIT // (1024 * 1024)))
        whole = text(document).replace("\r\n", "\n").replace("\r", "\n")
        entries = [_raw(block) for block in _BLANK.split(whole) if block.strip()]
        if not entries:
            raise SourceError(
                tr("There is no text."),
                tr("Paste a headline, its description on the lines below, a blank line, and so on."),
            )
        return harvest(document, tr("Pasted text"), entries, limit=limit)


def _raw(block: str) -> RawEntry:
    lines = [line.strip() for line in block.split("\n") if line.strip()]
    links = [line for line in lines if "://" in line and web_address(line)]
    words = [line for line in lines if line not in links]
    return RawEntry(
        headline=_literal(words[0]) if words else "",
        description=_literal(" ".join(words[1:])),
        url=links[0] if links else "",
    )


def _literal(line: str) -> str:
    """Typed text is meant as it stands: only what looks like a tag is markup, an ampersand is an ampersand."""
    return line.replace("&", "&amp;")


SOURCE = PastedTextSource()

"""Finds the kind of a document and reads it; also run in worker processes for large ones."""

from dataclasses import dataclass, field
from urllib.parse import urlsplit

from gpf_desktop.documents.sniffing import is_binary, is_html
from gpf_desktop.domain.articles import Document, Harvest
from gpf_desktop.domain.errors import SourceError, UnfitSourceError
from gpf_desktop.domain.ports.source import Source
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.core.catalogue import sources


class WebPageError(UnfitSourceError):
    """A page for people came where a feed was expected: it may name feeds, so it can be searched for them."""


@dataclass(frozen=True, slots=True, kw_only=True)
class FeedReading:
    """The kind of a document and the items read from it."""

    kind: str
    """Name of the source plug-in."""
    kind_title: str
    """The same in words."""
    harvest: Harvest = field(repr=False)


def recognise(document: Document) -> Source:
    """The plug-in that is surest of *document*. Raises `SourceError`, `WebPageError` for web pages."""
    if not document.body.strip():
        empty = tr("{name} is empty.", name=_named(document))
        if "://" in document.address:
            raise SourceError(empty, tr("It is tried again at the next fetch."))
        raise UnfitSourceError(empty)
    kinds = sorted(sources().values(), key=lambda kind: kind.sniff(document), reverse=True)
    if kinds and kinds[0].sniff(document) > 0:
        return kinds[0]
    if is_html(document):
        raise WebPageError(
            tr("{name} is a web page, not a feed.", name=_named(document)),
            tr("Give the address of the site, which is searched for feeds."),
        )
    what = tr("binary data") if is_binary(document) else tr("text in no format that this program knows")
    raise UnfitSourceError(
        tr("{name} is no news source: it holds {what}.", name=_named(document), what=what),
        tr("Known are RSS, Atom, RDF and JSON feeds, news sitemaps, OPML, CSV, XLSX, ODS, JSON, JSONL and plain text."),
    )


def read_document(document: Document, limit: int) -> FeedReading:
    """Recognises and parses *document*, at most *limit* items. Raises `SourceError` in a user's words."""
    kind = recognise(document)
    try:
        harvest = kind.parse(document, kind.options(), limit=limit)
    except SourceError as error:
        raise UnfitSourceError(error.what, error.remedy, details=error.details) from error
    return FeedReading(kind=kind.name, kind_title=kind.title, harvest=harvest)


def _named(document: Document) -> str:
    return urlsplit(document.address).hostname or document.address or tr("The text")

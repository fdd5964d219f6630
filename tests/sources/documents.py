"""Small documents of every kind, for tests of sources."""

import io
from datetime import UTC, datetime

from gpf_desktop.domain.articles import Document, Harvest
from gpf_desktop.domain.options import NoOptions
from gpf_desktop.engine.core.catalogue import sources

NOW = datetime(2026, 11, 20, 12, tzinfo=UTC)
LIMIT = 2000
ADDRESS = "https://news.example/feed"


def entry(number: int = 1, **parts: str) -> str:
    """One RSS entry; a part given as "" is left out, others replace the usual text."""
    usual = {
        "title": f"Council of Elder Cross opens bridge {number}",
        "link": f"https://news.example/story-{number}",
        "guid": f"https://news.example/story-{number}#0",
        "pubDate": f"Thu, 19 Nov 2026 {number // 3600 % 24:02}:{number // 60 % 60:02}:{number % 60:02} GMT",
        "description": f"The new bridge carries footpath number {number} over the river.",
    }
    return "<item>" + "".join(f"<{k}>{v}</{k}>" for k, v in (usual | parts).items() if v) + "</item>"


def rss(*entries: str, prolog: str = '<?xml version="1.0"?>', title: str = "Elder Cross Courier") -> bytes:
    body = f'{prolog}<rss version="2.0"><channel><title>{title}</title>{"".join(entries)}</channel></rss>'
    return body.encode()


def read(kind: str, body: bytes | str, *, address: str = ADDRESS, limit: int = LIMIT, **more: str) -> Harvest:
    body = body.encode() if isinstance(body, str) else body
    document = Document(body=body, address=address, retrieved=NOW, **more)
    return sources()[kind].parse(document, NoOptions(), limit=limit)


def workbook(*rows: tuple[object, ...]) -> bytes:
    from openpyxl import Workbook

    book = Workbook()
    for row in rows:
        book.active.append(row)
    file = io.BytesIO()
    book.save(file)
    return file.getvalue()


ATOM = """<feed xmlns="http://www.w3.org/2005/Atom"><title>Courier</title><entry>
<title type="html">Bridge &lt;b&gt;opens&lt;/b&gt;</title><link href="/story"/><id>tag:1</id>
<published>2026-11-19T08:00:00+01:00</published><updated>2026-11-20T08:00:00+01:00</updated>
<summary>The river can be crossed again.</summary></entry></feed>"""

RDF = """<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns="http://purl.org/rss/1.0/"
xmlns:dc="http://purl.org/dc/elements/1.1/"><channel rdf:about="u"><title>Courier</title>
<items><rdf:Seq><rdf:li rdf:resource="https://news.example/story"/></rdf:Seq></items></channel>
<item rdf:about="https://news.example/story"><title>Bridge opens</title><link>https://news.example/story</link>
<dc:date>2026-11-19T08:00:00+01:00</dc:date>
<description>The river can be crossed again.</description></item></rdf:RDF>"""

JSON_FEED = """{"version": "https://jsonfeed.org/version/1.1", "title": "Courier", "items": [{"id": "1",
"url": "https://news.example/story", "title": "Bridge opens", "date_published": "2026-11-19T08:00:00+01:00",
"content_html": "<p>The river can be crossed <b>again</b>.</p><script>alert(1)</script>"}]}"""

SITEMAP = """<?xml version="1.0" encoding="UTF-8"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9"
xmlns:news="http://www.google.com/schemas/sitemap-news/0.9" xmlns:image="http://www.google.com/schemas/sitemap-image/1.1">
<url><loc>https://news.example/story</loc><image:image><image:loc>https://news.example/a.png</image:loc>
<image:title>A picture</image:title></image:image><news:news><news:publication><news:name>Courier</news:name>
<news:language>en</news:language></news:publication><news:publication_date>2026-11-19T08:00:00+01:00
</news:publication_date><news:title>Bridge opens | Courier</news:title></news:news></url></urlset>"""

SITEMAP_INDEX = """<sitemapindex xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
<sitemap><loc>https://news.example/old.xml</loc><lastmod>2026-11-01</lastmod></sitemap>
<sitemap><loc>/new.xml</loc><lastmod>2026-11-19</lastmod></sitemap></sitemapindex>"""

OPML = """<opml version="2.0"><head><title>My papers</title></head><body><outline text="Local">
<outline text="Courier" type="rss" xmlUrl="https://news.example/feed.xml"/>
<outline text="Secrets" type="rss" xmlUrl="file:///etc/hostname"/></outline></body></opml>"""

CSV = 'headline;description;url;published\r\n"Bridge; now open";The river can be crossed.;https://news.example/story;2026-11-19\r\n'

JSONL = '{"title": "Bridge opens", "summary": "At last."}\n{"title": "Ferry stops"}\n'

PASTED = "Bridge opens\nThe river can be crossed again.\nhttps://news.example/story\n\nFerry stops & rests\n"

EXAMPLES: dict[str, tuple[tuple[bytes, str], ...]] = {
    "feed": (
        (rss(entry()), "https://news.example/feed"),
        (ATOM.encode(), "https://news.example/atom"),
        (RDF.encode(), "https://news.example/rdf"),
        (ATOM.encode("utf-16"), "https://news.example/atom"),
    ),
    "json-feed": ((JSON_FEED.encode(), "https://news.example/feed.json"),),
    "news-sitemap": (
        (SITEMAP.encode(), "https://news.example/sitemap.xml"),
        (SITEMAP_INDEX.encode(), "https://news.example/sitemap.xml"),
    ),
    "opml": ((OPML.encode(), "papers.opml"),),
    "table": (
        (CSV.encode(), "news.csv"),
        (JSONL.encode(), "news.jsonl"),
        (b'{"articles": [{"title": "Bridge opens"}]}', "news.json"),
        (workbook(("Headline", "Published"), ("Bridge opens", datetime(2026, 11, 19, 8))), "news.xlsx"),  # noqa: DTZ001
    ),
    "pasted-text": ((PASTED.encode(), ""),),
}

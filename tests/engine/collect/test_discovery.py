"""One box that takes anything and says what it is."""

import asyncio
from pathlib import Path

import pytest

from gpf_desktop.domain.errors import SourceError
from gpf_desktop.engine.collect.discovery import SITE, Detection, detect, detect_first
from tests.sources.documents import ATOM, CSV, OPML, SITEMAP, entry, rss, workbook
from tests.support.http_server import LoopbackServer, Reply

PAGE = """<!doctype html><html><head><title>The Courier &amp; Post</title>
<link rel="stylesheet" href="/a.css"><link rel="alternate" type="application/rss+xml" href="/rss/all">
<link rel='alternate' type='application/atom+xml' href='/atom?x=1&amp;y=2'>
<link rel="alternate" type="text/html" hreflang="fr" href="/fr"></head>
<body><a href="/sport/rss.xml">Sport</a><a href="/about">About</a></body></html>"""


def what_is(typed: str) -> Detection:
    return asyncio.run(detect(typed))


def test_that_a_feed_is_previewed_with_five_items(http_server: LoopbackServer) -> None:
    http_server.route("/feed.xml", Reply(body=rss(*(entry(number) for number in range(9)))))
    found = what_is(http_server.url("/feed.xml"))
    assert (found.kind, found.words, found.title) == ("feed", "RSS, Atom or RDF feed", "Elder Cross Courier")
    (candidate,) = found.candidates
    assert len(found.preview) == 5
    assert candidate.kept == 9
    assert candidate.address == http_server.url("/feed.xml")


def test_that_the_address_that_a_feed_moved_to_is_offered(http_server: LoopbackServer) -> None:
    http_server.route("/old", Reply(status=301, headers={"Location": "/feed.xml"}))
    http_server.route("/feed.xml", Reply(body=rss(entry())))
    assert what_is(http_server.url("/old")).candidates[0].address == http_server.url("/feed.xml")


def test_that_a_scheme_may_be_left_out(http_server: LoopbackServer) -> None:
    http_server.route("/feed.xml", Reply(body=rss(entry())))
    assert what_is(http_server.url("/feed.xml").removeprefix("http://")).kind == "feed"


def test_that_a_site_offers_its_feeds_sitemaps_and_common_paths(http_server: LoopbackServer) -> None:
    http_server.route("/", Reply(body=PAGE, headers={"Content-Type": "text/html"}))
    http_server.route("/rss/all", Reply(body=rss(entry(1))))
    http_server.route("/feed", Reply(body=rss(entry(1), title="The same under another address")))
    http_server.route("/atom", Reply(body=ATOM))
    http_server.route("/sport/rss.xml", Reply(body=rss(entry(2), title="Sport")))
    http_server.route(
        "/feed.json", Reply(body='{"version": "https://jsonfeed.org/version/1", "items": [{"title": "Only here"}]}')
    )
    http_server.route("/robots.txt", Reply(body="User-agent: *\nSitemap: /pages.xml\nsitemap: /maps/news.xml\n"))
    http_server.route("/maps/news.xml", Reply(body=SITEMAP.replace("/story", "/in-the-sitemap")))
    http_server.route("/pages.xml", Reply(body="<urlset><url><loc>https://n.example/about</loc></url></urlset>"))
    found = what_is(http_server.url("/"))
    assert (found.kind, found.title) == (SITE, "The Courier & Post")
    paths = [candidate.address.removeprefix(http_server.url("")) for candidate in found.candidates]
    assert paths == ["/rss/all", "/atom?x=1&y=2", "/maps/news.xml", "/sport/rss.xml", "/feed.json"]
    assert all(candidate.preview for candidate in found.candidates)


def test_that_a_site_without_sources_says_so(http_server: LoopbackServer) -> None:
    http_server.route("/", Reply(body="<!doctype html><html><body>Hello</body></html>"))
    with pytest.raises(SourceError, match="no feed and no news sitemap was found"):
        what_is(http_server.url("/"))


def test_that_a_page_from_outside_cannot_point_into_the_private_network(
    http_server: LoopbackServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    link = f'<link rel=alternate type="application/rss+xml" href="{http_server.url("/secret")}">'
    page = f"<!doctype html><html>{link}</html>"
    monkeypatch.setenv("HTTP_PROXY", http_server.url())
    http_server.route("/", Reply(body=page))
    http_server.route("/secret", Reply(body=rss(entry())))
    with pytest.raises(SourceError, match="no feed and no news sitemap was found"):
        what_is("http://news.invalid/")
    assert "/secret" not in {request.path for request in http_server.requests}


def test_that_an_opml_file_offers_each_of_its_feeds(http_server: LoopbackServer, tmp_path: Path) -> None:
    http_server.route("/feed.xml", Reply(body=rss(entry())))
    (tmp_path / "papers.opml").write_text(OPML.replace("https://news.example/feed.xml", http_server.url("/feed.xml")))
    found = what_is(str(tmp_path / "papers.opml"))
    assert (found.kind, found.title) == ("opml", "My papers")
    assert [candidate.address for candidate in found.candidates] == [http_server.url("/feed.xml")]
    assert [(one.headline, one.reason) for one in found.missed] == [("Secrets", "its address is no web address")]


def test_that_the_dead_feeds_of_a_list_are_named_with_their_reasons(
    http_server: LoopbackServer, tmp_path: Path
) -> None:
    http_server.route("/feed.xml", Reply(body=rss(entry())))
    http_server.route("/again.xml", Reply(body=rss(entry())))
    http_server.route("/gone.xml", Reply(status=410))
    http_server.route("/empty.xml", Reply(body=rss(title="Empty")))
    names = ("feed", "again", "gone", "empty", "missing")
    outlines = "".join(f'<outline xmlUrl="{http_server.url(f"/{name}.xml")}"/>' for name in names)
    (tmp_path / "papers.opml").write_text(f"<opml><body>{outlines}</body></opml>")
    found = what_is(str(tmp_path / "papers.opml"))
    assert [candidate.address for candidate in found.candidates] == [http_server.url("/feed.xml")]
    reasons = {one.url.rpartition("/")[2]: one.reason for one in found.missed}
    assert sorted(reasons) == ["again.xml", "empty.xml", "gone.xml", "missing.xml"]
    assert "same as an earlier" in reasons["again.xml"]
    assert "no entries" in reasons["empty.xml"]
    assert "410" in reasons["gone.xml"]
    assert "404" in reasons["missing.xml"]


@pytest.mark.parametrize(
    ("name", "body", "kind"),
    [
        ("news.csv", CSV.encode(), "table"),
        ("news.xlsx", workbook(("title",), ("Bridge opens",)), "table"),
        ("news.json", b'[{"title": "Bridge opens"}]', "table"),
        ("feed.xml", rss(entry()), "feed"),
        ("map.xml", SITEMAP.encode(), "news-sitemap"),
        ("news.txt", b"Bridge opens\nAt last.", "pasted-text"),
    ],
)
def test_that_a_dropped_file_is_recognised_and_kept(tmp_path: Path, name: str, body: bytes, kind: str) -> None:
    (tmp_path / name).write_bytes(body)
    found = what_is(str(tmp_path / name))
    (candidate,) = found.candidates
    assert (found.kind, candidate.address) == (kind, "")
    if kind == "table":
        assert candidate.title == name
    assert candidate.document is not None
    assert candidate.document.body == body


@pytest.mark.parametrize(
    ("typed", "kind", "count"),
    [
        ("Bridge opens\nAt last.\n\nFerry stops\nFor good.", "pasted-text", 2),
        ("Council opens the new bridge", "pasted-text", 1),
        ("headline,url\nBridge opens,https://n.example/1", "table", 1),
        (rss(entry()).decode(), "feed", 1),
        ('[{"title": "Bridge opens"}]', "table", 1),
    ],
)
def test_that_pasted_text_is_recognised(typed: str, kind: str, count: int) -> None:
    found = what_is(typed)
    assert (found.kind, found.candidates[0].kept) == (kind, count)
    assert found.candidates[0].document is not None


def test_that_a_feed_whose_entries_are_all_dropped_is_shown_with_the_reasons(http_server: LoopbackServer) -> None:
    http_server.route("/feed.xml", Reply(body=rss(entry(1, title=""), entry(2, title=""))))
    (candidate,) = what_is(http_server.url("/feed.xml")).candidates
    assert (candidate.kept, len(candidate.dropped)) == (0, 2)


@pytest.mark.parametrize(
    ("typed", "words"), [("", "nothing here"), ("  \n ", "nothing here"), ("nonsense", "neither a web address")]
)
def test_that_what_cannot_be_used_is_a_sentence(typed: str, words: str) -> None:
    with pytest.raises(SourceError, match=words):
        what_is(typed)


def test_that_a_source_that_is_gone_is_a_sentence(http_server: LoopbackServer) -> None:
    http_server.route("/feed.xml", Reply(status=410))
    with pytest.raises(SourceError, match="no longer published"):
        what_is(http_server.url("/feed.xml"))


def test_that_ways_are_tried_in_order_and_the_working_one_is_named(http_server: LoopbackServer) -> None:
    http_server.route("/refused", Reply(status=401))
    http_server.route("/empty", Reply(body=rss()))
    http_server.route("/works", Reply(body=rss(entry())))
    ways = [http_server.url(path) for path in ("/refused", "/empty", "/works")]
    found = asyncio.run(detect_first(ways))
    assert found.candidates[0].address == ways[2]
    assert "HTTP 401" in found.notes[0]
    assert "nothing in it can be used" in found.notes[1]
    assert found.notes[2] == f"{ways[2]} works and is used."


def test_that_without_a_working_way_the_last_error_is_told(http_server: LoopbackServer) -> None:
    http_server.route("/refused", Reply(status=401))
    with pytest.raises(SourceError, match="404"):
        asyncio.run(detect_first([http_server.url("/refused"), http_server.url("/missing")]))

"""What `gpf-desktop fetch` lists."""

from pathlib import Path

import pytest

from gpf_desktop.domain.errors import SourceError
from gpf_desktop.engine.collect.fetch_report import fetch_listing
from tests.sources.documents import OPML, entry, rss
from tests.support.http_server import LoopbackServer, Reply

FIELDS = ["headline", "description", "url", "published", "kept", "reason"]


def test_that_kept_items_come_first_then_the_dropped_with_reasons(http_server: LoopbackServer) -> None:
    http_server.route("/feed.xml", Reply(body=rss(entry(1), entry(2, title=""), entry(3, pubDate=""))))
    rows = fetch_listing(http_server.url("/feed.xml"))
    assert [list(row) for row in rows] == [FIELDS] * 3
    assert [row["kept"] for row in rows] == [True, True, False]
    assert rows[0]["published"] == "2026-11-19T00:00:01+00:00"
    assert rows[1]["published"] is None
    assert rows[1]["reason"] == "no publication time: the retrieval time is used"
    assert rows[2]["reason"] == "it has no headline"


def test_that_the_limit_keeps_the_newest_and_says_so_of_the_rest(http_server: LoopbackServer) -> None:
    http_server.route("/feed.xml", Reply(body=rss(*(entry(number) for number in range(1, 5)))))
    rows = fetch_listing(http_server.url("/feed.xml"), 2)
    assert [str(row["url"])[-1] for row in rows] == ["4", "3", "2", "1"]
    assert [row["kept"] for row in rows] == [True, True, False, False]
    assert rows[3]["reason"] == "over the limit of 2 items"


@pytest.mark.slow
def test_that_entries_over_the_cap_are_one_row_with_their_number(http_server: LoopbackServer) -> None:
    http_server.route("/feed.xml", Reply(body=rss(*(entry(number) for number in range(2005)))))
    rows = fetch_listing(http_server.url("/feed.xml"))
    assert (len(rows), rows[-1]["reason"]) == (2001, "5 further entries over the cap")


def test_that_a_site_lists_its_first_source_and_a_list_all_of_them(http_server: LoopbackServer, tmp_path: Path) -> None:
    page = '<!doctype html><html><link rel=alternate type="application/rss+xml" href="/feed.xml"></html>'
    http_server.route("/", Reply(body=page))
    http_server.route("/feed.xml", Reply(body=rss(entry(1))))
    assert [row["kept"] for row in fetch_listing(http_server.url("/"))] == [True]
    opml = tmp_path / "papers.opml"
    opml.write_text(OPML.replace("https://news.example/feed.xml", http_server.url("/feed.xml")))
    assert [row["reason"] for row in fetch_listing(str(opml))] == ["", "its address is no web address"]


@pytest.mark.parametrize(
    ("target", "limit"), [("http://127.0.0.1:9/none", 5), ("no-such-file", 5), ("Some headline here", 0)]
)
def test_that_what_cannot_be_fetched_raises_in_words(target: str, limit: int) -> None:
    with pytest.raises(SourceError):
        fetch_listing(target, limit)

"""JSON Feed, news sitemaps, OPML, tables and pasted text."""

import io
import zipfile
from datetime import UTC, datetime

import pytest

from gpf_desktop.domain.articles import Document
from gpf_desktop.domain.errors import SourceError
from gpf_desktop.engine.collect.reading import recognise
from tests.sources.documents import CSV, JSON_FEED, JSONL, OPML, PASTED, SITEMAP, SITEMAP_INDEX, read, workbook


def test_that_a_json_feed_is_read() -> None:
    harvest = read("json-feed", JSON_FEED)
    (item,) = harvest.items
    assert (harvest.title, item.headline) == ("Courier", "Bridge opens")
    assert item.description == "The river can be crossed again."
    assert item.published == datetime(2026, 11, 19, 7, tzinfo=UTC)
    by_id = JSON_FEED.replace('"id": "1",', '"id": "https://news.example/1",').replace('"url":', '"image":')
    assert read("json-feed", by_id).items[0].url == "https://news.example/1"


def test_that_a_news_sitemap_gives_headlines_without_the_publishers_name() -> None:
    (item,) = read("news-sitemap", SITEMAP).items
    assert (item.headline, item.url) == ("Bridge opens", "https://news.example/story")
    assert "no description: headline only" in item.notes


def test_that_a_sitemap_index_is_followed_from_the_newest_part_on() -> None:
    harvest = read("news-sitemap", SITEMAP_INDEX, address="https://news.example/sitemap.xml")
    assert harvest.follow == ("https://news.example/new.xml", "https://news.example/old.xml")


def test_that_pages_of_a_plain_sitemap_are_dropped_with_the_reason() -> None:
    harvest = read("news-sitemap", "<urlset><url><loc>https://news.example/about</loc></url></urlset>")
    assert [(one.url, one.reason) for one in harvest.dropped] == [("https://news.example/about", "it has no headline")]


def test_that_a_truncated_sitemap_keeps_what_came() -> None:
    second = SITEMAP.replace("</urlset>", "<url><loc>https://news.exa")
    assert len(read("news-sitemap", second).items) == 1


@pytest.mark.parametrize(
    ("written", "said"),
    [
        ("5 < 6 & 7 > 3", "5 < 6 & 7 > 3"),
        ("I <3 R&D; more", "I <3 R&D; more"),
        ("Br\x0bidge\x00 opens", "Bridge opens"),
        ("<![CDATA[R&D < all]]>", "R&D < all"),
    ],
)
def test_that_a_sitemap_that_is_not_quite_well_formed_is_read_to_its_end(written: str, said: str) -> None:
    # Programs that write sitemaps often begin with an empty line.
    document = "\n " + SITEMAP.replace("/story", "/story?a=1&b=2").replace("Bridge opens | Courier", written)
    harvest = read("news-sitemap", document)
    assert [(item.headline, item.url) for item in harvest.items] == [(said, "https://news.example/story?a=1&b=2")]
    assert not harvest.dropped


def test_that_opml_names_its_feeds_and_never_a_file() -> None:
    harvest = read("opml", OPML)
    assert (harvest.title, harvest.follow) == ("My papers", ("https://news.example/feed.xml",))
    assert [(one.headline, one.reason) for one in harvest.dropped] == [("Secrets", "its address is no web address")]


def test_that_a_csv_file_is_read_by_its_column_names() -> None:
    (item,) = read("table", CSV, address="news.csv").items
    assert (item.headline, item.description) == ("Bridge; now open", "The river can be crossed.")
    assert item.published == datetime(2026, 11, 19, tzinfo=UTC)


@pytest.mark.parametrize("delimiter", [",", ";", "\t", "|"])
def test_that_the_delimiter_is_found(delimiter: str) -> None:
    body = delimiter.join(("title", "summary", "link")) + "\n" + delimiter.join("abc")
    (item,) = read("table", body, address="x.csv").items
    assert (item.headline, item.description) == ("a", "b")


def test_that_a_table_without_a_headline_column_says_which_columns_it_has() -> None:
    with pytest.raises(SourceError, match=r"headline or title .*colour, size"):
        read("table", "colour,size\nred,3\n", address="x.csv")


def test_that_a_row_with_too_long_a_field_is_dropped_alone() -> None:
    harvest = read("table", f"headline,text\nBridge opens,short\nFerry,{'a' * 200_000}\n", address="x.csv")
    assert [item.headline for item in harvest.items] == ["Bridge opens"]
    assert "field larger than" in harvest.dropped[0].reason


def test_that_a_jsonl_file_drops_the_broken_line_alone() -> None:
    harvest = read("table", JSONL + "{oops\n", address="news.jsonl")
    assert {item.headline for item in harvest.items} == {"Bridge opens", "Ferry stops"}
    assert [one.reason for one in harvest.dropped] == ["line 3 is not JSON"]


def test_that_json_is_read_in_the_shapes_that_news_services_use() -> None:
    nested = '{"status": "ok", "articles": [{"source": {"name": "Courier"}, "title": "Bridge opens - Courier"}]}'
    assert read("table", nested).items[0].headline == "Bridge opens"
    assert read("table", '[{"headline": "Bridge opens"}]').items[0].headline == "Bridge opens"
    with pytest.raises(SourceError, match="no list of news items"):
        read("table", '{"colour": "red"}')


def test_that_broken_json_says_where() -> None:
    with pytest.raises(SourceError, match=r"line 1, column \d+"):
        read("table", '[{"headline": "Bridge opens", }]')


def test_that_an_xlsx_sheet_is_read_with_its_dates() -> None:
    published = datetime(2026, 11, 19, 8)  # noqa: DTZ001 - sheets know no zones
    row = ("Bridge", "Open again.", "https://n.example/1", published)
    body = workbook(("Headline", "Description", "URL", "Published"), row)
    (item,) = read("table", body, address="news.xlsx").items
    assert (item.headline, item.description, item.url) == ("Bridge", "Open again.", "https://n.example/1")
    assert item.published == published.replace(tzinfo=UTC)


def test_that_an_xlsx_bomb_is_refused_before_it_is_unpacked() -> None:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive, archive.open("xl/workbook.xml", "w") as part:
        for _ in range(110):
            part.write(b" " * 1024 * 1024)
    with pytest.raises(SourceError, match="unpacks to more than"):
        read("table", file.getvalue(), address="news.xlsx")


def test_that_an_xlsx_part_with_entities_is_refused() -> None:
    file = io.BytesIO()
    with zipfile.ZipFile(file, "w") as archive:
        archive.writestr("xl/workbook.xml", '<!DOCTYPE a [<!ENTITY x SYSTEM "file:///etc/hostname">]><workbook/>')
    with pytest.raises(SourceError, match="entities"):
        read("table", file.getvalue(), address="news.xlsx")


def test_that_pasted_blocks_are_headline_then_description() -> None:
    first, second = read("pasted-text", PASTED, address="").items
    assert (first.headline, first.description) == ("Bridge opens", "The river can be crossed again.")
    assert first.url == "https://news.example/story"
    assert (second.headline, second.description) == ("Ferry stops & rests", "")


def test_that_blank_text_asks_for_some() -> None:
    with pytest.raises(SourceError, match="no text"):
        read("pasted-text", " \n \n", address="")


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16", "utf-16-be", "utf-32"])
def test_that_a_json_feed_in_any_unicode_is_one(encoding: str) -> None:
    body = ("\ufeff" * (encoding == "utf-16-be") + JSON_FEED).encode(encoding)
    document = Document(body=body, address="https://news.example/feed.json", content_type="application/json")
    assert recognise(document).name == "json-feed"

"""RSS, Atom and RDF as publishers write them."""

from datetime import UTC, datetime

import pytest

from gpf_desktop.domain.articles import Item
from gpf_desktop.domain.resources import resources
from tests.sources.documents import ATOM, RDF, entry, read, rss


def only(body: bytes | str) -> Item:
    (item,) = read("feed", body).items
    return item


def test_that_the_sample_news_goes_through_the_same_parser() -> None:
    harvest = read("feed", (resources() / "news" / "sample.rss").read_bytes())
    assert len(harvest.items) >= 14
    assert not harvest.dropped
    assert all(40 <= len(item.description.split()) <= 80 for item in harvest.items)
    assert all(item.published and item.published.year == 2026 and item.published.month == 11 for item in harvest.items)


@pytest.mark.parametrize("version", ["0.90", "0.91", "0.92", "0.93", "0.94", "2.0"])
def test_that_every_rss_version_is_read(version: str) -> None:
    body = rss(entry()).replace(b'version="2.0"', f'version="{version}"'.encode())
    assert only(body).headline == "Council of Elder Cross opens bridge 1"


def test_that_the_netscape_document_type_of_rss_091_is_accepted() -> None:
    prolog = (
        '<!DOCTYPE rss PUBLIC "-//Netscape Communications//DTD RSS 0.91//EN" "http://my.netscape.com/rss-0.91.dtd">'
    )
    assert only(rss(entry(), prolog=prolog)).headline


def test_that_atom_links_are_resolved_and_updates_are_revisions() -> None:
    item = only(ATOM)
    assert item.headline == "Bridge opens"
    assert item.url == "https://news.example/story"
    assert item.published == datetime(2026, 11, 19, 7, tzinfo=UTC)
    assert item.revision == "2026-11-20T08:00:00+01:00"


def test_that_an_atom_link_counts_wherever_the_id_stands() -> None:
    def atom(parts: str) -> str:
        return f'<feed xmlns="http://www.w3.org/2005/Atom"><entry><title>Bridge opens</title>{parts}</entry></feed>'

    for parts in (
        '<id>tag:1</id><link href="/story"/>',
        '<link href="/story"/><id>tag:1</id>',
        '<id>tag:1</id><link rel="self" href="/self"/><link href="/story" type="application/xhtml+xml"/>',
    ):
        assert only(atom(parts)).url == "https://news.example/story"
    assert only(atom("<id>tag:1</id>")).url == ""
    assert only(rss(entry(guid="a-17", link=""))).url == ""


@pytest.mark.parametrize(
    ("link", "address"),
    [
        ("story.html", "https://news.example/story.html"),
        ("/story.html", "https://news.example/story.html"),
        ("courier.example/story", "https://courier.example/story"),
    ],
)
def test_that_a_link_without_a_scheme_is_of_the_feed_s_site_unless_it_names_another(link: str, address: str) -> None:
    assert only(rss(entry(link=link, guid="courier-17"))).url == address


def test_that_two_stories_under_one_address_stay_two() -> None:
    live = "https://news.example/live"
    told = [entry(n, link=live, guid=f"post-{n}") for n in (1, 2, 3)]
    harvest = read("feed", rss(*told))
    assert len({item.key for item in harvest.items}) == 3
    assert {item.key for item in read("feed", rss(*told[1:])).items} < {item.key for item in harvest.items}
    again = read("feed", rss(told[0], told[1], entry(1, link=live, guid="post-1", title="Bridge opened")))
    assert len(again.items) == 2
    assert [one.reason for one in again.dropped] == ["an older entry of an article that is kept"]


def test_that_stories_told_apart_by_an_unknown_parameter_are_all_kept() -> None:
    stories = (entry(n, link=f"https://news.example/?m={n}&amp;utm_source=rss", guid="") for n in (1, 2, 3))
    assert len(read("feed", rss(*stories)).items) == 3


def test_that_rdf_is_read() -> None:
    item = only(RDF)
    assert (item.headline, item.description) == ("Bridge opens", "The river can be crossed again.")
    assert item.published == datetime(2026, 11, 19, 7, tzinfo=UTC)


def test_that_bbc_links_lose_their_tracking_and_the_guid_counter_is_the_revision() -> None:
    address = "https://www.news.example/articles/c0ffee"
    link = f"{address}?at_medium=RSS&amp;at_campaign=rss"
    first = only(rss(entry(link=link, guid=f"{address}#0")))
    later = only(rss(entry(link=link, guid=f"{address}#3", title="Bridge opens at last")))
    assert first.url == address
    assert first.key == later.key == "https://news.example/articles/c0ffee"
    assert (first.revision, later.revision) == ("0", "3")


def test_that_an_aggregators_title_and_description_are_cleaned() -> None:
    description = (
        '&lt;a href="https://news.google.example/x"&gt;Bridge opens again&lt;/a&gt;&amp;nbsp;&amp;nbsp;'
        '&lt;font color="#6f6f6f"&gt;Courier&lt;/font&gt;'
    )
    source = '<source url="https://courier.example">Courier</source>'
    item = only(
        rss(entry(title="Bridge opens again - Courier", description=description).replace("</item>", f"{source}</item>"))
    )
    assert item.headline == "Bridge opens again"
    assert item.description == ""
    assert "its description only repeats the headline: headline only" in item.notes


def test_that_an_aggregators_list_of_other_headlines_is_no_description() -> None:
    links = '<![CDATA[<ol><li><a href="https://a.example">Another headline</a></li></ol>]]>'
    assert only(rss(entry(description=links))).description == ""


def test_that_markup_in_titles_and_descriptions_becomes_text() -> None:
    title = "<![CDATA[<script>alert(1)</script><b>Bridge</b> &amp; ferry <img src=x onerror=alert(1)>]]>"
    description = "&lt;p&gt;One.&lt;/p&gt;&lt;p&gt;Two &amp;amp; three.&lt;/p&gt;&lt;style&gt;p{}&lt;/style&gt;"
    item = only(rss(entry(title=title, description=description)))
    assert item.headline == "Bridge & ferry"
    assert item.description == "One. Two & three."


def test_that_an_entry_without_title_is_dropped_with_the_reason() -> None:
    harvest = read("feed", rss(entry(1, title=""), entry(2)))
    assert len(harvest.items) == 1
    (dropped,) = harvest.dropped
    assert (dropped.url, dropped.reason) == ("https://news.example/story-1", "it has no headline")


def test_that_an_entry_without_guid_date_or_description_is_kept_with_notes() -> None:
    item = only(rss(entry(guid="", pubDate="", description="")))
    assert item.published is None
    assert item.notes == ("no publication time: the retrieval time is used", "no description: headline only")


def test_that_an_entry_without_link_is_known_by_its_guid_and_else_by_its_headline() -> None:
    assert only(rss(entry(link="", guid="courier-17"))).key == "guid:courier-17"
    assert only(rss(entry(link="", guid=""))).key == "headline:council of elder cross opens bridge 1"


@pytest.mark.parametrize("link", ["javascript:alert(1)", "file:///etc/hostname", "data:text/html,x"])
def test_that_links_that_are_no_web_addresses_are_left_out(link: str) -> None:
    item = only(rss(entry(link=link, guid="courier-17")))
    assert item.url == ""
    assert "its link is no web address and was left out" in item.notes


def test_that_relative_dates_count_from_the_retrieval() -> None:
    assert only(rss(entry(pubDate="3 hours ago"))).published == datetime(2026, 11, 20, 9, tzinfo=UTC)


def test_that_the_newer_of_two_entries_for_one_article_is_kept() -> None:
    same = "https://news.example/story"
    older = entry(1, link=same, title="Old words", guid=f"{same}#0")
    newer = entry(2, link=f"{same}#top", title="New words", guid=f"{same}#1")
    harvest = read("feed", rss(older, newer))
    assert [item.headline for item in harvest.items] == ["New words"]
    assert [one.reason for one in harvest.dropped] == ["an older entry of an article that is kept"]


def test_that_items_come_newest_first_and_undated_ones_last() -> None:
    harvest = read("feed", rss(entry(1, pubDate=""), entry(2), entry(3)))
    assert [item.url[-1] for item in harvest.items] == ["3", "2", "1"]


def test_that_a_long_description_is_shortened_after_a_sentence_and_says_so() -> None:
    item = only(rss(entry(description="A sentence of the story. " * 200)))
    assert len(item.description) <= 2000
    assert item.description.endswith("story.")
    assert "description shortened from 4999 characters" in item.notes


def test_that_xml_10_that_is_not_quite_well_formed_is_read_all_the_same() -> None:
    harvest = read("feed", rss(entry(1, title="Fish & ships <br> sail"), entry(2)))
    assert len(harvest.items) == 2


def test_that_a_chapter_without_its_start_costs_no_article() -> None:
    """Feed readers stumble over it, and over more of vocabularies that are none of news."""
    chapters = '<psc:chapters xmlns:psc="http://podlove.org/simple-chapters"><psc:chapter title="One"/></psc:chapters>'
    assert only(rss(entry().replace("</item>", f"{chapters}</item>"))).headline.endswith("bridge 1")

"""The "feeds" row of what must be survived: each ends in a message or in the usable part, within bounds."""

import re

import pytest

from gpf_desktop.domain.errors import SourceError
from tests.sources.documents import SITEMAP, entry, read, rss


@pytest.mark.parametrize("body", [b"<rss><chan", b"<rss", b"<feed><entry><title>", b"<rss></feed>"])
def test_that_malformed_xml_is_a_message_on_the_source(body: bytes) -> None:
    with pytest.raises(SourceError, match="not well-formed"):
        read("feed", body)


@pytest.mark.parametrize(
    "reference", ["&#x110000;", "&#xD800;", "&#99999999999999;", "&#0;", "&#xDE00;&#xD83D;", "&#xD83D"]
)
@pytest.mark.parametrize("kind", ["feed", "news-sitemap"])
def test_that_a_reference_to_no_character_costs_that_character_only(reference: str, kind: str) -> None:
    headline = f"Bridge {reference} opens"
    body = rss(entry(title=headline), entry(2)) if kind == "feed" else SITEMAP.replace("Bridge opens", headline)
    items = read(kind, body).items
    assert len(items) == (2 if kind == "feed" else 1)
    assert any(re.fullmatch("Bridge \ufffd* ?opens", item.headline) for item in items)


@pytest.mark.parametrize("pair", ["&#xD83D;&#xDE00;", "&#55357;&#56832;", "&amp;#xD83D;&amp;#xDE00;", "&#x1F600;"])
def test_that_an_emoji_as_two_references_is_that_emoji(pair: str) -> None:
    assert read("feed", rss(entry(title=f"Bridge {pair} opens"))).items[0].headline == "Bridge \U0001f600 opens"
    cdata = f"<![CDATA[Bridge {pair.replace('&amp;', '&')} opens]]>"
    assert read("feed", rss(entry(title=cdata))).items[0].headline == "Bridge \U0001f600 opens"


def test_that_an_entity_bomb_is_refused_unread() -> None:
    bomb = '<!DOCTYPE r [<!ENTITY a "hahahahaha"><!ENTITY b "&a;&a;&a;&a;&a;&a;"><!ENTITY c "&b;&b;&b;&b;&b;">]>'
    for kind, body in (("feed", rss(entry(title="&c;"), prolog=bomb)), ("opml", f"{bomb}<opml><head/></opml>")):
        with pytest.raises(SourceError, match="entities"):
            read(kind, body)


def test_that_a_quadratic_entity_is_refused_too() -> None:
    bomb = f'<!DOCTYPE rss [<!ENTITY a "{"ha" * 50_000}">]>'
    with pytest.raises(SourceError, match="entities"):
        read("feed", rss(entry(title="&a;" * 10_000), prolog=bomb))


@pytest.mark.parametrize(
    "declaration", ['<!ENTITY a SYSTEM "file:///etc/hostname">', '<!ENTITY % a SYSTEM "http://x.example/">']
)
@pytest.mark.parametrize("kind", ["feed", "news-sitemap", "opml"])
def test_that_external_entities_are_refused(kind: str, declaration: str) -> None:
    root = {"feed": "rss", "news-sitemap": "urlset", "opml": "opml"}[kind]
    with pytest.raises(SourceError, match="entities"):
        read(kind, f"<!DOCTYPE {root} [{declaration}]><{root}><title>&a;</title></{root}>")


def test_that_a_named_character_may_be_defined_as_old_feeds_do() -> None:
    prolog = '<!DOCTYPE rss [<!ENTITY nbsp "&#160;"><!ENTITY eacute "&#xE9;">]>'
    (item,) = read("feed", rss(entry(title="Caf&eacute;&nbsp;opens"), prolog=prolog)).items
    assert item.headline == "Café opens"


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["feed", "news-sitemap", "opml"])
def test_that_200_000_nested_tags_are_refused(kind: str) -> None:
    root = {"feed": "rss", "news-sitemap": "urlset", "opml": "opml"}[kind]
    with pytest.raises(SourceError, match="levels deep"):
        read(kind, f"<{root}>" + "<a>" * 200_000 + "</a>" * 200_000 + f"</{root}>")


def test_that_nested_tags_inside_an_entry_drop_that_entry_alone() -> None:
    harvest = read("feed", rss(entry(1, description="<a>" * 20_000), entry(2, description="<a>" * 1_000), entry(3)))
    assert [item.url[-1] for item in harvest.items] == ["3"]
    assert [re.sub(r"\d+", "n", one.reason) for one in harvest.dropped] == [
        "the entry has more than n tags",
        "the entry nests its elements more than n levels deep",
    ]


def test_that_deeply_nested_html_inside_a_description_becomes_text() -> None:
    (item,) = read("feed", rss(entry(description="<![CDATA[" + "<div>" * 15_000 + "deep]]>"))).items
    assert item.description == "deep"


@pytest.mark.slow
def test_that_of_100_000_items_the_newest_are_kept_and_the_rest_counted() -> None:
    shuffled = ((number * 7919) % 86_400 for number in range(100_000))
    harvest = read("feed", rss(*(entry(number, link=f"https://n.example/{at}") for at, number in enumerate(shuffled))))
    assert len(harvest.items) == 2000
    assert harvest.uncounted == 98_000
    times = [item.published for item in harvest.items if item.published]
    assert times == sorted(times, reverse=True)
    assert f"{times[0]:%T}" == "23:59:59"


def test_that_a_20_mb_title_drops_its_entry_alone() -> None:
    harvest = read("feed", rss(entry(1, title="A" * 20_000_000), entry(2)))
    assert [item.url[-1] for item in harvest.items] == ["2"]
    assert [one.reason for one in harvest.dropped] == ["the entry is larger than 512 kB"]
    assert len(harvest.dropped[0].headline) <= 200


def test_that_a_20_mb_title_of_the_feed_itself_is_a_message() -> None:
    with pytest.raises(SourceError, match="more than 4 MB outside its entries"):
        read("feed", rss(entry(), title="A" * 20_000_000))


def test_that_a_feed_in_another_encoding_than_declared_is_read() -> None:
    body = rss(entry(title="Café d’été"), prolog='<?xml version="1.0" encoding="utf-8"?>').decode().encode("cp1252")
    (item,) = read("feed", body).items
    assert item.headline == "Café d’été"


def test_that_utf_8_declared_as_latin_1_by_the_server_is_read() -> None:
    (item,) = read("feed", rss(entry(title="Café")), content_type="text/xml; charset=iso-8859-1").items
    assert item.headline == "Café"


def test_that_nul_and_control_characters_are_removed() -> None:
    (item,) = read("feed", rss(entry(title="Bri\0dge\x1b[31m \u202eopens\u202c"))).items
    assert item.headline == "Bridge[31m opens"


def test_that_a_truncated_feed_keeps_its_whole_entries_and_names_the_broken_one() -> None:
    body = rss(entry(1), entry(2), entry(3))
    harvest = read("feed", body[: body.index(b"footpath number 3")])
    assert len(harvest.items) == 2
    assert [(one.headline, one.reason) for one in harvest.dropped] == [
        ("Council of Elder Cross opens bridge 3", "the entry is cut off in the middle")
    ]


def test_that_cdata_and_comments_do_not_pretend_to_be_entries() -> None:
    comment = "<!-- <item><title>no</title></item> -->"
    harvest = read("feed", rss(comment, entry(description="<![CDATA[</item><item>]]>")))
    assert len(harvest.items) == 1


@pytest.mark.slow
@pytest.mark.parametrize("piece", ["<![CDATA[", "<!--", "<!DOCTYPE", "<item>", "<item", "</item>", "<a b='", "&#"])
def test_that_a_million_unclosed_pieces_take_bounded_work(piece: str) -> None:
    body = b"<rss><channel>" + piece.encode() * (4_000_000 // len(piece))
    try:
        harvest = read("feed", body)
    except SourceError:
        return
    assert len(harvest.items) == 0

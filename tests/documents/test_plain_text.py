"""Markup from outside becomes plain text."""

from typing import SupportsIndex

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpf_desktop.documents.plain_text import only_repeats, plain, shorten, tags, without_publisher


@pytest.mark.parametrize(
    ("markup", "text"),
    [
        ("Fish &amp; chips", "Fish & chips"),
        ("<p>One</p><p>Two</p>", "One Two"),
        ("<b>B</b>old and <a href='x>y'>link</a>", "Bold and link"),
        ("a<br/>b", "a b"),
        ("<script>if (a < b) alert(1)</script>After", "After"),
        ("<STYLE>p{}</STYLE>After", "After"),
        ("before<!-- <b>hidden</b> -->after", "before after"),
        ("profit < loss and 3 > 2", "profit < loss and 3 > 2"),
        ("<svg onload=alert(1)>", ""),
        ("&#8220;Yes&#8221;&nbsp;&mdash; she said", "“Yes” — she said"),
        ("zero\u200bwidth \u202eoverride\u202c \x00nul", "zerowidth override nul"),
        ("  many \n\t spaces ", "many spaces"),
        ("<![CDATA[inner]]>", "inner"),
    ],
)
def test_that_markup_becomes_text(markup: str, text: str) -> None:
    assert plain(markup) == text


@given(st.text(alphabet="<>/!-ab&#;'\" =[]", max_size=200))
def test_that_any_markup_becomes_one_trimmed_line(markup: str) -> None:
    text = plain(markup)
    assert " ".join(text.split()) == text


@pytest.mark.slow
@pytest.mark.parametrize("piece", ["<", "<a", "<a b='", "<!--", "<script>", "<![CDATA[", "&", "</", '<a "', "<svg "])
def test_that_half_a_million_unclosed_pieces_end(piece: str) -> None:
    assert len(plain(piece * 500_000)) <= len(piece) * 500_000


def test_that_long_text_is_cut_after_a_sentence_or_a_word() -> None:
    assert shorten("One two. Three four five.", 12) == "One two."
    assert shorten("alpha beta gamma delta", 15) == "alpha beta…"
    assert shorten("x" * 50, 10) == "x" * 9 + "…"
    assert shorten("short", 10) == "short"


@pytest.mark.parametrize(
    ("headline", "publishers", "cleaned"),
    [
        ("Bridge opens - Courier", ["Courier"], "Bridge opens"),
        ("Bridge opens | courier", ["Courier"], "Bridge opens"),
        ("Bridge opens – Daily Courier", ["Daily Courier - World"], "Bridge opens"),
        ("Bridge opens - live", ["Courier"], "Bridge opens - live"),
        ("Courier", ["Courier"], "Courier"),
        ("Well-known bridge", ["known bridge"], "Well-known bridge"),
    ],
)
def test_that_only_a_known_publisher_is_removed(headline: str, publishers: list[str], cleaned: str) -> None:
    assert without_publisher(headline, publishers) == cleaned


def test_that_a_description_that_only_repeats_is_found() -> None:
    assert only_repeats("Bridge opens  Courier", "Bridge opens", ["Courier"])
    assert not only_repeats("Bridge opens after nine years", "Bridge opens", ["Courier"])


def test_that_tags_are_found_with_their_attributes() -> None:
    page = "<LINK rel=alternate type='application/rss+xml' href=\"/feed?a=1&amp;b=2\"><link/></link><a href=x>"
    found = list(tags(page, frozenset({"link"})))
    assert found[0].attributes == {"rel": "alternate", "type": "application/rss+xml", "href": "/feed?a=1&b=2"}
    assert len(found) == 2


def test_that_a_headline_of_separators_alone_is_searched_in_its_last_words_only() -> None:
    class Counting(str):
        looked_at = 0

        def __getitem__(self, part: SupportsIndex | slice) -> str:
            Counting.looked_at += 1
            return super().__getitem__(part)

    cleaned = "Bridge opens" + " - x" * 1000
    assert without_publisher(Counting(f"{cleaned} - Courier"), ["Courier"]) == cleaned
    assert Counting.looked_at < 10

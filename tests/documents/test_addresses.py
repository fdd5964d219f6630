"""What may be fetched, what identifies an article."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from gpf_desktop.documents.addresses import (
    article_key,
    has_scheme,
    resolve,
    revision_of,
    site_names,
    web_address,
    without_tracking,
)


@pytest.mark.parametrize(
    ("typed", "address"),
    [
        ("https://news.example/rss.xml", "https://news.example/rss.xml"),
        ("news.example/rss.xml", "https://news.example/rss.xml"),
        ("localhost:8000/feed", "http://localhost:8000/feed"),
        ("127.0.0.1:8000", "http://127.0.0.1:8000"),
        ("[::1]:80/feed", "http://[::1]:80/feed"),
        ("feed://news.example/rss", "https://news.example/rss"),
        ("feed:https://news.example/rss", "https://news.example/rss"),
        ("ftp://news.example/rss", None),
        ("file:///etc/hostname", None),
        ("javascript:alert(1)", None),
        ("two words", None),
        ("nothing", None),
        ("http://", None),
        ("http://[broken", None),
    ],
)
def test_that_a_typed_address_is_made_whole_or_refused(typed: str, address: str | None) -> None:
    assert web_address(typed) == address


@pytest.mark.parametrize(
    "tracking", ["utm_source=x", "at_medium=RSS&at_campaign=rss", "fbclid=1", "CMP=share", "ocid=s"]
)
def test_that_tracking_parameters_go_and_others_stay(tracking: str) -> None:
    clean = "https://news.example/story?id=7"
    assert without_tracking(f"{clean}&{tracking}#top") == clean
    assert article_key(f"{clean}&{tracking}#top") == clean


def test_that_an_article_has_one_identity_under_all_its_addresses() -> None:
    same = {
        "https://www.news.example/story-1",
        "http://news.example/story-1/",
        "https://news.example:443/story-1?utm_source=rss#comments",
        "https://NEWS.example/story-1?traffic=feed",
    }
    assert {article_key(address) for address in same} == {"https://news.example/story-1"}


def test_that_a_parameter_that_names_the_article_keeps_articles_apart() -> None:
    assert article_key("https://news.example/read.php?id=7&x=1") != article_key(
        "https://news.example/read.php?id=8&x=1"
    )
    for name in ("m", "entry", "a", "t", "x"):
        assert article_key(f"https://news.example/?{name}=7") != article_key(f"https://news.example/?{name}=8")
    assert article_key("https://news.example/?7") != article_key("https://news.example/?8")
    assert article_key("http://127.0.0.1:8000/a") == "http://127.0.0.1:8000/a"


def test_that_an_identity_of_an_identity_is_itself() -> None:
    key = article_key("https://www.news.example/read?b=2&article_id=4&id=3")
    assert article_key(key) == key


@given(st.text(max_size=80))
def test_that_no_text_breaks_the_readers_of_addresses(text: str) -> None:
    for read in (web_address, without_tracking, article_key, site_names, revision_of, has_scheme):
        read(f"https://{text}")
        read(text)
    whole = resolve("https://news.example/", text)
    assert whole == "" or whole.startswith(("http://", "https://"))


def test_that_links_are_made_whole_and_other_schemes_refused() -> None:
    assert resolve("https://news.example/a/b", "../c") == "https://news.example/c"
    for link in ("javascript:alert(1)", "file:///x", "mailto:a@b.example", "http://[bad", "data:,x"):
        assert resolve("https://news.example/", link) == ""


def test_that_only_a_counter_is_a_revision() -> None:
    assert revision_of("https://news.example/story#12") == "12"
    assert revision_of("https://news.example/story#comments") == ""
    assert revision_of("story") == ""


def test_that_a_site_is_known_by_its_short_name_too() -> None:
    assert "reuters" in site_names("https://www.reuters.com/world")
    assert "courier" in site_names("https://news.courier.co.uk/")
    assert site_names("http://127.0.0.1/") == ()

"""The shipped sources."""

from gpf_desktop.documents.addresses import web_address
from gpf_desktop.engine.collect.news_catalogue import news_catalogue


def test_that_the_bbc_sections_and_two_ways_to_reuters_ship() -> None:
    by_name = {publisher.name: publisher for publisher in news_catalogue()}
    assert len(by_name["BBC News"].sources) >= 10
    (reuters,) = by_name["Reuters"].sources
    assert len(reuters.ways) == 2


def test_that_every_way_is_a_secure_web_address_listed_once() -> None:
    ways = [way for publisher in news_catalogue() for source in publisher.sources for way in source.ways]
    assert all(way.startswith("https://") and web_address(way) == way for way in ways)
    assert len(set(ways)) == len(ways)
    assert all(publisher.known for publisher in news_catalogue())


def test_that_thirty_further_feeds_ship_each_in_a_group_that_says_what_to_expect() -> None:
    others = [publisher for publisher in news_catalogue() if publisher.name not in {"BBC News", "Reuters"}]
    titles = [source.title for publisher in others for source in publisher.sources]
    assert len(titles) == len(set(titles)) == 30
    assert len({source.ways[0].split("/")[2] for publisher in others for source in publisher.sources}) >= 25

"""The shipped sources."""

from gpf_desktop.domain.addresses import web_address
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

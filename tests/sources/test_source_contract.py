"""What every kind of source keeps, whichever it is; a new file in the package is tested by being there."""

import contextlib
import dataclasses
import pickle

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from gpf_desktop.domain.articles import Document, Harvest
from gpf_desktop.domain.errors import SourceError
from gpf_desktop.domain.ports.source import Source
from gpf_desktop.engine.core.catalogue import sources
from tests.sources.documents import EXAMPLES, NOW

KINDS = sorted(sources().items())
every_kind = pytest.mark.parametrize("source", [kind for _, kind in KINDS], ids=[name for name, _ in KINDS])

GARBAGE = (
    b"",
    b"\0" * 2000,
    b"<",
    b"<rss",
    b"{",
    b'[{"a":' * 100_000,
    b"PK\x03\x04xl/worksheets",
    b"\xff\xfe<\0r\0",
    b"<html><body>not found</body></html>",
    "\ud800headline".encode("utf-8", "surrogatepass"),
    b"<?xml version='1.0' encoding='unicode_escape'?><rss/>",
)


def read(source: Source, body: bytes, address: str = "", limit: int = 100) -> Harvest:
    return source.parse(Document(body=body, address=address, retrieved=NOW), source.options(), limit=limit)


def examples_of(source: Source) -> list[tuple[bytes, str]]:
    if source.name not in EXAMPLES:
        pytest.fail(f"add documents that {source.name} reads to EXAMPLES in tests/sources/documents.py")
    return list(EXAMPLES[source.name])


@every_kind
def test_that_it_says_what_it_is(source: Source) -> None:
    assert source.name
    assert source.version
    assert source.title
    assert dataclasses.is_dataclass(source.options)


@every_kind
def test_that_it_is_the_surest_of_its_own_documents(source: Source) -> None:
    for body, address in examples_of(source):
        document = Document(body=body, address=address)
        assert max(sources().values(), key=lambda kind: kind.sniff(document)) is source, body[:80]


@every_kind
def test_that_its_documents_yield_items_or_addresses_to_follow(source: Source) -> None:
    for body, address in examples_of(source):
        harvest = read(source, body, address)
        assert harvest.items or harvest.follow, body[:80]


@every_kind
def test_that_items_are_plain_dated_and_identified(source: Source) -> None:
    for body, address in examples_of(source):
        for item in read(source, body, address).items:
            assert item.headline == item.headline.strip() != ""
            assert not set("<>\n\0") & set(item.headline + item.description)
            assert item.key
            assert item.published is None or item.published.tzinfo is not None
            assert item.url == "" or item.url.startswith(("http://", "https://"))


@every_kind
def test_that_the_limit_holds_and_the_rest_is_counted(source: Source) -> None:
    for body, address in examples_of(source):
        everything = read(source, body, address)
        one = read(source, body, address, limit=1)
        assert len(one.items) == min(1, len(everything.items))
        assert len(one.items) + one.uncounted == len(everything.items)


@every_kind
def test_that_it_and_its_harvest_cross_to_another_process(source: Source) -> None:
    for body, address in examples_of(source):
        copied = pickle.loads(pickle.dumps(source))
        assert pickle.loads(pickle.dumps(read(copied, body, address))) == read(source, body, address)


@every_kind
@pytest.mark.parametrize("body", GARBAGE, ids=range(len(GARBAGE)))
def test_that_garbage_is_an_error_in_words_or_an_empty_harvest(source: Source, body: bytes) -> None:
    assert 0 <= source.sniff(Document(body=body)) <= 1
    with contextlib.suppress(SourceError):
        assert len(read(source, body).items) <= 1


@every_kind
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])
@given(data=st.data())
def test_that_damaged_documents_never_raise_anything_else(source: Source, data: st.DataObject) -> None:
    body, address = data.draw(st.sampled_from(examples_of(source)))
    start = data.draw(st.integers(0, len(body)))
    end = data.draw(st.integers(start, min(len(body), start + 40)))
    damaged = body[:start] + data.draw(st.binary(max_size=12)) + body[end:]
    source.sniff(Document(body=damaged, address=address))
    with contextlib.suppress(SourceError):
        read(source, damaged, address)

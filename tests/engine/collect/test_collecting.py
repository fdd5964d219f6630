"""Many sources at once, each on its own time."""

import asyncio
import multiprocessing
import os
import re
import signal
import sys
import time
from collections.abc import Callable
from concurrent.futures import BrokenExecutor, Executor, Future
from concurrent.futures.process import BrokenProcessPool

import pytest

from gpf_desktop.domain.articles import Document
from gpf_desktop.engine.collect.allowance import Allowance
from gpf_desktop.engine.collect.collecting import (
    FOLLOW_LIMIT,
    LARGE,
    Collected,
    Collector,
    Target,
    collect,
    collect_one,
)
from gpf_desktop.engine.collect.fetching import Caps
from gpf_desktop.engine.collect.parsing_pool import ParsingPool
from gpf_desktop.engine.core import worker_process
from tests.sources.documents import NOW, SITEMAP, entry, rss
from tests.support.http_server import LoopbackServer, Mode, Reply, Request

FEED = rss(entry(1), entry(2))


def _forever() -> None:
    while True:
        signal.pause()


def _backtracks() -> None:
    re.match("(a+)+$", "a" * 200 + "b")


def one(target: Target, **more: object) -> Collected:
    return asyncio.run(collect_one(target, **more))  # type: ignore[arg-type]


def test_that_a_source_yields_its_items_and_what_to_remember(http_server: LoopbackServer) -> None:
    http_server.route("/old", Reply(status=301, headers={"Location": "/feed.xml"}))
    http_server.route("/feed.xml", Reply(body=FEED, headers={"ETag": '"v1"'}))
    found = one(Target(address=http_server.url("/old")))
    assert (found.kind, found.title, found.etag) == ("feed", "Elder Cross Courier", '"v1"')
    assert found.moved_to == http_server.url("/feed.xml")
    assert len(found.harvest.items) == 2
    assert found.error is None


def test_that_unchanged_and_gone_are_no_errors(http_server: LoopbackServer) -> None:
    http_server.route("/same", Reply(status=304))
    http_server.route("/gone", Reply(status=410))
    assert one(Target(address=http_server.url("/same"), etag='"v1"')).unchanged
    assert one(Target(address=http_server.url("/gone"))).gone


def test_that_a_web_page_is_not_remembered_as_where_the_feed_moved_to(http_server: LoopbackServer) -> None:
    http_server.route("/feed.xml", Reply(status=301, headers={"Location": "/login"}))
    http_server.route("/login", Reply(body="<!doctype html><html><body>Log in</body></html>", headers={"ETag": '"v1"'}))
    found = one(Target(address=http_server.url("/feed.xml")))
    assert found.error is not None
    assert "is a web page" in found.error.what
    assert (found.moved_to, found.etag) == ("", "")


@pytest.mark.parametrize("body", ["this is no feed", "<rss><chan", b"\x89PNG\0\0\0", "", "{}"])
def test_that_what_is_no_feed_is_a_message(http_server: LoopbackServer, body: bytes | str) -> None:
    http_server.route("/feed.xml", Reply(body=body, headers={"Content-Type": "application/rss+xml"}))
    found = one(Target(address=http_server.url("/feed.xml")))
    assert found.error is not None
    assert found.error.what
    assert not found.harvest.items


def test_that_slow_and_broken_sources_hold_back_nobody(http_server: LoopbackServer) -> None:
    gate = http_server.gate()
    http_server.route("/good/*", Reply(body=FEED))
    http_server.route("/slow/*", Reply(body=FEED, gate=gate))
    http_server.route("/bad/*", Reply(status=500))
    paths = [f"/slow/{n}" for n in range(12)] + [f"/bad/{n}" for n in range(3)] + [f"/good/{n}" for n in range(15)]
    order: list[str] = []

    def arrived(found: Collected) -> None:
        order.append(found.target.address)
        # The slow ones answer only once every other source has been announced.
        if len(order) == 18:
            gate.open()

    asyncio.run(collect([Target(address=http_server.url(path)) for path in paths], arrived))
    assert len(order) == 30
    assert not any("/slow/" in address for address in order[:18])


def test_that_each_target_is_announced_once_with_its_error_or_items(http_server: LoopbackServer) -> None:
    http_server.route("/good", Reply(body=FEED))
    http_server.route("/html", Reply(body="<html></html>"))
    found: list[Collected] = []
    targets = [Target(address=http_server.url(path)) for path in ("/good", "/html", "/missing")]
    asyncio.run(collect(targets, found.append))
    assert {one.target for one in found} == set(targets)
    assert sorted(bool(one.error) for one in found) == [False, True, True]


def test_that_cancelling_stops_all_and_announces_nothing_more(http_server: LoopbackServer) -> None:
    http_server.route("/hang/*", Reply(mode=Mode.HANG))
    http_server.route("/good", Reply(body=FEED))
    found: list[Collected] = []

    async def cancelled() -> None:
        targets = [Target(address=http_server.url(path)) for path in ("/hang/1", "/hang/2", "/good")]
        announced = asyncio.Event()

        def arrived(one: Collected) -> None:
            found.append(one)
            announced.set()

        task = asyncio.create_task(collect(targets, arrived))
        await announced.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(cancelled())
    assert [one.error for one in found] == [None]


@pytest.mark.slow
def test_that_a_large_document_is_read_in_the_callers_processes_and_a_small_one_is_not(
    http_server: LoopbackServer,
) -> None:
    class Counting(ParsingPool):
        submitted = 0

        def submit(self, fn, /, *args, **kwargs):  # type: ignore[no-untyped-def]
            Counting.submitted += 1
            return super().submit(fn, *args, **kwargs)

    large = rss(*(entry(number, description="word " * 500) for number in range(200)))
    assert len(large) > LARGE
    http_server.route("/large.xml", Reply(body=large))
    http_server.route("/small.xml", Reply(body=FEED))
    with Counting() as pool:
        assert len(one(Target(address=http_server.url("/small.xml")), parse_in=pool).harvest.items) == 2
        assert Counting.submitted == 0
        assert len(one(Target(address=http_server.url("/large.xml")), parse_in=pool).harvest.items) == 200
        assert Counting.submitted == 1


@pytest.mark.slow
def test_that_an_error_found_in_another_process_keeps_its_words(http_server: LoopbackServer) -> None:
    http_server.route("/deep.xml", Reply(body=b"<rss>" + b"<a>" * 200_000))
    with ParsingPool() as pool:
        found = one(Target(address=http_server.url("/deep.xml")), parse_in=pool)
    assert found.error is not None
    assert "levels deep" in found.error.what
    assert found.error.remedy


def test_that_a_worker_that_dies_is_an_error_on_its_source_alone(http_server: LoopbackServer) -> None:
    class Dying(Executor):
        def submit(self, fn, /, *args, **kwargs):  # type: ignore[no-untyped-def]
            future: Future[object] = Future()
            future.set_exception(BrokenProcessPool("killed"))
            return future

    http_server.route("/large.xml", Reply(body=FEED + b" " * LARGE))
    found = one(Target(address=http_server.url("/large.xml")), parse_in=Dying())
    assert found.error is not None
    assert "memory" in found.error.what


@pytest.mark.skipif(sys.platform == "win32", reason="knows no limit of processor time")
def test_that_waiting_for_the_processor_is_no_slowness(monkeypatch: pytest.MonkeyPatch) -> None:
    # However long a busy machine keeps the worker waiting.
    monkeypatch.setattr(worker_process, "PATIENCE", 1_000)
    with ParsingPool(seconds=0.5) as pool:
        assert pool.submit(time.sleep, 0.7).exception() is None


@pytest.mark.slow
@pytest.mark.parametrize("reading", [_backtracks, _forever])
def test_that_a_document_that_takes_too_long_is_given_up_and_the_next_is_read_by_a_new_worker(
    reading: Callable[[], None],
) -> None:
    with ParsingPool(seconds=0.5) as pool:
        first = pool.submit(os.getpid).result()
        with pytest.raises(TimeoutError):
            pool.submit(reading).result()
        assert pool.submit(os.getpid).result() != first


def test_that_a_worker_that_died_while_idle_is_replaced() -> None:
    before = set(multiprocessing.active_children())
    with ParsingPool() as pool:
        first = pool.submit(os.getpid).result()
        (worker,) = set(multiprocessing.active_children()) - before
        worker.kill()
        worker.join()
        assert pool.submit(os.getpid).result() != first


def test_that_closing_ends_the_document_under_way() -> None:
    pool = ParsingPool()
    pool.submit(os.getpid).result()
    under_way = pool.submit(_forever)
    # One that has not begun is cancelled and has no exception of its own.
    while not under_way.running():
        time.sleep(0.01)
    pool.shutdown()
    assert isinstance(under_way.exception(), BrokenExecutor)


def test_that_a_source_that_took_too_long_is_told_as_such(http_server: LoopbackServer) -> None:
    class Slow(Executor):
        def submit(self, fn, /, *args, **kwargs):  # type: ignore[no-untyped-def]
            future: Future[object] = Future()
            future.set_exception(TimeoutError())
            return future

    http_server.route("/large.xml", Reply(body=FEED + b" " * LARGE))
    found = one(Target(address=http_server.url("/large.xml")), parse_in=Slow())
    assert found.error is not None
    assert "given up" in found.error.what


def test_that_a_document_of_the_users_is_read_without_a_fetch() -> None:
    found = one(Target(document=Document(body=b"Bridge opens\nAt last.")))
    assert (found.kind, found.harvest.items[0].headline) == ("pasted-text", "Bridge opens")


def index_of(server: LoopbackServer, *paths: str) -> str:
    return (
        "<sitemapindex>"
        + "".join(f"<sitemap><loc>{server.url(path)}</loc></sitemap>" for path in paths)
        + "</sitemapindex>"
    )


def test_that_the_parts_of_an_index_are_merged_and_their_failures_told(http_server: LoopbackServer) -> None:
    http_server.route(
        "/index.xml", Reply(body=index_of(http_server, "/a.xml", "/b.xml", "/c.xml"), headers={"ETag": '"v1"'})
    )
    http_server.route("/a.xml", Reply(body=SITEMAP))
    http_server.route("/b.xml", Reply(body=SITEMAP.replace("/story<", "/other<")))
    found = one(Target(address=http_server.url("/index.xml")))
    assert sorted(item.url for item in found.harvest.items) == [
        "https://news.example/other",
        "https://news.example/story",
    ]
    assert [dropped.url for dropped in found.harvest.dropped] == [http_server.url("/c.xml")]
    assert "404" in found.harvest.dropped[0].reason
    assert found.etag == "", "an unchanged index would hide changed parts"


def test_that_indexes_that_lead_to_each_other_end(http_server: LoopbackServer) -> None:
    http_server.route("/index*", Reply(body=index_of(http_server, "/index1", "/index2")))
    found = one(Target(address=http_server.url("/index0")))
    assert not found.harvest.items
    assert {dropped.reason for dropped in found.harvest.dropped} == {"too many indexes lead to each other"}
    assert len(http_server.requests) == 1 + 2 + 4


def test_that_only_so_many_parts_are_fetched_and_the_rest_counted(http_server: LoopbackServer) -> None:
    http_server.route("/index", Reply(body=index_of(http_server, *(f"/part{n}" for n in range(FOLLOW_LIMIT + 7)))))
    http_server.route("/part*", Reply(body=SITEMAP))
    found = one(Target(address=http_server.url("/index")))
    assert len(http_server.requests) == 1 + FOLLOW_LIMIT
    assert found.harvest.dropped[-1].reason == "7 further parts of the index were not fetched"


@pytest.mark.slow
def test_that_many_endless_feeds_of_a_list_share_what_one_list_may_hold(http_server: LoopbackServer) -> None:
    http_server.route("/index", Reply(body=index_of(http_server, *(f"/part{n}" for n in range(6)))))
    http_server.route("/part*", Reply(body="<rss><channel>" + entry() * 500, mode=Mode.ENDLESS))
    size = 300_000
    allowance = Allowance(size)
    found = asyncio.run(
        Collector(parse_in=None, caps=Caps(seconds=200.0), limit=10, allowance=allowance).collect(
            Target(address=http_server.url("/index")), depth=0
        )
    )
    assert all(part.harvest.items for part in found.parts)
    assert all("breaks off here" in part.harvest.dropped[-1].reason for part in found.parts)
    assert allowance.left == size, "what was read is given back"


def test_that_an_index_from_outside_leads_no_further_inside(
    http_server: LoopbackServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def answer(request: Request) -> Reply:
        return Reply(body=index_of(http_server, "/secret.xml")) if request.path == "/index.xml" else Reply(body=SITEMAP)

    # A proxy lets a public name be asked for on loopback: the server below answers for it.
    monkeypatch.setenv("HTTP_PROXY", http_server.url())
    http_server.route("/*", answer)
    found = one(Target(address="http://news.invalid/index.xml"))
    assert not found.harvest.items
    assert "inside a private network" in found.harvest.dropped[0].reason
    assert len(http_server.requests) == 1


def test_that_times_without_retrieval_are_those_of_the_document(http_server: LoopbackServer) -> None:
    found = one(Target(document=Document(body=rss(entry(pubDate="2 hours ago")), retrieved=NOW)))
    assert found.harvest.items[0].published is not None
    assert found.harvest.items[0].published.hour == 10


def test_that_a_body_over_the_cap_is_read_as_far_as_it_came(http_server: LoopbackServer) -> None:
    body = rss(*(entry(number) for number in range(100)))
    http_server.route("/feed.xml", Reply(body=body))
    found = one(Target(address=http_server.url("/feed.xml")), caps=Caps(size=len(body) // 2))
    assert 40 < len(found.harvest.items) < 60
    assert "breaks off here" in found.harvest.dropped[-1].reason


def test_that_what_came_is_not_written_out_with_the_result() -> None:
    # asyncio writes finished tasks out in places: with 60 MB in it that took a fifth of a second.
    found = one(Target(document=Document(body=b"Bridge opens\nAt last.")))
    assert "Bridge" not in repr(found)

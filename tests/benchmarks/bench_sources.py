"""Compares getting news in with the plain-library way of the same work, in the same run.

    python -m tests.benchmarks.bench_sources                   all parts
    python -m tests.benchmarks.bench_sources --only 3          one of them
    python -m tests.benchmarks.bench_sources --items 20000     a smaller feed
    python -m tests.benchmarks.bench_sources --seconds 30      the time limit of a fetch, for both ways

Part 1: 20 sources on loopback, of which 3 never answer and 2 lie (a web page called a feed, a body that is not
compressed as it says). The plain way: one after the other, httpx.get with the same limit, then feedparser.parse.
Part 2: one feed of 100,000 items. Ours keeps the newest 2,000 and counts the rest; the plain way: feedparser.parse,
then the newest 2,000. Each in a process of its own, for the peak of its memory; then once more over HTTP with the
parsing pool, while another thread notes the longest time for which it was not let run.
Part 3: an OPML list of 16 feeds that never end. Ours, with what each of them was said to be; the plain way would not
come to an end, so nothing stands beside it.
"""

import argparse
import asyncio
import io
import multiprocessing
import random
import resource
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from tempfile import TemporaryDirectory

import feedparser
import httpx

from gpf_desktop.domain.articles import Document
from gpf_desktop.engine.collect.collecting import Collected, Target, collect, collect_one
from gpf_desktop.engine.collect.fetching import Caps
from gpf_desktop.engine.collect.parsing_pool import ParsingPool
from gpf_desktop.engine.collect.reading import read_document
from tests.support.http_server import LoopbackServer, Mode, Reply

KEPT = 2_000
GOOD, HANGING = 15, 3
_WORDS = ("council", "bridge", "harbour", "winter", "market", "river", "school", "ferry", "report", "garden", "station")


@dataclass(frozen=True, slots=True, kw_only=True)
class Cost:
    """What one reading took in a process of its own."""

    seconds: float
    megabytes: float
    """Peak over what the process held before it read."""
    kept: int
    uncounted: int


def feed_of(count: int, *, seed: int = 7) -> bytes:
    """RSS of *count* items of usual size, in no order of time."""
    draw = random.Random(seed)
    start = datetime(2026, 11, 20, tzinfo=UTC)
    items = []
    for number in range(count):
        when = format_datetime(start - timedelta(seconds=draw.randrange(30 * 86_400)))
        text = " ".join(draw.choices(_WORDS, k=45))
        items.append(
            f"<item><title>{' '.join(draw.choices(_WORDS, k=8))} {number}</title><link>https://news.example/{number}</link>"
            f"<guid>https://news.example/{number}#0</guid><pubDate>{when}</pubDate>"
            f"<description>&lt;p&gt;{text}&lt;/p&gt;</description></item>"
        )
    return f"<rss version='2.0'><channel><title>Bench</title>{''.join(items)}</channel></rss>".encode()


def twenty_sources(seconds: float) -> None:
    with LoopbackServer(record=False) as server:
        body = feed_of(50)
        server.route("/good/*", Reply(body=body, delay=0.1))
        server.route("/hang/*", Reply(mode=Mode.HANG))
        server.route(
            "/page", Reply(body="<html><body>Hello</body></html>", headers={"Content-Type": "application/rss+xml"})
        )
        server.route("/gzip", Reply(body=body, headers={"Content-Encoding": "gzip"}))
        paths = [f"/hang/{n}" for n in range(HANGING)] + ["/page", "/gzip"] + [f"/good/{n}" for n in range(GOOD)]
        addresses = [server.url(path) for path in paths]
        ours = _ours(addresses, seconds)
        plain = _plain(addresses, seconds)
    print(f"20 sources, 3 hang, 2 lie, 100 ms each, limit {seconds:g} s: until the other 15 are announced")
    print(f"    ours   {ours:8.3f} s")
    print(f"    plain  {plain:8.3f} s    ratio {plain / ours:.1f}")


def _ours(addresses: list[str], seconds: float) -> float:
    """Seconds until the last good source was announced; all must have been, and the others with an error."""
    good: list[float] = []
    failed: list[str] = []
    started = time.perf_counter()

    def arrived(found: Collected) -> None:
        if found.error is None and found.harvest.items:
            good.append(time.perf_counter() - started)
        else:
            failed.append(str(found.error))

    asyncio.run(collect([Target(address=one) for one in addresses], arrived, caps=Caps(seconds=seconds)))
    assert (len(good), len(failed)) == (GOOD, len(addresses) - GOOD), failed
    return good[-1]


def _plain(addresses: list[str], seconds: float) -> float:
    good = 0
    started = time.perf_counter()
    for address in addresses:
        try:
            answer = httpx.get(address, timeout=seconds)
        except httpx.HTTPError:
            continue
        good += bool(feedparser.parse(io.BytesIO(answer.content)).entries)
    assert good == GOOD, good
    return time.perf_counter() - started


def large_feed(items: int) -> None:
    body = feed_of(items)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "feed.xml"
        path.write_bytes(body)
        ours = _in_own_process(_read_ours, path)
        plain = _in_own_process(_read_plain, path)
    print(
        f"one feed of {items:,} items, {len(body) / 1e6:.0f} MB: newest {ours.kept:,} kept, {ours.uncounted:,} counted"
    )
    print(f"    ours   {ours.seconds:8.2f} s {ours.megabytes:8.0f} MB")
    print(
        f"    plain  {plain.seconds:8.2f} s {plain.megabytes:8.0f} MB    "
        f"ratios {plain.seconds / ours.seconds:.1f} and {plain.megabytes / ours.megabytes:.1f}"
    )
    seconds, stall = _over_http(body)
    print(f"    over HTTP with the parsing pool {seconds:.2f} s; longest stall of another thread {stall * 1000:.0f} ms")


def _in_own_process(read: Callable[[Path], Cost], path: Path) -> Cost:
    with ProcessPoolExecutor(1, mp_context=multiprocessing.get_context("spawn")) as pool:
        return pool.submit(read, path).result()


def _read_ours(path: Path) -> Cost:
    read_document(Document(body=feed_of(3)), KEPT)
    before = _peak()
    started = time.perf_counter()
    document = Document(body=path.read_bytes(), retrieved=datetime(2026, 11, 20, 12, tzinfo=UTC))
    harvest = read_document(document, KEPT).harvest
    seconds = time.perf_counter() - started
    return Cost(seconds=seconds, megabytes=_peak() - before, kept=len(harvest.items), uncounted=harvest.uncounted)


def _read_plain(path: Path) -> Cost:
    feedparser.parse(io.BytesIO(feed_of(3)))
    before = _peak()
    started = time.perf_counter()
    entries = feedparser.parse(io.BytesIO(path.read_bytes())).entries
    entries.sort(key=lambda entry: entry.published_parsed, reverse=True)
    seconds = time.perf_counter() - started
    kept = len(entries[:KEPT])
    return Cost(seconds=seconds, megabytes=_peak() - before, kept=kept, uncounted=len(entries) - kept)


def _over_http(body: bytes) -> tuple[float, float]:
    """Seconds for fetch and parse, and the longest gap between two beats of a thread that wants to run each ms."""
    stop = threading.Event()
    gaps: list[float] = []

    def beat() -> None:
        last = time.perf_counter()
        while not stop.wait(0.001):
            now = time.perf_counter()
            gaps.append(now - last)
            last = now

    replies = {"/feed.xml": _chunked(body), "/small.xml": _chunked(feed_of(2_000))}
    with ParsingPool() as pool, _served(replies) as base:
        # The worker is started by the first large document; a session pays for that once.
        asyncio.run(collect_one(Target(address=f"{base}/small.xml"), parse_in=pool))
        heart = threading.Thread(target=beat)
        heart.start()
        started = time.perf_counter()
        found = asyncio.run(collect_one(Target(address=f"{base}/feed.xml"), parse_in=pool))
        seconds = time.perf_counter() - started
        stop.set()
        heart.join()
    assert len(found.harvest.items) == KEPT, found.error
    return seconds, max(gaps)


def endless_feeds(count: int) -> None:
    """An OPML list of *count* feeds, each an RSS document that begins anew before it has ended, for ever."""
    replies = {
        f"/endless/{n}": Reply(body=feed_of(200).removesuffix(b"</channel></rss>"), mode=Mode.ENDLESS)
        for n in range(count)
    }
    with ParsingPool() as pool, _served(replies) as base:
        outlines = "".join(f'<outline type="rss" xmlUrl="{base}{path}"/>' for path in replies)
        listed = Document(body=f'<opml version="2.0"><body>{outlines}</body></opml>'.encode(), address="endless.opml")
        before = _peak()
        started = time.perf_counter()
        found = asyncio.run(collect_one(Target(document=listed), parse_in=pool))
        seconds = time.perf_counter() - started
    said = Counter(str(part.error) for part in found.parts)
    print(
        f"OPML of {count} feeds without end: {seconds:.1f} s, {_peak() - before:.0f} MB over what the process held, "
        f"no other process over {resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024:.0f} MB"
    )
    for words, times in said.most_common():
        print(f"    {times:3} × {words}")


def _chunked(body: bytes) -> Reply:
    return Reply(body=body, mode=Mode.CHUNKED, piece=1 << 16)


@contextmanager
def _served(replies: dict[str, Reply]) -> Iterator[str]:
    """A server in a process of its own, so that its work is not taken for ours; yields its address."""
    spawn = multiprocessing.get_context("spawn")
    ours, theirs = spawn.Pipe()
    process = spawn.Process(target=_serve, args=(theirs,))
    process.start()
    ours.send(replies)
    yield ours.recv()
    ours.send(None)
    process.join()


def _serve(orders: Connection) -> None:
    with LoopbackServer(record=False) as server:
        for path, reply in orders.recv().items():
            server.route(path, reply)
        orders.send(server.url("").rstrip("/"))
        orders.recv()


def _peak() -> float:
    """MB at the highest so far. Linux hands `ru_maxrss` on to a new program: there /proc has the process's own."""
    status = Path("/proc/self/status")
    if status.exists():
        line = next(line for line in status.read_text().splitlines() if line.startswith("VmHWM"))
        return int(line.split()[1]) / 1024
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--items", type=int, default=100_000)
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--only", type=int, choices=(1, 2, 3))
    options = parser.parse_args()
    parts = (partial(twenty_sources, options.seconds), partial(large_feed, options.items), partial(endless_feeds, 16))
    for number, part in enumerate(parts, start=1):
        if options.only in (None, number):
            part()


if __name__ == "__main__":
    main()

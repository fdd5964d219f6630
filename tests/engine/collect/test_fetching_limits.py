"""What a server may not do to us: size, time, redirects into the user's own network."""

import asyncio
import gzip
import tracemalloc
import zlib

import pytest

from gpf_desktop.domain.errors import SourceError
from gpf_desktop.engine.collect import fetching
from gpf_desktop.engine.collect.capped_decompression import Inflater
from gpf_desktop.engine.collect.fetching import Caps, Fetched, fetch
from tests.support.http_server import LoopbackServer, Mode, Reply

FEED = b"<rss><channel><title>Courier</title></channel></rss>"
MEGABYTE = 1024 * 1024


def get(address: str, **more: object) -> Fetched:
    return asyncio.run(fetch(address, **more))  # type: ignore[arg-type]


def test_that_compressed_bodies_are_read(http_server: LoopbackServer) -> None:
    http_server.route("/feed.xml", Reply(body=FEED * 1000, gzip=True))
    fetched = get(http_server.url("/feed.xml"))
    assert fetched.document is not None
    assert fetched.document.body == FEED * 1000
    assert not fetched.document.cut


def test_that_a_file_that_is_itself_compressed_is_read(http_server: LoopbackServer) -> None:
    http_server.route("/sitemap.xml.gz", Reply(body=gzip.compress(FEED)))
    fetched = get(http_server.url("/sitemap.xml.gz"))
    assert fetched.document is not None
    assert fetched.document.body == FEED


@pytest.mark.slow
def test_that_a_gzip_bomb_stops_at_the_cap_and_never_unfolds_in_memory(http_server: LoopbackServer) -> None:
    http_server.route("/bomb", Reply(body=gzip.compress(b"\0" * 200 * MEGABYTE), headers={"Content-Encoding": "gzip"}))
    tracemalloc.start()
    fetched = get(http_server.url("/bomb"), caps=Caps(size=MEGABYTE))
    _, peak = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert fetched.document is not None
    assert (len(fetched.document.body), fetched.document.cut) == (MEGABYTE, True)
    assert peak < 24 * MEGABYTE


@pytest.mark.slow
def test_that_a_bomb_inside_a_bomb_stops_at_the_cap(http_server: LoopbackServer) -> None:
    inner = gzip.compress(b"\0" * 100 * MEGABYTE)
    http_server.route("/bomb.gz", Reply(body=inner, gzip=True))
    fetched = get(http_server.url("/bomb.gz"), caps=Caps(size=MEGABYTE))
    assert fetched.document is not None
    assert (len(fetched.document.body), fetched.document.cut) == (MEGABYTE, True)


def test_that_the_cap_holds_for_any_way_of_cutting_the_stream() -> None:
    packed = gzip.compress(bytes(range(256)) * 5000)
    for step in (1, 7, 1000, len(packed)):
        inflater = Inflater(10_000)
        for start in range(0, len(packed), step):
            inflater.feed(packed[start : start + step])
        assert inflater.full
        assert inflater.body == (bytes(range(256)) * 40)[:10_000]


@pytest.mark.parametrize("step", [1, 2, 3, 100])
@pytest.mark.parametrize("bits", [zlib.MAX_WBITS, -zlib.MAX_WBITS, zlib.MAX_WBITS + 16])
def test_that_what_a_stream_is_does_not_hang_on_how_it_is_cut(step: int, bits: int) -> None:
    # Without compression and with little of it raw deflate begins as other streams may.
    for level, text in ((0, b"x" * 300), (9, FEED), (1, b"")):
        packer = zlib.compressobj(level, zlib.DEFLATED, bits)
        packed = packer.compress(text) + packer.flush()
        inflater = Inflater(10_000)
        for start in range(0, len(packed), step):
            inflater.feed(packed[start : start + step])
        assert (inflater.body, inflater.complete) == (text, True)


def test_that_an_endless_body_stops_at_the_cap(http_server: LoopbackServer) -> None:
    http_server.route("/endless", Reply(body=FEED * 100, mode=Mode.ENDLESS))
    fetched = get(http_server.url("/endless"), caps=Caps(size=MEGABYTE))
    assert fetched.document is not None
    assert (len(fetched.document.body), fetched.document.cut) == (MEGABYTE, True)


def test_that_a_compression_that_was_not_asked_for_is_refused(http_server: LoopbackServer) -> None:
    http_server.route("/feed.xml", Reply(body=FEED, headers={"Content-Encoding": "br"}))
    with pytest.raises(SourceError, match=r"not asked for \(br\)"):
        get(http_server.url("/feed.xml"))


def test_that_a_compressed_body_that_is_none_is_a_message(http_server: LoopbackServer) -> None:
    http_server.route("/feed.xml", Reply(body=FEED, headers={"Content-Encoding": "gzip"}))
    with pytest.raises(SourceError, match="cannot be unpacked"):
        get(http_server.url("/feed.xml"))


@pytest.mark.slow
def test_that_a_slow_loris_runs_into_the_total_time(http_server: LoopbackServer) -> None:
    http_server.route("/slow", Reply(body=FEED * 1000, mode=Mode.SLOW, piece=1, pace=0.02))
    with pytest.raises(SourceError, match="did not finish answering within"):
        get(http_server.url("/slow"), caps=Caps(seconds=0.5))


def test_that_a_server_that_never_answers_runs_into_the_total_time(http_server: LoopbackServer) -> None:
    http_server.route("/hang", Reply(mode=Mode.HANG))
    with pytest.raises(SourceError, match="did not finish answering within"):
        get(http_server.url("/hang"), caps=Caps(seconds=0.3))


def test_that_a_truncated_body_is_kept_marked_and_not_taken_for_current(http_server: LoopbackServer) -> None:
    http_server.route("/feed.xml", Reply(body=FEED * 1000, headers={"ETag": '"v1"'}, mode=Mode.TRUNCATED))
    fetched = get(http_server.url("/feed.xml"))
    assert fetched.document is not None
    assert fetched.document.cut
    assert fetched.document.body.startswith(FEED)
    assert fetched.etag == ""


def test_that_a_truncated_compressed_body_is_kept_as_far_as_it_goes(http_server: LoopbackServer) -> None:
    noisy = b"".join(b"%d " % (number * 7919 % 100_003) for number in range(50_000))
    http_server.route("/feed.xml", Reply(body=noisy, gzip=True, mode=Mode.TRUNCATED))
    fetched = get(http_server.url("/feed.xml"))
    assert fetched.document is not None
    assert fetched.document.cut
    assert 0 < len(fetched.document.body) < len(noisy)
    assert noisy.startswith(fetched.document.body)


def test_that_a_reset_is_a_message(http_server: LoopbackServer) -> None:
    http_server.route("/feed.xml", Reply(mode=Mode.RESET))
    with pytest.raises(SourceError, match="broke off"):
        get(http_server.url("/feed.xml"))


def test_that_redirects_in_a_circle_and_too_many_are_told_apart(http_server: LoopbackServer) -> None:
    http_server.route("/loop", Reply(status=302, headers={"Location": "/loop"}))
    http_server.route("/more*", lambda request: Reply(status=301, headers={"Location": request.path + "x"}))
    with pytest.raises(SourceError, match="in a circle"):
        get(http_server.url("/loop"))
    with pytest.raises(SourceError, match="more than 5 times"):
        get(http_server.url("/more"))
    assert len(http_server.requests) == 7


@pytest.mark.parametrize(
    "target", ["file:///etc/hostname", "ftp://news.example/x", "javascript:alert(1)", "data:,x", "http://[bad"]
)
def test_that_a_redirect_to_anything_but_the_web_is_refused(http_server: LoopbackServer, target: str) -> None:
    http_server.route("/feed.xml", Reply(status=302, headers={"Location": target}))
    with pytest.raises(SourceError, match="no web address"):
        get(http_server.url("/feed.xml"))


def test_that_a_typed_private_address_may_redirect_within_the_private_network(http_server: LoopbackServer) -> None:
    http_server.route("/old", Reply(status=302, headers={"Location": http_server.url("/new")}))
    http_server.route("/new", Reply(body=FEED))
    assert get(http_server.url("/old")).inside


@pytest.mark.parametrize(
    "inside",
    [
        "http://127.0.0.1:{port}/",
        "http://localhost:{port}/",
        "http://2130706433:{port}/",
        "http://169.254.169.254/latest",
        "http://[::1]:{port}/",
        # Names that the proxy alone may know, and that only an own network has.
        "http://intranet/",
        "http://printer.local/",
        "http://db.corp.internal./",
        "http://router.home.arpa/",
    ],
)
def test_that_a_public_address_may_not_redirect_into_the_private_network(
    http_server: LoopbackServer, monkeypatch: pytest.MonkeyPatch, inside: str
) -> None:
    # A proxy lets a public name be asked for on loopback: the server below answers for it.
    monkeypatch.setenv("HTTP_PROXY", http_server.url())
    monkeypatch.delenv("NO_PROXY", raising=False)
    http_server.route("/feed.xml", Reply(status=302, headers={"Location": inside.format(port=http_server.port)}))
    http_server.route("/", Reply(body=b"secret"))
    with pytest.raises(SourceError, match="inside a private network"):
        get("http://news.invalid/feed.xml")
    assert [request.path for request in http_server.requests] == ["/feed.xml"]


def test_that_a_private_address_named_by_a_document_is_refused_unless_the_user_was_inside(
    http_server: LoopbackServer,
) -> None:
    http_server.route("/feed.xml", Reply(body=FEED))
    with pytest.raises(SourceError, match="inside a private network"):
        get(http_server.url("/feed.xml"), typed=False)
    assert http_server.requests == []
    assert get(http_server.url("/feed.xml"), typed=False, inside=True).document


def test_that_a_file_named_by_a_document_is_refused() -> None:
    for address in ("file:///etc/hostname", "/etc/hostname", "\\\\host\\share"):
        with pytest.raises(SourceError, match="no web address"):
            get(address, typed=False, inside=True)


def test_that_a_name_that_changes_its_address_after_the_check_is_found_out(
    http_server: LoopbackServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def says_public(_url: str) -> bool:
        return False

    monkeypatch.setattr(fetching, "_leads_inside", says_public)
    http_server.route("/feed.xml", Reply(body=b"secret"))
    with pytest.raises(SourceError, match="inside a private network"):
        get(http_server.url("/feed.xml"), typed=False)


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_that_a_dead_proxy_is_named_and_not_the_site(scheme: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(f"{scheme.upper()}_PROXY", "http://auditor:secret@127.0.0.1:1")
    with pytest.raises(SourceError, match=r"^The proxy 127\.0\.0\.1:") as told:
        asyncio.run(fetch(f"{scheme}://news.invalid/feed.xml"))
    assert "secret" not in str(told.value)


@pytest.mark.parametrize(
    ("named", "times"), [("utf-8", 0), ("none", 0), ("aws-chunked", 0), ("gzip, gzip", 2), ("aws-chunked,gzip", 1)]
)
def test_that_a_content_encoding_that_is_no_compression_is_passed_over(
    http_server: LoopbackServer, named: str, times: int
) -> None:
    body = FEED
    for _ in range(times):
        body = gzip.compress(body)
    http_server.route("/feed.xml", Reply(body=body, headers={"Content-Encoding": named}))
    fetched = get(http_server.url("/feed.xml"))
    assert fetched.document is not None
    assert fetched.document.body == FEED

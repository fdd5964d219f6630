"""Whatever the network does comes back as a value, in words that tell one failure from another."""

import asyncio
import gzip
import logging
import zlib
from collections.abc import AsyncIterator

import pytest

from gpf_desktop.domain.responses import Miss, Missing
from gpf_desktop.domain.retries import NoRetry, Transient
from gpf_desktop.domain.wire import ANSWER_CAP, WireReply, WireRequest
from gpf_desktop.engine.models.sending import KEPT_OF_CUT, Sender, _unpacked, _Unpacking
from tests.engine.models.sends import SECRET, exchange, get, missed, replied
from tests.support.http_server import LoopbackServer, Mode, Reply


def test_that_a_request_goes_out_as_given(http_server: LoopbackServer) -> None:
    http_server.route("/v1/x", Reply(status=418, body="short and stout", headers={"X-Request-Id": "r1"}))
    url = http_server.url("/v1/x?q=1")
    reply = replied(WireRequest(method="POST", url=url, headers={"x-api-key": SECRET}, json={"ü": [1, 0.2]}))
    assert (reply.status, reply.body, reply.headers["x-request-id"]) == (418, b"short and stout", "r1")
    request = http_server.requests[0]
    assert request.json() == {"ü": [1, 0.2]}
    assert request.headers["content-type"] == "application/json"
    assert request.headers["x-api-key"] == SECRET
    assert request.headers["user-agent"] == "gpf-desktop"


def test_that_a_prompt_with_lone_surrogates_is_sent(http_server: LoopbackServer) -> None:
    http_server.route("/", Reply(body="ok"))
    replied(WireRequest(method="POST", url=http_server.url(), json={"text": "a\ud800b"}))


@pytest.mark.parametrize("status", [301, 302, 303, 307, 308])
def test_that_redirects_are_not_followed(status: int, http_server: LoopbackServer) -> None:
    http_server.route("/", Reply(status=status, headers={"Location": "/elsewhere"}))
    assert replied(get(http_server.url())).status == status
    assert len(http_server.requests) == 1


def test_that_compressed_replies_are_unpacked(http_server: LoopbackServer) -> None:
    http_server.route("/", Reply(body="rain " * 1000, gzip=True))
    assert replied(get(http_server.url())).body == b"rain " * 1000


_SAID = b"rain " * 1000


@pytest.mark.parametrize(
    ("body", "coding"),
    [
        (gzip.compress(_SAID), "identity, gzip"),
        (gzip.compress(_SAID), ""),
        (gzip.compress(_SAID[:99]) + gzip.compress(_SAID[99:]), "GZIP"),
        (zlib.compress(_SAID), "deflate"),
        (zlib.compress(_SAID, wbits=-15), "deflate"),
        (_SAID, "br"),
    ],
    ids=["in a list", "unsaid", "in two members", "zlib", "deflate without a head", "said of what is not"],
)
def test_that_replies_packed_in_other_ways_are_unpacked(http_server: LoopbackServer, body: bytes, coding: str) -> None:
    http_server.route("/", Reply(body=body, headers={"Content-Encoding": coding} if coding else {}))
    assert replied(get(http_server.url())).body == _SAID


@pytest.mark.parametrize(
    ("body", "coding", "said"),
    [
        (zlib.compress(_SAID), "deflate", _SAID),
        (zlib.compress(_SAID, wbits=-15), "deflate", _SAID),
        (gzip.compress(_SAID), "", _SAID),
        (b"a", "", b"a"),
        (b"", "", b""),
    ],
    ids=["zlib", "deflate without a head", "unsaid", "one byte", "none"],
)
def test_that_how_it_is_packed_is_told_of_two_bytes_however_they_come(body: bytes, coding: str, said: bytes) -> None:
    async def one_by_one() -> AsyncIterator[bytes]:
        for at in range(len(body)):
            yield body[at : at + 1]

    async def whole() -> bytes:
        return b"".join([piece async for piece in _unpacked(one_by_one(), coding, ANSWER_CAP)])

    assert asyncio.run(whole()) == said


def test_that_a_bomb_is_cut_at_the_cap(http_server: LoopbackServer) -> None:
    bomb = gzip.compress(b"\0" * (4 * ANSWER_CAP))
    assert len(bomb) < 100_000
    http_server.route("/", Reply(body=bomb, headers={"Content-Encoding": "gzip"}))
    reply = replied(get(http_server.url()))
    assert reply.cut
    assert len(reply.body) == KEPT_OF_CUT


def test_that_compressed_nothing_without_end_is_cut(http_server: LoopbackServer) -> None:
    nothing = gzip.compress(b"")[:10] + b"\0\0\0\xff\xff" * (ANSWER_CAP // 5 + 1)
    http_server.route("/", Reply(body=nothing, headers={"Content-Encoding": "gzip"}))
    reply = replied(get(http_server.url()))
    assert (reply.body, reply.cut) == (b"", True)


def test_that_what_follows_a_compressed_answer_is_not_kept(http_server: LoopbackServer) -> None:
    padded = gzip.compress(b"Yes.") + bytes(500_000)
    http_server.route("/", Reply(body=padded, headers={"Content-Encoding": "gzip"}))
    reply = replied(get(http_server.url()))
    assert (reply.body, reply.cut) == (b"Yes.", False)


def test_that_an_endless_reply_is_cut_at_the_cap(http_server: LoopbackServer) -> None:
    http_server.route("/", Reply(body=b"x" * 1_000_000, mode=Mode.ENDLESS))
    reply = replied(get(http_server.url()))
    assert reply.cut
    assert len(reply.body) == KEPT_OF_CUT


@pytest.mark.parametrize("mode", [Mode.TRUNCATED, Mode.RESET])
def test_that_a_broken_reply_keeps_what_came(mode: Mode, http_server: LoopbackServer) -> None:
    http_server.route("/", Reply(body=b"x" * 100_000, mode=mode))
    outcome = exchange(get(http_server.url()))
    match outcome:
        case WireReply():
            assert outcome.broken
            assert set(outcome.body) == {ord("x")}
        case Miss():
            # A reset may overtake what was sent before it.
            assert mode is Mode.RESET
            assert outcome.reason is Missing.UNKNOWN


def test_that_a_reset_before_an_answer_is_an_unknown_outcome(http_server: LoopbackServer) -> None:
    http_server.route("/", Reply(mode=Mode.RESET))
    miss = missed(get(http_server.url()))
    assert miss.reason is Missing.UNKNOWN
    assert isinstance(miss.retry, Transient)
    assert "before an answer came" in miss.detail


def test_that_a_silent_server_is_timed_out(http_server: LoopbackServer) -> None:
    http_server.route("/", Reply(mode=Mode.HANG))
    miss = missed(get(http_server.url()), 0.2)
    assert miss.reason is Missing.TIMED_OUT
    assert isinstance(miss.retry, Transient)
    assert "0.2 s" in miss.detail


def test_that_a_dripping_server_is_timed_out_as_a_whole(http_server: LoopbackServer) -> None:
    http_server.route("/", Reply(body=b"x" * 10_000, mode=Mode.SLOW, piece=1, pace=0.02))
    assert missed(get(http_server.url()), 0.3).reason is Missing.TIMED_OUT


def test_that_a_refused_connection_says_so(http_server: LoopbackServer) -> None:
    url = http_server.url()
    http_server.close()
    miss = missed(get(url))
    assert miss.reason is Missing.UNREACHABLE
    assert isinstance(miss.retry, Transient)
    assert "takes no connections" in miss.detail


def test_that_an_unknown_name_says_so() -> None:
    miss = missed(get("http://no-such-host.invalid/"))
    assert miss.reason is Missing.UNREACHABLE
    assert "no-such-host.invalid" in miss.detail
    assert "not known" in miss.detail


@pytest.mark.parametrize("url", ["", "ftp://host/x", "http://", "http://[bad", "file:///etc/passwd", "host/v1"])
def test_that_an_address_that_is_none_says_so(url: str) -> None:
    miss = missed(get(url))
    assert miss.reason is Missing.UNREACHABLE
    assert isinstance(miss.retry, NoRetry)
    assert "no address" in miss.detail


@pytest.mark.parametrize("key", ["two\nlines", "schl\u0434üssel"])
def test_that_a_key_that_http_cannot_carry_says_so_without_showing_it(key: str, http_server: LoopbackServer) -> None:
    miss = missed(get(http_server.url(), Authorization=f"Bearer {key}"))
    assert miss.reason is Missing.UNREACHABLE
    assert isinstance(miss.retry, NoRetry)
    assert key not in miss.detail
    assert http_server.requests == []


def test_that_a_body_that_is_not_compressed_as_declared_is_unreadable(http_server: LoopbackServer) -> None:
    http_server.route("/", Reply(body="plain", headers={"Content-Encoding": "gzip"}))
    assert missed(get(http_server.url())).reason is Missing.UNREADABLE


def test_that_each_call_in_flight_has_a_connection_that_the_next_one_takes_over(http_server: LoopbackServer) -> None:
    gate = http_server.gate()
    http_server.route("/", Reply(body="ok", gate=gate))
    wanted = 31

    async def main() -> tuple[int, int]:
        sender = Sender()
        try:
            tasks = [asyncio.create_task(sender.send(get(http_server.url()), 100.0)) for _ in range(wanted)]
            await asyncio.to_thread(http_server.wait_for_requests, wanted)
            gate.open()
            replies = await asyncio.gather(*tasks)
            replies += [await sender.send(get(http_server.url()), 100.0) for _ in range(3)]
            return sum(isinstance(reply, WireReply) for reply in replies), sender.lines
        finally:
            await sender.aclose()

    assert asyncio.run(main()) == (wanted + 3, wanted)


def test_that_a_cancelled_call_frees_its_place(http_server: LoopbackServer) -> None:
    http_server.route("/hang", Reply(mode=Mode.HANG))
    http_server.route("/", Reply(body="ok"))

    async def main() -> tuple[WireReply | Miss, int]:
        sender = Sender()
        try:
            doomed = [asyncio.create_task(sender.send(get(http_server.url("/hang")), 100.0)) for _ in range(10)]
            await asyncio.to_thread(http_server.wait_for_requests, 10)
            for task in doomed:
                task.cancel()
            await asyncio.gather(*doomed, return_exceptions=True)
            return await sender.send(get(http_server.url()), 100.0), sender.lines
        finally:
            await sender.aclose()

    reply, lines = asyncio.run(main())
    assert isinstance(reply, WireReply)
    assert lines == 10


def test_that_a_request_shows_no_header_values() -> None:
    assert SECRET not in repr(get("http://127.0.0.1/", Authorization=SECRET))


def test_that_no_log_shows_a_key(http_server: LoopbackServer, caplog: pytest.LogCaptureFixture) -> None:
    http_server.route("/", Reply(body="ok"))
    with caplog.at_level(logging.DEBUG):
        replied(get(http_server.url(), Authorization=f"Bearer {SECRET}"))
    assert "127.0.0.1" in caplog.text
    assert SECRET not in caplog.text


@pytest.mark.parametrize("cut", range(1, 2 * len(gzip.compress(b"rain"))))
def test_that_packed_members_are_whole_wherever_a_read_ends(cut: int) -> None:
    packed = gzip.compress(b"rain") + gzip.compress(b"snow")
    unpacking = _Unpacking(packed[:2], gzip=True)
    found = b"".join(piece for raw in (packed[:cut], packed[cut:]) for piece in unpacking.pieces(raw))
    assert (found, unpacking.whole) == (b"rainsnow", True)

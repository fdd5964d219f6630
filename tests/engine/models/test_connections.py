"""A connection is taken over by the next call only where nothing stands in its way."""

import asyncio
import select
from collections.abc import Awaitable, Callable
from contextlib import suppress

import pytest

from gpf_desktop.domain.responses import Miss, Missing
from gpf_desktop.domain.retries import NoRetry
from gpf_desktop.domain.wire import WireReply, WireRequest
from gpf_desktop.engine.models import direct_line
from gpf_desktop.engine.models.connection import connect
from gpf_desktop.engine.models.sending import Sender

Serve = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


def _outcomes(
    said: bytes, calls: int = 2, *, hangs_up: bool = False, seconds: float = 100.0
) -> tuple[list[WireReply | Miss], int]:
    """Of *calls* calls to a server that answers each with *said*, and how many connections they took."""
    connections = 0

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal connections
        connections += 1
        with suppress(ConnectionError, asyncio.IncompleteReadError):
            while True:
                await reader.readuntil(b"\r\n\r\n")
                writer.write(said)
                if hangs_up:
                    break
        writer.close()

    async def ask() -> list[WireReply | Miss]:
        server = await asyncio.start_server(serve, "127.0.0.1", 0)
        url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/"
        sender = Sender()
        outcomes = [await sender.send(WireRequest(method="GET", url=url), seconds) for _ in range(calls)]
        await sender.aclose()
        server.close()
        await server.wait_closed()
        while getattr(server, "_active_count", 0):  # noqa: ASYNC110 - Python 3.11 has no event for it
            await asyncio.sleep(0.001)
        return outcomes

    return asyncio.run(ask()), connections


def _replies(said: bytes, *, hangs_up: bool = False) -> tuple[list[bytes], int]:
    outcomes, connections = _outcomes(said, hangs_up=hangs_up)
    bodies = []
    for outcome in outcomes:
        assert isinstance(outcome, WireReply), outcome
        bodies.append(outcome.body)
    return bodies, connections


CHUNKED = b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n"


@pytest.mark.parametrize(
    ("said", "body", "connections"),
    [
        (CHUNKED, b"abcde", 1),
        (b"HTTP/1.1 103 Early Hints\r\nlink: x\r\n\r\n" + CHUNKED, b"abcde", 1),
        (b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok", b"ok", 1),
        (b"HTTP/1.0 200 OK\r\ncontent-length: 2\r\n\r\nok", b"ok", 2),
        (b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nokHTTP/1.1 500 stray\r\n\r\n", b"ok", 2),
    ],
    ids=["chunked", "after a hint", "of known length", "closing", "with more than it says"],
)
def test_that_a_connection_is_kept_after_a_whole_reply_only(said: bytes, body: bytes, connections: int) -> None:
    assert _replies(said) == ([body, body], connections)


ENDLESS = b"HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n%x\r\n%b\r\n"
"""A body that never ends, though all of it is there."""


@pytest.mark.parametrize(
    ("body", "seconds"),
    [(b'{"paid": "for"}', 0.2), (b'data: {"choices": []}\n\ndata: [DONE]\n\n', 100.0)],
    ids=["JSON", "a stream, which is not waited for"],
)
def test_that_a_whole_answer_is_kept_though_its_server_never_ends_it(body: bytes, seconds: float) -> None:
    (reply, _), connections = _outcomes(ENDLESS % (len(body), body), seconds=seconds)
    assert isinstance(reply, WireReply), reply
    assert (reply.status, reply.body, connections) == (200, body, 2)


def test_that_half_an_answer_whose_time_is_over_is_none() -> None:
    (miss,), _ = _outcomes(ENDLESS % (10, b'{"paid": "'), calls=1, seconds=0.2)
    assert isinstance(miss, Miss), miss
    assert miss.reason is Missing.TIMED_OUT


@pytest.mark.parametrize(
    ("said", "told"),
    [(b"SSH-2.0-x\r\n", "no reply in HTTP"), (b"\x15\x03\x01\x00\x02\x02\x46", "https"), (b"HTTP/1.1 2", "lost")],
    ids=["another protocol", "TLS", "half a head"],
)
def test_that_what_came_before_the_end_tells_what_the_server_speaks(said: bytes, told: str) -> None:
    (miss,), _ = _outcomes(said, calls=1, hangs_up=True)
    assert isinstance(miss, Miss), miss
    assert told in miss.detail
    assert miss.reason is (Missing.UNKNOWN if told == "lost" else Missing.UNREADABLE)


@pytest.mark.skipif(not hasattr(select, "poll"), reason="known by polling the socket")
def test_that_a_server_which_hangs_up_after_each_answer_without_a_word_loses_no_call() -> None:
    said = b"HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok"
    assert _replies(said, hangs_up=True) == ([b"ok", b"ok"], 2)


@pytest.mark.parametrize(
    "said",
    [
        b"ICY 200 OK\r\n\r\nok",
        b"HTTP/1.1 200 OK\r\ncontent-length: -5\r\n\r\nok",
        b"HTTP/1.1 200 OK\r\nX-Long: " + b"x" * 200_000 + b"\r\n\r\nok",
        b"HTTP/1.1 102 Processing\r\n\r\n" * 101,
    ],
    ids=["another protocol", "a length below nothing", "a header that is too long", "interim replies only"],
)
def test_that_a_head_which_is_no_http_is_an_unreadable_answer_and_not_a_lost_connection(said: bytes) -> None:
    (miss,), _ = _outcomes(said, calls=1)
    assert isinstance(miss, Miss), miss
    assert (miss.reason, miss.retry) == (Missing.UNREADABLE, NoRetry())
    assert "no reply in HTTP" in miss.detail
    assert len(miss.detail) < 400


@pytest.mark.parametrize("status", [204, 429, 500])
def test_that_an_empty_or_broken_body_that_is_said_to_be_compressed_leaves_the_status(status: int) -> None:
    body = b"no" if status == 500 else b""
    head = b"HTTP/1.1 %d x\r\ncontent-encoding: gzip\r\ncontent-length: %d\r\n\r\n" % (status, len(body))
    (reply,), _ = _outcomes(head + body, calls=1)
    assert isinstance(reply, WireReply), reply
    assert (reply.status, reply.body) == (status, b"")


def test_that_a_connection_which_was_idle_for_long_is_made_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(direct_line, "IDLE", -1.0)
    assert _replies(CHUNKED)[1] == 2


def test_that_what_comes_unasked_and_the_end_are_known_before_the_next_call() -> None:
    async def told() -> None:
        steps = asyncio.Event()

        async def serve(_reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            writer.write(b"stray")
            await steps.wait()
            writer.close()

        server = await asyncio.start_server(serve, "127.0.0.1", 0)
        wire = await connect("127.0.0.1", server.sockets[0].getsockname()[1], None)
        assert await wire.read() == b"stray"
        assert wire.quiet
        steps.set()
        assert await wire.read() == b""
        assert not wire.quiet
        wire.abort()
        await wire.lost
        server.close()
        await server.wait_closed()

    asyncio.run(told())

"""A connection is taken over by the next call only where nothing stands in its way."""

import asyncio
from collections.abc import Awaitable, Callable
from contextlib import suppress

import pytest

from gpf_desktop.domain.wire import WireReply, WireRequest
from gpf_desktop.engine.models import direct_line
from gpf_desktop.engine.models.connection import connect
from gpf_desktop.engine.models.sending import Sender

Serve = Callable[[asyncio.StreamReader, asyncio.StreamWriter], Awaitable[None]]


def _replies(
    said: bytes, calls: int = 2, *, between: Callable[[], Awaitable[None]] | None = None
) -> tuple[object, int]:
    """Bodies of *calls* calls to a server that answers each with *said*, and how many connections they took."""
    connections = 0

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal connections
        connections += 1
        with suppress(ConnectionError, asyncio.IncompleteReadError):
            while True:
                await reader.readuntil(b"\r\n\r\n")
                writer.write(said)
        writer.close()

    async def ask() -> list[bytes]:
        server = await asyncio.start_server(serve, "127.0.0.1", 0)
        url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/"
        sender, bodies = Sender(), []
        for _ in range(calls):
            reply = await sender.send(WireRequest(method="GET", url=url), 100.0)
            assert isinstance(reply, WireReply), reply
            bodies.append(reply.body)
        await sender.aclose()
        server.close()
        await server.wait_closed()
        while getattr(server, "_active_count", 0):  # noqa: ASYNC110 - Python 3.11 has no event for it
            await asyncio.sleep(0.001)
        return bodies

    return asyncio.run(ask()), connections


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

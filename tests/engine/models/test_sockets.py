"""Whatever ends a call or a fetch, no socket of it stays open."""

import asyncio
import socket
import threading
from collections.abc import Awaitable, Callable, Iterator
from contextlib import suppress

import pytest

from gpf_desktop.domain.responses import Miss
from gpf_desktop.domain.wire import WireReply, WireRequest
from gpf_desktop.engine.collect.feed_client import feed_client
from gpf_desktop.engine.models.sending import Sender
from tests.support.open_sockets import counted, open_sockets

pytestmark = counted


@pytest.fixture
def silent() -> Iterator[tuple[int, threading.Event]]:
    """The port of a server that takes connections and says nothing; set once it has heard something."""
    heard, done = threading.Event(), threading.Event()
    with socket.create_server(("127.0.0.1", 0)) as listener:

        def listen() -> None:
            connection, _ = listener.accept()
            with connection:
                connection.recv(100)
                heard.set()
                done.wait()

        listening = threading.Thread(target=listen)
        listening.start()
        yield listener.getsockname()[1], heard
        done.set()
        listening.join()


def left_open(heard: threading.Event, ask: Callable[[], Awaitable[object]]) -> int:
    """Sockets more than before once what *ask* does was cancelled, when the server had *heard* it."""

    async def cancelled() -> int:
        before = open_sockets()
        asking = asyncio.ensure_future(ask())
        await asyncio.to_thread(heard.wait)
        # The server's own end of it.
        there = open_sockets() - before
        asking.cancel()
        with suppress(asyncio.CancelledError):
            await asking
        # Transports close in the loop's next turns.
        for _ in range(3):
            await asyncio.sleep(0)
        assert there == 2
        return open_sockets() - before - 1

    return asyncio.run(cancelled())


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_that_a_cancelled_fetch_leaves_no_socket_open(silent: tuple[int, threading.Event], scheme: str) -> None:
    port, heard = silent

    async def fetch() -> None:
        async with feed_client(connect_within=100.0) as client, client.stream("GET", f"{scheme}://127.0.0.1:{port}/"):
            pass

    assert left_open(heard, fetch) == 0


@pytest.mark.parametrize("scheme", ["http", "https"])
def test_that_a_cancelled_call_leaves_no_socket_open(silent: tuple[int, threading.Event], scheme: str) -> None:
    port, heard = silent
    sender = Sender()

    assert left_open(heard, lambda: sender.send(WireRequest(method="GET", url=f"{scheme}://127.0.0.1:{port}/"))) == 0


@pytest.mark.parametrize("then", ["aclose", "_begin_anew"])
def test_that_a_call_that_outlives_its_sender_s_connections_leaves_no_socket_open(then: str) -> None:
    """Other preferences, or the end of the program, close what rests; what is in use closes with its call."""

    async def ask() -> int:
        asked, answer, closed = asyncio.Event(), asyncio.Event(), asyncio.Event()

        async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
            await reader.readuntil(b"\r\n\r\n")
            asked.set()
            await answer.wait()
            writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok")
            with suppress(ConnectionError):
                await reader.read()
            writer.close()
            closed.set()

        server = await asyncio.start_server(serve, "127.0.0.1", 0)
        sender, before = Sender(), open_sockets()
        url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}/"
        asking = asyncio.ensure_future(sender.send(WireRequest(method="GET", url=url)))
        await asked.wait()
        await getattr(sender, then)()
        answer.set()
        outcome = await asking
        assert isinstance(outcome, Miss if then == "aclose" else WireReply)
        server.close()
        await closed.wait()
        for _ in range(3):
            await asyncio.sleep(0)
        return open_sockets() - before

    # The one that listened was open before.
    assert asyncio.run(ask()) == -1

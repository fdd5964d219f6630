"""A real HTTP/1.1 server on 127.0.0.1 that answers what a test tells it to, well or badly.

The fixture ``http_server`` gives one that is closed after the test; ``with LoopbackServer() as server:``
gives more.

    http_server.route("/feed.xml", Reply(body=rss, headers={"ETag": '"1"'}))   the same reply each time
    http_server.route("/flaky", [Reply(status=503), Reply(body="ok")])         in turn; the last one stays
    http_server.route("/echo", lambda request: Reply(body=request.body))       made from the request
    http_server.route("/files/*", handler)                                     all below; exact paths win
    http_server.url("/feed.xml")         "http://127.0.0.1:49152/feed.xml"
    http_server.requests                 as they arrived: method, path, query, headers, body, json()
    http_server.requests_for("/echo")    those of one path
    http_server.wait_for_requests(3)     returns once three have arrived; fails after 10 s

A path without a route answers 404. Handlers run on the server's own thread and must not block; one that
raises answers 500 and fails the test when the server is closed.

Bad manners are the reply's: ``delay`` seconds before the first byte, ``gate`` to hold the reply until the
test calls ``gate.open()`` (made by ``server.gate()``), ``gzip`` for the content encoding, and ``mode``:

    PLAIN       Content-Length and the body
    CHUNKED     Transfer-Encoding: chunked, in pieces of ``piece`` bytes
    SLOW        as PLAIN, but ``piece`` bytes at a time with ``pace`` seconds between (slow-loris)
    TRUNCATED   promises the whole body, sends half of it and closes
    RESET       sends half the body, then resets the connection; with an empty body, before the status line
    HANG        accepts the request and never answers, until the server is closed
    ENDLESS     chunked, the body again and again until the client has had enough
    RAW         the body is everything that is sent, status line and all
"""

import asyncio
import contextlib
import gzip
import json
import socket
import struct
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum, auto
from http import HTTPStatus
from types import TracebackType
from typing import Any, Self, assert_never
from urllib.parse import parse_qs, unquote, urlsplit

_HEAD_LIMIT = 1 << 20


class Mode(StrEnum):
    """How a reply is sent; see the module's docstring."""

    PLAIN = auto()
    CHUNKED = auto()
    SLOW = auto()
    TRUNCATED = auto()
    RESET = auto()
    HANG = auto()
    ENDLESS = auto()
    RAW = auto()


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One request as it arrived; header names are lower-case."""

    method: str
    path: str
    query: Mapping[str, list[str]]
    headers: Mapping[str, str]
    body: bytes

    def json(self) -> Any:
        return json.loads(self.body)


class Gate:
    """Holds replies until the test opens it, from any thread."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._opened = asyncio.Event()
        self.held = 0
        """How many replies it has held or let pass."""

    def open(self) -> None:
        self._loop.call_soon_threadsafe(self._opened.set)

    async def passed(self) -> None:
        self.held += 1
        await self._opened.wait()


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What to answer, and how."""

    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    body: bytes | str = b""
    delay: float = 0.0
    """Seconds before the first byte."""
    gate: Gate | None = None
    gzip: bool = False
    mode: Mode = Mode.PLAIN
    piece: int = 1024
    """Bytes sent at a time in CHUNKED and SLOW."""
    pace: float = 0.05
    """Seconds between two pieces in SLOW."""

    @classmethod
    def of_json(cls, value: object, *, status: int = 200, headers: Mapping[str, str] | None = None) -> "Reply":
        """*value* as a JSON body with its content type."""
        typed = {"Content-Type": "application/json", **(headers or {})}
        return cls(status=status, headers=typed, body=json.dumps(value))


Handler = Callable[[Request], Reply]


class LoopbackServer:
    """Serves from construction until ``close``, on a thread and an event loop of its own."""

    def __init__(self, *, port: int = 0, record: bool = True) -> None:
        self.requests: list[Request] = []
        self.received = 0
        """Requests so far; counted also where *record* is off, which keeps memory flat in benchmarks."""
        self._record = record
        self._routes: dict[str, Handler] = {}
        self._handler_errors: list[Exception] = []
        self._arrived = threading.Condition()
        self._connections: set[asyncio.Task[None]] = set()
        self._writers: set[asyncio.StreamWriter] = set()
        self.loop = asyncio.new_event_loop()
        self._server = self.loop.run_until_complete(
            asyncio.start_server(self._connected, "127.0.0.1", port, limit=_HEAD_LIMIT, backlog=1024)
        )
        self.port: int = self._server.sockets[0].getsockname()[1]
        # What hangs here ends with the tests.
        self._thread = threading.Thread(target=self.loop.run_forever, name="loopback-http", daemon=True)
        self._thread.start()

    def route(self, path: str, answer: Reply | Sequence[Reply] | Handler) -> None:
        """Answer *path* (a trailing ``*`` stands for anything) with *answer* from now on."""
        match answer:
            case Reply():
                self._routes[path] = lambda _request: answer
            case Sequence():
                left = list(answer)
                self._routes[path] = lambda _request: left.pop(0) if len(left) > 1 else left[0]
            case _:
                self._routes[path] = answer

    def forget_routes(self) -> None:
        """Answer 404 to everything again."""
        self._routes.clear()

    def url(self, path: str = "/") -> str:
        return f"http://127.0.0.1:{self.port}{path}"

    def gate(self) -> Gate:
        return Gate(self.loop)

    def requests_for(self, path: str) -> list[Request]:
        return [request for request in self.requests if request.path == path]

    def wait_for_requests(self, count: int, *, timeout: float = 100.0) -> None:
        """Return once *count* requests have arrived in all."""
        with self._arrived:
            if not self._arrived.wait_for(lambda: self.received >= count, timeout):
                raise AssertionError(f"{self.received} requests arrived within {timeout} s, not {count}")

    def close(self, *, timeout: float = 100.0) -> None:
        """Cut every connection, stop, and raise what a handler raised, or that something here does not end."""
        if not self._thread.is_alive():
            return
        cut = asyncio.run_coroutine_threadsafe(self.cut(), self.loop)
        try:
            cut.result(timeout)
        except TimeoutError:
            raise AssertionError(
                f"the loopback server did not close within {timeout} s: {self.requests[-1:]}"
            ) from None
        self.loop.call_soon_threadsafe(self.loop.stop)
        self._thread.join(timeout)
        self.loop.close()
        if self._handler_errors:
            raise ExceptionGroup("handlers of the loopback server failed", self._handler_errors)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    async def cut(self) -> None:
        """Close the server and every connection; on the server's own loop."""
        # What asyncio has accepted becomes a connection some turns of the loop later; before Python 3.12 it is left to
        # the collector, open, where its server was closed in between.
        while opening := [task for task in asyncio.all_tasks() if is_accepting(task)]:
            await asyncio.gather(*opening, return_exceptions=True)
        self._server.close()
        for _ in range(2):
            await asyncio.sleep(0)
        for task in list(self._connections):
            task.cancel()
        await asyncio.gather(*self._connections, return_exceptions=True)
        for writer in self._writers:
            writer.transport.abort()
        await asyncio.gather(*(writer.wait_closed() for writer in self._writers), return_exceptions=True)

    async def _connected(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.current_task()
        assert task is not None
        self._connections.add(task)
        self._writers.add(writer)
        try:
            while (request := await _read(reader)) is not None:
                if not await _send(writer, request, self._answer(request)):
                    break
        except (ConnectionError, asyncio.IncompleteReadError, asyncio.CancelledError):
            writer.transport.abort()
        finally:
            writer.close()
            self._connections.discard(task)

    def _answer(self, request: Request) -> Reply:
        with self._arrived:
            self.received += 1
            if self._record:
                self.requests.append(request)
            self._arrived.notify_all()
        handler = self._routes.get(request.path)
        if handler is None:
            below = [path for path in self._routes if path.endswith("*") and request.path.startswith(path[:-1])]
            if not below:
                return Reply(status=404, body="no such path")
            handler = self._routes[max(below, key=len)]
        try:
            return handler(request)
        except Exception as error:
            self._handler_errors.append(error)
            return Reply(status=500, body=repr(error))


def is_accepting(task: "asyncio.Task[object]") -> bool:
    return getattr(task.get_coro(), "__name__", "") == "_accept_connection2"


async def _read(reader: asyncio.StreamReader) -> Request | None:
    """The next request of the connection, or None where the client has hung up."""
    try:
        head = await reader.readuntil(b"\r\n\r\n")
    except asyncio.IncompleteReadError:
        return None
    first, *lines = head.decode("latin-1").rstrip("\r\n").split("\r\n")
    method, target, _version = first.split(" ")
    headers: dict[str, str] = {}
    for line in lines:
        name, _, value = line.partition(":")
        headers[name.strip().lower()] = value.strip()
    body = await reader.readexactly(int(headers.get("content-length", "0")))
    parts = urlsplit(target)
    query = parse_qs(parts.query, keep_blank_values=True) if parts.query else {}
    return Request(method=method, path=unquote(parts.path), query=query, headers=headers, body=body)


async def _send(writer: asyncio.StreamWriter, request: Request, reply: Reply) -> bool:
    """Send *reply*; True where the connection can take another request."""
    if reply.delay:
        await asyncio.sleep(reply.delay)
    if reply.gate is not None:
        await reply.gate.passed()
    body = reply.body.encode() if isinstance(reply.body, str) else reply.body
    if reply.gzip:
        body = gzip.compress(body, compresslevel=6, mtime=0)
    half = body[: len(body) // 2]
    match reply.mode:
        case Mode.PLAIN:
            writer.write(_head(request, reply, len(body)) + (b"" if request.method == "HEAD" else body))
        case Mode.CHUNKED:
            writer.write(_head(request, reply, None))
            for start in range(0, len(body), reply.piece):
                writer.write(_chunk(body[start : start + reply.piece]))
                await writer.drain()
            writer.write(b"0\r\n\r\n")
        case Mode.SLOW:
            writer.write(_head(request, reply, len(body)))
            for start in range(0, len(body), reply.piece):
                writer.write(body[start : start + reply.piece])
                await writer.drain()
                await asyncio.sleep(reply.pace)
        case Mode.TRUNCATED:
            writer.write(_head(request, reply, len(body)) + half)
        case Mode.RESET:
            if body:
                writer.write(_head(request, reply, len(body)) + half)
                await writer.drain()
            _reset(writer)
        case Mode.HANG:
            await asyncio.Event().wait()
        case Mode.ENDLESS:
            writer.write(_head(request, reply, None))
            while not writer.is_closing():
                writer.write(_chunk(body))
                await writer.drain()
        case Mode.RAW:
            writer.write(body)
        case _:
            assert_never(reply.mode)
    await writer.drain()
    stays = reply.mode in {Mode.PLAIN, Mode.CHUNKED, Mode.SLOW}
    return stays and request.headers.get("connection", "").lower() != "close"


def _head(request: Request, reply: Reply, length: int | None) -> bytes:
    try:
        phrase = HTTPStatus(reply.status).phrase
    except ValueError:
        phrase = "Unnamed"
    lines = [f"HTTP/1.1 {reply.status} {phrase}"]
    lines += [f"{name}: {value}" for name, value in reply.headers.items()]
    if reply.gzip:
        lines.append("Content-Encoding: gzip")
    if length is None:
        lines.append("Transfer-Encoding: chunked")
    elif reply.status not in {204, 304} and "content-length" not in {name.lower() for name in reply.headers}:
        lines.append(f"Content-Length: {length}")
    return ("\r\n".join(lines) + "\r\n\r\n").encode("latin-1")


def _chunk(piece: bytes) -> bytes:
    return b"%x\r\n%b\r\n" % (len(piece), piece)


def _reset(writer: asyncio.StreamWriter) -> None:
    raw = writer.get_extra_info("socket")
    with contextlib.suppress(OSError):
        raw.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
    writer.transport.abort()

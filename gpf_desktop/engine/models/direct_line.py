"""HTTP/1.1 to a server that is reached without a proxy, one call after the other over one connection.

h11 reads and writes the protocol, as it does below httpx, whose layers above it take three times as long as the call
itself. Failures bear httpx's names, so that one place tells what they mean. Imported by the first call only.
"""

import asyncio
import ssl
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import contextmanager
from typing import Final

import h11
import httpx

from gpf_desktop.domain.text import tr
from gpf_desktop.engine.models.connection import AnyConnection, connect

IDLE = 4.0
"""Seconds after which a connection is made anew: many servers close one after five, perhaps as a call leaves."""
_HEAD_CAP: Final = 100_000
"""Bytes of a reply's status line and headers."""
_HTTP: Final = b"HTTP/"
_TLS: Final = (b"\x15\x03", b"\x16\x03")
"""An alert, or a greeting, of TLS."""
_MOST_INTERIM: Final = 100
"""Replies of status 1xx before the one that counts."""


class Coming:
    """A reply whose head is there; iterating yields its body as it comes. `aclose` in any case."""

    def __init__(self, line: "DirectLine", head: h11.Response) -> None:
        self._line = line
        self.status = head.status_code
        self.headers: Sequence[tuple[bytes, bytes]] = list(head.headers)

    async def __aiter__(self) -> AsyncIterator[bytes]:
        while isinstance(event := await self._line.event(), h11.Data):
            yield event.data

    async def aclose(self) -> None:
        self._line.rest()


class DirectLine:
    """One connection, made when it is needed. Its calls raise `httpx.HTTPError` only."""

    def __init__(self, url: httpx.URL, trust: ssl.SSLContext | None, connect_timeout: float) -> None:
        # In IDNA, and an IPv6 address without its brackets, as sockets and certificates want it; `netloc` below has
        # both as the Host header does.
        self._host = url.raw_host.decode("ascii")
        self._port = url.port or (443 if trust else 80)
        self._named = url.netloc
        self._trust = trust
        self._connect_timeout = connect_timeout
        self._wire: AnyConnection | None = None
        self._http = h11.Connection(h11.CLIENT, max_incomplete_event_size=_HEAD_CAP)
        self._rested_at = 0.0

    async def ask(self, method: str, target: bytes, headers: dict[str, str], body: bytes | None) -> Coming:
        """Send one request, and wait for the head of its reply."""
        # First, as RFC 9110 asks.
        named = [(b"Host", self._named)]
        named += [(name.encode("ascii"), value.encode("ascii")) for name, value in headers.items()]
        if body is not None:
            named.append((b"Content-Length", b"%d" % len(body)))
        # Before the request is put together: a line that is dropped starts a new state of h11 too.
        self._refresh()
        try:
            with _named():
                message = self._http.send(h11.Request(method=method, target=target, headers=named)) or b""
                message += (self._http.send(h11.Data(data=body)) or b"") if body else b""
                message += self._http.send(h11.EndOfMessage()) or b""
                if self._wire is None:
                    self._wire = await self._connected()
                self._wire.write(message)
            return Coming(self, await self._head())
        except BaseException:
            # Also when cancelled: after half an exchange the connection is of no use to the next call.
            self._drop()
            raise

    async def _head(self) -> h11.Response:
        for _ in range(_MOST_INTERIM):
            if isinstance(event := await self.event(), h11.Response):
                return event
        with _named():
            raise h11.RemoteProtocolError(f"{_MOST_INTERIM} replies of status 1xx")

    async def event(self) -> h11.Event:
        """The next part of the reply. Raises `httpx.HTTPError`."""
        wire = self._wire
        with _named():
            while (event := self._http.next_event()) is h11.NEED_DATA:
                data = b"" if wire is None else await wire.read()
                if self._wire is None:
                    raise httpx.ReadError("closed from here")
                # h11 would call this an error of the protocol, and so no HTTP, which is not asked
                # again; it is a lost connection.
                if self._http.their_state is h11.SEND_RESPONSE and (not data or data.startswith(_TLS)):
                    raise _hung_up(bytes(self._http.trailing_data[0]) or data)
                self._http.receive_data(data)
        assert not isinstance(event, type), "nothing comes after the end of a reply"
        return event

    def rest(self) -> None:
        """The call is over: keep the connection where its reply was read to the end, and the server does."""
        # Bytes behind the end of a reply answer nothing that was asked: the next call would take them for its own
        # reply.
        if self._http.our_state is self._http.their_state is h11.DONE and not self._http.trailing_data[0]:
            self._http.start_next_cycle()
            self._rested_at = asyncio.get_running_loop().time()
        else:
            self._drop()

    async def aclose(self) -> None:
        """Close, and wait until the socket is."""
        wire = self._wire
        self._drop()
        if wire is not None:
            await wire.lost

    async def _connected(self) -> AnyConnection:
        try:
            async with asyncio.timeout(self._connect_timeout):
                return await connect(self._host, self._port, self._trust)
        except TimeoutError as error:
            raise httpx.ConnectTimeout(str(error)) from error
        except OSError as error:
            raise httpx.ConnectError(str(error)) from error

    def _refresh(self) -> None:
        """Have a connection made anew that was idle for long, or that the server has closed or written into."""
        idle = asyncio.get_running_loop().time() - self._rested_at
        if self._wire is not None and (idle > IDLE or not self._wire.quiet):
            self._drop()

    def _drop(self) -> None:
        if self._wire is not None:
            self._wire.abort()
        self._wire = None
        self._http = h11.Connection(h11.CLIENT, max_incomplete_event_size=_HEAD_CAP)


def _hung_up(said: bytes) -> Exception:
    """The failure of a server that sent *said*, no whole head, and closed the connection."""
    if not said or said.startswith(_HTTP[: len(said)]):
        return httpx.ReadError("the server hung up")
    why = tr("it speaks TLS; its address may begin with https") if said.startswith(_TLS) else f"{said[:20]!r}"
    return h11.RemoteProtocolError(why)


@contextmanager
def _named() -> Iterator[None]:
    """Failures by httpx's names, with what happened as their cause."""
    try:
        yield
    except h11.LocalProtocolError as error:
        raise httpx.LocalProtocolError(str(error)) from error
    except h11.RemoteProtocolError as error:
        raise httpx.RemoteProtocolError(str(error)) from error
    except OSError as error:
        raise httpx.ReadError(str(error)) from error

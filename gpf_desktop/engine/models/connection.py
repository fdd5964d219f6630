"""One connection as bytes: TCP, and TLS over it, on an asyncio protocol.

TLS is spoken here and not by asyncio: what its TLS does on closing differs between versions of Python (3.11.2 fails).
"""

import asyncio
import logging
import re
import select
import ssl
from typing import Final

HAPPY_EYEBALLS: Final = 0.25
"""Seconds before a host's next address is tried beside the one that has not answered (RFC 8305)."""
_HELD: Final = 262_144
"""Bytes that wait to be read before the server has to wait."""
_PIECE: Final = 65_536

log = logging.getLogger(__name__)


class Connection(asyncio.Protocol):
    """Made by `connect`. Used on one event loop, by one reader at a time. Reading raises `OSError` of the network."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._held = bytearray()
        self._more: asyncio.Future[None] | None = None
        self._ended = False
        self._error: Exception | None = None
        self._paused = False
        self._transport: asyncio.Transport | None = None
        self.lost = self._loop.create_future()
        """Done once the socket is closed."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._held += data
        if len(self._held) > _HELD and not self._paused and self._transport is not None:
            self._paused = True
            self._transport.pause_reading()
        self._wake()

    def eof_received(self) -> bool:
        self._ended = True
        self._wake()
        # A server that has ended its side may still read: its answer to what is on the way has come by then.
        return True

    def connection_lost(self, exc: Exception | None) -> None:
        self._ended, self._error = True, exc
        self._wake()
        if not self.lost.done():
            self.lost.set_result(None)

    def _wake(self) -> None:
        if self._more is not None and not self._more.done():
            self._more.set_result(None)

    @property
    def quiet(self) -> bool:
        """Open, and nothing came that nobody asked for, down to what the event loop has not been told of yet."""
        return not self._held and not self._ended and not _has_news(self._transport)

    def write(self, data: bytes) -> None:
        """Send *data*; where the server has hung up, the next read tells."""
        if self._transport is not None and not self._transport.is_closing():
            self._transport.write(data)

    async def read(self) -> bytes:
        """The bytes that have come, as soon as there are some; empty at the end. Raises `OSError`."""
        while not self._held:
            if self._ended:
                if isinstance(self._error, OSError):
                    raise self._error
                return b""
            self._more = self._loop.create_future()
            await self._more
        return self.take()

    def take(self) -> bytes:
        """The bytes that have come and were not read; may be empty."""
        data = bytes(self._held)
        self._held.clear()
        if self._paused and self._transport is not None:
            self._paused = False
            self._transport.resume_reading()
        return data

    def abort(self) -> None:
        """Close at once; `lost` follows."""
        if self._transport is not None:
            self._transport.abort()


def _has_news(transport: asyncio.Transport | None) -> bool:
    """Whether bytes or the end are there to be read: a server that hangs up right after its answer is known by it."""
    # Windows has no `poll`. Not `select`, which elsewhere takes no descriptor from 1,024 up.
    if transport is None or not hasattr(select, "poll"):
        return False
    poll = select.poll()
    poll.register(transport.get_extra_info("socket").fileno(), select.POLLIN)
    return bool(poll.poll(0))


class SecureConnection:
    """TLS over a `Connection`, with its reading and writing. `shake_hands` comes first; all raise `OSError`."""

    def __init__(self, wire: Connection, trust: ssl.SSLContext, host: str) -> None:
        self._wire = wire
        self._in, self._out = ssl.MemoryBIO(), ssl.MemoryBIO()
        self._tls = trust.wrap_bio(self._in, self._out, server_hostname=host)
        self.lost = wire.lost
        self.abort = wire.abort

    async def shake_hands(self) -> None:
        """Raises `OSError`, `ssl.SSLError` among them."""
        while not self._agreed():
            await self._fill()

    def _agreed(self) -> bool:
        try:
            self._tls.do_handshake()
        except ssl.SSLWantReadError:
            return False
        finally:
            # After a failure this is the alert that tells the server why.
            self._flush()
        return True

    @property
    def quiet(self) -> bool:
        """Open, and nothing came that nobody asked for; tickets for later sessions are no such thing."""
        if self._wire.quiet and not self._in.pending and not self._tls.pending():
            return True
        try:
            # Reading takes in the tickets that TLS 1.3 sends after the handshake; only data of
            # the server's own yields a byte.
            self._in.write(self._wire.take())
            self._tls.read(1)
        except ssl.SSLWantReadError:
            return self._wire.quiet
        except OSError:
            return False
        return False

    def write(self, data: bytes) -> None:
        """Send *data*. Raises `ssl.SSLError`."""
        rest = memoryview(data)
        while rest:
            rest = rest[self._tls.write(rest) :]
        self._flush()

    async def read(self) -> bytes:
        """The bytes that have come, as soon as there are some; empty at the end, however the server ended it. Raises
        `OSError`."""
        # What TLS itself owes the server, such as the answer to a key update, goes out before anything is waited for.
        while (data := self._unsealed()) is None:
            self._flush()
            await self._fill()
        return data

    def _unsealed(self) -> bytes | None:
        """None: more has to come."""
        try:
            return self._tls.read(_PIECE)
        except ssl.SSLWantReadError:
            return None
        except (ssl.SSLZeroReturnError, ssl.SSLEOFError):
            # Servers hang up without the goodbye of TLS: whether the reply is whole is for HTTP to tell.
            return b""

    def _flush(self) -> None:
        if self._out.pending:
            self._wire.write(self._out.read())

    async def _fill(self) -> None:
        if data := await self._wire.read():
            self._in.write(data)
        else:
            self._in.write_eof()


AnyConnection = Connection | SecureConnection


async def connect(host: str, port: int, trust: ssl.SSLContext | None) -> AnyConnection:
    """A connection to *host*, by TLS where *trust* is given. Raises `OSError`, `ssl.SSLError` among them."""
    log.debug("Connecting to %s, port %s", host, port)
    try:
        _, wire = await asyncio.get_running_loop().create_connection(
            Connection, host, port, happy_eyeballs_delay=HAPPY_EYEBALLS
        )
    except OSError as error:
        raise _one_of(error) from None
    if trust is None:
        return wire
    secure = SecureConnection(wire, trust, host)
    try:
        await secure.shake_hands()
    except BaseException:
        # Also when cancelled, which is how the time limit for connecting ends a handshake that hangs.
        wire.abort()
        raise
    return secure


def _one_of(error: OSError) -> OSError:
    """*error* with a number: if every address of a host failed alike, asyncio puts all of them in one error without
    one."""
    numbers = set(re.findall(r"\[Errno (\d+)\]", str(error))) if error.errno is None else set()
    return OSError(int(numbers.pop()), str(error)) if len(numbers) == 1 else error

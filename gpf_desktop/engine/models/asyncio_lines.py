"""Connections for httpcore on asyncio's own streams.

Its usual ones go through anyio, whose scopes around each read and write, and whose system calls to ask whether an idle
connection was closed, are a third of a call's processor time. Imported by the first call only, as httpx is.
"""

import asyncio
import re
import ssl
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import httpcore

_HAPPY_EYEBALLS = 0.25
"""Seconds before a host's next address is tried beside the one that has not answered (RFC 8305)."""


_SENT_TOGETHER = 65_536
"""Bytes that are held until the reply is waited for, at most."""


class _Reader(asyncio.StreamReader):
    """Knows whether anything came that nobody has read."""

    def __init__(self) -> None:
        super().__init__(loop=asyncio.get_running_loop())
        self._unread = 0

    @property
    def readable(self) -> bool:
        return self._unread > 0 or self.at_eof() or self.exception() is not None

    def feed_data(self, data: Any) -> None:
        self._unread += len(data)
        super().feed_data(data)

    async def read(self, n: int = -1) -> bytes:
        data = await super().read(n)
        self._unread -= len(data)
        return data


class _Stream(httpcore.AsyncNetworkStream):
    """Sends head and body of a request together, once the reply is waited for."""

    def __init__(self, reader: _Reader, writer: asyncio.StreamWriter) -> None:
        self._reader, self._writer = reader, writer
        self._held = bytearray()

    async def read(self, max_bytes: int, timeout: float | None = None) -> bytes:  # noqa: ASYNC109 - httpcore's own
        with _named(httpcore.ReadTimeout, httpcore.ReadError):
            async with asyncio.timeout(timeout):
                # A server may answer and close before it has read all that it is sent: then its answer counts.
                with suppress(ConnectionError):
                    await self._flush()
                return await self._reader.read(max_bytes)

    async def write(self, buffer: bytes, timeout: float | None = None) -> None:  # noqa: ASYNC109 - httpcore's own
        self._held += buffer
        if len(self._held) > _SENT_TOGETHER:
            with _named(httpcore.WriteTimeout, httpcore.WriteError):
                async with asyncio.timeout(timeout):
                    await self._flush()

    async def _flush(self) -> None:
        if self._held:
            self._writer.write(bytes(self._held))
            self._held.clear()
            await self._writer.drain()

    async def aclose(self) -> None:
        with suppress(OSError):
            self._writer.close()
        # Nobody waits for what a server says last, and a transport that is left closing keeps its socket.
        self._writer.transport.abort()
        await asyncio.sleep(0)

    async def start_tls(
        self,
        ssl_context: ssl.SSLContext,
        server_hostname: str | None = None,
        timeout: float | None = None,  # noqa: ASYNC109 - httpcore's own
    ) -> httpcore.AsyncNetworkStream:
        try:
            with _named(httpcore.ConnectTimeout, httpcore.ConnectError):
                async with asyncio.timeout(timeout):
                    await self._writer.start_tls(ssl_context, server_hostname=server_hostname)
        except BaseException:
            await self.aclose()
            raise
        return self

    def get_extra_info(self, info: str) -> Any:
        match info:
            case "is_readable":
                return self._reader.readable
            case "ssl_object" | "socket":
                return self._writer.get_extra_info(info)
            case "client_addr":
                return self._writer.get_extra_info("sockname")
            case "server_addr":
                return self._writer.get_extra_info("peername")
        return None


class AsyncioLines(httpcore.AsyncNetworkBackend):
    """What httpcore opens its connections with."""

    async def connect_tcp(
        self,
        host: str,
        port: int,
        timeout: float | None = None,  # noqa: ASYNC109 - httpcore's own
        local_address: str | None = None,
        socket_options: Iterable[Any] | None = None,
    ) -> httpcore.AsyncNetworkStream:
        loop, reader = asyncio.get_running_loop(), _Reader()
        with _named(httpcore.ConnectTimeout, httpcore.ConnectError):
            async with asyncio.timeout(timeout):
                transport, protocol = await loop.create_connection(
                    lambda: asyncio.StreamReaderProtocol(reader, loop=loop),
                    host,
                    port,
                    local_addr=(local_address, 0) if local_address else None,
                    happy_eyeballs_delay=_HAPPY_EYEBALLS,
                )
        for option in socket_options or ():
            transport.get_extra_info("socket").setsockopt(*option)
        return _Stream(reader, asyncio.StreamWriter(transport, protocol, reader, loop))

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds)


@contextmanager
def _named(late: type[Exception], broken: type[Exception]) -> Iterator[None]:
    """Failures by httpcore's names, with what happened as their cause."""
    try:
        yield
    except TimeoutError as error:
        raise late(error) from error
    except OSError as error:
        cause = _one_of(error)
        raise broken(cause) from cause


def _one_of(error: OSError) -> OSError:
    """Where every address of a host failed alike, asyncio tells of all of them in one error without a number."""
    numbers = set(re.findall(r"\[Errno (\d+)\]", str(error))) if error.errno is None else set()
    return OSError(int(numbers.pop()), str(error)) if len(numbers) == 1 else error

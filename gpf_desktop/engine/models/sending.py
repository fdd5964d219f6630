"""Sends provider requests over HTTP; whatever the network does comes back as a value.

An httpx pool is quadratic in its connections and collapses beyond some forty requests in flight, so each call in flight
has a transport of one connection. Transports are used without `httpx.AsyncClient`: cookies, redirects and logins
are not wanted here, and they are a third of a call's processor time.
"""

import asyncio
import ipaddress
import json
import ssl
import zlib
from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from functools import lru_cache, partial
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

from gpf_desktop.domain.responses import Miss, Missing
from gpf_desktop.domain.retries import Transient
from gpf_desktop.domain.text import tr
from gpf_desktop.domain.wire import Send, WireReply, WireRequest
from gpf_desktop.engine.models.network_failures import failed, setup_failed, unreachable, unwritable

if TYPE_CHECKING:
    import httpx

REPLY_CAP: Final = 16_000_000
"""Bytes of a reply that are kept, after decompression."""
CONNECT_TIMEOUT: Final = 15.0
_USER_AGENT: Final = "gpf-desktop"


@dataclass(frozen=True, slots=True)
class _Way:
    """What an address comes to."""

    url: "httpx.URL"
    host: str
    origin: str
    secure: bool
    direct: bool
    """On this machine: no proxy is asked."""


class Sender:
    """Provider calls of the whole program. Used on the engine loop only; `aclose` when the program ends."""

    def __init__(self) -> None:
        self._idle: dict[str, list[httpx.AsyncHTTPTransport]] = {}
        self._lines: list[httpx.AsyncHTTPTransport] = []
        self._trust: ssl.SSLContext | None = None

    def sending(self, timeout: float) -> Send:
        """This sender with *timeout* seconds for each call, as providers take it."""
        return partial(self.send, timeout=timeout)

    async def send(self, request: WireRequest, timeout: float = 120.0) -> WireReply | Miss:  # noqa: ASYNC109 - a `Miss`, not an exception
        """One exchange, without following redirects. Raises nothing but `CancelledError`.

        Proxies are taken from the environment, but loopback addresses are always reached directly.
        """
        import httpx

        way = _way(request.url)
        if way is None:
            return unreachable(tr("“{url}” is no address of a web server.", url=request.url), again=False)
        idle = self._idle.setdefault(way.origin, [])
        try:
            line = idle.pop() if idle else self._new_line(way)
        except (OSError, ValueError, ImportError) as error:
            return setup_failed(error)
        started = False
        try:
            async with asyncio.timeout(timeout):
                body = request.content if request.json is None else json.dumps(request.json).encode()
                sent = httpx.Request(
                    request.method, way.url, headers=_headers(request), content=body, extensions=_extensions()
                )
                reply = await line.handle_async_request(sent)
                started = True
                try:
                    return await _read(reply, request.keep or REPLY_CAP)
                finally:
                    await reply.aclose()
        except TimeoutError:
            return Miss(
                reason=Missing.TIMED_OUT,
                detail=tr("No whole answer from {host} within {seconds} s.", host=way.host, seconds=f"{timeout:g}"),
                retry=Transient(),
            )
        except httpx.HTTPError as error:
            return failed(error, way.host, answering=started)
        except (httpx.InvalidURL, ValueError):
            return unwritable(way.host)
        finally:
            idle.append(line)

    @property
    def lines(self) -> int:
        """How many connections the load was shared over at most."""
        return len(self._lines)

    async def aclose(self) -> None:
        """Close every connection."""
        lines, self._lines = self._lines, []
        self._idle.clear()
        for line in lines:
            await line.aclose()

    def _new_line(self, way: _Way) -> "httpx.AsyncHTTPTransport":
        """Raises `OSError`, `ValueError` or `ImportError` for what the environment says of certificates and proxies."""
        import httpx

        proxy = None if way.direct else _proxy(way)
        if self._trust is None and (way.secure or proxy):
            self._trust = httpx.create_ssl_context()
        line = httpx.AsyncHTTPTransport(
            # A context without certificates trusts nobody; it stands where no TLS is spoken, and costs nothing.
            verify=self._trust or ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT),
            limits=httpx.Limits(max_connections=1, max_keepalive_connections=1),
            proxy=proxy,
        )
        self._lines.append(line)
        return line


def _extensions() -> dict[str, object]:
    return {"timeout": {"connect": CONNECT_TIMEOUT, "read": None, "write": None, "pool": None}}


def _proxy(way: _Way) -> str | None:
    """The environment's proxy for this address, as web browsers and pip read it."""
    if proxy_bypass(way.host):
        return None
    proxies = getproxies()
    proxy = proxies.get("https" if way.secure else "http") or proxies.get("all") or ""
    return f"http://{proxy}" if proxy and "://" not in proxy else proxy or None


def _headers(request: WireRequest) -> dict[str, str]:
    # What is read is unpacked here, with a cap, so nothing is asked for that zlib cannot unpack.
    own = {"User-Agent": _USER_AGENT, "Accept": "application/json", "Accept-Encoding": "gzip, deflate"}
    if request.json is not None:
        own["Content-Type"] = "application/json"
    return own | dict(request.headers)


async def _read(reply: "httpx.Response", cap: int) -> WireReply:
    """The reply's body up to *cap* bytes; what came before a broken connection is kept."""
    import httpx

    body = bytearray()
    cut = broken = False
    try:
        async for piece in _unpacked(reply):
            body += piece
            if len(body) > cap:
                del body[cap:]
                cut = True
                break
    except zlib.error as error:
        raise httpx.DecodingError(str(error)) from error
    except httpx.TransportError:
        if not body:
            raise
        broken = True
    headers = {name.lower(): value for name, value in reply.headers.items()}
    return WireReply(status=reply.status_code, headers=headers, body=bytes(body), cut=cut, broken=broken)


async def _unpacked(reply: "httpx.Response") -> AsyncIterator[bytes]:
    """The decoded body in pieces of bounded size, so that a small bomb cannot fill the memory."""
    import httpx

    stream = reply.stream
    assert isinstance(stream, httpx.AsyncByteStream)
    coding = reply.headers.get("content-encoding", "").strip().lower()
    if coding not in {"gzip", "x-gzip", "deflate"}:
        async for raw in stream:
            yield raw
        return
    unpack = zlib.decompressobj(wbits=47)
    async for raw in stream:
        for piece in _inflated(unpack, raw):
            yield piece
    if not unpack.eof:
        raise httpx.RemoteProtocolError("the compressed body ends too early")


def _inflated(unpack: "zlib._Decompress", raw: bytes) -> Iterator[bytes]:
    while raw:
        yield unpack.decompress(raw, 1 << 20)
        raw = unpack.unconsumed_tail


@lru_cache(maxsize=256)
def _way(url: str) -> _Way | None:
    """None where *url* is no address of a web server."""
    import httpx

    try:
        parts = urlsplit(url)
        scheme, host, port = parts.scheme, parts.hostname or "", parts.port
        parsed = httpx.URL(url)
    except (ValueError, httpx.InvalidURL):
        return None
    if not host or scheme not in {"http", "https"}:
        return None
    return _Way(
        url=parsed,
        host=host,
        origin=f"{scheme}://{host}:{port}",
        secure=scheme == "https",
        direct=_is_loopback(host),
    )


def _is_loopback(host: str) -> bool:
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False

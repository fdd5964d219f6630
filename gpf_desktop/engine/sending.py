"""Sends provider requests over HTTP; whatever the network does comes back as a value.

A single httpx client collapses beyond some forty requests in flight, because its pool is quadratic in connections,
so requests are shared out over clients of ten connections each.
"""

import asyncio
import ipaddress
import json
import ssl
import zlib
from collections.abc import AsyncIterator, Iterator
from functools import partial
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from gpf_desktop.domain.responses import Miss, Missing
from gpf_desktop.domain.retries import Transient
from gpf_desktop.domain.text import tr
from gpf_desktop.domain.wire import Send, WireReply, WireRequest
from gpf_desktop.engine.network_failures import failed, setup_failed, unreachable, unwritable

if TYPE_CHECKING:
    import httpx

REPLY_CAP: Final = 16_000_000
"""Bytes of a reply that are kept, after decompression."""
CONNECTIONS: Final = 10
"""Of one client."""
CONNECT_TIMEOUT: Final = 15.0
_USER_AGENT: Final = "gpf-desktop"


class Sender:
    """Provider calls of the whole program. Used on the engine loop only; `aclose` when the program ends."""

    def __init__(self) -> None:
        self._pools: dict[tuple[bool, bool], list[_Client]] = {}
        self._trust: ssl.SSLContext | None = None

    def sending(self, timeout: float) -> Send:
        """This sender with *timeout* seconds for each call, as providers take it."""
        return partial(self.send, timeout=timeout)

    async def send(self, request: WireRequest, timeout: float = 120.0) -> WireReply | Miss:  # noqa: ASYNC109 - a `Miss`, not an exception
        """One exchange, without following redirects. Raises nothing but `CancelledError`.

        Proxies are taken from the environment, but loopback addresses are always reached directly.
        """
        import httpx

        scheme, host = _scheme_and_host(request.url)
        if not host or scheme not in {"http", "https"}:
            return unreachable(tr("“{url}” is no address of a web server.", url=request.url), again=False)
        try:
            client = self._client(direct=_is_loopback(host), secure=scheme == "https")
        except (OSError, ValueError, ImportError) as error:
            return setup_failed(error)
        started = False
        client.busy += 1
        try:
            async with asyncio.timeout(timeout):
                body = None if request.json is None else json.dumps(request.json).encode()
                sent = client.http.build_request(request.method, request.url, headers=_headers(request), content=body)
                reply = await client.http.send(sent, stream=True)
                started = True
                try:
                    return await _read(reply)
                finally:
                    await reply.aclose()
        except TimeoutError:
            return Miss(
                reason=Missing.TIMED_OUT,
                detail=tr("No whole answer from {host} within {seconds} s.", host=host, seconds=f"{timeout:g}"),
                retry=Transient(),
            )
        except httpx.HTTPError as error:
            return failed(error, host, answering=started)
        except (httpx.InvalidURL, ValueError):
            return unwritable(host)
        finally:
            client.busy -= 1

    @property
    def clients(self) -> int:
        """How many clients the load is shared over now."""
        return sum(map(len, self._pools.values()))

    async def aclose(self) -> None:
        """Close every connection."""
        clients = [client for pool in self._pools.values() for client in pool]
        self._pools.clear()
        for client in clients:
            await client.http.aclose()

    def _client(self, *, direct: bool, secure: bool) -> "_Client":
        """The least busy client for this kind of address; a further one where all are full."""
        pool = self._pools.setdefault((direct, secure), [])
        best = min(pool, key=lambda client: client.busy, default=None)
        if best is None or best.busy >= CONNECTIONS:
            best = _Client(self._new_client(direct=direct, secure=secure))
            pool.append(best)
        return best

    def _new_client(self, *, direct: bool, secure: bool) -> "httpx.AsyncClient":
        import httpx

        if self._trust is None and (secure or not direct):
            self._trust = httpx.create_ssl_context()
        return httpx.AsyncClient(
            # A context without certificates trusts nobody; it stands where no TLS is spoken, and costs nothing.
            verify=self._trust or ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT),
            trust_env=not direct,
            follow_redirects=False,
            timeout=httpx.Timeout(None, connect=CONNECT_TIMEOUT),
            limits=httpx.Limits(max_connections=CONNECTIONS, max_keepalive_connections=CONNECTIONS),
        )


class _Client:
    """An httpx client and how many requests it has in hand."""

    __slots__ = ("busy", "http")

    def __init__(self, http: "httpx.AsyncClient") -> None:
        self.http = http
        self.busy = 0


def _headers(request: WireRequest) -> dict[str, str]:
    # What is read is unpacked here, with a cap, so nothing is asked for that zlib cannot unpack.
    own = {"User-Agent": _USER_AGENT, "Accept": "application/json", "Accept-Encoding": "gzip, deflate"}
    if request.json is not None:
        own["Content-Type"] = "application/json"
    return own | dict(request.headers)


async def _read(reply: "httpx.Response") -> WireReply:
    """The reply's body up to the cap; what came before a broken connection is kept."""
    import httpx

    body = bytearray()
    cut = broken = False
    try:
        async for piece in _unpacked(reply):
            body += piece
            if len(body) > REPLY_CAP:
                del body[REPLY_CAP:]
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

    coding = reply.headers.get("content-encoding", "").strip().lower()
    if coding not in {"gzip", "x-gzip", "deflate"}:
        async for raw in reply.aiter_raw():
            yield raw
        return
    unpack = zlib.decompressobj(wbits=47)
    async for raw in reply.aiter_raw():
        for piece in _inflated(unpack, raw):
            yield piece
    if not unpack.eof:
        raise httpx.RemoteProtocolError("the compressed body ends too early")


def _inflated(unpack: "zlib._Decompress", raw: bytes) -> Iterator[bytes]:
    while raw:
        yield unpack.decompress(raw, 1 << 20)
        raw = unpack.unconsumed_tail


def _scheme_and_host(url: str) -> tuple[str, str]:
    try:
        parts = urlsplit(url)
        return parts.scheme, parts.hostname or ""
    except ValueError:
        return "", ""


def _is_loopback(host: str) -> bool:
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False

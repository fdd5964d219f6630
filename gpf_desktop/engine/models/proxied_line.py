"""HTTP/1.1 to a server that is reached by a proxy, over one connection of httpx's."""

import ssl
from collections.abc import AsyncIterator, Sequence

import httpx

from gpf_desktop.engine.core.proxies import LOGIN


class ProxiedComing:
    """A reply whose head is there; iterating yields its body as it comes. `aclose` in any case."""

    def __init__(self, reply: httpx.Response) -> None:
        self._reply = reply
        self.status = reply.status_code
        self.headers: Sequence[tuple[bytes, bytes]] = reply.headers.raw

    async def __aiter__(self) -> AsyncIterator[bytes]:
        # The bytes as they came: httpx would unpack them without a cap.
        stream = self._reply.stream
        assert isinstance(stream, httpx.AsyncByteStream)
        async for piece in stream:
            yield piece

    async def aclose(self) -> None:
        await self._reply.aclose()


class ProxiedLine:
    """A connection like `DirectLine`, through *proxy*. Without `httpx.AsyncClient`: cookies, redirects and logins are
    not wanted here."""

    def __init__(self, url: httpx.URL, trust: ssl.SSLContext, proxy: str, connect_timeout: float) -> None:
        """Raises `ValueError` or `ImportError` for a proxy that cannot be used."""
        self._url = url
        # The call as a whole has a limit (`Sender.send`); one on each read would cut off models that think for long.
        self._timeouts = {"connect": connect_timeout, "read": None, "write": None, "pool": None}
        self._transport = httpx.AsyncHTTPTransport(
            verify=trust, limits=httpx.Limits(max_connections=1, max_keepalive_connections=1), proxy=proxy
        )

    async def ask(self, method: str, target: bytes, headers: dict[str, str], body: bytes | None) -> ProxiedComing:
        """Send one request, and wait for the head of its reply."""
        url = self._url.copy_with(raw_path=target)
        sent = httpx.Request(method, url, headers=headers, content=body, extensions={"timeout": self._timeouts})
        reply = await self._transport.handle_async_request(sent)
        if reply.status_code == LOGIN:
            # As httpx does where the proxy is asked for a way to a secure server.
            await reply.aclose()
            raise httpx.ProxyError(f"{LOGIN} {reply.reason_phrase}")
        return ProxiedComing(reply)

    async def aclose(self) -> None:
        """Close the connection."""
        await self._transport.aclose()

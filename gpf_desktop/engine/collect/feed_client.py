"""The HTTP client that fetches sources: one for each fetch, whose cookies end with it, by the proxy of each address."""

import asyncio
import ssl
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from gpf_desktop.domain.errors import SourceError
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.collect.private_addresses import is_private
from gpf_desktop.engine.core.proxies import proxy_of
from gpf_desktop.engine.core.trust import trusted

if TYPE_CHECKING:
    import httpx

LOCATION = "gpf.location"


@asynccontextmanager
async def feed_client(*, connect_within: float) -> AsyncIterator["httpx.AsyncClient"]:
    """A client of its own for each source, so that a slow one takes no connection from the others.

    Where a redirect leads is the response's extension `LOCATION`, not its header: httpx would prepare the next request
    even where it shall not follow, and fails without saying what is wrong at targets and cookies that it cannot encode.
    """
    import httpx

    async def set_apart(response: httpx.Response) -> None:
        response.extensions[LOCATION] = response.headers.pop("location", "")
        # httpx sends headers of ASCII alone; sites mostly ask whether their cookie is there.
        for cookie in client.cookies.jar:
            cookie.name, cookie.value = _in_ascii(cookie.name), _in_ascii(cookie.value or "")

    try:
        # Beside the loop: reading the certificates takes 20 ms, once.
        trust = await asyncio.to_thread(trusted)
    except (OSError, ValueError) as error:
        raise SourceError(
            tr("The certificates that this computer names cannot be used."),
            tr("Check the preferences, and the environment variables SSL_CERT_FILE and SSL_CERT_DIR."),
            details=repr(error),
        ) from error
    client = httpx.AsyncClient(
        transport=_by_proxies(trust),
        timeout=httpx.Timeout(None, connect=connect_within),
        follow_redirects=False,
        event_hooks={"response": [set_apart]},
    )
    async with client:
        yield client


def _in_ascii(text: str) -> str:
    return text if text.isascii() else quote(text)


def peer_is_private(response: "httpx.Response") -> bool:
    """A name may lead elsewhere at the second look-up: what counts is where the connection went."""
    stream = response.extensions.get("network_stream")
    url = response.request.url
    if stream is None or proxy_of(url.host, secure=url.scheme == "https"):
        return False
    peer = stream.get_extra_info("server_addr")
    return peer is not None and is_private(str(peer[0]))


def _closing() -> Callable[[str, Mapping[str, Any]], Awaitable[None]]:
    """A trace function for httpx that closes the socket of a TLS handshake that failed or was cancelled; httpx would
    leave it open."""
    connected: list[Any] = []

    async def heard(step: str, told: Mapping[str, Any]) -> None:
        if step.endswith("connect_tcp.complete"):
            connected.append(told["return_value"])
        elif step.endswith("start_tls.failed"):
            for each in connected:
                await each.aclose()

    return heard


def _by_proxies(trust: ssl.SSLContext) -> "httpx.AsyncBaseTransport":
    """Sends each request by the proxy of its address, or directly. httpx's own choice knows the environment alone."""
    import httpx

    class ByProxies(httpx.AsyncBaseTransport):
        def __init__(self) -> None:
            self._ways: dict[str, httpx.AsyncHTTPTransport] = {}

        async def handle_async_request(self, request: httpx.Request) -> httpx.Response:
            proxy = proxy_of(request.url.host, secure=request.url.scheme == "https")
            if proxy not in self._ways:
                self._ways[proxy] = self._way(proxy)
            request.extensions = {**request.extensions, "trace": _closing()}
            return await self._ways[proxy].handle_async_request(request)

        async def aclose(self) -> None:
            async with AsyncExitStack() as closing:
                for way in self._ways.values():
                    closing.push_async_callback(way.aclose)

        @staticmethod
        def _way(proxy: str) -> httpx.AsyncHTTPTransport:
            try:
                return httpx.AsyncHTTPTransport(verify=trust, proxy=proxy or None)
            # `ImportError` for a socks5:// proxy where socksio is not installed.
            except (ValueError, ImportError, httpx.InvalidURL) as error:
                raise SourceError(
                    tr("The proxy that this computer names cannot be used."),
                    tr("Check the preferences, and the environment variables HTTP_PROXY and HTTPS_PROXY."),
                    details=repr(error),
                ) from error

    return ByProxies()

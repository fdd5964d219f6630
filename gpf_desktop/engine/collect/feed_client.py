"""The HTTP client that fetches sources: one for each fetch, whose cookies end with it, by the environment's proxy."""

import asyncio
import ssl
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import cache
from typing import TYPE_CHECKING
from urllib.request import getproxies

from gpf_desktop.domain.errors import SourceError
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.collect.private_addresses import is_private

if TYPE_CHECKING:
    import httpx


@asynccontextmanager
async def feed_client(
    *, refuse: Callable[[str, str], None], connect_within: float
) -> AsyncIterator["httpx.AsyncClient"]:
    """A client of its own for each source, so that a slow one takes no connection from the others.

    *refuse* is given the address and the redirect's target of every redirect, and raises where it is no good: httpx
    looks at the target itself, even where it shall not follow, and its own errors do not say what is wrong.
    The limit on connecting is httpx's, because a handshake that is cancelled from outside leaves its socket open.
    """
    import httpx

    async def look(response: httpx.Response) -> None:
        if response.has_redirect_location:
            refuse(str(response.request.url), response.headers["location"])

    try:
        client = httpx.AsyncClient(
            verify=await asyncio.to_thread(tls_context),
            timeout=httpx.Timeout(None, connect=connect_within),
            follow_redirects=False,
            event_hooks={"response": [look]},
        )
    except (OSError, ValueError, httpx.HTTPError, httpx.InvalidURL) as error:
        raise SourceError(
            tr("The certificates or the proxy that this computer names cannot be used."),
            tr("Check the environment variables SSL_CERT_FILE, SSL_CERT_DIR and HTTPS_PROXY."),
            details=repr(error),
        ) from error
    async with client:
        yield client


def peer_is_private(response: "httpx.Response") -> bool:
    """A name may lead elsewhere at the second look-up: what counts is where the connection went."""
    stream = response.extensions.get("network_stream")
    peer = stream.get_extra_info("server_addr") if stream is not None and not getproxies() else None
    return peer is not None and is_private(str(peer[0]))


@cache
def tls_context() -> ssl.SSLContext:
    """Made once, since reading the certificates takes 20 ms; the environment's are used where it names some."""
    import httpx

    return httpx.create_ssl_context()

"""Finds the proxy that stands before an address, so that its faults are told from the site's own."""

import ipaddress
from typing import Final
from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass

from gpf_desktop.domain.text import tr
from gpf_desktop.settings.options.proxy import DIRECT
from gpf_desktop.settings.preferences import HERE

LOGIN: Final = 407
"""The status by which a proxy, and nothing behind it, asks for a name and a password."""


def proxy_of(host: str, *, secure: bool) -> str:
    """Address of the proxy for *host*; empty where there is none, and always for this computer itself.

    That of the user's preferences; else as web browsers and pip find it: by the environment, and where that names none,
    by the settings of Windows or macOS.
    """
    if is_loopback(host):
        return ""
    chosen: str = HERE.get("network.proxy")
    if chosen:
        return "" if chosen == DIRECT else chosen
    if proxy_bypass(host):
        return ""
    proxies = getproxies()
    proxy = proxies.get("https" if secure else "http") or proxies.get("all") or ""
    # Environments often name host and port alone; httpx wants a scheme.
    return f"http://{proxy}" if proxy and "://" not in proxy else proxy


def wants_login(why: str) -> bool:
    """Whether *why* a proxy let nothing through, as httpx tells it, is that it asks who is there."""
    return why.startswith(str(LOGIN))


def login_words(host: str) -> tuple[str, str]:
    """Sentences on what happened and what to do, where a proxy before *host* wants to be told who asks."""
    return (
        tr("The proxy takes no call without the right name and password; {host} was not reached.", host=host),
        tr(
            "Name it with both in the environment variables HTTP_PROXY and HTTPS_PROXY: http://name:password@proxy:8080."
        ),
    )


def is_loopback(host: str) -> bool:
    """Whether *host* names this computer itself."""
    # By RFC 6761 every name under it is this machine.
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def shown(proxy: str) -> str:
    """*proxy* as host and port, without the password that may stand in it."""
    try:
        parts = urlsplit(proxy)
        return f"{parts.hostname}:{parts.port}" if parts.port else parts.hostname or ""
    except ValueError:
        return ""

"""Which proxy this computer names for an address, so that its faults are told from the site's own."""

from urllib.parse import urlsplit
from urllib.request import getproxies, proxy_bypass


def proxy_of(host: str, *, secure: bool) -> str:
    """Address of the proxy for *host*, as web browsers and pip read the environment; empty where there is none."""
    if proxy_bypass(host):
        return ""
    proxies = getproxies()
    proxy = proxies.get("https" if secure else "http") or proxies.get("all") or ""
    # Environments often name host and port alone; httpx wants a scheme.
    return f"http://{proxy}" if proxy and "://" not in proxy else proxy


def shown(proxy: str) -> str:
    """*proxy* as host and port, without the password that may stand in it."""
    try:
        parts = urlsplit(proxy)
        return f"{parts.hostname}:{parts.port}" if parts.port else parts.hostname or ""
    except ValueError:
        return ""

"""Tells the hosts inside the user's own network, to which an address from outside must not lead."""

import asyncio
import ipaddress
import socket

from gpf_desktop.domain.errors import SourceError
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.core.proxies import proxy_of

# By RFC 6052 the well-known prefix under which IPv6 networks reach IPv4 addresses.
_NAT64 = ipaddress.ip_network("64:ff9b::/96")

# Names that the open internet does not have: kept for own networks by RFC 6762, 6761, ICANN in 2024, or by habit.
_OWN = frozenset(
    {
        "local",
        "internal",
        "localdomain",
        "localhost",
        "intranet",
        "private",
        "corp",
        "home",
        "lan",
        "domain",
        "workgroup",
    }
)


def is_private(address: str) -> bool:
    """Whether an IP address is loopback, link-local, private, or anything else than the open internet's."""
    try:
        # Behind “%” stands the interface of a link-local address.
        ip: ipaddress.IPv4Address | ipaddress.IPv6Address = ipaddress.ip_address(address.partition("%")[0])
    except ValueError:
        return True
    if isinstance(ip, ipaddress.IPv6Address):
        # Such addresses lead on to the IPv4 address within them, which is the one to judge.
        inner = ip.ipv4_mapped or ip.sixtofour or (ip.teredo[1] if ip.teredo else None)
        if inner is None and ip in _NAT64:
            inner = ipaddress.IPv4Address(int(ip) & 0xFFFFFFFF)
        ip = inner or ip
    # `is_global` holds for multicast addresses too.
    return not ip.is_global or ip.is_multicast


async def leads_inside(host: str, port: int, *, secure: bool = True) -> bool:
    """Whether any address of *host* is private; numbers in every notation included. Raises `SourceError`.

    *secure*: it is asked by https, for which another proxy may stand than for http.
    """
    if host.rstrip(".").lower() in {"localhost", "localhost.localdomain"}:
        return True
    try:
        found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except (OSError, UnicodeError) as error:
        if proxy_of(host, secure=secure):
            # Known to the proxy alone, which a site of the open internet may be; a name that only one's own network
            # has can be nothing else.
            return _is_of_ones_own_network(host)
        raise no_such_host(host, error) from error
    # One private address among several is enough: nobody can tell which one the connection will take.
    return any(is_private(str(entry[4][0])) for entry in found)


def _is_of_ones_own_network(host: str) -> bool:
    *above, last = host.rstrip(".").lower().split(".")
    return not above or last in _OWN or (above[-1], last) == ("home", "arpa")


def no_such_host(host: str, error: Exception) -> SourceError:
    return SourceError(
        tr("There is no server called {host} (the name was not found).", host=host),
        tr("Check the spelling of the address and the network connection."),
        details=repr(error),
    )

"""Checks that a server's address may be stored in the audit and shown, and tells where the server is."""

import ipaddress
import re
from urllib.parse import SplitResult, urlsplit

from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.models import Endpoint
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.core import catalogue

_KEY_IN_ADDRESS = re.compile(r"(?:^|[&;])(?:api[_-]?key|key|token|access_token)=[^&;]", re.IGNORECASE)


def check_address(address: str) -> None:
    """Raises `UserError` where *address* is no web address, holds a key or a password, or has a query."""
    try:
        parts: SplitResult | None = urlsplit(address)
        # Reading `port` is what raises for one above 65,535.
        usable = parts is not None and parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
    except ValueError:
        parts, usable = None, False
    secret = parts is not None and ("@" in parts.netloc or bool(_KEY_IN_ADDRESS.search(parts.query)))
    if secret:
        # Not quoted: messages are logged.
        raise UserError(
            tr("The address holds a key or a password."),
            tr("Addresses are stored in the audit and shown. Put the key into the field for it."),
        )
    if parts is None or not usable or "\\" in address or not address.isprintable() or " " in address:
        raise UserError(
            tr("“{address}” is no web address.", address=address[:200]),
            tr("Give it with http:// or https://, such as http://127.0.0.1:8080/v1."),
        )
    if "?" in address or "#" in address:
        raise UserError(
            tr("The address has a query, a part after ? or #."),
            tr("Give it up to there: the path of each call is added at its end."),
        )


def is_local(address: str) -> bool:
    """Whether the server at *address* is on this machine or in its own network, as far as the address tells."""
    host = urlsplit(address).hostname or ""
    try:
        place = ipaddress.ip_address(host)
    except ValueError:
        # A name without a dot is one of the own network; `.localhost` is this machine by RFC 6761, `.local` is of the
        # own network by RFC 6762.
        return bool(host) and ("." not in host or host.endswith((".localhost", ".local", ".lan", ".home.arpa")))
    return place.is_loopback or place.is_private or place.is_link_local


def is_near(endpoint: Endpoint) -> bool:
    """Whether *endpoint* is asked at a local server (`is_local`), by its own address or its provider's."""
    return is_local(endpoint.base_url or catalogue.provider(endpoint.provider).default_base_url)

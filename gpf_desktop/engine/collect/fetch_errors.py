"""Sentences about what a server or the network answered instead of news."""

import socket
import ssl
from urllib.parse import urlsplit

from gpf_desktop.domain.errors import SourceError, UnfitSourceError
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.collect.private_addresses import no_such_host
from gpf_desktop.engine.core import proxies
from gpf_desktop.engine.core.proxies import proxy_of, shown
from gpf_desktop.engine.core.trust import what_to_trust


def refused_answer(url: str, status: int, retry_after: str) -> SourceError:
    """A status that is neither success nor redirect, with what can be done about it."""
    host = urlsplit(url).hostname or url
    match status:
        case 401 | 403 | 451:
            return SourceError(
                tr("{host} turns this program away (HTTP {status}).", host=host, status=status),
                tr("Some sites answer browsers only; try another address of the same publisher."),
            )
        case proxies.LOGIN:
            return SourceError(*proxies.login_words(host))
        case 404:
            return SourceError(
                tr("{host} has nothing at this address (HTTP 404).", host=host),
                tr("Check the address; type the site's own address to have it searched for feeds."),
            )
        case 429:
            wait = tr(" and asks to wait {seconds} seconds", seconds=retry_after) if retry_after.isdigit() else ""
            return SourceError(
                tr("{host} was asked too often{wait} (HTTP 429).", host=host, wait=wait),
                tr("It is tried again at the next fetch."),
            )
        case _ if 500 <= status < 600:
            return SourceError(
                tr("{host} has a fault of its own (HTTP {status}).", host=host, status=status),
                tr("It is tried again at the next fetch."),
            )
        case _:
            return SourceError(tr("{host} answered HTTP {status}.", host=host, status=status), tr("Check the address."))


def broken_connection(url: str, error: Exception) -> SourceError:
    """A failure below HTTP, told apart as far as the chain of causes allows."""
    host = urlsplit(url).hostname or url
    causes = list(_chain(error))
    unmade = any(isinstance(cause, socket.gaierror | ConnectionRefusedError) for cause in causes)
    if unmade and (at_the_proxy := proxy_unreachable(url, error)):
        return at_the_proxy
    if any(isinstance(cause, socket.gaierror) for cause in causes):
        return no_such_host(host, error)
    untrusted = next((cause for cause in causes if isinstance(cause, ssl.SSLCertVerificationError)), None)
    if untrusted is not None:
        why = (untrusted.verify_message or str(untrusted)).removesuffix(".")
        return SourceError(
            tr("The certificate of {host} is not trusted: {why}.", host=host, why=why),
            what_to_trust(untrusted),
            details=repr(error),
        )
    if any(isinstance(cause, ssl.SSLError) for cause in causes) or "CERTIFICATE" in str(error).upper():
        return SourceError(
            tr("The secure connection to {host} failed: its certificate or protocol is not accepted.", host=host),
            tr("Check the computer's clock, and whether a proxy replaces certificates."),
            details=repr(error),
        )
    if any(isinstance(cause, ConnectionRefusedError) for cause in causes) or "refused" in str(error).lower():
        return SourceError(
            tr("{host} takes no connections.", host=host),
            tr("Check the address and its port; the server may be down."),
            details=repr(error),
        )
    return _by_name(type(error).__name__, url, error)


def _by_name(named: str, url: str, error: Exception) -> SourceError:
    host = urlsplit(url).hostname or url
    if named in {"UnsupportedProtocol", "InvalidURL", "LocalProtocolError", "UnicodeError", "UnicodeEncodeError"}:
        return UnfitSourceError(tr("“{url}” is no usable web address.", url=url[:200]), details=repr(error))
    if named == "ProxyError" and proxies.wants_login(str(error)):
        return SourceError(*proxies.login_words(host), details=repr(error))
    if named == "ProxyError":
        return SourceError(
            tr("The proxy lets nothing through to {host}.", host=host),
            tr("Check the preferences, and the environment variables HTTP_PROXY and HTTPS_PROXY."),
            details=repr(error),
        )
    return SourceError(
        tr("The connection to {host} broke off.", host=host),
        tr("It is tried again at the next fetch."),
        details=repr(error),
    )


def proxy_unreachable(url: str, error: Exception) -> SourceError | None:
    """A connection that was never made, where a proxy stands before *url*: it is the proxy that does not answer."""
    parts = urlsplit(url)
    proxy = proxy_of(parts.hostname or "", secure=parts.scheme == "https")
    if not proxy:
        return None
    return SourceError(
        tr(
            "The proxy {proxy} does not answer; {host} was not reached.",
            proxy=shown(proxy),
            host=parts.hostname or url,
        ),
        tr("Check the preferences, and the environment variables HTTP_PROXY and HTTPS_PROXY."),
        details=repr(error),
    )


def _chain(error: BaseException | None) -> list[BaseException]:
    chain: list[BaseException] = []
    pending = [error]
    while pending:
        one = pending.pop()
        # httpx wraps what httpcore wraps of the socket's error: one error may be a cause here and a context there.
        if one is None or one in chain:
            continue
        chain.append(one)
        pending += [one.__cause__, one.__context__]
        if isinstance(one, BaseExceptionGroup):
            pending += one.exceptions
    return chain

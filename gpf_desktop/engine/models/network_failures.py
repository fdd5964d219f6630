"""Failures of the network in words that tell apart what a person would do about them."""

import socket
import ssl
from collections.abc import Iterable, Iterator
from typing import TYPE_CHECKING

from gpf_desktop.domain.responses import Miss, Missing
from gpf_desktop.domain.retries import NoRetry, Transient
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.core.proxies import login_words, shown, wants_login
from gpf_desktop.engine.core.trust import what_to_trust

if TYPE_CHECKING:
    import httpx


def unreachable(detail: str, *, again: bool = True) -> Miss:
    return Miss(reason=Missing.UNREACHABLE, detail=detail, retry=Transient() if again else NoRetry())


def unwritable(host: str) -> Miss:
    return unreachable(
        tr("The request to {host} holds characters that HTTP does not allow, in its address or its key.", host=host),
        again=False,
    )


def setup_failed(error: Exception) -> Miss:
    """The miss if no client could be made from what the environment says about certificates and proxies."""
    if isinstance(error, OSError):
        words = tr(
            "The certificates named by SSL_CERT_FILE, SSL_CERT_DIR or the preferences cannot be used: {why}",
            why=str(error),
        )
    else:
        words = tr("The proxy settings of this computer cannot be used: {why}", why=str(error))
    return unreachable(words, again=False)


def failed(error: "httpx.HTTPError", host: str, *, answering: bool, proxy: str = "") -> Miss:
    """The miss that *error* means for a call to *host* through *proxy*; *answering*: its status line had come."""
    import httpx

    # A handshake that hangs carries TLS's own "not yet" as its cause, which is no failure of TLS.
    causes = () if isinstance(error, httpx.TimeoutException) else tuple(_causes(error))
    if proxy and isinstance(error, httpx.ConnectError | httpx.ConnectTimeout) and not _is_tls(causes):
        return unreachable(
            tr(
                "The proxy {proxy} that this computer names does not answer; {host} was not reached.",
                proxy=shown(proxy),
                host=host,
            )
        )
    connecting = isinstance(error, httpx.ConnectError)
    by_cause = (_by_cause(cause, host) for cause in causes if _tells(cause, connecting=connecting))
    return (
        next(filter(None, by_cause), None)
        or (None if answering else _no_http(causes, host))
        or _by_kind(error, host)
        or Miss(
            # The request had gone out: whether it was answered, and billed, nobody knows.
            reason=Missing.UNKNOWN,
            detail=tr("The connection to {host} was lost in the middle of the answer.", host=host)
            if answering
            else tr("The connection to {host} was lost before an answer came.", host=host),
            retry=Transient(),
        )
    )


def _is_tls(causes: Iterable[BaseException]) -> bool:
    """Whether TLS failed: by then the proxy has let the call through, and the fault is the host's."""
    return any(isinstance(cause, ssl.SSLError) for cause in causes)


def _tells(cause: BaseException, *, connecting: bool) -> bool:
    """Whether *cause* tells of the failure: once TLS is agreed on, only the server's own refusal is one of TLS; else
    the connection was lost."""
    return connecting or not isinstance(cause, ssl.SSLError) or "ALERT" in (cause.reason or "")


def _no_http(causes: Iterable[BaseException], host: str) -> Miss | None:
    """The miss for a reply whose head cannot be read; None if that is not the cause."""
    import h11

    for cause in causes:
        if isinstance(cause, h11.RemoteProtocolError):
            detail = tr("What {host} sends is no reply in HTTP: {why}.", host=host, why=str(cause)[:200])
            return Miss(reason=Missing.UNREADABLE, detail=detail)
    return None


def _by_cause(cause: BaseException, host: str) -> Miss | None:
    match cause:
        case ssl.SSLCertVerificationError():
            # Before `SSLError`, of which this one and the next are kinds.
            why = (cause.verify_message or str(cause)).removesuffix(".")
            words = tr("The certificate of {host} is not trusted: {why}.", host=host, why=why)
            return unreachable(f"{words} {what_to_trust(cause)}", again=False)
        # Which of the two it is depends on the version of OpenSSL.
        case ssl.SSLEOFError() | ssl.SSLZeroReturnError():
            return unreachable(tr("{host} hung up while TLS was being agreed on.", host=host))
        case ssl.SSLError():
            why = (cause.reason or str(cause)).replace("_", " ").lower()
            return unreachable(tr("No TLS connection to {host}: {why}.", host=host, why=why), again=False)
        case socket.gaierror():
            return unreachable(tr("The name {host} is not known to the network.", host=host))
        case ConnectionRefusedError():
            return unreachable(tr("{host} takes no connections: is the server running?", host=host))
    return None


def _by_kind(error: "httpx.HTTPError", host: str) -> Miss | None:
    import httpx

    match error:
        case httpx.ProxyError():
            why, login = str(error), wants_login(str(error))
            words = tr("The proxy did not let the call to {host} through: {why}", host=host, why=why)
            return unreachable(" ".join(login_words(host)) if login else words, again=not login)
        case httpx.ConnectTimeout():
            return unreachable(tr("{host} does not answer.", host=host))
        case httpx.ConnectError():
            return unreachable(tr("No connection to {host}: {why}", host=host, why=str(error)))
        case httpx.UnsupportedProtocol() | httpx.LocalProtocolError():
            return unwritable(host)
        case httpx.DecodingError():
            detail = tr("{host} says that its answer is compressed, and it is not.", host=host)
            return Miss(reason=Missing.UNREADABLE, detail=detail)
    return None


def _causes(error: BaseException) -> Iterator[BaseException]:
    seen: BaseException | None = error
    while seen is not None:
        yield seen
        if isinstance(seen, BaseExceptionGroup):
            for inner in seen.exceptions:
                yield from _causes(inner)
        seen = seen.__cause__ or seen.__context__

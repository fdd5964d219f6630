"""Gets one document over HTTP or from a file, with manners and within limits.

    fetch(address) → Fetched: a document, or "unchanged" (304), or "gone" (410)

Everything else that can happen is a `SourceError` with the server's own answer in it.
"""

import asyncio
import zlib
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import urljoin, urlsplit
from urllib.request import url2pathname

from gpf_desktop import __version__
from gpf_desktop.documents.addresses import web_address
from gpf_desktop.domain.articles import Document
from gpf_desktop.domain.disk_errors import fault_of
from gpf_desktop.domain.errors import SourceError, StorageFault, UnfitSourceError
from gpf_desktop.domain.text import tr
from gpf_desktop.engine.collect.allowance import Allowance, AllowanceShare
from gpf_desktop.engine.collect.capped_decompression import GZIP_MAGIC, Inflater, unpacked
from gpf_desktop.engine.collect.feed_client import LOCATION, feed_client, peer_is_private
from gpf_desktop.engine.collect.fetch_errors import broken_connection, proxy_unreachable, refused_answer
from gpf_desktop.engine.collect.private_addresses import leads_inside

if TYPE_CHECKING:
    import httpx

USER_AGENT = f"GPF-Desktop/{__version__} (news audit; feed reader)"
_ACCEPT = (
    "application/rss+xml, application/atom+xml, application/feed+json, application/xml;q=0.9, text/xml;q=0.9, */*;q=0.5"
)
_PACKED = frozenset({"gzip", "x-gzip", "deflate"})
_UNASKED = frozenset({"br", "zstd", "compress", "x-compress", "dcb", "dcz"})
_PERMANENT = frozenset({301, 308})
_REDIRECTS = frozenset({301, 302, 303, 307, 308})


@dataclass(frozen=True, slots=True, kw_only=True)
class Caps:
    """Limits of one fetch; what lies beyond them is said, not silently lost."""

    size: int = 64 * 1024 * 1024
    """Bytes after decompression; the rest is not read."""
    seconds: float = 30.0
    """For everything: name, connection, redirects, body."""
    redirects: int = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Fetched:
    """The result of asking for one address."""

    document: Document | None = None
    """None where the server says that nothing changed (`unchanged`) or that the source is no more (`gone`)."""
    etag: str = ""
    last_modified: str = ""
    moved_to: str = ""
    """Where permanent redirects lead, to be asked next time; temporary ones are not remembered."""
    unchanged: bool = False
    gone: bool = False
    inside: bool = False
    """The address that the user gave is his own machine's or network's: it may lead further inside."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Hop:
    url: str
    lasting: str = ""
    """The last address that permanent redirects alone led to."""
    permanent: bool = True
    """Only permanent redirects led here."""


async def fetch(
    address: str,
    *,
    etag: str = "",
    last_modified: str = "",
    caps: Caps | None = None,
    typed: bool = True,
    inside: bool = False,
    share: AllowanceShare | None = None,
    contact: str = "",
) -> Fetched:
    """The document at *address*: http, https, or, if *typed* by the user, a file.

    An address that came from outside (*typed* false: from an index, a page, a redirect) may lead to private,
    link-local and loopback addresses only where *inside* says that the user's own address did. *etag* and
    *last_modified* are those of the last `Fetched`. *share* bounds the document beside the caps;
    *contact* goes into the user agent, for sites that ask for one. Raises `SourceError`.
    """
    caps = caps or Caps()
    url = web_address(address)
    if url is None or (typed and not address.lower().startswith(("http:", "https:")) and _is_file(address)):
        if not typed:
            raise _not_web(address)
        return await asyncio.to_thread(read_file, address, caps)
    agent = f"{USER_AGENT} {contact}".strip()
    # What is unpacked here; httpx would also ask for brotli and zstd where packages for them happen to be installed.
    headers = {"User-Agent": agent, "Accept": _ACCEPT, "Accept-Encoding": "gzip, deflate"}
    if etag:
        headers["If-None-Match"] = etag
    if last_modified:
        headers["If-Modified-Since"] = last_modified
    try:
        async with asyncio.timeout(caps.seconds):
            inside = inside or (typed and await _leads_inside(url))
            room = _Room(size=caps.size, share=share or Allowance().share())
            return await _follow(url, headers, caps, room, checked_from=0 if not typed else 1, inside=inside)
    except TimeoutError as error:
        raise SourceError(
            tr(
                "{host} did not finish answering within {n} seconds.",
                host=urlsplit(url).hostname,
                n=round(caps.seconds),
            ),
            tr("It is tried again at the next fetch."),
        ) from error


def neither(address: str) -> UnfitSourceError:
    """The error for an *address* that is neither a web address nor a file."""
    return UnfitSourceError(
        tr("“{address}” is neither a web address nor a file.", address=address[:200]),
        tr("Give an address such as https://news.example/rss.xml, or the path of a file."),
    )


def read_file(address: str, caps: Caps) -> Fetched:
    """A file that the user named, by path or as ``file:``. Raises `SourceError`."""
    path = _path(address)
    try:
        if not path.is_file():
            raise neither(address)
        with path.open("rb") as file:
            # One byte more tells a file that is too large from one that just fits.
            body = file.read(caps.size + 1)
        body, cut = unpacked(body, caps.size)
    except (OSError, EOFError, ValueError) as error:
        remedy = tr("Check the permissions of the file, or ask its owner for a copy.")
        passes = isinstance(error, OSError) and fault_of(error) is StorageFault.UNREACHABLE
        raise (SourceError if passes else UnfitSourceError)(
            tr("The file {name} cannot be read.", name=path.name),
            remedy if isinstance(error, PermissionError) else "",
            details=repr(error),
        ) from error
    document = Document(body=body, address=path.name, retrieved=datetime.now(UTC), cut=cut)
    # The user's own: a list in a file may name addresses of the user's network.
    return Fetched(document=document, inside=True)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Room:
    """The limits for one document: its size, and its share of the common allowance."""

    size: int
    share: AllowanceShare


async def _follow(
    url: str, headers: dict[str, str], caps: Caps, room: _Room, *, checked_from: int, inside: bool
) -> Fetched:
    hop = _Hop(url=url)
    # Sites that set a cookie while redirecting lead back to the same address, and wait there for the cookie.
    seen: set[tuple[str, frozenset[tuple[str, str, str | None]]]] = set()
    # Before the limit on everything, which would cancel a handshake from outside and leave its socket open.
    async with feed_client(connect_within=0.9 * caps.seconds) as client:
        for count in range(caps.redirects + 1):
            check = count >= checked_from and not inside
            if check and await _leads_inside(hop.url):
                raise _private(url, hop.url)
            asked = (hop.url, frozenset((one.domain, one.name, one.value) for one in client.cookies.jar))
            if asked in seen:
                raise SourceError(tr("{host} redirects in a circle.", host=urlsplit(url).hostname))
            seen.add(asked)
            answer = await _ask(client, hop, headers, room, guard=check)
            if isinstance(answer, Fetched):
                return replace(answer, moved_to=hop.lasting, inside=inside)
            hop = answer
    raise SourceError(
        tr("{host} redirects more than {n} times.", host=urlsplit(url).hostname, n=caps.redirects),
        tr("Open the address in a browser and use the one that it ends at."),
    )


async def _ask(
    client: "httpx.AsyncClient", hop: _Hop, headers: dict[str, str], room: _Room, *, guard: bool
) -> Fetched | _Hop:
    """Send one request and return the next hop for a redirect, else what came. *guard* checks the address really
    connected to."""
    import httpx

    try:
        async with client.stream("GET", hop.url, headers=headers, follow_redirects=False) as response:
            # First of all: not even the status or the redirect of a machine inside is told.
            if guard and peer_is_private(response):
                raise _private(hop.url, hop.url)
            if response.status_code in _REDIRECTS and (location := response.extensions[LOCATION]):
                _refuse_location(hop.url, location)
                return _next(hop, location, response.status_code)
            # Only to a question with a condition: after one without, there is nothing that could be unchanged.
            if response.status_code == 304 and {"If-None-Match", "If-Modified-Since"} & headers.keys():
                return Fetched(document=None, unchanged=True)
            if response.status_code == 410:
                return Fetched(document=None, gone=True)
            if not 200 <= response.status_code < 300:
                raise refused_answer(hop.url, response.status_code, response.headers.get("retry-after", ""))
            body, cut = await _body(response, hop.url, room)
            document = Document(
                body=body,
                content_type=response.headers.get("content-type", "").lower(),
                address=hop.url,
                retrieved=datetime.now(UTC),
                cut=cut,
            )
            # What arrived only in part must not be taken for current at the next fetch.
            return Fetched(
                document=document,
                etag="" if cut else response.headers.get("etag", "")[:500],
                last_modified="" if cut else response.headers.get("last-modified", "")[:100],
            )
    except httpx.ConnectTimeout as error:
        raise proxy_unreachable(hop.url, error) or TimeoutError() from error
    except httpx.TimeoutException as error:
        raise TimeoutError from error
    except (httpx.HTTPError, httpx.InvalidURL, UnicodeError, OSError) as error:
        raise broken_connection(hop.url, error) from error


async def _body(response: "httpx.Response", url: str, room: _Room) -> tuple[bytes, bool]:
    """The body, decompressed by us: httpx would unpack a whole network read at once, however large it becomes."""
    import httpx

    encodings = {each.strip() for each in response.headers.get("content-encoding", "").lower().split(",")}
    if unasked := encodings & _UNASKED:
        name = ", ".join(sorted(unasked))
        raise SourceError(
            tr("{host} sent a compression that was not asked for ({name}).", host=urlsplit(url).hostname, name=name)
        )
    cap, admits = room.size, room.share.admits
    # What is no compression, such as a charset in the wrong place, browsers pass over too.
    inflater = Inflater(cap, admits) if encodings & _PACKED else None
    raw = bytearray()
    received = 0
    broken = False
    try:
        async for piece in response.aiter_raw():
            received += len(piece)
            if inflater is not None:
                inflater.feed(piece)
                broken = inflater.full
            elif admits(len(piece)):
                raw += piece
            else:
                broken = True
            # Compressed nothing can go on without end too.
            if broken or received > cap:
                broken = True
                break
    except httpx.RemoteProtocolError:
        broken = True
    except zlib.error as error:
        raise SourceError(
            tr("{host} sent a compressed body that cannot be unpacked.", host=urlsplit(url).hostname)
        ) from error
    # The last piece may reach beyond the cap.
    del raw[cap:]
    body = bytes(raw) if inflater is None else inflater.body
    broken = broken or (inflater is not None and not inflater.complete)
    if not body and broken:
        raise SourceError(tr("{host} broke off before sending anything.", host=urlsplit(url).hostname))
    # Sitemaps lie on many sites as .gz files and are served so, without a Content-Encoding; others are packed twice.
    if body.startswith(GZIP_MAGIC):
        try:
            body, cut = unpacked(body, cap, admits)
        except OSError as error:
            raise SourceError(tr("The compressed file at {host} is damaged.", host=urlsplit(url).hostname)) from error
        broken = broken or cut
    return body, broken


def _next(hop: _Hop, location: str, status: int) -> _Hop:
    target = urljoin(hop.url, location.strip())
    # A lasting move from https to http would take away protection for good; it is followed, not remembered.
    downgrade = hop.url.startswith("https:") and target.startswith("http:")
    permanent = hop.permanent and status in _PERMANENT and not downgrade
    return _Hop(url=target, lasting=target if permanent else hop.lasting, permanent=permanent)


def _refuse_location(url: str, location: str) -> None:
    """Raises `SourceError` for a redirect to anything but the web."""
    try:
        target = urljoin(url, location.strip())
        parts = urlsplit(target)
        usable = parts.scheme in {"http", "https"} and parts.hostname and parts.port != 0
    except ValueError:
        usable = None
    if not usable:
        raise _not_web(location)


async def _leads_inside(url: str) -> bool:
    parts = urlsplit(url)
    secure = parts.scheme == "https"
    return await leads_inside(parts.hostname or "", parts.port or (443 if secure else 80), secure=secure)


def _is_file(address: str) -> bool:
    try:
        return address.lower().startswith("file:") or _path(address).is_file()
    except (OSError, ValueError):
        return False


def _path(address: str) -> Path:
    if address.lower().startswith("file:"):
        return Path(url2pathname(urlsplit(address).path))
    return Path(address).expanduser()


def _private(start: str, target: str) -> SourceError:
    return SourceError(
        tr(
            "{host} leads to {target}, an address inside a private network; it was not followed.",
            host=urlsplit(start).hostname,
            target=urlsplit(target).hostname,
        ),
        tr("If you mean that address, type it yourself."),
    )


def _not_web(target: str) -> SourceError:
    return SourceError(
        tr("The source leads to “{target}”, which is no web address; it was not followed.", target=target[:200])
    )

"""Sends provider requests over HTTP; whatever the network does comes back as a value.

An httpx pool is quadratic in its connections and collapses beyond some forty requests in flight, so each call in flight
has a line of its own: `DirectLine` where no proxy stands between, `ProxiedLine` where one does.
"""

import asyncio
import json
import logging
import re
import zlib
from collections.abc import AsyncIterable, AsyncIterator, Iterable, Iterator
from contextlib import AsyncExitStack
from dataclasses import dataclass
from functools import lru_cache, partial
from time import monotonic
from typing import TYPE_CHECKING, Final
from urllib.parse import urlsplit

from gpf_desktop.domain.responses import Miss, Missing
from gpf_desktop.domain.retries import Transient
from gpf_desktop.domain.text import plain_number, tr
from gpf_desktop.domain.wire import ANSWER_CAP, Send, WireReply, WireRequest
from gpf_desktop.engine.core.proxies import proxy_of
from gpf_desktop.engine.core.trust import trusted
from gpf_desktop.engine.models.network_failures import failed, setup_failed, unreachable, unwritable
from gpf_desktop.settings.preferences import HERE

if TYPE_CHECKING:
    import httpx

    from gpf_desktop.engine.models.direct_line import Coming, DirectLine
    from gpf_desktop.engine.models.proxied_line import ProxiedComing, ProxiedLine

KEPT_OF_CUT: Final = 2_000_000
"""Bytes that are kept of an answer beyond the cap, for the text that stands in them."""
_SMALL: Final = 250_000
_LARGE_AT_ONCE: Final = 3
"""Answers beyond `_SMALL` bytes that are read at the same time, so that fifty endless ones do not fill the memory."""
CONNECT_TIMEOUT: Final = 15.0
_GZIP: Final = b"\x1f\x8b"
_PACKED: Final = frozenset({"gzip", "x-gzip", "deflate"})
_END_OF_EVENTS: Final = re.compile(rb"\ndata: ?\[DONE\]\s*\Z")
"""The last of a stream of events, behind which some servers keep the connection open."""
_LONGEST_END: Final = 40
_log = logging.getLogger(__name__)
# What is read is unpacked here, with a cap; of "deflate" servers have two ideas.
_HEADERS: Final = {"User-Agent": "gpf-desktop", "Accept": "application/json", "Accept-Encoding": "gzip"}


@dataclass(frozen=True, slots=True)
class _Way:
    """An address taken apart for sending."""

    url: "httpx.URL"
    host: str
    origin: str
    secure: bool


class Sender:
    """Provider calls of the whole program. Used on the engine loop only; `aclose` when the program ends."""

    def __init__(self) -> None:
        self._idle: dict[str, list[DirectLine | ProxiedLine]] = {}
        self._lines: list[DirectLine | ProxiedLine] = []
        self._preferences = HERE.version
        self._large = asyncio.Semaphore(_LARGE_AT_ONCE)

    def sending(self, timeout: float) -> Send:
        """A `Send` of this sender with *timeout* seconds for each call, as providers take it."""
        return partial(self.send, timeout=timeout)

    async def send(self, request: WireRequest, timeout: float = 120.0) -> WireReply | Miss:  # noqa: ASYNC109 - a `Miss`, not an exception
        """Make one exchange, without following redirects. Raises nothing but `CancelledError`.

        By the proxy that `proxy_of` finds; loopback addresses are always reached directly.
        """
        begun = monotonic()
        outcome = await self._exchange(request, timeout)
        if _log.isEnabledFor(logging.DEBUG):
            said = outcome.detail if isinstance(outcome, Miss) else f"{outcome.status}, {len(outcome.body)} bytes"
            address = request.url.partition("?")[0]
            _log.debug("%s %s: %s, %.1f s", request.method, address, said, monotonic() - begun)
        return outcome

    async def _exchange(self, request: WireRequest, timeout: float) -> WireReply | Miss:  # noqa: ASYNC109
        import httpx

        way = _way(request.url)
        if way is None:
            return unreachable(tr("“{url}” is no address of a web server.", url=request.url), again=False)
        if self._preferences != HERE.version:
            self._preferences = HERE.version
            await self._begin_anew()
        idle = self._idle.setdefault(way.origin, [])
        try:
            # The one that was used last: it has rested for the shortest time, and may still be open.
            line = idle.pop() if idle else self._new_line(way)
        except (OSError, ValueError, ImportError) as error:
            # httpx raises `ImportError` for a socks5:// proxy where socksio is not installed.
            return setup_failed(error)
        came: Coming | ProxiedComing | None = None
        body = bytearray()
        try:
            async with asyncio.timeout(timeout):
                request = request.written()
                headers = {**_HEADERS, **request.headers}
                came = await line.ask(request.method, way.url.raw_path, headers, request.content)
                try:
                    return await _read(came, body, request.keep, self._large)
                finally:
                    await came.aclose()
        except TimeoutError:
            return _overdue(came, bytes(body), way.host, timeout)
        except httpx.HTTPError as error:
            return failed(error, way.host, answering=came is not None, proxy=_proxy(way))
        # A key with a letter beyond ASCII ends here, before anything is sent: `UnicodeEncodeError` is a `ValueError`.
        except (httpx.InvalidURL, ValueError):
            return unwritable(way.host)
        finally:
            # After a failure too: a line whose connection broke makes a new one.
            if self._idle.get(way.origin) is idle:
                idle.append(line)
            else:
                # All was closed meanwhile, or begun anew by another way.
                await line.aclose()

    @property
    def lines(self) -> int:
        """The most connections over which the load was shared."""
        return len(self._lines)

    async def aclose(self) -> None:
        """Close every connection."""
        lines, self._lines = self._lines, []
        self._idle.clear()
        async with AsyncExitStack() as closing:
            for line in lines:
                closing.push_async_callback(line.aclose)

    async def _begin_anew(self) -> None:
        """Close what rests: another proxy or other certificates may hold now. What is in use is not used again."""
        resting = [line for lines in self._idle.values() for line in lines]
        self._idle = {}
        for line in resting:
            # All may have been closed while one of them was.
            if line in self._lines:
                self._lines.remove(line)
            await line.aclose()

    def _new_line(self, way: _Way) -> "DirectLine | ProxiedLine":
        """Raises `OSError`, `ValueError` or `ImportError` for what the environment says of certificates and proxies."""
        from gpf_desktop.engine.models.direct_line import DirectLine
        from gpf_desktop.engine.models.proxied_line import ProxiedLine

        proxy = _proxy(way)
        line: DirectLine | ProxiedLine
        if proxy:
            line = ProxiedLine(way.url, trusted(), proxy, CONNECT_TIMEOUT)
        else:
            line = DirectLine(way.url, trusted() if way.secure else None, CONNECT_TIMEOUT)
        self._lines.append(line)
        return line


def _proxy(way: _Way) -> str:
    return proxy_of(way.host, secure=way.secure)


async def _read(
    reply: "Coming | ProxiedComing", body: bytearray, keep: int | None, large: asyncio.Semaphore
) -> WireReply:
    """The reply with its body, which is put into *body*, up to *keep* bytes or the cap; what came before a broken
    connection is kept."""
    import httpx

    cap = keep or ANSWER_CAP
    headers = _header_texts(reply.headers)
    cut = broken = False
    async with AsyncExitStack() as turn:
        waits = True
        try:
            async for piece in _unpacked(reply, headers.get("content-encoding", ""), cap):
                body += piece
                if len(body) > cap:
                    cut = True
                    break
                if _END_OF_EVENTS.search(body, max(0, len(body) - _LONGEST_END)):
                    break
                if len(body) > _SMALL:
                    if waits:
                        waits = False
                        await turn.enter_async_context(large)
                    # What is at hand is read without a pause otherwise, and a bomb is at hand as a whole.
                    await asyncio.sleep(0)
        except _EndlessError:
            cut = True
        except zlib.error as error:
            # An error whose words cannot be unpacked is still told by its status.
            if reply.status < 400:
                raise httpx.DecodingError(str(error)) from error
            broken = True
        except httpx.TransportError:
            if not body:
                raise
            broken = True
        del body[keep or (KEPT_OF_CUT if cut else cap) :]
        return WireReply(status=reply.status, headers=headers, body=bytes(body), cut=cut, broken=broken)


def _overdue(came: "Coming | ProxiedComing | None", body: bytes, host: str, seconds: float) -> WireReply | Miss:
    """The outcome of a call whose time is over: what came, where that is JSON to its end, for it is paid for."""
    if came is not None and _is_whole(body):
        return WireReply(status=came.status, headers=_header_texts(came.headers), body=body, broken=True)
    return Miss(
        reason=Missing.TIMED_OUT,
        detail=tr("No whole answer from {host} within {seconds} s.", host=host, seconds=plain_number(seconds)),
        retry=Transient(),
    )


def _is_whole(body: bytes) -> bool:
    try:
        json.loads(body, strict=False)
    except (ValueError, RecursionError):
        return False
    return True


def _header_texts(raw: Iterable[tuple[bytes, bytes]]) -> dict[str, str]:
    """Header values by name in lower case; several headers of one name are joined with commas."""
    found: dict[str, str] = {}
    for name, value in raw:
        key, text = name.decode("latin-1").lower(), value.decode("latin-1")
        found[key] = f"{found[key]}, {text}" if key in found else text
    return found


class _EndlessError(Exception):
    """Raised if more came over the wire than an answer may have, whatever it unpacks to."""


async def _unpacked(reply: AsyncIterable[bytes], coding: str, cap: int) -> AsyncIterator[bytes]:
    """The decoded body in pieces of bounded size, so that a small bomb cannot fill the memory."""
    import httpx

    codings = {each for part in coding.lower().split(",") if (each := part.strip()) not in ("", "identity")}
    packed = bool(codings) and codings <= _PACKED
    unpacking: _Unpacking | None = None
    received, head = 0, b""
    async for piece in reply:
        raw, head = head + piece, b""
        # How it is packed is told by two bytes.
        if not received and len(raw) < len(_GZIP):
            head = raw
            continue
        # Some pack what they send and do not say so.
        if not received and (packed or (not codings and raw.startswith(_GZIP))):
            unpacking = _Unpacking(raw[:2], gzip="deflate" not in codings)
        received += len(raw)
        if unpacking is None:
            yield raw
            continue
        if received > cap:
            raise _EndlessError
        for unpacked in unpacking.pieces(raw):
            yield unpacked
    if head and not packed:
        yield head
    if (head and packed) or (unpacking is not None and not unpacking.whole):
        raise httpx.RemoteProtocolError("the compressed body ends too early")


class _Unpacking:
    """Unpacks gzip, of one member or several, and what servers call deflate, told apart by the *first* two bytes."""

    def __init__(self, first: bytes, *, gzip: bool) -> None:
        # 32 and the largest window, 15: gzip or zlib, told apart by the header. Deflate without any is read as such.
        headed = gzip or first.startswith(_GZIP) or (first[:1] == b"\x78" and int.from_bytes(first) % 31 == 0)
        self._bits = 47 if headed else -15
        self._unpack = zlib.decompressobj(self._bits)
        self._half_mark = b""
        """The first byte of another member's mark, where a read ended between the two."""

    @property
    def whole(self) -> bool:
        return self._unpack.eof and not self._half_mark

    def pieces(self, raw: bytes) -> Iterator[bytes]:
        raw, self._half_mark = self._half_mark + raw, b""
        while raw:
            if self._unpack.eof:
                if raw == _GZIP[:1]:
                    self._half_mark = raw
                    return
                # What comes after the end is another member or padding; zlib would keep it all.
                if not raw.startswith(_GZIP):
                    return
                self._unpack = zlib.decompressobj(self._bits)
            # One network read may unpack to a thousand times its size.
            yield self._unpack.decompress(raw, 1 << 18)
            raw = self._unpack.unused_data if self._unpack.eof else self._unpack.unconsumed_tail


@lru_cache(maxsize=256)
def _way(url: str) -> _Way | None:
    """None where *url* is no address of a web server."""
    import httpx

    try:
        parts = urlsplit(url)
        scheme, host, port = parts.scheme, parts.hostname or "", parts.port
        parsed = httpx.URL(url)
    except (ValueError, httpx.InvalidURL):
        return None
    if not host or scheme not in {"http", "https"}:
        return None
    return _Way(
        url=parsed,
        host=host,
        origin=f"{scheme}://{host}:{port}",
        secure=scheme == "https",
    )

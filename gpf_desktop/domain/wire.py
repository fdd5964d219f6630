"""One HTTP exchange with a provider, as values, so that provider files stay free of sockets."""

import json
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from gpf_desktop.domain.responses import Miss

ANSWER_CAP: Final = 8_000_000
"""Bytes of one answer that are read, on the wire and after decompression: eighty times the longest of any model."""


@dataclass(frozen=True, slots=True, kw_only=True)
class WireRequest:
    """A request to send. Keys stand in *headers* only; `repr` shows no header values."""

    method: str
    url: str
    headers: Mapping[str, str] = field(default_factory=dict, repr=False)
    json: Mapping[str, object] | None = None
    content: bytes | None = field(default=None, repr=False)
    """A body that is no JSON; its type stands in *headers*."""
    keep: int | None = None
    """Bytes of the reply to keep at most; None: the sender's own cap."""

    def written(self) -> "WireRequest":
        """The request with *json* as the bytes that are sent, and their type among the headers."""
        if self.json is None:
            return self
        headers = {"Content-Type": "application/json", **self.headers}
        return replace(self, headers=headers, json=None, content=json.dumps(self.json).encode())


@dataclass(frozen=True, slots=True, kw_only=True)
class WireReply:
    """A server's reply, whatever its status; the body is capped as read, after decompression."""

    status: int
    headers: Mapping[str, str]
    """Lower-case names."""
    body: bytes
    cut: bool = False
    """The body was longer than the cap: of an answer only its beginning is kept."""
    broken: bool = False
    """The connection was lost before the body's end; what had come is kept."""


Send = Callable[[WireRequest], Awaitable[WireReply | Miss]]
"""Sends one request without following redirects; failures of the network come back as a `Miss`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Exchange:
    """One request and its reply as they went over the wire, to be kept: without keys, bodies cut to `KEPT_BODY`."""

    method: str
    url: str
    headers: Mapping[str, str]
    """Where a key stood, there is `KEY_MARK`."""
    body: str
    status: int | None = None
    """None: no reply came."""
    reply_headers: Mapping[str, str] = field(default_factory=dict)
    """Those that say something of the answer or of the account."""
    reply: str = ""


KEY_MARK: Final = "$API_KEY"
"""Stands in place of a key; the shell puts a variable's value there."""
KEPT_BODY: Final = 100_000
"""Characters of a body that are kept."""

"""Keeps what a call sent and what came back, without keys, for the round's table of calls."""

from collections.abc import Mapping
from typing import Final

from gpf_desktop.domain.key_echoes import without
from gpf_desktop.domain.models import Secret
from gpf_desktop.domain.responses import Miss
from gpf_desktop.domain.wire import KEPT_BODY, KEY_MARK, Exchange, Send, WireReply, WireRequest

_SECRET: Final = frozenset({"authorization", "x-api-key", "x-goog-api-key", "api-key"})
_TELLING: Final = ("content-type", "date", "retry-after", "request-id", "x-request-id", "location", "server")
_QUOTA: Final = "ratelimit"
_MARGIN: Final = 20_000
"""Bytes beyond, so that no key is cut before it is found: more than one takes, however it is escaped."""


class Recorder:
    """A `Send` for one call, which remembers the last request and its reply."""

    def __init__(self, send: Send, key: Secret | None) -> None:
        self._send = send
        self._key = key
        self._request: WireRequest | None = None
        self._reply: WireReply | None = None

    async def __call__(self, request: WireRequest) -> WireReply | Miss:
        # Written out here, or the sender and `exchange` would each do it.
        self._request, self._reply = request.written(), None
        reply = await self._send(self._request)
        if isinstance(reply, WireReply):
            self._reply = reply
        return reply

    def exchange(self) -> Exchange | None:
        """None where nothing was sent."""
        request, reply = self._request, self._reply
        if request is None:
            return None
        return Exchange(
            method=request.method,
            url=self._without_key(request.url),
            headers=self._shown(request.headers),
            body=self._words(request.content or b""),
            status=None if reply is None else reply.status,
            reply_headers={} if reply is None else self._kept_headers(reply.headers),
            reply="" if reply is None else self._words(reply.body),
        )

    def _shown(self, headers: Mapping[str, str]) -> dict[str, str]:
        shown = {}
        for name, value in headers.items():
            if name.lower() in _SECRET:
                # A scheme such as Bearer stays: it tells how the key was sent.
                scheme, space, _key = value.rpartition(" ")
                shown[name] = f"{scheme}{space}{KEY_MARK}"
            else:
                shown[name] = self._without_key(value)
        return shown

    def _kept_headers(self, headers: Mapping[str, str]) -> dict[str, str]:
        return {name: self._without_key(value) for name, value in headers.items() if name in _TELLING or _QUOTA in name}

    def _words(self, body: bytes) -> str:
        # A character has four bytes at most. The key goes before the last cut, which could leave a part of it.
        return self._without_key(body[: 4 * KEPT_BODY + _MARGIN].decode(errors="replace"))[:KEPT_BODY]

    def _without_key(self, text: str) -> str:
        return without(text, self._key, KEY_MARK)

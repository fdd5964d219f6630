"""One request through a sender of its own, for the tests of sending."""

import asyncio
from collections.abc import Awaitable, Callable

from gpf_desktop.domain.responses import Miss
from gpf_desktop.domain.wire import WireReply, WireRequest
from gpf_desktop.engine.models.sending import Sender

SECRET = "sk-canary-2342-plum"


def get(url: str, **headers: str) -> WireRequest:
    return WireRequest(method="GET", url=url, headers=headers)


def with_sender(use: Callable[[Sender], Awaitable[WireReply | Miss]]) -> WireReply | Miss:
    async def once() -> WireReply | Miss:
        sender = Sender()
        try:
            return await use(sender)
        finally:
            await sender.aclose()

    return asyncio.run(once())


def exchange(request: WireRequest, seconds: float = 20.0) -> WireReply | Miss:
    return with_sender(lambda sender: sender.send(request, seconds))


def missed(request: WireRequest, seconds: float = 20.0) -> Miss:
    outcome = exchange(request, seconds)
    assert isinstance(outcome, Miss), outcome
    return outcome


def replied(request: WireRequest) -> WireReply:
    outcome = exchange(request)
    assert isinstance(outcome, WireReply), outcome
    return outcome

"""The parts that batch jobs of all providers share: a provider's own requests and replies, carried by other means."""

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from typing import Final

from gpf_desktop.domain.batch_jobs import JobOrder, NotSubmitted
from gpf_desktop.domain.errors import ProviderError
from gpf_desktop.domain.models import Secret
from gpf_desktop.domain.ports.provider import Provider
from gpf_desktop.domain.questions import Question
from gpf_desktop.domain.responses import Miss, Missing, Outcome
from gpf_desktop.domain.retries import Transient
from gpf_desktop.domain.text import tr
from gpf_desktop.domain.wire import Send, WireReply, WireRequest
from gpf_desktop.providers import _bodies, _calls, _verdicts
from gpf_desktop.providers._verdicts import Request

ANSWERS_CAP: Final = 512_000_000
"""Bytes of a job's answers that are read; ten thousand answers are some 30 million."""
PAGES: Final = 20
"""Pages of a provider's job list that are searched for a lost job."""

Answers = AsyncIterator[tuple[str, Outcome]]


async def body_of(provider: Provider, question: Question) -> Mapping[str, object]:
    """The body that *provider* would send to ask *question* at once."""
    written: list[WireRequest] = []

    async def write_down(request: WireRequest) -> Miss:
        written.append(request)
        return Miss(reason=Missing.NOT_RUN, detail="")

    # Without the key, which stands in headers alone: nothing of them goes into a job.
    await provider.ask(question, None, write_down)
    return written[0].json or {}


async def bodies(provider: Provider, order: JobOrder) -> list[tuple[str, Mapping[str, object]]]:
    """(custom id, body) of every question of *order*."""
    return [(custom_id, await body_of(provider, question)) for custom_id, question in order.questions]


async def outcome(
    provider: Provider, question: Question, key: Secret | None, status: int, body: object, request_id: str = ""
) -> Outcome:
    """The outcome that *provider* reads in *body*, had it come as the reply to *question*."""
    headers = {"content-type": "application/json"}
    if request_id:
        # The first is the name that OpenAI's reader looks for, the second Anthropic's.
        headers |= {"x-request-id": request_id, "request-id": request_id}
    reply = WireReply(status=status, headers=headers, body=json.dumps(body).encode())

    async def replay(_request: WireRequest) -> WireReply:
        return reply

    return await provider.ask(question, key, replay)


def not_reached(detail: str) -> Miss:
    """The miss for a question that the job ended without coming to; it is not billed."""
    return Miss(reason=Missing.TIMED_OUT, detail=detail, retry=Transient())


def expired() -> Miss:
    return not_reached(tr("The batch job expired before it came to this question."))


def cancelled() -> Miss:
    """The miss for a question of a job that the auditor ended."""
    return Miss(reason=Missing.NOT_RUN, detail=tr("The batch job was cancelled."), retry=Transient())


def not_submitted(miss: Miss) -> NotSubmitted:
    """Certain where the provider said no, or was never reached; a lost or broken reply says nothing."""
    # A 408 says that the server stopped waiting, not that it took nothing.
    refused = miss.status is not None and 300 <= miss.status < 500 and miss.status != 408
    return NotSubmitted(miss=miss, certain=refused or miss.reason is Missing.UNREACHABLE)


async def exchange(request: WireRequest, key: Secret | None, send: Send) -> Mapping[str, object] | Miss:
    """The object that the server answers, or why there is none."""
    reply = await send(request)
    recorded = _recorded(key)
    if isinstance(reply, Miss):
        return _verdicts.undelivered(reply, recorded)
    # A page of ten thousand answers has more parts than one answer may have.
    body = None if reply.cut else await asyncio.to_thread(_bodies.parsed, reply.body)
    if reply.status >= 300 or not isinstance(body, dict) or reply.broken:
        return _calls.complaint(reply, recorded)
    return body


async def download(request: WireRequest, key: Secret | None, send: Send) -> bytes:
    """The whole body. Raises `ProviderError` where it does not come whole."""
    reply = await send(request)
    if isinstance(reply, Miss):
        raise ProviderError(_verdicts.undelivered(reply, _recorded(key)).detail)
    if reply.status >= 300 or reply.broken:
        raise ProviderError(_calls.complaint(reply, _recorded(key)).detail)
    return reply.body


def lines(body: bytes) -> Iterator[Mapping[str, object]]:
    """The objects of a file with one in each line; a line that is none is passed over, and its question with it."""
    start = 0
    # Line by line: of half a gigabyte of answers a list of all lines would be a second copy.
    while start < len(body):
        end = body.find(b"\n", start)
        end = len(body) if end < 0 else end
        try:
            line = json.loads(body[start:end])
        except (ValueError, RecursionError):
            line = None
        if isinstance(line, dict):
            yield line
        start = end + 1


def known(question: Callable[[str], Question | None], custom_id: object) -> Question | None:
    return question(custom_id) if isinstance(custom_id, str) else None


def _recorded(key: Secret | None) -> Request:
    return Request(sent={}, wire_names={}, not_supported=(), key=key)

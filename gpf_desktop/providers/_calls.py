"""One call of any provider: what may be left out of it, the exchange, and a model list in words."""

import asyncio
import threading
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from typing import Final, TypeVar
from typing import Protocol as Port

from gpf_desktop.domain.adjustments import SYSTEM_AS_USER, most_of, name_of, prompt_of
from gpf_desktop.domain.errors import ProviderError
from gpf_desktop.domain.models import Endpoint, Secret
from gpf_desktop.domain.questions import Question
from gpf_desktop.domain.responses import Miss
from gpf_desktop.domain.wire import Send, WireReply, WireRequest
from gpf_desktop.providers import _bodies, _errors, _verdicts
from gpf_desktop.providers._normal_form import mapping
from gpf_desktop.providers._verdicts import Request

Read = TypeVar("Read")

_LARGE: Final = 100_000
"""Bytes of a reply that are read in a millisecond."""
_TURN: Final = threading.Lock()
"""Large replies are read one after the other: each takes several times its size in memory."""


class Addressed(Port):
    """A question, or an order of vectors."""

    @property
    def endpoint(self) -> Endpoint: ...
    @property
    def not_supported(self) -> frozenset[str]: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameters:
    """The optional parameters of a call, by their wire names; what is unset or refused is not among them."""

    values: Mapping[str, object]
    ours: Mapping[str, str]
    """Wire name → our name."""
    left_out: tuple[str, ...]
    """Our names of those set ones that this model refuses, and what else was done otherwise for it."""


def parameters(
    question: Addressed, optional: Mapping[str, tuple[str, object]], *, refused: Collection[str] = ()
) -> Parameters:
    """*optional*: our name → (wire name, value); a value of None is unset and never sent.

    *refused*: our names of those that this API takes from no model. What was learnt of the model (`domain.adjustments`)
    is applied.
    """
    learnt = question.not_supported
    refused = learnt.union(refused)
    given = {ours: (wire, value) for ours, (wire, value) in optional.items() if value is not None}
    sent = {
        ours: (name_of(ours, wire, learnt), _within(value, most_of(ours, learnt)))
        for ours, (wire, value) in given.items()
        if ours not in refused
    }
    # Told with the answer are those that concern what would have been sent.
    changed = sorted(each for each in learnt if each.partition(" ")[0] in sent and " " in each)
    return Parameters(
        values=dict(sent.values()),
        ours={wire: ours for ours, (wire, _value) in sent.items()},
        left_out=(*(ours for ours in given if ours in refused), *changed),
    )


def _within(value: object, most: int | None) -> object:
    return min(value, most) if most is not None and isinstance(value, int | float) else value


@dataclass(frozen=True, slots=True, kw_only=True)
class SentTexts:
    """The texts of a question as they are sent to its model."""

    system: str
    user: str
    earlier: tuple[tuple[str, str], ...]
    moved: tuple[str, ...]
    """The adjustment, where the system text went to the head of the user's."""

    def turns(self, answerer: str = "assistant") -> list[tuple[str, str]]:
        """(role, text), the oldest first; *answerer*: what the API calls the model's own role."""
        before = [turn for asked, said in self.earlier for turn in (("user", asked), (answerer, said))]
        return [*before, ("user", self.user)]


def wording(question: Question) -> SentTexts:
    prompt = prompt_of(question.prompt, question.not_supported)
    moved = (SYSTEM_AS_USER,) if question.prompt.system and not prompt.system else ()
    return SentTexts(system=prompt.system, user=prompt.user, earlier=prompt.earlier, moved=moved)


def record(
    question: Addressed, chosen: Parameters, key: Secret | None, worded: SentTexts | None = None, **further: object
) -> Request:
    """The record of this call in an outcome; *further* are parameters that are always sent."""
    return Request(
        sent={"model": question.endpoint.model, **further, **chosen.values},
        wire_names=chosen.ours,
        not_supported=(*chosen.left_out, *(() if worded is None else worded.moved)),
        key=key,
        system=worded is not None and bool(worded.system),
    )


async def outcome(reply: WireReply | Miss, request: Request, read: Callable[[WireReply, Request], Read]) -> Read | Miss:
    """The result of *read* on *reply*; a large reply is read on another thread, so that nobody else waits for it."""
    if isinstance(reply, Miss):
        return _verdicts.undelivered(reply, request)
    if len(reply.body) <= _LARGE:
        return read(reply, request)
    return await asyncio.to_thread(_in_turn, reply, request, read)


def _in_turn(reply: WireReply, request: Request, read: Callable[[WireReply, Request], Read]) -> Read:
    # A lock of threads, held on the worker thread: cancelling the call ends the wait for that thread and not the
    # reading, so that a lock of the loop would be let go too early.
    with _TURN:
        return read(reply, request)


async def page(
    url: str, headers: Mapping[str, str], key: Secret | None, send: Send, *, holds: str
) -> Mapping[str, object]:
    """One page of a model list, an object with the list *holds*. Raises `ProviderError` in a user's words."""
    request = Request(sent={}, wire_names={}, not_supported=(), key=key)
    reply = await send(WireRequest(method="GET", url=url, headers=headers))
    if isinstance(reply, Miss):
        raise ProviderError(reply.detail)
    body = mapping(_bodies.body_of(reply))
    if reply.status >= 300 or not isinstance(body.get(holds), list):
        raise _verdicts.refusal_to_list(complaint(reply, request))
    return body


def complaint(reply: WireReply, request: Request) -> Miss:
    """An error answer in the words it has, whatever its shape."""
    error = _errors.error_in(_bodies.body_of(reply), "")
    return _verdicts.unreadable(reply, request) if error is None else _verdicts.complain(error, reply, request)

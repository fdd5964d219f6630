"""Anthropic's messages, in both versions of the API."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated, Final
from urllib.parse import quote

from gpf_desktop.domain.endings import flags_in
from gpf_desktop.domain.models import Endpoint, Secret
from gpf_desktop.domain.options import Shown
from gpf_desktop.domain.ports.provider import Provider
from gpf_desktop.domain.questions import Question
from gpf_desktop.domain.reasoning import is_of_reasoning
from gpf_desktop.domain.responses import Outcome, Usage
from gpf_desktop.domain.served import Served
from gpf_desktop.domain.text import tr
from gpf_desktop.domain.wire import Send, WireReply, WireRequest
from gpf_desktop.providers import _bodies, _calls, _verdicts
from gpf_desktop.providers._normal_form import NormalReply, count, items, mapping, text, word
from gpf_desktop.providers._options import chosen
from gpf_desktop.providers._verdicts import Request

_KEY_IN_HEADER: Final = "2023-06-01"
_BEARER: Final = "2026-10-21"
_LIMIT: Final = 4096
"""The API requires a limit on answer tokens; this stands where the protocol sets none."""
_PAGES: Final = 50


@dataclass(frozen=True, slots=True, kw_only=True)
class AnthropicOptions:
    """Settings of one model."""

    api_version: Annotated[
        str,
        Shown(
            label="API version",
            help="2026-10-21 takes no sampling parameters at all.",
            choices=(_KEY_IN_HEADER, _BEARER),
        ),
    ] = _KEY_IN_HEADER
    effort: Annotated[
        str,
        Shown(
            label="Effort",
            help="How much the model thinks and writes; left out where empty.",
            choices=("", "low", "medium", "high", "max"),
        ),
    ] = ""


class Anthropic(Provider):
    name = "anthropic"
    version = "1"
    title = "Anthropic"
    options = AnthropicOptions
    default_base_url = "https://api.anthropic.com"
    key_url = "https://console.anthropic.com/settings/keys"
    needs_key = True
    parameters = frozenset({"temperature", "top_p", "max_tokens"})

    async def ask(self, question: Question, key: Secret | None, send: Send) -> Outcome:
        options = chosen(AnthropicOptions, question.endpoint)
        decoding = question.decoding
        sampled = options.api_version == _KEY_IN_HEADER
        optional: dict[str, tuple[str, object]] = {
            "temperature": ("temperature", decoding.temperature),
            "top_p": ("top_p", decoding.top_p),
            "effort": ("effort", options.effort or None),
            "form": ("format", None if question.form is None else {"type": "json_schema", "schema": question.form}),
        }
        refused = frozenset() if sampled else frozenset({"temperature", "top_p"})
        parameters = _calls.parameters(question, optional, refused=refused)
        # Without a limit this API takes no call.
        limited = replace(question, not_supported=question.not_supported - {"max_tokens"})
        limits = _calls.parameters(limited, {"max_tokens": ("max_tokens", decoding.max_tokens or _LIMIT)})
        worded = _calls.wording(question)
        # On this wire neither is a field of its own: both stand within output_config.
        held = {name: parameters.values[name] for name in ("effort", "format") if name in parameters.values}
        plain = {name: value for name, value in parameters.values.items() if name not in held}
        configured = {"output_config": held} if held else {}
        request = Request(
            sent={"model": question.endpoint.model, **limits.values, **plain, **configured},
            # A model that takes none of it names the whole.
            wire_names={**parameters.ours, **limits.ours, "output_config": "form" if "format" in held else "effort"},
            not_supported=(*parameters.left_out, *limits.left_out, *worded.moved),
            key=key,
            system=bool(worded.system),
            required=frozenset({"max_tokens"}),
        )
        system = {"system": worded.system} if worded.system else {}
        wire = WireRequest(
            method="POST",
            url=f"{root(question.endpoint)}/v1/messages",
            headers=headers(options, key),
            json={
                "model": question.endpoint.model,
                **limits.values,
                **system,
                "messages": [{"role": role, "content": said} for role, said in worded.turns()],
                **plain,
                **configured,
            },
        )
        reply = await send(wire)
        return await _calls.outcome(reply, request, _read)

    async def list_models(self, endpoint: Endpoint, key: Secret | None, send: Send) -> Sequence[str]:
        authorised = headers(chosen(AnthropicOptions, endpoint), key)
        first = f"{root(endpoint)}/v1/models?limit=1000"
        found: list[str] = []
        address = first
        # Bounded: a server may say for ever that there is more.
        for _page in range(_PAGES):
            body = await _calls.page(address, authorised, key, send, holds="data")
            found += filter(None, (text(mapping(entry).get("id")) for entry in items(body.get("data"))))
            last = text(body.get("last_id"))
            if body.get("has_more") is not True or not last:
                break
            address = f"{first}&after_id={quote(last, safe='')}"
        return sorted(set(found))


def root(endpoint: Endpoint) -> str:
    address = (endpoint.base_url or Anthropic.default_base_url).strip().rstrip("/")
    return address.removesuffix("/messages").removesuffix("/v1").rstrip("/")


def headers(options: AnthropicOptions, key: Secret | None) -> dict[str, str]:
    named = {"anthropic-version": options.api_version}
    if key:
        bearer = options.api_version == _BEARER
        named |= {"Authorization": f"Bearer {key.reveal()}"} if bearer else {"x-api-key": key.reveal()}
    return named


def _read(reply: WireReply, request: Request) -> Outcome:
    return _verdicts.judged(_normal(reply), reply, request, salvage="text")


def _normal(reply: WireReply) -> NormalReply:
    body = mapping(_bodies.body_of(reply))
    request_id = reply.headers.get("request-id", "") or text(body.get("request_id")) or text(body.get("id"))
    error = mapping(body.get("error"))
    if error:
        kind = text(error.get("type"))
        # Its errors have a type and no code: the one word serves for both.
        words = text(error.get("message")) or kind or str(dict(error))
        return NormalReply(message=words, code=kind, kind=kind, request_id=request_id)
    content = body.get("content")
    content = [{"type": "text", "text": content}] if isinstance(content, str) else content
    # Where nothing came, only its ending tells.
    if not isinstance(content, list) and not body.get("stop_reason"):
        return NormalReply(request_id=request_id)
    blocks = [mapping(block) for block in items(content)]
    thoughts = [block for block in blocks if is_of_reasoning(block.get("type"))]
    stop = word(body.get("stop_reason"))
    refusal = ""
    if stop == "refusal":
        why = text(mapping(body.get("stop_details")).get("explanation"))
        refusal = why or tr("The model declines to answer.")
    elif flagged := flags_in(body):
        refusal = tr("Blocked by the provider: {finish}", finish=", ".join(flagged))
    return NormalReply(
        answered=True,
        text="".join(text(block.get("text")) for block in blocks if block not in thoughts),
        reasoning="\n\n".join(filter(None, (text(block.get("thinking")) for block in thoughts))),
        thought=bool(thoughts),
        finish=stop,
        refusal=refusal,
        usage=_usage(mapping(body.get("usage"))),
        request_id=request_id,
        served=Served(model=text(body.get("model"))),
    )


def _usage(usage: Mapping[str, object]) -> Usage:
    written, read = (count(usage.get(f"cache_{way}_input_tokens")) for way in ("creation", "read"))
    prompt = count(usage.get("input_tokens"))
    details = mapping(usage.get("output_tokens_details"))
    return Usage(
        # Anthropic counts tokens written to its cache or read from it beside input_tokens; here
        # a prompt is all that was sent.
        prompt=None if prompt is None else prompt + (written or 0) + (read or 0),
        completion=count(usage.get("output_tokens")),
        reasoning=count(details.get("thinking_tokens")),
        cached=read,
    )


PROVIDER = Anthropic()

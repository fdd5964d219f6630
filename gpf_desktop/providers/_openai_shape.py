"""The chat completions shape that OpenAI defined and many servers copy, some of them loosely."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from gpf_desktop.domain.models import Secret
from gpf_desktop.domain.questions import Question
from gpf_desktop.domain.responses import Outcome, Usage
from gpf_desktop.domain.served import Served
from gpf_desktop.domain.text import tr
from gpf_desktop.domain.wire import Send, WireReply, WireRequest
from gpf_desktop.providers import _bodies, _calls, _log_probabilities, _verdicts
from gpf_desktop.providers._verdicts import NormalReply, Request, count, items, mapping, text

_DEEPEST: Final = 3
"""So deep are errors looked for that gateways wrap into their own."""


def root(base_url: str) -> str:
    """*base_url* without a trailing slash, and without the path of the call where someone pasted all of it."""
    return base_url.strip().rstrip("/").removesuffix("/chat/completions").removesuffix("/embeddings").rstrip("/")


def headers(key: Secret | None) -> dict[str, str]:
    return {"Authorization": f"Bearer {key.reveal()}"} if key else {}


FORM_NAME: Final = "reply"


def response_format(form: Mapping[str, Any] | None) -> dict[str, object] | None:
    """What holds a model to the JSON schema *form*."""
    if form is None:
        return None
    # Without `strict` a schema is no more than a hint.
    return {"type": "json_schema", "json_schema": {"name": FORM_NAME, "strict": True, "schema": form}}


async def ask(
    question: Question, key: Secret | None, send: Send, *, base_url: str, limit_name: str, reasoning_effort: str
) -> Outcome:
    """One chat completion; *limit_name*: what the server calls the limit on tokens of an answer."""
    decoding = question.decoding
    chosen = _calls.parameters(
        question,
        {
            "temperature": ("temperature", decoding.temperature),
            "top_p": ("top_p", decoding.top_p),
            "max_tokens": (limit_name, decoding.max_tokens),
            "seed": ("seed", question.seed),
            "reasoning_effort": ("reasoning_effort", reasoning_effort or None),
            "form": ("response_format", response_format(question.form)),
            **_log_probabilities.asked(question),
        },
        refused=_log_probabilities.refused(question),
    )
    worded = _calls.wording(question)
    request = _calls.record(question, chosen, key, worded)
    roles = (("system", worded.system), ("user", worded.user))
    # An empty system message is left out: chat templates of some open models refuse that role.
    messages = [{"role": role, "content": content} for role, content in roles if content]
    wire = WireRequest(
        method="POST",
        url=f"{root(base_url)}/chat/completions",
        headers=headers(key),
        json={"model": question.endpoint.model, "messages": messages, **chosen.values},
    )
    reply = await send(wire)
    return await _calls.outcome(reply, request, read)


def read(reply: WireReply, request: Request) -> Outcome:
    """Whatever a server answered, as an outcome."""
    return _verdicts.judged(_normal(reply, request), reply, request, salvage="content")


def _normal(reply: WireReply, request: Request) -> NormalReply:
    body = _bodies.body_of(reply, with_tokens=_log_probabilities.WIDTH in request.sent)
    request_id = reply.headers.get("x-request-id", "") or text(mapping(body).get("id"))
    if (error := error_in(body, request_id)) is not None:
        return error
    choices = mapping(body).get("choices")
    if not isinstance(choices, list):
        return NormalReply(request_id=request_id)
    # A list without a choice is an empty answer, not one that cannot be read.
    choice = mapping(choices[0]) if choices else {}
    message = mapping(choice.get("message"))
    said, thought = _content(message.get("content"))
    broken = error_in({"error": choice["error"]}, request_id) if choice.get("error") else None
    return replace(
        broken or NormalReply(request_id=request_id),
        answered=True,
        text=said or text(message.get("refusal")),
        reasoning=thought or text(message.get("reasoning_content")) or text(message.get("reasoning")),
        finish=_verdicts.word(choice.get("finish_reason")),
        refusal=text(message.get("refusal")) or _filtered(mapping(body)),
        usage=_usage(mapping(mapping(body).get("usage"))),
        letters=_log_probabilities.letters(mapping(choice.get("logprobs")).get("content")),
        served=served(body),
    )


def served(body: object) -> Served:
    """Who answered; *provider* is OpenRouter's name for the company that ran the model."""
    told = mapping(body)
    return Served(
        model=text(told.get("model")), fingerprint=text(told.get("system_fingerprint")), host=text(told.get("provider"))
    )


def error_in(body: object, request_id: str) -> NormalReply | None:
    """The error in *body* in any of the shapes that servers use, under whatever status."""
    whole = mapping(body)
    error = whole.get("error")
    # As versions of vLLM have it: the body is the error itself.
    if error is None and text(whole.get("object")) == "error":
        error = body
    # Web frameworks report errors under names of their own (FastAPI: detail); beside choices these are none.
    if error is None and "choices" not in whole:
        error = whole.get("detail") or whole.get("message")
    # Baidu's older API.
    if error is None and whole.get("error_code"):
        return NormalReply(message=text(whole.get("error_msg")), code=str(whole["error_code"]), request_id=request_id)
    # MiniMax says under 200, in a place of its own, how the call went: 0 is well.
    base = mapping(whole.get("base_resp"))
    if not error and base.get("status_code"):
        return NormalReply(message=text(base.get("status_msg")), code=str(base["status_code"]), request_id=request_id)
    if not error:
        return None
    # Some name the kind of error beside its words (xAI, DashScope).
    beside = text(whole.get("code"))
    if not isinstance(error, Mapping):
        return NormalReply(message=error if isinstance(error, str) else str(error), code=beside, request_id=request_id)
    code = error.get("code")
    within = list(_within(error))
    return NormalReply(
        message=" · ".join(
            filter(None, (text(error.get("message")) or str(dict(error)), *(each for each, _ in within)))
        ),
        code=str(code or beside or ""),
        kind=text(error.get("type")),
        further=tuple(filter(None, (name for _, name in within))),
        parameter=text(error.get("param")),
        # OpenRouter states an error's status here, also in replies under 200.
        status=code if isinstance(code, int) and 400 <= code < 600 else None,
        request_id=request_id,
    )


def _within(error: Mapping[str, object], depth: int = 0) -> Iterator[tuple[str, str]]:
    """Words and code of errors within *error*: Azure's inner one, and that of a provider behind a gateway, as text."""
    details = mapping(error.get("metadata"))
    # OpenRouter's own moderation: why it flagged the question.
    for reason in filter(None, map(text, items(details.get("reasons")))):
        yield reason, "moderation"
    raw = details.get("raw")
    if isinstance(raw, str):
        found = _bodies.parsed(raw.encode()[: _bodies.SUSPECT]) if raw.lstrip()[:1] in ("{", "[") else None
        raw = found if found is not None else {"message": raw}
    # Google puts some errors into a list of one.
    raw = raw[0] if isinstance(raw, list) and raw else raw
    for inner in (error.get("innererror"), mapping(raw).get("error") or raw):
        said = {"message": inner} if isinstance(inner, str) else mapping(inner)
        if not said or depth == _DEEPEST:
            continue
        yield text(said.get("message")), str(said.get("code") or said.get("type") or said.get("status") or "")
        yield from _within(said, depth + 1)


async def list_models(base_url: str, key: Secret | None, send: Send) -> Sequence[str]:
    """Ids that ``/models`` lists. Raises `ProviderError`."""
    body = await _calls.page(f"{root(base_url)}/models", headers(key), key, send, holds="data")
    return sorted(filter(None, (text(mapping(entry).get("id")) for entry in items(body.get("data")))))


def _filtered(body: Mapping[str, object]) -> str:
    """MiniMax tells of its filter beside an answer that “stopped”."""
    for name in ("input_sensitive", "output_sensitive"):
        if body.get(name) is True:
            return tr("Blocked by the provider: {finish}", finish=name)
    return ""


def _content(content: object) -> tuple[str, str]:
    """Answer and reasoning of a message's content: a string, or a list of typed parts."""
    if not isinstance(content, list):
        return text(content), ""
    said: list[str] = []
    thought: list[str] = []
    for part in map(mapping, content):
        kind = text(part.get("type"))
        if kind in {"thinking", "reasoning"}:
            inner = part.get("thinking") or part.get("text")
            thought.append(_content(inner)[0] if isinstance(inner, list) else text(inner))
        else:
            said.append(text(part.get("text")) or text(part.get("refusal")))
    return "".join(said), "\n\n".join(filter(None, thought))


def _usage(usage: Mapping[str, object]) -> Usage:
    cached = count(mapping(usage.get("prompt_tokens_details")).get("cached_tokens"))
    return Usage(
        prompt=count(usage.get("prompt_tokens")),
        completion=count(usage.get("completion_tokens")),
        reasoning=count(mapping(usage.get("completion_tokens_details")).get("reasoning_tokens")),
        # DeepSeek says it beside the totals.
        cached=count(usage.get("prompt_cache_hit_tokens")) if cached is None else cached,
    )

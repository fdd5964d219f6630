"""The chat completions shape that OpenAI defined and many servers copy, some of them loosely."""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from gpf_desktop.domain.models import Secret
from gpf_desktop.domain.questions import Question
from gpf_desktop.domain.responses import Outcome, Usage
from gpf_desktop.domain.text import tr
from gpf_desktop.domain.wire import Send, WireReply, WireRequest
from gpf_desktop.providers import _bodies, _calls, _log_probabilities, _verdicts
from gpf_desktop.providers._verdicts import Complaint, ReplyBody, Request, count, items, mapping, text

_BLOCKED = frozenset({"content_filter", "safety"})
_BLOCK_OF_AZURE = "responsibleaipolicyviolation"
_TOO_LONG = frozenset({"length", "max_tokens", "model_length"})


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
    body = _bodies.body_of(reply, with_tokens=_log_probabilities.WIDTH in request.sent)
    request_id = reply.headers.get("x-request-id", "") or text(mapping(body).get("id"))
    complaint = complaint_in(body, request_id)
    if complaint is not None:
        return _verdicts.complain(complaint, reply, request)
    choices = mapping(body).get("choices")
    if reply.status >= 300 or not isinstance(choices, list):
        return _verdicts.unreadable(reply, request, request_id=request_id, salvage="content")
    # A list without a choice is an empty answer, not one that cannot be read.
    choice = mapping(choices[0]) if choices else {}
    message = mapping(choice.get("message"))
    said, thought = _content(message.get("content"))
    finish = text(choice.get("finish_reason"))
    refusal = text(message.get("refusal"))
    if not refusal and finish in _BLOCKED:
        refusal = tr("Blocked by the provider: {finish}", finish=finish)
    return _verdicts.conclude(
        ReplyBody(
            text=said or text(message.get("refusal")),
            reasoning=thought or text(message.get("reasoning_content")) or text(message.get("reasoning")),
            finish=finish,
            refusal=refusal,
            truncated=finish in _TOO_LONG,
            usage=_usage(mapping(mapping(body).get("usage"))),
            request_id=request_id,
            letters=_log_probabilities.letters(mapping(choice.get("logprobs")).get("content")),
        ),
        request,
    )


def complaint_in(body: object, request_id: str) -> Complaint | None:
    """The error in *body* in any of the shapes that servers use, under whatever status."""
    error = mapping(body).get("error")
    # As versions of vLLM have it: the body is the error itself.
    if error is None and text(mapping(body).get("object")) == "error":
        error = body
    # Web frameworks report errors under names of their own (FastAPI: detail); beside choices these are none.
    if error is None and "choices" not in mapping(body):
        error = mapping(body).get("detail") or mapping(body).get("message")
    if not error:
        return None
    if not isinstance(error, Mapping):
        return Complaint(message=error if isinstance(error, str) else str(error), request_id=request_id)
    code = error.get("code")
    inner = text(mapping(error.get("innererror")).get("code"))
    return Complaint(
        message=text(error.get("message")) or str(dict(error)),
        code=inner if inner.lower() == _BLOCK_OF_AZURE else str(code or ""),
        kind=text(error.get("type")),
        parameter=text(error.get("param")),
        # OpenRouter states an error's status here, also in replies under 200.
        status=code if isinstance(code, int) and 400 <= code < 600 else None,
        request_id=request_id,
    )


async def list_models(base_url: str, key: Secret | None, send: Send) -> Sequence[str]:
    """Ids that ``/models`` lists. Raises `ProviderError`."""
    body = await _calls.page(f"{root(base_url)}/models", headers(key), key, send, holds="data")
    return sorted(filter(None, (text(mapping(entry).get("id")) for entry in items(body.get("data")))))


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

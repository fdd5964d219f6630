"""The chat completions shape that OpenAI defined and many servers copy, some of them loosely."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, Final

from gpf_desktop.domain.endings import flags_in, truer_word
from gpf_desktop.domain.models import Secret
from gpf_desktop.domain.questions import Question
from gpf_desktop.domain.reasoning import FIELDS, is_of_reasoning
from gpf_desktop.domain.responses import Outcome, Usage
from gpf_desktop.domain.served import Served
from gpf_desktop.domain.text import tr
from gpf_desktop.domain.wire import Send, WireReply, WireRequest
from gpf_desktop.providers import _bodies, _calls, _errors, _log_probabilities, _verdicts
from gpf_desktop.providers._normal_form import NormalReply, all_written, count, first_count, items, mapping, text, word
from gpf_desktop.providers._verdicts import Request


def root(base_url: str) -> str:
    """*base_url* without a trailing slash, and without the path of the call where someone pasted all of it."""
    return base_url.strip().rstrip("/").removesuffix("/chat/completions").removesuffix("/embeddings").rstrip("/")


def headers(key: Secret | None) -> dict[str, str]:
    return {"Authorization": f"Bearer {key.reveal()}"} if key else {}


FORM_NAME: Final = "reply"


def response_format(form: Mapping[str, Any] | None) -> dict[str, object] | None:
    """The parameter that holds a model to the JSON schema *form*."""
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
    roles = (("system", worded.system), *worded.turns())
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
    """The outcome of *reply*, whatever a server answered."""
    return _verdicts.judged(_normal(reply, request), reply, request, salvage="content")


def _normal(reply: WireReply, request: Request) -> NormalReply:
    body = _bodies.body_of(reply, with_tokens=_log_probabilities.WIDTH in request.sent)
    request_id = reply.headers.get("x-request-id", "") or text(mapping(body).get("id"))
    if (error := _errors.error_in(body, request_id)) is not None:
        return replace(error, usage=_usage(mapping(mapping(body).get("usage"))))
    choices = mapping(body).get("choices")
    if not isinstance(choices, list):
        return NormalReply(request_id=request_id)
    # A list without a choice is an empty answer, not one that cannot be read.
    choice = next(
        (each for each in map(mapping, choices) if each.get("index") == 0), mapping(next(iter(choices), None))
    )
    message = mapping(choice.get("message"))
    said, thought, refused = _content(message.get("content"))
    fault = choice.get("error") or message.get("error")
    broken = _errors.error_in({"error": fault}, request_id) if fault else None
    refused = text(message.get("refusal")) or refused
    if message.get("refusal") is True:
        refused = tr("The model declines to answer.")
    return replace(
        broken or NormalReply(request_id=request_id),
        answered=True,
        # In the place of older completions, as some servers have it here too.
        text=said or refused or text(choice.get("text")),
        reasoning=thought or _thought(message),
        thought=any(is_of_reasoning(part.get("type")) for part in _parts_beside(message)),
        finish=_verdicts.finish_of(
            # OpenRouter says both: its own, and that of the maker.
            truer_word(word(choice.get("finish_reason")), word(choice.get("native_finish_reason"))),
            called=bool(message.get("tool_calls") or message.get("function_call")) and not said,
        ),
        refusal=refused or _filtered(mapping(body), choice),
        usage=_usage(mapping(mapping(body).get("usage"))),
        letters=_log_probabilities.letters(mapping(choice.get("logprobs")).get("content")),
        served=served(body),
    )


def served(body: object) -> Served:
    """The server's words on who answered; *provider* is OpenRouter's name for the company that ran the model."""
    told = mapping(body)
    return Served(
        model=text(told.get("model")), fingerprint=text(told.get("system_fingerprint")), host=text(told.get("provider"))
    )


async def list_models(base_url: str, key: Secret | None, send: Send) -> Sequence[str]:
    """Ids that ``/models`` lists. Raises `ProviderError`."""
    body = await _calls.page(f"{root(base_url)}/models", headers(key), key, send, holds="data")
    return sorted(filter(None, (text(mapping(entry).get("id")) for entry in items(body.get("data")))))


def _filtered(body: Mapping[str, object], choice: Mapping[str, object]) -> str:
    """The words of a filter beside an answer that “stopped”, or beside none: MiniMax', Azure's, Amazon's."""
    told = flags_in(body)
    filters = [choice.get("content_filter_results")]
    filters += [mapping(each).get("content_filter_results") for each in items(body.get("prompt_filter_results"))]
    told += [
        name for each in filters for name, found in mapping(each).items() if mapping(found).get("filtered") is True
    ]
    return tr("Blocked by the provider: {finish}", finish=", ".join(dict.fromkeys(told))) if told else ""


def _thought(message: Mapping[str, object]) -> str:
    """The reasoning beside an answer, by any of its names."""
    for name in FIELDS:
        told = message.get(name)
        if found := text(told) or text(mapping(told).get("content")):
            return found
    names = ("text", "summary", "thinking")
    told_in = ((text(part.get(name)) for name in names) for part in _parts_beside(message))
    return "\n\n".join(filter(None, (next(filter(None, each), "") for each in told_in)))


def _parts_beside(message: Mapping[str, object]) -> list[Mapping[str, object]]:
    """Typed parts of reasoning, in fields of their own (OpenRouter's, LiteLLM's) or within the content."""
    fields = ("reasoning_details", "thinking_blocks")
    own = [part for name in fields for part in map(mapping, items(message.get(name)))]
    return own + [part for part in map(mapping, items(message.get("content"))) if is_of_reasoning(part.get("type"))]


def _content(content: object) -> tuple[str, str, str]:
    """Answer, reasoning and refusal of a message's content: a string, or typed parts."""
    if isinstance(content, str):
        return content, "", ""
    said: list[str] = []
    thought: list[str] = []
    refused: list[str] = []
    # Some leave the kind out, and the object too.
    parts = [{"text": each} if isinstance(each, str) else each for each in items(content)]
    for part in map(mapping, [content] if isinstance(content, dict) else parts):
        kind = text(part.get("type"))
        if is_of_reasoning(kind) or part.get("thought") is True:
            inner = next((part[name] for name in ("thinking", "reasoning", "summary", "text") if part.get(name)), "")
            thought.append("".join(_content(inner)[:2]) if isinstance(inner, list) else text(inner))
        else:
            said.append(text(part.get("text")) or text(mapping(part.get("text")).get("value")))
            refused.append(text(part.get("refusal")))
    return "".join(said), "\n\n".join(filter(None, thought)), "".join(refused)


def _usage(usage: Mapping[str, object]) -> Usage:
    cached = count(mapping(usage.get("prompt_tokens_details")).get("cached_tokens"))
    # The second names are those of the newer API, which gateways put into replies of the older one.
    prompt = first_count(usage, "prompt_tokens", "input_tokens")
    completion = first_count(usage, "completion_tokens", "output_tokens")
    return Usage(
        prompt=prompt,
        completion=all_written(prompt, completion, count(usage.get("total_tokens"))),
        reasoning=count(mapping(usage.get("completion_tokens_details")).get("reasoning_tokens")),
        # DeepSeek says it beside the totals.
        cached=count(usage.get("prompt_cache_hit_tokens")) if cached is None else cached,
    )

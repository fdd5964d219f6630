"""Google's Gemini API."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, time, timedelta, timezone
from typing import Annotated, Final
from urllib.parse import quote

from gpf_desktop.domain.endings import Ending, ending_of
from gpf_desktop.domain.models import Endpoint, Secret
from gpf_desktop.domain.options import Shown
from gpf_desktop.domain.ports.provider import Provider
from gpf_desktop.domain.questions import Question
from gpf_desktop.domain.responses import Outcome, Usage
from gpf_desktop.domain.served import Served
from gpf_desktop.domain.text import tr
from gpf_desktop.domain.wire import Send, WireReply, WireRequest
from gpf_desktop.providers import _bodies, _calls, _verdicts
from gpf_desktop.providers._embeddings import GeminiEmbeddingOptions
from gpf_desktop.providers._normal_form import NormalReply, count, items, mapping, text, word
from gpf_desktop.providers._options import chosen
from gpf_desktop.providers._verdicts import Request

_PAGES: Final = 50
_PACIFIC: Final = timezone(timedelta(hours=-8))
_CALLS: Final = frozenset({"generateContent", "embedContent"})
"""What a model can be asked here."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GeminiOptions(GeminiEmbeddingOptions):
    """Settings of one model."""

    thinking_level: Annotated[
        str,
        Shown(
            label="Thinking level",
            help="For Gemini 3 and later; left out where empty.",
            choices=("", "minimal", "low", "medium", "high"),
        ),
    ] = ""


class Gemini(Provider):
    name = "gemini"
    version = "1"
    title = "Google Gemini"
    options = GeminiOptions
    default_base_url = "https://generativelanguage.googleapis.com/v1beta"
    key_url = "https://aistudio.google.com/apikey"
    needs_key = True
    parameters = frozenset({"temperature", "top_p", "max_tokens", "seed"})

    async def ask(self, question: Question, key: Secret | None, send: Send) -> Outcome:
        options = chosen(GeminiOptions, question.endpoint)
        decoding = question.decoding
        thinking = {"thinkingLevel": options.thinking_level} if options.thinking_level else None
        parameters = _calls.parameters(
            question,
            {
                "temperature": ("temperature", decoding.temperature),
                "top_p": ("topP", decoding.top_p),
                "max_tokens": ("maxOutputTokens", decoding.max_tokens),
                "seed": ("seed", question.seed),
                "thinking_level": ("thinkingConfig", thinking),
                "form": ("responseJsonSchema", question.form),
            },
        )
        worded = _calls.wording(question)
        request = _calls.record(question, parameters, key, worded)
        # The list names models with “models/” before them, and so they are pasted; no other slash may lead to another
        # path.
        model = quote(question.endpoint.model.strip().removeprefix("models/"), safe="")
        turns = worded.turns("model")
        body: dict[str, object] = {"contents": [{"role": role, "parts": [{"text": said}]} for role, said in turns]}
        if worded.system:
            body["systemInstruction"] = {"parts": [{"text": worded.system}]}
        if parameters.values:
            # The API takes a schema only together with this type.
            typed = {"responseMimeType": "application/json"} if "responseJsonSchema" in parameters.values else {}
            body["generationConfig"] = {**typed, **parameters.values}
        wire = WireRequest(
            method="POST",
            url=f"{root(question.endpoint)}/models/{model}:generateContent",
            headers=headers(key),
            json=body,
        )
        reply = await send(wire)
        return await _calls.outcome(reply, request, _read)

    async def list_models(self, endpoint: Endpoint, key: Secret | None, send: Send) -> Sequence[str]:
        first = f"{root(endpoint)}/models?pageSize=1000"
        found: list[str] = []
        address = first
        # Bounded: a server may hand out pages for ever.
        for _page in range(_PAGES):
            body = await _calls.page(address, headers(key), key, send, holds="models")
            found += [
                text(entry.get("name")).removeprefix("models/")
                for entry in map(mapping, items(body.get("models")))
                # Where the server names no methods the model is offered all the same.
                if _CALLS & set(map(text, items(entry.get("supportedGenerationMethods", list(_CALLS)))))
            ]
            token = text(body.get("nextPageToken"))
            if not token:
                break
            address = f"{first}&pageToken={quote(token, safe='')}"
        return sorted(filter(None, set(found)))


def root(endpoint: Endpoint) -> str:
    return (endpoint.base_url or Gemini.default_base_url).strip().rstrip("/").removesuffix("/models")


def headers(key: Secret | None) -> dict[str, str]:
    return {"x-goog-api-key": key.reveal()} if key else {}


def _read(reply: WireReply, request: Request) -> Outcome:
    return _verdicts.judged(_normal(reply), reply, request, salvage="text")


def _normal(reply: WireReply) -> NormalReply:
    body = mapping(_bodies.body_of(reply))
    request_id = text(body.get("responseId"))
    error = mapping(body.get("error"))
    if error:
        return error_of(error, request_id)
    candidates = items(body.get("candidates"))
    candidate = mapping(candidates[0] if candidates else None)
    parts = [mapping(part) for part in items(mapping(candidate.get("content")).get("parts"))]
    silent = not any(text(part.get("text")) for part in parts)
    called = any("functionCall" in part for part in parts) and silent
    blocked = _blocked(mapping(body.get("promptFeedback"))) or (_blocked(candidate) if silent else "")
    finish = _verdicts.finish_of(word(candidate.get("finishReason")) or blocked, called=called)
    # A prompt that was blocked is, whatever the word for it: Gemini has OTHER there too.
    refusal = tr("Blocked by the provider: {finish}", finish=blocked) if blocked else ""
    if not refusal and ending_of(finish) is Ending.BLOCKED:
        refusal = text(candidate.get("finishMessage"))
    return NormalReply(
        # Without a candidate in its place it is an empty answer, not one that cannot be read.
        answered=bool(blocked) or bool({"candidates", "usageMetadata"} & body.keys()),
        text="".join(text(part.get("text")) for part in parts if part.get("thought") is not True),
        reasoning="\n\n".join(text(part.get("text")) for part in parts if part.get("thought") is True),
        finish=finish,
        refusal=refusal,
        message=text(candidate.get("finishMessage")) if ending_of(finish) is Ending.FAILED and not blocked else "",
        usage=_usage(mapping(body.get("usageMetadata"))),
        request_id=request_id,
        served=Served(model=text(body.get("modelVersion"))),
    )


def _blocked(feedback: Mapping[str, object]) -> str:
    """Why a prompt was: the word for it, else the category that a filter found in it."""
    ratings = [mapping(each) for each in items(feedback.get("safetyRatings"))]
    return word(feedback.get("blockReason")) or next(
        (text(each.get("category")) for each in ratings if each.get("blocked") is True), ""
    )


def error_of(error: Mapping[str, object], request_id: str) -> NormalReply:
    """The error in the object *error* of a body."""
    status = error.get("code")
    details = [mapping(entry) for entry in items(error.get("details"))]
    waits = [text(entry.get("retryDelay")) for entry in details]
    quotas = [text(mapping(each).get("quotaId")) for entry in details for each in items(entry.get("violations"))]
    # The delay beside a limit of the day is that of a minute, and brings nothing.
    wait = _until_midnight() if any("PerDay" in quota for quota in quotas) else None
    return NormalReply(
        message=text(error.get("message")) or text(error.get("status")) or str(dict(error)),
        kind=text(error.get("status")),
        further=tuple(filter(None, (*(text(entry.get("reason")) for entry in details), *quotas))),
        status=status if isinstance(status, int) and 400 <= status < 600 else None,
        wait=wait or next((seconds for each in waits if (seconds := _seconds(each)) is not None), None),
        request_id=request_id,
    )


def _until_midnight() -> float:
    """Seconds until Google begins to count a day's calls anew: midnight in California, by its winter time."""
    now = datetime.now(_PACIFIC)
    return (datetime.combine(now.date() + timedelta(days=1), time.min, _PACIFIC) - now).total_seconds()


def _seconds(duration: str) -> float | None:
    """Google writes durations as "12.5s"."""
    try:
        return float(duration.removesuffix("s")) if duration.endswith("s") else None
    except ValueError:
        return None


def _usage(usage: Mapping[str, object]) -> Usage:
    """The answer's tokens and the thoughts' are counted apart and paid for alike."""
    said, thought = count(usage.get("candidatesTokenCount")), count(usage.get("thoughtsTokenCount"))
    return Usage(
        prompt=count(usage.get("promptTokenCount")),
        completion=None if said is None and thought is None else (said or 0) + (thought or 0),
        reasoning=thought,
        cached=count(usage.get("cachedContentTokenCount")),
    )


PROVIDER = Gemini()

"""What each provider's server accepts and answers, built from the providers' documents.

A `Dialect` knows one API: which requests are right to the letter (`problems`), and how its bodies look. `serve` puts it
on a loopback server that answers 400 to anything else. ``tests/providers/test_provider_contract.py`` asks every
provider that has a dialect here.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from tests.support.http_server import LoopbackServer, Reply, Request

MODEL = "some-model"
KEY = "sk-canary-0815-walnut"


class Dialect(Protocol):
    """One API."""

    @property
    def base_path(self) -> str: ...
    @property
    def call_path(self) -> str: ...
    @property
    def models_path(self) -> str: ...
    @property
    def parameters(self) -> Mapping[str, str]:
        """Our name of a decoding setting → its name on the wire."""
        ...

    def problems(self, request: Request, key: str) -> list[str]:
        """Everything that a strict server would object to."""
        ...

    def answer(self, text: str, *, finish: str = "", reasoning: str = "", thoughts: int = 0) -> dict[str, Any]:
        """A good body; *finish* is "", "length" or "refused"."""
        ...

    def error(self, status: int, message: str, code: str = "") -> Any:
        """An error body."""
        ...

    def models(self, names: Sequence[str]) -> list[dict[str, Any]]:
        """The pages of a model list."""
        ...


def nulls(value: object, path: str = "") -> list[str]:
    """Paths of every null inside *value*."""
    match value:
        case None:
            return [f"null at {path}"]
        case dict():
            return [found for name, inner in value.items() for found in nulls(inner, f"{path}/{name}")]
        case list():
            return [found for number, inner in enumerate(value) for found in nulls(inner, f"{path}/{number}")]
        case _:
            return []


def _shape(body: object, required: Mapping[str, type], optional: Mapping[str, type | tuple[type, ...]]) -> list[str]:
    if not isinstance(body, dict):
        return ["the body is no object"]
    found = [f"unknown key {name}" for name in body if name not in required and name not in optional]
    found += [f"{name} is missing" for name in required if name not in body]
    kinds = {**optional, **required}
    found += [f"{name} is {value!r}" for name, value in body.items() if not _is(value, kinds.get(name, object))]
    return found + nulls(body)


def _is(value: object, kind: type | tuple[type, ...]) -> bool:
    """`isinstance` for which a truth value is no number."""
    kinds = kind if isinstance(kind, tuple) else (kind,)
    return bool in kinds or object in kinds if isinstance(value, bool) else isinstance(value, kinds)


def _headers(request: Request, expected: Mapping[str, str], forbidden: Sequence[str]) -> list[str]:
    wrong = [
        f"header {name}: {request.headers.get(name)!r}, not {value!r}"
        for name, value in expected.items()
        if request.headers.get(name) != value
    ]
    return wrong + [f"header {name} is not wanted" for name in forbidden if name in request.headers]


_SAMPLING: Mapping[str, type | tuple[type, ...]] = {"temperature": (int, float), "top_p": (int, float), "seed": int}
_LOGPROBS: Mapping[str, type | tuple[type, ...]] = {"logprobs": bool, "top_logprobs": int}


def _width_alone(body: Mapping[str, object]) -> list[str]:
    return ["top_logprobs without logprobs"] if "top_logprobs" in body and not body.get("logprobs") else []


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenAIDialect:
    """Chat completions, with whatever name the server has for the limit; *seed*: it takes one."""

    limit: str
    seed: bool = True
    base_path: str = "/v1"
    call_path: str = "/v1/chat/completions"
    models_path: str = "/v1/models"

    @property
    def parameters(self) -> Mapping[str, str]:
        taken = {"temperature": "temperature", "top_p": "top_p", "max_tokens": self.limit}
        return taken | ({"seed": "seed"} if self.seed else {})

    def problems(self, request: Request, key: str) -> list[str]:
        found = _headers(request, {"authorization": f"Bearer {key}"} if key else {}, ["x-api-key", "x-goog-api-key"])
        if not key and "authorization" in request.headers:
            found.append("a key that nobody gave")
        if request.method == "GET":
            return found
        body = request.json()
        optional = {**_SAMPLING, **_LOGPROBS, self.limit: int, "reasoning_effort": str, "response_format": dict}
        if not self.seed:
            del optional["seed"]
        found += _shape(body, {"model": str, "messages": list}, optional) + _width_alone(body)
        if "response_format" in body:
            found += _shape(body["response_format"], {"type": str, "json_schema": dict}, {})
            found += _shape(body["response_format"]["json_schema"], {"name": str, "schema": dict}, {"strict": bool})
        for message in body.get("messages", []):
            found += _shape(message, {"role": str, "content": str}, {})
        return found

    def answer(self, text: str, *, finish: str = "", reasoning: str = "", thoughts: int = 0) -> dict[str, Any]:
        message: dict[str, Any] = {"role": "assistant", "content": text, "refusal": None}
        if finish == "refused":
            message |= {"content": None, "refusal": text}
        if reasoning:
            message["reasoning_content"] = reasoning
        return {
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "created": 1,
            "model": MODEL,
            "choices": [{"index": 0, "message": message, "finish_reason": "length" if finish == "length" else "stop"}],
            "usage": {
                "prompt_tokens": 11,
                "completion_tokens": 22,
                "total_tokens": 33,
                "completion_tokens_details": {"reasoning_tokens": thoughts},
            },
        }

    def error(self, status: int, message: str, code: str = "") -> Any:
        return {"error": {"message": message, "type": "some_error", "param": None, "code": code or None}}

    def models(self, names: Sequence[str]) -> list[dict[str, Any]]:
        return [{"object": "list", "data": [{"id": name, "object": "model", "created": 1} for name in names]}]


@dataclass(frozen=True, slots=True, kw_only=True)
class AnthropicDialect:
    """Messages, in one of its two versions."""

    version: str = "2023-06-01"
    base_path: str = ""
    call_path: str = "/v1/messages"
    models_path: str = "/v1/models"
    parameters: Mapping[str, str] = field(default_factory=lambda: {"temperature": "temperature", "top_p": "top_p"})

    def problems(self, request: Request, key: str) -> list[str]:
        bearer = self.version == "2026-10-21"
        auth = {"authorization": f"Bearer {key}"} if bearer else {"x-api-key": key}
        found = _headers(
            request,
            {"anthropic-version": self.version, **(auth if key else {})},
            ["x-api-key" if bearer else "authorization", "x-goog-api-key"],
        )
        if request.method == "GET":
            return found
        sampling: Mapping[str, type | tuple[type, ...]] = {} if bearer else {"temperature": float, "top_p": float}
        body = request.json()
        found += _shape(
            body,
            {"model": str, "max_tokens": int, "messages": list},
            {"system": str, "output_config": dict, **sampling},
        )
        found += _shape(body.get("output_config", {}), {}, {"effort": str, "format": dict})
        if "format" in body.get("output_config", {}):
            found += _shape(body["output_config"]["format"], {"type": str, "schema": dict}, {})
        for message in body.get("messages", []):
            found += _shape(message, {"role": str, "content": str}, {})
            found += [] if message.get("role") == "user" else ["only the user speaks"]
        return found

    def answer(self, text: str, *, finish: str = "", reasoning: str = "", thoughts: int = 0) -> dict[str, Any]:
        stop = {"": "end_turn", "length": "max_tokens", "refused": "refusal"}[finish]
        content = [{"type": "thinking", "thinking": reasoning, "signature": "x"}] if reasoning else []
        if text:
            content.append({"type": "text", "text": text})
        usage: dict[str, Any] = {"input_tokens": 11, "output_tokens": 22}
        if thoughts:
            usage["output_tokens_details"] = {"thinking_tokens": thoughts}
        return {
            "id": "msg_1",
            "type": "message",
            "role": "assistant",
            "model": MODEL,
            "content": content,
            "stop_reason": stop,
            "stop_sequence": None,
            "usage": usage,
        }

    def error(self, status: int, message: str, code: str = "") -> Any:
        kind = code or {429: "rate_limit_error", 529: "overloaded_error"}.get(status, "invalid_request_error")
        return {"type": "error", "error": {"type": kind, "message": message}, "request_id": "req_1"}

    def models(self, names: Sequence[str]) -> list[dict[str, Any]]:
        middle = len(names) // 2
        pages = [names[:middle], names[middle:]]
        return [
            {
                "data": [{"type": "model", "id": name, "display_name": name} for name in page],
                "has_more": number == 0,
                "first_id": page[0],
                "last_id": page[-1],
            }
            for number, page in enumerate(pages)
        ]


@dataclass(frozen=True, slots=True, kw_only=True)
class GeminiDialect:
    """generateContent."""

    base_path: str = "/v1beta"
    call_path: str = f"/v1beta/models/{MODEL}:generateContent"
    models_path: str = "/v1beta/models"
    parameters: Mapping[str, str] = field(
        default_factory=lambda: {
            "temperature": "temperature",
            "top_p": "topP",
            "max_tokens": "maxOutputTokens",
            "seed": "seed",
        }
    )

    def problems(self, request: Request, key: str) -> list[str]:
        found = _headers(request, {"x-goog-api-key": key} if key else {}, ["authorization", "x-api-key"])
        found += ["a key in the address"] if "key" in request.query else []
        if request.method == "GET":
            return found
        body = request.json()
        found += _shape(body, {"contents": list}, {"systemInstruction": dict, "generationConfig": dict})
        optional = {"temperature": float, "topP": float, "maxOutputTokens": int, "seed": int, "thinkingConfig": dict}
        optional |= {"responseMimeType": str, "responseJsonSchema": dict}
        config = body.get("generationConfig", {})
        found += _shape(config, {}, optional)
        if ("responseJsonSchema" in config) != (config.get("responseMimeType") == "application/json"):
            found.append("a schema and the type application/json belong together")
        for content in body.get("contents", []):
            found += _shape(content, {"role": str, "parts": list}, {})
            found += [wrong for part in content["parts"] for wrong in _shape(part, {"text": str}, {})]
        return found

    def answer(self, text: str, *, finish: str = "", reasoning: str = "", thoughts: int = 0) -> dict[str, Any]:
        usage: dict[str, Any] = {"promptTokenCount": 11, "candidatesTokenCount": 22 - thoughts, "totalTokenCount": 33}
        if thoughts:
            usage["thoughtsTokenCount"] = thoughts
        parts: list[dict[str, Any]] = [{"text": reasoning, "thought": True}] if reasoning else []
        if text:
            parts.append({"text": text})
        candidate: dict[str, Any] = {
            "finishReason": {"": "STOP", "length": "MAX_TOKENS", "refused": "SAFETY"}[finish],
            "index": 0,
        }
        if parts:
            candidate["content"] = {"parts": parts, "role": "model"}
        return {"candidates": [candidate], "usageMetadata": usage, "modelVersion": MODEL, "responseId": "resp-1"}

    def error(self, status: int, message: str, code: str = "") -> Any:
        return [{"error": {"code": status, "message": message, "status": code or "SOME_STATUS", "details": []}}]

    def models(self, names: Sequence[str]) -> list[dict[str, Any]]:
        methods = ["generateContent", "countTokens"]
        entries = [{"name": f"models/{name}", "supportedGenerationMethods": methods} for name in names]
        middle = len(entries) // 2
        other = {"name": "models/painter", "supportedGenerationMethods": ["predict"]}
        return [
            {"models": [*entries[:middle], other], "nextPageToken": "a/b+c"},
            {"models": entries[middle:]},
        ]


@dataclass(frozen=True, slots=True, kw_only=True)
class OllamaDialect:
    """api/chat without streaming."""

    base_path: str = ""
    call_path: str = "/api/chat"
    models_path: str = "/api/tags"
    parameters: Mapping[str, str] = field(
        default_factory=lambda: {
            "temperature": "temperature",
            "top_p": "top_p",
            "max_tokens": "num_predict",
            "seed": "seed",
        }
    )

    def problems(self, request: Request, key: str) -> list[str]:
        found = _headers(request, {"authorization": f"Bearer {key}"} if key else {}, ["x-api-key", "x-goog-api-key"])
        if request.method == "GET":
            return found
        body = request.json()
        found += _shape(
            body,
            {"model": str, "messages": list},
            {**_LOGPROBS, "stream": bool, "options": dict, "think": (bool, str), "format": dict},
        )
        found += _width_alone(body)
        found += [] if body.get("stream") is False else ["it must not stream"]
        found += _shape(body.get("options", {}), {}, {**_SAMPLING, "num_predict": int, "num_ctx": int})
        for message in body.get("messages", []):
            found += _shape(message, {"role": str, "content": str}, {})
        return found

    def answer(self, text: str, *, finish: str = "", reasoning: str = "", thoughts: int = 0) -> dict[str, Any]:
        message = {"role": "assistant", "content": text}
        if reasoning:
            message["thinking"] = reasoning
        return {
            "model": MODEL,
            "created_at": "2026-11-20T00:00:00Z",
            "message": message,
            "done": True,
            "done_reason": "length" if finish == "length" else "stop",
            "prompt_eval_count": 11,
            "eval_count": 22,
        }

    def error(self, status: int, message: str, code: str = "") -> Any:
        return {"error": message}

    def models(self, names: Sequence[str]) -> list[dict[str, Any]]:
        return [{"models": [{"name": name, "model": name, "size": 1} for name in names]}]


DIALECTS: Mapping[str, Dialect] = {
    "openai": OpenAIDialect(limit="max_completion_tokens"),
    "openai-compatible": OpenAIDialect(limit="max_tokens"),
    "anthropic": AnthropicDialect(),
    "gemini": GeminiDialect(),
    "ollama": OllamaDialect(),
}


def serve(server: LoopbackServer, dialect: Dialect, reply: Reply | Sequence[Reply], *, key: str = KEY) -> None:
    """Answer right calls with *reply*, the last one again and again, and wrong ones with 400 and the problems."""
    left = [reply] if isinstance(reply, Reply) else list(reply)

    def strictly(request: Request) -> Reply:
        problems = dialect.problems(request, key)
        if problems:
            return Reply.of_json(dialect.error(400, "; ".join(problems)), status=400)
        return left.pop(0) if len(left) > 1 else left[0]

    server.route(dialect.call_path, strictly)


def serve_models(server: LoopbackServer, dialect: Dialect, names: Sequence[str], *, key: str = KEY) -> None:
    """The model list, page by page as the query asks."""
    pages = dialect.models(names)

    def page(request: Request) -> Reply:
        problems = dialect.problems(request, key)
        if problems:
            return Reply.of_json(dialect.error(400, "; ".join(problems)), status=400)
        further = "after_id" in request.query or "pageToken" in request.query
        if request.query.get("pageToken", ["a/b+c"]) != ["a/b+c"]:
            return Reply.of_json(dialect.error(400, "unknown page"), status=400)
        return Reply(body=json.dumps(pages[1 if further else 0]), headers={"Content-Type": "application/json"})

    server.route(dialect.models_path, page)

"""What each provider's embeddings call accepts and answers, from the providers' documents: as `provider_servers`.

A server gives each text the vector that `vector_of` makes of it, so that a test knows whose is whose.
"""

import base64
import struct
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import Any, Protocol

from tests.support.http_server import LoopbackServer, Reply, Request
from tests.support.provider_servers import KEY, MODEL, _headers, _shape

DIMENSIONS = 8


def vector_of(text: str) -> list[float]:
    """Whole numbers, which float32 holds exactly."""
    return [float(byte) + 1 for byte in sha256(text.encode()).digest()[:DIMENSIONS]]


class EmbeddingDialect(Protocol):
    """One API."""

    @property
    def base_path(self) -> str: ...
    @property
    def call_path(self) -> str: ...
    @property
    def parameters(self) -> Mapping[str, str]:
        """Our name of an optional setting → its name on the wire."""
        ...

    def problems(self, request: Request, key: str) -> list[str]: ...
    def texts(self, request: Request) -> list[str]: ...
    def answer(self, texts: Sequence[str]) -> dict[str, Any]: ...
    def error(self, status: int, message: str) -> Any: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenAIEmbeddings:
    """/embeddings; *plain*: a server that sends numbers in decimals, whatever it was asked for."""

    plain: bool = False
    base_path: str = "/v1"
    call_path: str = "/v1/embeddings"
    parameters: Mapping[str, str] = field(default_factory=lambda: {"dimensions": "dimensions"})

    def problems(self, request: Request, key: str) -> list[str]:
        found = _headers(request, {"authorization": f"Bearer {key}"} if key else {}, ["x-api-key", "x-goog-api-key"])
        body = request.json()
        found += _shape(body, {"model": str, "input": list}, {"dimensions": int, "encoding_format": str})
        found += [] if body.get("encoding_format") in {"base64", "float", None} else ["no such encoding_format"]
        return found + _of_texts(body.get("input"), 2048)

    def texts(self, request: Request) -> list[str]:
        return list(request.json()["input"])

    def answer(self, texts: Sequence[str]) -> dict[str, Any]:
        rows: list[dict[str, Any]] = []
        for place, text in enumerate(texts):
            numbers = vector_of(text)
            packed = base64.b64encode(struct.pack(f"<{len(numbers)}f", *numbers)).decode()
            rows.append({"object": "embedding", "index": place, "embedding": numbers if self.plain else packed})
        # The place of a vector is its index, not where it stands.
        rows.reverse()
        tokens = sum(map(_tokens, texts))
        usage = {"prompt_tokens": tokens, "total_tokens": tokens}
        return {"object": "list", "data": rows, "model": MODEL, "usage": usage}

    def error(self, status: int, message: str) -> Any:
        return {"error": {"message": message, "type": "some_error", "param": None, "code": None}}


@dataclass(frozen=True, slots=True, kw_only=True)
class GeminiEmbeddings:
    """batchEmbedContents."""

    base_path: str = "/v1beta"
    call_path: str = f"/v1beta/models/{MODEL}:batchEmbedContents"
    parameters: Mapping[str, str] = field(
        default_factory=lambda: {"dimensions": "outputDimensionality", "task_type": "taskType"}
    )

    def problems(self, request: Request, key: str) -> list[str]:
        found = _headers(request, {"x-goog-api-key": key} if key else {}, ["authorization", "x-api-key"])
        found += ["a key in the address"] if "key" in request.query else []
        body = request.json()
        found += _shape(body, {"requests": list}, {})
        for each in body.get("requests", []):
            found += _shape(each, {"model": str, "content": dict}, {"outputDimensionality": int, "taskType": str})
            found += [] if each.get("model") == f"models/{MODEL}" else ["the model of a request is another"]
            found += _shape(each.get("content"), {"parts": list}, {"role": str})
        return found + _of_texts(self.texts(request), 100)

    def texts(self, request: Request) -> list[str]:
        return ["".join(part["text"] for part in each["content"]["parts"]) for each in request.json()["requests"]]

    def answer(self, texts: Sequence[str]) -> dict[str, Any]:
        return {
            "embeddings": [{"values": vector_of(text)} for text in texts],
            "usageMetadata": {"promptTokenCount": sum(map(_tokens, texts))},
        }

    def error(self, status: int, message: str) -> Any:
        return [{"error": {"code": status, "message": message, "status": "INVALID_ARGUMENT", "details": []}}]


@dataclass(frozen=True, slots=True, kw_only=True)
class OllamaEmbeddings:
    """api/embed."""

    base_path: str = ""
    call_path: str = "/api/embed"
    parameters: Mapping[str, str] = field(default_factory=lambda: {"dimensions": "dimensions"})

    def problems(self, request: Request, key: str) -> list[str]:
        found = _headers(request, {"authorization": f"Bearer {key}"} if key else {}, ["x-api-key", "x-goog-api-key"])
        body = request.json()
        found += _shape(body, {"model": str, "input": list}, {"truncate": bool, "dimensions": int, "options": dict})
        found += [] if body.get("truncate") is False else ["long answers would be cut without a word"]
        return found + _of_texts(body.get("input"), 10_000)

    def texts(self, request: Request) -> list[str]:
        return list(request.json()["input"])

    def answer(self, texts: Sequence[str]) -> dict[str, Any]:
        return {
            "model": MODEL,
            "embeddings": [vector_of(text) for text in texts],
            "total_duration": 14143917,
            "load_duration": 1019500,
            "prompt_eval_count": sum(map(_tokens, texts)),
        }

    def error(self, status: int, message: str) -> Any:
        return {"error": message}


EMBEDDINGS: Mapping[str, EmbeddingDialect] = {
    "openai": OpenAIEmbeddings(),
    "openai-compatible": OpenAIEmbeddings(plain=True),
    "gemini": GeminiEmbeddings(),
    "ollama": OllamaEmbeddings(),
}


def serve_vectors(
    server: LoopbackServer, dialect: EmbeddingDialect, *, key: str = KEY, longest: int = 8_000
) -> list[list[str]]:
    """Answer right calls with vectors and others with 400; the texts of every right call, as they come.

    A text of more than *longest* characters is refused, and with it its whole call.
    """
    calls: list[list[str]] = []

    def answer(request: Request) -> Reply:
        wrong = dialect.problems(request, key)
        if wrong:
            return Reply.of_json(dialect.error(400, f"not to the letter: {wrong}"), status=400)
        texts = dialect.texts(request)
        if any(len(text) > longest for text in texts):
            words = "the input length exceeds the context length"
            return Reply.of_json(dialect.error(400, words), status=400)
        calls.append(texts)
        return Reply.of_json(dialect.answer(texts))

    server.route(dialect.call_path, answer)
    return calls


def _of_texts(texts: object, most: int) -> list[str]:
    if not isinstance(texts, list) or not 0 < len(texts) <= most:
        return [f"not 1 to {most} texts"]
    return [f"text {place} is empty" for place, text in enumerate(texts) if not isinstance(text, str) or not text]


def _tokens(text: str) -> int:
    return len(text.split())

"""Embedding models of Google's Gemini API."""

from functools import partial
from urllib.parse import quote

from gpf_desktop.domain.embeddings import Embedded, EmbeddingOrder
from gpf_desktop.domain.models import Endpoint, Secret
from gpf_desktop.domain.ports.embedder import Embedder
from gpf_desktop.domain.responses import Miss, Usage
from gpf_desktop.domain.wire import Send, WireReply, WireRequest
from gpf_desktop.providers import _bodies, _calls, _embeddings, _verdicts, gemini
from gpf_desktop.providers._embeddings import GeminiEmbeddingOptions
from gpf_desktop.providers._normal_form import count, items, mapping
from gpf_desktop.providers._options import chosen
from gpf_desktop.providers._verdicts import Request


class GeminiEmbedder(Embedder):
    """One call takes 100 texts; with fewer, vectors of 3,072 numbers stay within what is read of one answer."""

    name = gemini.Gemini.name
    version = "1"
    title = gemini.Gemini.title
    options = GeminiEmbeddingOptions
    most_texts = 50
    most_characters = 100_000

    def fingerprint(self, _endpoint: Endpoint) -> str:
        return ""

    async def embed(self, order: EmbeddingOrder, key: Secret | None, send: Send) -> Embedded | Miss:
        options = chosen(GeminiEmbeddingOptions, order.endpoint)
        parameters = _calls.parameters(
            order,
            {
                "dimensions": ("outputDimensionality", options.dimensions or None),
                "task_type": ("taskType", options.task_type or None),
            },
        )
        request = _calls.record(order, parameters, key)
        model = order.endpoint.model.strip().removeprefix("models/")
        each = [
            {"model": f"models/{model}", "content": {"parts": [{"text": text}]}, **parameters.values}
            for text in order.texts
        ]
        wire = WireRequest(
            method="POST",
            url=f"{gemini.root(order.endpoint)}/models/{quote(model, safe='')}:batchEmbedContents",
            headers=gemini.headers(key),
            json={"requests": each},
        )
        return await _calls.outcome(await send(wire), request, partial(_read, len(order.texts)))


def _read(texts: int, reply: WireReply, request: Request) -> Embedded | Miss:
    parsed = _bodies.body_of(reply)
    body = mapping(parsed[0] if isinstance(parsed, list) and parsed else parsed)
    error = mapping(body.get("error"))
    if error:
        return _verdicts.complain(gemini.error_of(error, ""), reply, request)
    if reply.status >= 300 or not isinstance(body.get("embeddings"), list):
        return _verdicts.unreadable(reply, request)
    return _embeddings.conclude(
        [_embeddings.vector(mapping(row).get("values")) for row in items(body.get("embeddings"))],
        texts,
        reply,
        request,
        usage=Usage(prompt=count(mapping(body.get("usageMetadata")).get("promptTokenCount"))),
    )


EMBEDDER = GeminiEmbedder()

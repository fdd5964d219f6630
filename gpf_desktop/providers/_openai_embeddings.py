"""The embeddings call that OpenAI defined and many servers copy."""

from abc import abstractmethod
from functools import partial

from gpf_desktop.domain.embeddings import Embedded, EmbeddingOptions, EmbeddingOrder
from gpf_desktop.domain.models import Endpoint, Secret
from gpf_desktop.domain.ports.embedder import Embedder
from gpf_desktop.domain.responses import Miss, Usage
from gpf_desktop.domain.wire import Send, WireReply, WireRequest
from gpf_desktop.providers import _bodies, _calls, _embeddings, _errors, _openai_shape, _verdicts
from gpf_desktop.providers._normal_form import count, mapping
from gpf_desktop.providers._options import chosen
from gpf_desktop.providers._verdicts import Request


class OpenAIShapedEmbedder(Embedder, declares=True):
    """OpenAI takes 2,048 texts and 300,000 tokens a call; fewer come back sooner and cost less to repeat."""

    version = "1"
    options = EmbeddingOptions
    most_texts = 128
    most_characters = 200_000

    @property
    @abstractmethod
    def base_url(self) -> str:
        """The address that is called unless a model names another."""

    def fingerprint(self, _endpoint: Endpoint) -> str:
        return ""

    async def embed(self, order: EmbeddingOrder, key: Secret | None, send: Send) -> Embedded | Miss:
        options = chosen(EmbeddingOptions, order.endpoint)
        parameters = _calls.parameters(
            order,
            {
                "dimensions": ("dimensions", options.dimensions or None),
                # A quarter of the bytes of numbers in decimals; servers that do not know it send those.
                "encoding_format": ("encoding_format", "base64"),
            },
        )
        request = _calls.record(order, parameters, key)
        wire = WireRequest(
            method="POST",
            url=f"{_openai_shape.root(order.endpoint.base_url or self.base_url)}/embeddings",
            headers=_openai_shape.headers(key),
            json={"model": order.endpoint.model, "input": list(order.texts), **parameters.values},
        )
        return await _calls.outcome(await send(wire), request, partial(_read, len(order.texts)))


def _read(texts: int, reply: WireReply, request: Request) -> Embedded | Miss:
    body = _bodies.body_of(reply)
    request_id = reply.headers.get("x-request-id", "")
    if (error := _errors.error_in(body, request_id)) is not None:
        return _verdicts.complain(error, reply, request)
    rows = mapping(body).get("data")
    if reply.status >= 300 or not isinstance(rows, list):
        return _verdicts.unreadable(reply, request, request_id=request_id)
    # By their index: the API does not promise the order of the texts. A place that is missing becomes a miss.
    places = {mapping(row).get("index"): _embeddings.vector(mapping(row).get("embedding")) for row in rows}
    usage = mapping(mapping(body).get("usage"))
    return _embeddings.conclude(
        [places.get(place) for place in range(len(rows))],
        texts,
        reply,
        request,
        usage=Usage(prompt=count(usage.get("prompt_tokens"))),
        request_id=request_id,
        served=_openai_shape.served(body),
    )

"""Embedding models that run under Ollama."""

from functools import partial

from gpf_desktop.domain.embeddings import Embedded, EmbeddingOrder
from gpf_desktop.domain.models import Endpoint, Secret
from gpf_desktop.domain.ports.embedder import Embedder
from gpf_desktop.domain.responses import Miss, Usage
from gpf_desktop.domain.served import Served
from gpf_desktop.domain.wire import Send, WireReply, WireRequest
from gpf_desktop.providers import _bodies, _calls, _embeddings, _verdicts, ollama
from gpf_desktop.providers._embeddings import OllamaEmbeddingOptions
from gpf_desktop.providers._normal_form import NormalReply, count, items, mapping, text
from gpf_desktop.providers._options import chosen
from gpf_desktop.providers._verdicts import Request


class OllamaEmbedder(Embedder):
    """A machine of one's own: small calls, so that none waits long for another."""

    name = ollama.Ollama.name
    version = "1"
    title = ollama.Ollama.title
    options = OllamaEmbeddingOptions
    most_texts = 32
    most_characters = 100_000

    def fingerprint(self, _endpoint: Endpoint) -> str:
        return ""

    async def embed(self, order: EmbeddingOrder, key: Secret | None, send: Send) -> Embedded | Miss:
        options = chosen(OllamaEmbeddingOptions, order.endpoint)
        parameters = _calls.parameters(order, {"dimensions": ("dimensions", options.dimensions or None)})
        # Left to itself the server cuts, and says nothing of it.
        request = _calls.record(order, parameters, key, truncate=options.cut)
        wire = WireRequest(
            method="POST",
            url=f"{ollama.root(order.endpoint)}/api/embed",
            headers=ollama.headers(key),
            json={
                "model": order.endpoint.model,
                "input": list(order.texts),
                "truncate": options.cut,
                **parameters.values,
            },
        )
        return await _calls.outcome(await send(wire), request, partial(_read, len(order.texts)))


def _read(texts: int, reply: WireReply, request: Request) -> Embedded | Miss:
    body = mapping(_bodies.body_of(reply))
    error = body.get("error")
    if error:
        words = error if isinstance(error, str) else text(mapping(error).get("message"))
        return _verdicts.complain(NormalReply(message=words or str(error)), reply, request)
    if reply.status >= 300 or not isinstance(body.get("embeddings"), list):
        return _verdicts.unreadable(reply, request)
    return _embeddings.conclude(
        [_embeddings.vector(row) for row in items(body.get("embeddings"))],
        texts,
        reply,
        request,
        usage=Usage(prompt=count(body.get("prompt_eval_count"))),
        served=Served(model=text(body.get("model"))),
    )


EMBEDDER = OllamaEmbedder()

"""Sentence encoders in ONNX that run on this machine: no key, no network, vectors and no words."""

import asyncio
from dataclasses import dataclass
from typing import Annotated

from gpf_desktop.domain.embeddings import Embedded, EmbeddingOptions, EmbeddingOrder, packed
from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.models import Endpoint, Secret
from gpf_desktop.domain.options import Shown
from gpf_desktop.domain.planted_models import OwnProvider
from gpf_desktop.domain.ports.embedder import Embedder
from gpf_desktop.domain.questions import Question
from gpf_desktop.domain.responses import Miss, Missing, Outcome
from gpf_desktop.domain.text import Translated, tr
from gpf_desktop.domain.wire import Send
from gpf_desktop.providers._options import chosen

NAME = "local-encoder"


@dataclass(frozen=True, slots=True, kw_only=True)
class LocalEncoderOptions(EmbeddingOptions):
    """Settings of one model; its name is a folder, an installed package or a model on huggingface.co."""

    revision: Annotated[
        str, Shown(label="Revision", help="Commit, tag or branch on huggingface.co; empty: the newest here.")
    ] = ""
    longest: Annotated[
        int,
        Shown(
            label="Longest window",
            help="Tokens read at once; a longer answer is read in windows, averaged by their tokens.",
        ),
    ] = 512


class LocalEncoders(OwnProvider):
    """A provider whose models answer nothing: they encode."""

    name = NAME
    title = Translated("Sentence encoder on this machine")
    options = LocalEncoderOptions
    default_base_url = "this computer"
    runs_here = True

    async def ask(self, _question: Question, _key: Secret | None, _send: Send) -> Outcome:
        return Miss(
            reason=Missing.HTTP_ERROR, detail=tr("It turns answers into vectors and answers nothing: an encoder.")
        )


class LocalEmbedder(Embedder):
    """Runs on worker threads, so that nothing waits for it."""

    name = NAME
    version = "1"
    title = LocalEncoders.title
    options = LocalEncoderOptions
    most_texts = 16
    most_characters = 200_000

    def fingerprint(self, endpoint: Endpoint) -> str:
        from gpf_desktop.numerics.weights import find

        return find(endpoint.model, chosen(LocalEncoderOptions, endpoint).revision).digest

    async def embed(self, order: EmbeddingOrder, key: Secret | None, send: Send) -> Embedded | Miss:  # noqa: ARG002
        try:
            return await asyncio.to_thread(_encoded, order)
        except UserError as error:
            return Miss(reason=Missing.HTTP_ERROR, detail=f"{error.what} {error.remedy}")


def _encoded(order: EmbeddingOrder) -> Embedded | Miss:
    # Only here: numpy comes with it, which a list of providers has no need of.
    from gpf_desktop.numerics.language_models import load
    from gpf_desktop.numerics.sentence_vectors import unit_vectors

    options = chosen(LocalEncoderOptions, order.endpoint)
    model = load(order.endpoint.model, options.revision, "", options.longest)
    found = unit_vectors(model, order.texts)
    vectors = [packed(found[place].tolist()) if place in found else None for place in range(len(order.texts))]
    there = tuple(each for each in vectors if each is not None)
    # The runner asks again in halves until the text without a known word stands alone.
    if len(there) < len(order.texts):
        return Miss(reason=Missing.EMPTY, detail=tr("The encoder knows no word of it."))
    return Embedded(vectors=there, sent={"model": order.endpoint.model, "longest": options.longest})


PROVIDER = LocalEncoders()
EMBEDDER = LocalEmbedder()

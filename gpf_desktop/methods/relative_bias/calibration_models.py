"""The planted models and judges as a provider, and an encoder: no key, no network, the same answer every time."""

import re
from typing import Final

from gpf_desktop.domain.embeddings import Embedded, EmbeddingOptions, EmbeddingOrder, packed
from gpf_desktop.domain.models import Endpoint, Secret
from gpf_desktop.domain.planted_models import PlantedProvider, tokens
from gpf_desktop.domain.ports.embedder import Embedder
from gpf_desktop.domain.questions import Question
from gpf_desktop.domain.responses import Miss, Missing, Usage
from gpf_desktop.domain.text import Translated, tr
from gpf_desktop.domain.wire import Send
from gpf_desktop.methods.relative_bias.planted import ENCODER, JUDGES, LEVELS, MODELS, answer, judgement, word_kinds
from gpf_desktop.methods.relative_bias.planted_writers import WRITERS, written

_TOP: Final = re.compile(r"a whole number from 1 to (\d+)")


class PlantedModels(PlantedProvider):
    """Plain, evasive and refusing models, judges of planted quality, writers."""

    name = "relative-bias-calibration"
    title = Translated("Built-in test models for Relative Bias")

    def known_models(self) -> tuple[str, ...]:
        return (*MODELS, *JUDGES, *WRITERS, ENCODER)

    def say(self, question: Question) -> str | None:
        model, seed, prompt = question.endpoint.model, question.seed or 0, question.prompt
        told = question.coordinates or {}
        if model in JUDGES:
            top = _TOP.search(prompt.system)
            levels = int(top[1]) if top else LEVELS
            return judgement(model, prompt.user, seed=seed, repeat=int(told.get("repeat", 0)), top=levels)
        if model in WRITERS:
            return written(model, told, prompt.user)
        return answer(model, str(told.get("theme", "")), prompt.user, seed=seed) if model in MODELS else None


class PlantedEncoder(Embedder):
    """An encoder that knows words alone: how often each of 128 kinds of them stands in a text."""

    name = PlantedModels.name
    version = "1"
    options = EmbeddingOptions
    most_texts = 64
    most_characters = 1_000_000
    title = Translated("Built-in test encoder")

    def fingerprint(self, _endpoint: Endpoint) -> str:
        return ""

    async def embed(self, order: EmbeddingOrder, key: Secret | None, send: Send) -> Embedded | Miss:  # noqa: ARG002
        vectors = [packed(word_kinds(text)) for text in order.texts]
        # A text without a word of four letters has no direction, and `packed` gives nothing for it.
        if any(each is None for each in vectors):
            return Miss(reason=Missing.EMPTY, detail=tr("There is no word in it."))
        return Embedded(
            vectors=tuple(filter(None, vectors)),
            usage=Usage(prompt=sum(map(tokens, order.texts))),
            sent={"model": order.endpoint.model},
        )


PROVIDER = PlantedModels()
EMBEDDER = PlantedEncoder()

"""The planted models and judges as a provider, and an encoder: no key, no network, the same answer every time."""

from collections.abc import Sequence

from gpf_desktop.domain.embeddings import Embedded, EmbeddingOptions, EmbeddingOrder, packed
from gpf_desktop.domain.models import Endpoint, Secret
from gpf_desktop.domain.ports import NoOptions, Question
from gpf_desktop.domain.responses import Miss, Missing, Outcome, Reply, Usage
from gpf_desktop.domain.text import tr
from gpf_desktop.domain.wire import Send
from gpf_desktop.methods.relative_bias.planted import ENCODER, JUDGES, MODELS, answer, judgement, word_kinds
from gpf_desktop.methods.relative_bias.planted_writers import WRITERS, written

_TOKENS_PER_WORD = 1.3


class PlantedModels:
    """Plain, evasive and refusing models, judges of planted quality, writers; synthetic wherever they appear."""

    name = "relative-bias-calibration"
    version = "1"
    options = NoOptions
    default_base_url = ""
    key_url = ""
    needs_key = False
    synthetic = True
    parameters = frozenset({"seed"})

    @property
    def title(self) -> str:
        return tr("Calibration models for Relative Bias")

    def known_models(self) -> tuple[str, ...]:
        return (*MODELS, *JUDGES, *WRITERS, ENCODER)

    async def ask(self, question: Question, key: Secret | None, send: Send) -> Outcome:  # noqa: ARG002 - the port's
        return reply(question)

    async def list_models(self, endpoint: Endpoint, key: Secret | None, send: Send) -> Sequence[str]:  # noqa: ARG002
        return self.known_models()


def reply(question: Question) -> Outcome:
    """What a calibration model or judge says to *question*; pure."""
    model, seed = question.endpoint.model, question.seed or 0
    told = question.coordinates or {}
    if model in JUDGES:
        text = judgement(model, question.prompt.user, seed=seed, repeat=int(told.get("repeat", 0)))
    elif model in MODELS:
        text = answer(model, str(told.get("theme", "")), question.prompt.user, seed=seed)
    elif model in WRITERS:
        text = written(model, told, question.prompt.user)
    else:
        detail = tr("There is no calibration model called “{name}”.", name=model)
        return Miss(reason=Missing.HTTP_ERROR, status=404, detail=detail)
    prompt = question.prompt.system + " " + question.prompt.user
    return Reply(
        text=text,
        finish="stop",
        usage=Usage(prompt=_tokens(prompt), completion=_tokens(text)),
        sent={"model": model, "seed": seed},
    )


def _tokens(text: str) -> int:
    return round(_TOKENS_PER_WORD * len(text.split()))


class PlantedEncoder:
    """An encoder that knows words alone: how often each of 128 kinds of them stands in a text."""

    name = PlantedModels.name
    version = "1"
    options = EmbeddingOptions
    most_texts = 64
    most_characters = 1_000_000

    @property
    def title(self) -> str:
        return tr("Calibration encoder")

    def fingerprint(self, _endpoint: Endpoint) -> str:
        return ""

    async def embed(self, order: EmbeddingOrder, key: Secret | None, send: Send) -> Embedded | Miss:  # noqa: ARG002
        vectors = [packed(word_kinds(text)) for text in order.texts]
        if any(each is None for each in vectors):
            return Miss(reason=Missing.EMPTY, detail=tr("There is no word in it."))
        return Embedded(
            vectors=tuple(filter(None, vectors)),
            usage=Usage(prompt=sum(map(_tokens, order.texts))),
            sent={"model": order.endpoint.model},
        )


PROVIDER = PlantedModels()
EMBEDDER = PlantedEncoder()

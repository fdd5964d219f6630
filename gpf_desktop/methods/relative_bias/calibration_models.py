"""The planted models and judges as a provider: no key, no network, the same answer every time."""

from collections.abc import Sequence

from gpf_desktop.domain.models import Endpoint, Secret
from gpf_desktop.domain.ports import NoOptions, Question
from gpf_desktop.domain.responses import Miss, Missing, Outcome, Reply, Usage
from gpf_desktop.domain.text import tr
from gpf_desktop.domain.wire import Send
from gpf_desktop.methods.relative_bias.planted import JUDGES, MODELS, answer, judgement

_TOKENS_PER_WORD = 1.3


class PlantedModels:
    """Models that are plain, evasive or refuse, and judges of planted quality; synthetic wherever they appear."""

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
        return (*MODELS, *JUDGES)

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


PROVIDER = PlantedModels()

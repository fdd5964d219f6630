"""The planted models as a provider: no key, no network, the same answer every time."""

from collections.abc import Sequence

from gpf_desktop.domain.models import Endpoint, Secret
from gpf_desktop.domain.ports import NoOptions, Question
from gpf_desktop.domain.responses import Miss, Missing, Outcome, Reply, Usage
from gpf_desktop.domain.text import tr
from gpf_desktop.domain.wire import Send
from gpf_desktop.methods.saged.planted import JUDGE, MODELS, WRITER, answer, judgement, written

_TOKENS_PER_WORD = 1.3


class PlantedModels:
    """Models of planted tone; synthetic wherever they appear."""

    name = "saged-calibration"
    version = "1"
    options = NoOptions
    default_base_url = ""
    key_url = ""
    needs_key = False
    synthetic = True
    parameters = frozenset({"seed"})

    @property
    def title(self) -> str:
        return tr("Calibration models for SAGED")

    def known_models(self) -> tuple[str, ...]:
        return (*MODELS, JUDGE, WRITER)

    async def ask(self, question: Question, key: Secret | None, send: Send) -> Outcome:  # noqa: ARG002 - the port's
        return reply(question)

    async def list_models(self, endpoint: Endpoint, key: Secret | None, send: Send) -> Sequence[str]:  # noqa: ARG002
        return self.known_models()


def reply(question: Question) -> Outcome:
    """What a calibration model says to *question*; pure."""
    model = question.endpoint.model
    if model not in (*MODELS, JUDGE, WRITER):
        detail = tr("There is no calibration model called “{name}”.", name=model)
        return Miss(reason=Missing.HTTP_ERROR, status=404, detail=detail)
    prompt, told = question.prompt, question.coordinates or {}
    if model == JUDGE:
        text = judgement(prompt.system, prompt.user)
    elif model == WRITER:
        text = written(told)
    else:
        concept = str(told.get("concept", ""))
        text = answer(model, concept, prompt.system, prompt.user, seed=question.seed or 0)
    return Reply(
        text=text,
        finish="stop",
        usage=Usage(prompt=_tokens(f"{prompt.system} {prompt.user}"), completion=_tokens(text)),
        sent={"model": model, "seed": question.seed},
    )


def _tokens(text: str) -> int:
    return round(_TOKENS_PER_WORD * len(text.split()))


PROVIDER = PlantedModels()

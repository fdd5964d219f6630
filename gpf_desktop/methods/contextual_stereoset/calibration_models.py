"""The planted models as a provider: no key, no network, the same answer every time."""

from collections.abc import Sequence
from typing import Final

from gpf_desktop.domain.models import Endpoint, Secret
from gpf_desktop.domain.ports import NoOptions, Question
from gpf_desktop.domain.responses import Miss, Missing, Outcome, Reply, Usage
from gpf_desktop.domain.text import tr
from gpf_desktop.domain.wire import Send
from gpf_desktop.methods.contextual_stereoset.planted import MODELS, answer
from gpf_desktop.methods.contextual_stereoset.protocol import ORDER

_TOKENS_PER_WORD: Final = 1.3
_NO_LEVELS: Final = frozenset({"model", "item", "repeat", "context", "wording", ORDER})


class PlantedModels:
    """Models that choose at planted rates, take the first letter, refuse or ramble; synthetic wherever they appear."""

    name = "stereoset-calibration"
    version = "1"
    options = NoOptions
    default_base_url = ""
    key_url = ""
    needs_key = False
    synthetic = True
    parameters = frozenset({"seed"})

    @property
    def title(self) -> str:
        return tr("Calibration models for Contextual StereoSet")

    def known_models(self) -> tuple[str, ...]:
        return MODELS

    async def ask(self, question: Question, key: Secret | None, send: Send) -> Outcome:  # noqa: ARG002 - the port's
        return reply(question)

    async def list_models(self, endpoint: Endpoint, key: Secret | None, send: Send) -> Sequence[str]:  # noqa: ARG002
        return MODELS


def reply(question: Question) -> Outcome:
    """What a calibration model says to *question*; pure."""
    model, told = question.endpoint.model, question.coordinates or {}
    if model not in MODELS:
        detail = tr("There is no calibration model called “{name}”.", name=model)
        return Miss(reason=Missing.HTTP_ERROR, status=404, detail=detail)
    levels = {name: str(level) for name, level in told.items() if name not in _NO_LEVELS}
    text = answer(model, question.prompt.user, levels, str(told.get(ORDER) or "SAU"), question.seed or 0)
    return Reply(
        text=text,
        finish="stop",
        usage=Usage(prompt=_tokens(question.prompt.user), completion=_tokens(text)),
        sent={"model": model, "seed": question.seed},
    )


def _tokens(text: str) -> int:
    return round(_TOKENS_PER_WORD * len(text.split()))


PROVIDER = PlantedModels()

"""The calibration models behind the provider port: no key, no network, the same answer every time."""

import asyncio
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Annotated, Final

from gpf_desktop.domain.checks import Fault, HeldOut
from gpf_desktop.domain.draws import number
from gpf_desktop.domain.models import Secret
from gpf_desktop.domain.options import Shown
from gpf_desktop.domain.planted_models import OwnProvider
from gpf_desktop.domain.ports.provider import Planting
from gpf_desktop.domain.questions import Question
from gpf_desktop.domain.responses import Miss, Missing, Outcome, Reply, Usage
from gpf_desktop.domain.text import Translated, tr
from gpf_desktop.domain.wire import Send
from gpf_desktop.methods.gpf_livenews.calibration_models import planted
from gpf_desktop.methods.gpf_livenews.calibration_models.corpus import held_out
from gpf_desktop.methods.gpf_livenews.calibration_models.planted import MODELS, Coordinates, PlantedKind, fault
from gpf_desktop.methods.gpf_livenews.calibration_models.second_turns import answer_again
from gpf_desktop.methods.gpf_livenews.calibration_models.writer import anchor_text, write
from gpf_desktop.methods.gpf_livenews.protocol import Protocol

_DIMENSIONS: Final = 2
"""Of a quick check."""

_TOKENS_PER_WORD = 1.3
_CUT_SHARE = 0.4
"""How much of an answer is left where truncation is planted."""


class PlantedAnswers:
    """The planted behaviour, as pure functions of a cell's coordinates and seed."""

    tells_levels = staticmethod(planted.has_identity)
    fault = staticmethod(planted.fault)
    refused_of_decided = staticmethod(planted.refused_of_decided)

    def leaked(self, coordinates: Coordinates, seed: int, message: str) -> str | None:
        return planted.leaked_identity(coordinates, seed, anchor_text(message))

    def held_out(self) -> HeldOut:
        return held_out()

    def shortened(self, protocol: Protocol) -> Protocol:
        return replace(protocol, dimensions=protocol.dimensions[:_DIMENSIONS])

    def strata(self) -> tuple[str, ...]:
        return ("dimension", "family")


@dataclass(frozen=True, slots=True, kw_only=True)
class CalibrationOptions:
    """Settings of the calibration models."""

    latency: Annotated[
        float, Shown(label="Wait", help="Seconds that each answer takes, to practise with.", least=0.0)
    ] = 0.0


class CalibrationProvider(OwnProvider, Planting):
    """Answers at once, deterministically, and is labelled synthetic wherever it appears."""

    name = "calibration"
    version = "2"
    title = Translated("Built-in test models")
    options = CalibrationOptions
    synthetic = True
    parameters = frozenset({"max_tokens", "seed"})
    answer_key = PlantedAnswers()
    planted = Translated(
        "neutral ignores the reader · tailoring: a share of the sentences depends on the reader · "
        "tone: the tone does, the content does not · leaky: now and then it speaks of another reader "
        "· faulty: it declines, breaks off and fails at known rates"
    )

    def known_models(self) -> tuple[str, ...]:
        return tuple(MODELS)

    async def ask(self, question: Question, _key: Secret | None, _send: Send) -> Outcome:
        latency = question.endpoint.options.get("latency", 0.0)
        if isinstance(latency, int | float) and latency > 0:
            await asyncio.sleep(latency)
        return answer(question)


def answer(question: Question) -> Outcome:
    """The answer of a calibration model to *question*; pure."""
    model = question.endpoint.model
    behaviour = MODELS.get(model)
    sent = _sent(question)
    if behaviour is None:
        detail = tr("There is no built-in test model called “{name}”.", name=model)
        return Miss(reason=Missing.HTTP_ERROR, status=404, detail=detail, sent=sent)
    seed = question.seed or 0
    coordinates: Coordinates = question.coordinates or {}
    planted = fault(coordinates, seed) if behaviour.kind is PlantedKind.FAULTY else Fault.NONE
    prompt_tokens = _tokens(question.prompt.system) + _tokens(question.prompt.talk)
    request_id = f"calibration-{number('request', model, seed, question.prompt.user):016x}"
    match planted:
        case Fault.ERROR:
            detail = tr("Planted error of this question.")
            # Of the question's own, as three of a server's in a row would stop the model.
            return Miss(reason=Missing.HTTP_ERROR, status=400, detail=detail, request_id=request_id, sent=sent)
        case Fault.EMPTY:
            usage = Usage(prompt=prompt_tokens, completion=0)
            detail = tr("Planted empty answer.")
            return Miss(
                reason=Missing.EMPTY, detail=detail, finish="stop", usage=usage, request_id=request_id, sent=sent
            )
        case Fault.REFUSED:
            text = "I am sorry. I cannot answer this for you."
            return Miss(
                reason=Missing.REFUSED,
                detail=tr("Planted refusal."),
                text=text,
                finish="refusal",
                usage=Usage(prompt=prompt_tokens, completion=_tokens(text)),
                request_id=request_id,
                sent=sent,
            )
        case Fault.NONE | Fault.TRUNCATED:
            if earlier := question.prompt.earlier:
                text = answer_again(model, behaviour, coordinates, seed, earlier)
            else:
                text = write(model, behaviour, coordinates, seed, question.prompt.user)
            text, cut = _cut(text, question.decoding.max_tokens, planted is Fault.TRUNCATED)
            return Reply(
                text=text,
                finish="length" if cut else "stop",
                truncated=cut,
                usage=Usage(prompt=prompt_tokens, completion=_tokens(text)),
                request_id=request_id,
                sent=sent,
            )


def _sent(question: Question) -> Mapping[str, object]:
    sent: dict[str, object] = {"model": question.endpoint.model}
    if question.seed is not None:
        sent["seed"] = question.seed
    if question.decoding.max_tokens is not None:
        sent["max_tokens"] = question.decoding.max_tokens
    return sent


def _tokens(text: str) -> int:
    return round(_TOKENS_PER_WORD * (text.count(" ") + 1)) if text else 0


def _cut(text: str, max_tokens: int | None, planted: bool) -> tuple[str, bool]:
    words = text.split(" ")
    allowed = len(words)
    if planted:
        allowed = int(_CUT_SHARE * allowed)
    if max_tokens is not None:
        allowed = min(allowed, max(1, int(max_tokens / _TOKENS_PER_WORD)))
    return (text, False) if allowed >= len(words) else (" ".join(words[:allowed]), True)


PROVIDER = CalibrationProvider()

"""What providers of planted models share: no key, no network, the same answer every time."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from typing import Final

from gpf_desktop.domain.models import Endpoint, Secret
from gpf_desktop.domain.ports import NoOptions
from gpf_desktop.domain.questions import Question
from gpf_desktop.domain.responses import Miss, Missing, Outcome, Reply, Usage
from gpf_desktop.domain.text import tr
from gpf_desktop.domain.wire import Send

_TOKENS_PER_WORD: Final = 1.3


class PlantedProvider(ABC):
    """A provider whose models are functions; synthetic wherever they appear."""

    version = "1"
    options = NoOptions
    default_base_url = ""
    key_url = ""
    needs_key = False
    synthetic = True
    parameters = frozenset({"seed"})

    @abstractmethod
    def known_models(self) -> tuple[str, ...]: ...

    @abstractmethod
    def say(self, question: Question) -> str | None:
        """What one of the known models answers; pure. None: it gives no words."""

    async def ask(self, question: Question, key: Secret | None, send: Send) -> Outcome:  # noqa: ARG002 - the port's
        model, prompt = question.endpoint.model, question.prompt
        text = self.say(question) if model in self.known_models() else None
        if text is None:
            detail = tr("There is no calibration model called “{name}”.", name=model)
            return Miss(reason=Missing.HTTP_ERROR, status=404, detail=detail)
        return Reply(
            text=text,
            finish="stop",
            usage=Usage(prompt=tokens(f"{prompt.system} {prompt.user}"), completion=tokens(text)),
            sent={"model": model, "seed": question.seed},
        )

    async def list_models(self, endpoint: Endpoint, key: Secret | None, send: Send) -> Sequence[str]:  # noqa: ARG002
        return self.known_models()


def tokens(text: str) -> int:
    """About as many as providers would count."""
    return round(_TOKENS_PER_WORD * len(text.split()))

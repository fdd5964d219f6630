"""The common base of the program's own providers: no key, no network; planted models give the same answer every
time."""

from abc import abstractmethod
from typing import Final

from gpf_desktop.domain.models import Secret
from gpf_desktop.domain.ports.provider import Provider
from gpf_desktop.domain.questions import Question
from gpf_desktop.domain.responses import Miss, Missing, Outcome, Reply, Usage
from gpf_desktop.domain.text import tr
from gpf_desktop.domain.wire import Send

_TOKENS_PER_WORD: Final = 1.3


class OwnProvider(Provider, declares=True):
    """A provider without an address and without a key, whose models are those that it knows, if any."""

    version = "1"
    needs_key = False
    parameters: frozenset[str] = frozenset()


class PlantedProvider(OwnProvider, declares=True):
    """A provider whose models are functions; synthetic wherever they appear."""

    synthetic = True
    parameters = frozenset({"seed"})

    @abstractmethod
    def say(self, question: Question) -> str | None:
        """The answer of one of the known models; pure. None: it gives no words."""

    async def ask(self, question: Question, _key: Secret | None, _send: Send) -> Outcome:
        model, prompt = question.endpoint.model, question.prompt
        text = self.say(question) if model in self.known_models() else None
        if text is None:
            detail = tr("There is no built-in test model called “{name}”.", name=model)
            return Miss(reason=Missing.HTTP_ERROR, status=404, detail=detail)
        return Reply(
            text=text,
            finish="stop",
            usage=Usage(prompt=tokens(f"{prompt.system} {prompt.user}"), completion=tokens(text)),
            sent={"model": model, "seed": question.seed},
        )


def tokens(text: str) -> int:
    """About as many as providers would count."""
    return round(_TOKENS_PER_WORD * len(text.split()))

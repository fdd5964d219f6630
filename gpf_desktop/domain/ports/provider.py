"""An API that models answer through."""

from abc import abstractmethod
from collections.abc import Sequence

from gpf_desktop.domain.checks import AnswerKey
from gpf_desktop.domain.models import Endpoint, Secret
from gpf_desktop.domain.ports.plug_in import Ability, WithOptions
from gpf_desktop.domain.questions import Question
from gpf_desktop.domain.responses import Outcome
from gpf_desktop.domain.wire import Send


class Provider(WithOptions, declares=True):
    """One API: builds its requests, reads its replies; sockets, limits and retries are the engine's."""

    @property
    def default_base_url(self) -> str:
        """The address at which it is called unless a model says otherwise; empty: there is none."""
        return ""

    @property
    def key_url(self) -> str:
        """The address where a key can be got; empty if none is needed."""
        return ""

    @property
    @abstractmethod
    def needs_key(self) -> bool:
        """Whether a model cannot be asked without a key."""

    @property
    def synthetic(self) -> bool:
        """Whether answers are made up by the program itself (calibration models)."""
        return False

    @property
    def runs_here(self) -> bool:
        """Whether its models run on this machine and encode: they have no address, no key, and answer nothing."""
        return False

    @property
    @abstractmethod
    def parameters(self) -> frozenset[str]:
        """Names of `Decoding` fields that this API takes, and ``top_logprobs`` where it gives log-probabilities."""

    def known_models(self) -> tuple[str, ...]:
        """Every model there is, where the provider is a closed set (calibration); else empty."""
        return ()

    @abstractmethod
    async def ask(self, question: Question, key: Secret | None, send: Send) -> Outcome:
        """One attempt. Never raises for what a server answers: every answer is a `Reply` or a `Miss`."""

    async def list_models(self, endpoint: Endpoint, key: Secret | None, send: Send) -> Sequence[str]:
        """Model ids where the API lists them, else those it knows. Raises `ProviderError` in a user's words."""
        return self.known_models()


class Planting(Ability, of=Provider):
    """A provider of calibration models that tells what it planted."""

    @property
    @abstractmethod
    def planted(self) -> str:
        """A line that says what each of its models does."""

    @property
    @abstractmethod
    def answer_key(self) -> AnswerKey:
        """The key to what was planted in each cell."""

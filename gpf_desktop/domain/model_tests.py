"""The three-step test of a model: reach the server, authenticate, one tiny answer from this very model."""

from dataclasses import dataclass, field
from enum import StrEnum


class StepName(StrEnum):
    REACH = "reach the server"
    AUTHENTICATE = "authenticate"
    ANSWER = "one tiny answer"


class StepState(StrEnum):
    WAITING = "waiting"
    PASSED = "passed"
    FAILED = "failed"
    NOT_TRIED = "not tried"


class ModelFault(StrEnum):
    """The fault that a test of a model found; each has a remedy of its own."""

    NO_KEY = "no key"
    BAD_KEY = "bad key"
    NO_CREDIT = "no credit"
    SHUT = "account shut"
    RATE_LIMITED = "rate limited"
    DAY_USED_UP = "day's limit used up"
    PLAN_USED_UP = "plan's limit used up"
    UNKNOWN_MODEL = "unknown model"
    UNREACHABLE = "unreachable"
    TIMED_OUT = "timed out"
    NO_API = "no API there"
    UNREADABLE = "unreadable answer"
    REFUSED = "request refused"
    OTHER = "error of the server"


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelTestStep:
    """One step with what was found, in words."""

    name: StepName
    state: StepState = StepState.WAITING
    words: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelTest:
    """A test as far as it has come."""

    steps: tuple[ModelTestStep, ...] = field(
        default_factory=lambda: tuple(ModelTestStep(name=name) for name in StepName)
    )
    fault: ModelFault | None = None
    remedy: str = ""
    """What to do; empty where nothing is wrong."""
    wait: float | None = None
    """Seconds that the provider asks to wait before the next try."""
    address: str = ""
    """Where the API was found instead of at the address that was tested; empty where it was not looked for or found."""
    not_supported: tuple[str, ...] = ()
    """Decoding parameters that this model refuses; they are left out from now on."""

    @property
    def passed(self) -> bool:
        return all(step.state is StepState.PASSED for step in self.steps)

    @property
    def over(self) -> bool:
        return all(step.state is not StepState.WAITING for step in self.steps)

    @property
    def summary(self) -> str:
        """The words of the step that decided."""
        return next((step for step in self.steps if step.state is StepState.FAILED), self.steps[-1]).words

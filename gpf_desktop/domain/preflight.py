"""The checks before a round starts: each line passes, or says what is wrong and what mends it."""

from dataclasses import dataclass
from enum import StrEnum

from gpf_desktop.domain.ids import ModelId
from gpf_desktop.domain.model_tests import ModelFault, StepState


class Mend(StrEnum):
    """The place where a fault is put right."""

    MODEL = "model"
    SOURCES = "sources"
    AGAIN = "again"
    """Outside the program: then look again."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PreflightLine:
    """One check before a round, and its result."""

    title: str
    state: StepState = StepState.WAITING
    words: str = ""
    mend: Mend = Mend.AGAIN
    model_id: ModelId | None = None
    """The model that it is about."""
    fault: ModelFault | None = None
    """What the model's test failed of."""

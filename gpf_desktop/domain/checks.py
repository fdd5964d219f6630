"""What a method plants and must find again: its own check of the instrument."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any
from typing import Protocol as Port


class Fault(StrEnum):
    """What a calibration model does wrong on purpose."""

    NONE = "none"
    EMPTY = "empty"
    REFUSED = "refused"
    TRUNCATED = "truncated"
    ERROR = "error"


@dataclass(frozen=True, slots=True, kw_only=True)
class HeldOut:
    """Sentences that a flag for answers which speak of another level was not written for."""

    people: tuple[tuple[str, str], ...]
    """A level, and a sentence that speaks of it."""
    plain: tuple[str, ...]
    """Sentences that speak of no level, in words that also tell one."""


class AnswerKey(Port):
    """What was planted in each cell. *coordinates*: the cell's, with its model, item and repeat."""

    def tells_levels(self, coordinates: Mapping[str, str | int]) -> bool:
        """Whether the cell's message names a level of what varies in its bundle."""
        ...

    def fault(self, coordinates: Mapping[str, str | int], seed: int) -> Fault: ...
    def refused_of_decided(self, coordinates: Mapping[str, str | int]) -> float:
        """The planted share of refusals among answers and refusals."""
        ...

    def leaked(self, coordinates: Mapping[str, str | int], seed: int, message: str) -> str | None:
        """The level of which the answer to *message* speaks by mistake; None: it makes none."""
        ...

    def held_out(self) -> HeldOut: ...
    def shortened(self, protocol: Any) -> Any:
        """The part of *protocol* that a quick check asks."""
        ...

    def strata(self) -> tuple[str, ...]:
        """The factors by which a model's bundles are tested together."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckLine:
    """One line of the method's table."""

    model: str
    must_show: str
    found: str
    passed: bool


def models_in_plan(provider: str, roles: Mapping[str, str]) -> str:
    """The part of a plan that names models of *provider*, each with its role."""
    return "".join(
        f'[[models]]\nprovider = "{provider}"\nmodel = "{model}"\nrole = "{role}"\n' for model, role in roles.items()
    )

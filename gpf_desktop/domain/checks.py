"""A method's own check of the instrument: effects that it plants and must find again."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any
from typing import Protocol as Port

from gpf_desktop.domain.conclusions.conclusion import ConclusionOutcome
from gpf_desktop.domain.conclusions.rendering import ToldPage
from gpf_desktop.domain.text import tr


class Fault(StrEnum):
    """A fault that a calibration model makes on purpose."""

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
    """The key to what was planted in each cell. *coordinates*: the cell's, with its model, item and repeat."""

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


def never_differs(told: ToldPage, names: Collection[str]) -> Iterator[CheckLine]:
    """Lines that check that none of the models called *names* is concluded to differ: nothing that could is planted in
    them."""
    for each in told.told:
        name = each.conclusion.model.rpartition("/")[2]
        if name in names:
            yield CheckLine(
                model=name,
                must_show=tr("nothing is planted in it: is not concluded to differ"),
                found=each.line(),
                passed=each.conclusion.outcome is not ConclusionOutcome.DIFFERS,
            )


def differs(told: ToldPage, name: str) -> CheckLine:
    """A line that checks that what is planted in the model called *name* is concluded."""
    found = [each for each in told.told if each.conclusion.model.rpartition("/")[2] == name]
    return CheckLine(
        model=name,
        must_show=tr("what is planted in it is concluded: it differs"),
        found=" ".join(each.line() for each in found) or tr("nothing"),
        passed=any(each.conclusion.outcome is ConclusionOutcome.DIFFERS for each in found),
    )


def models_in_plan(provider: str, roles: Mapping[str, str]) -> str:
    """The part of a plan that names models of *provider*, each with its role."""
    return "".join(
        f'[[models]]\nprovider = "{provider}"\nmodel = "{model}"\nrole = "{role}"\n' for model, role in roles.items()
    )

"""The parts of its method's design that a round leaves out: levels of declared factors, and whole arms."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from gpf_desktop.domain.coordinates import PlannedAnswer

ARM = "arm"
"""Stands for the arms among the factors."""


@dataclass(frozen=True, slots=True)
class Scope:
    """(factor, level) pairs that are not asked, sorted; `ARM` stands for a factor. Empty: the whole design is asked."""

    left_out: tuple[tuple[str, str], ...] = ()

    @classmethod
    def of(cls, left_out: Iterable[tuple[str, str]]) -> "Scope":
        return cls(tuple(sorted(set(left_out))))

    @classmethod
    def from_table(cls, table: Mapping[str, Iterable[str]]) -> "Scope":
        """The scope from a table that `table` gave."""
        return cls.of((factor, level) for factor, levels in table.items() for level in levels)

    @classmethod
    def of_plan(cls, plan: Mapping[str, Any]) -> "Scope":
        """The scope of a frozen plan, which may be older than scopes are."""
        return cls.of((factor, level) for factor, level in plan.get("scope", {}).get("left_out", ()))

    def table(self) -> dict[str, list[str]]:
        """The levels that are left out, by factor."""
        found: dict[str, list[str]] = {}
        for factor, level in self.left_out:
            found.setdefault(factor, []).append(level)
        return found

    def kept(self, factor: str, levels: Iterable[str]) -> list[str]:
        """The *levels* of a *factor* that are asked, in their order."""
        return [level for level in levels if (factor, level) not in self.left_out]

    def __bool__(self) -> bool:
        return bool(self.left_out)

    def lets(self, answer: PlannedAnswer) -> bool:
        """Whether *answer* is asked. A factor that does not apply to it keeps nothing out."""
        left_out = frozenset(self.left_out)
        return (ARM, answer.arm) not in left_out and left_out.isdisjoint(answer.coordinates)


WHOLE: Final = Scope()
"""Nothing is left out."""

"""What is wrong with a draft, field by field, and where in the form that is."""

from dataclasses import dataclass
from enum import StrEnum

from gpf_desktop.domain.protocol_problems import FieldProblem, Path
from gpf_desktop.domain.text import tr
from gpf_desktop.methods.gpf_livenews.method import METHOD
from gpf_desktop.methods.gpf_livenews.protocol import Protocol

_IN_THE_HEAD = (("name",), ("label",))
"""Fields that are seen of an item that is folded away."""


class Section(StrEnum):
    """The parts of the form, left to right."""

    MESSAGE = "message"
    DIMENSIONS = "dimensions"
    FAMILIES = "families"
    LABEL_SETS = "label_sets"
    SETTINGS = "settings"


def section_of(path: Path) -> Section:
    """The part of the form that has the field at *path*."""
    match path[0]:
        case "dimensions":
            return Section.DIMENSIONS
        case "families":
            return Section.FAMILIES
        case "label_sets":
            return Section.LABEL_SETS
        case "decoding" | "controls" | "scoring" | "confirmatory":
            return Section.SETTINGS
        case _:
            return Section.MESSAGE


def items_around(path: Path) -> frozenset[Path]:
    """The items that must be unfolded for the field at *path* to be seen."""
    return frozenset(
        path[:depth]
        for depth in range(2, len(path))
        if isinstance(path[depth - 1], int) and path[depth:] not in _IN_THE_HEAD
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Problems:
    """Of one draft; false where nothing is wrong."""

    found: tuple[FieldProblem, ...] = ()

    @classmethod
    def of(cls, draft: Protocol) -> "Problems":
        return cls(found=tuple(METHOD.problems(draft)))

    def __bool__(self) -> bool:
        return bool(self.found)

    @property
    def fields(self) -> int:
        """How many fields are wrong."""
        return len({each.path for each in self.found})

    @property
    def first(self) -> Path:
        """The first field that is wrong. There must be one."""
        return self.found[0].path

    def at(self, path: Path) -> str:
        """What is wrong with the field at *path*, or in a line of it."""
        for problem in self.found:
            if problem.path[: len(path)] == path:
                rest = problem.path[len(path) :]
                if rest and isinstance(rest[0], int):
                    return tr("line {n}: {problem}", n=rest[0] + 1, problem=problem.words)
                return problem.words
        return ""

    def of_list(self, path: Path) -> str:
        """What is wrong with the list at *path* itself."""
        return next((problem.words for problem in self.found if problem.path == path), "")

    def in_section(self, section: Section) -> int:
        return sum(section_of(problem.path) is section for problem in self.found)

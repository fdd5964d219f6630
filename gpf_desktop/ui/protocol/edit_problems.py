"""What is wrong with a draft, field by field."""

from dataclasses import dataclass
from typing import Any

from gpf_desktop.domain.ports.method import Method
from gpf_desktop.domain.protocol_problems import FieldProblem, Path
from gpf_desktop.domain.text import tr


@dataclass(frozen=True, slots=True, kw_only=True)
class Problems:
    """Of one draft; false where nothing is wrong."""

    found: tuple[FieldProblem, ...] = ()

    @classmethod
    def of(cls, method: Method, draft: Any) -> "Problems":
        return cls(found=tuple(method.problems(draft)))

    def __bool__(self) -> bool:
        return bool(self.found)

    @property
    def fields(self) -> int:
        """How many fields are wrong."""
        return len({each.path for each in self.found})

    @property
    def first(self) -> FieldProblem:
        """There must be one."""
        return self.found[0]

    def at(self, path: Path) -> str:
        """What is wrong with the field at *path*, or in a line or an entry of it."""
        for problem in self.found:
            if problem.path[: len(path)] != path:
                continue
            match problem.path[len(path) :]:
                case ():
                    return problem.words
                case (int(line),):
                    return tr("line {n}: {problem}", n=line + 1, problem=problem.words)
                case rest:
                    return tr("{place}: {problem}", place=_place(rest), problem=problem.words)
        return ""

    def of_list(self, path: Path) -> str:
        """What is wrong with the list at *path* itself."""
        return next((problem.words for problem in self.found if problem.path == path), "")

    def inside(self, item: Path, head: Path) -> str:
        """What is wrong in the *item* of a list beside what it is known by, at *head*."""
        found = (each for each in self.found if each.path[: len(item)] == item and each.path not in (item, head))
        return next((each.words for each in found), "")

    def within(self, names: tuple[str, ...]) -> int:
        """How many there are in the fields of these names."""
        return sum(problem.path[:1] in {(name,) for name in names} for problem in self.found)


def _place(path: Path) -> str:
    # pydantic calls the name of an entry so, behind the entry.
    parts = [part for part in path if part != "[key]"]
    return " › ".join(tr("line {n}", n=part + 1) if isinstance(part, int) else f"“{part}”" for part in parts)

"""What a judge's levels mean: data that an auditor can replace."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

import yaml

from gpf_desktop.domain.errors import UserError
from gpf_desktop.domain.resources import resources
from gpf_desktop.domain.text import tr

FEWEST: Final = 3
MOST: Final = 10


@dataclass(frozen=True, slots=True, kw_only=True)
class Rubric:
    """Levels 1 … n in words."""

    name: str
    version: int
    levels: tuple[str, ...]

    @property
    def top(self) -> int:
        return len(self.levels)

    def listed(self) -> str:
        """A line for each level."""
        return "\n".join(f"{level} {words}" for level, words in enumerate(self.levels, start=1))


def rubric_of(data: Mapping[str, Any]) -> Rubric:
    """The rubric that plain *data* holds. Raises `UserError`."""
    levels = data.get("levels")
    if not isinstance(levels, list | tuple) or not all(isinstance(each, str) and each.strip() for each in levels):
        raise UserError(
            tr("The levels of a rubric are no list of sentences."), tr("Give one sentence for each level, from 1 on.")
        )
    if not FEWEST <= len(levels) <= MOST:
        raise UserError(
            tr("A rubric has {n} levels.", n=len(levels)),
            tr("Give {least} to {most}.", least=FEWEST, most=MOST),
        )
    return Rubric(
        name=str(data.get("name", "")),
        version=int(data.get("version", 1)),
        levels=tuple(each.strip() for each in levels),
    )


@cache
def ten_levels() -> Rubric:
    """The rubric that comes with the method, after the paper's Table 1."""
    path = resources() / "methods" / "relative_bias" / "rubric.yaml"
    return rubric_of(yaml.safe_load(path.read_text(encoding="utf-8")))

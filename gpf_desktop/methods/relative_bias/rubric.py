"""What a judge's levels mean: data that an auditor can replace."""

from dataclasses import dataclass
from functools import cache
from typing import Annotated

import yaml
from annotated_types import Ge, Len, MinLen

from gpf_desktop import plain_data
from gpf_desktop.domain.resources import resources


@dataclass(frozen=True, slots=True, kw_only=True)
class Rubric:
    """Levels 1 … n in words."""

    name: str = ""
    version: Annotated[int, Ge(1)] = 1
    levels: Annotated[tuple[Annotated[str, MinLen(1)], ...], Len(3, 10)]

    @property
    def top(self) -> int:
        return len(self.levels)

    def listed(self) -> str:
        """A line for each level."""
        return "\n".join(f"{level} {words}" for level, words in enumerate(self.levels, start=1))


@cache
def ten_levels() -> Rubric:
    """The rubric that comes with the method, after the paper's Table 1."""
    path = resources() / "methods" / "relative_bias" / "rubric.yaml"
    return plain_data.read(Rubric, yaml.safe_load(path.read_text(encoding="utf-8")))

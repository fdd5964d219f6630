"""The rubric: the meaning of a judge's levels, as data that an auditor can replace."""

from dataclasses import dataclass
from functools import cache
from typing import Annotated, Final

import yaml
from annotated_types import Ge, Len, MinLen

from gpf_desktop import plain_data
from gpf_desktop.domain.judging import LevelForm, level_form
from gpf_desktop.domain.options import Shown
from gpf_desktop.domain.resources import resources
from gpf_desktop.domain.text import tr, trn

LABEL: Final = "Bias Score"
Levels = Annotated[
    tuple[Annotated[str, MinLen(1)], ...],
    Len(3, 10),
    Shown(
        label="Marks",
        in_lines=True,
        sent=True,
        help="3 to 10, a line each, from 1 on; the first is the most even-handed. Judge models, and "
        "people who rate with the marks hidden, go by these words.",
    ),
]


@dataclass(frozen=True, slots=True, kw_only=True)
class Rubric:
    """Levels 1 … n in words."""

    name: Annotated[str, Shown(label="Name")] = ""
    version: Annotated[int, Ge(1)] = 1
    levels: Levels

    @property
    def top(self) -> int:
        return len(self.levels)

    @property
    def form(self) -> LevelForm:
        return level_form(LABEL, self.top)

    @property
    def title(self) -> str:
        name = self.name or trn("{n} mark", "{n} marks", self.top)
        return name if self.version == 1 else tr("{name}, version {n}", name=name, n=self.version)

    def listed(self) -> str:
        """A line for each level."""
        return "\n".join(f"{level} {words}" for level, words in enumerate(self.levels, start=1))


@cache
def ten_levels() -> Rubric:
    """The rubric that comes with the method, after the paper's Table 1."""
    path = resources() / "methods" / "relative_bias" / "rubric.yaml"
    return plain_data.read(Rubric, yaml.safe_load(path.read_text(encoding="utf-8")))

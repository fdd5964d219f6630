"""A method's words in a brief, whatever its numbers are: the question, what was done, what that does not show."""

from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from gpf_desktop.domain.conclusions.counts import count_word, planted_name
from gpf_desktop.domain.report_blocks import BigNumber
from gpf_desktop.domain.scopes import WHOLE, Scope
from gpf_desktop.domain.text import tr


@dataclass(frozen=True, slots=True, kw_only=True)
class BriefScope:
    """The scope of a brief: its models, its items, and what was left out."""

    models: tuple[str, ...]
    """Those of which something is concluded, by their short names."""
    asked: int
    """Models that answered."""
    items: int
    left_out: Scope = WHOLE
    """The part of the protocol that no round of it asked."""
    planted: bool = False
    """All of *models* are built-in test models."""
    controls: Any = None
    """Those in force, of the method's own type; None: the protocol's."""

    def subject(self) -> str:
        """“oak”, or “six language models”; of test models it says so."""
        if len(self.models) == 1:
            return planted_name(self.models[0]) if self.planted else self.models[0]
        if self.planted:
            return tr("{n} test models", n=count_word(len(self.models)))
        return tr("{n} language models", n=count_word(len(self.models)))

    @property
    def one(self) -> bool:
        return len(self.models) == 1


@dataclass(frozen=True, slots=True, kw_only=True)
class BriefWords:
    """Sentences of 25 words at most."""

    question: str
    """With the models' names, or how many they are."""
    why: str
    """The purpose that it is asked for."""
    numbers: tuple[BigNumber, ...]
    """Three; how many answers came is told beside them."""
    controls: str
    """A sentence or two on what was asked for comparison."""
    not_shown: tuple[str, ...]
    """Sentences on what no audit by this method shows."""
    beyond: str
    """A sentence on what this very one says nothing of."""
    measured: str
    """How the numbers come about that a brief lists."""
    answers: str = ""
    """Which answers are counted; empty: all that were asked for."""

    @property
    def silent(self) -> tuple[str, ...]:
        """All that is not shown, a sentence each: in the brief, and on the page of Results."""
        return (*self.not_shown, self.beyond)


class TablePlace(StrEnum):
    """The chapter of an annex in which a table of a method stands."""

    METHOD = "method"
    """Controls, checks of judges."""
    FINDINGS = "findings"
    UNCERTAINTY = "uncertainty"
    """Spread by source, and what other ways of measuring give."""
    COVERAGE = "coverage"
    """What is missing, declined, cut."""
    ANNEX = "tables"
    """Everything else."""

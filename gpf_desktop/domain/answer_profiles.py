"""A method's columns about single answers, beside those of their bundle and of their control
(`ScoreTables.answers`)."""

from collections.abc import Iterable
from typing import Any
from typing import Protocol as Port

from gpf_desktop.domain.scores import FitGroup


class AnswerProfile(Port):
    """The columns that tell the answers of some bundles."""

    @property
    def factors(self) -> tuple[str, ...]:
        """The factors by which an answer is told, a column each."""
        ...

    @property
    def numbers(self) -> tuple[str, ...]:
        """Further columns; NaN where there is no such number."""
        ...

    def rows(self, group: FitGroup) -> Iterable[tuple[Any, ...]]:
        """A row for each answer, one after another: its bundle, its levels, its numbers. Reads all texts of *group*."""
        ...

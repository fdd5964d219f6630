"""What a method says of single answers beside those of their bundle and of their control (`ScoreTables.answers`)."""

from collections.abc import Iterable
from typing import Any, runtime_checkable
from typing import Protocol as Port

from gpf_desktop.domain.scores import FitGroup


class AnswerProfile(Port):
    """Of the answers of some bundles."""

    factors: tuple[str, ...]
    """Those by which an answer is told, a column each."""
    numbers: tuple[str, ...]
    """Further columns; NaN where there is no such number."""

    def rows(self, group: FitGroup) -> Iterable[tuple[Any, ...]]:
        """Of each answer, one after another: its bundle, its levels, its numbers. Reads all texts of *group*."""
        ...


@runtime_checkable
class ProfilesAnswers(Port):
    """A method that has such rows."""

    def answer_profile(self, bundles: Any) -> AnswerProfile:
        """*bundles*: the frame of `ScoreTables.bundles`."""
        ...

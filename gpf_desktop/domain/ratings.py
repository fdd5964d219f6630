"""A person rates single answers by a method's own rubric, without seeing who gave them or what a judge said."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, runtime_checkable
from typing import Protocol as Port

from gpf_desktop.domain.ids import BundleId
from gpf_desktop.domain.score_tables import ScoreTables

LEVEL: Final = "level"
"""The measure of a rating, in an entry of a reviewer's history."""


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerToRate:
    cell_id: int
    bundle_id: BundleId
    question: str
    text: str
    """Without what it says of its author."""


@dataclass(frozen=True, slots=True, kw_only=True)
class RatingSheet:
    """What a person is given to rate, in the order in which it is shown."""

    asked: str
    """What is to be looked for, in a sentence."""
    levels: tuple[str, ...]
    """In words, the lowest, 1, first."""
    answers: tuple[AnswerToRate, ...]


@runtime_checkable
class BlindRated(Port):
    """A method whose judges rate answers, and want a person beside them."""

    def rating_sheets(self, scores: ScoreTables) -> Sequence[RatingSheet]:
        """One for each rubric in use; the same answers every time, as long as no further ones come."""
        ...

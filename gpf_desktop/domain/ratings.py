"""A person rates single answers by a method's own rubric, without seeing who gave them or what a judge said."""

from dataclasses import dataclass
from typing import Final

from gpf_desktop.domain.ids import BundleId

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
    """The answers that a person is given to rate, in the order in which they are shown."""

    asked: str
    """What is to be looked for, in a sentence."""
    levels: tuple[str, ...]
    """In words, the lowest, 1, first."""
    answers: tuple[AnswerToRate, ...]

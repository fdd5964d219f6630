"""Counts of answers before anything is scored: how long, refused in words, deflected, said word for word before.

Plain counts of any method's answers, by whatever parts they are given in (models, readers, contexts, groups).
"""

import re
from collections import Counter
from collections.abc import Hashable, Iterable
from dataclasses import dataclass
from typing import Final

from gpf_desktop.domain.patterns import regex
from gpf_desktop.numerics.refusal_words import refusal
from gpf_desktop.numerics.spelling import one_spelling

_WORD: Final = regex(r"\w+")
_CANNED: Final = regex(
    r"\b(?:can(?:no|')t|unable to|not able to) (?:help|assist|talk|chat|answer|discuss)\b.{0,40}"
    r"\b(?:right now|at the moment|yet|that|this)\b"
    r"|\b(?:try|ask|talk about|discuss) (?:me )?(?:something|anything) else\b",
    re.IGNORECASE,
)
MOST_CANNED: Final = 40
"""Words: a longer answer that holds such a line goes on to answer."""
_BEGINNING: Final = 400
"""Characters, of which longer words than most are forty."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SaidAnswer:
    """One answer, the part that it is counted in, and the question that it answers."""

    part: Hashable
    question: Hashable
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerDiagnosis:
    """Counts of one part's answers."""

    answers: int
    refused: int
    """In words, by `refusal_words`."""
    deflected: int
    """By a canned line that turns the question away; those that refuse are counted there, not here."""
    repeated: int
    """Whose words stand under another question of the same part too."""


def diagnosed(answers: Iterable[SaidAnswer]) -> dict[Hashable, AnswerDiagnosis]:
    """The diagnosis of each part of *answers*, in order of first sight."""
    parts: dict[Hashable, list[SaidAnswer]] = {}
    for each in answers:
        parts.setdefault(each.part, []).append(each)
    return {part: _diagnosis(said) for part, said in parts.items()}


def deflects(text: str) -> bool:
    """Whether *text*, in one spelling, is little more than a line that turns any question away."""
    # Most answers are long, and have too many words near their beginning already.
    few = all(len(_WORD.findall(part)) <= MOST_CANNED for part in (text[:_BEGINNING], text))
    return few and _CANNED.search(text) is not None


def plain_words(text: str) -> list[str]:
    """The words of *text*, in one spelling: answers that have the same say the same, word for word."""
    return _WORD.findall(text.casefold())


def rules() -> str:
    """Tells what these functions say of texts from what another version would have said."""
    return repr((_WORD.pattern, _CANNED.pattern, MOST_CANNED))


def _diagnosis(said: list[SaidAnswer]) -> AnswerDiagnosis:
    spelled = [one_spelling(each.text) for each in said]
    words = [tuple(plain_words(text)) for text in spelled]
    questions = Counter(text for text, _ in {(text, each.question) for text, each in zip(words, said, strict=True)})
    refused = [refusal(each.text) is not None for each in said]
    return AnswerDiagnosis(
        answers=len(said),
        refused=sum(refused),
        deflected=sum(not no and deflects(text) for no, text in zip(refused, spelled, strict=True)),
        repeated=sum(bool(text) and questions[text] > 1 for text in words),
    )

"""Which two answers of a set are quoted: those that show what was found, by the score that found it."""

from dataclasses import MISSING, fields
from typing import Any

from gpf_desktop.engine.reporting.unlike_answers import scored_pair
from gpf_desktop.engine.review.review_reading import ReadAnswer
from gpf_desktop.storage.responses import Answer


def answer(level: str, text: str, **scores: float) -> ReadAnswer:
    nothing: dict[str, Any] = {each.name: None for each in fields(Answer) if each.default is MISSING}
    return ReadAnswer(level=level, answer=Answer(**{**nothing, "text": text}), scores=scores)


def test_that_what_a_score_tells_apart_is_quoted_with_that_score_and_not_by_words() -> None:
    some = [
        answer("Norway", "A poor place.", tone=0.2, tone_calibrated=-0.6),
        answer("Brazil", "Words that nobody else says here.", tone=0.1, tone_calibrated=0.0),
        answer("Ghana", "A good place.", tone=0.1, tone_calibrated=0.4),
    ]
    pair = scored_pair(some, {"tone/none", "judged/favour/judge/none"})
    assert pair is not None
    assert [(each.who, each.words, each.score, each.score_is) for each in pair] == [
        ("Ghana", "A good place.", 0.4, "tone, less the source"),
        ("Norway", "A poor place.", -0.6, "tone, less the source"),
    ]
    assert scored_pair(some, {"location"}) is None, "no score of single answers differs"

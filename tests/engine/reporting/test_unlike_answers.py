"""Which two answers of a set are quoted: those that show what was found, by the score that found it."""

from dataclasses import MISSING, fields, replace
from typing import Any

from gpf_desktop.domain.conclusions.conclusion import OtherReading
from gpf_desktop.domain.conclusions.reading import groups_told
from gpf_desktop.engine.reporting.unlike_answers import Quoted, marked, scored_pair
from gpf_desktop.engine.review.review_reading import ReadAnswer
from gpf_desktop.storage.responses import Answer
from tests.figures.pages import D, conclusion, measure, told


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
    alike = "It lies by a river. It has many roads. "
    far = [
        answer("Norway", f"{alike}Norway is a poor and cold place.", tone=-0.6),
        answer("Ghana", f"{alike}Ghana is a good and warm place.", tone=0.4),
    ]
    pair = scored_pair(far, {"tone/none"})
    assert pair is not None
    assert [each.words for each in pair] == ["… Ghana is a good and warm place.", "… Norway is a poor and cold place."]
    apart = (OtherReading(words="Ghana", value=0.1), OtherReading(words="Norway", value=-0.5))
    gap = replace(measure("tone/none", value=0.6, outcome=D), others=apart)
    beside = replace(gap, value=2.0)
    assert groups_told(told(conclusion(measures=(gap,))).page) == {"Ghana", "Norway"}
    assert not groups_told(told(conclusion(measures=(beside,))).page), "models that it stands beside are no groups"
    assert scored_pair(some, {"location"}) is None, "no score of single answers differs"


def test_that_two_quotations_begin_where_they_differ_and_say_which_words_those_are() -> None:
    same = "Of this country one hears that it is"
    pair = marked(
        Quoted(who="Ghana", words=f"{same} a good place."), Quoted(who="Norway", words=f"{same} a poor place.")
    )
    assert [each.words[a:b] for each in pair for a, b in each.unlike] == ["good", "poor"]
    assert [each.from_unlike for each in pair] == ["… is a good place.", "… is a poor place."]
    other = marked(Quoted(who="a", words="Ask again."), Quoted(who="b", words="Nobody was there."))
    assert [each.unlike for each in other] == [(), ()], "all of it differs"
    named = marked(Quoted(who="Ghana", words="Of Ghana: a place."), Quoted(who="Norway", words="Of Norway: a place."))
    assert [each.unlike for each in named] == [(), ()], "whom it is about is no difference"

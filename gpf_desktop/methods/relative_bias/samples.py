"""Which answers are judged again, and which get an order to their judge planted."""

from functools import lru_cache

from gpf_desktop.domain.draws import rank
from gpf_desktop.stats.judge_samples import how_many_again


@lru_cache(maxsize=4)
def judged_again(seed: int, questions: tuple[str, ...], answers: tuple[str, ...]) -> frozenset[tuple[str, str]]:
    """Which answers, of those that everyone gives to each question, every judge rates three times: by their hashes."""
    every = [(question, answer) for question in questions for answer in answers]
    # A hash ranks each pair by itself: a stage that is planned again, after a stop or a kill, chooses the same ones.
    every.sort(key=lambda each: rank(seed, *each))
    return frozenset(every[: how_many_again(len(every))])


@lru_cache(maxsize=4)
def given_orders(
    seed: int, questions: tuple[str, ...], answers: tuple[str, ...], size: int
) -> frozenset[tuple[str, str]]:
    """Which of these answers get an order to their judge planted: one of so many questions."""
    # One answer of a question at most, so that the questions, which are the clusters of the interval, are as many.
    by_question = [
        (question, min(answers, key=lambda answer: rank("orders", seed, question, answer))) for question in questions
    ]
    by_question.sort(key=lambda each: rank("orders", seed, *each))
    return frozenset(by_question[:size])

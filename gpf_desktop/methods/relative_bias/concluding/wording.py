"""What words alone cannot tell apart: answers in another language than the others', and the question said once more."""

from collections.abc import Iterator, Sequence

import numpy as np

from gpf_desktop.domain.conclusions.gates import GateReading, measure_key
from gpf_desktop.methods.relative_bias.sentences import measure_words
from gpf_desktop.methods.relative_bias.study import BY_WORDS, MeasuredStudy
from gpf_desktop.numerics.english import LEAST_ENGLISH, english_share
from gpf_desktop.numerics.spelling import one_spelling


def of_words(
    study: MeasuredStudy, place: int, baselines: Sequence[int], measures: Sequence[str]
) -> Iterator[tuple[str, GateReading]]:
    """The readings of the gates on the measure by words, of the model at *place* held against *baselines*; none where
    that is none of *measures*."""
    if BY_WORDS not in measures:
        return
    named = {"measure": measure_words(BY_WORDS)}
    texts, repeating = zip(*(_of_model(study, each) for each in (place, *baselines)), strict=True)
    english = [english_share(some) >= LEAST_ENGLISH for some in texts if some]
    if texts[0] and len(english) > 1:
        unlike = np.mean([each != english[0] for each in english[1:]]) > 0.5
        yield measure_key("other_language", BY_WORDS), GateReading(value=float(unlike), numbers=named)
    more = repeating[0] - float(np.median(repeating[1:]))
    yield (
        measure_key("says_question_back", BY_WORDS),
        GateReading(value=more, numbers={**named, "n": round(repeating[0] * len(texts[0])), "of": len(texts[0])}),
    )


def _of_model(study: MeasuredStudy, model: int) -> tuple[list[str], float]:
    """The texts of *model*, and how many of them as a share hold their own question, word for word."""
    answers = study.answers
    rows = [at for at in np.flatnonzero(answers.model == model) if answers.texts[at].strip()]
    held = [_plain(answers.questions[answers.question[at]]) in _plain(answers.texts[at]) for at in rows]
    return [answers.texts[at] for at in rows], float(np.mean(held)) if held else 0.0


def _plain(text: str) -> str:
    return " ".join(one_spelling(text).lower().split()).rstrip(".?! ")

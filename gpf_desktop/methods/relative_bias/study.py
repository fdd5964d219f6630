"""A study's answers with everything that is measured of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from gpf_desktop.methods.relative_bias.answers import TOP_LEVEL, Answers
from gpf_desktop.methods.relative_bias.comparing import StudyScore
from gpf_desktop.methods.relative_bias.measures import (
    distances_of_terms,
    level_means,
    means,
    signed_deviations,
    tfidf_vectors,
)
from gpf_desktop.methods.relative_bias.quality import JudgeAgreement, agreements
from gpf_desktop.numerics.refusal_words import refusal
from gpf_desktop.numerics.tfidf import TermRows

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]
Bools = NDArray[np.bool_]

TFIDF = "tf-idf"


@dataclass(frozen=True, slots=True, kw_only=True)
class Embedded:
    """Answers that an encoder has a vector for."""

    rows: Ints
    """Which answers, ascending."""
    vectors: TermRows
    distances: Floats
    """(questions, models, models)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Study:
    """Answers of the compared models and what is measured of them."""

    answers: Answers
    embedded: Embedded | None
    """None where no two answers have text."""
    levels: Mapping[str, Floats]
    """By judge, (questions, models), NaN: none."""
    refused: Bools
    """Answers that refuse in words; they are answers like any other."""

    @property
    def shape(self) -> tuple[int, int]:
        return len(self.answers.questions), len(self.answers.models)

    @property
    def scores(self) -> list[StudyScore]:
        """What targets are tested by: the embedding first, then each judge."""
        theme_of = self.answers.theme_of
        found = [StudyScore.of_embedding(TFIDF, self.embedded.distances, theme_of)] if self.embedded else []
        return found + [StudyScore.of_judge(judge, levels, theme_of) for judge, levels in self.levels.items()]

    def values(self) -> dict[str, tuple[Floats, Floats]]:
        """By score, value and signed deviation of every model on every question; of an embedding NaN, it has no sign.

        D is the mean over questions of the value of an embedding, and of the absolute deviation of a judge.
        """
        everyone = np.ones(self.shape[1], bool)
        found = {}
        for score in self.scores:
            values = score.values_among(everyone)
            found[score.name] = (
                values,
                signed_deviations(values) if score.name in self.levels else np.full_like(values, np.nan),
            )
        return found

    def deviations(self) -> dict[str, Floats]:
        """By score, what D is the mean of: δ, or |s − μ|."""
        return {
            name: np.abs(signed) if name in self.levels else values for name, (values, signed) in self.values().items()
        }

    def d(self) -> dict[str, Floats]:
        """By score, D of each model."""
        return {name: means(each) for name, each in self.deviations().items()}


def study_of(answers: Answers, models: Sequence[str], *, blocked_as_top: bool = False) -> Study:
    """The study of *models* alone; tf-idf is fitted on their answers.

    *blocked_as_top*: an answer that the interface blocked has every judge's highest level in place of none.
    """
    answers = answers.only(models)
    if blocked_as_top:
        levels = answers.levels.copy()
        levels[answers.blocked, :, 0] = TOP_LEVEL
        answers = replace(answers, levels=levels)
    shape = len(answers.questions), len(models)
    return Study(
        answers=answers,
        embedded=_embedded(answers, shape),
        levels={
            judge: level_means(answers.levels[:, place, 0], answers.question, answers.model, shape)
            for place, judge in enumerate(answers.judges)
        },
        refused=np.array([bool(refusal(text)) for text in answers.texts], bool),
    )


def _embedded(answers: Answers, shape: tuple[int, int]) -> Embedded | None:
    vectors = tfidf_vectors(answers.texts)
    rows = np.flatnonzero(vectors.lengths > 0)
    if len(rows) < 2:
        return None
    vectors = vectors.of_texts(rows)
    question, model = answers.question[rows], answers.model[rows]
    distances = distances_of_terms(vectors, question, model, shape)
    apart = ~np.isnan(distances) & ~np.eye(shape[1], dtype=bool)
    return Embedded(rows=rows, vectors=vectors, distances=distances) if apart.any() else None


def judges_agree(study: Study, *, seed: int) -> list[JudgeAgreement]:
    """How far the study's judges agree, answers of one question going together."""
    answers = study.answers
    return agreements(answers.judges, answers.levels, answers.question, scale=TOP_LEVEL, seed=seed)

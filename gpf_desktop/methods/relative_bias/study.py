"""A study's answers with everything that is measured of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from gpf_desktop.arrays import Bools, Float32, Floats, Ints
from gpf_desktop.domain.text import tr
from gpf_desktop.methods.relative_bias.answers import TOP_LEVEL, Key, StudyAnswers
from gpf_desktop.methods.relative_bias.comparing import StudyScore
from gpf_desktop.methods.relative_bias.measures import (
    distances_of_terms,
    distances_of_vectors,
    level_means,
    means,
    signed_deviations,
    tfidf_vectors,
)
from gpf_desktop.numerics.refusal_words import refusal
from gpf_desktop.numerics.tfidf import TermRows
from gpf_desktop.stats.judge_agreement import JudgeAgreement, agreements, with_persons

Vectors = Mapping[str, Mapping[Key, bytes]]
"""By encoder and answer: float32, little-endian, of one length for each encoder."""

TFIDF = "tf-idf"
BY_WORDS = f"embedding:{TFIDF}"
"""The score of distances in words."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbeddedAnswers:
    """Answers that an encoder has a vector for."""

    rows: Ints
    """Which answers, ascending."""
    vectors: TermRows | Float32
    """Weights of terms, or dense (n, d) of any length."""
    distances: Floats
    """(questions, models, models)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class MeasuredStudy:
    """Answers of the compared models and what is measured of them."""

    answers: StudyAnswers
    embeddings: Mapping[str, EmbeddedAnswers]
    """By encoder: tf-idf first, where two answers have text."""
    levels: Mapping[str, Floats]
    """By judge, (questions, models), NaN: none; where asked for, once more with blocked answers (`with_blocked`)."""
    refused: Bools
    """Answers that refuse in words; they are answers like any other."""

    @property
    def shape(self) -> tuple[int, int]:
        return len(self.answers.questions), len(self.answers.models)

    @property
    def scores(self) -> list[StudyScore]:
        """The scores by which targets are tested: the embeddings first, then each judge."""
        theme_of = self.answers.theme_of
        found = [StudyScore.of_embedding(name, each.distances, theme_of) for name, each in self.embeddings.items()]
        return found + [StudyScore.of_judge(judge, levels, theme_of) for judge, levels in self.levels.items()]

    def values(self) -> dict[str, tuple[Floats, Floats]]:
        """The value and the signed deviation of every model on every question, by score; the deviation of an embedding
        is NaN, as it has no sign.

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
        """The deviations by score, whose mean is D: δ, or |s − μ|."""
        return {
            name: np.abs(signed) if name in self.levels else values for name, (values, signed) in self.values().items()
        }

    def d(self) -> dict[str, Floats]:
        """D of each model, by score."""
        return {name: means(each) for name, each in self.deviations().items()}


def study_of(
    answers: StudyAnswers, models: Sequence[str], *, vectors: Vectors | None = None, blocked_as_top: bool = False
) -> MeasuredStudy:
    """The study of *models* alone; tf-idf is fitted on their answers, and *vectors* are those of further encoders.

    *blocked_as_top*: an answer that the interface blocked has every judge's highest level in place of none.
    """
    answers = answers.only(models)
    shape = len(answers.questions), len(models)
    return MeasuredStudy(
        answers=answers,
        embeddings=_embeddings(answers, shape, vectors or {}),
        levels=_levels(answers, shape, dict.fromkeys(answers.judges, TOP_LEVEL) if blocked_as_top else {}),
        refused=np.array([bool(refusal(text)) for text in answers.texts], bool),
    )


def with_blocked(study: MeasuredStudy, tops: Mapping[str, int]) -> MeasuredStudy:
    """*study* with every judge's levels a second time, in which an answer that the interface blocked has the highest
    level, which is its judge's in *tops*; itself where none was blocked."""
    if not study.answers.blocked.any():
        return study
    again = _levels(study.answers, study.shape, tops)
    named = {blocked_as(judge, tops[judge]): each for judge, each in again.items()}
    return replace(study, levels={**study.levels, **named})


def blocked_as(judge: str, top: int) -> str:
    """The score of *judge* in which blocked answers have level *top*."""
    return tr("{judge}, blocked as {level}", judge=judge, level=top)


def _levels(answers: StudyAnswers, shape: tuple[int, int], blocked_at: Mapping[str, int]) -> dict[str, Floats]:
    """The level of each model on each question, by judge; a blocked answer has its judge's level in *blocked_at*, or
    none."""
    found = {}
    for place, judge in enumerate(answers.judges):
        first = np.where(answers.blocked, blocked_at.get(judge, 0), answers.levels[:, place, 0])
        found[judge] = level_means(first, answers.question, answers.model, shape)
    return found


def _embeddings(answers: StudyAnswers, shape: tuple[int, int], vectors: Vectors) -> dict[str, EmbeddedAnswers]:
    found = {TFIDF: _by_terms(answers, shape)}
    found |= {encoder: _by_vectors(answers, shape, each) for encoder, each in vectors.items()}
    return {encoder: each for encoder, each in found.items() if each is not None and _tells(each, shape[1])}


def _tells(embedded: EmbeddedAnswers, models: int) -> bool:
    """Two models have a distance on some question."""
    return bool((~np.isnan(embedded.distances) & ~np.eye(models, dtype=bool)).any())


def _by_terms(answers: StudyAnswers, shape: tuple[int, int]) -> EmbeddedAnswers | None:
    vectors = tfidf_vectors(answers.texts)
    # An answer without a word has no direction: 1 − cos would put it as far from all others as unlike words are.
    rows = np.flatnonzero(vectors.lengths > 0)
    if len(rows) < 2:
        return None
    vectors = vectors.of_texts(rows)
    distances = distances_of_terms(vectors, answers.question[rows], answers.model[rows], shape)
    return EmbeddedAnswers(rows=rows, vectors=vectors, distances=distances)


def _by_vectors(answers: StudyAnswers, shape: tuple[int, int], vectors: Mapping[Key, bytes]) -> EmbeddedAnswers | None:
    keys = [answers.key(at) for at in range(len(answers.texts))]
    rows = np.array([at for at, key in enumerate(keys) if key in vectors], np.int64)
    if len(rows) < 2:
        return None
    dense = np.frombuffer(b"".join(vectors[keys[at]] for at in rows), "<f4").reshape(len(rows), -1)
    distances = distances_of_vectors(dense, answers.question[rows], answers.model[rows], shape)
    return EmbeddedAnswers(rows=rows, vectors=dense, distances=distances)


def judges_agree(study: MeasuredStudy, *, seed: int) -> list[JudgeAgreement]:
    """How far the study's judges agree with themselves and each other; answers of one question go together."""
    answers = study.answers
    return agreements(answers.judges, answers.levels, answers.question, scale=TOP_LEVEL, seed=seed)


def persons_agree(study: MeasuredStudy, persons: Mapping[str, Mapping[Key, int]], *, seed: int) -> list[JudgeAgreement]:
    """How far each judge agrees with each of *persons*, whose levels are by answer."""
    answers = study.answers
    keys = [answers.key(at) for at in range(len(answers.texts))] if persons else []
    rated = {person: np.array([levels.get(key, 0) for key in keys], np.int64) for person, levels in persons.items()}
    return with_persons(answers.judges, answers.levels, rated, answers.question, scale=TOP_LEVEL, seed=seed)

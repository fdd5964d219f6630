"""Sentences on a study: what was compared, and what a hostile expert would ask about."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from gpf_desktop.domain.text import tr
from gpf_desktop.methods.relative_bias.comparing import Comparison
from gpf_desktop.methods.relative_bias.protocol import said_of_margin
from gpf_desktop.methods.relative_bias.study import TFIDF, MeasuredStudy
from gpf_desktop.stats.judge_agreement import JudgeAgreement, judges_in_words

THEMES_ADVISED: Final = 5
QUESTIONS_ADVISED: Final = 10


def score_title(score: str) -> str:
    """A measure's name in tables."""
    encoder = score.removeprefix("embedding:")
    if encoder == score:
        return tr("Judge model {model}", model=score)
    return tr("By words") if encoder == TFIDF else tr("By meaning ({encoder})", encoder=encoder)


def measure_words(score: str) -> str:
    """How a score measures, as its row on Results names it."""
    encoder = score.removeprefix("embedding:")
    if encoder == score:
        return tr("by judge model {judge}'s marks", judge=score)
    return tr("in words") if encoder == TFIDF else tr("in meaning, by model {encoder}", encoder=encoder)


def judges_itself(judge: str, models: Sequence[str]) -> bool:
    """Whether *judge* is one of *models*; beside its rubric's title, where judges went by unlike rubrics."""
    return any(judge == model or judge.startswith(f"{model} · ") for model in models)


def summary(study: MeasuredStudy) -> str:
    answers = study.answers
    return tr(
        "Compared {models} models on {questions} questions of {themes} themes. Of {answers} answers, "
        "{refused} declined in words; {blocked} were blocked; {unparsed} marks could not be read. "
        "How far a model lies off holds for these models and measures only.",
        models=len(answers.models),
        questions=len(np.unique(answers.question)),
        themes=len(np.unique(answers.theme_of[answers.question])),
        answers=len(answers.texts),
        blocked=int(answers.blocked.sum()),
        refused=int(study.refused.sum()),
        unparsed=int(answers.unparsed.sum()),
    )


def warnings(
    study: MeasuredStudy, comparisons: Sequence[Sequence[Comparison]], agreements: Sequence[JudgeAgreement]
) -> list[str]:
    """Sentences about what limits the results, each once."""
    said = [*_of_size(study), *_of_judges(study, agreements)]
    for of_score in comparisons:
        for comparison in of_score:
            said += _of_comparison(study, comparison)
    return list(dict.fromkeys(said))


def _of_size(study: MeasuredStudy) -> list[str]:
    answers = study.answers
    sizes = np.bincount(answers.theme_of[np.unique(answers.question)], minlength=len(answers.themes))
    said = []
    if (sizes > 0).sum() < THEMES_ADVISED:
        said.append(tr("There are fewer than {n} themes: ranges over so few are wide.", n=THEMES_ADVISED))
    if (sizes[sizes > 0] < QUESTIONS_ADVISED).any():
        said.append(tr("Some theme has fewer than {n} questions.", n=QUESTIONS_ADVISED))
    if not study.scores:
        said.append(tr("There is nothing to compare: no two answers to one question have text, and no levels came."))
    elif not study.embeddings:
        said.append(tr("No answers have text, so that nothing is measured by words or meaning."))
    return said


def _of_judges(study: MeasuredStudy, agreements: Sequence[JudgeAgreement]) -> list[str]:
    own = [
        tr("Judge model {judge} judges its own answers too, which favours them.", judge=judge)
        for judge in study.answers.judges
        if judges_itself(judge, study.answers.models)
    ]
    return own + judges_in_words(study.answers.judges, agreements)


def _of_comparison(study: MeasuredStudy, comparison: Comparison) -> list[str]:
    names = study.answers.models
    target = names[comparison.target]
    said = said_of_margin(len(comparison.baselines))
    if comparison.welch.verdict is not comparison.paired.verdict:
        said.append(
            tr(
                "{target}, {score}: {welch} by Welch's test and {paired} by the paired one, which is the main one.",
                target=target,
                score=score_title(comparison.score),
                welch=comparison.welch.verdict.words,
                paired=comparison.paired.verdict.words,
            )
        )
    for tested in comparison.tests:
        if flips := comparison.flips(tested.name):
            said.append(
                tr(
                    "{target}, {score}, {test}: hangs on one model; it would be another conclusion without {models}.",
                    target=target,
                    score=score_title(comparison.score),
                    test=tr("Welch's test") if tested.name == "welch" else tr("paired test"),
                    models=", ".join(names[each] for each in flips),
                )
            )
    return said

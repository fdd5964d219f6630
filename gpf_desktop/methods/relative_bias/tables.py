"""A study as tables, in full precision; None where a number is unavailable."""

from collections.abc import Sequence
from itertools import combinations
from typing import Final

import numpy as np

from gpf_desktop.arrays import Floats
from gpf_desktop.domain.tables import CellValue, Table
from gpf_desktop.methods.relative_bias.answers import StudyAnswers
from gpf_desktop.methods.relative_bias.comparing import Comparison, Tested, corrected, theme_interval
from gpf_desktop.methods.relative_bias.measures import means
from gpf_desktop.methods.relative_bias.principal import principal_components
from gpf_desktop.methods.relative_bias.study import EmbeddedAnswers, MeasuredStudy
from gpf_desktop.stats.judge_agreement import JudgeAgreement
from gpf_desktop.stats.ranks import rank_correlation

EQUIVALENCE: Final = (
    "score",
    "target",
    "test",
    "mean_target",
    "mean_baselines",
    "difference",
    "margin",
    "standard_error",
    "df",
    "t_lower",
    "t_upper",
    "p_lower",
    "p_upper",
    "outcome",
    "low",
    "high",
    "p_equivalent",
    "p_beyond",
    "margin_low",
    "margin_high",
    "questions",
    "baselines",
    "primary",
    "robust",
)


def equivalence(study: MeasuredStudy, comparisons: Sequence[Sequence[Comparison]]) -> Table:
    """A row for each score, target and test; with several targets p of both claims and the outcome are Holm's."""
    rows: list[tuple[CellValue, ...]] = []
    for of_score in comparisons:
        # Holm's family is one test by one score over the targets; Welch's and the paired one are corrected apart.
        both = [corrected([each.tests[place] for each in of_score]) for place in (0, 1)]
        for number, comparison in enumerate(of_score):
            for tested, adjusted in zip(comparison.tests, both, strict=True):
                within, beyond, verdict = adjusted[number]
                flips = comparison.flips(tested.name)
                rows.append(
                    (
                        comparison.score,
                        study.answers.models[comparison.target],
                        tested.name,
                        *_numbers(comparison, tested),
                        str(verdict),
                        tested.low,
                        tested.high,
                        within,
                        beyond,
                        comparison.margin_low,
                        comparison.margin_high,
                        tested.questions,
                        len(comparison.baselines),
                        "yes" if tested.name == "paired" else "no",
                        "no" if flips else "yes",
                    )
                )
    return Table(EQUIVALENCE, rows)


def _numbers(comparison: Comparison, tested: Tested) -> tuple[CellValue, ...]:
    """The values of the columns from mean_target to p_upper."""
    test = tested.test
    of_means = (_shown(tested.mean_target), _shown(tested.mean_baselines))
    if test is None:
        return (*of_means, _shown(tested.mean_target - tested.mean_baselines), comparison.margin, *[None] * 6)
    return (
        *of_means,
        test.difference,
        test.margin,
        test.standard_error,
        test.df,
        test.t_lower,
        test.t_upper,
        test.p_lower,
        test.p_upper,
    )


def leave_one_out(study: MeasuredStudy, comparisons: Sequence[Sequence[Comparison]]) -> Table:
    """Every test without each baseline in turn, uncorrected."""
    names = study.answers.models
    rows = [
        (
            comparison.score,
            names[comparison.target],
            tested.name,
            names[left_out],
            *_numbers(without, tested),
            str(tested.verdict),
            "yes" if left_out in comparison.flips(tested.name) else "no",
        )
        for of_score in comparisons
        for comparison in of_score
        for left_out, without in comparison.left_out.items()
        for tested in without.tests
    ]
    # From the fourth column on these are what `_numbers` gives, and the outcome behind it.
    return Table((*EQUIVALENCE[:3], "without", *EQUIVALENCE[3:14], "flips"), rows)


def models(study: MeasuredStudy, targets: Sequence[str], *, seed: int) -> Table:
    """A row for each model and score: its mean with the 95 % interval over themes, D, and what
    became of its answers."""
    answers = study.answers
    whole, noises, blocked = study.d(), own_noise(study), answers.blocked
    rows: list[tuple[CellValue, ...]] = []
    for score, (values, signed) in study.values().items():
        for place, model in enumerate(answers.models):
            mine = answers.model == place
            there = ~np.isnan(values[:, place])
            low, high = theme_interval(values[there, place], answers.theme_of[there], seed=seed)
            rows.append(
                (
                    score,
                    model,
                    "target" if model in targets else "baseline",
                    int(there.sum()),
                    _mean(values[:, place]),
                    low,
                    high,
                    _shown(whole[score][place]),
                    _mean(signed[:, place]),
                    _shown(noises[score][place]) if score in noises else None,
                    int(mine.sum()),
                    int((mine & blocked).sum()),
                    int((mine & study.refused).sum()),
                    int((mine & answers.unparsed[:, answers.judges.index(score)]).sum())
                    if score in study.levels
                    else 0,
                )
            )
    columns = "score model role questions mean low high d signed_deviation own_noise answers blocked refused unparsed"
    return Table(tuple(columns.split()), rows)


def by_theme(study: MeasuredStudy) -> Table:
    """The heat map: mean value, D and signed deviation of each model on each theme."""
    answers = study.answers
    deviations = study.deviations()
    rows: list[tuple[CellValue, ...]] = []
    for score, (values, signed) in study.values().items():
        for theme, title in enumerate(answers.themes):
            here = answers.theme_of == theme
            for place, model in enumerate(answers.models):
                there = int((~np.isnan(values[here, place])).sum())
                numbers = (_mean(each[here, place]) for each in (values, deviations[score], signed))
                rows.append((score, title, model, there, *numbers))
    return Table(("score", "theme", "model", "questions", "mean", "d", "signed_deviation"), rows)


def by_question(study: MeasuredStudy) -> Table:
    """Value and signed deviation of every model on every question."""
    answers = study.answers
    rows = [
        (
            score,
            answers.themes[answers.theme_of[question]],
            text,
            model,
            _shown(values[question, place]),
            _shown(signed[question, place]),
        )
        for score, (values, signed) in study.values().items()
        for question, text in enumerate(answers.questions)
        for place, model in enumerate(answers.models)
    ]
    return Table(("score", "theme", "question", "model", "value", "signed_deviation"), rows)


def judges(found: Sequence[JudgeAgreement]) -> Table:
    """Agreement of each judge with itself, and of each two judges."""
    rows: list[tuple[CellValue, ...]] = []
    for each in found:
        kind = "within" if each.within else "between"
        for statistic, agreement in (("alpha", each.alpha), ("kappa", each.kappa)):
            if agreement is not None:
                rows.append(
                    (
                        kind,
                        each.judges[0],
                        each.judges[-1],
                        statistic,
                        agreement.value,
                        agreement.low,
                        agreement.high,
                        agreement.cases,
                    )
                )
    return Table(("kind", "judge", "other_judge", "statistic", "value", "low", "high", "answers"), rows)


def rank_correlations(study: MeasuredStudy) -> Table:
    """Spearman's, of each two scores: over models by D, and over answers by their deviation."""
    deviations, whole = study.deviations(), study.d()
    rows: list[tuple[CellValue, ...]] = []
    for one, other in combinations(deviations, 2):
        for over, (left, right) in (
            ("models", (whole[one], whole[other])),
            ("answers", (deviations[one].ravel(), deviations[other].ravel())),
        ):
            both = ~np.isnan(left) & ~np.isnan(right)
            rows.append((one, other, over, rank_correlation(left[both], right[both]), int(both.sum())))
    return Table(("score", "other_score", "over", "rank_correlation", "n"), rows)


def answer_map(answers: StudyAnswers, embedded: EmbeddedAnswers) -> Table:
    """Every answer with a vector on the first two principal components."""
    places, shares = principal_components(embedded.vectors)
    rows = [
        (
            answers.models[answers.model[row]],
            answers.themes[answers.theme_of[answers.question[row]]],
            answers.questions[answers.question[row]],
            int(answers.repeat[row]),
            *map(float, place),
            *map(float, shares),
        )
        for row, place in zip(embedded.rows, places, strict=True)
    ]
    return Table(("model", "theme", "question", "repeat", "first", "second", "first_share", "second_share"), rows)


def own_noise(study: MeasuredStudy) -> dict[str, Floats]:
    """The mean distance between a model's own generations, by the score of an encoder, for each model; NaN where it
    gave one each."""
    return {
        f"embedding:{encoder}": means(np.diagonal(each.distances, axis1=1, axis2=2))
        for encoder, each in study.embeddings.items()
    }


def _mean(values: Floats) -> float | None:
    there = values[~np.isnan(values)]
    return float(there.mean()) if len(there) else None


def _shown(value: float | np.float64) -> float | None:
    return None if np.isnan(value) else float(value)

"""What a study shows of a target, with every test counted, on the published judge scores and on planted ones."""

import csv
from pathlib import Path

import numpy as np
import pytest

from gpf_desktop.arrays import Floats, Ints
from gpf_desktop.methods.relative_bias.comparing import (
    ALPHA,
    Comparison,
    K,
    StudyScore,
    TargetVerdict,
    _compared,
    compare,
)
from gpf_desktop.methods.relative_bias.outcomes import ALIKE_FROM, Kind, PageLevel, ScoreOutcome, on_themes, outcomes
from gpf_desktop.stats.equivalence import Outcome
from gpf_desktop.stats.judge_reliability import with_itself, with_others

PUBLISHED = Path(__file__).parents[2] / "conformance" / "relbias_scores.csv"


def published(case: str, judge: str) -> tuple[Floats, Ints, list[str]]:
    """Levels (questions, models), the theme of each question, and the models."""
    with PUBLISHED.open(encoding="utf-8") as file:
        rows = [row for row in csv.DictReader(file) if (row["case"], row["judge"]) == (case, judge)]
    models = sorted({row["model"] for row in rows})
    questions = sorted({(int(row["theme"]), int(row["question"])) for row in rows})
    levels = np.full((len(questions), len(models)), np.nan)
    for row in rows:
        at = questions.index((int(row["theme"]), int(row["question"]))), models.index(row["model"])
        levels[at] = float(row["score"])
    return levels, np.array([theme for theme, _ in questions]), models


def deviations(levels: Floats) -> Floats:
    return levels - (levels.sum(axis=1, keepdims=True) - levels) / (levels.shape[1] - 1)


def compared(score: StudyScore, target: int) -> Comparison:
    return compare(score, target, [each for each in range(score.models) if each != target], seed=1)


def held(case: str, judge: str, target: str, stated: float | None = None) -> ScoreOutcome:
    levels, theme_of, models = published(case, judge)
    score = StudyScore.of_judge(judge, levels, theme_of)
    return outcomes([[compared(score, models.index(target))]], k=K, stated=stated)[0]


def test_that_the_published_target_that_lies_four_levels_off_differs() -> None:
    found = held("China", "gemini", "deepseekR1")
    assert found.outcome is Outcome.DIFFERS
    assert found.low > 3.5
    assert found.p < 1e-6
    assert found.hangs_on == ()


def test_that_published_models_within_the_low_end_of_the_margin_are_alike() -> None:
    for judge in ("gemini", "gpt-4o"):
        found = held("US", judge, "ClaudeSonnet")
        assert found.outcome is Outcome.EQUIVALENT
        assert found.alike_within is not None
        assert -found.alike_within < found.low < found.high < found.alike_within < (found.comparison.margin or 0)
    assert held("US", "gpt-4o", "deepseekR1").outcome is Outcome.UNDECIDED
    assert held("US", "gpt-4o", "deepseekR1", stated=0.5).outcome is Outcome.EQUIVALENT


def test_that_a_published_finding_which_its_themes_do_not_bear_is_not_told() -> None:
    found = held("Meta", "gpt-4o", "MetaAI")
    welch, paired = found.comparison.tests
    assert (welch.verdict, paired.verdict) == (TargetVerdict.DEVIATES, TargetVerdict.UNDECIDED)
    assert found.outcome is Outcome.UNDECIDED
    assert found.low < (found.comparison.margin or 0.0) < found.difference


def test_that_a_judge_is_gauged_by_what_it_says_of_models_and_not_of_single_answers() -> None:
    """Two judges whose single levels agree badly may agree perfectly that one model lies far off; and not at all about
    models that are alike."""
    levels, _, _ = published("China", "gemini")
    draw = np.random.default_rng(1)
    second = np.clip(levels + draw.integers(-2, 3, levels.shape), 1, 10)
    china = with_others(deviations(levels), deviations(second))
    assert china is not None
    assert china.value > 0.99
    assert china.holds
    (gemini, _, _), (gpt, _, _) = published("US", "gemini"), published("US", "gpt-4o")
    us = with_others(deviations(gemini), deviations(gpt))
    assert us is not None
    assert us.value == pytest.approx(0.607, abs=0.001)
    assert not us.holds


def test_that_judges_that_say_the_opposite_of_each_other_do_not_hold_and_have_a_number() -> None:
    """Without one question of the two their means are exact opposites."""
    levels = np.array([[1.0, 5.0, 9.0], [4.0, 5.0, 6.0]])
    opposite = with_others(deviations(levels), -deviations(levels))
    assert opposite is not None
    assert (opposite.value, opposite.low) == pytest.approx((-1.0, -1.0))
    assert not opposite.holds


def test_that_a_judge_that_marks_at_random_does_not_hold_with_itself() -> None:
    draw = np.random.default_rng(2)
    levels = draw.integers(1, 11, (50, 6)).astype(np.float64)
    answers = np.repeat(np.arange(40), 3)
    random = with_itself(deviations(levels), draw.integers(1, 11, 120).astype(np.float64), answers)
    assert random is not None
    assert not random.holds
    sure = with_itself(deviations(levels), np.repeat(draw.integers(1, 11, 40), 3).astype(np.float64), answers)
    assert sure is not None
    assert sure.low == 1.0
    assert with_itself(deviations(levels), np.arange(40.0), np.arange(40)) is None, "nothing was judged twice"


def test_that_a_margin_that_one_outlier_makes_shows_nobody_alike() -> None:
    draw = np.random.default_rng(3)
    theme_of = np.repeat(np.arange(5), 10)
    means = np.array([0.6, 0, 0.1, -0.1, 0.05, 3.0])
    levels = means + draw.normal(0, 1, (50, 6))
    found = outcomes([[compared(StudyScore.of_judge("judge", levels, theme_of), 0)]], k=K)[0]
    assert (found.comparison.margin or 0) > 2
    assert found.outcome is Outcome.UNDECIDED


def test_that_few_baselines_show_nobody_alike_unless_a_margin_was_stated() -> None:
    draw = np.random.default_rng(4)
    theme_of = np.repeat(np.arange(10), 10)
    levels = np.array([0.0, -0.3, 0.3, 0.1]) + draw.normal(0, 0.2, (100, 4))
    score = StudyScore.of_judge("judge", levels, theme_of)
    assert score.models - 1 < ALIKE_FROM
    assert outcomes([[compared(score, 0)]], k=K)[0].outcome is Outcome.UNDECIDED
    assert outcomes([[compared(score, 0)]], k=K, stated=0.5)[0].outcome is Outcome.EQUIVALENT


def test_that_every_further_test_of_the_page_widens_the_intervals() -> None:
    levels, theme_of, models = published("US", "gemini")
    score = StudyScore.of_judge("gemini", levels, theme_of)
    one = outcomes([[compared(score, 0)]], k=K)[0]
    all_ = outcomes([[compared(score, each) for each in range(len(models))]], k=K)
    assert len(all_) == len(models)
    assert all_[0].low < one.low < one.high < all_[0].high
    assert all_[0].level == pytest.approx(1 - 0.05 / 8)


def test_that_a_target_that_differs_on_one_theme_is_told_by_that_theme() -> None:
    draw = np.random.default_rng(5)
    theme_of = np.repeat(np.arange(5), 10)
    levels = draw.normal(0, 0.5, (50, 5)) + np.array([0, 0.1, -0.1, 0.05, -0.05])
    levels[theme_of == 2, 0] += 4
    score = StudyScore.of_judge("judge", levels, theme_of)
    comparisons = [[compared(score, 0)]]
    found = outcomes(comparisons, k=K)
    assert found[0].outcome is Outcome.UNDECIDED
    themes, tests = on_themes([score], comparisons, found, K)
    assert [(each.score, each.theme) for each in themes if each.told] == [("judge", 2)]
    assert len(themes) == tests == 5, "each test has its numbers, those that show nothing too"
    assert all(each.told or each.low < 1 for each in themes)


def test_that_who_lies_in_the_middle_of_the_others_is_not_said_to_differ() -> None:
    """Six models lie at the corners of a cube and one in its middle: its distance to them is the smallest by far."""
    draw = np.random.default_rng(9)
    corners = np.vstack([np.zeros(6), np.eye(6)])
    distances = np.empty((60, 7, 7))
    for question in range(60):
        places = corners + draw.normal(0, 0.02, corners.shape)
        distances[question] = np.linalg.norm(places[:, None] - places[None], axis=2)
        distances[question] /= 2
    theme_of = np.repeat(np.arange(6), 10)
    score = StudyScore.of_embedding("tf-idf", distances, theme_of)
    comparisons = [[compared(score, 0)]]
    found = outcomes(comparisons, k=K)
    assert found[0].high < -(found[0].comparison.margin or 0)
    assert found[0].outcome is Outcome.UNDECIDED
    assert found[0].closer
    assert not found[0].beyond_margin
    assert not any(each.told for each in on_themes([score], comparisons, found, K)[0])
    far = distances.copy()
    far[:, 0, 1:] = far[:, 1:, 0] = 0.95
    assert (
        outcomes([[compared(StudyScore.of_embedding("tf-idf", far, theme_of), 0)]], k=K)[0].outcome is Outcome.DIFFERS
    )


def turns(
    draw: np.random.Generator, means: Floats, *, themes: int, questions: int, by_theme: float = 0.3
) -> StudyScore:
    """Whole marks of models that lie at *means*, and by theme somewhere near."""
    theme_of = np.repeat(np.arange(themes), questions)
    own = draw.normal(0, by_theme, (themes, len(means)))[theme_of]
    levels = 4 + means + own + draw.normal(0, 1.2, (len(theme_of), len(means)))
    return StudyScore.of_judge("judge", np.clip(np.rint(levels), 1, 10), theme_of)


def in_turn(score: StudyScore) -> list[list[Comparison]]:
    everyone = range(score.models)
    return [[_compared(score, each, [other for other in everyone if other != each], K) for each in everyone]]


def test_that_looking_at_each_in_turn_names_nobody_of_a_skewed_population() -> None:
    """One of nine always lies in the tail, and the larger the study the surer that is."""
    draw = np.random.default_rng(31)
    named = 0
    for _ in range(80):
        score = turns(draw, 0.6 * draw.exponential(1, 9), themes=20, questions=10)
        named += any(each.outcome is Outcome.DIFFERS for each in outcomes(in_turn(score), k=K))
    assert named <= 8
    far = turns(draw, np.array([4.5, 0.1, -0.1, 0.2, -0.2, 0.1, 0.0, -0.1, 0.05]), themes=20, questions=10)
    assert [each.outcome is Outcome.DIFFERS for each in outcomes(in_turn(far), k=K)] == [True] + 8 * [False]


def test_that_a_target_named_beforehand_needs_to_lie_less_far_off_than_one_of_several() -> None:
    alone, one_of_six = PageLevel(tests=2), PageLevel(tests=12, targets=6)
    kind = Kind(deviation=1.0, freedom=4, baselines=5)
    for page in (alone, one_of_six):
        assert page.p(page.needed(kind) * 0.999, kind) > ALPHA > page.p(page.needed(kind) * 1.001, kind)
    assert page.needed(kind) > 1.5 * alone.needed(kind)


def test_that_no_theme_is_told_where_models_just_differ_by_theme() -> None:
    """Many questions make each theme's own range narrow, and the margin by a few models stays an estimate."""
    draw = np.random.default_rng(32)
    told = 0
    for _ in range(40):
        score = turns(draw, draw.normal(0, 0.4, 4), themes=5, questions=60, by_theme=1.0)
        compared = in_turn(score)
        told += any(each.told for each in on_themes([score], compared, outcomes(compared, k=K), K)[0])
    assert told <= 2

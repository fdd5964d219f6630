"""What is planted in calibration models and judges is found, and no more than that."""

from collections import Counter

import numpy as np
import pytest

from gpf_desktop.domain.judging import JudgeReply
from gpf_desktop.engine.core.protocols import load_protocol
from gpf_desktop.methods.relative_bias.comparing import ALPHA, StudyScore, TargetVerdict, compare
from gpf_desktop.methods.relative_bias.judging import ask
from gpf_desktop.methods.relative_bias.method import METHOD
from gpf_desktop.methods.relative_bias.planted import (
    JUDGES,
    REFUSAL_LEVEL,
    answer,
    evaded,
    judgement,
    sentences,
    true_level,
    with_injection,
)
from gpf_desktop.methods.relative_bias.rubric import LABEL, ten_levels
from gpf_desktop.methods.relative_bias.theme_tests import on_each_theme
from gpf_desktop.numerics.planted_orders import orders, with_order
from gpf_desktop.stats.judge_agreement import agreements
from gpf_desktop.stats.obedience import obedience
from gpf_desktop.stats.ordinal_agreement import alphas

QUESTIONS = [
    (theme.name, question)
    for theme in load_protocol("Sugary drinks", method=METHOD.name).themes
    for question in theme.questions
]
THEMES = np.repeat(np.arange(5), 10)
PLAIN = [f"plain-{letter}" for letter in "abcdefgh"]
EVADED = next(theme for theme, _ in QUESTIONS if evaded(theme))


def true_levels(models: list[str], seed: int) -> np.ndarray:
    return np.array(
        [[true_level(answer(model, *question, seed=seed)) for model in models] for question in QUESTIONS], float
    )


def outcomes(models: list[str], seeds: int) -> dict[str, Counter[TargetVerdict]]:
    """Verdicts on the first of *models* against the others, by test."""
    found: dict[str, Counter[TargetVerdict]] = {"welch": Counter(), "paired": Counter()}
    for seed in range(seeds):
        score = StudyScore.of_judge("true", true_levels(models, seed), THEMES)
        for tested in compare(score, 0, range(1, len(models)), seed=1, leave_out=False).tests:
            found[tested.name][tested.verdict] += 1
    return found


@pytest.mark.slow
def test_that_a_neutral_target_deviates_in_five_of_a_hundred_at_most_and_is_mostly_equivalent() -> None:
    for by_test in outcomes(PLAIN, 200).values():
        assert by_test[TargetVerdict.DEVIATES] <= 10
        assert by_test[TargetVerdict.EQUIVALENT] > 100


@pytest.mark.slow
def test_that_an_evasive_target_is_found_with_rising_power() -> None:
    found = [
        outcomes([f"evasive-{strength}", *PLAIN[:5]], 30)["welch"][TargetVerdict.DEVIATES]
        for strength in ("0.0", "0.3", "0.6", "0.9")
    ]
    assert found == sorted(found)
    assert found[0] <= 2
    assert found[-1] >= 15


def deviating_themes(models: list[str], seeds: int) -> list[set[str]]:
    """For each seed, on which themes the first of *models* deviates, each theme by itself."""
    found = []
    for seed in range(seeds):
        score = StudyScore.of_judge("true", true_levels(models, seed), THEMES)
        comparison = compare(score, 0, range(1, len(models)), seed=1, leave_out=False)
        found.append(
            {QUESTIONS[10 * each.theme][0] for each in on_each_theme(score, [comparison]) if each.p_beyond < ALPHA}
        )
    return found


@pytest.mark.slow
@pytest.mark.parametrize("baselines", [3, 7])
def test_that_a_neutral_target_deviates_on_any_theme_in_five_of_a_hundred_at_most(baselines: int) -> None:
    assert sum(map(bool, deviating_themes(PLAIN[: baselines + 1], 200))) <= 10


@pytest.mark.slow
def test_that_an_evasive_target_is_found_on_its_theme_and_no_other_with_rising_power() -> None:
    found = [deviating_themes([f"evasive-{strength}", *PLAIN[:5]], 30) for strength in ("0.0", "0.3", "0.6", "0.9")]
    power = [sum(map(bool, each)) for each in found]
    assert power == sorted(power)
    assert power[0] <= 2
    assert power[2:] == [30, 30]
    assert set().union(*(themes for each in found[1:] for themes in each)) == {EVADED}


def test_that_few_questions_of_a_theme_are_not_tested() -> None:
    score = StudyScore.of_judge("true", true_levels(["evasive-0.9", *PLAIN[:5]], 1), np.arange(50) // 4)
    comparison = compare(score, 0, range(1, 6), seed=1, leave_out=False)
    assert on_each_theme(score, [comparison]) == []


def test_that_the_planted_models_do_what_they_are_called() -> None:
    assert answer("plain-a", *QUESTIONS[0], seed=1) == answer("plain-a", *QUESTIONS[0], seed=1)
    assert len({answer("plain-a", *QUESTIONS[0], seed=1, repeat=repeat) for repeat in range(3)}) == 3
    for theme, question in QUESTIONS:
        said = true_level(answer("refusing", theme, question, seed=1))
        assert (said == REFUSAL_LEVEL) == evaded(theme)
    levels = {model: true_levels([model], 1)[:, 0] for model in ("evasive-0.0", "evasive-0.9")}
    there = np.array([evaded(theme) for theme, _ in QUESTIONS])
    assert levels["evasive-0.9"][there].mean() > 8
    assert levels["evasive-0.9"][~there].mean() < 3 > levels["evasive-0.0"][there].mean()


@pytest.mark.parametrize("quality", [0.9, 0.6])
def test_that_a_judge_of_planted_quality_gets_the_agreement_that_is_planted(quality: float) -> None:
    rubric, models = ten_levels(), [*PLAIN[:3], "evasive-0.3", "evasive-0.6", "evasive-0.9"]
    texts = [(at, answer(model, *question, seed=2)) for at, question in enumerate(QUESTIONS) for model in models]
    read_levels = np.zeros((len(texts), 1, 3), np.int64)
    for place, (_, text) in enumerate(texts):
        message = ask("softening of criticism", rubric, "q", text).user
        for repeat in range(3):
            found = rubric.form.read(judgement(f"judge-{quality}", message, seed=2, repeat=repeat))
            assert isinstance(found, JudgeReply)
            read_levels[place, 0, repeat] = found.level
    (within,) = agreements(("j",), read_levels, np.array([at for at, _ in texts]), scale=10, seed=1)
    chance = np.full((10, 10), (1 - quality) / 10) + quality * np.eye(10)
    true = np.array([true_level(text) for _, text in texts])
    expected = sum(np.outer(chance[level - 1], chance[level - 1]) for level in true)
    assert within.alpha.low is not None
    assert within.alpha.high is not None
    assert within.alpha.low < alphas(expected[None])[0] < within.alpha.high
    assert within.poor == (quality < 0.8)


def test_that_only_a_credulous_judge_is_moved_by_what_an_answer_tells_it() -> None:
    rubric = ten_levels()
    text = answer("evasive-0.9", *next(each for each in QUESTIONS if evaded(each[0])), seed=1)
    moved: Counter[str] = Counter()
    for number in range(len(sentences().injections)):
        message = ask("d", rubric, "q", with_injection(text, number)).user
        for judge in ("judge-1.0", "credulous"):
            found = rubric.form.read(judgement(judge, message, seed=1))
            assert isinstance(found, JudgeReply)
            moved[judge] += found.level != true_level(text)
    assert moved["judge-1.0"] == 0
    assert moved["credulous"] == len(sentences().injections)
    assert set(JUDGES) >= set(moved)


def test_that_the_injection_set_finds_the_judge_that_obeys_and_clears_the_sound_one() -> None:
    rubric = ten_levels()
    given: dict[str, list[tuple[int, int, int]]] = {"judge-1.0": [], "credulous": []}
    wordings = set()
    for number, (theme, question) in enumerate(QUESTIONS[:20]):
        text = answer("evasive-0.9", theme, question, seed=1)
        wordings.add(with_order(text, 7, LABEL).removeprefix(text))
        for judge, levels in given.items():
            pair = []
            for level in (1, rubric.top):
                message = ask("d", rubric, "q", with_order(text, level, LABEL)).user
                found = rubric.form.read(judgement(judge, message, seed=1))
                assert isinstance(found, JudgeReply)
                pair.append(found.level)
            levels.append((number, pair[0], pair[1]))
    assert len(wordings) == len(orders())
    sound, credulous = (obedience(judge, levels, top=rubric.top) for judge, levels in given.items())
    assert (sound.moved, sound.obeyed, sound.obeys) == (0, 0, False)
    assert (credulous.moved, credulous.obeyed, credulous.obeys) == (9, 20, True)

import json
from itertools import product
from pathlib import Path

import numpy as np
import pandas as pd
import pytest
from numpy.typing import NDArray
from scipy import stats

from gpf_desktop.stats.clusters import ClusteredMean
from gpf_desktop.stats.equivalence import Outcome, held_against, margin_interval, margin_of, paired, welch

CONFORMANCE = Path(__file__).parent.parent / "conformance"
PRINTED = {case["name"]: case for case in json.loads((CONFORMANCE / "tost.json").read_text(encoding="utf-8"))["cases"]}
SCORES = pd.read_csv(CONFORMANCE / "relbias_scores.csv")
K = 2.81

Floats = NDArray[np.float64]


def scores_of(case: str, judge: str) -> tuple[Floats, Floats, Floats]:
    """Scores of the target DeepSeek R1, of all seven baselines, and the baselines' means."""
    some = SCORES[(SCORES["case"] == case) & (SCORES["judge"] == judge)]
    target = some.loc[some["model"] == "deepseekR1", "score"].to_numpy(float)
    others = some[some["model"] != "deepseekR1"]
    return target, others["score"].to_numpy(float), others.groupby("model")["score"].mean().to_numpy(float)


@pytest.mark.parametrize(
    ("name", "case", "judge"), [("China, judge Gemini", "China", "gemini"), ("US, judge GPT-4o", "US", "gpt-4o")]
)
def test_that_the_paper_s_printed_tests_come_out_of_its_scores(name: str, case: str, judge: str) -> None:
    target, others, means = scores_of(case, judge)
    found, printed = welch(target, others, margin_of(means, K)), PRINTED[name]
    assert abs(found.difference) == pytest.approx(printed["diff"], abs=5e-3)
    assert found.margin == pytest.approx(printed["delta"], abs=5e-5)
    assert found.standard_error == pytest.approx(printed["se"], abs=5e-5)
    assert found.df == pytest.approx(printed["df"], abs=5e-3)
    assert found.t_lower == pytest.approx(printed["t_lower"], abs=5e-3)
    assert found.t_upper == pytest.approx(printed["t_upper"], abs=5e-3)
    assert (found.p_equivalent < 0.05) == printed["equivalent"]
    if "p_upper" in printed:
        assert found.p_upper == pytest.approx(printed["p_upper"], abs=5e-5)


@pytest.mark.parametrize("name", ["China, embedding", "US, embedding"])
def test_that_printed_tests_of_embeddings_follow_from_what_is_printed_beside_them(name: str) -> None:
    """Of the encoder's tests both t and the verdict follow from the numbers beside them, as near as these were rounded.

    Every number of all nine printed tests is held in tests/methods/relative_bias/test_printed_numbers.py.
    """
    printed = PRINTED[name]
    half = 5e-5
    rounded = [
        held_against(
            ClusteredMean(value=printed["diff"] + a * half, error=printed["se"] + b * half, freedom=printed["df"]),
            printed["delta"] + c * half,
        )
        for a, b, c in product((-1, 1), repeat=3)
    ]
    for column in ("t_lower", "t_upper"):
        found = [getattr(each, column) for each in rounded]
        assert min(found) <= printed[column] <= max(found), column
    assert {each.p_equivalent < 0.05 for each in rounded} == {printed["equivalent"]}


def test_that_both_one_sided_p_are_scipy_s_for_shifted_samples() -> None:
    target, others, means = scores_of("US", "gemini")
    margin = margin_of(means, K)
    found = welch(target, others, margin)
    above = stats.ttest_ind(target + margin, others, equal_var=False, alternative="greater").pvalue
    below = stats.ttest_ind(target - margin, others, equal_var=False, alternative="less").pvalue
    assert (found.p_lower, found.p_upper) == pytest.approx((above, below), abs=1e-12)


def test_that_not_being_equivalent_is_undecided_and_only_a_difference_beyond_the_margin_differs() -> None:
    draw = np.random.default_rng(1)
    one = draw.normal(0, 1, 100)
    assert welch(one, one[::-1] + 0.01, 1.0).beyond_margin() is Outcome.EQUIVALENT
    assert welch(one + 3, one, 1.0).beyond_margin() is Outcome.DIFFERS
    near = welch(one + 1.05, one, 1.0)
    assert near.beyond_margin() is Outcome.UNDECIDED
    assert near.p_zero < 0.05 < near.p_equivalent


def test_that_a_difference_at_the_margin_is_called_differing_or_equivalent_in_five_of_a_hundred_at_most() -> None:
    draw = np.random.default_rng(2)
    outcomes = [paired(draw.normal(0.5, 1, 12), np.arange(12), 0.5).beyond_margin() for _ in range(4000)]
    for wrong in (Outcome.EQUIVALENT, Outcome.DIFFERS):
        assert np.mean([outcome is wrong for outcome in outcomes]) < 0.06


def test_that_differences_of_one_theme_count_once() -> None:
    draw = np.random.default_rng(3)
    themes = np.repeat(np.arange(5), 10)
    differences = draw.normal(0.2, 0.3, 5)[themes] + draw.normal(0, 0.01, 50)
    by_theme = stats.ttest_1samp(differences.reshape(5, 10).mean(axis=1), 0)
    found = paired(differences, themes, 0.1)
    assert found.df == pytest.approx(4)
    assert found.p_zero == pytest.approx(by_theme.pvalue)


def test_that_values_that_do_not_differ_at_all_decide_without_a_standard_error() -> None:
    assert paired(np.zeros(6), np.arange(6), 0.1).beyond_margin() is Outcome.EQUIVALENT
    assert paired(np.full(6, 0.3), np.arange(6), 0.1).beyond_margin() is Outcome.DIFFERS


def test_that_the_margin_of_few_baselines_has_a_wide_interval_around_it() -> None:
    _, _, means = scores_of("China", "gemini")
    low, high = margin_interval(means, K)
    assert low < margin_of(means, K) < high
    assert high / low > 2
    assert margin_interval(means * 10, K) == pytest.approx((low * 10, high * 10))


def test_that_means_that_differ_by_rounding_alone_leave_no_margin() -> None:
    means = np.array([0.9, 0.9 + 1e-16, 0.9 - 1e-16, 0.9])
    assert np.std(means, ddof=1) > 0
    assert margin_of(means, K) == 0.0
    assert margin_of(means + np.array([0, 1e-9, 0, 0]), K) > 0
    values = np.array([0.9, 0.9 + 1e-16, 0.9, 0.9])
    assert welch(values, values[::-1], margin_of(means, K)).beyond_margin() is Outcome.UNDECIDED

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from sklearn.linear_model import LogisticRegression
from sklearn.metrics import roc_auc_score

from gpf_desktop.stats.probability import discrimination, probability_curve, readings_needed


@pytest.mark.slow
@example([(0, False, 1), (1, True, 1), (1, True, 1), (1, True, 4), (1, True, 3), (1, True, 1)])
@given(st.lists(st.tuples(st.integers(0, 5), st.booleans(), st.integers(1, 4)), min_size=2, max_size=30))
def test_that_auc_is_the_share_of_pairs_in_order_by_weight(drawn: list[tuple[int, bool, int]]) -> None:
    numbers = np.array([number for number, _, _ in drawn], float)
    yes = np.array([each for _, each, _ in drawn])
    weights = np.array([weight for _, _, weight in drawn], float)
    found = discrimination(numbers, yes, weights, np.arange(len(drawn)))
    if yes.all() or not yes.any():
        assert found is None
        return
    assert found is not None
    assert found.auc == pytest.approx(roc_auc_score(yes, numbers, sample_weight=weights))
    assert found.low <= found.auc <= found.high


def test_that_without_clusters_the_interval_is_newcombe_s() -> None:
    draw = np.random.default_rng(1)
    yes = np.arange(60) < 25
    numbers = draw.normal(yes * 1.0)
    found = discrimination(numbers, yes, np.ones(60), np.arange(60))
    assert found is not None
    apart = []
    for bound in (found.low, found.high):
        # Newcombe 2006, method 5: n* = (25 + 35) / 2 − 1.
        spread = 1 + 29 * (1 - bound) / (2 - bound) + 29 * bound / (1 + bound)
        apart.append(abs(bound - found.auc) / np.sqrt(bound * (1 - bound) * spread / (25 * 35)))
    # Student's quantile, widened by DeLong's error, which is a little larger than Hanley and McNeil's here.
    assert apart == pytest.approx([2.1275, 2.1275], abs=1e-4)


def test_that_an_order_without_a_fault_is_not_taken_for_certain() -> None:
    found = discrimination(np.arange(12.0), np.arange(12) > 6, np.ones(12), np.arange(12))
    assert found is not None
    assert found.auc == found.high == 1
    assert 0.4 < found.low < 0.9
    of_one = discrimination(np.arange(12.0), np.arange(12) > 6, np.ones(12), np.zeros(12, np.int64))
    assert of_one is not None
    assert (of_one.low, of_one.high) == (0, 1)


def test_that_the_interval_of_auc_covers_the_population_s_where_the_high_were_sampled_more() -> None:
    draw = np.random.default_rng(2)
    held = 0
    for _ in range(300):
        number = draw.normal(0, 1, 600)
        yes = draw.random(600) < 1 / (1 + np.exp(1 - number))
        chance = np.where(number > 0.5, 0.5, 0.1)
        taken = draw.random(600) < chance
        found = discrimination(number[taken], yes[taken], 1 / chance[taken], np.flatnonzero(taken))
        assert found is not None
        held += found.low <= 0.7357 <= found.high
    assert 0.92 < held / 300 < 0.985


def test_that_many_values_have_the_curve_of_plain_logistic_regression() -> None:
    draw = np.random.default_rng(3)
    numbers = draw.normal(0.3, 0.1, 5000)
    yes = draw.random(5000) < 1 / (1 + np.exp(3 - 8 * numbers))
    at = np.array([0.1, 0.3, 0.5])
    found = probability_curve(numbers, yes, np.ones(5000), np.arange(5000), at)
    assert found is not None
    plain = LogisticRegression(C=1e8, tol=1e-8).fit(numbers[:, None], yes)
    assert found.probability == pytest.approx(plain.predict_proba(at[:, None])[:, 1], abs=1e-3)
    log_odds = np.log(found.probability / (1 - found.probability))
    assert (log_odds[2] - log_odds[0]) / 0.4 == pytest.approx(plain.coef_[0, 0], rel=0.01)
    low, high = np.log(found.low / (1 - found.low)), np.log(found.high / (1 - found.high))
    assert (low[2] - high[0]) / 0.4 < 8 < (high[2] - low[0]) / 0.4


def test_that_a_number_that_parts_all_yes_from_all_no_still_has_a_curve_with_a_band() -> None:
    numbers = np.array([0.1, 0.2, 0.3, 0.6, 0.7, 0.8])
    found = probability_curve(numbers, numbers > 0.5, np.ones(6), np.arange(6), np.array([0.2, 0.7]))
    assert found is not None
    assert found.probability[0] < 0.4 < 0.6 < found.probability[1]
    assert np.isfinite(found.low).all()
    assert probability_curve(np.ones(6), numbers > 0.5, np.ones(6), np.arange(6), numbers) is None


def test_that_readings_of_one_article_count_less() -> None:
    draw = np.random.default_rng(4)
    article = np.repeat(np.arange(8), 12)
    numbers = draw.normal(0, 1, 8)[article] + draw.normal(0, 0.05, 96)
    yes = draw.random(96) < 1 / (1 + np.exp(-numbers))
    alone = discrimination(numbers, yes, np.ones(96), np.arange(96))
    together = discrimination(numbers, yes, np.ones(96), article)
    assert alone is not None
    assert together is not None
    assert together.high - together.low > alone.high - alone.low


@pytest.mark.slow
def test_that_hanley_and_mcneil_s_error_is_reached_by_the_number_asked_for() -> None:
    n = readings_needed(0.8, 0.3, 0.05)
    draw = np.random.default_rng(5)
    aucs = []
    for _ in range(400):
        yes = np.arange(n) < 0.3 * n
        aucs.append(roc_auc_score(yes, draw.normal(yes * 1.19)))
    assert 1.96 * np.std(aucs) == pytest.approx(0.05, rel=0.15)
    assert readings_needed(0.8, 0.3, 0.1) < n / 3

"""Controls: differences over matched rows only."""

import pytest

from gpf_desktop.methods.gpf_livenews.analyses._means import MeanOptions
from gpf_desktop.methods.gpf_livenews.analyses.controls import ANALYSIS
from tests.methods.gpf_livenews.analyses.tables import row_of, tables, value

HOLDS = "if scores are lopsided (skewed), it holds about 92%, if much, 84%"


def controls(bundles):
    return ANALYSIS.analyse(tables(bundles), MeanOptions())


def test_that_identity_free_bundles_match_the_mean_over_dimensions_of_their_article_and_family():
    finding = controls(
        [
            {"dimension": "Religion", "s": 0.4, "r_star": 0.6},
            {"dimension": "Political", "s": 0.6, "r_star": 0.8},
            {"condition": "identity-free", "dimension": "", "s": 0.1, "r_star": 0.2},
            {"dimension": "Religion", "s": 0.9, "r_star": 0.9, "article_id": 2},
        ]
    )
    row = row_of(finding, control="no reader named")
    assert row.values["pairs"] == 1
    assert value(row, "main_s") == pytest.approx(0.5)
    assert value(row, "delta_s") == pytest.approx(0.4)
    assert value(row, "delta_r") == pytest.approx(0.5)


def test_that_another_wording_matches_its_own_dimension_only():
    finding = controls(
        [
            {"dimension": "Religion", "s": 0.4},
            {"dimension": "Political", "s": 0.9},
            {"dimension": "Religion", "s": 0.3, "paraphrase": 1},
        ]
    )
    row = row_of(finding, control="other wording")
    assert row.values["pairs"] == 1
    assert value(row, "delta_s") == pytest.approx(0.1)


def test_that_a_control_of_another_article_or_model_is_not_compared():
    finding = controls([{"s": 0.4}, {"condition": "random-label", "dimension": "letters", "s": 0.1, "article_id": 2}])
    assert finding.rows == ()


def test_that_both_label_sets_of_a_match_are_averaged_first():
    finding = controls(
        [
            {"s": 0.4},
            {"condition": "random-label", "dimension": "letters", "s": 0.1},
            {"condition": "random-label", "dimension": "words", "s": 0.3},
        ]
    )
    row = row_of(finding, control="made-up labels")
    assert row.values["pairs"] == 1
    assert value(row, "control_s") == pytest.approx(0.2)


def test_that_repeats_compare_dispersion_with_noise_where_both_are():
    finding = controls([{"s": 0.4, "n": 0.1, "cfs": 0.3}, {"s": 0.9}])
    row = row_of(finding, control="the same question asked again")
    assert value(row, "main_s") == pytest.approx(0.4)
    assert value(row, "delta_s") == pytest.approx(0.3)
    assert row.values["delta_r"].value is None


def test_that_a_pair_with_one_missing_score_is_left_out_of_that_score_s_difference():
    finding = controls(
        [
            {"s": 0.4, "r_star": None},
            {"condition": "identity-free", "dimension": "", "s": 0.1, "r_star": 0.2},
        ]
    )
    row = row_of(finding, control="no reader named")
    assert value(row, "delta_s") == pytest.approx(0.3)
    assert row.values["delta_r"].value is None
    assert row.values["delta_r"].why == "fewer answers than the rarefied size"


def test_that_strata_are_relevant_minus_neutral_with_an_interval_from_within_each():
    bundles = [
        {"article_id": article, "stratum": stratum, "s": base + 0.01 * (article % 4), "r_star": base}
        for stratum, base, first in (("identity-relevant", 0.5, 1), ("identity-neutral", 0.3, 100))
        for article in range(first, first + 12)
    ]
    row = row_of(controls(bundles), control="news about these groups, less news about none")
    delta = row.values["delta_s"]
    assert delta.value == pytest.approx(0.2)
    assert delta.articles == 24
    assert delta.interval.low < 0.2 < delta.interval.high
    assert delta.interval.high - delta.interval.low < 0.03
    assert row.bundles.stratum == "identity-relevant"


def test_that_few_articles_of_the_strata_have_welch_s_interval_which_says_how_many_each_has():
    bundles = [
        {"article_id": article, "stratum": stratum, "s": base + 0.01 * article}
        for stratum, base, first, last in (("identity-relevant", 0.5, 1, 4), ("identity-neutral", 0.3, 5, 9))
        for article in range(first, last + 1)
    ]
    row = row_of(controls(bundles), control="news about these groups, less news about none")
    assert row.values["delta_s"].interval.method == "t after Welch over 4 and 5 articles"
    assert row.values["main_s"].interval.method == f"t over 4 articles; {HOLDS}"


def test_that_an_interval_of_a_score_says_where_it_reaches_beyond_what_the_score_can_be():
    bundles = [{"article_id": article, "s": s} for article, s in ((1, 0.0), (2, 0.0), (3, 0.5))]
    free = [{**each, "condition": "identity-free", "dimension": "", "s": 0.4} for each in bundles]
    row = row_of(controls(bundles + free), control="no reader named")
    assert row.values["main_s"].interval.low < 0
    assert row.values["main_s"].interval.method == f"t over 3 articles; {HOLDS}; reaches beyond the score's range"
    assert row.values["delta_s"].interval.method == f"t over 3 articles; {HOLDS}"


def test_that_each_calibration_model_has_rows_of_its_own():
    control = {"condition": "identity-free", "dimension": ""}
    planted = {"model": "calibration/neutral", "synthetic": 1}
    finding = controls([{"s": 0.4}, {**control, "s": 0.1}, {**planted, "s": 0.9}, {**planted, **control, "s": 0.9}])
    assert value(row_of(finding, models="all models"), "delta_s") == pytest.approx(0.3)
    row = row_of(finding, models="calibration/neutral")
    assert value(row, "delta_s") == pytest.approx(0.0)
    assert row.synthetic

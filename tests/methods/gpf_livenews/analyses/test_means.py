"""Means over bundles: what enters, what is counted, what is left out."""

import pytest
from scipy.stats import ttest_1samp

from gpf_desktop.domain.findings import BundleFilter
from gpf_desktop.methods.gpf_livenews.analyses._means import MeanOptions
from gpf_desktop.methods.gpf_livenews.analyses.dimension_means import ANALYSIS as DIMENSIONS
from gpf_desktop.methods.gpf_livenews.analyses.family_by_vendor import ANALYSIS as FAMILY_BY_VENDOR
from gpf_desktop.methods.gpf_livenews.analyses.family_means import ANALYSIS as FAMILIES
from gpf_desktop.methods.gpf_livenews.analyses.interaction import ANALYSIS as INTERACTION
from gpf_desktop.methods.gpf_livenews.analyses.model_table import ANALYSIS as MODELS
from gpf_desktop.methods.gpf_livenews.analyses.model_table import ModelTableOptions
from tests.methods.gpf_livenews.analyses.tables import column, row_of, tables, value


def test_that_means_stand_with_their_bundles_pairs_and_articles():
    scores = tables(
        [
            {"article_id": 1, "s": 0.2, "r": 0.5, "r_star": 0.4},
            {"article_id": 2, "s": 0.4, "r": 0.7, "r_star": 0.6},
            {"article_id": 3, "s": 0.9, "r": 0.9, "r_star": 0.9, "dimension": "Political"},
        ]
    )
    row = row_of(DIMENSIONS.analyse(scores, MeanOptions()), dimension="Religion")
    assert value(row, "s") == pytest.approx(0.3)
    assert value(row, "r") == pytest.approx(0.6)
    assert value(row, "r_star") == pytest.approx(0.5)
    assert (row.values["s"].n, row.values["s"].articles) == (2, 2)
    assert (row.values["bundles"], row.values["pairs"]) == (2, 2)


def test_that_p_of_relative_framing_is_of_t_over_articles_after_holm_over_models_of_its_kind():
    framings = {"a": (0.1, 0.2, 0.15), "b": (0.1, -0.2, 0.3), "few": (0.5, 0.5), "planted": (0.3, 0.31, 0.29)}
    rows = [
        {"model": model, "article_id": article, "relative_framing": value, "synthetic": model == "planted"}
        for model, values in framings.items()
        for article, value in enumerate(values)
    ]
    finding = MODELS.analyse(tables(rows), ModelTableOptions())
    p = {model: ttest_1samp(framings[model], 0).pvalue for model in ("a", "b", "planted")}
    assert {row.values["model"]: row.values["p"] for row in finding.rows} == {
        "a": pytest.approx(2 * p["a"]),
        "b": pytest.approx(p["b"]),
        "few": None,
        "planted": pytest.approx(p["planted"]),
    }


def test_that_a_partial_bundle_enters_means_and_is_no_complete_pair():
    scores = tables([{"s": 0.2, "r": 0.2}, {"s": 0.6, "r": 0.6, "valid": 5.0}])
    row = row_of(DIMENSIONS.analyse(scores, MeanOptions()), dimension="Religion")
    assert value(row, "s") == pytest.approx(0.4)
    assert (row.values["bundles"], row.values["pairs"]) == (2, 1)


def test_that_partial_bundles_stay_out_of_means_only_of_the_runs_whose_protocol_says_so():
    rows = [{"s": 0.2}, {"s": 0.4, "valid": 6.0}, {"s": 0.9, "valid": 6.0, "batch_id": 2}]
    finding = DIMENSIONS.analyse(tables(rows), MeanOptions(strict_runs=(2,)))
    (row,) = finding.rows
    assert value(row, "s") == pytest.approx(0.3)


def test_that_partial_bundles_stay_out_where_the_setting_says_so():
    scores = tables([{"s": 0.2, "r": 0.2}, {"s": 0.6, "r": 0.6, "valid": 5.0}])
    finding = DIMENSIONS.analyse(scores, MeanOptions(partial=False))
    assert column(finding, "s") == [pytest.approx(0.2)]
    assert "1 set of answers (only whole ones)" in finding.notes[0]


@pytest.mark.parametrize(
    ("valid", "said"),
    [({}, "Means over 1 set of answers, 1 article"), ({"valid": 5.0}, "1 set of answers (some answers missing in 1),")],
)
def test_that_answers_are_said_to_be_missing_only_where_some_are(valid: dict[str, float], said: str):
    assert said in FAMILIES.analyse(tables([{"s": 0.2, "r": 0.2, **valid}]), MeanOptions()).notes[0]


def test_that_an_unscored_bundle_is_neither_in_a_mean_nor_a_zero():
    scores = tables([{"s": 0.2, "r": 0.2}, {"s": None, "r": None, "valid": 1.0}])
    row = row_of(DIMENSIONS.analyse(scores, MeanOptions()), dimension="Religion")
    assert value(row, "s") == pytest.approx(0.2)
    assert row.values["bundles"] == 1


def test_that_controls_and_other_wordings_do_not_enter_the_main_tables():
    scores = tables(
        [{"s": 0.2, "r": 0.2}, {"s": 0.9, "r": 0.9, "paraphrase": 1}, {"s": 0.9, "condition": "random-label"}]
    )
    assert column(FAMILIES.analyse(scores, MeanOptions()), "s") == [pytest.approx(0.2)]


def test_that_cfs_is_unavailable_without_repeats_and_not_zero():
    row = row_of(DIMENSIONS.analyse(tables([{"s": 0.2, "r": 0.2}]), MeanOptions()), dimension="Religion")
    assert row.values["cfs"].value is None
    assert row.values["cfs"].why == "no repeats"


def test_that_rows_stand_in_the_protocol_s_order():
    scores = tables([{"dimension": name, "s": 0.1, "r": 0.1} for name in ("Political", "Religion", "Race / Ethnicity")])
    finding = DIMENSIONS.analyse(scores, MeanOptions())
    assert column(finding, "dimension") == ["Race / Ethnicity", "Religion", "Political"]


def test_that_planted_answers_do_not_enter_means_of_real_models():
    scores = tables(
        [{"s": 0.2, "r": 0.2}, {"s": 0.9, "r": 0.9, "model": "calibration/x", "vendor": "calibration", "synthetic": 1}]
    )
    finding = DIMENSIONS.analyse(scores, MeanOptions())
    assert column(finding, "s") == [pytest.approx(0.2)]
    assert any("1 built-in test model is left out" in note for note in finding.notes)


def test_that_an_audit_of_calibration_models_alone_shows_them_marked():
    scores = tables([{"s": 0.9, "r": 0.9, "model": "calibration/x", "synthetic": 1}])
    finding = DIMENSIONS.analyse(scores, MeanOptions())
    assert [row.synthetic for row in finding.rows] == [True]
    assert any(note.startswith("Synthetic") for note in finding.notes)


def test_that_the_interaction_s_rows_fall_by_mean_and_name_the_extremes():
    scores = tables(
        [
            {"dimension": dimension, "family": family, "s": s, "r": s, "r_star": s, "relative_framing": 1 - s}
            for dimension, family, s in (
                ("Religion", "Impact", 0.1),
                ("Religion", "Policy / Action", 0.2),
                ("Political", "Impact", 0.3),
                ("Political", "Policy / Action", 0.6),
            )
        ]
    )
    finding = INTERACTION.analyse(scores, MeanOptions())
    assert [(row.values["dimension"], row.values["family"]) for row in finding.rows] == [
        ("Political", "Policy / Action"),
        ("Political", "Impact"),
        ("Religion", "Policy / Action"),
        ("Religion", "Impact"),
    ]
    assert finding.highlights[0].startswith(
        "Highest by “share the reader adds”: Religion × Impact 0.900 (n 1, no range)"
    )
    assert finding.highlights[1].startswith("Lowest by “share the reader adds”: ")
    assert len(finding.highlights) == 3, "maps show the other scores"
    assert finding.rows[0].bundles == BundleFilter(
        levels=(("dimension", "Political"), ("family", "Policy / Action")), arm="main", synthetic=False
    )


def test_that_family_by_vendor_has_a_row_for_each_pair():
    scores = tables([{"s": 0.1, "r": 0.1}, {"s": 0.5, "r": 0.5, "model": "a/b", "vendor": "a"}])
    finding = FAMILY_BY_VENDOR.analyse(scores, MeanOptions())
    assert value(row_of(finding, vendor="a", family="Impact"), "s") == pytest.approx(0.5)


def models_of(scores, **options):
    return MODELS.analyse(scores, ModelTableOptions(**options))


def test_that_models_stand_by_vendor_and_name_with_calibration_models_last():
    scores = tables(
        [
            {"model": model, "vendor": model.partition("/")[0], "synthetic": model.startswith("calibration"), "s": s}
            for model, s in (("openai/b", 0.1), ("calibration/neutral", 0.2), ("openai/a", 0.9), ("google/c", 0.5))
        ]
    )
    finding = models_of(scores)
    assert column(finding, "model") == ["google/c", "openai/a", "openai/b", "calibration/neutral"]


def test_that_valid_scores_count_s_and_r_apart():
    scores = tables([{"s": 0.1, "r": 0.1}, {"s": 0.1, "r": None}])
    assert column(models_of(scores), "scalars") == [3]


def test_that_valid_scores_are_counted_whether_or_not_partial_bundles_enter_means():
    scores = tables([{"s": 0.1, "r": 0.1}, {"s": 0.9, "r": 0.1, "valid": 5.0}])
    (row,) = models_of(scores, partial=False).rows
    assert (row.values["scalars"], row.values["bundles"], value(row, "s")) == (4, 1, 0.1)


def test_that_provisional_bundles_are_counted_and_said():
    finding = models_of(tables([{"s": 0.1, "r": 0.1, "provisional": 1}, {"s": 0.1, "r": 0.1}]))
    assert column(finding, "provisional") == [1]
    assert any("1 set counts until all answers" in note for note in finding.notes)


def test_that_movement_over_news_needs_two_batches():
    one = models_of(tables([{"s": 0.1}, {"s": 0.3}]))
    assert one.rows[0].values["sigma"].value is None
    assert one.rows[0].values["sigma"].why == "one batch of news only"
    two = models_of(tables([{"s": 0.1}, {"s": 0.3}, {"s": 0.4, "batch_id": 2}]))
    assert value(two.rows[0], "sigma") == pytest.approx(0.2 / 2**0.5)


def test_that_lists_of_sensitivity_hold_models_of_high_coverage_only():
    bundles = [
        {"model": model, "s": s, "r": s}
        for model, s in (("a/low", 0.1), ("a/mid", 0.2), ("a/high", 0.3))
        for _ in range(2)
    ]
    finding = models_of(tables([*bundles, {"model": "a/scarce", "s": 0.9, "r": 0.9}]), high_coverage=4)
    among = "in this window by “how far apart, in words”, models with 4 scores or more"
    said = "(n 2, too few articles for a range)"
    assert finding.highlights == (
        f"Moved furthest {among}: a/high 0.300 {said}.",
        f"Moved least {among}: a/low 0.100 {said}.",
        "The highest and the lowest of 3 means lie apart by chance too: read their ranges.",
    )
    (apart,) = (note for note in finding.notes if note.startswith("To be read apart"))
    assert "fewer than 4 of their scores came: a/scarce (2)." in apart
    everything = models_of(tables([{"model": "a/scarce", "s": 0.9, "r": 0.9}]), high_coverage=4)
    assert not any(note.startswith("To be read apart") for note in everything.notes)


def test_that_the_refused_share_of_a_model_is_of_the_cells_that_it_decided():
    scores = tables([{}], decided=[{"decided": 6, "article_id": 2}, {"decided": 2, "refused": 2}])
    refused = models_of(scores).rows[0].values["refused"]
    assert refused.value == pytest.approx(0.25)
    assert (refused.n, refused.articles) == (8, 2)
    assert refused.interval.method == "Wilson and beta-binomial over 2 articles"

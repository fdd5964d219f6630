"""Vendors, stability and batches."""

import json
from pathlib import Path

import pytest

from gpf_desktop.methods.gpf_livenews.analyses._means import MeanOptions
from gpf_desktop.methods.gpf_livenews.analyses.batch_view import ANALYSIS as BATCHES
from gpf_desktop.methods.gpf_livenews.analyses.model_table import ANALYSIS as MODELS
from gpf_desktop.methods.gpf_livenews.analyses.model_table import ModelTableOptions
from gpf_desktop.methods.gpf_livenews.analyses.silhouettes import ANALYSIS as SILHOUETTES
from gpf_desktop.methods.gpf_livenews.analyses.stability import ANALYSIS as STABILITY
from gpf_desktop.methods.gpf_livenews.analyses.vendor_summary import ANALYSIS as VENDORS
from tests.methods.gpf_livenews.analyses.tables import column, row_of, tables, value

PAPER = json.loads((Path(__file__).parents[3] / "conformance" / "vendor_intervals.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("vendor", ["OpenAI", "Anthropic", "Google"])
def test_that_the_paper_s_vendor_summary_comes_out_of_its_model_means(vendor):
    semantic, sentiment = PAPER["semantic"][vendor], PAPER["sentiment"][vendor]
    pairs = zip(semantic["model_means"], sentiment["model_means"], strict=True)
    scores = tables(
        [
            {"model": f"{vendor}/{number}", "vendor": vendor, "s": s, "r": r, "r_star": r}
            for number, (s, r) in enumerate(pairs)
        ]
    )
    row = row_of(VENDORS.analyse(scores, ModelTableOptions()), vendor=vendor)
    for key, printed in (("s", semantic), ("r", sentiment)):
        estimate = row.values[key]
        assert estimate.value == pytest.approx(printed["mean"], abs=PAPER["tolerance"])
        assert [estimate.interval.low, estimate.interval.high] == pytest.approx(
            printed["interval"], abs=PAPER["tolerance"]
        )
        assert estimate.n == len(printed["model_means"])


def test_that_every_model_counts_once_however_many_bundles_it_has():
    scores = tables([{"s": 0.1}] * 9 + [{"s": 0.5, "model": "openai/other"}])
    assert column(VENDORS.analyse(scores, ModelTableOptions()), "s") == [pytest.approx(0.3)]


def test_that_models_of_few_answers_are_reported_apart_where_many_came_of_others():
    rows = [{"s": 0.1, "r": 0.2}] * 3 + [{"s": 0.5, "r": 0.2, "model": "openai/few"}]
    few = ModelTableOptions(high_coverage=5)
    (vendor,) = VENDORS.analyse(tables(rows), few).rows
    assert (value(vendor, "s"), vendor.values["models"]) == (pytest.approx(0.1), 1)
    assert any("openai/few (2)" in note for note in VENDORS.analyse(tables(rows), few).notes)
    models = MODELS.analyse(tables([*rows[3:], *rows[:3]]), few)
    assert column(models, "model") == ["openai/gpt-x", "openai/few"]
    assert column(models, "cohort") == ["many", "few, read apart"]
    # Where few came of all, nobody stands apart.
    alike = ModelTableOptions(high_coverage=50)
    assert "cohort" not in {each.key for each in MODELS.analyse(tables(rows), alike).columns}
    assert VENDORS.analyse(tables(rows), alike).rows[0].values["models"] == 2


def test_that_silhouettes_stand_beside_what_the_paper_prints_and_nothing_else_does():
    rows = [{"s": 0.4, "semantic_silhouette": 0.1 * n, "sentiment_silhouette": 0.5, "article_id": n} for n in (1, 2, 3)]
    finding = SILHOUETTES.analyse(tables(rows), MeanOptions())
    own, *printed = finding.rows
    assert (value(own, "semantic"), value(own, "sentiment")) == (pytest.approx(0.2), pytest.approx(0.5))
    for row in printed:
        for key in ("semantic", "sentiment"):
            paper = PAPER[key][row.values["of"]]
            estimate = row.values[key]
            assert estimate.value == paper["mean"]
            assert [estimate.interval.low, estimate.interval.high] == paper["interval"]
            assert estimate.n == len(paper["model_means"])
    assert SILHOUETTES.analyse(tables([]), MeanOptions()).rows == ()


def test_that_a_vendor_with_one_model_has_no_interval():
    row = VENDORS.analyse(tables([{"s": 0.1}]), ModelTableOptions()).rows[0]
    assert row.values["s"].interval is None
    assert row.bundles.vendor == "openai"


def test_that_stability_is_the_spread_of_batch_means_not_of_bundles():
    scores = tables(
        [
            {"s": s, "r_star": s, "batch_id": batch, "article_id": batch}
            for batch, values in ((1, (0.0, 0.4)), (2, (0.2, 0.4)), (3, (0.3, 0.5)))
            for s in values
        ]
    )
    row = STABILITY.analyse(scores, MeanOptions()).rows[0]
    assert value(row, "sigma_s") == pytest.approx(0.1)
    assert row.values["sigma_s"].n == 3


def test_that_batches_stand_in_the_order_of_time():
    scores = tables([{"s": 0.1, "batch_id": 2}, {"s": 0.2, "batch_id": 1}])
    finding = BATCHES.analyse(scores, MeanOptions())
    assert column(finding, "batch") == ["Morning", "Evening"]
    assert finding.rows[0].bundles.batch_id == 1
    assert column(finding, "models") == [1, 1]

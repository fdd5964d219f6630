"""Robustness, masked controls, streaming and the test against chance, on tables by hand."""

import pytest

from gpf_desktop.domain.findings import Finding
from gpf_desktop.engine.reporting.score_frame import FrameTables, Orders
from gpf_desktop.methods.gpf_livenews.analyses import identity_test, masked_controls, robustness, streaming
from gpf_desktop.methods.gpf_livenews.analyses._means import MeanOptions
from tests.methods.gpf_livenews.analyses.tables import ORDERS, column, other, row_of, tables, value

FAMILIES = ("Impact", "Policy / Action")


def test_that_a_variant_that_orders_bundles_alike_correlates_fully_and_holds() -> None:
    bundles = [{"s": 0.1 * n, "r": 0.2, "family": FAMILIES[n > 3], "article_id": n} for n in range(1, 7)]
    squared = [{"s": (0.1 * n) ** 2, "r": 0.2} for n in range(1, 7)]
    finding = robustness.ANALYSIS.analyse(tables(bundles, others=[other("pairs", squared)]), MeanOptions())
    (row,) = finding.rows
    assert row.values["score"] == "how far apart, in words", "R is as it was, so it has no row"
    assert row.values["pairs"] == 6
    assert value(row, "spearman") == pytest.approx(1.0)
    assert 0.9 < value(row, "pearson") < 1.0
    assert row.values["family"] == "Policy / Action: holds"
    assert row.values["interactions"] == "not compared: 2 means, and 5 are needed"


def test_that_top_interactions_are_compared_where_some_cell_is_not_among_them() -> None:
    cells = [(dimension, family) for dimension in ORDERS.levels["dimension"] for family in FAMILIES]
    bundles = [{"s": 0.1 * n, "r": 0.2, "dimension": d, "family": f} for n, (d, f) in enumerate(cells, start=1)]
    turned = [{"s": 0.7 - 0.1 * n, "r": 0.2} for n in range(1, 7)]
    finding = robustness.ANALYSIS.analyse(tables(bundles, others=[other("pairs", turned)]), MeanOptions())
    assert finding.rows[0].values["interactions"] == "4 of 5"


def test_that_a_variant_that_turns_the_order_round_says_what_leads_now() -> None:
    bundles = [{"s": 0.1 * n, "family": FAMILIES[n > 3], "article_id": n} for n in range(1, 7)]
    turned = [{"s": 1 - 0.1 * n} for n in range(1, 7)]
    finding = robustness.ANALYSIS.analyse(tables(bundles, others=[other("turned", turned)]), MeanOptions())
    (row,) = finding.rows
    assert value(row, "pearson") == pytest.approx(-1.0)
    assert row.values["family"] == "Impact instead of Policy / Action"


def test_that_correlations_of_two_pairs_are_left_out_and_missing_scores_are_no_pairs() -> None:
    bundles = [{"s": 0.1}, {"s": 0.2}, {"s": None}, {"s": 0.4}]
    moved = [{"s": 0.2}, {"s": 0.1}, {"s": 0.3}, {"s": None}]
    finding = robustness.ANALYSIS.analyse(tables(bundles, others=[other("x", moved)]), MeanOptions())
    (row,) = finding.rows
    assert row.values["pairs"] == 2
    assert row.values["pearson"] is None
    assert row.values["spearman"] is None


def test_that_masking_stands_beside_the_plain_difference() -> None:
    bundles = [
        {"s": s, "r_star": 0.1, "condition": condition, "dimension": dimension, "article_id": article}
        for article in (1, 2, 3)
        for condition, dimension, s in (("identity", "Religion", 0.5), ("identity-free", "", 0.2))
    ]
    masked = [{"s": 0.3 if each["condition"] == "identity" else 0.2, "r_star": 0.1} for each in bundles]
    finding = masked_controls.ANALYSIS.analyse(
        tables(bundles, others=[other("masked", masked, masked=True)]), MeanOptions()
    )
    row = row_of(finding, control="no reader named")
    assert value(row, "delta_s") == pytest.approx(0.3)
    assert value(row, "masked_s") == pytest.approx(0.1)


def test_that_without_a_masked_setting_there_is_no_masked_table() -> None:
    bundles = [{"s": 0.5}, {"s": 0.2, "condition": "identity-free", "dimension": ""}]
    finding = masked_controls.ANALYSIS.analyse(tables(bundles, others=[other("pairs", bundles)]), MeanOptions())
    assert finding.rows == ()
    (note,) = finding.notes
    assert note.startswith("Empty until the answers are measured without the readers' names too.")


def batches(values: dict[str, list[float]]) -> FrameTables:
    """One article a batch, one bundle a model and batch."""
    count = max(map(len, values.values()))
    named = tuple((number, f"batch {number:02d}") for number in range(1, count + 1))
    return tables(
        (
            {"model": model, "batch_id": number, "article_id": number, "run_id": number, "s": s}
            for model, series in values.items()
            for number, s in enumerate(series, start=1)
        ),
        orders=Orders(levels={**ORDERS.levels, "dimension": ("Religion",), "family": ("Impact",)}, batches=named),
    )


def states(finding: Finding, model: str, series: str) -> list[object]:
    return [row.values[f"{series}_state"] for row in finding.rows if row.values["model"] == model]


def test_that_there_are_no_limits_before_eight_batches() -> None:
    finding = streaming.ANALYSIS.analyse(batches({"a": [0.2, 0.3, 0.2, 0.3, 0.2, 0.3, 0.9]}), MeanOptions())
    assert states(finding, "a", "raw") == ["too early"] * 7
    assert column(finding, "raw_low") == [None] * 7
    assert finding.highlights == ()
    assert not any("by chance alone" in note for note in finding.notes)


def test_that_the_notes_say_how_many_points_would_be_outside_by_chance() -> None:
    many = {f"vendor/{n}": [0.3 + 0.01 * ((7 * batch + 3 * n) % 5) for batch in range(40)] for n in range(8)}

    def said(of: dict[str, list[float]]) -> str:
        (note,) = (
            each for each in streaming.ANALYSIS.analyse(batches(of), MeanOptions()).notes if "by chance alone" in each
        )
        return note

    assert said(many).startswith("512 points were judged; by chance alone up to about 2 would lie outside")
    assert said({"a": many["vendor/0"][:10], "b": many["vendor/1"][:10]}).startswith("8 points were judged; by chance")
    assert "up to one would" in said({"a": many["vendor/0"]}), (
        "a model alone has fewer points, and more of them outside"
    )
    assert "up to about 2 would" in said({"a": many["vendor/0"] * 5})


def test_that_later_batches_of_fewer_articles_are_warned_of() -> None:
    named = tuple((number, f"batch {number:02d}") for number in range(1, 11))
    bundles = [
        {
            "model": model,
            "batch_id": batch,
            "article_id": 10 * batch + article,
            "s": 0.3 + 7 * batch % 5 / 50,
        }
        for model, later in (("shrinks", 1), ("stays", 3))
        for batch, _ in named
        for article in range(3 if batch <= 8 else later)
    ]
    orders = Orders(levels={**ORDERS.levels, "dimension": ("Religion",), "family": ("Impact",)}, batches=named)
    notes = streaming.ANALYSIS.analyse(tables(bundles, orders=orders), MeanOptions()).notes
    assert [note for note in notes if "Fewer articles in later batches" in note] == [
        "Fewer articles in later batches than in the first ones, so that more lie outside by chance: shrinks."
    ]


def test_that_news_that_moves_every_model_is_taken_out_against_peers() -> None:
    wiggle = [0.01, -0.01] * 4
    raw = [0.3 + w for w in wiggle] + [0.6] * 6
    both = batches({"a": raw, "b": [each + 0.05 for each in raw]})
    finding = streaming.ANALYSIS.analyse(both, MeanOptions())
    assert states(finding, "a", "raw")[:8] == ["sets the limits"] * 8
    assert states(finding, "a", "raw")[-1] == "outside"
    assert "outside" not in states(finding, "a", "peers")
    assert column(finding, "peers")[:14] == pytest.approx([-0.05] * 14)
    assert finding.highlights == ()


def test_that_a_model_that_leaves_its_peers_signals() -> None:
    wiggle = [0.01, -0.01] * 7
    steady = [0.3 + w for w in wiggle]
    leaving = [0.3 + 0.02 * (n % 3) for n in range(8)] + [0.6] * 6
    finding = streaming.ANALYSIS.analyse(batches({"a": leaving, "b": steady}), MeanOptions())
    assert states(finding, "a", "peers")[-1] == "outside"
    (line, mirrored) = finding.highlights
    assert line.startswith("a, How far apart, in words, less other models: The smoothed series left its limits at ")
    assert line.endswith("the chart does not say why.")
    assert mirrored.startswith("b, How far apart, in words, less other models: ")


def test_that_what_was_outside_for_less_than_four_batches_is_not_named() -> None:
    steady = [0.3 + w for w in [0.01, -0.01] * 7]
    leaving = [0.3 + 0.02 * (n % 3) for n in range(8)] + [0.6, 0.3, 0.3, 0.3, 0.3, 0.3]
    finding = streaming.ANALYSIS.analyse(batches({"a": leaving, "b": steady}), MeanOptions())
    outside = states(finding, "a", "peers").count("outside")
    assert 1 <= outside < 4, "the table shows them all the same"
    assert finding.highlights == ()


def test_that_news_in_waves_widens_the_limits_and_the_notes_say_by_which_correlation() -> None:
    def limits(values: list[float]) -> tuple[float, tuple[str, ...]]:
        finding = streaming.ANALYSIS.analyse(batches({"a": values + [0.3] * 4, "b": values + [0.3] * 4}), MeanOptions())
        low, high = (finding.rows[11].values[f"raw_{which}"] for which in ("low", "high"))
        assert isinstance(low, float)
        assert isinstance(high, float)
        return high - low, finding.notes

    wiggling, said = limits([0.31, 0.29] * 4)
    assert any("in words: 0.00; 0.00 (as measured; less other models)" in note for note in said)
    assert streaming.FINDS in said
    waving, told = limits([0.31] * 4 + [0.29] * 4)
    assert any("in words: 0.9" in note for note in told)
    assert waving > 1.5 * wiggling


def test_that_a_model_alone_has_no_peers() -> None:
    finding = streaming.ANALYSIS.analyse(batches({"a": [0.2, 0.3]}), MeanOptions())
    assert column(finding, "peers") == [None, None]
    assert states(finding, "a", "peers") == ["no value"] * 2


def test_that_a_stratum_tells_its_p_its_smallest_and_what_would_resolve_it() -> None:
    tests = [
        {
            "article_id": article,
            "identity_statistic": 0.1 + 0.02 * article,
            "identity_p": 0.01 * article,
            "identity_stratum_p": 0.002,
            "identity_stratum_smallest_p": 0.0005,
            "identity_adjusted_p": 0.012,
            "identity_smallest_p": 0.0005,
            "identity_tone_statistic": 0.03,
            "identity_tone_p": 0.2,
            "identity_tone_stratum_p": 0.3,
            "identity_tone_adjusted_p": 0.6,
        }
        for article in range(1, 9)
    ]
    finding = identity_test.ANALYSIS.analyse(tables(tests=tests), MeanOptions())
    (row,) = finding.rows
    assert row.values["bundles"] == 8
    assert (row.values["p"], row.values["adjusted"], row.values["smallest"]) == (0.002, 0.012, 0.0005)
    assert row.values["single"] == 5
    assert (row.values["tone_p"], row.values["tone_adjusted"]) == (0.3, 0.6)
    assert value(row, "tone") == pytest.approx(0.03)
    assert finding.highlights == (
        "Readers against chance, meaning: beyond chance in 1 of 1 rows: Impact, Religion (openai/gpt-x).",
        "Readers against chance, tone: beyond chance in 0 of 1 rows.",
    )
    assert finding.notes[:2] == (
        "Single sets, meaning: 5 of 8 stand out, each counted alone; chance gives 0.4.",
        "Single sets, tone: 0 of 8 stand out, each counted alone; chance gives 0.4.",
    )
    assert value(row, "statistic") == pytest.approx(0.19)
    assert row.values["finds"] == "0.0566"  # noncentral t of the spread .049 over 8 articles


def test_that_a_test_without_tone_asks_to_be_computed_again() -> None:
    nothing = dict.fromkeys(("identity_tone_statistic", "identity_tone_p", "identity_tone_stratum_p"), float("nan"))
    tests = [{**nothing, "identity_tone_adjusted_p": float("nan")}]
    finding = identity_test.ANALYSIS.analyse(tables(tests=tests), MeanOptions())
    assert finding.notes[0] == "The test was computed by a version that did not test tone: compute it again."
    assert finding.rows[0].values["tone_p"] is finding.rows[0].values["tone_adjusted"] is None
    assert [line for line in finding.highlights if "tone" in line] == []


def test_that_one_article_cannot_say_what_is_found() -> None:
    finding = identity_test.ANALYSIS.analyse(tables(tests=[{}, {}]), MeanOptions())
    assert finding.rows[0].values["finds"] == "unknown: one article"
